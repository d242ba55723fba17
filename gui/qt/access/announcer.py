"""Announces to screen readers how a run ended, which edits were refused, and what the status line reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from gui.app.run_texts import news
from gui.qt.access.spoken import announce
from gui.qt.window.bridge import subscribe

if TYPE_CHECKING:
    from gui.app.session.session import Session

AT_REST = 400
"""Results are announced once nothing has changed for this time: a dragged slider makes many [ms]."""


class Announcer(QObject):
    """Announces what a session does."""

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._said = self._refused = ""
        self._later = QTimer(self, singleShot=True, interval=AT_REST)
        self._later.timeout.connect(self._result)
        subscribe(self, session.runs.updated, lambda *_: self._later.start())
        subscribe(self, session.runs.changed, lambda *_: self._later.start())
        subscribe(self, session.messages.problems_changed, self._problem)
        subscribe(self, session.messages.said, lambda sentence, _: announce(window, sentence))

    def _result(self) -> None:
        row = self._session.runs.current
        if row.state not in ("done", "failed") or row.reference_state == "computing":
            return
        text = news(row)
        if text != self._said:
            self._said = text
            announce(self._window, text)

    def _problem(self) -> None:
        problems = list(self._session.messages.problems.values())
        latest = problems[-1] if problems else ""
        if latest != self._refused:
            announce(self._window, latest, urgent=True)
        self._refused = latest
