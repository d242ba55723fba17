"""What a person sees as charts, copied and saved: as numbers, and as a picture in any style."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QMenu, QMessageBox, QPushButton, QWidget
from shiboken6 import isValid

from assets.counting import capital
from assets.writing import write_atomically
from gui.app.jobs import trouble_of
from gui.charts.figure_style import FigureStyle, find_figure_style, style_names
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.style.theme import look
from gui.qt.window.messages import Banner
from scene.format import Format, Texts

if TYPE_CHECKING:
    from gui.qt.drawing.charts_page import ChartsPage
    from gui.qt.drawing.page import Page
    from gui.qt.export.format import DataFormat, Tabular

SHARPNESS = 2.0
"""Pixels per unit of a copied page."""


@dataclass(frozen=True, slots=True)
class Charted:
    """What is copied and saved.

    Attributes:
        name: of its files, without suffix.
        page: draws it in a style.
        table: its numbers as comma-separated text.
        texts: what travels inside its pictures.
        tabular: its numbers for other formats than CSV, if there are any.
    """

    name: str
    page: Callable[[FigureStyle], ChartsPage]
    table: Callable[[], str]
    texts: Callable[[], Texts] = dict
    tabular: Callable[[], Tabular] | None = None

    @property
    def formats(self) -> list[DataFormat]:
        """The formats of its numbers."""
        from gui.qt.export.tables import table_formats

        return [one for one in table_formats() if one.suffix == ".csv" or self.tabular is not None]

    def write_data(self, file: Path) -> None:
        """Write its numbers. Raises ArmstepError if that is not possible."""
        if self.tabular is not None:
            from gui.qt.export.tables import write_table

            write_table(self.tabular(), file)
        else:
            write_atomically(file, self.table().encode("utf-8"))

    def write_picture(self, file: Path, style: FigureStyle) -> None:
        """Draw it in a style. Raises ArmstepError if that is not possible."""
        from gui.qt.export.charts_file import write_page

        write_page(self.page(style), file, self.texts(), style.dpi)


Later = Callable[[Callable[[], object], Callable[[str], None]], None]
"""Does work, perhaps in another thread, and then calls what follows with why it failed; empty if it did not."""


def at_once(work: Callable[[], object], ended: Callable[[str], None]) -> None:
    """A `Later` that does it now."""
    ended(trouble_of(work))


def add_exports(
    menu: QMenu,
    parent: QWidget,
    shown: Charted,
    complain: Callable[[str], object] | None = None,
    later: Later = at_once,
) -> None:
    """Add to a menu what copies and saves it.

    Args:
        menu, parent: where.
        shown: what is saved.
        complain: gets why a file could not be written; None shows a message box.
        later: writes the file.
    """
    menu.addAction("Copy data", lambda: copy_data(shown))
    menu.addAction("Copy picture", lambda: copy_page(shown.page(window_style())))

    def ask(title: str, suffix: str, offered: Sequence[Format], write: Callable[[Path], None]) -> None:
        window = parent.window()

        def ended(file: Path, trouble: str) -> None:
            if not isValid(window):
                return
            banner, here = window.findChild(Banner), isValid(parent)
            if trouble and here and complain is not None:
                complain(trouble)
            elif trouble and (here or banner is None):
                QMessageBox.warning(parent if here else window, title, trouble)
            elif banner is not None:
                # The sheet may be closed by then.
                banner.say(trouble or f"Saved {file.name}", trouble=bool(trouble), file=None if trouble else file)

        def attempt(file: Path) -> None:
            later(partial(write, file), partial(ended, file))

        ask_file(parent, title, Path(f"{shown.name}{suffix}"), offered, attempt)

    def ask_picture(style: Callable[[], FigureStyle]) -> None:
        from gui.qt.export.format import formats_of

        chosen = style()
        ask("Save picture", ".svg", formats_of("plots"), lambda file: shown.write_picture(file, chosen))

    menu.addAction("Save data…", lambda: ask("Save data", ".csv", shown.formats, shown.write_data))
    pictures = menu.addMenu("Save picture")
    for title, style in styles().items():
        pictures.addAction(title, partial(ask_picture, style))


def exports_button(
    parent: QWidget, shown: Callable[[], Charted], complain: Callable[[str], object], later: Later = at_once
) -> QPushButton:
    """A button whose menu copies and saves what is `shown` when it opens; see `add_exports`."""
    button = QPushButton("Save")
    button.setToolTip("Copy or save what is shown, as a picture or a table")
    menu = QMenu(button)

    def fill() -> None:
        menu.clear()
        add_exports(menu, parent, shown(), complain, later)

    menu.aboutToShow.connect(fill)
    button.setMenu(menu)
    return button


def styles() -> Mapping[str, Callable[[], FigureStyle]]:
    """The styles to choose from, by their titles in a menu."""
    named = {f"{capital(name)}…": partial(find_figure_style, name) for name in style_names()}
    return {"As in the window…": window_style, **named}


def window_style() -> FigureStyle:
    """The usual style in the window's theme."""
    from gui.qt.export.settings import USUAL_STYLE

    return replace(find_figure_style(USUAL_STYLE), theme=look().theme.name)


def copy_page(page: Page) -> None:
    """Put a page on the clipboard: as a picture, and as SVG for programs that take it."""
    from gui.qt.export.formats.svg import as_svg

    image = QImage(*(round(side * SHARPNESS) for side in page.size), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(SHARPNESS, SHARPNESS)
    page.paint(painter)
    painter.end()
    data = QMimeData()
    data.setImageData(image)
    data.setData("image/svg+xml", QByteArray(as_svg(page, {})))
    QGuiApplication.clipboard().setMimeData(data)


def copy_data(shown: Charted) -> None:
    """Put the numbers on the clipboard, separated by tabs for spreadsheets."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(csv.reader(io.StringIO(shown.table())))
    QGuiApplication.clipboard().setText(text.getvalue())
