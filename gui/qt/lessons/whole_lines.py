"""Where a column of texts may be cut off without a cut through letters."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QLabel, QTextEdit, QWidget


def whole_from(column: QWidget, y: int) -> int:
    """The first place from `y` on that is in no line of a text of the column [px]."""
    for top, bottom in sorted(_lines(column)):
        if top < y < bottom:
            y = bottom
    return y


def whole_until(column: QWidget, y: int) -> int:
    """The last place up to `y` that is in no line of a text of the column [px]."""
    for top, bottom in sorted(_lines(column), reverse=True):
        if top < y < bottom:
            y = top
    return y


def _lines(column: QWidget) -> Iterator[tuple[int, int]]:
    """Top and bottom of each line, a label or a button as one [px]."""
    for widget in column.findChildren(QWidget):
        if not widget.isVisibleTo(column):
            continue
        top = widget.mapTo(column, QPoint()).y()
        if isinstance(widget, QTextEdit):
            for first, last in _lines_of(widget):
                yield top + round(first), top + round(last)  # where a line ends the next one begins
        elif isinstance(widget, QLabel | QAbstractButton):
            yield top, top + widget.height()


def _lines_of(text: QTextEdit) -> Iterator[tuple[float, float]]:
    document, block = text.document(), text.document().begin()
    while block.isValid():
        top, layout = document.documentLayout().blockBoundingRect(block).top(), block.layout()
        for line in map(layout.lineAt, range(layout.lineCount())):
            yield top + line.y(), top + line.y() + line.height()
        block = block.next()
