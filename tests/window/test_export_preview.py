"""The time of the preview in the sheet that exports a film."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.export.dialog.form import ExportForm
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.window.main_window import MainWindow


def test_the_preview_is_a_moment_of_the_film(window: MainWindow, qtbot: QtBot) -> None:
    window.session.playback.seek(9.0)
    open_export(window.bench, "animation")
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    assert isinstance(sheet.form, ExportForm)
    assert sheet.instant() == pytest.approx(9.0)
    sheet.form.end.setText("4")
    assert sheet.instant() == pytest.approx(4.0)
    assert "4.000" in sheet.clock.text()
    qtbot.keyClick(sheet.slider, Qt.Key.Key_Right)
    assert sheet.instant() == pytest.approx(4.0), "the film is over"
    sheet.form.start.setText("2.5")
    sheet.slider.setValue(sheet.slider.minimum())
    assert sheet.instant() == pytest.approx(2.5)
    sheet.form.end.setText("10")
    sheet.slider.setValue(sheet.slider.maximum())
    assert sheet.instant() == pytest.approx(10.0)
    sheet.dismiss()
