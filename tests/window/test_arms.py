"""Arms in the window: files that are dropped, chosen, reported and repaired, and the arms that come with Armstep."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.imports.logs import LogSheet
from gui.qt.dialogs.imports.robots import RobotArguments, RobotChoice, RobotReport
from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.plots.curve_menu import CurveMenu
from gui.qt.plots.plot import PlotWidget
from gui.qt.viewport.overlays import link_numbers
from gui.qt.widgets.fields import NumberRow
from gui.qt.widgets.file_row import FileRow
from tests.robots.test_meshes import CORNERS, CUBE, arm, binary_stl
from tests.robots.test_robot_folders import zipped
from tests.robots.test_xacro import ARM as XACRO
from tests.scene.test_stands import ARMS, LONG
from tests.window.hands import wait_done
from tests.window.test_opening import panel_of
from tests.window.test_shell_viewport import on_screen

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.qt.viewport.viewport import Viewport
    from gui.qt.window.main_window import MainWindow


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "arm_description"
    (folder / "urdf").mkdir(parents=True)
    (folder / "meshes").mkdir()
    (folder / "meshes" / "a.stl").write_bytes(binary_stl(0.2 * CORNERS, CUBE))
    arm(folder / "urdf", "package://arm_description/meshes/a.stl")
    return folder


def drop(window: MainWindow, file: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(300, 300), copy, mime, left, Qt.KeyboardModifier.NoModifier))


def wait_still(qtbot: QtBot, window: MainWindow) -> None:
    """Until the current run is that of the scenario; no motion is drawn meanwhile, which takes long without a GPU."""
    window.session.playback.pause()
    window.session.playback.play_when_ready = False
    wait_done(qtbot, window)


def lines(sheet: RobotReport) -> list[str]:
    return sheet.list.toPlainText().splitlines()


def scenario_panel(window: MainWindow) -> ScenarioPanel:
    panel = panel_of(window, "scenario")
    assert isinstance(panel, ScenarioPanel)
    return panel


def card(window: MainWindow) -> str:
    return scenario_panel(window).summary.text()


def test_a_folder_and_a_zip_are_dropped_and_move_at_once(
    window: MainWindow, qtbot: QtBot, package: Path, tmp_path: Path
) -> None:
    for source in (package, zipped(package, tmp_path / "arm.zip")):
        drop(window, source)
        wait_done(qtbot, window)
        assert window.session.playback.playing
        assert window.sheet is None
        model = window.session.scenario.model
        assert model is not None
        assert [visual.kind for visual in model.links[1].visuals] == ["mesh"]
        assert window.actions_by_key["file.robot"].isEnabled()
    window.actions_by_key["file.robot"].trigger()
    assert isinstance(window.sheet, RobotReport)
    tip = "Its tip is at joint j: no frame lies beyond it."
    assert window.sheet.summary.text() == f"The arm moves by its dynamics. {tip}"
    qtbot.mouseClick(window.sheet.closing, Qt.MouseButton.LeftButton)
    assert window.session.files.new("rr-swing")
    assert not window.actions_by_key["file.robot"].isEnabled()


def test_a_rod_that_hangs_is_seen_and_what_its_file_lacks_is_said(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.session.view.set(theme="light")
    window.resize(1280, 720)
    (tmp_path / "one.urdf").write_text(f"<robot name='one'>{ARMS['hanging'][0]}</robot>", encoding="utf-8")
    drop(window, tmp_path / "one.urdf")
    wait_still(qtbot, window)
    lacks, view = "Its tip is at joint swing: no frame lies beyond it.", window.viewport
    assert view is not None
    qtbot.waitUntil(lambda: view.renderer is not None and "evaluations" in window.notice.text())
    assert window.notice.shown_text().startswith(lacks), "before the status of the run"
    for key in ("camera.front", "camera.right", "camera.iso"):
        window.actions_by_key[key].trigger()
        qtbot.waitUntil(lambda: view.pick(middle_of_rod(view)) == (0, 1))
    window.session.edit("initial.q1", 1.0)
    wait_still(qtbot, window)
    qtbot.waitUntil(lambda: "evaluations" in window.notice.text() and lacks not in window.notice.text())


def middle_of_rod(view: Viewport) -> QPoint:
    place = view.picture().actors[0].pose.world_from_link[1] @ [0.0, 0.0, -0.5 * LONG, 1.0]
    return on_screen(view, place[:3])


def test_one_of_several_robots_is_chosen(window: MainWindow, qtbot: QtBot, package: Path) -> None:
    text = (package / "urdf" / "arm.urdf").read_text()
    (package / "urdf" / "other.urdf").write_text(text.replace('name="arm"', 'name="other arm"'))
    drop(window, package)
    sheet = window.sheet
    assert isinstance(sheet, RobotChoice)
    assert [sheet.list.item(k).text() for k in range(sheet.list.count())] == ["urdf/arm.urdf", "urdf/other.urdf"]
    qtbot.keyClick(sheet.list, Qt.Key.Key_Down)
    qtbot.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
    wait_still(qtbot, window)
    assert window.session.scenario.title == "other arm"


def test_meshes_elsewhere_are_asked_for_once(
    window: MainWindow, qtbot: QtBot, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alone").mkdir()
    drop(window, arm(tmp_path / "alone", "package://arm_description/meshes/a.stl"))
    sheet = window.sheet
    assert isinstance(sheet, RobotReport)
    said = "mesh 'package://arm_description/meshes/a.stl' of link upper is not drawn: 'alone' has no such file"
    assert lines(sheet)[:3] == ["Missing meshes (1)", "4", said]
    assert sheet.folder_button.hasFocus()
    assert not sheet.repair_button.isVisible()
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(package)))
    qtbot.mouseClick(sheet.folder_button, Qt.MouseButton.LeftButton)
    assert window.sheet is None
    wait_still(qtbot, window)
    model = window.session.scenario.model
    assert model is not None
    assert [visual.kind for visual in model.links[1].visuals] == ["mesh"]


def test_a_repair_is_offered_shown_and_undone(window: MainWindow, qtbot: QtBot, package: Path) -> None:
    file = package / "urdf" / "arm.urdf"
    file.write_text(file.read_text().replace('<mass value="1"/>', '<mass value="-1"/>'))
    drop(window, file)
    wait_still(qtbot, window)
    sheet = window.sheet
    assert isinstance(sheet, RobotReport)
    said = ["Impossible masses and inertias (1)", "1", "link upper must have a mass above 0 kg, got -1"]
    assert lines(sheet)[:3] == said
    assert "moves by kinematics only" in sheet.summary.text()
    assert not window.session.edit("task.torque", "none")
    said_why = window.session.messages.problems["task.torque"]
    assert said_why.startswith(
        "Motion must be one of computed torque along a move, computed torque along a log, none: the"
    )
    assert "link upper must have a mass above 0 kg" in said_why
    assert sheet.repair_button.hasFocus()
    qtbot.keyClick(sheet.repair_button, Qt.Key.Key_Return)
    wait_still(qtbot, window)
    assert window.sheet is None
    assert "Repaired: upper: mass -1 -> " in card(window)
    assert window.session.scenario.task["torque"] == "none"
    window.actions_by_key["edit.undo"].trigger()
    wait_still(qtbot, window)
    assert "Moves by kinematics only: link upper must have a mass above 0\u00a0kg, got -1." in card(window)
    window.actions_by_key["file.robot"].trigger()
    assert isinstance(window.sheet, RobotReport)
    assert window.sheet.repair_button.isVisible()


def test_the_arguments_of_a_xacro_file_are_asked_for(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(XACRO.replace('name="size" default="0.4"', 'name="size" default="0.4"/><xacro:arg name="kind"'))
    for typed, centre in (("1.2", 0.6), ("", 0.2)):
        drop(window, file)
        sheet = window.sheet
        assert isinstance(sheet, RobotArguments)
        assert [(name, field.text()) for name, field in sheet.fields.items()] == [("size", "0.4"), ("kind", "")]
        sheet.fields["kind"].setText("any")
        size = sheet.fields["size"]
        assert size.hasFocus()
        size.selectAll()
        qtbot.keyClicks(size, typed or "0.4")
        qtbot.keyClick(size, Qt.Key.Key_Return)
        assert not window.session.messages.problems
        wait_still(qtbot, window)
        assert window.session.scenario.model is not None
        assert window.session.scenario.model.links[1].centre[2] == centre
    drop(window, file)
    sheet = window.sheet
    assert isinstance(sheet, RobotArguments)
    assert not sheet.trouble.isVisible()
    sheet.fields["size"].setText("0.7")
    qtbot.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
    assert "a value for argument 'kind'" in window.session.messages.problems["file"]
    again = window.sheet
    assert isinstance(again, RobotArguments)
    assert again is not sheet
    assert again.trouble.text() == window.session.messages.problems["file"]
    assert again.fields["size"].text() == "0.7", "what was typed stays"
    assert again.fields["size"].hasFocus()
    qtbot.keyClick(again, Qt.Key.Key_Escape)
    assert window.sheet is None
    window.actions_by_key["file.robot"].trigger()
    assert isinstance(window.sheet, RobotReport), "a question that was left is not asked again"


def test_a_refused_file_leaves_what_is_open(window: MainWindow, tmp_path: Path) -> None:
    before = window.session.scenario
    (tmp_path / "bad.urdf").write_text("<robot>\n<link/></robot>")
    drop(window, tmp_path / "bad.urdf")
    assert "bad.urdf, line 2, must be a <link> with a name" in window.session.messages.problems["file"]
    assert window.session.scenario is before


def test_a_log_is_dropped_and_becomes_a_ghost_or_the_motion_to_follow(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "walk.csv"
    log.write_text("t,shoulder,elbow\n0,0,60\n0.2,10,55\n0.4,15,50\n")
    drop(window, log)
    assert "robot must be an arm from a robot file" in window.session.messages.problems["file"]
    assert not window.actions_by_key["file.log"].isEnabled()
    assert window.session.files.new("scara-pick")
    wait_still(qtbot, window)
    drop(window, log)
    sheet = window.sheet
    assert isinstance(sheet, LogSheet)
    assert sheet.summary.text() == "3 rows, 0.4\u00a0s. Positions of 2 of 4 joints; slide, turn stay where they start."
    assert sheet.load_button.hasFocus()
    qtbot.mouseClick(sheet.unit.buttons["deg"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(sheet.use.buttons["ghost"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(sheet.load_button, Qt.MouseButton.LeftButton)
    (pin,) = window.session.history.present.pins
    assert pin.tag.name == "walk"
    assert pin.scenario.initial["q2"] == pytest.approx(math.pi / 3.0)
    assert window.session.scenario.task["torque"] == "computed"
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(log)))
    window.actions_by_key["theme.projector"].trigger()
    window.actions_by_key["file.log"].trigger()
    assert isinstance(window.sheet, LogSheet)
    for row in (window.sheet.use, window.sheet.unit):
        assert row.height() >= row.sizeHint().height()
    qtbot.mouseClick(window.sheet.unit.buttons["deg"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.sheet.load_button, Qt.MouseButton.LeftButton)
    wait_still(qtbot, window)
    run = window.session.runs.current.run
    assert run is not None
    assert window.session.scenario.task["torque"] == "log-motion"
    assert run.max_error["log_q_rad"] < 1e-4
    row = scenario_panel(window).forms["task."].rows["task.log"]
    assert isinstance(row, FileRow)
    assert row.load.text() == "3 rows; load…"
    log.write_text("t,shoulder\n0,0\n0,1\n")
    qtbot.mouseClick(row.load, Qt.MouseButton.LeftButton)
    assert "walk.csv line 3, t must be above 0 s" in window.session.messages.problems["file"]
    window.actions_by_key["edit.undo"].trigger()
    window.actions_by_key["edit.undo"].trigger()
    assert window.session.scenario.task["torque"] == "computed"
    assert not window.session.history.present.pins


def test_an_arm_opens_from_its_group_in_the_gallery_and_moves(window: MainWindow, qtbot: QtBot) -> None:
    window.files.new()
    qtbot.waitUntil(lambda: isinstance(window.sheet, Gallery))
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    groups = {card.key: card.group for card in gallery.cards}
    assert {groups[key] for key in ("panda-drop", "so101-reach", "scara-pick", "pendulum-chain")} == {"Robots"}
    qtbot.keyClicks(gallery.search, "Panda motors")
    (card,) = gallery.found()
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.scenario.name == "panda-drop")
    wait_still(qtbot, window)
    run = window.session.runs.current.run
    assert run is not None
    assert run.status.ok
    assert run.y.shape[1] == 14


def test_the_number_of_links_is_typed_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("pendulum-twins")
    wait_still(qtbot, window)
    row = scenario_panel(window).forms["robot."].rows["robot.links"]
    assert isinstance(row, NumberRow)
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    row.number.selectAll()
    QTest.keyClicks(row.number, "12")
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    wait_still(qtbot, window)
    run = window.session.runs.current.run
    assert run is not None
    assert run.y.shape[1] == 24
    assert window.session.scenario.initial["q1"] == 1.2
    assert "initial.q12" in scenario_panel(window).forms["initial."].rows
    window.session.history.undo()
    wait_still(qtbot, window)
    assert "initial.q12" not in scenario_panel(window).forms["initial."].rows
    assert scenario_panel(window).forms["robot."].rows["robot.links"] is row
    qtbot.mouseClick(row.number, Qt.MouseButton.LeftButton)
    row.number.selectAll()
    QTest.keyClicks(row.number, "40")
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert window.session.messages.problems["robot.links"] == "Links must be a whole number from 1 to 32, got 40"
    assert window.session.scenario.parameters["links"] == 3


def test_fields_of_many_joints_are_searched(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("pendulum-chain")
    wait_still(qtbot, window)
    panel = scenario_panel(window)
    qtbot.waitUntil(panel.search.isVisible)

    def shown() -> set[str]:
        rows = [(path, row) for form in panel.forms.values() for path, row in form.rows.items()]
        return {path for path, row in rows if row.isVisibleTo(panel)}

    everything = shown()
    qtbot.mouseClick(panel.search, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(panel.search, "position 10")
    assert shown() == {"initial.q10"}
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "initial rate")
    assert shown() == {f"initial.v{number}" for number in range(1, 11)}
    assert panel.forms["initial."].rows["initial.v10"].name == "Rate of joint 10"
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "rad q7")
    assert shown() == {"initial.q7", "initial.v7", "robot.d7"}
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "no such thing")
    assert shown() == set()
    assert panel.unfound.isVisible()
    _search_curves(window, qtbot)
    window.session.files.new("rr-swing")
    wait_still(qtbot, window)
    assert panel.search.text() == ""
    assert panel.search.isHidden()
    window.session.files.new("pendulum-chain")
    wait_still(qtbot, window)
    assert shown() == everything


def _search_curves(window: MainWindow, qtbot: QtBot) -> None:
    """Many curves are searched in the plot's menu, and those that are found stay alone."""
    charts = next(dock.panel for dock in window.docks if isinstance(dock.panel, PlotsPanel))
    plot = next(view for view in charts.findChildren(PlotWidget) if view.plot.key == "joints")
    qtbot.waitUntil(lambda: len(plot.legend.entries) == 10)
    menu = plot.menu()
    curves = menu.findChild(CurveMenu)
    assert isinstance(curves, CurveMenu)
    menu.popup(plot.mapToGlobal(QPoint(0, 0)))
    curves.popup(plot.mapToGlobal(QPoint(20, 20)))
    qtbot.waitUntil(curves.search.hasFocus)
    qtbot.keyClicks(curves.search, "q10")
    found = [action.text() for action in curves.actions() if action.isCheckable() and action.isVisible()]
    assert found == ["q₁₀"]
    qtbot.mouseClick(curves, Qt.MouseButton.LeftButton, pos=curves.actionGeometry(curves.alone).center())
    qtbot.waitUntil(lambda: [entry.name for entry in plot.legend.entries if not entry.off] == ["q₁₀"])
    menu.close()


def test_a_number_of_a_link_that_rounds_to_zero_has_no_sign(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-swing")
    window.session.edit_many({"initial.v1": -1e-9, "initial.v2": -1e-9})
    wait_done(qtbot, window)
    _, lines = link_numbers(window.session.runs.current, 0.0, 1, degrees=True)
    assert next(value for key, value in lines if key.startswith("v")) == "0.000\u00a0°/s"
    assert not [value for _, value in lines if value.startswith("\N{MINUS SIGN}0.000\u00a0")]
