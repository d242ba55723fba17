from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from assets.errors import ArmstepError, BadInput
from gui.app.autosave import Autosave
from gui.app.settings import Settings
from gui.commands import open as open_command
from gui.qt.gallery import Gallery
from gui.qt.help_sheets import KeySheet
from gui.qt.keys import COMMANDS
from gui.qt.main_window import MainWindow
from gui.qt.palette import Entry, Palette, rank
from gui.qt.sheets import Question
from gui.qt.steps_lane import heights, ticks
from robots.presets import presets
from robots.scenario import Scenario


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    target = QApplication.focusWidget() or window
    qtbot.keyClick(target, key, modifier)


def wait_done(qtbot: QtBot, window: MainWindow) -> None:
    def done() -> bool:
        row = window.session.current
        return row.state == "done" and row.run is not None and row.run.scenario == window.session.scenario

    qtbot.waitUntil(done, timeout=30_000)


def drawn_colours(window: MainWindow) -> int:
    assert window.viewport is not None
    image = window.viewport.grabFramebuffer()
    return len({image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)})


# -- the first screen --------------------------------------------------------------------------------------------------


def test_the_first_screen_is_complete(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    viewport = window.viewport
    assert viewport is not None
    qtbot.waitUntil(lambda: viewport.renderer is not None, timeout=20_000)
    qtbot.waitUntil(lambda: drawn_colours(window) > 100, timeout=20_000)
    assert {dock.panel_class.area for dock in window.docks} == {"left", "right", "bottom"}
    assert all(dock.isVisible() == dock.applies for dock in window.docks)
    assert "steps" in window.notice.text()
    window.grab().save(str(artifacts / "window-light.png"))
    window.session.set_view(theme="dark")
    qtbot.wait(200)
    window.grab().save(str(artifacts / "window-dark.png"))
    window.session.set_view(theme="projector")
    qtbot.wait(200)
    window.grab().save(str(artifacts / "window-projector.png"))


def test_every_command_has_one_name_a_tip_and_keys_of_its_own() -> None:
    names = [command.key for command in COMMANDS]
    assert len(names) == len(set(names))
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))
    assert all(command.tip and command.text for command in COMMANDS)


def test_the_keys_of_the_design_are_there() -> None:
    keys = {key: command.key for command in COMMANDS for key in command.keys}
    assert keys["Space"] == "run.play"
    assert keys["Ctrl+Right"] == "run.step_forward"
    assert keys["Shift+Left"] == "run.second_back"
    assert {keys[key] for key in ("Home", "End", "L", "R")} == {"run.first", "run.last", "run.loop", "run.reset"}
    assert keys["Ctrl+Shift+P"] == "help.palette"
    assert keys["F1"] == "help.keys"
    assert keys["Ctrl+Shift+E"] == "export.animation"
    assert keys["Ctrl+B"] == "view.panels"


def test_every_control_of_the_shell_has_a_name(window: MainWindow) -> None:
    from PySide6.QtWidgets import QAbstractButton

    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and button.objectName() != "qt_toolbar_ext_button":
            assert button.accessibleName() or button.text(), button


# -- time --------------------------------------------------------------------------------------------------------------


def test_space_plays_and_the_playhead_follows_the_wall_clock(window: MainWindow, qtbot: QtBot) -> None:
    playback = window.session.playback
    window.viewport.setFocus()
    press(qtbot, window, Qt.Key.Key_Space)
    assert playback.playing
    qtbot.wait(700)
    press(qtbot, window, Qt.Key.Key_Space)
    assert not playback.playing
    assert 0.2 < playback.t < 3.0
    assert window.timeline.time.text() == f"t = {playback.t:.3f} s"


def test_keys_move_the_playhead(window: MainWindow, qtbot: QtBot) -> None:
    playback = window.session.playback
    window.viewport.setFocus()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    press(qtbot, window, Qt.Key.Key_Right)
    assert playback.t == pytest.approx(1 / 30)
    press(qtbot, window, Qt.Key.Key_Home)
    press(qtbot, window, Qt.Key.Key_Right, control)
    assert playback.t == pytest.approx(window.session.step_times()[1])
    press(qtbot, window, Qt.Key.Key_Left, control)
    assert playback.t == 0.0
    press(qtbot, window, Qt.Key.Key_Right, shift)
    assert playback.t == pytest.approx(1.0)
    press(qtbot, window, Qt.Key.Key_End)
    assert playback.t == playback.end
    press(qtbot, window, Qt.Key.Key_L)
    assert playback.loop
    assert window.actions_by_key["run.loop"].isChecked()
    press(qtbot, window, Qt.Key.Key_Plus)
    assert playback.speed == 2.0
    press(qtbot, window, Qt.Key.Key_Minus)
    assert playback.speed == 1.0
    press(qtbot, window, Qt.Key.Key_R)
    assert playback.t == 0.0


def test_space_plays_from_a_button_but_not_from_a_text_field(window: MainWindow, qtbot: QtBot) -> None:
    playback = window.session.playback
    button = QPushButton("other", window)
    pressed: list[bool] = []
    button.clicked.connect(pressed.append)
    button.show()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert playback.playing
    assert not pressed
    playback.pause()
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Space)
    qtbot.keyClick(field, Qt.Key.Key_L)
    assert not playback.playing
    assert not playback.loop
    assert field.text() == " l"


def test_a_slider_keeps_its_arrows(window: MainWindow, qtbot: QtBot) -> None:
    slider = QSlider(Qt.Orientation.Horizontal, window)
    slider.setValue(5)
    slider.show()
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() == 6
    assert window.session.playback.t == 0.0


def test_the_lane_seeks_zooms_and_chooses_a_range(window: MainWindow, qtbot: QtBot) -> None:
    lane, playback = window.timeline.lane, window.session.playback
    middle = QPoint(lane.width() // 2, lane.height() // 3)
    qtbot.mouseClick(lane, Qt.MouseButton.LeftButton, pos=middle)
    assert playback.t == pytest.approx(playback.end / 2, rel=0.02)
    qtbot.mousePress(lane, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(lane.width() // 4, 10))
    qtbot.mouseMove(lane, middle)
    lane.chosen.emit(2.0, 4.0)
    qtbot.mouseRelease(lane, Qt.MouseButton.LeftButton)
    assert playback.range == (2.0, 4.0)
    lane.cleared.emit()
    assert not playback.has_range


def test_lone_steps_are_ticks_and_dense_steps_a_height() -> None:
    assert heights(np.array([0, 1, 0, 0, 0, 0, 0, 1, 0, 0])).tolist() == [0, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    even = heights(np.tile([1, 2], 50))
    assert np.ptp(even[10:-10]) < 0.05
    crowded = heights(np.concatenate([np.ones(50, int), np.full(50, 9)]))
    assert crowded[80] > 1.5 * crowded[20]


@pytest.mark.parametrize(("first", "last"), [(0.0, 10.0), (0.0, 0.3), (2.13, 2.1301), (0.0, 5000.0)])
def test_ticks_are_few_round_and_inside(first: float, last: float) -> None:
    found = ticks(first, last, 8)
    assert 2 <= len(found) <= 10
    assert all(first - 1e-9 <= t <= last + 1e-9 for t in found)
    assert np.ptp(np.diff(found)) < 1e-9 * max(1.0, last)


# -- sheets ------------------------------------------------------------------------------------------------------------


def test_the_gallery_comes_on_the_first_start_and_opens_presets(
    open_one: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot, artifacts: Path
) -> None:
    fresh = Settings(tmp_path / "fresh")
    fresh.set("view.theme", "light")
    window = open_one(own=fresh)
    qtbot.waitUntil(lambda: isinstance(window.sheet, Gallery), timeout=10_000)
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    assert {card.key for card in gallery.cards} == set(presets())
    assert gallery.cards[0].key == "rr-swing"
    qtbot.keyClick(gallery.cards[0], Qt.Key.Key_Right)
    assert gallery.cards[1].hasFocus()
    qtbot.wait(100)
    window.grab().save(str(artifacts / "gallery.png"))
    last = gallery.cards[-1]
    qtbot.keyClick(last, Qt.Key.Key_Return)
    assert window.sheet is None
    assert window.session.scenario.name == presets()[last.key].name
    assert fresh.get("started", False)


def test_keys_rest_while_a_sheet_is_open_and_escape_closes_it(
    window: MainWindow, qtbot: QtBot, artifacts: Path
) -> None:
    window.actions_by_key["help.keys"].trigger()
    assert isinstance(window.sheet, KeySheet)
    qtbot.wait(50)
    window.grab().save(str(artifacts / "keys.png"))
    said = {label.text() for label in window.sheet.findChildren(QLabel)}
    assert {"In presentation mode", "Page Down", "Page Up", "B or .", "Space", "Wheel"} <= said
    qtbot.keyClick(window.sheet, Qt.Key.Key_Space)
    assert not window.session.playback.playing
    qtbot.keyClick(window.sheet, Qt.Key.Key_Escape)
    assert window.sheet is None


def test_the_palette_finds_and_acts(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, "loop")
    window.grab().save(str(artifacts / "palette.png"))
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert window.sheet is None
    assert window.session.playback.loop
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, "rk2 use")
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert window.session.scenario.method == "rk2"


def test_the_best_entry_comes_first() -> None:
    entries = [Entry(text, "Run", "", lambda: None) for text in ("Stop playing", "Play", "One step")]
    ranks = {entry.text: rank("play", entry) for entry in entries}
    assert ranks["Play"] == 0
    assert ranks["Stop playing"] == 1
    assert ranks["One step"] is None


# -- editing and files -------------------------------------------------------------------------------------------------


def test_an_edit_computes_anew_keeps_the_playhead_and_can_be_undone(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.seek(2.5)
    before = session.current.run
    assert session.edit("robot.m1", 3.0)
    wait_done(qtbot, window)
    assert session.current.run is not before
    assert session.playback.t == 2.5
    assert window.isWindowModified()
    assert window.actions_by_key["edit.undo"].isEnabled()
    window.actions_by_key["edit.undo"].trigger()
    assert session.scenario.get("robot.m1") != 3.0
    window.actions_by_key["edit.redo"].trigger()
    assert session.scenario.get("robot.m1") == 3.0


def test_save_and_open_give_the_same_scenario(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, file = window.session, tmp_path / "mine.json"
    session.edit("robot.m2", 2.0)
    assert session.save(file)
    assert not window.isWindowModified()
    assert "mine.json" in window.windowTitle()
    session.new("rr-swing")
    window.files.open(file)
    assert session.scenario.get("robot.m2") == 2.0
    menu = next(a.menu() for a in window.actions_by_key.menus["File"].actions() if a.text() == "Open recent")
    window.files.fill_recent(menu)
    assert menu.actions()[0].text() == "mine.json"


def test_unsaved_changes_are_asked_about(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    session = window.session
    session.edit("robot.m2", 2.0)
    window.files.open_preset("rr-swing")
    question = window.sheet
    assert isinstance(question, Question)
    qtbot.wait(50)
    window.grab().save(str(artifacts / "question.png"))
    assert session.scenario.get("robot.m2") == 2.0
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert session.scenario.get("robot.m2") == 2.0
    window.files.open_preset("rr-swing")
    question = window.sheet
    assert isinstance(question, Question)
    next(button for button in question.buttons if button.text() == "Don't save").click()
    assert session.scenario.get("robot.m2") != 2.0
    assert window.sheet is None


def test_closing_with_unsaved_changes_asks_first(window: MainWindow) -> None:
    window.session.edit("robot.m2", 2.0)
    window.close()
    assert window.isVisible()
    assert isinstance(window.sheet, Question)


def test_a_dropped_file_opens_and_a_broken_one_is_told(window: MainWindow, tmp_path: Path, artifacts: Path) -> None:
    good, broken = tmp_path / "good.json", tmp_path / "broken.json"
    window.session.scenario.with_value("robot.m1", 4.0).save(good)
    broken.write_text("{ no scenario")
    drop(window, good)
    assert window.session.scenario.get("robot.m1") == 4.0
    drop(window, broken)
    assert window.session.scenario.get("robot.m1") == 4.0
    assert window.banner.isVisible()
    assert "broken.json" in window.banner.label.text()
    window.grab().save(str(artifacts / "broken-file.png"))


def drop(window: MainWindow, file: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    window.dropEvent(
        QDropEvent(
            QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )


def test_work_that_a_crash_left_is_offered(
    open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot, artifacts: Path
) -> None:
    crashed = Autosave(settings.folder)
    crashed.write(presets()["rr-swing"].with_value("robot.m1", 7.0), None)
    assert crashed._lock is not None
    crashed._lock.close()
    window = open_one(gallery=False)
    question = window.sheet
    assert isinstance(question, Question)
    window.grab().save(str(artifacts / "recovery.png"))
    question.buttons[0].click()
    assert window.session.scenario.get("robot.m1") == 7.0
    assert window.session.dirty


def test_the_layout_is_remembered(open_one: Callable[..., MainWindow], settings: Settings, qtbot: QtBot) -> None:
    window = open_one(gallery=False)
    hidden = window.docks[-1]
    hidden.hide()
    window.close()
    again = open_one(gallery=False)
    assert not next(dock for dock in again.docks if dock.objectName() == hidden.objectName()).isVisible()
    again.actions_by_key["view.layout"].trigger()
    assert all(dock.isVisible() == dock.applies for dock in again.docks)


def test_panels_hide_and_come_back(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["view.panels"].trigger()
    assert not any(dock.isVisible() for dock in window.docks)
    window.actions_by_key["view.panels"].trigger()
    assert all(dock.isVisible() == dock.applies for dock in window.docks)


def test_a_file_on_the_command_line_opens_without_the_gallery(
    open_one: Callable[..., MainWindow], tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    presets()["rr-swing"].with_value("robot.m1", 5.0).save(file)
    window = open_one(file=file, own=Settings(tmp_path / "fresh"))
    assert window.session.scenario.get("robot.m1") == 5.0
    assert window.sheet is None


def test_scenarios_are_saved_with_the_camera(window: MainWindow, tmp_path: Path) -> None:
    assert window.viewport is not None
    window.viewport.look_along("top")
    window.session.save(tmp_path / "view.json")
    assert Scenario.load(tmp_path / "view.json").view["camera"]["elevation"] == pytest.approx(np.pi / 2)


# -- the command -------------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there_is_refused_before_a_window_opens() -> None:
    with pytest.raises(BadInput, match="rr-swing"):
        open_command.execute(argparse.Namespace(file="rr-swin"))


def test_without_a_display_the_command_says_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(ArmstepError, match="armstep render"):
        open_command.execute(argparse.Namespace(file=None))


def test_a_preset_can_be_named_instead_of_a_file(open_one: Callable[..., MainWindow]) -> None:
    assert open_one(file="rr-euler").session.scenario.method == presets()["rr-euler"].method


def test_the_window_shows_before_the_numerical_libraries_are_imported(tmp_path: Path, virtual_display: str) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from gui.qt.application import make_application, open_window\n"
        "from gui.app.settings import Settings\n"
        "app = make_application(['armstep'])\n"
        "window = open_window(Settings(Path(sys.argv[1])), gallery=False)\n"
        "heavy = ('numba', 'scipy', 'sksundae', 'pyqtgraph', 'av')\n"
        "print(window.isVisible(), [name for name in heavy if name in sys.modules])\n"
        "window.session.close()\n"
    )
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=root)
    assert done.stdout.split("\n")[0] == "True []", done.stderr


def test_every_preset_has_a_small_picture() -> None:
    folder = Path(__file__).parent.parent.parent / "assets" / "thumbnails"
    for key in presets():
        file = folder / f"{key}.png"
        assert file.is_file(), f"run: python docs/make_thumbnails.py {key}"
        assert file.stat().st_size < 40_000
