"""Numbers in the forms of exports: what is typed is meant, and of the run's own times six digits are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.form import ExportForm
from gui.qt.widgets.quiet import QuietComboBox
from gui.qt.window.main_window import MainWindow
from tests.window.exporting import figure_sheet, sheet_of

FILES = {"animation": "a.mp4", "picture": "a.png", "plots": "a.svg"}
WHOLE, PART = (0.0, 2.0 / 3.0), (1.0 / 7.0, 2.0 / 3.0)
"""Six digits of 2/3 are beyond the end of the run."""


@pytest.mark.parametrize("span", [WHOLE, PART])
def test_a_film_has_the_times_of_the_run_until_others_are_typed(span: tuple[float, float]) -> None:
    form = ExportForm(still=False, file=Path("arm.mp4"), span=span, title="", theme="light", window_size=(800, 600))
    assert (form.settings(0.0).start, form.settings(0.0).end) == span
    form.end.setText("0.5")
    assert (form.settings(0.0).start, form.settings(0.0).end) == (span[0], 0.5)


@pytest.mark.parametrize(("span", "times"), [(WHOLE, (None, None)), (PART, PART)])
def test_a_figure_shows_the_played_part_where_a_panel_shows_the_run(
    span: tuple[float, float], times: tuple[float | None, float | None]
) -> None:
    form = FigureForm(
        file=Path("a.svg"), span=span, ranged=span is PART, title="", panels={"": {"error": "Error"}}, chosen=["error"]
    )
    assert (form.settings(0.0).start, form.settings(0.0).end) == times
    form.panels.setText("rr-methods/figure-2")
    assert (form.settings(0.0).start, form.settings(0.0).end) == (None, None)


@pytest.mark.parametrize("kind", ["animation", "picture", "plots"])
def test_what_is_typed_into_a_choice_stays(short: MainWindow, qtbot: QtBot, tmp_path: Path, kind: str) -> None:
    """Numbers that the list has, has not, or only begins with; text in front of a number."""
    sheet = (
        figure_sheet(short, tmp_path / "a.svg")[0] if kind == "plots" else sheet_of(short, kind, tmp_path / FILES[kind])
    )
    boxes = [box for box in sheet.findChildren(QuietComboBox) if box.isEditable() and box.isVisible()]
    assert boxes
    for box in boxes:
        entries = [box.itemText(row) for row in range(box.count())]
        for text in ("10", "3", "84", "serif 11", *{entry[0] for entry in entries}, entries[-1]):
            box.setFocus(Qt.FocusReason.TabFocusReason)
            QTest.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(box, text)
            QTest.keyClick(box, Qt.Key.Key_Tab)
            assert box.currentText() == text, (box.accessibleName(), text)
    sheet.dismiss()


def test_a_picture_is_of_the_playhead_until_another_time_is_chosen(short: MainWindow, tmp_path: Path) -> None:
    playback = short.session.playback
    t = playback.start + 0.34567 * (playback.end - playback.start)
    playback.seek(t)
    sheet = sheet_of(short, "picture", tmp_path / "a.png")
    assert sheet.instant() == t
    assert sheet.request().settings.at == t
    sheet.slider.setValue(sheet.slider.value() + 1)
    assert sheet.instant() != t
    sheet.dismiss()
