"""A map offers what the method can take; what is refused is said in words that a person reads, as long as it holds."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.app.desks.map_choices import METHODS, can_take, numeric_fields
from gui.qt.dialogs.work_precision import open_work_precision
from gui.qt.window.main_window import MainWindow
from tests.window.test_map import SWING, described

TOLERANCES = {"rtol", "atol", "tolerance"}


def test_axes_are_steps_or_tolerances_as_the_method_takes_them() -> None:
    """`rtol` stood there for Runge-Kutta 4, which was refused with "rk4 has no error estimate, so rtol..."."""
    assert not TOLERANCES & {*numeric_fields(SWING)}
    assert "step" in numeric_fields(SWING)
    assert {*numeric_fields(SWING.with_values({"method": "dopri5", "rtol": 1e-6}))} >= TOLERANCES
    assert {"rtol", "step"} <= {*numeric_fields(SWING.with_value("method", "dopri5"))}, "either way of stepping"
    assert not can_take(SWING, "adams-pece", "step")


def test_a_refused_map_says_so_in_words_until_something_else_is_chosen(shared_window: MainWindow, qtbot: QtBot) -> None:
    window = shared_window
    window.session.edit_many({"method": "dopri5", "rtol": 1e-6})
    sheet = described(window, "tolerance", METHODS, 4)
    proposed = sheet.up.keys.text()
    assert "dopri5" in proposed
    assert not {"rk1", "rk4"} & {*proposed.split(", ")}, "beside tolerances, methods with an error estimate"
    for change in (lambda: sheet.up.keys.setText("dopri5, dop853"), lambda: sheet.across.count.setText("5")):
        sheet.up.keys.setText("rk4, dopri5")
        qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
        said = sheet.trouble.text()
        assert said.startswith("Relative tolerance must be left out: Runge-Kutta 4 (classical) has no error estimate")
        assert "rk4" not in said
        assert "rtol" not in said
        assert not sheet.desk.measuring
        change()
        assert not sheet.trouble.text(), "what was refused is no longer chosen"
    sheet.across.field.show_data("step")
    sheet.across.field.chosen.emit("step")
    assert "rk4" in sheet.up.keys.text(), "beside steps, methods with a fixed step"
    sheet.dismiss()


def test_a_refused_diagram_says_so_until_something_else_is_ticked(shared_window: MainWindow, qtbot: QtBot) -> None:
    sheet = open_work_precision(shared_window, shared_window.session)
    sheet.fixed.box.setChecked(False)
    sheet.controlled.box.setChecked(False)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert sheet.trouble.text().startswith("Choose methods")
    sheet.show_all()
    assert sheet.trouble.text().startswith("Choose methods"), "it still holds"
    sheet.fixed.box.setChecked(True)
    assert not sheet.trouble.text()
    sheet.dismiss()
