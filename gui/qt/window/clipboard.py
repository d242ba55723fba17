"""What can be copied: the picture, the plots, the table of runs, and the run as a Python script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QGuiApplication, QImage, QPainter

from assets.errors import ArmstepError

if TYPE_CHECKING:
    from gui.qt.window.main_window import MainWindow

SHARPNESS = 2.0
"""Pixels per unit of the copied plots."""


def handlers(window: MainWindow) -> dict[str, Callable[..., object]]:
    """The commands that copy."""
    return {
        "edit.copy_picture": lambda: copy_picture(window),
        "edit.copy_plots": lambda: copy_plots(window),
        "edit.copy_table": lambda: copy_table(window),
        "edit.copy_python": lambda: copy_python(window),
    }


def copy_picture(window: MainWindow) -> None:
    """The 3D view as it is on the screen."""
    if window.viewport is None:
        window.banner.tell("There is no 3D picture to copy: OpenGL is missing.")
        return
    window.viewport.repaint()
    QGuiApplication.clipboard().setImage(window.viewport.grab().toImage())
    window.banner.tell("Copied the picture.", trouble=False)


def copy_plots(window: MainWindow) -> None:
    """Every plot of the visible runs on one page: as a picture, and as SVG for programs that take it."""
    from gui.charts.registry import charts_of
    from gui.qt.drawing.page import ChartsPage
    from gui.qt.export.formats.svg import as_svg
    from gui.qt.style.theme import look

    session = window.session
    rows = [row for row in session.runs.all if row.visible and row.run is not None]
    if not rows:
        window.banner.tell("There is nothing to copy yet: the run is still being computed.")
        return
    charts = charts_of(rows, degrees=session.view.settings.degrees)
    page = ChartsPage(charts, rows, session.scenario.title, look().theme.name)
    image = QImage(*(round(side * SHARPNESS) for side in page.size), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(SHARPNESS, SHARPNESS)
    page.paint(painter)
    painter.end()
    data = QMimeData()
    data.setImageData(image)
    data.setData("image/svg+xml", QByteArray(as_svg(page, {})))
    QGuiApplication.clipboard().setMimeData(data)
    window.banner.tell("Copied the plots.", trouble=False)


def copy_table(window: MainWindow) -> None:
    """The table of runs, columns separated by tabs."""
    from gui.qt.panels._runs_table import table_text

    QGuiApplication.clipboard().setText(table_text(window.session))
    window.banner.tell("Copied the table of runs.", trouble=False)


def copy_python(window: MainWindow) -> None:
    """The scenario as a script; what cannot be written says why."""
    from robots.export.as_python import as_python

    try:
        script = as_python(window.session.scenario)
    except ArmstepError as reason:
        window.banner.tell(f"There is no script for this scenario: {reason}.")
        return
    QGuiApplication.clipboard().setText(script)
    window.banner.tell("Copied a Python script that prints the same numbers.", trouble=False)
