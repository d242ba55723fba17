"""The area in which the settings of an export scroll, row by row: none is cut."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.qt.widgets.scroll import FormScroll


class SettingsScroll(FormScroll):
    """As wide as its rows beside each other and its bar, where there is room; shows whole rows only.

    Args:
        content: the form.
        name, text: what it is and holds, for those who cannot see it.
        most: how wide it may ask to be [px].
    """

    def __init__(self, content: QWidget, name: str, text: str, most: int) -> None:
        self._busy, self._top, self._most = False, 0, most
        super().__init__(content, name, text, most)
        self._laid_out = QTimer(self, singleShot=True, interval=0)  # the rows get their places after the form its size
        self._laid_out.timeout.connect(self._show_rows)
        self.verticalScrollBar().valueChanged.connect(self._show_rows)

    def sizeHint(self) -> QSize:
        wide = self.widget().sizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(min(wide, self._most), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._laid_out.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if watched is self.widget() and event.type() == QEvent.Type.Resize:
            self._laid_out.start()
        return done

    def _show_rows(self, _: int = 0) -> None:
        """Begin with a whole row, the next one in the direction of the scrolling, and end with one."""
        form = self.widget()
        if self._busy or form is None or not (rows := rows_of(form)):
            return
        self._busy = True  # other margins change the range and so the place
        bar, end = self.verticalScrollBar(), rows[-1][1]
        aside = self.horizontalScrollBar()
        room = self.height() - (aside.height() if aside.isVisible() else 0)
        tops = [0, *(below for (_, below), _ in pairwise(rows))]
        last = next((top for top in tops if end - top <= room), tops[-1])
        value = bar.value()
        if value > self._top:
            wanted = min((top for top in tops if top >= value), default=last)
        else:
            wanted = max(top for top in tops if top <= value)
        self._top = min(wanted, last)
        whole = [bottom for _, bottom in rows if bottom - self._top <= room]
        free = room - (max(whole, default=0) - self._top) if end > room and max(whole, default=0) > self._top else 0
        if self._top < value:
            bar.setValue(self._top)
        if free != self.viewportMargins().bottom():
            self.setViewportMargins(0, 0, 0, free)
        bar.setValue(self._top)
        self._busy = False


def rows_of(form: QWidget) -> list[tuple[int, int]]:
    """Top and bottom of each line of fields, buttons and texts in a form, from above [px]."""
    found: list[tuple[int, int]] = []
    shown = [one for one in form.findChildren(QWidget) if one.isVisibleTo(form) and one.layout() is None]
    for top, bottom in sorted(_span(one, form) for one in shown):
        if found and top < found[-1][1]:
            found[-1] = found[-1][0], max(bottom, found[-1][1])
        else:
            found.append((top, bottom))
    return found


def _span(widget: QWidget, form: QWidget) -> tuple[int, int]:
    top = widget.mapTo(form, QPoint()).y()
    return top, top + widget.height()
