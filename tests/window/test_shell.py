from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from assets.errors import ArmstepError, BadInput
from gui.app.settings import Settings
from gui.commands import open as open_command
from gui.compose.kinematics import corners
from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.help_sheets import KeySheet
from gui.qt.dialogs.palette import Entry, Palette, rank
from gui.qt.widgets.method_picker import MethodPicker
from gui.qt.window.commands.keys import COMMANDS
from gui.qt.window.main_window import MainWindow
from robots.model.registry import robot_of
from robots.scenario.posing import first_state
from robots.scenario.presets import MAPS, presets
from scene.camera import project
from tests.window.hands import press, screenshot


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
    assert {dock.kind.area for dock in window.docks} == {"left", "right", "bottom"}
    assert all(dock.isVisible() == dock.applies for dock in window.docks)
    assert "steps" in window.notice.text()
    screenshot(qtbot, window, artifacts / "window-light.png")
    window.session.view.set(theme="dark")
    screenshot(qtbot, window, artifacts / "window-dark.png")
    window.session.view.set(theme="projector")
    screenshot(qtbot, window, artifacts / "window-projector.png")


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
    assert keys["Ctrl+K"] == keys["Ctrl+Shift+P"] == "help.palette"
    assert keys["F1"] == "help.keys"
    assert keys["Ctrl+Shift+E"] == "export.animation"
    assert keys["Ctrl+B"] == "view.panels"


def test_every_control_of_the_shell_has_a_name(window: MainWindow) -> None:
    from PySide6.QtWidgets import QAbstractButton

    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and button.objectName() != "qt_toolbar_ext_button":
            assert button.accessibleName() or button.text(), button


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
    screenshot(qtbot, window, artifacts / "gallery.png")
    last = next(card for card in reversed(gallery.cards) if card.group != MAPS)
    qtbot.keyClick(last, Qt.Key.Key_Return)
    assert window.sheet is None
    assert window.session.scenario.name == presets()[last.key].name
    assert fresh.get("started", False)


def test_keys_rest_while_a_sheet_is_open_and_escape_closes_it(
    window: MainWindow, qtbot: QtBot, artifacts: Path
) -> None:
    window.actions_by_key["help.keys"].trigger()
    assert isinstance(window.sheet, KeySheet)
    window.resize(1920, 1080)
    scroll = window.sheet.findChild(QScrollArea)
    assert scroll is not None
    assert scroll.verticalScrollBar().maximum() == 0, "a large window shows every key at once"
    screenshot(qtbot, window, artifacts / "keys.png")
    said = {label.text() for label in window.sheet.findChildren(QLabel)}
    assert {"In a presentation", "PgDown or Right", "J", "B or .", "F2", "Space", "Wheel"} <= said
    qtbot.keyClick(window.sheet, Qt.Key.Key_Space)
    assert not window.session.playback.playing
    qtbot.keyClick(window.sheet, Qt.Key.Key_Escape)
    assert window.sheet is None


def test_the_palette_finds_and_acts(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, "loop")
    screenshot(qtbot, window, artifacts / "palette.png")
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert window.sheet is None
    assert window.session.playback.loop
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, "rk2 use")
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert window.session.scenario.method == "rk2"


def test_the_palette_goes_to_a_panel(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 600)  # so low that the panels on the left are tabs
    dock = next(dock for dock in window.docks if dock.kind.key == "integrator")
    for close in (False, True):
        dock.setVisible(not close)
        window.docks[0].raise_()
        qtbot.waitUntil(lambda: dock.visibleRegion().isEmpty())
        press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        assert isinstance(window.sheet, Palette)
        qtbot.keyClicks(window.sheet.search, "integrator")
        press(qtbot, window, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not dock.visibleRegion().isEmpty())
        focus = QApplication.focusWidget()
        assert focus is not None
        assert dock.isAncestorOf(focus)
        press(qtbot, window, Qt.Key.Key_Escape)
    assert window.docks[0].kind.key == "scenario"
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.sheet.search, "mass 2")  # type: ignore[union-attr]
    for text in ("", "3"):  # chooses the field, where what is typed replaces its value
        focus = QApplication.focusWidget()
        assert focus is not None
        qtbot.keyClicks(focus, text)
        press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario.parameters["m2"] == 3.0
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.sheet.search, "mass 2")  # type: ignore[union-attr]
    best = window.sheet.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)  # type: ignore[union-attr]
    assert best.startswith("Set mass 2"), "undoing its last change comes after it"
    press(qtbot, window, Qt.Key.Key_Escape)
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.sheet.search, "from here")  # type: ignore[union-attr]
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.from_here.on
    assert window.session.messages.notice == "Changes apply to: from here on."
    assert not window.docks[0].visibleRegion().isEmpty()


def test_the_palette_opens_the_list_of_methods(window: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.sheet.search, "method")  # type: ignore[union-attr]
    press(qtbot, window, Qt.Key.Key_Return)
    picker = window.findChild(MethodPicker)
    qtbot.waitUntil(picker.methods.search.hasFocus)
    qtbot.keyClicks(picker.methods.search, "heun 3")
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario.method == "heun3"
    assert not picker.list.isVisible()


def test_the_best_entry_comes_first() -> None:
    entries = [Entry(text, "Run", "", lambda: None) for text in ("Stop playing", "Play", "One step")]
    ranks = {entry.text: rank("play", entry) for entry in entries}
    assert ranks["Play"] == -1
    assert (ranks["Stop playing"] or 0) > 0
    assert ranks["One step"] is None
    names = ("Use Heun (explicit trapezoidal, improved Euler)", "Use Runge-Kutta 1 (explicit Euler)")
    heun, euler = (rank("explicit euler", Entry(text, "Method", "", lambda: None)) for text in names)
    assert (euler or 0) < (heun or 0)
    dots, field = (rank("step", Entry(text, "View", "", lambda: None)) for text in ("Steps", "Set step"))
    assert (field or 0) < (dots or 0), "the field of this name, and not what begins with it"
    long, short = (rank("10 ms", Entry(f"Period {text}\u202fms", "", "", lambda: None)) for text in ("100", "10"))
    assert (short or 0) < (long or 0), "whole words, whatever space is between"
    assert rank("map...", Entry("Map", "Run", "", lambda: None)) == -1, "as the menu writes it"


# -- the command -------------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there_is_refused_before_a_window_opens() -> None:
    with pytest.raises(BadInput, match="rr-swing"):
        open_command.execute(argparse.Namespace(file="rr-swin"))


def test_without_a_display_the_command_says_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(ArmstepError, match="armstep render"):
        open_command.execute(argparse.Namespace(file=None, folder=None, arguments=[]))


def test_a_preset_can_be_named_instead_of_a_file(open_one: Callable[..., MainWindow]) -> None:
    assert open_one(file="rr-euler").session.scenario.method == presets()["rr-euler"].method


def test_the_window_shows_before_the_numerical_libraries_are_imported(tmp_path: Path, virtual_display: str) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from gui.qt.window.application import make_application, open_window\n"
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
        assert file.stat().st_size < 80_000


def test_panels_stand_once_in_the_view_menu(window: MainWindow) -> None:
    menu = window.actions_by_key.menus["View"]
    assert [action.text() for action in menu.actions() if "anel" in action.text()] == ["Panels"]
    panels = window.actions_by_key.menu("View/Panels")
    panels.aboutToShow.emit()
    named = [action.text() for action in panels.actions() if not action.isSeparator()]
    assert named == ["Show panels", *(dock.kind.title for dock in window.docks)]


def test_the_tick_of_show_panels_says_whether_there_are_any(window: MainWindow, qtbot: QtBot) -> None:
    action = window.actions_by_key["view.panels"]
    shown = [dock for dock in window.docks if not dock.isHidden()]
    first, *others = shown
    for dock in others:
        dock.toggleViewAction().trigger()
    assert action.isChecked(), "one is left"
    close = next(button for button in first.findChildren(QAbstractButton) if button.toolTip().startswith("Hide ("))
    close.click()
    assert not action.isChecked(), "none is left"
    action.trigger()
    assert action.isChecked()
    assert [dock for dock in window.docks if not dock.isHidden()] == shown, "all are back"
    QApplication.processEvents()  # the tabs have their places
    first.toggleViewAction().trigger()
    action.trigger()
    assert all(dock.isHidden() for dock in window.docks)
    action.trigger()
    assert [dock for dock in window.docks if not dock.isHidden()] == others, "what was closed stays closed"
    QApplication.processEvents()
    action.trigger()
    first.toggleViewAction().trigger()
    assert action.isChecked()
    assert [dock for dock in window.docks if not dock.isHidden()] == [first]


def test_the_view_and_the_status_bar_say_what_is_compiled(window, qtbot):
    preparing, viewport = window.session.preparing, window.viewport
    assert not window.preparing_label.isVisible()
    preparing.progress, preparing.awaited = "Preparing all robots: 12%, about 40 s", "Mitsubishi PA-10: about 12 s"
    window.session.runs.update(0, state="computing")
    preparing.changed.emit()
    assert window.preparing_label.isVisible()
    assert window.preparing_label.text().startswith("Preparing all robots: 12%")
    assert window.preparing_label.accessibleDescription() == window.preparing_label.text()
    label, after = window.preparing_label, window.file_label
    qtbot.waitUntil(lambda: after.x() - label.x() >= label.sizeHint().width())
    assert label.sizeHint().width() >= label.fontMetrics().horizontalAdvance(label.text()) + 24, "apart from the title"
    assert viewport.notice.isVisible()
    assert viewport.notice.accessibleName() == "Compiling for the first time Mitsubishi PA-10: about 12 s"
    assert not viewport.notice.geometry().intersects(viewport.legend.geometry())
    assert viewport.notice.geometry().bottom() < 0.3 * viewport.height(), "above the arm, which shows its run before"
    run = window.session.runs.current.run
    window.session.runs.update(0, run=None)
    scenario = window.session.scenario
    preparing.standing = scenario, robot_of(scenario).pose(scenario, 0.0, first_state(scenario))
    preparing.changed.emit()
    picture = viewport.picture()
    assert [actor.opacity < 1.0 for actor in picture.actors] == [True], "the arm stands, and cannot move yet"
    control = Qt.KeyboardModifier.ControlModifier
    for keys in (control, control | Qt.KeyboardModifier.ShiftModifier):
        window.session.messages.say("")
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, keys, QPoint(20, 300))
        assert window.notice.text() == "The arm can be pulled and posed once it is computed."
    x, y, _ = project(picture.camera, viewport.extent(), corners(picture.actors[0].shape, [picture.actors[0].pose])).T
    assert viewport.notice.geometry().bottom() < y.min() < y.max() < viewport.height()
    assert 0.0 < x.min() < x.max() < viewport.width()
    window.session.runs.update(0, run=run)
    assert [actor.opacity for actor in viewport.picture().actors] == [1.0]
    preparing.standing = None
    preparing.progress = preparing.awaited = ""
    window.session.runs.update(0, state="done")
    preparing.changed.emit()
    assert not window.preparing_label.isVisible()
    assert not viewport.notice.isVisible()
