"""The run of a map that the pointer is at: computed in the background, as soon as the pointer is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.app.jobs import Cancel, Jobs
from gui.app.runs import RunRow
from gui.app.signal import Signal
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.simulation.run import Run

KEY = "map-run"
ROW = -1
"""The id of its row, which no row of the table of runs has."""


class MapPointer:
    """What a pointer over a map sees.

    Args:
        jobs: where runs are computed.
        prepare: does there what pictures need of a run.

    Attributes:
        changed: signal `()`: there is another run, or none.
        row: the run in the form that pictures draw; None while there is none.
    """

    def __init__(self, jobs: Jobs, prepare: Callable[[Run], object] = lambda _: None) -> None:
        self.changed, self._prepare = Signal(), prepare
        self.row: RunRow | None = None
        self._jobs = jobs
        self._wanted: Scenario | None = None

    def point(self, scenario: Scenario | None) -> None:
        """Compute this run; the one before stays until it is there. None shows no run."""
        self._wanted = scenario
        if scenario is None:
            self._jobs.discard(KEY)
            self._show(None)
            return
        self._jobs.submit(
            lambda cancel, _: self._simulated(scenario, cancel),
            key=KEY,
            on_done=lambda run: self._take(scenario, run),
            on_error=lambda _: self._take(scenario, None),
        )

    def _simulated(self, scenario: Scenario, cancel: Cancel) -> Run:
        from robots.simulation.simulate import simulate

        run = simulate(scenario, cancel=cancel, repeat=False)
        self._prepare(run)
        return run

    def _take(self, scenario: Scenario, run: Run | None) -> None:
        if scenario is self._wanted:
            found = RunRow(ROW, scenario, 1, pinned=True, state="done", run=run, progress=1.0) if run else None
            self._show(found)

    def _show(self, row: RunRow | None) -> None:
        if row is not self.row:
            self.row = row
            self.changed.emit()
