"""The time of the playhead, into which a person can type another."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from gui.app.units import Unit, clock
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

    def show_time(self, t: float, *, playing: bool = False) -> None:
        """The playhead is at `t` [s]; with the keys in it, the text waits for a person while the arm plays."""
        self._t = t
        if not (playing and self.hasFocus()):
            self._write(t)

    def _write(self, t: float) -> None:
        """Write a time, unless another one is being typed; one that is selected stays so, to be replaced."""
        if not (self.isModified() or self.reason):
            whole = self.hasFocus() and self.selectedText() == self.text()
            self.setText(Unit.of("s").exact(t) if self.hasFocus() else f"t = {clock(t)}")
            if whole:
                self.selectAll()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._write(self._t)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.refuse("")
        self._write(self._t)

    def _commit(self) -> None:
        if self.isModified():
            self.setModified(False)
            self.sought.emit(self.text())
