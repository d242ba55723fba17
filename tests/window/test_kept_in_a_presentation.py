"""Before an audience nothing asks whether to save: what opens puts the changes aside, and a lesson stays in front."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.palette import Palette
from gui.qt.dialogs.sheets import Question
from gui.qt.lessons.teaching import Teaching
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
from robots.scenario.file import save_scenario
from robots.scenario.presets import find_preset
from tests.window.hands import press

CONTROL = Qt.KeyboardModifier.ControlModifier


def active(window: MainWindow) -> Presentation:
    return next(show for show in window.findChildren(Presentation) if show.active)


def choose(qtbot: QtBot, window: MainWindow, words: str) -> None:
    """Find an entry of the palette by words, and take it."""
    press(qtbot, window, Qt.Key.Key_K, CONTROL)
    assert isinstance(window.sheet, Palette)
    qtbot.keyClicks(window.sheet.search, words)
    press(qtbot, window, Qt.Key.Key_Return)


def test_whatever_opens_in_a_presentation_keeps_the_changes(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    files, settings = window.session.files, window.session.settings
    file = tmp_path / "thursday.armstep"
    save_scenario(find_preset("rr-euler"), file)
    settings.add_recent(file)
    files.new("rr-swing")
    press(qtbot, window, Qt.Key.Key_F5)

    def opened(act, *args: object) -> None:
        press(qtbot, window, Qt.Key.Key_P)  # pins the run
        qtbot.waitUntil(lambda: files.dirty)
        before = window.session.history.present
        act(*args)
        assert not isinstance(window.sheet, Question)
        assert window.session.history.present is not before
        assert files.kept[-1].changed is before

    opened(choose, qtbot, window, "open thursday.armstep")
    assert files.path == file
    opened(choose, qtbot, window, f"open {find_preset('rr-chaos').title.lower()}")
    assert window.session.scenario.name == "rr-chaos"
    opened(window.files.open_dropped, [str(file)])
    opened(choose, qtbot, window, "kept changes: chaos")
    assert len(window.session.runs.all) == 3, "the preset's two, and the one that was pinned"
    press(qtbot, window, Qt.Key.Key_N, CONTROL)
    assert isinstance(window.sheet, Gallery)
    opened(window.files.open_preset, "rr-stiff")
    opened(choose, qtbot, window, "lesson: chaos")
    assert isinstance(active(window), Teaching)
    active(window).leave()
    window.session.lessons.close()
    kept = [one.title for one in files.kept]
    said = window.banner.label.text()
    assert all(f"“{title}”" in said for title in kept), "also those from before the lesson"
    files.new("rr-swing")
    window.session.edit("step", 0.02)
    window.files.open_preset("rr-euler")
    assert isinstance(window.sheet, Question), "afterwards a person is asked again"


def test_the_end_asks_about_the_open_scenario_first_and_then_about_the_kept_changes(
    window: MainWindow, qtbot: QtBot
) -> None:
    """It asked to discard the kept ones first, and did not say that Cancel goes on with Armstep."""

    def answer(title: str, button: str) -> str:
        assert isinstance(window.sheet, Question)
        assert window.sheet.accessibleName() == title
        said = " ".join(label.text() for label in window.sheet.findChildren(QLabel))
        next(one for one in window.sheet.buttons if one.text().replace("&", "") == button).click()
        return said

    files = window.session.files
    files.new("rr-stiff")
    press(qtbot, window, Qt.Key.Key_F5)
    press(qtbot, window, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: files.dirty)
    choose(qtbot, window, f"open {find_preset('rr-chaos').title.lower()}")
    active(window).leave()
    assert [one.title for one in files.kept] == ["A step too long"]
    window.session.edit("duration", 2.0)
    changed = window.session.history.present
    for _ in range(2):
        window.close()
        answer(f"Save the changes to “{files.title}”?", "Don't save")
        said = answer("Quit without the kept changes?", "Cancel")
        assert "Changes made in a presentation are in File > Kept changes: “A step too long”. They are lost" in said
        assert window.isVisible()
        assert window.session.history.present is changed
    files.new("rr-swing")
    window.close()
    answer("Quit without the kept changes?", "Cancel")
    assert len(files.kept) == 1


def test_quitting_in_a_presentation_asks_about_what_nobody_keeps_any_longer(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-swing")
    press(qtbot, window, Qt.Key.Key_F5)
    press(qtbot, window, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: window.session.files.dirty)
    window.close()
    assert isinstance(window.sheet, Question)
    assert window.sheet.accessibleName() == f"Save the changes to “{window.session.files.title}”?"
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.isVisible()
    assert window.session.files.dirty


def test_a_lesson_that_was_opened_in_a_presentation_is_in_front_afterwards(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    docks = {dock.kind.key: dock for dock in window.docks}
    window.session.files.new("rr-swing")
    qtbot.waitUntil(lambda: not any(docks[key].visibleRegion().isEmpty() for key in ("scenario", "integrator")))
    press(qtbot, window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: active(window).docks["plots"].isVisible() and not window.docks[0].isVisible())
    choose(qtbot, window, "lesson: chaos")
    qtbot.waitUntil(lambda: active(window).docks["lesson"].isVisible() and not docks["scenario"].isVisible())
    press(qtbot, window, Qt.Key.Key_PageDown)
    window.files.open_preset("rr-swing")
    QApplication.processEvents()
    window.take_keys()
    press(qtbot, window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: docks["lesson"].isVisible() and window.session.view.settings.panels)
    for _ in range(3):
        QApplication.processEvents()
    front = [key for key in ("scenario", "integrator", "lesson") if not docks[key].visibleRegion().isEmpty()]
    assert front == ["lesson"]
    docks["scenario"].present()
    QApplication.processEvents()
    press(qtbot, window, Qt.Key.Key_F5)
    press(qtbot, window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not docks["scenario"].visibleRegion().isEmpty())
    assert docks["lesson"].visibleRegion().isEmpty(), "what was in front before is in front"


def test_a_lesson_that_is_closed_in_a_presentation_leads_back_to_the_page_as_it_was_left(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Its changes stood only under Kept changes, and what was said of files meanwhile was lost at the end."""
    session = window.session
    session.files.new("rr-swing")
    press(qtbot, window, Qt.Key.Key_F5)
    press(qtbot, window, Qt.Key.Key_PageDown)
    name, number = session.scenario.name, active(window).sequence.number
    session.edit("duration", 2.5)
    saved = tmp_path / "runs.csv"
    saved.write_text("t")
    window.banner.say(f"Exported {saved}.", trouble=False, file=saved)
    choose(qtbot, window, "lesson: chaos")
    assert isinstance(active(window), Teaching)
    again = tmp_path / "poses.csv"
    again.write_text("t")
    window.banner.say(f"Exported {again}.", trouble=False, file=again)
    session.lessons.close()
    show = active(window)
    assert (session.scenario.name, session.scenario.duration, show.sequence.number) == (name, 2.5, number)
    assert session.history.undo(), "one step away from what had been prepared"
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not show.active
    said = window.banner.label.text()
    assert str(saved) in said.replace("\u2060", "")
    assert str(again) in said.replace("\u2060", "")
    assert window.banner.show_folder.isVisible()


def test_the_list_of_pages_marks_none_where_another_scenario_is_open(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-swing")
    press(qtbot, window, Qt.Key.Key_F5)
    show = active(window)
    show.sequence.go(3)
    window.session.edit("duration", 2.5)
    window.files.open_preset("rr-chaos")
    assert not show.sequence.in_step
    press(qtbot, window, Qt.Key.Key_J)
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    assert sheet.list.currentRow() == -1
    assert sheet.search.placeholderText() == "Go to a page; what is open is none of them"
    press(qtbot, window, Qt.Key.Key_Escape)
    press(qtbot, window, Qt.Key.Key_PageUp)
    assert show.sequence.number == 3, "the page that was left"
    assert window.session.scenario.duration == 2.5
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    assert window.sheet.list.currentRow() == 3
    press(qtbot, window, Qt.Key.Key_Escape)
    show.leave()


def test_a_page_without_changes_comes_back_from_a_lesson_at_its_time(window: MainWindow, qtbot: QtBot) -> None:
    """It played from the beginning; with changes it stood where it had been left."""
    session = window.session
    session.files.new("rr-swing")
    press(qtbot, window, Qt.Key.Key_F5)
    press(qtbot, window, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=60_000)
    name, number = session.scenario.name, active(window).sequence.number
    session.playback.pause()
    session.playback.seek(0.7)
    choose(qtbot, window, "lesson: chaos")
    session.lessons.go(2)
    session.lessons.close()
    assert (session.scenario.name, active(window).sequence.number) == (name, number)
    assert session.playback.t == 0.7
    assert not session.playback.playing
    assert not session.playback.play_when_ready
    assert not session.files.dirty
    assert not session.files.kept
    window.files.open_preset("rr-swing")
    assert session.scenario.name != name
    press(qtbot, window, Qt.Key.Key_PageUp)
    assert (session.scenario.name, session.playback.t) == (name, 0.7)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
        press(qtbot, window, key)
    assert (session.scenario.name, session.playback.t) == (name, 0.0)
    assert session.playback.playing or session.playback.play_when_ready, "a page that is turned is played"
