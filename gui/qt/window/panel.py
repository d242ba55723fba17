"""A panel, and all panels: each file in `gui/qt/panels` is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from PySide6.QtWidgets import QWidget

from assets.registry import Registry
from gui.app.session.session import Session

Area = Literal["left", "right", "bottom"]


@dataclass(frozen=True, slots=True)
class Panel:
    """A dock of the window: the `PANEL` of a file in `gui/qt/panels`.

    Attributes:
        key: the file's stem with `_` written as `-`.
        title: its title bar's text.
        area: its initial area.
        order: its place there.
        make: makes the widget, after the window shows. Where that has `tools`, a sequence of widgets, they stand in the
            title bar.
        suits: whether it has something to say now; its dock comes and goes with the robots, or the lesson, that it
            suits. None is always there.
    """

    key: str
    title: str
    area: Area
    order: int
    make: Callable[[Session], QWidget]
    suits: Callable[[Session], bool] | None = None


_REGISTRY: Registry[Panel] = Registry.of_modules(
    "panel",
    "gui.qt.panels",
    attribute="PANEL",
    order=lambda panel: (get_args(Area).index(panel.area), panel.order),
)
panels = _REGISTRY.all
