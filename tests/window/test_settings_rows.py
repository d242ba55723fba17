"""The settings of an export scroll by whole rows, however large the type is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.settings_scroll import SettingsScroll
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.style.theme import look
from gui.qt.window.main_window import MainWindow


@pytest.fixture(params=[("projector", 1.0), ("light", 1.5), ("light", 1.0)], ids=str)
def small(short: MainWindow, request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    size = short.size()
    theme, text = request.param
    look().choose(theme)
    look().scale_text(text)
    short.resize(1280, 720)
    QApplication.processEvents()
    yield short
    if short.sheet is not None:
        short.sheet.dismiss()
    look().scale_text(1.0)
    look().choose("light")
    short.resize(size)


def opened(window: MainWindow, kind: str, qtbot: QtBot) -> tuple[ExportSheet, SettingsScroll]:
    open_export(window.bench, kind)
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    area = sheet.findChild(SettingsScroll)
    assert area is not None
    qtbot.wait(100)  # the sheet finds its size
    return sheet, area


def cut(area: SettingsScroll) -> list[str]:
    """What is seen in part."""
    found, room = [], area.viewport().rect()
    for one in area.widget().findChildren(QLabel) + area.widget().findChildren(QAbstractButton):
        place = QRect(one.mapTo(area.viewport(), QPoint()), one.size())
        inside = place.top() >= room.top() and place.bottom() <= room.bottom()
        if one.isVisible() and place.bottom() >= room.top() and place.top() <= room.bottom() and not inside:
            found.append(one.text())
    return found


@pytest.mark.parametrize("kind", ["plots", "animation"])
def test_no_row_is_cut_wherever_a_person_scrolls_to(small: MainWindow, qtbot: QtBot, kind: str) -> None:
    """Grid, letters and caption were cut through at the lower edge."""
    sheet, area = opened(small, kind, qtbot)
    bar, places = area.verticalScrollBar(), []
    assert cut(area) == []
    for action in (bar.SliderAction.SliderSingleStepAdd, bar.SliderAction.SliderSingleStepSub):
        for _ in range(60):
            bar.triggerAction(action)
            QApplication.processEvents()
            assert cut(area) == [], bar.value()
            places.append(bar.value())
    assert places[-1] == 0, "and back to the top"
    if area.scrolls:
        rows = [one for one in sheet.form.findChildren(QAbstractButton) if one.isVisible()]
        bar.setValue(bar.maximum())
        bar.setValue(bar.maximum())
        assert cut(area) == []
        assert not rows[-1].visibleRegion().isEmpty(), "the last one can be reached"


def test_tab_brings_each_field_into_view_whole(small: MainWindow, qtbot: QtBot) -> None:
    sheet, area = opened(small, "plots", qtbot)
    assert isinstance(sheet.form, FigureForm)
    for key, first in ((Qt.Key.Key_Tab, sheet.form.format), (Qt.Key.Key_Backtab, sheet.form.end)):
        first.setFocus()
        for _ in range(24):
            QTest.keyClick(small, key)
            QApplication.processEvents()
            focus = QApplication.focusWidget()
            if focus is None or not sheet.form.isAncestorOf(focus):
                break
            assert focus.visibleRegion().boundingRect().height() == focus.height(), focus.accessibleName()
            assert cut(area) == []
