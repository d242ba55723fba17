"""A plot as a table (clipboard, CSV) and as a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from assets.errors import ArmstepError
from assets.writing import write_atomically
from gui.charts.table import table_text
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.drawing.page import Page
from gui.qt.export.charts_file import write_page
from gui.qt.export.format import find_format, pictures_of_charts
from robots.model.chart import Chart


def copy_data(chart: Chart) -> None:
    """Put the table on the clipboard, separated by tabs for spreadsheets."""
    QGuiApplication.clipboard().setText(table_text(chart, "\t"))


def save_data(parent: QWidget, chart: Chart, name: str) -> None:
    """Ask for a file and write the table as CSV."""

    def write(file: Path) -> None:
        write_atomically(file, table_text(chart).encode("utf-8"))

    ask_file(parent, "Save data", Path(f"{name}.csv"), [find_format("csv")], _or_complain(parent, "Save data", write))


def save_picture(parent: QWidget, page: Page, name: str) -> None:
    """Ask for a file and draw the page."""
    write = _or_complain(parent, "Save picture", lambda file: write_page(page, file))
    ask_file(parent, "Save picture", Path(f"{name}.svg"), pictures_of_charts(), write)


def _or_complain(parent: QWidget, title: str, write: Callable[[Path], None]) -> Callable[[Path], None]:
    """`write`, with a message for a file that cannot be written."""

    def attempt(file: Path) -> None:
        try:
            write(file)
        except ArmstepError as error:
            QMessageBox.warning(parent, title, str(error))

    return attempt
