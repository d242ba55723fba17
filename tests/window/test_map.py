"""Maps in the real window: every cell is a run that can be opened, by mouse and by keys, and the map is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from assets.counting import unbroken
from gui.app import units
from gui.charts.figure_style import find_figure_style
from gui.charts.map import MapGrid
from gui.qt.dialogs.map import MapSheet
from gui.qt.export.inside import read_scenarios
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from robots.sweeps.axes import SweepAxis
from robots.sweeps.sweep import SweepResult
from tests.window.conftest import PATIENCE
from tests.window.exporting import answer
from tests.window.hands import drag, turn_wheel

SWING = find_preset("rr-swing").with_value("duration", 0.5)
TWO = (SweepAxis("initial.q1", -1.0, 1.0, 5), SweepAxis("step", 0.01, 0.1, 3, log=True))


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def opened_in(window: MainWindow) -> MapSheet:
    """Run > Map…"""
    window.actions_by_key["run.map"].trigger()
    assert isinstance(window.sheet, MapSheet)
    return window.sheet


def described(window: MainWindow, across: str, up: str, count: int) -> MapSheet:
    sheet = opened_in(window)
    for fields, path in ((sheet.across, across), (sheet.up, up)):
        fields.field.show_data(path)
        fields.suggest(path)
        fields.count.setText(str(count))
    return sheet


def computed(sheet: MapSheet, qtbot: QtBot) -> SweepResult:
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert sheet.trouble.text() == ""
    assert sheet.desk.result is not None
    return sheet.desk.result


def test_a_cell_is_a_run_to_open_and_the_map_is_kept(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "initial.q1", "step", 6)
    assert sheet.across.low.text() == "-360"
    assert sheet.across.unit.text() == "°"
    assert sheet.up.log.isChecked()
    result = computed(sheet, qtbot)
    assert result.sweep.shape == (6, 6)
    number = 3 * 6 + 1
    spot = sheet.diagram.cell(number).center()
    assert sheet.diagram.number_at(spot) == number
    # The first move shows Qt where the pointer is; it may come from outside the window.
    qtbot.mouseMove(sheet.diagram, sheet.diagram.cell(0).center().toPoint())
    qtbot.mouseMove(sheet.diagram, spot.toPoint())
    qtbot.waitUntil(lambda: sheet.facts.text().startswith("angle 1 = 72°"), timeout=PATIENCE)
    qtbot.mouseClick(sheet.diagram, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    opened = window.session.scenario
    assert opened.initial["q1"] == result.sweep.axes[0].values[3]
    assert opened.step == result.sweep.axes[1].values[1]
    run = simulate(opened, repeat=False)
    assert result.readings()["max_error.energy_J"][3, 1] == run.max_error["energy_J"]
    assert result.readings()["final.q1"][3, 1] == run.final["q1"]
    again = opened_in(window)
    assert again.desk.result is not None
    np.testing.assert_array_equal(again.desk.result.numbers, result.numbers)
    assert again.kept.name.text() == "largest error, energy over angle 1 and step"
    window.session.files.save(tmp_path / "kept.json")
    window.session.files.new("rr-pd")
    assert again.desk.result is None
    window.session.files.open(tmp_path / "kept.json")
    again.desk.look()
    assert again.desk.result is not None
    np.testing.assert_array_equal(again.desk.result.numbers, result.numbers)
    again.dismiss()
    form = opened_in(window)
    assert [fields.field.currentData() for fields in (form.across, form.up)] == ["initial.q1", "step"]
    assert (form.across.low.text(), form.across.count.text()) == ("-360", "6")
    assert form.number.currentData() == "max_error.energy_J"
    form.dismiss()


def colours(widget: QWidget) -> set[int]:
    """What it shows, at every seventh pixel."""
    image = widget.grab().toImage()
    return {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}


class Painted(QObject):
    """Notes which widgets are painted; pictures of OpenGL cost the window nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.widgets: list[QWidget] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        painted = event.type() == QEvent.Type.Paint and not isinstance(watched, QOpenGLWidget)
        if painted and isinstance(watched, QWidget):
            self.widgets.append(watched)
        return False


def assert_only_the_map_is_painted(sheet: MapSheet, qtbot: QtBot) -> None:
    """When it changes: the window behind the sheet and its veil are as they were."""
    application, painted = QApplication.instance(), Painted()
    assert application is not None

    def alone() -> bool:
        """What the acts before have changed may be painted meanwhile."""
        painted.widgets.clear()
        sheet.diagram.update()
        qtbot.waitUntil(lambda: sheet.diagram in painted.widgets, timeout=PATIENCE)
        return {*painted.widgets} <= {sheet.diagram, *sheet.diagram.findChildren(QWidget)}

    application.installEventFilter(painted)
    try:
        qtbot.waitUntil(alone, timeout=10_000)
    finally:
        application.removeEventFilter(painted)


def test_keys_walk_over_the_map_and_shift_pins(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "robot.m1", "robot.m2", 4)
    result = computed(sheet, qtbot)
    sheet.diagram.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(sheet.diagram, key)
    assert sheet.diagram.near == 2 * 4 + 1
    qtbot.waitUntil(lambda: sheet.pointer.row is not None, timeout=PATIENCE)
    assert sheet.pointer.row is not None
    assert sheet.pointer.row.scenario.parameters["m1"] == result.sweep.axes[0].values[2]
    qtbot.waitUntil(lambda: len(sheet.arm.rows) == 2)
    qtbot.waitUntil(lambda: len(colours(sheet.arm)) > 50, timeout=PATIENCE)
    assert_only_the_map_is_painted(sheet, qtbot)
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Return, shift)
    assert (sheet.race.isEnabled(), sheet.facts.text().split(" · ")[0]) == (False, "pinned")
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Left)
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Return, shift)
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Left)
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Return, shift)
    qtbot.keyClick(sheet.diagram, Qt.Key.Key_Return, shift)
    assert sorted(sheet.diagram.pins) == [5, 9], "the third one was unpinned again"
    first = window.session.scenario
    qtbot.mouseClick(sheet.race, Qt.MouseButton.LeftButton)
    assert window.session.playback.playing
    assert [row.pinned for row in window.session.runs.all if row.visible] == [True, True]
    window.session.playback.pause()
    assert window.session.scenario == first
    again = opened_in(window)
    assert sorted(again.diagram.pins) == [5, 9]
    again.diagram.point(9)
    qtbot.keyClick(again.diagram, Qt.Key.Key_Space)
    assert window.session.scenario.parameters["m2"] == result.sweep.axes[1].values[1]


def test_a_frame_and_the_wheel_zoom_and_backspace_returns(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "initial.q1", "step", 8)
    whole = computed(sheet, qtbot)
    diagram, desk = sheet.diagram, sheet.desk

    def done() -> bool:
        return not desk.measuring

    corners = (diagram.cell(number).center().toPoint() for number in (2 * 8 + 2, 3 * 8 + 3, 5 * 8 + 5))
    drag(diagram, *corners)
    qtbot.waitUntil(done, timeout=PATIENCE)
    inner = desk.result
    assert inner is not None
    assert inner.sweep.shape == (8, 8)
    for axis, wider in zip(inner.sweep.axes, whole.sweep.axes, strict=True):
        assert wider.values[2] < axis.low < wider.values[3]
        assert wider.values[4] < axis.high < wider.values[5]
    written, inside = sheet.across.axis(window.session.scenario), inner.sweep.axes[0]
    np.testing.assert_array_max_ulp([written.low, written.high], [inside.low, inside.high])  # it is computed again
    turn_wheel(diagram, diagram.cell(4 * 8 + 4).center(), 120)
    qtbot.waitUntil(done, timeout=PATIENCE)
    assert desk.result is not None
    values = desk.result.sweep.axes[0].values
    assert np.ptp(values) == pytest.approx(0.5 * np.ptp(inside.values))
    assert values[3] < inside.values[4] < values[5]
    assert [result.name for result in window.session.results.of("map")] == [
        "largest error, energy over angle 1 and step",
        "largest error, energy over angle 1 and step, zoomed",
    ]
    qtbot.keyClick(diagram, Qt.Key.Key_Backspace)
    assert desk.result is inner, "what was computed is there at once"
    qtbot.mouseClick(sheet.out, Qt.MouseButton.LeftButton)
    assert desk.result is whole
    assert not sheet.out.isEnabled()
    diagram.point(3 * 8 + 1)
    qtbot.mouseClick(sheet.sections.buttons["1"], Qt.MouseButton.LeftButton)
    chart = sheet.section.chart
    assert chart.x.label == "step [s]"
    assert chart.note.startswith("at angle 1 = −51.4286°: ")
    np.testing.assert_array_equal(chart.curves[1].y, whole.readings()["max_error.energy_J"][3])
    diagram.point(None)
    assert sheet.section.chart.note == chart.note, "it stays while the mouse goes to its menu"
    assert sheet.section.whole is not None
    assert sheet.section.whole.y.title == "largest error, energy"
    place = sheet.section.rect().center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(sheet.section, QContextMenuEvent(reason, place, sheet.section.mapToGlobal(place)))
    (menu,) = sheet.section.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert {"Copy data", "Save data…", "Save picture"} <= {action.text() for action in menu.actions()}
    menu.close()
    sheet.section.charted.write_picture(tmp_path / "section.svg", find_figure_style("paper"))
    assert "largest error, energy [J]" in (tmp_path / "section.svg").read_text("utf-8")
    for _ in range(40):
        diagram.zoomed.emit([(axis.values[3], axis.values[4]) for axis in desk.result.sweep.axes])
        desk.stop()
        if sheet.trouble.text():
            break
    assert "must be over values that differ in the first nine digits" in sheet.trouble.text()
    sheet.dismiss()


def test_methods_are_an_axis(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "step", "", 6)
    sheet.up.field.show_data("method")
    sheet.up.suggest("method")
    assert sheet.up.keys.text().startswith("rk4, rk1, rk8")
    sheet.up.keys.setText("rk4, nonsense")
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert "nonsense" in sheet.trouble.text()
    sheet.up.keys.setText("rk4, rk1")
    result = computed(sheet, qtbot)
    assert result.sweep.shape == (2, 6)
    chart, grid = sheet.diagram.chart, MapGrid(result)
    assert chart.y.names == ("rk4", "rk1")
    assert chart.colours is not None
    np.testing.assert_array_equal(chart.colours.values[1], result.readings()["max_error.energy_J"][0])
    assert grid.places(3) == (3, 1)
    assert grid.number((3, 1)) == 3
    sheet.charted.write_picture(tmp_path / "map.pdf", find_figure_style("paper"))
    assert b"/DCTDecode" not in (tmp_path / "map.pdf").read_bytes(), "a photograph's compression changes colours"
    qtbot.mouseClick(sheet.diagram, Qt.MouseButton.LeftButton, pos=sheet.diagram.cell(9).center().toPoint())
    assert window.session.scenario.method == "rk1"
    assert window.session.scenario.step == result.sweep.axes[0].values[3]


def test_one_field_gives_a_curve_and_pictures_and_tables_are_written(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.edit("duration", 0.5)
    sheet = described(window, "step", "", 9)
    assert not sheet.up.low.isEnabled()
    result = computed(sheet, qtbot)
    assert sheet.diagram.chart.curves[0].x.size == 9
    assert sheet.diagram.number_at(sheet.diagram.cell(4).center()) == 4
    menu = sheet.save.menu()
    menu.aboutToShow.emit()
    lanes, start = list[str](), window.session.jobs.start
    with monkeypatch.context() as patch:
        patch.setattr(window.session.jobs, "start", lambda job, lane: (lanes.append(lane), start(job, lane)))
        next(action for action in menu.actions() if action.text() == "Save data…").trigger()
        answer(window, tmp_path / "map.csv")
        (pictures,) = (action.menu() for action in menu.actions() if action.text() == "Save picture")
        next(action for action in pictures.actions() if action.text() == "Paper…").trigger()
        answer(window, tmp_path / "drawn.png")
    assert lanes == ["disk"] * 2, "a table of a million rows would stop the window for seconds"
    drawn = "Saved drawn.png"
    qtbot.waitUntil(lambda: window.banner.label.text() == drawn, timeout=PATIENCE)
    assert len((tmp_path / "map.csv").read_text().splitlines()) == 10
    sheet.charted.write_data(tmp_path / "map.npz")
    for suffix in ("svg", "pdf", "png"):
        sheet.charted.write_picture(tmp_path / f"map.{suffix}", find_figure_style("paper"))
        assert (tmp_path / f"map.{suffix}").stat().st_size > 1000
    assert "<title>The arm falls</title>" in (tmp_path / "map.svg").read_text("utf-8")
    for suffix in ("svg", "pdf", "png", "csv", "npz"):
        (inside,) = read_scenarios(tmp_path / f"map.{suffix}")
        assert inside.hash() == result.sweep.scenario.hash(), suffix
    assert (tmp_path / "drawn.png").read_bytes() == (tmp_path / "map.png").read_bytes(), "a thread draws the same"
    assert Image.open(tmp_path / "map.png").size[0] == round(85 / 25.4 * 600)
    assert result.sweep.shape == (9,)
    sheet.dismiss()


def test_refused_ranges(window: MainWindow, qtbot: QtBot) -> None:
    sheet = described(window, "robot.m1", "", 5)
    sheet.across.log.setChecked(False)
    must = "Horizontal axis must be a range"
    for low, high, count, sentence in [
        ("2", "1", "5", f"{must} whose first number is below its second, got '2 to 1, 5 values'"),
        ("a", "1", "5", "Horizontal axis must be a number, got 'a'"),
        ("1", "", "5", "Horizontal axis must be a number, got nothing"),
        ("1", "2", "x", f"{must} with a count from 2 to 100000, got '1 to 2, x values'"),
        ("1", "2", "200000", f"{must} with a count from 2 to 100000, got '1 to 2, 200000 values'"),
        ("-1", "2", "5", "Mass 1 must be above 0 kg, got -1"),
    ]:
        sheet.across.low.setText(low)
        sheet.across.high.setText(high)
        sheet.across.count.setText(count)
        qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
        assert sheet.trouble.text() == unbroken(sentence)
        assert not sheet.desk.measuring
    sheet.dismiss()
    sheet = described(window, "robot.m1", "robot.m2", 1001)
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert sheet.trouble.text() == "Count must be at most 1000000 runs in all, got 1002001"
    sheet.dismiss()


def begin_and_stop(sheet: MapSheet, qtbot: QtBot, when: Callable[[], bool]) -> None:
    for ready in (when, lambda: not sheet.desk.measuring):
        qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(ready, timeout=PATIENCE)


def test_computing_can_be_stopped_and_what_is_there_is_kept(window: MainWindow, qtbot: QtBot) -> None:
    assert sys.getswitchinterval() < 1e-3, "while runs are computed, frames do not wait for the interpreter"
    sheet = described(window, "robot.m1", "robot.m2", 100)
    begin_and_stop(sheet, qtbot, lambda: sheet.left.text().startswith("About "))
    result = sheet.desk.result
    assert result is not None
    assert 0 < len(result.missing) < result.sweep.size
    assert sheet.desk.kept is not None
    assert sheet.left.text() == ""
    assert sheet.facts.text().startswith(f"Stopped: {units.count(10_000 - len(result.missing))} of ")
    there = result.numbers[done := result.status >= 0].copy()
    for forget in (False, True):
        assert sheet.measure.text() == "Go on"
        sheet.across.count.setText("99")
        assert sheet.measure.text() == "Compute"
        sheet.across.count.setText("100")
        if forget:
            sheet.desk.forget()
        begin_and_stop(sheet, qtbot, lambda: sheet.desk.progress > 0.0)
        np.testing.assert_array_equal(sheet.desk.result.numbers[done], there)  # type: ignore[union-attr]
        kept = window.session.results.of("map")
        assert len(kept) == 1 + forget, "what goes on is the same map"
        assert kept[-1] is sheet.desk.kept
    sheet.dismiss()


def test_a_preset_opens_its_map_and_computes_it(window: MainWindow, qtbot: QtBot) -> None:
    window.files.open_preset("map-tolerance")
    sheet = window.sheet
    assert isinstance(sheet, MapSheet)
    assert sheet.desk.measuring
    assert (sheet.across.field.currentData(), sheet.up.field.currentData()) == ("tolerance", "initial.q1")
    assert sheet.up.low.text() == "-90"
    assert sheet.number.currentData() == "rhs_evaluations"
    qtbot.waitUntil(lambda: sheet.desk.progress > 0.0 or not sheet.desk.measuring, timeout=PATIENCE)
    sheet.desk.stop()
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert sheet.desk.kept is not None
    assert not window.session.files.dirty, "nobody has changed anything"
    assert not window.session.history.undo_text
    sheet.desk.rename("mine")
    assert window.session.files.dirty
    window.session.history.undo()
    sheet.dismiss()
    window.session.edit_many({"method": "rk4", "step": 0.01})
    again = opened_in(window)
    assert again.desk.result is not None
    assert again.desk.result.sweep.axes[0].field == "tolerance"
    assert again.across.field.currentData() == "step", "a scenario with a fixed step has no tolerance to choose"
    again.dismiss()


def test_the_map_that_a_scenario_proposes_is_there_however_it_was_opened(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("map-gain")
    sheet = opened_in(window)
    axes = [fields.axis(session.scenario) for fields in (sheet.across, sheet.up)]
    wanted = find_preset("map-gain").view["map"].split(";")
    assert [axis and f"{axis.field}=" in text for axis, text in zip(axes, wanted, strict=False)] == [True, True]
    sheet.dismiss()
    window.files.begin(gallery=False)
    assert session.maps.measuring, "a preset that is given at the start opens its map"
    session.maps.stop()
    window.sheet.dismiss()
