"""Lists of methods, robots, presets and the rest, as plain data by key."""

from __future__ import annotations

from collections.abc import Callable

from assets.fields import Data


class Listing(dict[str, Data]):
    """Data by key; its `repr` shows only the keys."""

    def __repr__(self) -> str:
        return f"<{len(self)}: {', '.join(self)}>"


def methods() -> Listing:
    """The facts of every integrator by its key, as `armstep list methods --json` has them."""
    return _by_key("methods")


def robots() -> Listing:
    """Every robot with its fields (path, label, unit, default, allowed values) by its key."""
    return _by_key("robots")


def presets() -> Listing:
    """Every scenario that Armstep ships by its key: title, notes, robot, method, duration."""
    return _by_key("scenarios")


def _by_key(kind: str) -> Listing:
    return Listing({entry["key"]: entry for entry in listed(kind)})


def listed(kind: str) -> list[Data]:
    """Everything of one of `KINDS`, each with its `key`, `aliases` and `title` as they are everywhere."""
    return [{"key": entry["key"], "aliases": [], **entry} for entry in KINDS[kind]()]


def _robots() -> list[Data]:
    from robots.model.registry import robots

    return [
        {
            "key": robot.key,
            "title": robot.title,
            "summary": robot.summary,
            "source": robot.source,
            "fields": [
                {
                    "path": f"{group}.{item.key}",
                    "label": item.label,
                    "unit": item.unit,
                    "default": item.default,
                    "allowed": item.allowed(),
                }
                for group, items in (("robot", robot.parameters), ("task", robot.task), ("initial", robot.initial))
                for item in items
            ],
        }
        for robot in robots().values()
    ]


def _methods() -> list[Data]:
    from assets.json_values import finite_json
    from solvers.method_registry import methods

    return [finite_json({**method.facts(), "title": method.name}) for method in methods().values()]


def _scenarios() -> list[Data]:
    from robots.scenario.presets import presets

    return [
        {
            "key": key,
            "title": scenario.title,
            "notes": scenario.notes,
            "robot": scenario.robot,
            "method": scenario.method,
            "duration": scenario.duration,
        }
        for key, scenario in presets().items()
    ]


def _studies() -> list[Data]:
    from robots.papers.study import studies

    return [
        {"key": key, "title": study.title, "paper": study.paper, "summary": study.summary}
        for key, study in studies().items()
    ]


def _lessons() -> list[Data]:
    from robots.lessons.library import shipped_lessons

    return [
        {
            "key": lesson.key,
            "title": lesson.title,
            "minutes": lesson.minutes,
            "level": lesson.level,
            "language": lesson.language,
            "needs": list(lesson.needs),
        }
        for lesson in shipped_lessons()
    ]


def _formats() -> list[Data]:
    from gui.qt.export.format import formats
    from gui.qt.export.settings import name_of

    return [
        {
            "key": key,
            "title": format.label,
            "suffix": format.suffix,
            "holds": format.holds,
            "settings": sorted(map(name_of, format.settings)),
            "opens": format.reader is not None,
        }
        for key, format in formats().items()
    ]


def _plots() -> list[Data]:
    from gui.charts.figures.panels import panel_titles
    from gui.charts.registry import plots
    from robots.papers.figure import stem_of
    from robots.papers.study import studies

    own = [{"key": key, "title": plot.title, "default": plot.default} for key, plot in plots().items()]
    known = studies()
    return own + [
        {
            "key": key,
            "title": title,
            "default": False,
            **({"figures": [stem_of(name) for name in known[key].figures]} if key in known else {}),
        }
        for key, title in panel_titles().items()
    ]


def _plugins() -> list[Data]:
    from assets.plugins import plugins
    from assets.registry import failures
    from gui.charts.registry import plots
    from robots.lessons.library import LESSONS
    from robots.model.registry import robots
    from solvers.method_registry import methods

    for read in (methods, robots, plots, LESSONS.all):
        read()
    return [
        {
            "key": plugin.key,
            "title": failures.get(plugin, plugin.source),
            "adds": plugin.group.removeprefix("armstep."),
            "package": plugin.package,
            "works": plugin not in failures,
        }
        for plugin in plugins()
    ]


KINDS: dict[str, Callable[[], list[Data]]] = {
    "robots": _robots,
    "methods": _methods,
    "scenarios": _scenarios,
    "studies": _studies,
    "lessons": _lessons,
    "formats": _formats,
    "plots": _plots,
    "plugins": _plugins,
}
