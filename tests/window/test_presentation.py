"""Presenting: arm, plots and notes for an audience, a remote, two screens, and everything back afterwards."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QLineEdit, QToolBar
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.qt.dialogs.palette import Palette
from gui.qt.style.theme import load, look
from gui.qt.window import presentation
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
from gui.qt.window.presenter import Elapsed
from robots.scenario.file import save_scenario
from robots.scenario.presets import presets_by_robot
from tests.window.hands import press, screenshot, wait_done
from tests.window.test_shell_viewport import middle_of_link

CONTROL = Qt.KeyboardModifier.ControlModifier


def begin(qtbot: QtBot, window: MainWindow) -> Presentation:
    press(qtbot, window, Qt.Key.Key_F5)
    return window.findChild(Presentation)


def texts(box: QComboBox) -> list[str]:
    return [box.itemText(index) for index in range(box.count())]


def shown(show: Presentation) -> list[str]:
    return [key for key, dock in show.docks.items() if dock.isVisible()]


def test_arm_plots_and_legend_and_then_the_window_as_it_was(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    panels = [dock.isVisible() for dock in window.docks]
    widths = {dock: dock.width() for dock in window.docks if dock.isVisible()}
    show = begin(qtbot, window)
    bar = window.findChild(QToolBar, "timelineBar")
    assert window.isFullScreen()
    assert window.session.view.settings.theme == "projector"
    assert not any(dock.isVisible() for dock in window.docks)
    assert not any(widget.isVisible() for widget in (window.menuBar(), window.statusBar(), bar))
    assert shown(show) == ["plots"]
    plots = show.docks["plots"].widget().plots
    qtbot.waitUntil(lambda: len(plots) >= 3 and all(not plot.chart.blank for plot in plots.values()), timeout=20_000)
    assert window.viewport is not None
    assert window.viewport.legend.isVisible()
    assert show.notes.isVisible()
    assert window.session.scenario.notes.split()[0] in show.notes.accessibleName()
    screenshot(qtbot, window, artifacts / "presentation.png")
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.session.view.settings.theme == "light"
    assert [dock.isVisible() for dock in window.docks] == panels
    assert all(widget.isVisible() for widget in (window.menuBar(), window.statusBar(), bar))
    qtbot.waitUntil(lambda: {dock: dock.width() for dock in widths} == widths, timeout=5000)


def test_a_screen_of_many_pixels_gets_larger_type(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = window.size()
    monkeypatch.setattr(presentation, "DRAWN_FOR", (size.width() // 2, size.height() // 2))
    show = begin(qtbot, window)
    assert look().larger == pytest.approx(2.0, rel=0.01)
    body = look().theme.sizes["body"]
    assert body == round(look().larger * load("projector").sizes["body"])
    plots = show.docks["plots"].widget().plots
    qtbot.waitUntil(lambda: bool(plots), timeout=20_000)
    assert {plot.header.name.fontInfo().pixelSize() for plot in plots.values()} == {body}
    chosen = [plot.header.variants for plot in plots.values() if plot.header.variants.isVisible()]
    assert chosen
    for box in chosen:  # the type grew after the names were there
        around = box.sizeHint().width() - max(map(box.fontMetrics().horizontalAdvance, texts(box)))
        assert box.maximumWidth() >= around + box.fontMetrics().horizontalAdvance(box.currentText())
    press(qtbot, window, Qt.Key.Key_Escape)
    assert look().theme.sizes == load("light").sizes


def test_keys_choose_what_stands_beside_the_arm(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    plots = next(dock for dock in window.docks if dock.kind.key == "plots")
    usual = plots.width()
    show = begin(qtbot, window)
    wide = window.centre.width()
    press(qtbot, window, Qt.Key.Key_M)
    assert shown(show) == ["plots", "runs"]
    screenshot(qtbot, window, artifacts / "presentation-table.png")
    press(qtbot, window, Qt.Key.Key_M)
    assert shown(show) == []
    qtbot.waitUntil(lambda: window.centre.width() > wide, timeout=5000)
    press(qtbot, window, Qt.Key.Key_B, CONTROL)
    qtbot.waitUntil(lambda: all(dock.isVisible() for dock in window.docks if dock.applies), timeout=5000)
    qtbot.waitUntil(lambda: plots.width() < 1.3 * usual, timeout=5000)
    assert window.findChild(QToolBar, "timelineBar").isVisible()
    assert (show.number.text(), show.notes.isVisible()) == (f"1 of {len(show.sequence.pages)}", False)
    press(qtbot, window, Qt.Key.Key_M)
    assert not any(dock.isVisible() for dock in window.docks)
    assert (shown(show), show.notes.isVisible()) == ([], True), "as before the panels: nobody saw it change"
    press(qtbot, window, Qt.Key.Key_Escape)
    show = begin(qtbot, window)
    assert shown(show) == [], "as it was left"
    show.leave()


def test_the_notes_stand_below_the_arm(window: MainWindow, qtbot: QtBot) -> None:
    """The longest page makes the room, so that turning pages moves nothing; without notes the arm has it all."""
    window.session.edit("notes", "One.\n\n" + "Two is longer. " * 20)
    show = begin(qtbot, window)
    qtbot.waitUntil(lambda: window.viewport.height() < window.centre.height(), timeout=5000)
    height = window.viewport.height()
    assert show.notes.y() >= height
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert show.notes.y() >= height == window.viewport.height()
    press(qtbot, window, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.viewport.height() == window.centre.height(), timeout=5000)
    press(qtbot, window, Qt.Key.Key_N)
    press(qtbot, window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.viewport.height() == window.centre.height(), timeout=5000)


def test_a_preset_that_proposes_a_map_is_presented_with_it(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("map-euler")
    show = begin(qtbot, window)
    assert shown(show) == ["map"], "its notes speak of the map's colours"
    qtbot.waitUntil(lambda: not show.map.chart.blank, timeout=60_000)
    press(qtbot, window, Qt.Key.Key_M)
    assert shown(show) == ["map", "runs"]
    show.sequence.go(0)
    assert shown(show) == ["plots", "runs"]
    show.leave()


def test_a_mouse_that_lies_still_leaves_nothing_in_the_picture(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presentation, "REST_MS", 100)
    viewport = window.viewport
    assert viewport is not None
    place = middle_of_link(viewport, 1)
    qtbot.mouseMove(viewport, place)
    qtbot.waitUntil(lambda: viewport.pointer.under == 1, timeout=5000)
    show = begin(qtbot, window)
    blank = Qt.CursorShape.BlankCursor
    qtbot.waitUntil(lambda: (viewport.pointer.under, viewport.cursor().shape()) == (None, blank), timeout=5000)
    qtbot.mouseMove(viewport, place + QPoint(3, 3))
    qtbot.waitUntil(lambda: viewport.cursor().shape() != blank, timeout=5000)
    show.leave()


def test_an_audience_sees_no_rate_of_frames(window: MainWindow, qtbot: QtBot) -> None:
    assert window.viewport is not None
    window.session.playback.play()
    qtbot.waitUntil(lambda: "frames/s" in window.viewport.readout.details, timeout=10_000)
    show = begin(qtbot, window)
    qtbot.waitUntil(lambda: "frames/s" not in window.viewport.readout.details, timeout=10_000)
    show.leave()


def test_a_remote_goes_through_the_gallery_whatever_was_changed(window: MainWindow, qtbot: QtBot) -> None:
    keys = list(presets_by_robot())
    window.session.files.new("rr-swing")
    show = begin(qtbot, window)
    press(qtbot, window, Qt.Key.Key_P)
    window.session.edit("method", "rk1")
    for forward in (Qt.Key.Key_PageDown, Qt.Key.Key_Right):
        press(qtbot, window, forward)
    assert window.session.scenario.name == keys[2]
    assert not window.banner.isVisible(), "nothing asks, nothing blocks"
    assert show.notes.accessibleName().endswith(f"3 of {len(keys)}")
    assert not any(dock.isVisible() for dock in window.docks)
    for back in (Qt.Key.Key_PageUp, Qt.Key.Key_Left):
        press(qtbot, window, back)
    assert (window.session.scenario.name, window.session.scenario.method) == (keys[0], "rk1")
    assert len(window.session.runs.all) == 2
    wait_done(qtbot, window)
    press(qtbot, window, Qt.Key.Key_Z, CONTROL)
    assert window.session.scenario.method == "rk4"
    press(qtbot, window, Qt.Key.Key_PageUp)
    assert show.active
    show.leave()


def test_after_a_presentation_the_same_panels_are_in_front(window: MainWindow, qtbot: QtBot) -> None:
    docks = {dock.kind.key: dock for dock in window.docks}
    window.session.view.set(theme="projector")
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.tabifiedDockWidgets(docks["integrator"]) == [docks["scenario"]])
    for front, behind in (("integrator", "scenario"), ("scenario", "integrator")):
        docks[front].present()
        QApplication.processEvents()
        begin(qtbot, window)
        press(qtbot, window, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda behind=behind: docks[behind].visibleRegion().isEmpty())
        assert not docks[front].visibleRegion().isEmpty()


def test_kept_changes_are_in_the_file_menu_and_guard_the_end(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-swing")
    begin(qtbot, window)
    window.session.edit("step", 0.02)
    press(qtbot, window, Qt.Key.Key_PageDown)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert "Kept changes: “The arm falls”." in window.banner.label.text()
    window.close()
    assert window.isVisible()
    assert "The arm falls" in " ".join(label.text() for label in window.sheet.findChildren(QLabel))
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.isVisible()
    entries = window.actions_by_key.menus["File"].actions()
    menu = next(action.menu() for action in entries if action.text() == "Kept changes")
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    assert window.session.scenario.get("step") == 0.02
    menu.aboutToShow.emit()
    assert not menu.actions()[0].isEnabled()
    for step in (0.02, 0.03):
        window.session.files.new("rr-swing")
        window.session.edit("step", step)
        window.session.files.keep_changes()
    menu.aboutToShow.emit()
    both = [action.text().replace(NO_BREAK, " ")[-len("step 30 ms") :] for action in menu.actions()]
    assert both == ["step 30 ms", "step 20 ms"]


def test_a_page_is_found_by_its_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.files.new("rr-swing")
    for name in ("my-lecture-01", "my-lecture-02"):
        window.session.files.save(tmp_path / f"{name}.armstep")
    show = begin(qtbot, window)
    assert "my-lecture-02" in show.notes.accessibleName(), "it has only the title of the preset it was made from"
    press(qtbot, window, Qt.Key.Key_J)
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    qtbot.keyClicks(sheet.search, "lecture-01")
    assert sheet.list.count() == len(show.sequence.pages) // 2
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.files.path == tmp_path / "my-lecture-01.armstep"


def test_any_page_by_its_number(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    press(qtbot, window, Qt.Key.Key_J)
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    assert sheet.list.count() == len(presets_by_robot())
    assert sheet.list.currentRow() == 0
    qtbot.keyClicks(sheet.search, "5")
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario.name == list(presets_by_robot())[4]
    assert show.active
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.scenario.name == list(presets_by_robot())[5]
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    assert window.sheet.list.currentRow() == 5, "the page at hand is marked"
    press(qtbot, window, Qt.Key.Key_Escape)
    show.leave()


def test_pages_of_notes_and_of_a_folder(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.edit("notes", "One.\n\nTwo.")
    window.session.files.save(tmp_path / "b.json")
    save_scenario(window.session.scenario.with_values({"title": "A", "notes": ""}), tmp_path / "c.json")
    show = begin(qtbot, window)
    assert show.notes.accessibleName().endswith("1 of 3")
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert show.notes.accessibleName().endswith("Two. 2 of 3")
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.files.path == tmp_path / "c.json"
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.files.path == tmp_path / "c.json", "the last page stays"
    press(qtbot, window, Qt.Key.Key_Escape)
    show = begin(qtbot, window)
    assert show.notes.accessibleName().endswith("3 of 3"), "F5 goes on where it was"
    show.leave()


def test_a_list_of_scenarios(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    lecture = tmp_path / "lecture.txt"
    lecture.write_text("rr-euler\nrr-chaos\n")
    press(qtbot, window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(lecture))
    dialog.close()
    show = window.findChild(Presentation)
    assert window.session.scenario.name == "rr-euler"
    assert show.notes.accessibleName().endswith("1 of 2")
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.scenario.name == "rr-chaos"
    press(qtbot, window, Qt.Key.Key_Escape)
    lecture.write_text("rr-eular\n")
    press(qtbot, window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
    dialog.fileSelected.emit(str(lecture))
    dialog.close()
    assert "lecture.txt, line 1" in window.banner.label.text()
    assert not window.isFullScreen()


def test_black_screen_and_notes_away(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    press(qtbot, window, Qt.Key.Key_B)
    assert show.black.isVisible()
    assert show.black.size() == window.size()
    assert show.black.cursor().shape() == Qt.CursorShape.BlankCursor
    press(qtbot, window, Qt.Key.Key_Period)
    assert not show.black.isVisible()
    press(qtbot, window, Qt.Key.Key_B)
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert not show.black.isVisible(), "the next page is seen"
    press(qtbot, window, Qt.Key.Key_N)
    assert not show.notes.isVisible()
    window.session.playback.pause()
    press(qtbot, window, Qt.Key.Key_Space)
    assert window.session.playback.playing
    show.leave()


def test_what_is_typed_into_a_field_turns_no_page(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    press(qtbot, window, Qt.Key.Key_B, CONTROL)
    field = next(one for one in window.docks[0].panel.findChildren(QLineEdit) if one.isVisible())
    field.setFocus()
    name = window.session.scenario.name
    for key in (Qt.Key.Key_Period, Qt.Key.Key_5, Qt.Key.Key_Left, Qt.Key.Key_Period):
        press(qtbot, window, key)
    assert not show.black.isVisible()
    assert window.session.scenario.name == name
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.session.scenario.name != name, "a remote works wherever the focus is"
    show.leave()


def test_the_clock() -> None:
    times = iter([datetime(2026, 1, 2, 9, 58), datetime(2026, 1, 2, 10, 3, 7), datetime(2026, 1, 2, 10, 3, 7)])
    elapsed = Elapsed(lambda: next(times))
    assert (elapsed.since, elapsed.clock) == (str(timedelta(minutes=5, seconds=7)), "10:03")


def test_two_screens(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, artifacts: Path) -> None:
    own, projector = QRect(0, 0, 800, 600), QRect(800, 0, 800, 600)
    monkeypatch.setattr(presentation, "screen_areas", lambda: [own, projector])
    before = window.geometry()
    show = begin(qtbot, window)
    presenter = show.presenter
    assert presenter is not None
    assert presenter.isVisible()
    assert (presenter.geometry(), window.geometry()) == (own, projector)
    keys = list(presets_by_robot())
    assert presenter.place.text() == f"1 of {len(keys)}"
    assert presenter.text.text() == window.session.scenario.notes
    assert presenter.next_title.text() == presets_by_robot()[keys[1]].title
    press(qtbot, window, Qt.Key.Key_N)
    press(qtbot, window, Qt.Key.Key_N)
    assert not show.notes.isVisible(), "never on the projector"
    screenshot(qtbot, presenter, artifacts / "presenter.png")
    item = presenter.list.item(3)
    place = presenter.list.visualItemRect(item).center()
    qtbot.mouseClick(presenter.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.scenario.name == keys[3]
    assert presenter.place.text() == f"4 of {len(keys)}"
    qtbot.keyClick(presenter, Qt.Key.Key_PageUp)
    assert window.session.scenario.name == keys[2], "a remote works on either screen"
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: presenter.notice.text() == window.session.messages.notice, timeout=5000)
    press(qtbot, window, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.sheet.search, timeout=5000)
    assert window.sheet.window() is presenter
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.sheet is None
    assert show.active
    qtbot.waitUntil(window.isActiveWindow, timeout=5000)
    qtbot.keyClick(window.viewport, Qt.Key.Key_X)
    assert (presenter.geometry(), window.geometry()) == (projector, own)
    qtbot.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.geometry() == before
    assert not presenter.isVisible()


def test_a_projector_is_plugged_in_and_out(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    areas = [QRect(0, 0, 800, 600)]
    monkeypatch.setattr(presentation, "screen_areas", lambda: areas)
    show = begin(qtbot, window)
    assert show.presenter is None
    areas.append(QRect(800, 0, 800, 600))
    QApplication.instance().screenAdded.emit(QApplication.primaryScreen())
    assert show.presenter is not None
    assert not show.notes.isVisible()
    areas.pop()
    QApplication.instance().screenRemoved.emit(QApplication.primaryScreen())
    assert show.presenter is None
    assert show.notes.isVisible()
    show.leave()
