"""An export as plain data: which runs, how they are shown, which file; and the runs computed again from it.

The window passes a request to a separate process, the command line makes one from its arguments: both draw alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from assets.errors import ArmstepError
from assets.fields import Data
from gui.app.documents import UNTAGGED, Result, Tag
from gui.app.runs import RunRow, visible_runs
from gui.app.view import ViewSettings
from gui.charts.figures.panels import shown_results
from gui.qt.export.format import DataFormat
from gui.qt.export.settings import ExportSettings
from robots.scenario.scenario import Scenario
from scene.format import MotionFormat

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]


class Cancelled(ArmstepError):
    """The person stopped the export; nothing was written."""

    def __init__(self) -> None:
        super().__init__("the export was cancelled; nothing was written")


@dataclass(frozen=True, slots=True, eq=False)
class ExportRequest:
    """What to export.

    Attributes:
        scenarios: the current run's scenario, then those of the visible pinned runs.
        slots: the position of each in the list of colours.
        tags: the name and the note of each; empty for none.
        results: what the scenario keeps, as far as a figure shows it.
        view: camera and overlays.
        settings: how the file is made.
    """

    scenarios: tuple[Scenario, ...]
    slots: tuple[int, ...]
    view: ViewSettings
    settings: ExportSettings
    tags: tuple[Tag, ...] = ()
    results: tuple[Result, ...] = ()

    @classmethod
    def of_rows(
        cls, rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, results: Sequence[Result] = ()
    ) -> ExportRequest:
        """The request that draws what the window shows of `rows`; `results` are all that the document keeps."""
        shown = visible_runs(rows)
        scenarios = tuple(row.run.scenario for row in shown if row.run is not None)
        slots, tags = tuple(row.slot for row in shown), tuple(row.tag for row in shown)
        return cls(scenarios, slots, view, settings, tags, shown_results(settings.plots, results))

    def to_data(self) -> Data:
        """The request as JSON values."""
        return {
            "scenarios": [json.loads(scenario.to_json()) for scenario in self.scenarios],
            "slots": list(self.slots),
            "tags": [tag.to_data() for tag in self.tags],
            "results": [result.to_data() for result in self.results],
            "view": self.view.to_mapping(),
            "settings": {**asdict(self.settings), "file": str(self.settings.file), "size": list(self.settings.size)},
        }

    @classmethod
    def from_data(cls, data: Data) -> ExportRequest:
        """The request that `to_data` described."""
        known = {item.name for item in fields(ExportSettings)}
        settings = {name: value for name, value in data["settings"].items() if name in known}
        width, height = settings["size"]
        return cls(
            tuple(Scenario.from_json(json.dumps(scenario)) for scenario in data["scenarios"]),
            tuple(data["slots"]),
            ViewSettings().with_mapping(data["view"]),
            ExportSettings(**{**settings, "file": Path(settings["file"]), "size": (width, height)}),
            tuple(Tag.read(entry) for entry in data["tags"]),
            tuple(Result.read(entry) for entry in data["results"]),
        )

    @property
    def has_members(self) -> bool:
        """Whether the file shows the members of ensembles."""
        return not isinstance(self.settings.kind, MotionFormat)

    @property
    def judged(self) -> bool:
        """Whether the picture needs the reference."""
        settings, view = self.settings, self.view
        if isinstance(settings.kind, DataFormat):
            return False
        if settings.figure:
            return settings.shows_runs
        if isinstance(settings.kind, MotionFormat) or settings.arrangement != "scene":
            return True
        return view.error_vector or view.reference_ghost or view.mini_plot


def computed_rows(
    request: ExportRequest, progress: Progress | None = None, cancel: Cancel | None = None
) -> list[RunRow]:
    """The request's runs, with their references if the picture needs them.

    Args:
        request: what to compute.
        progress: called with what is being computed, and the fraction done, from 0 to 1.
        cancel: asked about every 20 ms.

    Raises:
        Cancelled: `cancel` said so.
    """
    rows = []
    tags = request.tags or [UNTAGGED] * len(request.slots)
    for index, (scenario, slot, tag) in enumerate(zip(request.scenarios, request.slots, tags, strict=True)):
        row = RunRow(index, scenario, slot, pinned=index > 0, tag=tag, degrees=request.view.degrees)
        rows.append(_computed(row, request, progress, cancel))
        if cancel is not None and cancel():
            raise Cancelled
    return rows


def _computed(row: RunRow, request: ExportRequest, progress: Progress | None, cancel: Cancel | None) -> RunRow:
    from robots.ensembles.members import EnsembleRuns
    from robots.simulation.reference import compare_with_reference, reference
    from robots.simulation.simulate import simulate
    from robots.sweeps.run_sweep import run_sweep

    def report(what: str) -> Callable[[float], None]:
        return lambda share: progress(what, share) if progress else None

    run = simulate(row.scenario, cancel=cancel, progress=report("computing"))
    row = replace(row, run=run, state="done", progress=1.0, message=run.message)
    if row.scenario.ensemble is not None and request.has_members:
        found = run_sweep(EnsembleRuns(row.scenario), cancel=cancel, progress=report("ensemble"))
        row = replace(row, ensemble=found, ensemble_state="done")
    exact = reference(row.scenario, cancel=cancel, progress=report("reference")) if request.judged else None
    if exact is None:
        return row
    return replace(row, reference_run=exact, reference=compare_with_reference(run, exact), reference_state="done")
