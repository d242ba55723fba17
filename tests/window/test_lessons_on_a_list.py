"""A lecture that a text file lists, with lessons among its pages, turned by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.palette import Palette
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.teaching import Teaching
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press
from tests.window.test_before_an_audience import popped_up
from tests.window.test_kept_in_a_presentation import active
from tests.window.test_lessons import SIX_KINDS

LESSON = "Six kinds"


@pytest.fixture
def lecture(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list, chosen by Shift+F5, beside the lesson `six.md`."""
    (tmp_path / "six.md").write_text(SIX_KINDS)
    path = tmp_path / "lecture.txt"
    monkeypatch.setattr(window.files, "ask", lambda title, kinds, then: then(path))
    return path


def begin(qtbot: QtBot, window: MainWindow, lecture: Path, *lines: str) -> None:
    """Present a list of these lines."""
    lecture.write_text("\n".join(lines))
    press(qtbot, window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)


def turn(qtbot: QtBot, window: MainWindow, by: int, times: int = 1) -> None:
    """Press the page key of that direction."""
    for _ in range(times):
        press(qtbot, window, Qt.Key.Key_PageDown if by > 0 else Qt.Key.Key_PageUp)


def to_the_end(qtbot: QtBot, window: MainWindow) -> None:
    """Show the last step, with its outcome."""
    window.session.lessons.go(window.session.lessons.course.last)
    while window.session.lessons.course.asked is not None:
        turn(qtbot, window, 1)
    panel = active(window).docks["lesson"].widget()
    assert isinstance(panel, LessonPanel)
    while panel.area.read_on():
        pass


def test_page_keys_lead_through_a_lesson_and_past_its_ends(window: MainWindow, qtbot: QtBot, lecture: Path) -> None:
    begin(qtbot, window, lecture, "rr-euler", "six.md", "rr-chaos")
    session, player = window.session, window.session.lessons
    pages = len([page for page in active(window).sequence.pages if page.item == 0])
    turn(qtbot, window, 1, pages)
    show = active(window)
    assert isinstance(show, Teaching)
    assert show.sequence.page.title == LESSON
    panel = show.docks["lesson"].widget()
    assert isinstance(panel, LessonPanel)
    assert panel.back.isEnabled()
    turn(qtbot, window, -1)
    assert not isinstance(active(window), Teaching)
    assert (session.scenario.name, player.course.lesson) == ("rr-euler", None)
    turn(qtbot, window, 1)
    to_the_end(qtbot, window)
    panel = active(window).docks["lesson"].widget()
    assert isinstance(panel, LessonPanel)
    assert panel.onward.isEnabled(), "the button goes on, too"
    turn(qtbot, window, 1)
    assert not isinstance(active(window), Teaching)
    assert (session.scenario.name, player.course.lesson) == ("rr-chaos", None)
    turn(qtbot, window, -1)
    assert isinstance(active(window), Teaching)
    assert player.course.number == player.course.last
    press(qtbot, window, Qt.Key.Key_Escape)
    press(qtbot, window, Qt.Key.Key_F5)
    turn(qtbot, window, 1)
    assert player.course.lesson is not None
    press(qtbot, window, Qt.Key.Key_Escape)


def test_the_list_of_pages_has_the_lesson_and_leads_out_of_it(window: MainWindow, qtbot: QtBot, lecture: Path) -> None:
    begin(qtbot, window, lecture, "six.md", "rr-chaos")
    show = active(window)
    assert isinstance(show, Teaching), "a list may begin with a lesson"
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    qtbot.keyClicks(window.sheet.search, "chaos")
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario.name == "rr-chaos"
    assert not isinstance(active(window), Teaching)
    assert LESSON in [page.title for page in active(window).sequence.pages]
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    qtbot.keyClicks(window.sheet.search, LESSON)
    press(qtbot, window, Qt.Key.Key_Return)
    assert isinstance(active(window), Teaching)
    window.session.lessons.close()
    assert window.session.scenario.name == "rr-chaos", "a closed lesson does not come back at once"
    active(window).leave()


def test_a_line_that_is_no_lesson_is_said(window: MainWindow, qtbot: QtBot, lecture: Path) -> None:
    begin(qtbot, window, lecture, "rr-euler", "lesson:ordr")
    assert "lesson:order" in window.banner.label.text()
    assert not window.isFullScreen()


def entries_of(window: MainWindow) -> list[str]:
    """What the menu of the picture says about the presentation."""
    assert window.viewport is not None
    window.viewport.ask_menu(QPoint(100, 100))
    texts = [action.text().partition("\t")[0].partition(":")[0] for action in popped_up().actions()]
    popped_up().close()
    return texts


def own_entries(widget: QWidget) -> list[str]:
    return [action.text().partition("\t")[0].partition(":")[0] for action in widget.actions()]


def test_the_menu_of_the_picture_is_whole_after_a_lesson(window: MainWindow, qtbot: QtBot, lecture: Path) -> None:
    begin(qtbot, window, lecture, "rr-euler", "six.md", "rr-chaos")
    before = entries_of(window)
    assert {"Show panels", "Undo", "Redo"} <= set(before)
    press(qtbot, window, Qt.Key.Key_PageDown)
    while not isinstance(active(window), Teaching):
        press(qtbot, window, Qt.Key.Key_PageDown)
    taught, show = entries_of(window), active(window)
    assert [entry for entry in own_entries(show.notes) if entry not in taught] == []
    assert set(taught) - set(before) == {"Class"}
    to_the_end(qtbot, window)
    turn(qtbot, window, 1)
    assert not isinstance(active(window), Teaching)
    assert entries_of(window) == before
    active(window).leave()
    assert not {"Show panels", "Undo", "Redo"} & set(entries_of(window))


def listed_pages(qtbot: QtBot, window: MainWindow) -> list[str]:
    """What J lists: each line with the words of the notes."""
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    rows = [window.sheet.list.item(row) for row in range(window.sheet.list.count())]
    texts = [row.data(Qt.ItemDataRole.AccessibleTextRole) for row in rows]
    press(qtbot, window, Qt.Key.Key_Escape)
    return texts


def test_the_list_of_pages_is_the_same_wherever_it_is_opened(window: MainWindow, qtbot: QtBot, lecture: Path) -> None:
    begin(qtbot, window, lecture, "rr-euler", "six.md", "rr-chaos")
    first = listed_pages(qtbot, window)
    note = active(window).sequence.page.text
    assert note in first[0]
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    qtbot.keyClicks(window.sheet.search, "2.3")
    press(qtbot, window, Qt.Key.Key_Return)
    show, course = active(window), window.session.lessons.course
    assert isinstance(show, Teaching)
    assert course.number == 3
    assert listed_pages(qtbot, window) == first
    press(qtbot, window, Qt.Key.Key_J)
    assert isinstance(window.sheet, Palette)
    assert window.sheet.list.currentItem().data(Qt.ItemDataRole.AccessibleTextRole) in first
    qtbot.keyClicks(window.sheet.search, "chaos")
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario.name == "rr-chaos"
    assert listed_pages(qtbot, window) == first
    turn(qtbot, window, -1)
    assert course.number == 3, "page keys come back to the step that was left"
    active(window).leave()


@pytest.mark.parametrize("closed_before", [True, False])
def test_a_lesson_in_between_leaves_the_list_at_its_page(
    window: MainWindow, qtbot: QtBot, lecture: Path, closed_before: bool
) -> None:
    """After Esc and F5 in the lesson it was the first of all presets."""
    begin(qtbot, window, lecture, "rr-euler", "rr-chaos", "rr-swing", "six.md")
    active(window).sequence.go(len(active(window).sequence.pages) - 2)
    here, name = active(window).sequence.place, window.session.scenario.name
    for _ in range(2):
        window.session.lessons.open("lesson:order")
        assert isinstance(active(window), Teaching)
        press(qtbot, window, Qt.Key.Key_Escape)
        if closed_before:
            window.session.lessons.close()
        press(qtbot, window, Qt.Key.Key_F5)
        if not closed_before:
            assert isinstance(active(window), Teaching)
            window.session.lessons.close()
        assert (active(window).sequence.place, window.session.scenario.name) == (here, name)
    window.session.lessons.open("lesson:order")
    press(qtbot, window, Qt.Key.Key_Escape)
    window.session.lessons.close()
    window.session.files.new("pa10-drift")
    press(qtbot, window, Qt.Key.Key_F5)
    assert window.session.scenario.name == "pa10-drift", "what a person has opened since is presented"
    press(qtbot, window, Qt.Key.Key_Escape)
