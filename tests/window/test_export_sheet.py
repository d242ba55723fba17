"""Exporting from the window: the sheet, its preview, the export in the background, and the files."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QProcess, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from assets.errors import BadInput
from gui.app.session.results import MAP
from gui.charts.figure_style import find_figure_style
from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.progress import ExportProgress
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.export.inside import read_scenarios
from gui.qt.export.tables import write_table
from gui.qt.plots.plot import PlotWidget
from gui.qt.style import theme
from gui.qt.window.main_window import MainWindow
from robots.sweeps.axes import SweepAxis
from robots.sweeps.files import SweepTable
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.sweep import Sweep
from tests.window.hands import screenshot

PATIENCE = 90_000


@pytest.fixture
def short(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The window with a run of one second, and another pinned."""
    window.session.edit("duration", 1.0)
    window.session.comparisons.pin()
    window.session.edit("method", "rk2")
    qtbot.waitUntil(lambda: all(row.state == "done" for row in window.session.runs.all), timeout=PATIENCE)
    return window


def sheet_of(window: MainWindow, kind: str, file: Path) -> ExportSheet:
    open_export(window, window.session, kind)
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    sheet.form.file.setText(str(file))
    sheet.form.frame_size.setCurrentText("160 × 90")
    return sheet


def test_film_is_drawn_in_the_background(short: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path) -> None:
    file = tmp_path / "arm.mp4"
    sheet = sheet_of(short, "animation", file)
    sheet.form.fps.setCurrentText("12.5")
    sheet.form.speed.setCurrentText("0,5")
    assert "25 frames" in sheet.facts.text()
    assert "2.0\u00a0s of film" in sheet.facts.text()
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "to export" in sheet.facts.text(), timeout=PATIENCE)
    assert "about" in sheet.facts.text()
    screenshot(qtbot, short, artifacts / "export-sheet.png")
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    assert short.sheet is None
    progress = short.statusBar().findChild(ExportProgress)
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE) as ended:
        pass
    assert ended.args == [f"Exported {file}", False]
    with av.open(str(file)) as film:
        assert sum(1 for _ in film.decode(video=0)) == 25
    assert [scenario.method for scenario in read_scenarios(file)] == ["rk2", "rk4"]


def test_the_time_that_an_export_takes_follows_the_choices(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Range and speed change the number of frames at once; another size is tried again; stills need no estimate."""
    sheet = sheet_of(short, "animation", tmp_path / "arm.mp4")
    qtbot.waitUntil(lambda: "to export" in sheet.facts.text(), timeout=PATIENCE)
    assert sheet.pace is not None
    sheet.pace = sheet.pace[0], 2.0
    sheet.form.end.setText("0.5")
    assert "15 frames" in sheet.facts.text()
    assert "about 30\u00a0s to export" in sheet.facts.text()
    sheet.form.frame_size.setCurrentText("320 × 180")
    assert "timing a few frames" in sheet.facts.text()
    qtbot.waitUntil(lambda: "to export" in sheet.facts.text(), timeout=PATIENCE)
    sheet.form.file.setText(str(tmp_path / "arm.html"))
    assert "export" not in sheet.facts.text()
    sheet.dismiss()
    assert "export" not in sheet_of(short, "picture", tmp_path / "arm.png").facts.text()


def test_the_person_works_on_and_a_stopped_export_leaves_nothing(
    short: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it draws, edits are computed and the playhead moves; nothing ever waits for the process."""

    def never(*_: object) -> bool:
        raise AssertionError("the window waited for the drawing process")

    monkeypatch.setattr(QProcess, "waitForFinished", never)
    sheet = sheet_of(short, "animation", tmp_path / "arm.mp4")
    sheet.form.speed.setCurrentText("0.01")
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    progress = short.statusBar().findChild(ExportProgress)
    with qtbot.waitSignal(progress.process.progressed, timeout=PATIENCE):
        pass
    session = short.session
    session.edit("method", "rk3")
    qtbot.waitUntil(lambda: session.runs.current.run.scenario.method == "rk3", timeout=PATIENCE)
    session.playback.play()
    qtbot.waitUntil(lambda: session.playback.t > 0.1, timeout=PATIENCE)
    assert progress.stop.isEnabled()
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE) as ended:
        qtbot.mouseClick(progress.stop, Qt.MouseButton.LeftButton)
    assert "stopped" in ended.args[0]
    assert list(tmp_path.glob("*arm*")) == []


def test_process_that_dies_is_reported_and_the_window_lives(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet = sheet_of(short, "animation", tmp_path / "arm.mp4")
    sheet.form.speed.setCurrentText("0.01")
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    progress = short.statusBar().findChild(ExportProgress)
    with qtbot.waitSignal(progress.process.progressed, timeout=PATIENCE):
        pass
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE) as ended:
        progress.process._process.kill()
    assert ended.args[1] is True
    assert "unexpectedly" in ended.args[0]
    assert not (tmp_path / "arm.mp4").exists()


def test_still_is_the_moment_of_the_slider(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    short.session.playback.seek(0.5)
    sheet = sheet_of(short, "picture", tmp_path / "arm.png")
    assert sheet.instant() == pytest.approx(0.5, abs=1e-3)
    sheet.form.transparent.setChecked(True)
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(short.statusBar().findChild(ExportProgress).ended, timeout=PATIENCE):
        pass
    with Image.open(tmp_path / "arm.png") as image:
        assert image.size == (160, 90)
        assert np.asarray(image.convert("RGBA"))[..., 3].min() == 0


def test_bad_values_are_named_and_nothing_begins(short: MainWindow, tmp_path: Path) -> None:
    sheet = sheet_of(short, "animation", tmp_path / "arm.mp4")
    bad = [("frame_size", "big", "size"), ("fps", "-1", "fps"), ("speed", "x", "speed"), ("end", "99", "to")]
    for field, text, named in [*bad, ("file", "/nowhere/x.mp4", "file")]:
        widget = getattr(sheet.form, field)
        before = widget.text() if hasattr(widget, "text") else widget.currentText()
        change = widget.setText if hasattr(widget, "setText") else widget.setCurrentText
        change(text)
        assert sheet.trouble.text().startswith(named)
        assert not sheet.export_button.isEnabled()
        change(before)
        assert sheet.trouble.text() == ""
        assert sheet.export_button.isEnabled()
    sheet.dismiss()


def test_format_and_name_agree_and_repeats_and_poses_are_words(short: MainWindow, tmp_path: Path) -> None:
    form = sheet_of(short, "animation", tmp_path / "arm.mp4").form
    assert not form.transparent.isEnabled()
    form.format.setCurrentIndex(form.format.findData(".webm"))
    form.format.activated.emit(form.format.currentIndex())
    assert form.file.text().endswith("arm.webm")
    assert form.transparent.isEnabled()
    form.file.setText(str(tmp_path / "arm.gif"))
    assert form.format.currentData() == ".gif"
    assert (form.settings(0.0).loop, form.settings(0.0).strobe) == (0, 0.0)
    form.loop.setCurrentText("3")
    form.strobe.setCurrentText("0,1")
    chosen = form.settings(0.0)
    assert (chosen.loop, chosen.strobe) == (3, 0.1)
    form.loop.setCurrentText("often")
    with pytest.raises(BadInput, match="loop"):
        form.settings(0.0)
    form.file.setText(str(tmp_path / "arm.mp4"))
    assert not form.loop.isEnabled()
    short.sheet.dismiss()


@pytest.mark.parametrize("suffix", [".html", ".glb"])
def test_hand_outs_are_written_in_the_background(short: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"arm{suffix}"
    sheet = sheet_of(short, "animation", file)
    assert sheet.form.format.currentData() == suffix
    assert not sheet.form.quality.isEnabled()
    assert not sheet.form.transparent.isEnabled()
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(short.statusBar().findChild(ExportProgress).ended, timeout=PATIENCE) as ended:
        pass
    assert ended.args == [f"Exported {file}", False]
    assert file.stat().st_size > 10_000


def test_a_stroboscopic_picture_begins_where_the_range_begins(
    short: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path
) -> None:
    short.session.playback.seek(1.0)
    sheet = sheet_of(short, "picture", tmp_path / "arm.png")
    sheet.form.frame_size.setCurrentText("640 × 360")
    sheet.form.strobe.setCurrentText("0.1")
    assert sheet.request().settings.start == 0.0
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    screenshot(qtbot, short, artifacts / "export-strobe.png")
    sheet.dismiss()


def test_choices_are_remembered(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet = sheet_of(short, "picture", tmp_path / "arm.png")
    sheet.form.layout_keys.buttons["scene-plots"].click()
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    short.statusBar().findChild(ExportProgress).process.close()
    open_export(short, short.session, "animation")
    again = short.sheet
    assert isinstance(again, ExportSheet)
    assert again.form.layout_keys.choice() == "scene-plots"
    assert again.form.frame_size.currentText() == "160 × 90"
    assert Path(again.form.file.text()).parent == tmp_path
    again.dismiss()


def test_the_folder_of_a_new_file_is_shown(
    short: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("gui.qt.window.messages.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    choose(short, "data", tmp_path / "arm.csv")
    assert short.banner.show_folder.isVisible()
    for name in ("light", "dark", "projector"):
        theme.look().choose(name)
        choose(short, "data", tmp_path / "arm.csv")
        for button in (short.banner.show_folder, short.banner.close_button):
            seen = short.banner.grab(button.geometry()).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
            assert np.ptp(np.asarray(seen.constBits())) > 100, f"{button.text()} can be read in {name}"
    theme.look().choose("light")
    qtbot.mouseClick(short.banner.show_folder, Qt.MouseButton.LeftButton)
    assert opened == [str(tmp_path.resolve())]
    choose(short, "data", tmp_path / "nowhere" / "arm.csv")
    assert not short.banner.show_folder.isVisible()
    qtbot.waitUntil(lambda: bool(short.findChildren(PlotWidget)), timeout=PATIENCE)
    plot = short.findChildren(PlotWidget)[0]
    next(action for action in plot.menu().actions() if action.text() == "Save data…").trigger()
    answer(short, tmp_path / "plot.csv")
    assert short.banner.label.text() == f"Saved {tmp_path / 'plot.csv'}"
    assert short.banner.show_folder.isVisible()


def test_data_asks_for_a_file(short: MainWindow, tmp_path: Path) -> None:
    for name in ("arm.csv", "arm.npz"):
        choose(short, "data", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
        assert name in short.banner.label.text()
    choose(short, "data", tmp_path / "nowhere" / "arm.csv")
    assert "nowhere" in short.banner.label.text()


def figure_sheet(window: MainWindow, file: Path) -> tuple[ExportSheet, FigureForm]:
    open_export(window, window.session, "plots")
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    assert isinstance(sheet.form, FigureForm)
    sheet.form.file.setText(str(file))
    return sheet, sheet.form


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


def test_what_a_figure_cannot_have_is_said_in_the_sheet(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet, form = figure_sheet(short, tmp_path / "fig.pdf")
    for field, text, said in (
        (form.width_box.setCurrentText, "wide", "width must be a length"),
        (form.font_box.setCurrentText, "serif", "font must be a family"),
        (form.panels.setText, "eror", "did you mean 'error'?"),
        (form.ranges.setText, "error=1", "PLOT=LOW:HIGH"),
        (form.file.setText, str(tmp_path / "fig.mp4"), "ends in"),
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


def test_a_style_is_kept_and_a_click_outside_loses_nothing(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet, form = figure_sheet(short, tmp_path / "fig.pdf")
    form.width_box.setCurrentText("88")
    form.style_name.setCurrentText("my journal")
    qtbot.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    assert sheet.trouble.text().startswith("style must be a name of letters")
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
    open_export(short, short.session, "plots")
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


def choose(window: MainWindow, kind: str, file: Path) -> None:
    """Begin an export that asks for a file, and choose this one."""
    open_export(window, window.session, kind)
    answer(window, file)


def answer(window: MainWindow, file: Path) -> None:
    """Choose the file that is asked for."""
    dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
    dialog.fileSelected.emit(str(file))
    dialog.close()


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
    studies = groups["The PA-10 at its stretched elbow"].menu().actions()
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


def test_dialogs_begin_where_the_last_one_ended_and_confirmations_lie_over_sheets(
    short: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(short, "data", tmp_path / "arm.csv")
    assert short.banner.parentWidget() is short.centre
    sheet = sheet_of(short, "picture", tmp_path / "arm.png")
    open_export(short, short.session, "data")
    dialog = next(d for d in short.findChildren(QFileDialog) if d.isVisible())
    assert Path(dialog.directory().path()) == tmp_path
    answer(short, tmp_path / "arm.npz")
    banner = short.banner
    assert banner.isVisible()
    assert short.childAt(banner.mapTo(short, banner.label.geometry().center())) is banner.label
    qtbot.mouseClick(banner.close_button, Qt.MouseButton.LeftButton)
    assert not banner.isVisible()
    sheet.dismiss()
    assert banner.parentWidget() is short.centre
    banner.say("Later")
    assert short.childAt(banner.mapTo(short, banner.label.geometry().center())) is banner.label
