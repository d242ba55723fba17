"""A presentation says which page is shown and where the pages end, once and beside the picture; all menus turn them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from gui.qt.plots.enlarged import Enlarged
from gui.qt.widgets.parts import PRESENTATION_MENU
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Kind
from tests.window.hands import press, wait_done
from tests.window.test_before_an_audience import popped_up
from tests.window.test_lecture_by_mouse import choose
from tests.window.test_lesson_beside import presented
from tests.window.test_lessons import file, lesson
from tests.window.test_notes_stay import present

__all__ = ["file", "lesson"]

Key = Qt.Key


def inner(menu: QMenu) -> list[QMenu]:
    """The menu of the presentation within a menu."""
    found = (action.menu() for action in menu.actions())
    return [one for one in found if isinstance(one, QMenu) and one.objectName() == PRESENTATION_MENU]


def test_a_menu_of_something_else_turns_pages_too(window: MainWindow, qtbot: QtBot) -> None:
    """That of an enlarged plot had neither *Next page* nor *Black screen*."""
    show = present(qtbot, window)
    wait_done(qtbot, window)
    session, middle = window.session, window.findChild(Enlarged)
    session.view.set(enlarged="energy")
    assert middle is not None
    qtbot.waitUntil(lambda: middle.plot is not None and not middle.plot.chart.blank, timeout=20_000)
    assert middle.plot is not None
    middle.plot.area.menu_asked.emit(middle.mapToGlobal(QPoint(100, 100)))
    (pages,) = inner(popped_up())
    choose(pages, "Next page")
    popped_up().close()
    assert show.sequence.number == 1
    session.view.set(enlarged="", panels=True)
    form = next(dock.panel for dock in window.docks if dock.kind.key == "runs")
    table = form.table.horizontalHeader()  # type: ignore[attr-defined]
    table.customContextMenuRequested.emit(QPoint(5, 5))
    (pages,) = inner(popped_up())
    choose(pages, "Black screen")
    popped_up().close()
    assert show.black.isVisible()
    press(qtbot, window, Key.Key_Period)
    assert window.viewport is not None
    window.viewport.ask_menu(QPoint(100, 100))
    assert inner(popped_up()) == [], "it has them itself"
    popped_up().close()
    show.leave()
    window.viewport.ask_menu(QPoint(100, 100))
    assert inner(popped_up()) == []
    popped_up().close()


def test_the_ends_of_the_pages_are_said(window: MainWindow, qtbot: QtBot) -> None:
    show, said = present(qtbot, window), window.session.messages
    last = len(show.sequence.pages) - 1
    show.sequence.go(0)
    press(qtbot, window, Key.Key_PageUp)
    assert (said.notice, window.banner.isVisible()) == ("First page.", True)
    show.sequence.go(last)
    said.say("")
    press(qtbot, window, Key.Key_PageDown)
    assert (said.notice, show.sequence.number) == ("Last page.", last)
    show.leave()


def test_the_ends_of_a_lesson_are_said(lesson: MainWindow, qtbot: QtBot) -> None:
    show, _ = presented(qtbot, lesson, Kind.CHOICE)
    player, said = lesson.session.lessons, lesson.session.messages
    player.go(0)
    said.say("")
    show.back()
    assert said.notice == "First page."
    player.go(player.course.last)
    for _ in range(20):
        show.onward()
        if said.notice == "Last page.":
            break
    assert said.notice == "Last page."
    assert player.course.number == player.course.last
    assert not player.concludes, "the outcome comes first"
    show.leave()


def test_a_step_s_title_stands_beside_the_arm_only(lesson: MainWindow, qtbot: QtBot) -> None:
    show, large = presented(qtbot, lesson, Kind.CHOICE)
    press(qtbot, lesson, Key.Key_N)
    assert show.notes.isVisible()
    number = next(n for n, page in enumerate(show.sequence.pages) if not page.text)
    show.sequence.go(number)
    page = show.sequence.page
    assert page.title
    assert large.isVisible()
    assert page.title not in show.notes.accessibleName()
    assert "No notes on this step." in show.notes.accessibleName()
    show.leave()


def test_beside_panels_the_page_s_number_covers_nothing(window: MainWindow, qtbot: QtBot) -> None:
    show = present(qtbot, window)
    window.resize(1280, 720)
    window.session.view.set(panels=True)
    place = f"1 of {len(show.sequence.pages)}"
    qtbot.waitUntil(lambda: show.number.isVisible() and show.number.text() == place, timeout=5000)
    assert not show.notes.isVisible()
    assert window.timeline.geometry().right() < show.number.geometry().left()
    assert show.number.parentWidget() is show.number.bar
    show.toggle_notes()
    qtbot.waitUntil(lambda: not show.number.isVisible(), timeout=5000)
    show.toggle_notes()
    show.leave()
    assert show.number.bar.actions() == show.number.bar.actions()[:1], "the window's own timeline"
