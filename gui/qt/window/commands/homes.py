"""Homes of the focus: windows, and the sheets that cover them."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget


@runtime_checkable
class Home(Protocol):
    """A window or a sheet: its keys are those that no widget in it has."""

    def take_keys(self) -> None:
        """Have the focus."""
        ...


def home_of(widget: QWidget) -> QWidget | None:
    """The window or sheet that `widget` lies in."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, Home):
        above = above.parentWidget()
    return above


def cover_of(widget: QWidget) -> QWidget | None:
    """The sheet that covers the window that `widget` is, or is in; None if there is none, or it is in that sheet."""
    sheets = [child for child in widget.window().children() if isinstance(child, QWidget) and isinstance(child, Home)]
    over = [sheet for sheet in sheets if sheet.isVisible() and not (sheet is widget or sheet.isAncestorOf(widget))]
    return over[-1] if over else None
