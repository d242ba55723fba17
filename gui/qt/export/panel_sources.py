"""What the panels of a figure show besides its own runs: other scenarios, results in files, studies."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from gui.app.documents import Result, from_scenario
from gui.app.lessons.predictions import computed_prediction
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.choice import PanelChoice, panel_choices
from gui.charts.figures.panels import KEPT, asked_lessons, chosen_of, kept_study, of_runs, result_charts, study_of
from gui.qt.export.inside import scenario_of
from gui.qt.export.request import Cancel, Cancelled, ExportRequest, Progress, computed_rows
from gui.qt.export.settings import ExportSettings

if TYPE_CHECKING:
    from robots.papers.study import Study, StudyResult


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """Whose panels: its title, its computed runs (none where no panel shows them), their view, its results."""

    title: str
    rows: Sequence[RunRow]
    view: ViewSettings
    results: Sequence[Result]


@dataclass(frozen=True, slots=True, eq=False)
class PanelSources:
    """What the panels of a figure show besides its own runs.

    Attributes:
        own: the results that the figure's scenario keeps.
        others: other scenarios and files by the name that panels call them.
        studies: what studies found, by owner and key.
    """

    own: Sequence[Result] = ()
    others: Mapping[str, Subject] = field(default_factory=dict)
    studies: Mapping[tuple[str, str], StudyResult] = field(default_factory=dict)

    def results_of(self, panel: PanelChoice) -> Sequence[Result]:
        """What the scenario of a panel keeps."""
        return self.others[panel.owner].results if panel.owner else self.own

    @property
    def rows(self) -> list[RunRow]:
        """The runs of other scenarios."""
        return [row for subject in self.others.values() for row in subject.rows]


def sources_of(
    settings: ExportSettings,
    results: Sequence[Result] = (),
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> PanelSources:
    """Read and compute what the panels show besides the figure's own runs.

    Args:
        settings: the figure's.
        results: what its scenario keeps.
        progress: called with what is being computed, and the fraction done, from 0 to 1.
        cancel: whether to stop.

    Raises:
        BadInput: a panel that its owner does not have.
        ArmstepError: a file that cannot be read.
        Cancelled: `cancel` said so.
    """
    panels = panel_choices(settings.plots)
    others = {
        owner: Subject("", (), ViewSettings(), _predictions(owner, panels, progress, cancel))
        for owner in asked_lessons(panels)
    }
    owners = dict.fromkeys(panel.owner for panel in panels if panel.owner)
    scenarios = {owner: scenario_of(owner) for owner in owners if owner not in others}
    for owner, scenario in scenarios.items():
        document, view, _ = from_scenario(scenario, ViewSettings(), itertools.count(1).__next__)
        others[owner] = Subject(scenario.title, (), view, document.results)
    found = PanelSources(tuple(results), others)
    for panel in panels:
        if panel.key in KEPT:
            result_charts(panel, found.results_of(panel))
    for owner, scenario in scenarios.items():
        if own := [replace(panel, owner="").text for panel in panels if panel.owner == owner and of_runs(panel)]:
            shown = replace(settings, plots=", ".join(own))
            request = ExportRequest((scenario.alone(),), (0,), others[owner].view, shown)
            others[owner] = replace(others[owner], rows=computed_rows(request, progress, cancel))
    studies: dict[tuple[str, str], StudyResult] = {}
    for panel in panels:
        study = study_of(panel)
        if study is not None and (panel.owner, panel.key) not in studies:
            known = kept_study(panel.key, found.results_of(panel))
            studies[panel.owner, panel.key] = known or _study_result(study, progress, cancel)
    return replace(found, studies=studies)


def _predictions(
    owner: str, panels: Sequence[PanelChoice], progress: Progress | None, cancel: Cancel | None
) -> tuple[Result, ...]:
    """The predictions of a lesson that panels show, each once."""
    from robots.lessons.library import find_lesson

    lesson, found = find_lesson(owner), {}
    mine = {panel.which: panel for panel in panels if panel.owner == owner}
    for number, panel in enumerate(mine.values()):
        _report(f"the lesson {lesson.key}", number / len(mine), progress, cancel)
        result = computed_prediction(lesson, partial(chosen_of, panel), cancel or (lambda: False))
        if result is None:
            raise Cancelled
        found[result.name] = result
    return tuple(found.values())


def _study_result(study: Study, progress: Progress | None, cancel: Cancel | None) -> StudyResult:
    from robots.papers.study_data import computed

    report = partial(_report, f"the study {study.key}", progress=progress, cancel=cancel)
    report(0.0)
    return computed(study, report)


def _report(what: str, share: float, progress: Progress | None, cancel: Cancel | None) -> None:
    if cancel is not None and cancel():
        raise Cancelled
    if progress is not None:
        progress(what, share)
