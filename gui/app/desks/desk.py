"""What every tool that measures behind the window has in common: its last result, and how that is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

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


class ResultDesk(ABC):
    """What was measured last, or is being measured. It goes on while nobody looks.

    Args:
        jobs: where the work is done.
        history: the document whose scenario is measured.
        results: where what was measured is kept.

    Attributes:
        kind: of its results in the document, and of its jobs.
        changed: signal `()`.
        scenario: what is measured, without changes on the way.
        kept: the result that is shown, once it is kept.
        measuring, progress: whether it is under way, and the share done.
        trouble: why something could not be measured or read; may be empty.
    """

    kind: ClassVar[str]

    def __init__(self, jobs: Jobs, history: History[Document], results: KeptResults) -> None:
        self.changed = Signal()
        self._jobs, self._history, self._results = jobs, history, results
        self.forget()

    def forget(self) -> None:
        """Another document was opened: what is measured for the one before is given up."""
        self._jobs.discard(self.kind)
        self.measuring, self.progress, self.trouble = False, 0.0, ""
        self._show(None)

    def look(self) -> None:
        """Somebody looks: show what is being measured, else what was kept last."""
        kept = self._results.of(self.kind)
        if not self.measuring:
            self.show(self.kept if self.kept in kept else kept[-1] if kept else None)

    def show(self, result: Result | None) -> None:
        """Show a result that was kept; None begins with an empty one of the present scenario."""
        self.trouble = ""
        try:
            self._show(result)
        except (ArmstepError, KeyError, TypeError, ValueError) as problem:
            self.trouble = f"{result.name if result else ''} cannot be read: {problem}"
            self._show(None)

    def stop(self) -> None:
        """End it early; what was measured is kept."""
        self._jobs.stop(self.kind)

    def rename(self, name: str) -> None:
        """Give the shown result another name."""
        if self.kept is not None:
            self.kept = self._results.rename(self.kept, name)
            self.changed.emit()

    def remove(self) -> None:
        """Let the shown result go."""
        if self.kept is not None:
            self._results.remove(self.kept)
            self.kept = None
            self.look()

    @property
    def differs(self) -> tuple[str, ...]:
        """In what the measured scenario differs from the present one, but for method and step."""
        return formatting.differences(self.scenario, self._present())

    @abstractmethod
    def _read(self, data: Values | None) -> Scenario:
        """Take over what was kept, or nothing; returns its scenario."""

    def _show(self, result: Result | None) -> None:
        self.kept = result
        self.scenario = self._read(None if result is None else result.data)
        self.changed.emit()

    def _present(self) -> Scenario:
        return self._history.present.scenario.without_segments()

    def _end(self, trouble: str = "") -> None:
        self.measuring, self.trouble = False, trouble
        self.changed.emit()
