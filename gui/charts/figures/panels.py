"""What a panel of a figure shows besides plots and stills: what tools have found, and the figures of studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from assets.counting import capital
from assets.errors import ArmstepError, BadInput
from gui.app.desks.readout_words import GONE
from gui.app.documents import Result
from gui.app.session.results import KERNEL_GAIN, MAP, PREDICTION, STUDY, WORK_PRECISION
from gui.charts.choice import SCENE, PanelChoice, PlotChoice, panel_choices
from gui.charts.fit import Range
from gui.charts.registry import plots, plots_with_curves
from robots.model.chart import Chart
from robots.papers.figure import stem_of

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings
    from robots.papers.study import Study, StudyResult

SCALES = "log", "linear"

Panels: TypeAlias = Mapping[str, "str | Panels"]
"""Panels to choose from: the title of each by its text, and groups of them by their headings."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartPanel:
    """A chart on a page, the shown part of its horizontal axis (None for all), and its name in captions."""

    chart: Chart
    span: Range | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class KeptKind:
    """A kind of results that are charts.

    Attributes:
        title: its name.
        summary: what such a panel shows.
        source: where there is one, after "plots must be".
        made: its chart: of (panel, result, all results of this kind).
    """

    title: str
    summary: str
    source: str
    made: Callable[[PanelChoice, Result, Sequence[Result]], ChartPanel]


def panel_titles() -> dict[str, str]:
    """What every panel shows that is no plot, by key: a still, kinds of results, studies."""
    from robots.papers.study import studies

    kept = {key: kind.summary for key, kind in KEPT.items()}
    return {SCENE: "The arm, as a picture", **kept, **{key: study.title for key, study in studies().items()}}


def of_runs(panel: PanelChoice) -> bool:
    """Whether a panel shows the runs of its scenario: a plot, a still, or nothing for the plots of the view."""
    return not panel.key or panel.still or panel.key in plots()


def study_of(panel: PanelChoice) -> Study | None:
    """The study whose figure a panel shows, if it is one."""
    from robots.papers.study import studies

    return studies().get(panel.key)


def check_panel(panel: PanelChoice) -> None:
    """Refuse a panel that is nothing, or with a part that such panels do not have. Raises BadInput."""
    study = study_of(panel)
    if not panel.text or (study is None and not of_runs(panel) and panel.key not in KEPT):
        known = [*plots(), *panel_titles()]
        raise BadInput("plots", panel.key, "a plot, a still or a result of this scenario", known)
    if panel.scale not in ("", *SCALES):
        raise BadInput("plots", panel.text, f"a panel whose text ends in /{' or /'.join(SCALES)}")
    if panel.which and not (panel.still or panel.key in KEPT):
        raise BadInput("plots", panel.text, "without @, which is for stills and results by name")
    if (panel.variant or panel.scale) and panel.still:
        raise BadInput("plots", panel.text, "without /, since a still has no views")
    if study is not None and panel.variant:
        _check_figure(study, panel)


def asked_lessons(panels: Sequence[PanelChoice]) -> list[str]:
    """The owners of panels that are lessons: those with predictions alone."""
    owners = {panel.owner for panel in panels if panel.owner and panel.key != PREDICTION}
    return [owner for owner in dict.fromkeys(panel.owner for panel in panels) if owner and owner not in owners]


def panels_for(rows: Sequence[RunRow], view: ViewSettings, results: Sequence[Result]) -> Panels:
    """What a figure of these runs can have: plots with curves, a still, what tools have found, figures of studies."""
    from robots.papers.study import studies

    every = {key: PlotChoice(key) for key in plots()}
    own = {key: plots()[key].title for key in (one.key for one in plots_with_curves(rows, view, every))}
    kept: dict[str, str | Panels] = {}
    for kind, known in KEPT.items():
        mine = [one for one in results if one.kind == kind]
        # The speed-ups are one chart.
        for one in mine[-1:] if kind == KERNEL_GAIN else mine:
            which = "" if one is mine[-1] else stem_of(one.name)
            kept[PanelChoice("", kind, which).text] = f"{known.title}: {one.name}"
    drawn: dict[str, str | Panels] = {
        study.title: {f"{study.key}/{stem_of(name)}": capital(name) for name in study.figures}
        for study in studies().values()
    }
    results_too: dict[str, str | Panels] = {"Results": kept} if kept else {}
    return {**own, SCENE: panel_titles()[SCENE], **results_too, "Figures of studies": drawn}


def file_panels(name: str, results: Sequence[Result]) -> list[str]:
    """The texts of the panels that a file with these results offers, one for each kind."""
    kinds = {one.kind for one in results}
    return [PanelChoice(name, kind).text for kind in KEPT if kind in kinds]


def shown_results(text: str, results: Sequence[Result]) -> tuple[Result, ...]:
    """Those of a scenario's results that its own panels in a figure show."""
    own = [panel for panel in panel_choices(text) if not panel.owner]
    kinds, studies = {panel.key for panel in own}, {panel.key for panel in own if study_of(panel)}
    return tuple(
        one for one in results if one.kind in kinds or (one.kind == STUDY and one.data.get("study") in studies)
    )


def result_charts(panel: PanelChoice, results: Sequence[Result]) -> list[ChartPanel]:
    """The chart of what a tool has found.

    Args:
        panel: its key is one of `KEPT`.
        results: all that the panel's scenario keeps.

    Raises:
        BadInput: there is none, or it has no such view.
        ArmstepError: it cannot be read.
    """
    mine = [result for result in results if result.kind == panel.key]
    kind = KEPT[panel.key]
    if not mine:
        raise BadInput("plots", panel.text, kind.source)
    result = mine[chosen_of(panel, [result.name for result in mine])]
    try:
        return [kind.made(panel, result, mine)]
    except BadInput:
        raise
    except (ArmstepError, KeyError, TypeError, ValueError) as problem:
        raise ArmstepError(f"{result.name} cannot be read: {problem}") from problem


def chosen_of(panel: PanelChoice, names: Sequence[str]) -> int:
    """Which of the names a panel has after its @; the last one without. Raises BadInput for none of them."""
    stems = [stem_of(name) for name in names]
    if not panel.which:
        return len(stems) - 1
    if panel.which not in stems:
        texts = [replace(panel, which=stem, variant="", scale="").text for stem in stems]
        raise BadInput("plots", panel.text, choices=texts)
    return len(stems) - 1 - stems[::-1].index(panel.which)


def study_charts(panel: PanelChoice, study: Study, result: StudyResult) -> list[ChartPanel]:
    """The charts of a study's figure, or of all of them; `figure-9.2` is the second chart of figure 9.

    Raises:
        BadInput: no figure has this name.
    """
    from gui.charts.figures.study import figure_charts

    stem, number = _check_figure(study, panel) if panel.variant else ("", 0)
    found = []
    for figure in result.figures:
        if stem not in ("", figure.stem):
            continue
        charts = figure_charts(figure)
        if number > len(charts):
            choices = [f"{study.key}/{stem}.{k + 1}" for k in range(len(charts))]
            raise BadInput("plots", panel.text, choices=choices)
        for k, (chart, span) in enumerate(charts, 1):
            if number in (0, k):
                name = ", ".join(filter(None, (f"{study.title}, {figure.name}", chart.title or figure.title)))
                titled = replace(chart.scaled(panel.scale), title=chart.title or figure.title)
                found.append(ChartPanel(titled, span, name))
    return found


def kept_study(key: str, results: Sequence[Result]) -> StudyResult | None:
    """The latest result of a study among those that a scenario keeps. Raises ArmstepError if it cannot be read."""
    from robots.papers.study_data import result_of

    for one in reversed(results):
        if one.kind == STUDY and one.data.get("study") == key:
            try:
                return result_of(one.data)
            except (ArmstepError, KeyError, TypeError, ValueError) as problem:
                raise ArmstepError(f"{one.name} cannot be read: {problem}") from problem
    return None


def _check_figure(study: Study, panel: PanelChoice) -> tuple[str, int]:
    """The stem of the figure that a panel names, and the number of its chart, 0 for all. Raises BadInput."""
    stem, dot, number = panel.variant.partition(".")
    stems = [stem_of(name) for name in study.figures]
    if stem not in stems or (dot and not (number.isdecimal() and int(number) > 0)):
        raise BadInput("plots", f"{study.key}/{panel.variant}", choices=[f"{study.key}/{one}" for one in stems])
    return stem, int(number or 0)


def _map(panel: PanelChoice, result: Result, _: Sequence[Result]) -> ChartPanel:
    from gui.charts.map import MapGrid, map_chart, section_chart
    from robots.sweeps.borders import Border
    from robots.sweeps.run_numbers import STATUS
    from robots.sweeps.storage.kept import read_result
    from robots.sweeps.sweep import Sweep, SweepResult

    whole = "numbers" in result.data
    found = SweepResult.from_data(result.data) if whole else read_result(Sweep.from_data(result.data["sweep"]))
    if len(found.missing) == found.sweep.size:
        raise ArmstepError(GONE)
    line, names = result.data.get("border"), found.sweep.show
    readout, place = _section(panel.variant)
    name = readout or names[0]
    if name not in (*names, STATUS):
        known = [replace(panel, variant=one, scale="").text for one in dict.fromkeys((*names, STATUS))]
        raise BadInput("plots", panel.text, choices=known)
    if place is not None:
        number, along = MapGrid(found).cut(*place)
        section = section_chart(found, name, number, along, pointed=False, scale=panel.scale)
        return ChartPanel(section, name=f"{capital(result.name)}, {section.note}")
    chart = map_chart(found, name, None if line is None else Border.from_data(line), scale=panel.scale)
    return ChartPanel(chart, name=capital(result.name))


def _section(view: str) -> tuple[str, tuple[str, str] | None]:
    """The readout in a map's view, and the field and the value of a line through the map: `final.q1+step=0.01`."""
    before, equals, value = view.rpartition("=")
    if not equals:
        return view, None
    readout, _, field = before.rpartition("+")
    return readout.strip(), (field.strip(), value.strip())


def _work_precision(panel: PanelChoice, result: Result, _: Sequence[Result]) -> ChartPanel:
    from gui.charts.work_precision import COST_TITLES, measured_chart
    from robots.sweeps.work_precision import error_keys, judged, points_of

    points = points_of(result.data)
    errors = error_keys(points)
    words = panel.variant.split("+") if panel.variant else []
    for word in words:
        if word not in (*COST_TITLES, *errors):
            known = [replace(panel, variant=one, scale="").text for one in (*COST_TITLES, *errors)]
            raise BadInput("plots", panel.text, choices=known)
    cost = next((word for word in words if word in COST_TITLES), "rhs_evaluations")
    error = next((word for word in words if word in errors), None)
    found = judged(points, error, cost if cost == "seconds" else "rhs_evaluations")
    chart = measured_chart(found, points[0].scenario, cost)
    return ChartPanel(chart, name=f"{chart.title}, {result.name}")


def _kernel_gain(panel: PanelChoice, _: Result, mine: Sequence[Result]) -> ChartPanel:
    from gui.app.desks.kernel_gain import gain_chart, gain_of

    known = [one for one in mine if gain_of(one) is not None]
    if not known:
        raise ValueError("it has no times")
    return ChartPanel(gain_chart(known))


def _prediction(panel: PanelChoice, result: Result, _: Sequence[Result]) -> ChartPanel:
    from robots.papers.study_data import chart_of

    if panel.variant or panel.scale:
        raise BadInput("plots", panel.text, "without /, since a prediction has no views")
    return ChartPanel(chart_of(result.data["chart"]), name=str(result.data["said"]).rstrip("."))


def _source(key: str) -> str:
    return f"of a scenario that keeps one, or a file that holds one, such as FILE.npz:{key}"


KEPT: Mapping[str, KeptKind] = {
    MAP: KeptKind("Map", "A map that the scenario keeps, or of the file of a sweep", _source(MAP), _map),
    WORK_PRECISION: KeptKind(
        "Work-precision",
        "A work-precision diagram that the scenario keeps, or of the file of a comparison",
        _source(WORK_PRECISION),
        _work_precision,
    ),
    KERNEL_GAIN: KeptKind(
        "Speed-up",
        "The speed-ups of specialised kernels that the scenario keeps",
        "of a scenario that keeps one",
        _kernel_gain,
    ),
    PREDICTION: KeptKind(
        "Prediction",
        "A prediction of a lesson and its outcome, such as lesson:order:prediction",
        "one that was made in the open lesson, or of a lesson, such as lesson:order:prediction",
        _prediction,
    ),
}
"""The kinds of results that are charts."""
