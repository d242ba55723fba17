from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from assets.errors import BadInput
from gui.charts.figure_style import find_figure_style
from gui.qt.dialogs.studies import StudySheet
from gui.qt.dialogs.study_figures import SHOWN, FigureGrid
from gui.qt.drawing.study_page import style_for, whole_page
from gui.qt.export.inside import read_scenarios
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.plots.axes_view import AxesView
from gui.qt.plots.time_plot import TimePlot
from gui.qt.viewport.overlays import link_numbers
from gui.qt.viewport.viewport import Viewport
from gui.qt.widgets.table_field import TableRow, read_csv
from gui.qt.window.main_window import MainWindow
from robots.model.registry import find_robot
from scene import camera as cameras
from solvers.method_registry import find_method
from tests.numbers import typed
from tests.window.conftest import PATIENCE


def panel(window: MainWindow, key: str) -> Any:
    return next(dock.panel for dock in window.docks if dock.kind.key == key)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until every row's run is that of its scenario."""
    qtbot.waitUntil(
        lambda: all(
            row.state == "done" and row.run is not None and row.run.scenario == row.scenario
            for row in window.session.runs.all
        ),
        timeout=PATIENCE,
    )


def type_cell(row: TableRow, at: tuple[int, int], text: str) -> None:
    cell = row.table.item(*at)
    assert cell is not None
    cell.setText(text)


def drawn(window: MainWindow) -> Viewport:
    assert window.viewport is not None
    return window.viewport


def mouse(view: Viewport, kind: QEvent.Type, at: QPoint, held: bool) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    place = QPointF(at)
    buttons = left if held else none
    event = QMouseEvent(kind, place, view.mapToGlobal(place), button, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, event)


def on_screen(view: Viewport, point: np.ndarray) -> QPoint:
    x, y, _ = cameras.project(view.camera(), (view.width(), view.height()), point)[0]
    return QPoint(round(x), round(y))


@pytest.fixture
def circle(open_one: Callable[..., MainWindow]) -> MainWindow:
    return open_one(file="pa10-circle", gallery=False)


@pytest.fixture
def weld(open_one: Callable[..., MainWindow], qtbot: QtBot) -> MainWindow:
    window = open_one(file="pa10-weld", gallery=False)
    qtbot.waitUntil(lambda: drawn(window).renderer is not None, timeout=PATIENCE)
    return window


def test_six_methods_and_four_rates_while_it_plays(circle: MainWindow, qtbot: QtBot) -> None:
    integrator = panel(circle, "integrator")
    assert isinstance(integrator, IntegratorPanel)
    session, quick = circle.session, integrator.quick
    session.edit("duration", 4.0)
    session.playback.loop = True  # on a slow machine it would come to its end
    session.playback.play()
    assert len(quick.methods) == 6
    assert list(quick.steps) == [1.0, 0.1, 0.01, 0.001]
    for key, button in quick.methods.items():
        button.click()
        assert find_method(session.scenario.method) is find_method(key)
        settle(circle, qtbot)
        assert button.isChecked()
    for step, button in quick.steps.items():
        button.click()
        settle(circle, qtbot)
        run = session.runs.current.run
        assert run is not None
        assert run.scenario.step == step
        assert run.counts.steps == round(4.0 / step)
    assert session.playback.playing
    session.playback.pause()


def test_all_methods_side_by_side_are_one_undo_step(circle: MainWindow, qtbot: QtBot) -> None:
    session, quick = circle.session, panel(circle, "integrator").quick
    session.edit("duration", 4.0)
    assert all("to the pinned runs" in one.toolTip() for one in (quick.all_methods, quick.all_steps))
    quick.all_methods.click()
    settle(circle, qtbot)
    wanted = {find_method(key).key for key in quick.methods}
    assert {find_method(row.scenario.method).key for row in session.runs.all} == wanted
    assert {row.scenario.step for row in session.runs.all} == {0.1}
    assert len({(row.colour, row.dash) for row in session.runs.all}) == 6
    quick.all_steps.click()
    settle(circle, qtbot)
    assert {row.scenario.step for row in session.runs.all} == {0.001, 0.01, 0.1, 1.0}
    session.history.undo()
    assert len(session.runs.all) == 6
    session.history.undo()
    assert len(session.runs.all) == 1


def test_plots_suit_a_robot_that_tracks_a_path(circle: MainWindow, qtbot: QtBot) -> None:
    plots = panel(circle, "plots")
    assert isinstance(plots, PlotsPanel)
    qtbot.waitUntil(lambda: bool(plots.plots) and plots.plots["error"].settled, timeout=PATIENCE)
    shown = {key for key, plot in plots.plots.items() if plot.isVisible()}
    assert {"error", "orientation", "limits", "singularity"} <= shown
    assert "energy" not in shown
    assert plots.plots["error"].chart.variant == "position_m"
    assert plots.plots["orientation"].chart.y.unit == "", "the sine, which has none, comes first"
    circle.session.files.new("rr-swing")
    qtbot.waitUntil(lambda: plots.plots["energy"].isVisible(), timeout=PATIENCE)
    assert not plots.plots["singularity"].isVisible()
    assert not plots.plots["orientation"].isVisible()


def test_the_band_turns_amber_near_a_singular_posture(open_one: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = open_one(file="pa10-singular", gallery=False)
    plots = panel(window, "plots")
    qtbot.waitUntil(lambda: bool(plots.plots) and plots.plots["singularity"].settled, timeout=PATIENCE)
    plot = plots.plots["singularity"]
    assert isinstance(plot, TimePlot)
    assert not plot.bands.warning
    window.session.view.set(ellipsoid=True)
    assert drawn(window).picture().ellipsoids[0].colour != (0.90, 0.62, 0.0)

    def tones() -> set[str]:
        """The colours on the screen of the band, far from the playhead: a grab of the plot would draw it again."""
        view = plot.findChild(AxesView)
        assert view is not None
        corner, width = view.mapToGlobal(QPoint(0, 0)), view.width()
        image = window.screen().grabWindow(0, corner.x(), corner.y(), width, view.height()).toImage()  # type: ignore[arg-type]
        return {image.pixelColor(int(share * width), int(0.66 * view.height())).name() for share in (0.3, 0.45, 0.9)}

    area = next(area for area in plots.findChildren(QScrollArea) if area.isAncestorOf(plot))
    window.raise_()  # above the windows of other tests

    def calm_band() -> bool:
        area.ensureWidgetVisible(plot)  # plots above it may still grow
        return len(tones()) == 1 and "#ffffff" not in tones()

    qtbot.waitUntil(calm_band, timeout=PATIENCE)
    calm = tones()
    window.session.playback.seek(6.283)
    qtbot.waitUntil(lambda: plot.bands.warning, timeout=PATIENCE)
    qtbot.waitUntil(lambda: len(tones()) == 1 and not tones() & calm, timeout=PATIENCE)
    assert drawn(window).picture().ellipsoids[0].colour == (0.90, 0.62, 0.0)


def test_handles_wait_for_a_run_of_their_robot(window: MainWindow, qtbot: QtBot, monkeypatch: Any) -> None:
    """Asking a robot for its path compiles its kernels, which the window must not wait for."""
    view = window.viewport
    assert view is not None
    asked = []
    robot = type(find_robot("e12"))
    path = robot.desired_path

    def desired_path(self: Any, *way: Any) -> Any:
        # The run's own thread may ask: it looks where the camera stands.
        if current_thread() is main_thread():
            asked.append(True)
        return path(self, *way)

    monkeypatch.setattr(robot, "desired_path", desired_path)
    window.session.files.new("e12")
    shown = window.session.runs.current.run
    assert shown is None or shown.scenario.robot != "e12", "no run of it yet"
    assert view.handles.places() is None
    assert not asked
    settle(window, qtbot)
    view.picture()
    assert asked


def test_a_way_point_is_dragged_and_the_drag_undone(weld: MainWindow, qtbot: QtBot) -> None:
    session, view = weld.session, drawn(weld)
    before = session.scenario.task["points"]
    places = view.handles.places()
    assert places is not None
    assert len(places) == 4
    start = on_screen(view, places[2])
    mouse(view, QEvent.Type.MouseMove, start, False)
    assert view.handles.under == 2
    camera = view.camera()
    mouse(view, QEvent.Type.MouseButtonPress, start, True)
    for step in range(1, 7):
        mouse(view, QEvent.Type.MouseMove, start + QPoint(4 * step, -3 * step), True)
        QApplication.processEvents()
    mouse(view, QEvent.Type.MouseButtonRelease, start + QPoint(24, -18), False)
    assert session.scenario.task["points"] != before
    assert view.camera() == camera
    moved = view.handles.places()
    assert moved is not None
    np.testing.assert_allclose(moved[[0, 1, 3]], places[[0, 1, 3]], atol=1e-4)
    there = on_screen(view, moved[2]) - start
    assert abs(there.x() - 24) <= 2
    assert abs(there.y() + 18) <= 2
    settle(weld, qtbot)
    session.history.undo()
    assert session.scenario.task["points"] == before
    assert not session.history.can_undo


def test_way_points_are_typed_added_and_refused(weld: MainWindow, qtbot: QtBot) -> None:
    scenario_panel = panel(weld, "scenario")
    assert isinstance(scenario_panel, ScenarioPanel)
    table = scenario_panel.forms["task."].rows["task.points"]
    assert isinstance(table, TableRow)
    session = weld.session
    assert len(table.rows()) == 5
    type_cell(table, (1, 2), "0,03")
    assert session.scenario.task["points"].split("; ")[1] == "-0.05 0.08 0.03"
    before = session.scenario.task["points"]
    type_cell(table, (1, 2), "high")
    assert session.scenario.task["points"] == before
    assert table.complaint.text() == "z of row 2 must be a number, got 'high'"
    assert table.rows()[1][2] == "high"
    for text, value in (("1 cm", "0.01"), ("1/8", "0.125"), ("10 mm", "0.01")):
        type_cell(table, (1, 2), text)
        assert (table.complaint.text(), table.rows()[1][2]) == ("", value)
    table.table.setCurrentCell(0, 0)
    table.add.click()
    assert len(table.rows()) == 6
    assert session.scenario.task["points"].split("; ")[1] == "-0.025 0.04 0.005"
    table.drop.click()
    assert len(session.scenario.task["points"].split("; ")) == 5


def test_way_points_come_from_a_file(weld: MainWindow, tmp_path: Path) -> None:
    table = panel(weld, "scenario").forms["task."].rows["task.points"]
    file = tmp_path / "seam.csv"
    file.write_text("x,y,z\n0,0,0\n0.01,0.1,0\n0.02,0.2,0.01\n", encoding="utf-8")
    table.load_file(file)
    assert weld.session.scenario.task["points"] == "0 0 0; 0.01 0.1 0; 0.02 0.2 0.01"
    weld.session.history.undo()
    assert len(table.rows()) == 5
    file.write_text("0,0,0\n0.01,nan,0\n", encoding="utf-8")
    table.load_file(file)
    assert "line 2" in table.complaint.text()
    assert len(table.rows()) == 5


@pytest.mark.parametrize("text", ["0 0 0\n1 2 3\n", "0;0;0\n1;2,5;3\n", "# seam\nx\ty\tz\n0\t0\t0\n1\t2\t3\n"])
def test_files_of_points_in_many_manners(tmp_path: Path, text: str) -> None:
    file = tmp_path / "points.txt"
    file.write_text(text, encoding="utf-8")
    assert read_csv(file, 3)[1][0] == 1.0


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"", "points.csv must be 2 to 2000 rows of numbers, got '0 rows'"),
        (b"a,b\n", "points.csv must be 2 to 2000 rows of numbers, got '0 rows'"),
        (b"0,0,0\n", "points.csv must be 2 to 2000 rows of numbers, got '1 row'"),
        (b"0,0,0\n1,2\n", "points.csv line 2 must be 3 finite numbers, got '1,2'"),
        (b"0,0,0\n1,inf,0\n", "points.csv line 2 must be 3 finite numbers, got '1,inf,0'"),
        (b"0,0,0\n1,2,z\n", "points.csv line 2 must be 3 finite numbers, got '1,2,z'"),
        (b"0,0,0\n" * 2001, "points.csv must be 2 to 2000 rows of numbers, got '2001 rows'"),
        (b"\xff\xfe", "file must be text in UTF-8, got 'points.csv'"),
    ],
)
def test_files_that_hold_no_points(tmp_path: Path, content: bytes, refusal: str) -> None:
    file = tmp_path / "points.csv"
    file.write_bytes(content)
    with pytest.raises(BadInput) as refused:
        read_csv(file, 3)
    assert str(refused.value) == refusal


def test_the_error_arrow_can_be_lengthened(circle: MainWindow) -> None:
    actions = circle.actions_by_key
    for key, scale in (("error_scale.1", 1.0), ("error_scale.10", 10.0), ("error_scale.1000", 1000.0)):
        actions[key].trigger()
        assert circle.session.view.settings.error_scale == scale
        assert actions[key].isChecked()
    actions["error_scale.0"].trigger()
    assert circle.session.view.settings.error_scale == 0.0


def test_a_picked_link_shows_its_own_joint_and_the_flange_its_checks(circle: MainWindow) -> None:
    row = circle.session.runs.current
    name, numbers = link_numbers(row, 3.0, 1, degrees=True)
    assert name == "turntable (S1)"
    assert [key for key, _ in numbers] == ["q1", "v1", "joint x", "joint y", "joint z"]
    name, numbers = link_numbers(row, 3.0, 7, degrees=True)
    assert name == "flange (W2)"
    reported = dict(numbers)
    assert "joint x" not in reported, "its tip is there"
    assert {"q7", "v7", "tip x", "tip y", "tip z", "manipulability", "smallest singular value"} <= set(reported)
    assert float(typed(reported["Jacobian \N{MINUS SIGN} differences"])) < 1e-13
    assert "q1" not in dict(link_numbers(row, 3.0, 0, degrees=True)[1])


def test_six_names_leave_room_for_the_arm(circle: MainWindow, qtbot: QtBot) -> None:
    quick, legend = panel(circle, "integrator").quick, drawn(circle).legend
    circle.session.edit("duration", 2.0)
    settle(circle, qtbot)
    assert [entry.label for entry in legend.shown] == ["Runge-Kutta 4 (classical)"]
    quick.all_methods.click()
    settle(circle, qtbot)
    qtbot.waitUntil(lambda: len(legend.shown) == 6, timeout=PATIENCE)
    assert {"RK4", "RK1", "Explicit midpoint", "AB4", "ABM4"} < {entry.label for entry in legend.shown}
    assert {button.text() for button in quick.methods.values()} == {entry.label for entry in legend.shown}
    assert [entry.setting for entry in legend.shown] == ["all: step 100\u00a0ms", "", "", "", "", ""]
    assert legend.width() < 0.45 * drawn(circle).width()
    assert "Predictor-corrector" in legend.accessibleName()
    circle.actions_by_key["edit.undo"].trigger()  # another comparison adds to what is pinned
    settle(circle, qtbot)
    quick.all_steps.click()
    settle(circle, qtbot)
    qtbot.waitUntil(lambda: len(legend.shown) == 4, timeout=PATIENCE)
    steps = {"step 1\u00a0s", "step 100\u00a0ms", "step 10\u00a0ms", "step 1\u00a0ms"}
    assert {entry.setting for entry in legend.shown} == steps


def test_the_paper_desk_computes_shows_and_opens(circle: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    circle.actions_by_key["file.studies"].trigger()
    sheet = circle.sheet
    assert isinstance(sheet, StudySheet)
    desk = circle.session.studies
    keys = [entry.study.key for entry in desk.entries]
    sheet.list.setCurrentRow(keys.index("pa10-singularity"))
    sheet.compute.click()
    qtbot.waitUntil(lambda: desk.entry("pa10-singularity").state == "done", timeout=PATIENCE)
    result = desk.entry("pa10-singularity").result
    assert result is not None
    assert len(result.findings) == 7
    gallery = sheet.findChild(FigureGrid)
    assert gallery is not None
    assert len(gallery.buttons) == len(result.figures)
    gallery.buttons[1].click()
    assert sheet.pages.currentWidget() is sheet.figure
    assert sheet.figure.view.figure is result.figures[1]
    notes = sheet.figure.notes
    assert all(label.wordWrap() or label.sizeHint().width() < 250 for label in notes.findChildren(QLabel)), (
        "no text is cut"
    )
    said = " ".join(label.text() for label in notes.findChildren(QLabel)).replace("\u00a0", " ")
    for note in result.figures[1].notes(result.findings):
        assert [text for text in note.printed if text not in said] == []
    drawn = sheet.figure.scenario
    assert drawn is not None
    assert sheet.figure.open.text() == "Open its runs"
    assert {drawn.method, *(pin["scenario"]["method"] for pin in drawn.pins)} == {"pc-trapezoid", "ab4", "am4"}
    many = replace(result.figures[1], charts=5 * result.figures[1].charts)
    whole = whole_page(many, style_for((780.0, 440.0), "light", SHOWN, "sans 10"))
    assert whole.figure.columns == 2, "ten panels of paper 5's figure 15 are all seen"
    assert whole.size[1] <= 441.0
    qtbot.keyClick(sheet, Qt.Key.Key_Right)
    assert sheet.figure.figure is result.figures[2]
    shown = sheet.figure.charted
    shown.write_picture(tmp_path / "figure.pdf", find_figure_style("paper"))
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert read_scenarios(tmp_path / "figure.pdf") == [sheet.figure.scenario]
    with pytest.raises(BadInput, match=r"\.svg"):
        shown.write_picture(tmp_path / "figure.bmp", find_figure_style("web"))
    desk.compute("pa10-singularity")
    qtbot.waitUntil(lambda: desk.entry("pa10-singularity").result is not result, timeout=PATIENCE)
    assert sheet.pages.currentWidget() is sheet.figure, "what a person reads stays when a computation ends"
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert sheet.pages.currentWidget() is sheet.area
    sheet.save_study(tmp_path)
    assert (tmp_path / "pa10-singularity" / "figure-15.svg").exists()
    sheet.open_scenario(desk.entry("pa10-singularity").study.scenarios[1][1])
    assert len(circle.session.runs.all) == 6
    assert circle.session.scenario.task["inverse"] == "dls"
    assert circle.sheet is None
