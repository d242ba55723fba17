"""The time of the preview in the sheet that exports a film, and the facts beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.app.units import clock
from gui.qt.export.dialog.form import ExportForm
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.window.main_window import MainWindow
from tests.window.exporting import figure_sheet, sheet_of
from tests.window.hands import PATIENCE


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


def length_of(sheet: ExportSheet) -> list[str]:
    """What the sheet says of the film's length: frames and seconds."""
    return sheet.facts.text().split("   ·   ")[1:3]


def test_a_refused_end_leaves_what_was_accepted_and_the_moment_of_the_preview(
    short: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """20, refused in a run of 10 s, left the facts and the moment of 2, the digit that was typed first."""
    sheet = sheet_of(short, "animation", tmp_path / "a.mp4")
    sheet.slider.setValue(720)
    facts, moment, places = length_of(sheet), sheet.instant(), (sheet.slider.minimum(), sheet.slider.maximum())
    end = sheet.form.end
    whole = float(end.text())
    end.setFocus(Qt.FocusReason.TabFocusReason)
    end.selectAll()
    qtbot.keyClicks(end, f"{0.2 * whole:g}")
    assert sheet.instant() == pytest.approx(0.2 * whole)
    assert length_of(sheet) != facts
    qtbot.keyClicks(end, "e3")
    assert sheet.trouble.text().startswith("The end must be from 0 to ")
    assert length_of(sheet) == facts
    assert (sheet.slider.minimum(), sheet.slider.maximum()) == places
    assert sheet.instant() == moment
    assert sheet.clock.text() == f"t = {clock(moment)}"
    assert sheet.process is not None
    with qtbot.waitSignal(sheet.process.previewed, timeout=PATIENCE):
        pass
    end.selectAll()
    qtbot.keyClicks(end, f"{0.5 * whole:g}")
    qtbot.keyClick(end, Qt.Key.Key_Tab)
    accepted = length_of(sheet)
    end.setFocus(Qt.FocusReason.TabFocusReason)
    end.selectAll()
    qtbot.keyClicks(end, "soon")
    assert length_of(sheet) == accepted, "what was typed and left counts"
    assert sheet.instant() == pytest.approx(0.5 * whole)
    sheet.dismiss()


def test_a_width_refused_by_the_drawing_leaves_the_facts_of_the_picture_beside(
    short: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Under a picture of 254 mm stood "50 mm wide"."""
    sheet, form = figure_sheet(short, tmp_path / "fig.svg")
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    assert "254\u00a0mm wide" in sheet.facts.text()
    width, height = form.width_box.lineEdit(), form.height_box.lineEdit()
    assert width is not None
    assert height is not None
    width.setFocus(Qt.FocusReason.TabFocusReason)
    width.selectAll()
    qtbot.keyClicks(width, "30")
    qtbot.waitUntil(lambda: sheet.trouble.text().startswith("Width must be at least"), timeout=PATIENCE)
    assert "254\u00a0mm wide" in sheet.facts.text()
    qtbot.keyClick(width, Qt.Key.Key_Tab)
    height.selectAll()
    qtbot.keyClicks(height, "e")
    assert "254\u00a0mm wide" in sheet.facts.text(), "the refused width was not accepted by leaving it"
    sheet.dismiss()


def test_refusals_name_the_word_that_can_stand_instead_of_a_number(
    short: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    sheet, figure = figure_sheet(short, tmp_path / "fig.svg")
    figure.height_box.setCurrentText("e")
    assert sheet.trouble.text().startswith("Height must be automatic or a length such as 85mm")
    sheet.dismiss()
    sheet = sheet_of(short, "animation", tmp_path / "a.gif")
    form = sheet.form
    assert isinstance(form, ExportForm)
    form.loop.setCurrentText("often")
    assert sheet.trouble.text().startswith("Repeat must be forever or a whole number")
    form.loop.setCurrentText("forever")
    form.strobe.setCurrentText("few")
    assert sheet.trouble.text().startswith("Earlier poses must be none or a finite number")
    form.strobe.setCurrentText("none")
    assert not sheet.trouble.text()
    sheet.dismiss()
