"""The analysis of the current run's arm: index, zeros, frequencies; computed in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.app.jobs import Jobs
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.dynamics.flexible.run_analysis import RunAnalysis
    from robots.simulation.run import Run


class AnalysisDesk:
    """The facts about one run at a time.

    Args:
        jobs: where the work is done.

    Attributes:
        changed: signal (): there are other facts, or none.
        facts: of the run; None for an arm that does not bend, or before they are known.
        run: whose facts they are.
        trouble: why there are no facts.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.changed = Signal()
        self.facts: RunAnalysis | None = None
        self.run: Run | None = None
        self.trouble = ""
        self._jobs = jobs
        self._asked: Run | None = None

    def show(self, run: Run | None) -> None:
        """Analyse this run; the earlier facts stay until the new ones are known. None removes them."""
        if run is self._asked:
            return
        self._asked = run
        if run is None:
            self._jobs.discard("analysis")
            self._know(None, None)
            return
        self._jobs.submit(
            lambda _cancel, _progress: _analyse(run),
            key="analysis",
            on_done=lambda facts: self._know(run, facts),
            on_error=lambda error: self._know(None, None, str(error)),
            lane="background",
        )

    def _know(self, run: Run | None, facts: RunAnalysis | None, trouble: str = "") -> None:
        self.run, self.facts, self.trouble = run, facts, trouble
        self.changed.emit()


def _analyse(run: Run) -> RunAnalysis | None:
    from robots.dynamics.flexible.run_analysis import analyse

    return analyse(run)
