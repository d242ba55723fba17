"""The application's messages: the problems of fields, and one sentence for the status bar."""

from __future__ import annotations

from gui.app.signal import Signal


class Messages:
    """Sentences for people.

    Attributes:
        notice: one sentence for the status bar.
        remark: what an edit or an opened file leaves to say, until the next edit: it goes before the status of the run,
            after what is wrong with that.
        next_remark: that of the edit that is being made.
        problems: refused edits, path to sentence; file trouble is under `file`. The next good edit of the field
            clears it.
        notice_changed, problems_changed: signals `()`.
        said: signal `(sentence, seen)`: news, which is not the status of the run; `seen`: the picture shows it, too.
        unsaid: signal `(beginning)`: news that begins so no longer holds.
    """

    def __init__(self, notice: str) -> None:
        self.notice = notice
        self.remark = self.next_remark = ""
        self.problems: dict[str, str] = {}
        self.notice_changed, self.problems_changed = Signal(), Signal()
        self.said, self.unsaid = Signal(), Signal()
        self._older_problems: dict[str, str] = {}
        self._status = notice

    def show(self, notice: str) -> None:
        """Show a sentence."""
        if notice != self.notice:
            self.notice = notice
            self.notice_changed.emit()

    def say(self, notice: str, *, seen: bool = False) -> None:
        """Show a sentence, and announce it; `seen`: who looks at the picture sees it there, too."""
        self.show(notice)
        self.said.emit(notice, seen)

    def unsay(self, beginning: str) -> None:
        """Show the run's status again in place of a sentence that begins so: what it says no longer holds."""
        if self.notice.startswith(beginning):
            self.show(self._status)
        self.unsaid.emit(beginning)

    def say_quietly(self, notice: str, *, urgent: bool = False) -> None:
        """Show a sentence, unless a refusal since the latest edit is still showing; then once that is solved.

        What is urgent is shown beside a refusal, too.
        """
        self._status = notice
        if urgent or self.problems.items() <= self._older_problems.items():
            self.show(notice)

    def refuse(self, message: str, *paths: str) -> None:
        """Record a refused edit of the fields `paths`."""
        self.problems |= dict.fromkeys(paths, message)
        self.problems_changed.emit()
        self.show(message)

    def solved(self, *paths: str) -> None:
        """Remove the problems of these fields, and the latest refusal if it was of one of them."""
        gone = [self.problems.pop(path) for path in paths if path in self.problems]
        if gone:
            self.problems_changed.emit()
        if self.notice in gone:
            self.show(self._status)

    def edited(self) -> None:
        """Something was edited: earlier remarks and refusals count as read, and the edit's own remark begins."""
        self.remark, self.next_remark = self.next_remark, ""
        self._older_problems = dict(self.problems)
