"""What all tools that measure in the background share: the last result, and how the document keeps it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from assets.clock import TimeLeft
from assets.errors import ArmstepError
from assets.fields import Values
from gui.app import formatting
from gui.app.documents import Document, Result
from gui.app.history import History
from gui.app.jobs import Jobs
from gui.app.session.results import KeptResults
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario

KNOWN_METHODS = ("rk1", "rk4", "rk8", "rkf45", "dopri5", "dop853")


def first_methods(scenario: Scenario) -> tuple[str, ...]:
    """What a comparison of methods begins with: the scenario's own, and well-known ones that suit it."""
    from robots.scenario.method_selection import suitable_methods

    suitable = suitable_methods(scenario)
    return tuple(key for key in dict.fromkeys((scenario.method, *KNOWN_METHODS)) if key in suitable)


class ResultDesk(ABC):
    """The last measurement, or the current one, which continues while its sheet is closed.

    Args:
        jobs: where the work is done.
        history: the document whose scenario is measured.
        results: where what was measured is kept.

    Attributes:
        kind: of its results in the document, and of its jobs.
        title: what it makes.
        changed: signal `()`.
        ended: signal `(sentence)`: a measurement ended, and how.
        begun: signal `(beginning)`: a measurement began, so that sentences of `ended` which begin so no longer hold.
        scenario: what is measured, without changes on the way.
        kept: the shown result, once the document keeps it; None before.
        measuring, progress: whether a measurement is running, and the fraction done, 0 to 1.
        stopped: whether a person stopped the last one.
        trouble: why something could not be measured or read; empty if nothing went wrong.
    """

    kind: ClassVar[str]
    title: ClassVar[str]

    def __init__(self, jobs: Jobs, history: History[Document], results: KeptResults) -> None:
        self.changed, self.ended, self.begun = Signal(), Signal(), Signal()
        self._left, self._refused = TimeLeft(), ""
        self._jobs, self._history, self._results = jobs, history, results
        self.forget()

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take; None while that cannot be said [s]."""
        return self._left.seconds

    def forget(self) -> None:
        """Stop measuring for the previous document: another one was opened."""
        self._jobs.discard(self.kind)
        self.measuring, self.stopped, self.progress, self.trouble = False, False, 0.0, ""
        self._show(None)

    def look(self) -> None:
        """Show the running measurement, otherwise the result that was kept last."""
        kept = self._results.of(self.kind)
        if not self.measuring:
            self.show(self.kept if self.kept in kept else kept[-1] if kept else None)

    def show(self, result: Result | None) -> None:
        """Show a kept result; None starts an empty one for the current scenario."""
        self.trouble = ""
        try:
            self._show(result)
        except (ArmstepError, KeyError, TypeError, ValueError) as problem:
            self.trouble = f"{result.name if result else ''} cannot be read: {problem}"
            self._show(None)

    def stop(self) -> None:
        """Stop measuring; what was measured so far is kept."""
        self.stopped = True
        self._jobs.stop(self.kind)

    def rename(self, name: str) -> None:
        """Give the shown result another name."""
        if self.kept is not None:
            self.kept = self._results.rename(self.kept, name)
            self.changed.emit()

    def remove(self) -> None:
        """Remove the shown result from the document."""
        if self.kept is not None:
            self._results.remove(self.kept)
            self.kept = None
            self.look()

    def differs(self, degrees: bool) -> tuple[str, ...]:
        """How the measured scenario differs from the current one, apart from what the measurement varies."""
        return formatting.differences(self.scenario, self._present(), degrees)

    def forgive(self) -> None:
        """Something else is chosen than what was refused."""
        if self.trouble == self._refused:
            self.trouble = ""

    def _refuse(self, refusal: ArmstepError) -> None:
        """Measure nothing, and say why, with the names that the window has."""
        self._end(formatting.refusal_text(refusal, self.scenario.fields(), degrees=True))
        self._refused = self.trouble

    @abstractmethod
    def _read(self, data: Values | None) -> Scenario:
        """Take over what was kept, or nothing; returns its scenario."""

    def _show(self, result: Result | None) -> None:
        self.kept = result
        self.scenario = self._read(None if result is None else result.data)
        self.changed.emit()

    def _present(self) -> Scenario:
        return self._history.present.scenario.without_segments()

    def _start(self) -> None:
        self.measuring, self.stopped, self.progress, self.trouble = True, False, 0.0, ""
        self._left = TimeLeft()
        self.begun.emit(f"{self.title}: ")

    def _advance(self, share: float) -> None:
        self._left.advance(share)
        self.progress = share
        self.changed.emit()

    def _end(self, trouble: str = "", how: str = "finished.") -> None:
        self._left = TimeLeft()
        measured, self.measuring, self.trouble = self.measuring, False, trouble
        self.changed.emit()
        if measured:
            self.ended.emit(f"{self.title}: {trouble or how}")
