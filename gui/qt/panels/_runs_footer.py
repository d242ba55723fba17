"""Beside the title of the table of runs: how the selected run differs from another one, and a note on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from assets.counting import capital
from gui.app.runs import CURRENT
from gui.app.table.pairs import differences_text, outcome_text
from gui.qt.widgets.quiet import TwoLines

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session

NOTE, AROUND = 320, 24
"""The largest width of the note, and how much wider it is than what it asks for, at least [px]."""

ENDS = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape})

SHARE = 4
"""How many times wider than the note the words are."""


class Note(QLineEdit):
    """A note on a run.

    Signals:
        left: Enter or Esc ends it.
    """

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in ENDS:
            # After the window has got the keys back.
            QTimer.singleShot(0, self, self.left.emit)


class RunsFooter(QWidget):
    """Visible while a run is selected that can be compared or has a note.

    Args:
        session: whose runs they are.
        selected: gives the ids of the selected runs.
    """

    def __init__(self, session: Session, selected: Callable[[], list[int]]) -> None:
        super().__init__()
        self.session, self._selected = session, selected
        self._row_id = CURRENT
        self.words = TwoLines()
        self.note = Note()
        self.note.setPlaceholderText("Note on this run")
        self.note.setAccessibleName("Note on the selected run")
        self.note.setToolTip("Kept with the run, saved and exported")
        self.note.setMaximumWidth(NOTE)
        self.note.editingFinished.connect(lambda: session.comparisons.note(self._row_id, self.note.text()))
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 0, 8, 0)
        line.setSpacing(12)
        line.addWidget(self.words, SHARE)
        line.addWidget(self.note, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.hide()

    def refresh(self) -> None:
        """Show what is selected."""
        rows = [row for row_id in self._selected() if (row := self.session.runs.find(row_id)) is not None]
        self.setVisible(bool(rows))
        if not rows:
            return
        pair = rows if len(rows) > 1 else [rows[0], self.session.runs.current]
        self._compare(pair[0], pair[1])
        asked = self.note.fontMetrics().horizontalAdvance(self.note.placeholderText())
        self.note.setMinimumWidth(asked + AROUND)
        self.note.setVisible(len(rows) == 1)
        if rows[0].id != self._row_id or not self.note.hasFocus():
            self._row_id = rows[0].id
            self.note.setText(rows[0].tag.note)
            self.note.setCursorPosition(0)  # a note is read from its beginning

    def _compare(self, row: RunRow, other: RunRow) -> None:
        """Say how two runs differ; with little room, what comes of it, which the table does not say."""
        if row.id == other.id:
            self.words.say("")
            return
        if not row.pinned:
            row, other = other, row
        against = "the current run" if not other.pinned else other.label
        said, outcome = differences_text(row, other), outcome_text(row, other)
        self.words.say(f"Against {against}: {said}", *filter(None, (capital(said), outcome)))
