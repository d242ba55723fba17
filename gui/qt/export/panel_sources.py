"""What the panels of a figure show besides its own runs: other scenarios, results in files, studies."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gui.app.documents import Result, from_scenario
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.choice import PanelChoice, panel_choices
from gui.charts.figures.panels import KEPT, kept_study, of_runs, result_charts, study_of
from gui.qt.export.inside import scenario_of
from gui.qt.export.request import Cancel, Cancelled, ExportRequest, Progress, computed_rows
from gui.qt.export.settings import ExportSettings

if TYPE_CHECKING:
    from robots.model.study import Study, StudyResult


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
    others: dict[str, Subject] = {}
    scenarios = {owner: scenario_of(owner) for owner in dict.fromkeys(panel.owner for panel in panels if panel.owner)}
    for owner, scenario in scenarios.items():
        document, view, _ = from_scenario(scenario, ViewSettings(), itertools.count(1).__next__)
        others[owner] = Subject(scenario.title, (), view, document.results)
    found = PanelSources(tuple(results), others)
    for panel in panels:
        if panel.key in KEPT:
            result_charts(panel, found.results_of(panel))
    for owner, subject in others.items():
        if any(panel.owner == owner and of_runs(panel) for panel in panels):
            request = ExportRequest((scenarios[owner].alone(),), (0,), subject.view, settings)
            others[owner] = replace(subject, rows=computed_rows(request, progress, cancel))
    studies: dict[tuple[str, str], StudyResult] = {}
    for panel in panels:
        study = study_of(panel)
        if study is not None and (panel.owner, panel.key) not in studies:
            known = kept_study(panel.key, found.results_of(panel))
            studies[panel.owner, panel.key] = known or _study_result(study, progress, cancel)
    return replace(found, studies=studies)


def _study_result(study: Study, progress: Progress | None, cancel: Cancel | None) -> StudyResult:
    from robots.model.study_data import computed

    def report(share: float) -> None:
        if cancel is not None and cancel():
            raise Cancelled
        if progress is not None:
            progress(f"the study {study.key}", share)

    report(0.0)
    return computed(study, report)
