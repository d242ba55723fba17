"""The time of the playhead, into which a person can type another."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from gui.app.units import clock
from gui.qt.widgets.parts import NumberText


class TimeLine(NumberText):
    """Reads `t = 2.130 s`; with the focus it is a number.

    Signals:
        sought: (text) the time that a person has typed.
    """

    sought = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setObjectName("time")
        self.setProperty("numeric", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName("Time of the playhead, s")
        self.setToolTip("Time of the playhead: type one to go exactly there")
        self.editingFinished.connect(self._commit)
        self._t = 0.0

    def show_time(self, t: float) -> None:
        """The playhead is at `t` [s]; while it moves, a time that is selected stays so, to be replaced."""
        self._t = t
        if not self.isModified():
            whole = self.hasFocus() and self.selectedText() == self.text()
            self.setText(f"{t:.6g}" if self.hasFocus() else f"t = {clock(t)}")
            if whole:
                self.selectAll()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.show_time(self._t)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_time(self._t)

    def _commit(self) -> None:
        if self.isModified():
            self.setModified(False)
            self.sought.emit(self.text())
