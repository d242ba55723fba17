"""Runs in one line, for comparing two: each in a scene of its own at the same time."""

from __future__ import annotations

from typing import ClassVar

from gui.qt.export.layouts.grid import GridLayout


class SideBySideLayout(GridLayout):
    """Beside each other in a wide frame, below each other in an upright one."""

    key: ClassVar[str] = "side-by-side"
    title: ClassVar[str] = "Side by side"
    place: ClassVar[int] = 2

    def arranged(self, count: int, width: int, height: int) -> tuple[int, int]:
        return (count, 1) if width >= height else (1, count)


LAYOUT = SideBySideLayout
