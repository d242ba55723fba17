"""A map offers what has an effect with the chosen method, and says in words what does not go together."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.app.desks.map_choices import METHODS
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, wait_done
from tests.window.test_map import opened_in


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


@pytest.mark.parametrize(
    ("method", "offered"),
    [("rk4", {"step"}), ("dopri5", {"step", "rtol", "atol", "tolerance"}), ("rkqc", {"step", "rtol", "atol"})],
)
def test_only_steps_and_tolerances_that_the_method_has_are_axes(
    window: MainWindow, qtbot: QtBot, method: str, offered: set[str]
) -> None:
    window.session.files.new("rr-swing")
    window.session.edit("method", method)
    if method == "dopri5":
        window.session.edit("rtol", 1e-6)
    wait_done(qtbot, window)
    sheet = opened_in(window)
    for fields in (sheet.across, sheet.up):
        assert {path for path in ("step", "rtol", "atol", "tolerance") if fields.offers(path)} == offered
    sheet.dismiss()


def test_a_refused_map_is_told_by_titles_until_something_else_is_chosen(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("rr-swing")
    session.edit_many({"method": "dopri5", "rtol": 1e-6})
    wait_done(qtbot, window)
    sheet = opened_in(window)
    for fields, path in ((sheet.across, "rtol"), (sheet.up, METHODS)):
        fields.field.show_data(path)
        fields.suggest(path)
    sheet.up.keys.setText("dopri5, rk4")
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    said = sheet.trouble.text()
    assert said.startswith("Relative tolerance must be left out: Runge-Kutta 4 (classical) has no error estimate")
    assert "rk4" not in said
    assert "rtol" not in said
    assert not sheet.desk.measuring
    sheet.up.keys.setText("dopri5")
    assert sheet.trouble.text() == "", "its cause is gone"
    sheet.up.keys.setText("dopri5, rk4")
    sheet.across.field.show_data("step")
    sheet.across.suggest("step")
    sheet.across.count.setText("3")
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring and sheet.desk.result is not None, timeout=PATIENCE)
    assert sheet.trouble.text() == ""
    sheet.dismiss()
