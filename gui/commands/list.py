"""`armstep list`: the keys of everything that there is."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from assets.errors import BadInput
from gui.command import Command

Entry = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The kind, and `--json`."""
    parser.add_argument(
        "kind", nargs="?", metavar="KIND", help="one of " + ", ".join(KINDS) + "; everything when left out"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the lists; always 0."""
    if args.kind and args.kind not in KINDS:
        raise BadInput("kind", args.kind, choices=KINDS)
    listed = {kind: KINDS[kind]() for kind in ([args.kind] if args.kind else KINDS)}
    if args.json:
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    for kind, entries in listed.items():
        if len(listed) > 1:
            print(f"{kind}:")
        width = max((len(entry["key"]) for entry in entries), default=0)
        for entry in entries:
            other = f"  ({', '.join(entry['aliases'])})" if entry["aliases"] else ""
            print(f"  {entry['key']:<{width}}  {entry['title']}{other}")
        if not entries:
            print("  none")
    return 0


def _robots() -> list[Entry]:
    from robots.model.registry import robots

    return [
        {
            "key": robot.key,
            "aliases": [],
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


def _methods() -> list[Entry]:
    from robots.simulation.run import finite_json
    from solvers.method_registry import methods

    return [finite_json({**method.facts(), "title": method.name}) for method in methods().values()]


def _scenarios() -> list[Entry]:
    from robots.scenario.presets import presets

    return [
        {
            "key": key,
            "aliases": [],
            "title": scenario.title,
            "notes": scenario.notes,
            "robot": scenario.robot,
            "method": scenario.method,
            "duration": scenario.duration,
        }
        for key, scenario in presets().items()
    ]


def _studies() -> list[Entry]:
    from robots.model.study import studies

    return [
        {"key": key, "aliases": [], "title": study.title, "paper": study.paper, "summary": study.summary}
        for key, study in studies().items()
    ]


def _shipped(folder: str) -> Callable[[], list[Entry]]:
    """The list of a folder of JSON files, each with a title."""

    def entries() -> list[Entry]:
        import assets

        if not assets.path(folder).is_dir():
            return []
        found = {key: json.loads(assets.read_text(f"{folder}/{key}.json")) for key in assets.stems(folder, ".json")}
        return [{"key": key, "aliases": [], "title": data.get("title", key)} for key, data in found.items()]

    return entries


def _formats() -> list[Entry]:
    from gui.qt.export.format import formats
    from gui.qt.export.settings import name_of

    return [
        {
            "key": key,
            "aliases": [],
            "title": format.label,
            "suffix": format.suffix,
            "holds": format.holds,
            "settings": sorted(map(name_of, format.settings)),
            "opens": format.reader is not None,
        }
        for key, format in formats().items()
    ]


KINDS: dict[str, Callable[[], list[Entry]]] = {
    "robots": _robots,
    "methods": _methods,
    "scenarios": _scenarios,
    "studies": _studies,
    "lessons": _shipped("lessons"),
    "formats": _formats,
}


COMMAND = Command("list robots, methods, scenarios, studies, lessons and formats", __doc__, add_arguments, execute)
