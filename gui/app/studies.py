"""The papers' studies in the application: the list, computing one in the background, opening its runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.documents import Result
from gui.app.jobs import Jobs, explain
from gui.app.session.results import STUDY, KeptResults
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.papers.study import Study, StudyResult


class _Stopped(Exception):
    """The person stopped the study; raised in its `report`."""


@dataclass(frozen=True, slots=True, eq=False)
class StudyEntry:
    """One study as the desk shows it.

    Attributes:
        state: `idle`, `computing`, `done`, `stopped` or `failed`.
        progress: fraction of the work done, 0 .. 1.
        result: what was found, once it is known.
        kept: the result of the document that is shown, if it is one.
        message: why it failed, as a sentence.
    """

    study: Study
    state: str = "idle"
    progress: float = 0.0
    result: StudyResult | None = None
    kept: Result | None = None
    message: str = ""


class StudyDesk:
    """All studies with their results, which the document keeps.

    Args:
        jobs: where the work is done.
        results: where what was found is kept.

    Attributes:
        chosen: the key of the study that was last looked at; empty before the first.
        changed: signal (key): that study has another state, progress or result.
        ended: signal (sentence): the computation of a study ended, and how.
        begun: signal (beginning): one began, so that sentences of `ended` which begin so no longer hold.
    """

    def __init__(self, jobs: Jobs, results: KeptResults) -> None:
        from robots.papers.study import studies

        self.changed, self.ended, self.begun = Signal(), Signal(), Signal()
        self.chosen = ""
        self._jobs, self._results = jobs, results
        self._entries = {key: StudyEntry(study) for key, study in studies().items()}

    @property
    def entries(self) -> tuple[StudyEntry, ...]:
        """The studies in the order of their keys."""
        return tuple(self._entries.values())

    def entry(self, key: str) -> StudyEntry:
        """The study of that key."""
        return self._entries[key]

    def kept(self, key: str) -> list[Result]:
        """The kept results of a study, the latest last."""
        return [result for result in self._results.of(STUDY) if result.data.get("study") == key]

    def look(self, key: str) -> None:
        """Show the result of a study that the document keeps, unless a newer one is shown."""
        self.chosen = key
        entry, kept = self._entries[key], self.kept(key)
        if entry.kept is not None and entry.kept not in kept:
            self._entries[key] = entry = replace(entry, kept=None)
        if entry.kept is None and kept and entry.state != "computing":
            self.show(key, kept[-1])

    def show(self, key: str, result: Result | None) -> None:
        """Show a kept result; None shows nothing."""
        from robots.papers.study_data import result_of

        try:
            found = None if result is None else result_of(result.data)
        except (ArmstepError, KeyError, TypeError, ValueError) as problem:
            self._show(key, message=f"{result.name if result else ''} cannot be read: {problem}")
            return
        self._show(key, state="done" if found else "idle", result=found, kept=result, message="")

    def rename(self, key: str, name: str) -> None:
        """Give the shown result of a study another name."""
        entry = self._entries[key]
        if entry.kept is not None:
            self._show(key, kept=self._results.rename(entry.kept, name))

    def remove(self, key: str) -> None:
        """Remove the shown result of a study; undo brings it back."""
        entry = self._entries[key]
        if entry.kept is not None:
            self._results.remove(entry.kept)
            kept = self.kept(key)
            self.show(key, kept[-1] if kept else None)

    def forget(self) -> None:
        """Clear the desk: another document was opened, and the shown results are not its own."""
        for key, entry in self._entries.items():
            if entry.kept is not None:
                self._show(key, kept=None)

    def compute(self, key: str) -> None:
        """Begin to compute a study, unless it is being computed."""
        entry = self._entries[key]
        if entry.state == "computing":
            return
        self._show(key, state="computing", progress=0.0, message="")
        self.begun.emit(f"{entry.study.title}: ")
        self._jobs.submit(
            lambda cancel, progress: _compute(entry.study, cancel, progress),
            key=("study", key),
            on_done=lambda result: self._done(key, result),
            on_error=lambda error: self._end(key, explain(error), state="failed", message=explain(error)),
            on_progress=lambda share: self._show(key, progress=share),
            lane="study",
        )

    def stop(self, key: str) -> None:
        """Stop a study that is being computed."""
        self._jobs.stop(("study", key))

    def _done(self, key: str, result: StudyResult | None) -> None:
        if result is None:
            self._end(key, "stopped.", state="stopped", progress=0.0)
        else:
            from robots.papers.study_data import data_of

            title = self._entries[key].study.title
            kept = self._results.note(STUDY, title, {"study": key, **data_of(result)})
            self._end(key, "finished.", state="done", progress=1.0, result=result, kept=kept)

    def _end(self, key: str, how: str, **values: object) -> None:
        self._show(key, **values)
        self.ended.emit(f"{self._entries[key].study.title}: {how}")

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
