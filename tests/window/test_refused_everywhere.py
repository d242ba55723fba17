"""Nonsense typed into any field for a number keeps the keys there, red, selected and with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from assets.counting import unbroken
from gui.qt.access.values import value_of
from gui.qt.dialogs.result_sheet import ResultSheet
from gui.qt.dialogs.sheets import Sheet
from gui.qt.dialogs.work_precision import WorkPrecisionSheet
from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.rows import ExportRows
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.style.theme import look
from gui.qt.widgets.parts import NumberText, refused_in
from gui.qt.window.main_window import MainWindow
from tests.window.dialogs import dialogs
from tests.window.hands import PATIENCE, give_focus, press, wait_done
from tests.window.test_focus import names

Key = Qt.Key
NONSENSE = "banana"


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    wait_done(qtbot, shared_window)
    shared_window.session.playback.pause()
    give_focus(qtbot, shared_window)
    return shared_window


def fields_of(root: QWidget) -> list[QWidget]:
    """Every visible field that a person types a number into, also one of a choice."""
    found: list[QWidget] = [line for line in root.findChildren(NumberText) if line.isVisible() and line.isEnabled()]
    for rows in root.findChildren(ExportRows):
        judged = {field for _, field in rows.judged.values()}
        boxes = {
            box
            for box in rows.findChildren(QComboBox)
            if box.isEditable() and box is not getattr(rows, "style_name", 0)
        }
        assert boxes <= judged, names([*boxes - judged])
        judged -= {getattr(rows, "style_name", None)}  # any text may become a style's name
        found += [field for field in judged if field.isVisible() and field.isEnabled() and field not in found]
    return found


def retype(qtbot: QtBot, field: QWidget, text: str) -> None:
    field.setFocus(Qt.FocusReason.TabFocusReason)
    line = field.lineEdit() if isinstance(field, QComboBox) else field
    assert isinstance(line, QLineEdit)
    line.selectAll()
    qtbot.keyClicks(field, text)


def said(window: MainWindow) -> str:
    """All that stands in the window."""
    return " ".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def keeps(qtbot: QtBot, window: MainWindow, field: QWidget, text: str = NONSENSE) -> None:
    """Enter and Tab leave the keys in the field, and Esc takes back what was typed."""
    where, before = str(names([field])), value_of(field)
    retype(qtbot, field, text)
    for key in (Key.Key_Return, Key.Key_Tab):
        press(qtbot, window, key)
        assert QApplication.focusWidget() is field, where
        assert field.property("refused") is True, where
        line = field.lineEdit() if isinstance(field, QComboBox) else field
        assert isinstance(line, QLineEdit)
        assert line.selectedText() == text, where
    assert any(f"must {what}" in said(window) for what in ("be", "end in")), where
    press(qtbot, window, Key.Key_Escape)
    assert not field.property("refused"), where
    assert value_of(field) == before or not field.hasFocus(), where


def test_nonsense_in_the_window_keeps_the_keys(window: MainWindow, qtbot: QtBot) -> None:
    fields = fields_of(window)
    assert window.timeline.time in fields
    for field in fields:
        keeps(qtbot, window, field)


def test_nonsense_in_every_sheet_keeps_the_keys(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    tried = {}
    for name, sheet in dialogs(window, tmp_path, files=False):
        if name == "run.own_method":
            continue  # its cells are tested with the tableau
        tried[name] = len(fields := fields_of(sheet))
        for field in fields:
            keeps(qtbot, window, field)
    assert {name for name, count in tried.items() if count} >= {
        "run.map", "run.work_precision", "export.animation", "export.picture", "export.plots"
    }  # fmt: skip


def test_a_time_beyond_the_run_is_typed_again(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["run.time"].trigger()
    time, playback = window.timeline.time, window.session.playback
    retype(qtbot, time, "99")
    press(qtbot, window, Key.Key_Return)
    assert time.hasFocus()
    playback.seek(1.0)
    assert time.text() == "99", "the playhead does not write over it"
    qtbot.keyClicks(time, "0.5")
    press(qtbot, window, Key.Key_Return)
    assert playback.t == 0.5
    assert not time.hasFocus()
    retype(qtbot, time, "99")
    window.take_keys()
    assert not time.property("refused")
    assert time.text().startswith("t = ")


def test_the_refusal_of_a_time_goes_with_what_was_refused(window: MainWindow, qtbot: QtBot) -> None:
    """It stayed in the status line through later times, and while the arm played."""
    time, messages = window.timeline.time, window.session.messages
    messages.unsay(messages.notice)
    before = messages.notice
    for end in ("another", "enter", "escape"):
        window.actions_by_key["run.time"].trigger()
        retype(qtbot, time, "17 sec")
        press(qtbot, window, Key.Key_Return)
        assert messages.notice.startswith("Time must be a number from 0 to ")
        assert messages.notice.endswith(", got '17 sec'")
        if end == "escape":
            press(qtbot, window, Key.Key_Escape)
        else:
            qtbot.keyClicks(time, "0.5")
        if end == "enter":
            press(qtbot, window, Key.Key_Return)
        assert messages.notice == before, end
    window.take_keys()


def test_the_time_has_type_of_its_own_size_after_a_refusal_in_every_theme(window: MainWindow, qtbot: QtBot) -> None:
    """It had that of the theme in which it was refused first: `t = 3.00…` in the larger one of the projector."""
    time, session = window.timeline.time, window.session
    for theme in ("projector", "light", "dark", "projector", session.view.settings.theme):
        session.view.set(theme=theme)
        QApplication.processEvents()
        window.actions_by_key["run.time"].trigger()
        for typed in (NONSENSE, "3", "0.345"):
            retype(qtbot, time, typed)
            press(qtbot, window, Key.Key_Return)
            assert time.font().pixelSize() == look().theme.sizes["title"], (theme, typed)
        assert not time.hasFocus()
        assert time.in_short() == "t = 0.345\u00a0s", theme


def test_a_target_is_refused_before_anything_is_measured(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["run.work_precision"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, WorkPrecisionSheet)
    retype(qtbot, sheet.target, NONSENSE)
    press(qtbot, window, Key.Key_Return)
    assert sheet.trouble.text().startswith("Target error must be ")
    qtbot.keyClicks(sheet.target, "1e-6")
    assert not sheet.trouble.text()
    press(qtbot, window, Key.Key_Return)
    assert sheet.target.text() == "1e-6"
    sheet.dismiss()


def test_a_film_that_ends_before_it_begins_is_refused_where_it_is_typed(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["export.animation"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    form = sheet.form
    end = float(form.end.text())
    retype(qtbot, form.start, f"{end / 2.0:g}")
    retype(qtbot, form.end, f"{end / 5.0:g}")
    press(qtbot, window, Key.Key_Return)
    assert form.end.hasFocus()
    assert form.end.property("refused")
    assert not form.start.property("refused")
    assert sheet.trouble.text().startswith("The end must be from ")
    retype(qtbot, form.end, f"{0.65 * end:g}")
    assert not form.end.property("refused")
    retype(qtbot, form.start, f"{0.9 * end:g}")
    press(qtbot, window, Key.Key_Tab)
    assert form.start.hasFocus()
    assert form.start.property("refused")
    assert sheet.trouble.text().startswith("The start must be "), sheet.trouble.text()
    assert isinstance(sheet, Sheet)
    sheet.dismiss()


def test_a_height_that_only_the_preview_refuses_keeps_the_keys_and_is_forgotten(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.actions_by_key["export.plots"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    form = sheet.form
    assert isinstance(form, FigureForm)
    form.panels.setText("error, energy, step-size")
    before = form.height_box.currentText()
    retype(qtbot, form.height_box, "20")
    press(qtbot, window, Key.Key_Return)
    assert not form.height_box.hasFocus(), "whether it is possible is only known when the figure is laid out"
    qtbot.waitUntil(lambda: form.height_box.property("refused") is True, timeout=PATIENCE)
    assert sheet.trouble.text().startswith("Height must be at least ")
    assert form.height_box.hasFocus()
    press(qtbot, window, Key.Key_Return)
    assert form.height_box.hasFocus()
    assert form.height_box.lineEdit().selectedText() == "20"
    form.width_box.setFocus()
    form.parts["letters"].setFocus()
    assert form.height_box.property("refused"), "a mark does not go with the keys"
    sheet.dismiss()
    window.actions_by_key["export.plots"].trigger()
    again = window.sheet
    assert isinstance(again, ExportSheet)
    assert isinstance(again.form, FigureForm)
    assert again.form.height_box.currentText() == before
    again.dismiss()


def test_every_refusal_of_a_figure_marks_its_field(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.actions_by_key["export.plots"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    form = sheet.form
    assert isinstance(form, FigureForm)
    before = form.panels.text()
    form.panels.setText("eror")
    assert form.panels.property("refused")
    assert sheet.trouble.text().startswith("Panels must be ")
    form.panels.setText("scene@99")
    qtbot.waitUntil(lambda: sheet.trouble.text().startswith("Time must be from 0 to "), timeout=PATIENCE)
    assert form.panels.property("refused")
    form.panels.setText(before)
    assert not form.panels.property("refused")
    form.file.setText(str(tmp_path / "none" / "fig.svg"))
    assert form.file.property("refused")
    assert sheet.trouble.text().startswith("File must be ")
    form.file.setText(str(tmp_path / "fig.svg"))
    form.style_name.setCurrentText("no name")
    form.keep.click()
    assert form.style_name.property("refused")
    assert sheet.trouble.text().startswith("Style must be ")
    sheet.dismiss()


def retyped(qtbot: QtBot, fields: list[QWidget]) -> None:
    """Nonsense in each of the fields: a click goes from a refused one to the next."""
    for field in fields:
        retype(qtbot, field, NONSENSE)
        QApplication.processEvents()


@pytest.mark.parametrize("kind", ["animation", "picture", "plots"])
def test_every_refused_number_of_an_export_is_red(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    """Only the first one was. Enter elsewhere, whose button is disabled, brings the keys to the topmost."""
    window.actions_by_key[f"export.{kind}"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    form = sheet.form
    fields = [one for one in fields_of(sheet) if one is not form.file]
    if isinstance(form, FigureForm):
        fields = [one for one in fields if one not in (form.panels, form.title)]
    assert len(fields) >= 2
    retyped(qtbot, fields)
    assert refused_in(sheet) == sorted(fields, key=lambda one: one.mapTo(sheet, one.rect().topLeft()).toTuple()[::-1])
    assert f"got '{NONSENSE}'" in sheet.trouble.text()
    sheet.setFocus()
    press(qtbot, window, Key.Key_Return)
    first = refused_in(sheet)[0]
    assert first.hasFocus()
    others = refused_in(sheet)[1:]
    retype(qtbot, first, "85" if kind == "plots" else "640 x 360")
    assert refused_in(sheet) == others, "the others stay red"
    sheet.dismiss()


@pytest.mark.parametrize("command", ["run.map", "run.work_precision"])
def test_every_refused_number_of_a_measurement_is_red(window: MainWindow, qtbot: QtBot, command: str) -> None:
    """A click on the button that begins brings the keys to the topmost of them."""
    window.actions_by_key[command].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ResultSheet)
    fields = fields_of(sheet)
    retyped(qtbot, fields)
    sheet.measure.setFocus()
    assert {*refused_in(sheet)} == {*fields}
    sheet.measure.click()
    first = refused_in(sheet)[0]
    assert first.hasFocus()
    assert isinstance(first, NumberText)
    assert sheet.trouble.text() == unbroken(first.reason)
    assert not sheet.desk.measuring
    sheet.dismiss()
