"""Whether a widget has other type or colours than before: while a theme changes, Qt says so many times."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from gui.qt.style.theme import look

_TYPES: WeakKeyDictionary[QWidget, str] = WeakKeyDictionary()
_LOOKS: WeakKeyDictionary[QWidget, tuple[str, str]] = WeakKeyDictionary()


def type_changed(widget: QWidget, event: QEvent) -> bool:
    """Whether the event gave the widget another font than it had when this was asked last."""
    if event.type() != QEvent.Type.FontChange:
        return False
    before, _TYPES[widget] = _TYPES.get(widget), widget.font().key()
    return before != _TYPES[widget]


def look_changed(widget: QWidget, event: QEvent) -> bool:
    """Whether the event gave the widget another font or theme than it had when this was asked last."""
    if event.type() not in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
        return False
    before, _LOOKS[widget] = _LOOKS.get(widget), (look().theme.name, widget.font().key())
    return before != _LOOKS[widget]
