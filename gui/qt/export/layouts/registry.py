"""Which layouts there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from assets.errors import BadInput
from gui.app.rows import RunRow
from gui.compose.picture import LegendEntry
from gui.qt.drawing.stage import Pixels, Stage
from gui.qt.export import layouts as package
from solvers.registry import find_modules


class Layout(Protocol):
    """An arrangement of one export, made once and asked for each frame.

    Attributes:
        key, title: its name on the command line and in the dialog.
        place: where it stands in lists.
        scene_size: width and height that each scene has to be rendered with [px].
        scenes: the runs that each scene shows.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    place: ClassVar[int]
    scene_size: tuple[int, int]
    scenes: Sequence[Sequence[RunRow]]

    def __init__(self, stage: Stage) -> None: ...

    def paint(self, scenes: Sequence[Pixels], t: float, legend: Sequence[LegendEntry]) -> Pixels:
        """The whole frame at time `t`, (height, width, 4), around the rendered `scenes`."""
        ...


def layouts() -> dict[str, type[Layout]]:
    """Every layout by its key, in the order of lists."""
    found = [module.LAYOUT for module in find_modules(package) if hasattr(module, "LAYOUT")]
    return {layout.key: layout for layout in sorted(found, key=lambda layout: layout.place)}


def find_layout(key: str) -> type[Layout]:
    """The layout called `key`. Raises BadInput for any other name."""
    known = layouts()
    if key not in known:
        raise BadInput("layout", key, "one of " + ", ".join(known), known)
    return known[key]
