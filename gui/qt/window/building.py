"""The panels of a window are made one by one, after its first picture."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from gui.app.session.session import Session
from gui.qt.window.docks import Dock

FIRST_FRAME_MS = 40
"""Once the first run is there no panel is made for this long: the arm moves first."""


class Building(QObject):
    """Makes the panels of some docks; the window lives in between.

    Plots, on the right, have nothing to show before the first run: they come last. What is hidden can wait, too.

    Args:
        docks: those of the window.
        session: whose first run it is.
        parent: the window.

    Signals:
        done: every panel is there.
    """

    done = Signal()

    def __init__(self, docks: Sequence[Dock], session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._docks, self._session = docks, session
        self._left: list[Dock] = []
        self._moving = False

    def begin(self) -> None:
        """Begin as soon as the window has nothing else to do."""
        self._left = sorted(self._docks, key=lambda dock: (dock.isHidden(), dock.kind.area == "right"))
        self._go_on()

    def _go_on(self, pause: int = 0) -> None:
        QTimer.singleShot(pause, self, self._build_next)

    def _build_next(self) -> None:
        if not self._moving and self._session.runs.current.run is not None:
            self._moving = True
            self._go_on(FIRST_FRAME_MS)
        elif self._left:
            self._left.pop(0).build()
            self._go_on()
        else:
            self.done.emit()
