"""Figures exported from the window: the sheet, its preview and styles, the panels that it offers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from gui.app.session.results import MAP
from gui.charts.figure_style import find_figure_style
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.progress import ExportProgress
from gui.qt.export.inside import read_scenarios
from gui.qt.export.tables import write_table
from gui.qt.window.main_window import MainWindow
from robots.sweeps.axes import SweepAxis
from robots.sweeps.files import SweepTable
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.sweep import Sweep
from tests.window.exporting import answer, figure_sheet, sheet_of
from tests.window.hands import PATIENCE, give_focus, screenshot


def test_a_figure_is_seen_while_it_is_chosen_and_written_as_seen(
    short: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path
) -> None:
    sheet, form = figure_sheet(short, tmp_path / "fig.svg")
    form.style_name.setCurrentText("paper")
    form.style_name.activated.emit(0)
    assert form.width_box.currentText() == "85"
    qtbot.mouseClick(form.parts["caption"], Qt.MouseButton.LeftButton)
    form.panels.setText("error, energy")
    form.add_panel("scene")
    assert "85\u00a0mm wide" in sheet.facts.text()
    assert "9\u00a0pt" in sheet.facts.text()
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    screenshot(qtbot, short, artifacts / "figure-sheet.png")
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    progress = short.statusBar().findChild(ExportProgress)
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE):
        pass
    text = (tmp_path / "fig.svg").read_text("utf-8")
    assert 'width="85' in text
    for words in ("(a)", "(b)", "(c)", "error [rad]", "Runge-Kutta 2 (Heun), step 10\u00a0ms"):
        assert words in text, words
    assert len(read_scenarios(tmp_path / "fig.svg")) == 2


@pytest.mark.usefixtures("cold")
def test_another_format_leaves_the_other_choices(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet, form = figure_sheet(short, tmp_path / "fig.svg")
    form.width_box.setCurrentText("120")
    qtbot.mouseClick(form.columns.buttons["2"], Qt.MouseButton.LeftButton)
    form.parts["letters"].setChecked(True)
    chosen = form.style_now()
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    progress = short.statusBar().findChild(ExportProgress)
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE):
        pass
    open_export(short.bench, "plots")
    again = short.sheet.form
    assert again.style_now() == chosen
    for field in (again.style_name, again.width_box, again.format):
        give_focus(qtbot, field)
        assert again.style_now() == chosen, "passing a field chooses nothing"
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(again.format, key)
        assert again.style_now() == chosen
    short.sheet.dismiss()


@pytest.mark.usefixtures("cold")
def test_what_a_figure_cannot_have_is_said_in_the_sheet(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet, form = figure_sheet(short, tmp_path / "fig.pdf")
    for field, text, said in (
        (form.width_box.setCurrentText, "wide", "Width must be a length"),
        (form.font_box.setCurrentText, "serif", "Font must be a family"),
        (form.panels.setText, "eror", "did you mean 'error'?"),
        (form.ranges.setText, "error=1", "PLOT=LOW:HIGH"),
        (form.file.setText, "fig.mp4", "The file's name must end in .svg, .pdf or .png, got 'fig.mp4'"),
        (form.file.setText, "fig.bmp", "The file's name must end in .svg, .pdf or .png, got 'fig.bmp'"),
        (form.file.setText, "fig", "The file's name must end in .svg, .pdf or .png, got 'fig'"),
        (form.file.setText, "", "The file's name must end in .svg, .pdf or .png, got nothing"),
    ):
        form.show_style(find_figure_style("web"))
        field(text)
        assert said in sheet.trouble.text(), text
        assert not sheet.export_button.isEnabled()
        form.panels.setText("error")
        form.ranges.setText("")
        form.file.setText(str(tmp_path / "fig.pdf"))
    assert not form.outlines.isEnabled(), "only SVG has them"
    form.file.setText(str(tmp_path / "fig.svg"))
    qtbot.mouseClick(form.outlines, Qt.MouseButton.LeftButton)
    assert form.settings(0.0).outlines
    sheet.dismiss()


@pytest.mark.usefixtures("cold")
def test_a_style_is_kept_and_a_click_outside_loses_nothing(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet, form = figure_sheet(short, tmp_path / "fig.pdf")
    form.width_box.setCurrentText("88")
    form.style_name.setCurrentText("my journal")
    qtbot.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    assert sheet.trouble.text().startswith("Style must be a name of letters")
    form.style_name.setCurrentText("my-journal")
    qtbot.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    assert form.keep.text() == "Kept"
    form.font_box.setCurrentText("serif 7")
    assert form.keep.text() == "Keep"
    qtbot.mouseClick(form.theme.buttons["mono"], Qt.MouseButton.LeftButton)
    form.panels.setText("energy")
    form.end.setText("0.5")
    outside = sheet.rect().bottomLeft() + QPoint(4, -4)
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=outside)
    assert short.sheet is None
    open_export(short.bench, "plots")
    sheet = short.sheet
    form = sheet.form
    assert form.style_name.currentText() == "my-journal"
    assert [box.currentText() for box in (form.width_box, form.font_box)] == ["88", "serif 7"]
    assert form.theme.choice() == "mono"
    assert [row.text() for row in (form.panels, form.end, form.file)] == ["energy", "0.5", str(tmp_path / "fig.pdf")]
    sheet.dismiss()
    short.session.edit("duration", 1.5)
    sheet, form = figure_sheet(short, tmp_path / "fig.pdf")
    assert form.end.text() == "1.5", "another scenario begins with its own"
    assert form.panels.text() != "energy"
    assert form.font_box.currentText() == "serif 7"
    sheet.dismiss()
    film = sheet_of(short, "animation", tmp_path / "arm.mp4")
    film.form.fps.setCurrentText("24")
    qtbot.mouseClick(film, Qt.MouseButton.LeftButton, pos=outside)
    again = sheet_of(short, "animation", tmp_path / "arm.mp4")
    assert again.form.fps.currentText() == "24"
    again.dismiss()


def test_the_arm_in_a_figure_stands_where_the_slider_does(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    short.session.playback.seek(0.5)
    _, form = figure_sheet(short, tmp_path / "fig.svg")
    form.panels.setText("error")
    assert form.settings(0.5).at is None, "nothing in it is of one time"
    form.panels.setText("error, scene")
    assert form.settings(0.5).at == 0.5
    assert "playhead" not in form.settings(0.5).figure_style().show, "which draws no line"
    form.parts["playhead"].setChecked(True)
    form.panels.setText("error")
    assert form.settings(0.5).at == 0.5


def test_what_can_be_added_is_what_these_runs_have_and_leaves_the_window_in_sight(
    short: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The menu had plots of samples and ensembles that an arm without them leaves empty, and covered the window."""
    qtbot.waitUntil(lambda: short.session.runs.current.reference_state == "done", timeout=PATIENCE)
    sheet, form = figure_sheet(short, tmp_path / "fig.svg")
    offered = [action.text() for action in form.menu.actions()]
    assert not {"Held torque", "Sampled loop", "Spread of the ensemble"} & {*offered}
    assert {"Error", "Joint angles and rates", "Energy error", "Tip path", "The arm, as a picture"} <= {*offered}
    size = form.menu.sizeHint()
    assert size.height() < 0.8 * 720
    assert size.width() < 0.5 * 1280
    sheet.dismiss()


def test_every_chart_can_be_added_and_is_seen_at_once(
    short: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path
) -> None:
    scenario, results = short.session.scenario, short.session.results
    axes = SweepAxis("robot.m1", 0.5, 2.0, 4), SweepAxis("step", 0.001, 0.02, 3, log=True)
    found = run_sweep(Sweep(scenario.alone(), axes, ("final.q1",)))
    for name in ("one", "two"):
        results.keep(MAP, name, {**found.to_data(), "name": name})
    write_table(SweepTable(found), tmp_path / "map.npz")
    sheet, form = figure_sheet(short, tmp_path / "fig.svg")
    form.panels.setText("energy")
    groups = {action.text(): action for action in form.menu.actions()}
    kept = {action.text(): action for action in groups["Results"].menu().actions()}
    kept["Map: one"].trigger()
    kept["Map: two"].trigger()
    assert form.panels.text() == "energy, map@one, map"
    drawn = {action.text(): action for action in groups["Figures of studies"].menu().actions()}
    studies = drawn["The PA-10 at its stretched elbow"].menu().actions()
    studies[0].trigger()
    assert form.panels.text().endswith(", pa10-singularity/figure-15")
    form.panels.setText("energy, map@one")
    form.columns.buttons["2"].click()
    groups["From a file…"].trigger()
    answer(short, tmp_path / "map.npz")
    assert form.panels.text() == f"energy, map@one, {tmp_path}/map.npz:map"
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    screenshot(qtbot, short, artifacts / "figure-sheet-maps.png")
    form.add_file(tmp_path / "nothing.npz")
    assert "an existing file" in sheet.trouble.text()
    form.panels.setText("map@three")
    qtbot.waitUntil(lambda: "one of map@one, map@two" in sheet.trouble.text(), timeout=PATIENCE)
    form.panels.setText("energy, map@one")
    qtbot.waitUntil(lambda: sheet.export_button.isEnabled() and not sheet.preview.words, timeout=PATIENCE)
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(short.statusBar().findChild(ExportProgress).ended, timeout=PATIENCE):
        pass
    assert "angle 1 at the end [°]" in (tmp_path / "fig.svg").read_text("utf-8")


def test_the_sheet_proposes_plots_with_curves_and_exports_no_refused_figure(
    shared_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shared_window
    window.session.files.new("rr-stiff")
    runs = window.session.runs

    def ready() -> bool:
        row = runs.current
        mine = row.run is not None and row.run.scenario == window.session.scenario
        return mine and row.judged and row.reference_state == "done"

    qtbot.waitUntil(ready, timeout=PATIENCE)
    sheet, form = figure_sheet(window, tmp_path / "fig.svg")
    assert form.panels.text() == "error, joints, step-size", "a film leaves plots without curves out, too"
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    assert sheet.export_button.isEnabled()
    form.add_panel("energy")
    qtbot.waitUntil(lambda: "a plot with curves" in sheet.trouble.text(), timeout=PATIENCE)
    assert not sheet.export_button.isEnabled()
    form.panels.setText("error")
    qtbot.waitUntil(lambda: not sheet.trouble.text() and sheet.export_button.isEnabled(), timeout=PATIENCE)
    sheet.dismiss()


def test_the_title_for_readers_is_the_scenarios_not_the_files(short: MainWindow, tmp_path: Path) -> None:
    short.session.files.save(tmp_path / "4-stiff.armstep")
    title = short.session.scenario.title
    assert title not in ("", "4-stiff")
    for kind in ("plots", "animation"):
        open_export(short.bench, kind)
        assert short.sheet.form.title.text() == title
        assert Path(short.sheet.form.file.text()).name.startswith("4-stiff"), "which is what the file is called after"
        short.sheet.close()
