"""Films, pictures and tables exported from the window: the sheet, its preview, the file drawn in the background."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

import assets
from assets.errors import BadInput
from gui.qt.dialogs.ask_file import folders
from gui.qt.dialogs.sheets import Question
from gui.qt.export.dialog.menu import open_export
from gui.qt.export.dialog.progress import ExportProgress
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.export.inside import read_scenarios
from gui.qt.plots.plot import PlotWidget
from gui.qt.style import theme
from gui.qt.widgets.scroll import FormScroll
from gui.qt.window.main_window import MainWindow
from tests.window.exporting import answer, choose, sheet_of
from tests.window.hands import PATIENCE, screenshot


def slow_export(qtbot: QtBot, window: MainWindow, file: Path) -> ExportProgress:
    """A film of many frames, of which some are drawn."""
    sheet = sheet_of(window, "animation", file)
    sheet.form.speed.setCurrentText("0.01")
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    progress = window.statusBar().findChild(ExportProgress)
    with qtbot.waitSignal(progress.process.progressed, timeout=PATIENCE):
        pass
    return progress


def test_film_is_drawn_in_the_background(short: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path) -> None:
    file = tmp_path / "arm.mp4"
    short.session.playback.set_speed(0.25)
    sheet = sheet_of(short, "animation", file)
    assert sheet.form.speed.currentText() == "0.25", "as the window plays"
    sheet.form.fps.setCurrentText("12.5")
    sheet.form.speed.setCurrentText("0,5")
    assert "25 frames" in sheet.facts.text()
    assert "2.0\u00a0s of film" in sheet.facts.text()
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "to export" in sheet.facts.text(), timeout=PATIENCE)
    assert "about" in sheet.facts.text()
    screenshot(qtbot, short, artifacts / "export-sheet.png")
    height = short.statusBar().height()
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    assert short.sheet is None
    progress = short.statusBar().findChild(ExportProgress)
    assert short.statusBar().sizeHint().height() <= height, "nothing moves while it goes on"
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE) as ended:
        pass
    assert ended.args == [f"Exported {file.name}", False]
    assert short.notice.text() == f"Exported {file.name}"
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
    progress = slow_export(qtbot, short, tmp_path / "arm.mp4")
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
    progress = slow_export(qtbot, short, tmp_path / "arm.mp4")
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE) as ended:
        progress.process.findChild(QProcess).kill()
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


@pytest.mark.usefixtures("cold")
def test_bad_values_are_named_and_nothing_begins(short: MainWindow, tmp_path: Path) -> None:
    sheet = sheet_of(short, "animation", tmp_path / "arm.mp4")
    bad = [("frame_size", "big", "Size"), ("fps", "-1", "Frames"), ("speed", "x", "Speed"), ("end", "99", "The end")]
    for field, text, named in [*bad, ("file", "/nowhere/x.mp4", "File")]:
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


def test_no_setting_is_cut_on_a_projector(short: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    size = short.size()
    theme.look().choose("projector")
    short.resize(1280, 720)
    sheet = sheet_of(short, "animation", tmp_path / "arm.mp4")
    area = sheet.findChild(FormScroll)
    qtbot.waitUntil(lambda: area.viewport().width() >= sheet.form.minimumSizeHint().width())
    assert area.horizontalScrollBar().maximum() == 0
    assert sheet.preview.width() > 400
    sheet.dismiss()
    short.resize(size)
    theme.look().choose("light")


def test_exports_of_a_file_have_its_name(short: MainWindow, tmp_path: Path) -> None:
    assert short.session.files.save(tmp_path / "03-fall.armstep")
    for kind, name in (("animation", "03-fall.mp4"), ("plots", "03-fall.svg")):
        open_export(short.bench, kind)
        sheet = short.sheet
        assert isinstance(sheet, ExportSheet)
        assert Path(sheet.form.file.text()).name == name
        sheet.dismiss()


@pytest.mark.usefixtures("cold")
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
    assert ended.args == [f"Exported {file.name}", False]
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


@pytest.mark.usefixtures("cold")
def test_choices_are_remembered(short: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    sheet = sheet_of(short, "picture", tmp_path / "arm.png")
    sheet.form.layout_keys.buttons["scene-plots"].click()
    sheet.form.camera.setCurrentIndex(sheet.form.camera.findData("top"))
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    short.statusBar().findChild(ExportProgress).process.close()
    open_export(short.bench, "animation")
    again = short.sheet
    assert isinstance(again, ExportSheet)
    assert again.form.layout_keys.choice() == "scene-plots"
    assert again.form.frame_size.currentText() == "160 × 90"
    assert Path(again.form.file.text()).parent == tmp_path
    assert again.form.camera.currentText() == "As in the window", "the view that a person chose there"
    again.form.camera.setCurrentIndex(again.form.camera.findData("front"))
    again.dismiss()
    for scenario, camera in (("", "front"), ("rr-euler", "")):
        if scenario:
            short.session.files.new(scenario)
        open_export(short.bench, "animation")
        assert isinstance(short.sheet, ExportSheet)
        assert short.sheet.form.camera.currentData() == camera, "another scenario has its own"
        short.sheet.dismiss()


def test_the_folder_of_a_new_file_is_shown(
    short: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("gui.qt.window.messages.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    choose(short, "data", tmp_path / "arm.csv")
    assert short.banner.show_folder.isVisible()
    assert short.banner.fade.remainingTime() > 20_000, "who looks elsewhere sees it, too"
    assert short.notice.text().startswith("Exported arm.csv"), "and it stays until something else happens"
    for name in ("light", "dark", "projector"):
        theme.look().choose(name)
        choose(short, "data", tmp_path / "arm.csv")
        for button in (short.banner.show_folder, short.banner.close_button):
            seen = short.banner.grab(button.geometry()).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
            assert np.ptp(np.asarray(seen.constBits())) > 100, f"{button.text()} can be read in {name}"
    theme.look().choose("light")
    qtbot.mouseClick(short.banner.show_folder, Qt.MouseButton.LeftButton)
    assert opened == [str(tmp_path.resolve())]
    short.session.edit("step", 0.02)
    qtbot.waitUntil(lambda: "Exported" not in short.notice.text(), timeout=PATIENCE)
    choose(short, "data", tmp_path / "nowhere" / "arm.csv")
    assert not short.banner.show_folder.isVisible()
    qtbot.waitUntil(lambda: bool(short.findChildren(PlotWidget)), timeout=PATIENCE)
    plot = short.findChildren(PlotWidget)[0]
    next(action for action in plot.menu().actions() if action.text() == "Save data…").trigger()
    answer(short, tmp_path / "plot.csv")
    assert short.banner.label.text() == "Saved plot.csv"
    assert short.banner.show_folder.isVisible()


@pytest.mark.usefixtures("cold")
def test_data_asks_for_a_file(short: MainWindow, tmp_path: Path) -> None:
    described = "Exported arm.csv; its units and scenario are in arm.csv.json"
    for name, said in (("arm.csv", described), ("arm.npz", "Exported arm.npz")):
        choose(short, "data", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
        assert short.banner.label.text() == said
        assert str(tmp_path) in short.banner.show_folder.toolTip()
    assert (tmp_path / "arm.csv.json").exists()
    choose(short, "data", tmp_path / "nowhere" / "arm.csv")
    assert "nowhere" in short.banner.label.text()


@pytest.mark.usefixtures("cold")
def test_dialogs_begin_where_the_last_one_ended_and_confirmations_lie_over_sheets(
    short: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(short, "data", tmp_path / "arm.csv")
    assert short.banner.parentWidget() is short.centre
    sheet = sheet_of(short, "picture", tmp_path / "arm.png")
    open_export(short.bench, "data")
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


def test_what_comes_with_the_program_is_no_folder_for_files(
    short: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, shipped = tmp_path / "documents", Path(assets.__file__).parent / "robots"
    documents.mkdir()
    monkeypatch.setattr("gui.qt.dialogs.ask_file.usual_folder", lambda *_: documents)
    short.session.settings.set("folder", "")
    folders.use(shipped)
    assert folders.last == documents
    short.session.settings.set("folder", str(shipped))
    assert folders.last == documents, "nor where an earlier version kept it"
    assert folders.beside(shipped / "ur5e.urdf") == documents
    assert folders.placed(shipped / "ur5e.armstep") == documents / "ur5e.armstep"
    folders.use(tmp_path)
    assert folders.beside(shipped / "ur5e.urdf") == tmp_path
    short.session.settings.set("export", {"folder": str(shipped)})
    open_export(short.bench, "picture")
    sheet = short.sheet
    assert isinstance(sheet, ExportSheet)
    assert shipped not in Path(sheet.form.file.text()).parents
    sheet.dismiss()


def test_a_suggested_name_is_free_in_every_format(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.settings.set("export.folder", str(tmp_path))
    open_export(window.bench, "animation")
    first = Path(window.sheet.form.file.text())
    first.touch()
    window.sheet.dismiss()
    open_export(window.bench, "animation")
    form = window.sheet.form
    assert Path(form.file.text()).stem == f"{first.stem}-2"
    form.format.setCurrentIndex(form.format.findData(".html"))
    form.format.activated.emit(form.format.currentIndex())
    assert Path(form.file.text()).name == f"{first.stem}.html"
    form.file.setText(str(tmp_path / "mine-2.html"))
    form.format.setCurrentIndex(form.format.findData(first.suffix))
    form.format.activated.emit(form.format.currentIndex())
    assert Path(form.file.text()).name == f"mine-2{first.suffix}", "a name that was typed stays"
    window.sheet.dismiss()
    first.unlink()


def test_quitting_asks_about_a_film_that_is_not_finished(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    class Running(ExportProgress):
        def __init__(self) -> None:
            QWidget.__init__(self, window.statusBar())
            self.file = tmp_path / "film.mp4"

    running = Running()
    window.close()
    assert window.isVisible()
    question = window.sheet
    assert isinstance(question, Question)
    assert "film.mp4" in question.findChildren(QLabel)[1].text()
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert window.isVisible()
    running.setParent(None)
    running.deleteLater()
