"""Esc for what lies over the view, where no panel, field or sheet has the keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QWidget


class Escape:
    """Closes something by Esc while it is shown. Of two such things each press closes one.

    Args:
        shown: what lies over the view of a window, or in it.
        close: closes it.
    """

    def __init__(self, shown: QWidget, close: Callable[[], object]) -> None:
        self._shown, self._close = shown, close
        self._keys: list[QShortcut] = []

    def offer(self, offered: bool) -> None:
        """From now on Esc closes it, or does not."""
        window = self._shown.window()
        if not self._keys and isinstance(window, QMainWindow):
            within, alone = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WidgetShortcut
            self._keys = [self._key(window.centralWidget(), within), self._key(window, alone)]
        for key in self._keys:
            key.setEnabled(offered)

    def _key(self, owner: QWidget, context: Qt.ShortcutContext) -> QShortcut:
        key = QShortcut(QKeySequence(Qt.Key.Key_Escape), owner)
        key.setContext(context)
        key.activated.connect(self._close)
        key.activatedAmbiguously.connect(self._close)
        return key
