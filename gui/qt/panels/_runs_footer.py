"""Beside the title of the table of runs: how the selected run differs from another one, and a note on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from assets.counting import capital
from gui.app.runs import CURRENT
from gui.app.table.pairs import differences_text, outcome_text
from gui.qt.widgets.parts import WrittenLine
from gui.qt.widgets.quiet import REMARK, ElidedLabel

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session

NOTE, AROUND = 320, 24
"""The usual width of the note, and how much wider it is than what it holds or asks for, at least [px]."""

HALF = 2
"""What part of the line a long note may have: the words beside it have the other."""

ENDS = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape})

SHARE = 4
"""How many times wider than the note the words are."""


class TwoLines(ElidedLabel):
    """A text in up to two lines; where they have no room for it, a shorter one that is whole. The tooltip has all."""

    def __init__(self) -> None:
        super().__init__("", "hint")
        self._shorter: tuple[str, ...] = ()

    def say(self, text: str, *shorter: str) -> None:
        """Show the text, or the first of the shorter ones that has room."""
        self._shorter = shorter
        self.setText(text)
        self._take_lines()
        self.update()

    def shown_text(self) -> str:
        return "\n".join(self._lines())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_lines()

    def _take_lines(self) -> None:
        self.setMinimumHeight(len(self._lines()) * self.fontMetrics().lineSpacing())

    def _lines(self) -> list[str]:
        """What is shown: without its remarks, and shorter, before it ends in an ellipsis."""
        measure, room = self.fontMetrics().horizontalAdvance, self.width()
        for text in (self.text(), *self._shorter):
            for one in (text, REMARK.sub("", text)):
                lines = _filled(one, room, measure)
                if len(lines) <= 2 and all(measure(line) <= room for line in lines):
                    return lines
        last = (self.text(), *self._shorter)[-1]
        return [self.fontMetrics().elidedText(last, Qt.TextElideMode.ElideRight, room)]


def _filled(text: str, room: int, measure: Callable[[str], int]) -> list[str]:
    """The words of a text in lines, as many in each as there is room for."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip(" ")
        if lines[-1] and measure(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class Note(WrittenLine):
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
        self.note.textChanged.connect(lambda _: self._give_room())
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
        self._give_room()
        self.note.setVisible(len(rows) == 1)
        if rows[0].id != self._row_id or not self.note.hasFocus():
            self._row_id = rows[0].id
            self.note.setText(rows[0].tag.note)
            self.note.setCursorPosition(0)  # a note is read from its beginning

    def _give_room(self) -> None:
        """Let the note show all that it holds, if that is less than its part of the line."""
        measure = self.note.fontMetrics().horizontalAdvance
        asked, holds = (measure(text) + AROUND for text in (self.note.placeholderText(), self.note.text()))
        least = max(asked, min(holds, self.width() // HALF))
        self.note.setMinimumWidth(least)
        self.note.setMaximumWidth(max(NOTE, least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

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
