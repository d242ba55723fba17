"""Beside the title of the table of runs: how the selected run differs from another one, and a note on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from gui.app.runs import CURRENT
from gui.app.table.pairs import differences_text
from gui.qt.widgets.quiet import ElidedLabel

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session


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
        self.words = ElidedLabel("", "hint")
        self.note = QLineEdit()
        self.note.setPlaceholderText("Note on this run")
        self.note.setAccessibleName("Note on the selected run")
        self.note.setToolTip("Kept with the run, saved and exported")
        self.note.setMaximumWidth(320)
        self.note.editingFinished.connect(lambda: session.comparisons.note(self._row_id, self.note.text()))
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 0, 8, 0)
        line.setSpacing(12)
        line.addWidget(self.words, 2)
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
        self.words.setText("" if pair[0].id == pair[1].id else self._compared(pair[0], pair[1]))
        self.note.setVisible(len(rows) == 1)
        if rows[0].id != self._row_id or not self.note.hasFocus():
            self._row_id = rows[0].id
            self.note.setText(rows[0].tag.note)

    def _compared(self, row: RunRow, other: RunRow) -> str:
        if not row.pinned:
            row, other = other, row
        against = "the current run" if not other.pinned else other.label
        return f"Against {against}: {differences_text(row, other)}"
