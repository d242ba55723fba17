"""Our own line icons: SVG files whose `currentColor` takes the theme's colour."""

from __future__ import annotations

import hashlib
import tempfile
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path
from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolButton

from assets import read_text
from assets.errors import ArmstepError
from assets.writing import make_folder, write_atomically

_NAME, _FILE = "armstepIcon", "armstepIconFile"
_colours = {"normal": "#444444", "checked": "#444444"}


def svg(name: str, colour: str) -> bytes:
    """The icon's SVG drawn in one colour."""
    return read_text(f"icons/{name}.svg").replace("currentColor", colour).encode()


@cache
def pixmap(name: str, colour: str, size: int) -> QPixmap:
    """The icon in one colour, `size` pixels square."""
    drawn = QPixmap(size, size)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(svg(name, colour))).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return drawn


def icon(name: str) -> QIcon:
    """The icon `name` of `assets/icons` in the theme's icon colour; drawn when it is shown."""
    return QIcon(tinted_file(name, _colours["normal"]))


def set_icon(target: QAction | QAbstractButton, name: str) -> None:
    """Give an action or a button an icon that follows the theme; the one that it has costs nothing."""
    file = tinted_file(name, _colours["checked" if target.property("role") == "primary" else "normal"])
    if target.property(_FILE) == file:
        return
    first = target.property(_NAME) is None
    target.setProperty(_NAME, name)
    target.setProperty(_FILE, file)
    target.setIcon(QIcon(file))
    if isinstance(target, QAbstractButton):
        if first:  # later it may have become larger
            target.setIconSize(QSize(20, 20))
        return
    # A button takes its action's icon whenever that changes; one with an icon of its own keeps it.
    for button in target.associatedObjects():
        if isinstance(button, QToolButton) and (own := button.property(_FILE)):
            button.setIcon(QIcon(own))


def refresh(colour: str, on_accent: str) -> None:
    """Redraw every icon that follows the theme; `on_accent` is the colour on primary buttons."""
    _colours.update(normal=colour, checked=on_accent)
    for window in QApplication.topLevelWidgets():
        for kind in (QAction, QAbstractButton):
            for target in window.findChildren(kind):
                if name := target.property(_NAME):
                    set_icon(target, name)


@cache
def tinted_file(name: str, colour: str) -> str:
    """A file of the icon in one colour, for what takes files only: it stays for the next start, under its content."""
    content = svg(name, colour)
    file = f"{name}-{hashlib.sha256(content).hexdigest()[:16]}.svg"
    try:
        return _kept(user_cache_path("armstep") / "icons" / file, content)
    except (ArmstepError, OSError):  # a home that cannot be written
        return _kept(Path(_folder().name) / file, content)


def _kept(file: Path, content: bytes) -> str:
    """The file's path, once it is whole.

    Raises:
        ArmstepError, OSError: it cannot be written or read.
    """
    if not file.is_file() or file.read_bytes() != content:
        make_folder(file.parent)
        write_atomically(file, content)
    return file.as_posix()


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A private folder that is removed with the process."""
    return tempfile.TemporaryDirectory(prefix="armstep-icons-")
