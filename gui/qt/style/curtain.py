"""What is behind a sheet rests: it is neither filled nor painted, until the sheet goes."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from gui.qt.style.theme import look

HIDDEN = 0.5
"""Of what a card covers more than this part, the rest under the veil says nothing."""

CORNER = 16
"""How much smaller than the card, whose corners are round, a curtain is on each side [px]."""


class Behind(QObject):
    """Whether the card of a sheet is in front of a widget: nobody sees it then, and what it would draw can wait.

    Args:
        widget: what may be behind it.

    Signals:
        changed: it is behind a card from now on, or no longer.
    """

    changed = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.covered = False

    def look(self, card: QRect) -> None:
        """Compare its place with that of a card, in the window's coordinates; an empty one covers nothing."""
        widget = self._widget
        place = QRect(widget.mapTo(widget.window(), QPoint()), widget.size())
        shared = place & card
        covered = shared.width() * shared.height() > HIDDEN * place.width() * place.height()
        if covered != self.covered:
            self.covered = covered
            self.changed.emit()


class Curtain(QWidget):
    """A plain ground below a sheet's card. Without it Qt paints everything behind wherever the card changes.

    Only a sibling that has no holes hides what is below; a sheet has, as its veil does not hide.

    Args:
        window: what it hides.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._waiting: list[Behind] = []
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @classmethod
    def of(cls, window: QWidget) -> Curtain:
        """The one of a window."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        return window.findChild(cls, options=direct) or cls(window)

    def draw(self, card: QRect, sheet: QWidget) -> None:
        """Hide what is behind the card of a sheet, in the window's coordinates."""
        self._waiting = []
        self.setGeometry(card.adjusted(CORNER, CORNER, -CORNER, -CORNER))
        self.show()
        self.stackUnder(sheet)
        for one in self._all():
            one.look(card)

    def open(self) -> None:
        """Let everything be seen again: what has waited is filled one after the other, so that no round takes long."""
        self.hide()
        self._waiting = [one for one in self._all() if one.covered]
        self._uncover()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), look().theme.colour("surface"))

    def _all(self) -> list[Behind]:
        window = self.parentWidget()
        return [] if window is None else window.findChildren(Behind)

    def _uncover(self) -> None:
        while self._waiting:
            one = self._waiting.pop(0)
            if isValid(one):
                one.look(QRect())
                QTimer.singleShot(0, self, self._uncover)
                return
