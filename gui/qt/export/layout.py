"""A layout, and all layouts: each file in `layouts` is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from assets.registry import Registry
from gui.app.runs import RunRow
from gui.compose.picture import LegendEntry
from gui.qt.drawing.canvas import FramePlan, Pixels
from scene.camera import Bars


class Layout(Protocol):
    """An arrangement of one export, made once and asked for each frame.

    Attributes:
        key, title: its name on the command line and in the dialog.
        place: its position in lists.
        scene_size: width and height that each scene has to be rendered with [px].
        scenes: the runs that each scene shows.
        bars: what texts take of each scene: the usual camera keeps the motion clear of them.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    place: ClassVar[int]
    scene_size: tuple[int, int]
    scenes: Sequence[Sequence[RunRow]]
    bars: Bars

    def __init__(self, plan: FramePlan) -> None: ...

    def paint(self, scenes: Sequence[Pixels], t: float, legend: Sequence[LegendEntry]) -> Pixels:
        """The whole frame at time `t`, (height, width, 4), around the rendered `scenes`."""
        ...


_REGISTRY: Registry[type[Layout]] = Registry.of_modules(
    "layout", "gui.qt.export.layouts", attribute="LAYOUT", order=lambda layout: layout.place
)
layouts, find_layout = _REGISTRY.all, _REGISTRY.find
