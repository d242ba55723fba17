"""A method of one's own in a work-precision diagram: it keeps its name, and its coefficients, once another is used."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.app.desks.work_precision import OWN
from gui.qt.dialogs.work_precision import KEY, WorkPrecisionSheet, open_work_precision
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE

HEUN = "tableau 1; name Heun; A 1/3; A 0, 2/3; b 1/4, 0, 3/4"


def listed(sheet: WorkPrecisionSheet) -> dict[str, str]:
    """The names in the list by the keys of their methods, with a sign for those that have points."""
    rows = [sheet.methods.item(row) for row in range(sheet.methods.count())]
    return {row.data(KEY): row.text() + ("" if row.icon().isNull() else " ●") for row in rows}


def measure(sheet: WorkPrecisionSheet, qtbot: QtBot, *methods: str) -> None:
    for row in range(sheet.methods.count()):
        item = sheet.methods.item(row)
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            item.setCheckState(Qt.CheckState.Checked if item.data(KEY) in methods else Qt.CheckState.Unchecked)
    sheet.controlled.box.setChecked(False)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)


def test_an_own_method_keeps_its_name_and_is_measured_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session = window.session
    session.edit_many({"method": OWN, "options.tableau": HEUN, "duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    assert listed(sheet)[OWN] == "Heun"
    measure(sheet, qtbot, OWN)
    assert listed(sheet)[OWN] == "Heun ●"
    sheet.dismiss()
    session.edit("method", "rk4")
    session.files.save(tmp_path / "kept.json")
    session.files.new("rr-pd")
    sheet = open_work_precision(window, session)
    assert listed(sheet)[OWN] == "Your own method", "another document knows nothing of it"
    sheet.dismiss()
    session.files.open(tmp_path / "kept.json")
    again = open_work_precision(window, session)
    assert listed(again)[OWN] == "Heun ●"
    assert "Your own method" not in " ".join(listed(again).values())
    measure(again, qtbot, OWN, "rk4")
    assert {point.scenario.options.get("tableau") for point in again.desk.points if point.method == OWN} == {
        session.scenario.with_values({"method": OWN, "options.tableau": HEUN}).options["tableau"]
    }
    again.dismiss()


def test_two_own_methods_have_a_row_each(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.edit_many({"method": OWN, "options.tableau": HEUN, "duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, OWN)
    sheet.dismiss()
    session.edit("options.tableau", HEUN.replace("Heun", "Mine"))
    sheet = open_work_precision(window, session)
    found = listed(sheet)
    assert found[OWN] == "Mine"
    assert found["own Heun"] == "Heun ●"
    sheet.dismiss()
