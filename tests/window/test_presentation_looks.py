"""What an audience sees in a presentation: the type of what lies over the picture, the room of the plots."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from assets.counting import unbroken
from gui.qt.dialogs.palette import Palette
from gui.qt.lessons.teaching import Teaching
from gui.qt.style.theme import look
from gui.qt.window import presentation
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presenter import Elapsed
from tests.window.hands import press, screenshot
from tests.window.test_before_an_audience import popped_up
from tests.window.test_presentation import CONTROL, begin


def test_what_lies_over_the_picture_has_the_audience_s_type(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.bench.inform("News from before.")
    size = window.size()
    monkeypatch.setattr(presentation, "DRAWN_FOR", (size.width() // 2, size.height() // 2))
    begin(qtbot, window)
    assert window.banner.isHidden(), "the audience has not seen what it is about"
    sizes = look().theme.sizes
    window.bench.inform("Pinned.")
    assert window.banner.label.fontInfo().pixelSize() == sizes["body"]
    press(qtbot, window, Qt.Key.Key_K, CONTROL)
    palette = window.findChild(Palette)
    assert palette.search.fontInfo().pixelSize() == sizes["title"]
    qtbot.keyClick(palette.search, Qt.Key.Key_Escape)
    press(qtbot, window, Qt.Key.Key_Escape)
    window.bench.inform("Saved.")
    assert window.banner.label.fontInfo().pixelSize() == look().theme.sizes["body"] < sizes["body"]


def test_all_menus_before_an_audience_have_its_type(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    size, usual = window.size(), look().theme.sizes["body"]
    monkeypatch.setattr(presentation, "DRAWN_FOR", (size.width() // 2, size.height() // 2))
    viewport = window.viewport
    assert viewport is not None

    def sizes() -> list[int]:
        viewport.ask_menu(QPoint(100, 100))
        whole = popped_up()
        below = [menu for action in whole.actions() if isinstance(menu := action.menu(), QMenu)]
        below += [menu for action in below[-2].actions() if isinstance(menu := action.menu(), QMenu)]
        for menu in (whole, *below):
            menu.ensurePolished()
        whole.close()
        return [menu.fontInfo().pixelSize() for menu in (whole, *below)]

    assert set(sizes()) == {usual}
    show = begin(qtbot, window)
    large = look().theme.sizes["body"]
    assert large > usual
    plots = show.docks["plots"].widget().plots
    qtbot.waitUntil(lambda: bool(plots))
    assert set(sizes()) == {large}
    of_plot = next(iter(plots.values())).menu()
    for widget in (of_plot, show.notes, show.black):
        widget.ensurePolished()
        assert widget.fontInfo().pixelSize() == large, "its menu has it from there"
    show.leave()
    qtbot.waitUntil(lambda: not window.centre.actions())
    QApplication.processEvents()  # what goes with the presentation has gone
    assert set(sizes()) == {usual}


def test_news_before_an_audience_is_a_short_note_at_the_foot(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    banner, viewport = window.banner, window.viewport
    assert viewport is not None
    show = begin(qtbot, window)
    files = [tmp_path / "film.mp4", tmp_path / "arm.png"]
    for file in files:
        file.touch()
        banner.say(f"Exported {file.name}", trouble=False, file=file)
    assert 0 < banner.fade.interval() <= 4000
    readout = QRect(viewport.readout.mapTo(window.centre, QPoint()), viewport.readout.size())
    assert banner.geometry().top() > 0.85 * viewport.height()
    assert banner.geometry().bottom() < viewport.height(), "the notes below are free"
    assert not banner.geometry().intersects(readout)
    assert banner.width() < 0.5 * viewport.width()
    assert banner.show_folder.isHidden()
    assert window.session.messages.notice == "Exported arm.png"
    banner.fade.timeout.emit()
    assert banner.isHidden()
    window.session.messages.refuse("No such file", "file")
    assert banner.y() < 0.5 * viewport.height(), "a refusal stands where it always does"
    assert not banner.close_button.isHidden()
    window.session.messages.solved("file")
    show.leave()
    assert banner.label.text() == unbroken("Exported film.mp4. Exported arm.png.")
    assert banner.show_folder.isVisible(), "afterwards there is time for it"
    assert banner.y() < 0.5 * viewport.height()


def test_a_plot_without_curves_leaves_its_room_to_the_others(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    session = window.session
    session.view.set(plots=["error", "difference", "energy"])
    show = begin(qtbot, window)
    plots = show.docks["plots"].widget().plots

    def heights() -> list[int]:
        return [plots[key].height() for key in ("error", "difference", "energy")]

    qtbot.waitUntil(lambda: len(plots) == 3 and 3 * heights()[1] < min(heights()[::2]), timeout=20_000)
    message = plots["difference"].message
    assert message.heightForWidth(message.width()) <= message.height(), "the sentence is whole"
    screenshot(qtbot, window, artifacts / "presentation-without-a-pin.png")
    press(qtbot, window, Qt.Key.Key_P)
    session.edit("method", "rk1")
    qtbot.waitUntil(lambda: not plots["difference"].chart.blank, timeout=20_000)
    qtbot.waitUntil(lambda: 1.3 * min(heights()) > max(heights()), timeout=5000)
    tall = heights()
    plots["difference"].hide_only({curve.key for curve in plots["difference"].whole.curves})
    qtbot.waitUntil(lambda: plots["difference"].message.isVisible(), timeout=5000)
    qtbot.wait(100)
    assert heights() == tall, "whoever hid the curves wants them back"
    plots["difference"].hide_only(())
    session.files.new("rr-pd")
    session.view.set(plots=["error", "difference", "energy"])
    qtbot.waitUntil(lambda: 3 * max(heights()[1:]) < heights()[0], timeout=20_000)
    screenshot(qtbot, window, artifacts / "presentation-work-is-done.png")
    show.leave()


def test_shift_and_an_arrow_go_through_time_and_turn_no_page(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    playback, title = window.session.playback, show.sequence.page.title
    playback.pause()
    playback.seek(0.5)
    press(qtbot, window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert (show.sequence.page.title, playback.t) == (title, 1.5)
    press(qtbot, window, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert (show.sequence.page.title, playback.t) == (title, 0.5)
    press(qtbot, window, Qt.Key.Key_Right)
    assert show.sequence.page.title != title
    show.leave()


@pytest.mark.parametrize("first", ["view.present", "lesson"])
def test_a_presentation_takes_the_place_of_one_that_goes_on(window: MainWindow, qtbot: QtBot, first: str) -> None:
    """Two arranged the window in turns, without end: Armstep crashed."""
    docks = [dock for dock in window.docks if dock.isVisible()]
    if first == "lesson":
        window.files.open_lesson("five-minutes")
    window.actions_by_key["view.present"].trigger()
    before = [show for show in window.findChildren(presentation.Presentation) if show.active]
    if first == "lesson":
        window.session.files.new("rr-chaos")  # its notes are longer
    window.actions_by_key["view.present"].trigger()
    QApplication.processEvents()
    (now,) = [show for show in window.findChildren(presentation.Presentation) if show.active]
    assert before
    assert now not in before
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not now.active
    assert window.session.view.settings.theme == "light"
    assert all(dock.isVisible() for dock in docks)


def test_the_clock_goes_on_when_a_lesson_is_opened_or_closed(window: MainWindow, qtbot: QtBot) -> None:
    """It said 0:00:00 again, in the middle of a lecture; after its end the next one begins at zero."""

    def present() -> presentation.Presentation:
        QApplication.processEvents()
        (show,) = [one for one in window.findChildren(presentation.Presentation) if one.active]
        return show

    window.actions_by_key["view.present"].trigger()
    times = iter(datetime(2026, 1, 2, 10, minute) for minute in range(60))
    clock = present().elapsed = Elapsed(lambda: next(times))
    window.files.open_lesson("five-minutes")
    taught = present()
    assert isinstance(taught, Teaching)
    assert taught.elapsed is clock
    window.actions_by_key["lesson.close"].trigger()
    assert not isinstance(present(), Teaching)
    assert present().elapsed is clock
    assert clock.since > "0:00:00"
    press(qtbot, window, Qt.Key.Key_Escape)
    window.actions_by_key["view.present"].trigger()
    assert present().elapsed is not clock
    press(qtbot, window, Qt.Key.Key_Escape)
