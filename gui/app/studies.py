"""The papers' studies in the application: the list, computing one in the background, opening its runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gui.app.compute import explain
from gui.app.jobs import Jobs
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.model.study import Study, StudyResult


class _Stopped(Exception):
    """The person stopped the study; raised in its `report`."""


@dataclass(frozen=True, slots=True, eq=False)
class StudyEntry:
    """One study as the desk shows it.

    Attributes:
        state: `idle`, `computing`, `done`, `stopped` or `failed`.
        progress: fraction of the work done, 0 .. 1.
        result: what was found, once it is known.
        message: why it failed, as a sentence.
    """

    study: Study
    state: str = "idle"
    progress: float = 0.0
    result: StudyResult | None = None
    message: str = ""


class StudyDesk:
    """All studies with their results so far, which stay until the application ends.

    Args:
        jobs: where the work is done.

    Attributes:
        changed: signal (key): that study has another state, progress or result.
    """

    def __init__(self, jobs: Jobs) -> None:
        from robots.model.study import studies

        self.changed = Signal()
        self._jobs = jobs
        self._entries = {key: StudyEntry(study) for key, study in studies().items()}

    @property
    def entries(self) -> tuple[StudyEntry, ...]:
        """The studies in the order of their keys."""
        return tuple(self._entries.values())

    def entry(self, key: str) -> StudyEntry:
        """The study of that key."""
        return self._entries[key]

    def compute(self, key: str) -> None:
        """Begin to compute a study, unless it is being computed."""
        entry = self._entries[key]
        if entry.state == "computing":
            return
        self._show(key, state="computing", progress=0.0, message="")
        self._jobs.submit(
            lambda cancel, progress: _compute(entry.study, cancel, progress),
            key=("study", key),
            on_done=lambda result: self._done(key, result),
            on_error=lambda error: self._show(key, state="failed", message=explain(error)),
            on_progress=lambda share: self._show(key, progress=share),
            lane="study",
        )

    def stop(self, key: str) -> None:
        """Stop a study that is being computed."""
        self._jobs.stop(("study", key))

    def _done(self, key: str, result: StudyResult | None) -> None:
        if result is None:
            self._show(key, state="stopped", progress=0.0)
        else:
            self._show(key, state="done", progress=1.0, result=result)

    def _show(self, key: str, **values: object) -> None:
        self._entries[key] = replace(self._entries[key], **values)
        self.changed.emit(key)


def _compute(study: Study, cancel: Callable[[], bool], progress: Callable[[float], None]) -> StudyResult | None:
    """The study's result; None when it was stopped."""

    def report(share: float) -> None:
        if cancel():
            raise _Stopped
        progress(share)

    try:
        return study.compute(report)
    except _Stopped:
        return None
