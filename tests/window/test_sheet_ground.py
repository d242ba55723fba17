"""What scrolls in a sheet has the sheet's own ground."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from gui.qt.dialogs.map import MapSheet
from gui.qt.style.theme import look
from gui.qt.widgets.scroll import SidewaysScroll
from gui.qt.window.main_window import MainWindow


@pytest.fixture
def sheet(shared_window: MainWindow) -> Iterator[MapSheet]:
    shared_window.actions_by_key["run.map"].trigger()
    assert isinstance(shared_window.sheet, MapSheet)
    yield shared_window.sheet
    shared_window.sheet.dismiss()
    look().choose("light")


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_beside_the_sections_of_a_map_is_no_strip_of_another_colour(sheet: MapSheet, theme: str) -> None:
    """It was as high as the buttons, and reached from them to the edge of the sheet."""
    look().choose(theme)
    QApplication.processEvents()
    area = next(one for one in sheet.findChildren(SidewaysScroll) if one.isAncestorOf(sheet.sections))
    place = area.mapTo(sheet, QPoint())
    image = sheet.grab().toImage()
    ratio = image.devicePixelRatio()
    x, middle, above = place.x() + area.width() - 5, place.y() + area.height() // 2, place.y() - 3
    assert area.width() > sheet.sections.width() + 20
    colours = {image.pixelColor(round(x * ratio), round(y * ratio)).name() for y in (middle, above)}
    assert len(colours) == 1
