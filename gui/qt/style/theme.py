"""Light, dark and projector: colours, one type scale and the style sheet, read from `assets/themes/*.toml` [window]."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from string import Template
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from assets import read_text
from gui.app.view import THEMES
from gui.qt.style import icons
from gui.qt.style.dock_sizes import docks_kept
from gui.qt.style.theme_file import LINUX_FAMILIES, Theme, load

AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def font(theme: Theme, size: str = "body", *, bold: bool = False) -> QFont:
    """A calm sans at one step of the type scale, with figures of equal width."""
    chosen = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if sys.platform.startswith("linux"):
        chosen.setFamilies([*LINUX_FAMILIES, chosen.family()])
    chosen.setPixelSize(theme.sizes[size])
    chosen.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    if hasattr(chosen, "setFeature"):
        chosen.setFeature(QFont.Tag("tnum"), 1)
    return chosen


def palette(theme: Theme) -> QPalette:
    """The theme as a QPalette, which plots and self-painted widgets follow."""
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "raised",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.Button: "raised",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "danger",
        QPalette.ColorRole.Mid: "border",
        QPalette.ColorRole.Midlight: "raised",
        QPalette.ColorRole.Light: "surface",
        QPalette.ColorRole.Dark: "border",
        QPalette.ColorRole.Shadow: "shadow",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "accent_text",
        QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.ToolTipBase: "tip",
        QPalette.ColorRole.ToolTipText: "tip_text",
    }
    made = QPalette()
    for role, name in roles.items():
        made.setColor(role, theme.colour(name))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, theme.colour("disabled"))
    return made


def style_sheet(theme: Theme) -> str:
    """The Qt style sheet: `assets/themes/window.qss` with the theme's colours, sizes and tinted icons filled in."""
    pictures = {
        f"icon_{name}": icons.tinted_file(name, theme.colours[role])
        for name, role in (("down", "muted"), ("up", "muted"), ("check", "accent_text"), ("right", "muted"))
    }
    sizes = {f"size_{name}": str(value) for name, value in theme.sizes.items()}
    return Template(read_text("themes/window.qss")).substitute(theme.colours, **sizes, **pictures)


class Look(QObject):
    """The application's look: applies a theme, and follows the desktop while the choice is `system`.

    Attributes:
        choice: `light`, `dark`, `projector` or `system`.
        text: the factor of all type and of the 3D view's lines: what the person has chosen.
        larger: the factor of type, lines and labels of the 3D view; on a large screen it is above `text`.
        theme: the current theme.
    """

    changed = Signal()

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.choice = "system"
        self.text = self.larger = self._enlarged = 1.0
        self.theme = load("light")
        self._applied: Theme | None = None
        application.styleHints().colorSchemeChanged.connect(self._desktop_changed)

    def choose(self, choice: str) -> None:
        """Take `light`, `dark`, `projector` or `system`."""
        self.choice = choice if choice in THEMES else "system"
        self._apply()

    def enlarge(self, factor: float) -> None:
        """Enlarge what is painted in and over the 3D view; panels and menus keep their size."""
        if factor != self._enlarged:
            self._enlarged, self.larger = factor, factor * self.text
            self.theme = _sized(load(self.theme.name), self.larger)
            self.changed.emit()

    def scale_text(self, factor: float) -> None:
        """Enlarge all type."""
        if factor != self.text:
            self.text, self.larger = factor, factor * self._enlarged
            self._apply()

    def _desktop_changed(self) -> None:
        if self.choice == "system":
            self._apply()

    def _apply(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        dark = application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        plain = load(self.choice if self.choice in THEMES else ("dark" if dark else "light"))
        chosen, self.theme = _sized(plain, self.text), _sized(plain, self.larger)
        # Every widget there is is polished again, which takes a while.
        if chosen == self._applied:
            self.changed.emit()
            return
        self._applied = chosen
        with widgets_kept():
            application.setPalette(palette(chosen))
            application.setFont(font(chosen))
            with docks_kept():
                # In place of another one Qt would apply it to a widget once for each widget around it.
                application.setStyleSheet("")
                application.setStyleSheet(style_sheet(chosen))
        icons.refresh(self.theme.colours["icon"], self.theme.colours["accent_text"])
        self.changed.emit()


def _sized(theme: Theme, factor: float) -> Theme:
    return replace(theme, sizes={name: round(factor * size) for name, size in theme.sizes.items()})


@contextmanager
def widgets_kept() -> Iterator[None]:
    """Let no widget go meanwhile: Qt walks a list of all of them, and one that vanishes from it ends the process.

    A widget without a parent goes with the last name that it has in Python, or when garbage is collected.
    """
    collecting = gc.isenabled()
    gc.disable()
    kept = QApplication.allWidgets()
    try:
        yield
    finally:
        kept.clear()
        if collecting:
            gc.enable()


def look() -> Look:
    """The running application's one Look."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    found = application.findChild(Look, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if found is None:
        found = Look(application)
        found.choose("system")
    return found


def enlarge_over_picture(widget: QWidget) -> None:
    """Let the type of what lies over the picture be as large as that in it, which an audience reads."""
    theme, usual = look().theme, look().larger == look().text
    wanted = "" if usual else f"* {{ font-size: {theme.sizes['body']}px; }}\n{style_sheet(theme)}"
    if wanted != widget.styleSheet():
        with widgets_kept():
            widget.setStyleSheet(wanted)


def set_state(widget: QWidget, name: str, value: object) -> None:
    """Set a property of a shown widget that the style sheet asks for, and draw the widget accordingly.

    A font of its own the widget has from the style sheet, too: Qt puts that of `setFont` back to an older one.
    """
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def role(widget: AnyWidget, name: str) -> AnyWidget:
    """Give a widget a role of the style sheet (`section`, `hint`, `error`, `unit`, `quiet`, `primary`)."""
    widget.setProperty("role", name)
    return widget
