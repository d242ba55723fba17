"""Sizes of docks: they come back after something that moves them on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow


def resize_docks(window: QMainWindow, sizes: Sequence[tuple[QDockWidget, QSize]]) -> None:
    """Give the docks that are shown these sizes."""
    back = [(dock, size) for dock, size in sizes if not dock.isHidden()]
    docks = [dock for dock, _ in back]
    window.resizeDocks(docks, [size.width() for _, size in back], Qt.Orientation.Horizontal)
    window.resizeDocks(docks, [size.height() for _, size in back], Qt.Orientation.Vertical)


@contextmanager
def docks_kept() -> Iterator[None]:
    """Give all docks in windows that are shown the sizes afterwards that they have now."""
    windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, QMainWindow) and one.isVisible()]
    sizes = [(window, sizes_of(window)) for window in windows]
    yield
    for window, before in sizes:
        resize_docks(window, before)


def sizes_of(window: QMainWindow) -> list[tuple[QDockWidget, QSize]]:
    """The docks that are shown in the window, and how large they are."""
    docks = window.findChildren(QDockWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [(dock, dock.size()) for dock in docks if dock.isVisible() and not dock.isFloating()]
