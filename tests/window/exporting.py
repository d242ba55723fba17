"""What the tests of exports from the window do again and again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.window.main_window import MainWindow


def sheet_of(window: MainWindow, kind: str, file: Path) -> ExportSheet:
    """The sheet of a film or a picture, for a small file."""
    open_export(window.bench, kind)
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    sheet.form.file.setText(str(file))
    sheet.form.frame_size.setCurrentText("160 × 90")
    return sheet


def figure_sheet(window: MainWindow, file: Path) -> tuple[ExportSheet, FigureForm]:
    """The sheet of a figure, and its form."""
    open_export(window.bench, "plots")
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    assert isinstance(sheet.form, FigureForm)
    sheet.form.file.setText(str(file))
    return sheet, sheet.form


def choose(window: MainWindow, kind: str, file: Path) -> None:
    """Begin an export that asks for a file, and choose this one."""
    open_export(window.bench, kind)
    answer(window, file)


def answer(window: MainWindow, file: Path) -> None:
    """Choose the file that is asked for."""
    dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
    dialog.fileSelected.emit(str(file))
    dialog.close()
