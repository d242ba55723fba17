"""Cancel at a question leaves the sheet from which it was asked as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gui.app.session.results import STUDY
from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.sheets import Question, leave_sheets
from gui.qt.dialogs.studies import StudySheet
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import find_preset
from tests.window.hands import press

Key = Qt.Key
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def gallery_of(window: MainWindow) -> Gallery:
    window.actions_by_key["file.new"].trigger()
    assert isinstance(window.sheet, Gallery)
    return window.sheet


def asked(window: MainWindow) -> Question:
    assert isinstance(window.sheet, Question)
    return window.sheet


def test_quitting_asks_about_a_study_that_no_file_has(window: MainWindow, qtbot: QtBot) -> None:
    """Minutes of computing were gone without a question."""
    window.session.files.new("rr-swing")
    window.session.results.note(STUDY, "Six methods", {"study": "none"})
    assert not window.isWindowModified()
    window.close()
    question = asked(window)
    assert window.isVisible()
    said = [label.text() for label in question.findChildren(QLabel)]
    assert "New results will be lost if you don't save them: Six methods." in said
    press(qtbot, window, Key.Key_Escape)
    assert window.isVisible()
    window.session.history.undo()
    window.session.files.new("rr-swing")
    assert window.sheet is None


@pytest.mark.parametrize("way", ["Cancel", "Esc"])
def test_the_gallery_is_there_again_as_it_was(window: MainWindow, qtbot: QtBot, way: str) -> None:
    window.session.edit("robot.m2", 2.0)
    gallery = gallery_of(window)
    qtbot.keyClicks(gallery, "euler")
    words = gallery.search.text()
    press(qtbot, window, Key.Key_Return)
    question = asked(window)
    assert not gallery.isVisible()
    if way == "Esc":
        press(qtbot, window, Key.Key_Escape)
    else:
        qtbot.mouseClick(question.buttons[-1], Qt.MouseButton.LeftButton)
    assert window.sheet is gallery
    assert gallery.isVisible()
    assert gallery.search.text() == words
    assert QApplication.focusWidget() is gallery.search
    assert window.session.scenario.get("robot.m2") == 2.0
    press(qtbot, window, Key.Key_Return)
    asked(window)
    press(qtbot, window, Key.Key_D, Qt.KeyboardModifier.AltModifier)
    assert window.sheet is None, "what is opened closes the gallery"
    assert not gallery.isVisible()
    assert window.session.scenario.get("robot.m2") != 2.0


def test_the_paper_desk_is_there_again_as_it_was(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("robot.m2", 2.0)
    window.actions_by_key["file.studies"].trigger()
    desk = window.sheet
    assert isinstance(desk, StudySheet)
    desk.list.setCurrentRow(2)
    key = desk.key
    button = next(one for one in desk.findChildren(QPushButton) if one.accessibleName().startswith("Open "))
    button.setFocus()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    asked(window)
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is desk
    assert desk.isVisible()
    assert desk.key == key
    assert QApplication.focusWidget() is button
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is None


def test_a_second_question_takes_the_place_of_the_first(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("robot.m2", 2.0)
    gallery = gallery_of(window)
    window.files.open_preset("rr-pd")
    first = asked(window)
    window.come("pendulum-drift")  # from another start of the program
    assert asked(window) is not first
    press(qtbot, window, Key.Key_Escape)
    assert window.sheet is gallery
    window.files.open_preset("rr-pd")
    gallery_of(window)
    assert window.sheet is not gallery, "another sheet takes the place of both"
    window.sheet.dismiss()
    assert window.sheet is None


def test_a_file_that_is_not_chosen_leaves_the_gallery_and_one_that_is_refused_shows_why(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    gallery = gallery_of(window)
    other = next(one for one in gallery.findChildren(QPushButton) if one.text() == "Open a file…")
    qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()
    assert window.sheet is gallery
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    window.files.open(broken)
    assert window.sheet is None, "the message is in the window"
    assert window.banner.isVisible()
    window.session.messages.solved("file")


def test_saving_first_opens_and_closes_the_gallery(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.files.open_preset("rr-pd")
    assert window.session.files.save(tmp_path / "mine.json")
    window.session.edit("duration", 3.0)
    gallery_of(window)
    window.files.open_preset("pendulum-drift")
    press(qtbot, window, Key.Key_Return)
    assert window.sheet is None
    assert window.session.scenario.title == find_preset("pendulum-drift").title


def test_the_second_question_of_the_end_brings_the_sheet_back_too(window: MainWindow) -> None:
    session = window.session
    session.edit("robot.m2", 2.0)
    session.files.keep_changes()
    session.edit("robot.m2", 2.5)
    gallery = gallery_of(window)
    window.close()
    question = asked(window)
    next(one for one in question.buttons if one.text().replace("&", "") == "Don't save").click()
    second = asked(window)
    assert second is not question
    assert not gallery.isVisible()
    next(one for one in second.buttons if one.text().replace("&", "") == "Cancel").click()
    assert window.sheet is gallery
    assert gallery.isVisible()
    leave_sheets(window)
    session.files.kept = ()
    session.files.new()


def test_the_second_click_of_a_double_click_answers_no_question(window: MainWindow, qtbot: QtBot) -> None:
    """The first one asks whether to save, and *Don't save* came to lie under the mouse."""
    window.session.edit("robot.m2", 2.0)
    card = gallery_of(window).cards[0]
    place = QPointF(card.mapToGlobal(card.rect().center()))
    qtbot.mouseClick(card, LEFT)
    question = asked(window)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QPushButton)
    for button in question.buttons:
        button.setFocus(Qt.FocusReason.MouseFocusReason)  # as Qt does before the click
        for kind, held in ((QEvent.Type.MouseButtonDblClick, LEFT), (QEvent.Type.MouseButtonRelease, NONE)):
            at = QPointF(button.rect().center())
            event = QMouseEvent(kind, at, place, LEFT, held, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(button, event)
        assert asked(window) is question
        assert QApplication.focusWidget() is focused
    assert window.session.scenario.get("robot.m2") == 2.0
    qtbot.mouseClick(next(one for one in question.buttons if one.text().replace("&", "") == "Don't save"), LEFT)
    assert window.sheet is None, "a click of its own is an answer"
