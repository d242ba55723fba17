"""A lecture by mouse or by keys alone: a presentation's menus, its theme, its page number, an ensemble's cloud."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.app.settings import Settings
from gui.qt.dialogs.help_sheets import KeySheet
from gui.qt.dialogs.palette import Palette
from gui.qt.lessons.inputs import ChoiceInput
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.teaching import Teaching
from gui.qt.lessons.text import LessonText
from gui.qt.window.commands.local_keys import LOCAL, PRESENTATION
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presenter import OTHER_TEXTS
from robots.scenario.ensemble import Spread
from tests.window.hands import PATIENCE, press, wait_done
from tests.window.test_before_an_audience import popped_up
from tests.window.test_lesson_entries import at_step, open_lesson
from tests.window.test_presentation import CONTROL, begin

Key = Qt.Key


def choose(menu: QMenu, text: str) -> None:
    """Choose an entry, as a click does."""
    entry = next(action for action in menu.actions() if action.text().partition("\t")[0] == text)
    menu.close()
    entry.trigger()


def choose_below_mouse(widget: QWidget, text: str) -> None:
    """Click with the right button and choose an entry: Qt waits in such a menu until it closes."""
    at = QPoint(20, 20)
    QTimer.singleShot(0, lambda: choose(popped_up(), text))
    QApplication.sendEvent(widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at)))


def test_the_mouse_alone_presents(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    viewport, playback = window.viewport, window.session.playback
    assert viewport is not None
    viewport.ask_menu(QPoint(100, 100))
    choose(popped_up(), "Next page")
    assert show.sequence.number == 1
    choose_below_mouse(show.notes, "Previous page")
    assert show.sequence.number == 0
    for text, sheet in (("Go to any page", Palette), ("Keys and mouse", KeySheet)):
        viewport.ask_menu(QPoint(100, 100))
        choose(popped_up(), text)
        assert isinstance(window.sheet, sheet)
        window.sheet.dismiss()
    choose_below_mouse(show.notes, "Plots, table, or the arm alone")
    assert show.docks["runs"].isVisible()
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: playback.playing)
    choose_below_mouse(show.notes, "Play or pause")
    assert not playback.playing
    choose_below_mouse(show.notes, "Black screen")
    assert show.black.isVisible()
    window.banner.hide()
    window.session.messages.say("News.")
    assert window.banner.isHidden(), "nothing is said over a black screen"
    choose_below_mouse(show.black, "Next page")
    assert not show.black.isVisible()
    viewport.ask_menu(QPoint(100, 100))
    choose(popped_up(), "End the presentation")
    assert not show.active
    qtbot.waitUntil(lambda: not window.centre.actions())
    viewport.ask_menu(QPoint(100, 100))
    assert "page" not in " ".join(action.text() for action in popped_up().actions())
    popped_up().close()


def test_whatever_has_a_key_in_a_presentation_is_in_its_menu(window: MainWindow, qtbot: QtBot) -> None:
    """The panels, what undoes a change and the notes needed a keyboard."""
    show = begin(qtbot, window)
    viewport, session = window.viewport, window.session
    assert viewport is not None

    def entries() -> dict[str, QAction]:
        viewport.ask_menu(QPoint(100, 100))
        found = {action.text().partition("\t")[0]: action for action in popped_up().actions()}
        popped_up().close()
        return found

    texts = {OTHER_TEXTS.get(one.key, one.text) for one in LOCAL if one.menu == PRESENTATION}
    assert texts <= set(entries())
    assert entries()["Notes"].text().endswith("\tN")
    assert not entries()["Swap two screens"].isEnabled()
    for name, key in {"Show panels": "Ctrl+B", "Redo": "Ctrl+Shift+Z"}.items():
        assert entries()[name].shortcut().toString() == key
    assert not entries()["Undo"].isEnabled()
    wait_done(qtbot, window)
    before = session.scenario
    assert session.edit("duration", 3.0)
    session.history.settle()
    undo = next(action for text, action in entries().items() if text.startswith("Undo"))
    assert undo.isEnabled()
    undo.trigger()
    assert session.scenario == before
    entries()["Show panels"].trigger()
    assert session.view.settings.panels
    entries()["Show panels"].trigger()
    assert not session.view.settings.panels
    shown = show.notes.isVisible()
    choose_below_mouse(show.notes, "Notes")
    assert show.notes.isVisible() != shown
    show.leave()
    assert window.actions_by_key["edit.undo"] not in window.centre.actions()
    assert window.actions_by_key["edit.undo"] in window.actions()


def test_a_theme_chosen_in_a_presentation_ends_with_it(window: MainWindow, qtbot: QtBot) -> None:
    view = window.session.view
    view.set(theme="dark")
    show = begin(qtbot, window)
    window.actions_by_key["theme.light"].trigger()
    assert view.settings.theme == "light"
    window.actions_by_key["theme.projector"].trigger()
    show.leave()
    assert view.settings.theme == "dark"
    assert Settings(window.session.settings.folder).get("view.theme", "") == "dark"
    view.set(theme="projector")
    assert Settings(window.session.settings.folder).get("view.theme", "") == "projector"
    view.set(theme="light")


def test_beside_the_panels_the_page_has_its_number(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("notes", "One.\n\nTwo.")
    show = begin(qtbot, window)
    press(qtbot, window, Key.Key_B, CONTROL)
    press(qtbot, window, Key.Key_PageDown)
    assert show.number.isVisible()
    assert show.number.text().startswith("2 of ")
    show.leave()


def test_the_notes_stay_where_they_are_while_pages_turn(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("notes", "One.\n\n" + "Two is longer. " * 20 + "\n\nThree.")
    show = begin(qtbot, window)
    qtbot.waitUntil(lambda: show.notes.y() >= window.viewport.height(), timeout=5000)  # type: ignore[union-attr]
    place = show.notes.geometry()
    for _ in range(2):
        press(qtbot, window, Key.Key_PageDown)
        assert show.notes.geometry() == place
    show.leave()


def test_a_cloud_is_drawn_once_it_is_computed(window: MainWindow, qtbot: QtBot) -> None:
    """Nothing moves: the picture is drawn again for the ensemble alone."""
    session, viewport = window.session, window.viewport
    assert viewport is not None
    session.edit("duration", 1.0)
    wait_done(qtbot, window)
    session.playback.seek(0.5)
    drawn: list[bool] = []
    changed = viewport._changed

    def watch(*_: object) -> None:
        drawn.append(session.runs.current.ensemble is not None)
        changed()

    viewport._changed = watch  # type: ignore[method-assign]
    assert not session.ensembles.spread("initial.q1", Spread("normal", 0.1))
    qtbot.waitUntil(lambda: session.runs.current.ensemble is not None, timeout=PATIENCE)
    qtbot.waitUntil(lambda: any(drawn), timeout=2000)
    assert any(len(one.points) > 1 for one in viewport.picture().dots)


def test_an_undocked_panel_is_reached_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    docks = {dock.kind.key: dock for dock in window.docks}
    scenario, integrator = docks["scenario"], docks["integrator"]
    button = next(one for one in scenario.findChildren(QToolButton) if one.accessibleName().startswith("Undock"))
    button.setFocus()
    qtbot.keyClick(button, Key.Key_Return)
    assert scenario.isFloating()
    above = QRect(integrator.mapToGlobal(QPoint()), integrator.size())
    assert not scenario.geometry().intersects(above), "it covers no title"
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    def by_palette(words: str) -> QWidget:
        press(qtbot, window, Key.Key_K, CONTROL)
        assert window.sheet is not None
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        assert not scenario.isVisible(), "it would lie over the list"
        qtbot.keyClicks(QApplication.focusWidget(), words)
        press(qtbot, window, Key.Key_Return)
        qtbot.waitUntil(scenario.isVisible)
        return scenario if words != "panel integrator" else window

    for words in ("panel scenario", "set mass 1", "panel integrator"):
        there = by_palette(words)
        qtbot.waitUntil(there.isActiveWindow)
        focus = QApplication.focusWidget()
        assert focus is not None
        assert there.isAncestorOf(focus)
        if isinstance(focus, QLineEdit):
            assert focus.hasSelectedText(), "what is typed replaces the number"
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
    scenario.setFloating(False)


def test_two_ways_to_the_start_have_names_that_say_what_they_do(window: MainWindow, qtbot: QtBot) -> None:
    playback, actions = window.session.playback, window.actions_by_key
    for key, name, goes_on in (("run.first", "Go to", True), ("run.reset", "Pause at", False)):
        playback.play()
        actions[key].trigger()
        assert playback.playing == goes_on
        assert actions[key].text() == f"{name} the start"


def panel_of(window: MainWindow) -> LessonPanel:
    show = window.findChild(Teaching)
    assert show is not None
    panel = show.docks["lesson"].widget()
    assert isinstance(panel, LessonPanel)
    return panel


def test_beside_an_outcome_the_bars_of_hands_have_their_choices(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """Nobody saw what *2: 1* was, and *Show the hands* was grey."""
    window = open_lesson(open_one, tmp_path)
    player = window.session.lessons
    at_step(qtbot, window, 1, in_class=True)
    press(qtbot, window, Key.Key_2)
    assert player.commit()
    qtbot.waitUntil(lambda: player.course.record.answers[0].outcome is not None, timeout=PATIENCE)
    card = panel_of(window).cards[0]
    said = " ".join(text.accessibleName() for text in card.findChildren(LessonText))
    assert "2. the one with 10 ms" in said
    assert window.viewport is not None
    window.viewport.ask_menu(QPoint(100, 100))
    whole = popped_up()
    own = next(entry.menu() for entry in whole.actions() if entry.text() == "Class")
    assert isinstance(own, QMenu)
    own.aboutToShow.emit()
    whole.close()
    entry = next(entry for entry in own.actions() if entry.text().startswith("Show the hands"))
    assert entry.isEnabled()
    entry.trigger()
    assert card.bars is not None
    qtbot.waitUntil(card.bars.isVisible)
    press(qtbot, window, Key.Key_Escape)


def test_the_mouse_alone_takes_a_class_through_a_question(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_lesson(open_one, tmp_path)
    player = window.session.lessons
    at_step(qtbot, window, 1, in_class=True)

    def of_class() -> QMenu:
        assert window.viewport is not None
        window.viewport.ask_menu(QPoint(100, 100))
        whole = popped_up()
        (own,) = [entry.menu() for entry in whole.actions() if entry.text() == "Class"]
        assert isinstance(own, QMenu)
        own.aboutToShow.emit()
        whole.close()
        return own

    def able(text: str) -> bool:
        return next(entry for entry in of_class().actions() if entry.text().startswith(text)).isEnabled()

    texts = [entry.text() for entry in of_class().actions()]
    assert texts[1] == "Count a hand: the one with 10 ms\t2"
    assert not able("Undo the last count")
    for said in ("1 hand counted", "2 hands counted"):
        choose(of_class(), "Count a hand: the one with 10 ms")
        assert window.banner.isVisible()
        assert window.banner.accessibleName() == said
    assert player.course.record.answers[0].hands == ("fine", "fine")
    panel = panel_of(window)
    choice = panel.cards[0].input
    assert isinstance(choice, ChoiceInput)
    button = choice.buttons["fine"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, button.height() // 2))
    assert player.course.record.answers[0].hands == ("fine", "fine", "fine")
    assert window.banner.accessibleName() == "3 hands counted"
    assert not button.isChecked(), "a hand, no prediction of the teacher's"
    choose(of_class(), "Undo the last count")
    assert player.course.record.answers[0].hands == ("fine", "fine")
    choose(of_class(), "Undo the last count")
    assert window.banner.accessibleName() == "The last hand was taken back: 1 hand"
    press(qtbot, window, Key.Key_1)
    assert window.banner.accessibleName() == "2 hands counted", "keys say the same"
    press(qtbot, window, Key.Key_Backspace)
    assert player.course.record.answers[0].hands == ("fine",)
    choose(of_class(), "Show the hands")
    assert player.poll.shown
    assert not able("Stop the clock")
    choose(of_class(), "One minute more to think")
    assert player.countdown.running
    choose(of_class(), "Stop the clock")
    assert not player.countdown.running
    choose(of_class(), "Hint")
    assert player.course.record.hints == 1
    choose(of_class(), "Reset the step")
    assert not player.course.record.answers[0].hands
    press(qtbot, window, Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(Teaching) is None)
    centre = window.centralWidget()
    assert centre is not None
    assert "Class" not in [action.text() for action in centre.actions()], "it ends with the class"
