"""A map whose runs have no number says so over what was asked for, and one of the spinning top has its rates."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.charts.map import NO_NUMBER, map_chart
from gui.charts.ticks import ticks
from gui.qt.dialogs.map import MapSheet
from gui.qt.window.main_window import MainWindow
from robots.sweeps.sweep import SweepResult
from tests.window.conftest import PATIENCE


def opened_in(window: MainWindow, across: str, low: str, high: str, count: int) -> MapSheet:
    """Run > Map… over one field."""
    window.actions_by_key["run.map"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, MapSheet)
    sheet.across.field.show_data(across)
    sheet.across.suggest(across)
    for edit, text in ((sheet.across.low, low), (sheet.across.high, high), (sheet.across.count, str(count))):
        edit.setText(text)
    sheet.up.field.show_data("")
    sheet.up.suggest("")
    return sheet


def computed(sheet: MapSheet, qtbot: QtBot, readout: str) -> SweepResult:
    assert sheet.number.findData(readout) >= 0
    sheet.number.show_data(readout)
    sheet.number.chosen.emit(readout)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert sheet.desk.result is not None
    return sheet.desk.result


def test_the_spinning_top_has_a_lyapunov_exponent(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("top-spin")
    window.session.edit_many({"initial.tilt": 0.0, "duration": 2.0})
    sheet = opened_in(window, "initial.w3", "4000", "6500", 3)
    rates = computed(sheet, qtbot, "lyapunov").readings()["lyapunov"]
    assert np.isfinite(rates).all()
    assert rates[0] > 4.0 > rates[2]
    assert "no value" not in sheet.facts.text()
    sheet.dismiss()


def test_a_map_over_one_field_without_a_number_keeps_what_was_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    """Its axes were 0 to 1 degree/s and an exponent from 0 to 1."""
    window.session.files.new("rr-chaos")
    window.session.edit("duration", 0.2)
    sheet = opened_in(window, "initial.v2", "4000", "6500", 3)
    result = computed(sheet, qtbot, "order")
    assert np.isnan(result.readings()["order"]).all(), "step control has no order"
    chart = sheet.diagram.chart
    assert chart.note == NO_NUMBER
    assert chart.view is not None
    assert chart.view[:2] == pytest.approx((3375.0, 7125.0)), "half a cell more on both sides"
    assert [word for _, word in ticks(chart.y, *chart.view[2:], 5)] == [""]
    assert map_chart(result, "steps").note == ""
    assert "Blank: no value in 3 runs, it takes a fixed step" in sheet.facts.text()
    sheet.dismiss()
