"""What a command of the window is."""

from __future__ import annotations

from dataclasses import dataclass

CHECKABLE = ("run.loop", "view.fullscreen", "camera.orthographic", "lesson.notes")
"""Commands that are ticked though they set no field of the view."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a person can ask the window to do.

    Attributes:
        key: its name, `menu.verb`.
        menu: where it stands: a menu, or `Menu/Submenu`; commands of one submenu with the same `group` stand together.
        text: what the menu says.
        tip: one sentence for the status bar, the palette and screen readers.
        keys: its shortcuts, the first one is shown; portable names.
        icon: a stem of `assets/icons`.
        group: a line is drawn in the menu where this changes.
        view: the field of `ViewSettings` that the command sets.
        value: what it is set to; None switches it on and off.
    """

    key: str
    menu: str
    text: str
    tip: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    group: int = 0
    view: str = ""
    value: str | float | None = None

    @property
    def checkable(self) -> bool:
        """Whether the command is ticked while it is in force."""
        return bool(self.view) or self.key in CHECKABLE
