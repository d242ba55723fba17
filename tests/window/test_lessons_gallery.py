"""Lessons in the gallery, and the page that a lesson leaves."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.gallery import Gallery
from gui.qt.lessons.answers_page import answers_page
from gui.qt.panels.runs import RunsPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.style.curtain import Curtain
from gui.qt.widgets.quiet import Card, RoleLabel
from gui.qt.window.main_window import MainWindow
from robots.lessons.answer_files import from_html
from robots.lessons.answers import Answers, GivenAnswer
from robots.lessons.lesson import Kind
from tests.window.hands import PATIENCE, give_focus, press, wait_done
from tests.window.test_lessons import panel_of


def tabs_of(window: MainWindow) -> list[list[str]]:
    """What the bars of tabs beside the docks say."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    bars = [bar for bar in bars if bar.isVisible() and bar.count() > 1]
    return [[bar.tabText(place) for place in range(bar.count())] for bar in bars]


def test_a_lesson_opens_while_the_keys_are_in_a_table_of_several_runs(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-chaos")
    wait_done(qtbot, window)
    assert len(window.session.runs.all) > 1
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "runs")
    assert isinstance(panel, RunsPanel)
    panel.table.setFocus()
    panel.table.selectRow(1)
    window.actions_by_key["help.lessons"].trigger()
    qtbot.waitUntil(Curtain.of(window).isVisible, timeout=PATIENCE)
    window.session.files.new("rr-swing")
    assert len(panel.model.ids) > len(window.session.runs.all), "the table rests behind the sheet"
    assert not panel.table.grab().isNull(), "it is painted meanwhile, where the sheet does not hide it"
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        press(qtbot, window, key)
    lesson = panel_of(qtbot, window)
    assert window.viewport is not None
    with qtbot.waitSignal(window.viewport.frameSwapped, timeout=PATIENCE):
        pass
    press(qtbot, window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.lessons.course.number == 1, timeout=PATIENCE)
    assert lesson.isVisible()


def test_the_gallery_opens_lessons(
    window: MainWindow, open_one: Callable[..., MainWindow], heard: list[tuple[str, bool]], qtbot: QtBot
) -> None:
    window.actions_by_key["help.lessons"].trigger()
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    assert QApplication.focusWidget() in gallery.lessons.cards
    press(qtbot, window, Qt.Key.Key_Left)
    assert gallery.cards[0].hasFocus()
    bar = gallery.area.horizontalScrollBar()
    assert bar.maximum() == 0, "every column of cards is whole"
    for _ in range(3):
        press(qtbot, window, Qt.Key.Key_Right)
    assert QApplication.focusWidget() in gallery.lessons.cards
    for letter in "order":
        press(qtbot, window, Qt.Key(ord(letter.upper())))
    assert gallery.search.text().lower() == "order"
    assert "order" in [card.key for card in gallery.lessons.found]
    gallery.search.setText("step too long")
    assert gallery.found()
    assert gallery.lessons.isHidden(), "no heading without a lesson"
    gallery.search.setText("order")
    assert gallery.lessons.isVisible()
    card = next(card for card in gallery.lessons.found if card.key == "order")
    assert "10 min, " in card.accessibleDescription()
    others = [card.accessibleDescription() for card in gallery.lessons.found]
    assert any(said.endswith(", in German") for said in others), others
    card.setFocus()
    press(qtbot, window, Qt.Key.Key_Return)
    panel = panel_of(qtbot, window)
    player = window.session.lessons
    assert player.course.lesson is not None
    assert player.course.lesson.key == "order"
    texts = [label.text() for label in panel.findChildren(RoleLabel)]
    assert any(text.endswith(", after “Five minutes”") for text in texts), texts
    player.announced.emit("It is *stable* as long as $h < 2$.")
    assert heard[-1:] == [("It is stable as long as h < 2.", False)]
    left = [dock for dock in window.docks if dock.kind.area == "left"]
    scenario = next(dock.panel for dock in left if dock.kind.key == "scenario")
    assert isinstance(scenario, ScenarioPanel)
    duration = scenario.general.rows["duration"]
    before = duration.value
    window.session.edit("duration", 3.25)
    assert duration.value == before, "a form behind the lesson costs nothing"
    player.close()
    qtbot.waitUntil(lambda: duration.value == 3.25)
    assert [dock.kind.key for dock in left if not dock.isHidden()] == ["scenario", "integrator"]
    assert not tabs_of(window)
    player.open("order")
    qtbot.waitUntil(lambda: tabs_of(window) == [["Lesson", "Scenario", "Integrator"]])
    window.close_now()
    again = open_one(file="lesson:order", ready=False)
    panel_of(qtbot, again)
    qtbot.waitUntil(lambda: tabs_of(again) == [["Lesson", "Scenario", "Integrator"]])
    press(qtbot, again, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: not tabs_of(again))
    press(qtbot, again, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: tabs_of(again) == [["Lesson", "Scenario", "Integrator"]])


@pytest.mark.usefixtures("qapp")
def test_a_saved_page_has_the_chart_of_a_drawn_prediction() -> None:
    points = ((0.0, 0.0), (1.0, -1.5))
    drawn = GivenAnswer(3, "Draw", "Draw $q_1$.", Kind.CURVE, points, points, "Close.", "It falls.", False, True)
    page = answers_page(Answers("order", "Order", "en", "0" * 64, "Ada", (drawn,)))
    _, chart = page.split("<figure>")
    chart = chart.partition("</figure>")[0]
    assert {"Predicted", "Outcome"} <= {element.text for element in ElementTree.fromstring(chart).iter()}
    assert from_html(page).given == (drawn,)


def test_the_focus_goes_by_pages_and_to_what_enter_takes(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["file.new"].trigger()
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    assert gallery.cards[0].hasFocus()
    places = [gallery.cards[0].y()]
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp):
        press(qtbot, window, key)
        card = QApplication.focusWidget()
        assert card in gallery.cards
        assert not card.visibleRegion().isEmpty(), "it is in sight"
        places.append(card.y())
    assert places[0] < places[1] < places[2] > places[3] > places[4]
    for text, title in (("stability", "Stability"), ("top", "A spinning top")):
        gallery.search.setFocus()
        gallery.search.setText(text)
        assert [card.title for card in gallery.findChildren(Card) if card.property("best")] == [title], "it is marked"
        press(qtbot, window, Qt.Key.Key_Down)
        card = QApplication.focusWidget()
        assert isinstance(card, Card)
        assert card.title == title
    press(qtbot, window, Qt.Key.Key_Escape)


class Layouts(QObject):
    """Counts how often the docks are to be laid out."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_a_lesson_at_rest_lays_nothing_out(open_one: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """Qt shows a bar of tabs again whenever it is hidden; that went on as long as a lesson was open."""
    window = open_one(gallery=False)
    window.resize(1440, 900)
    window.session.lessons.open("order")
    qtbot.waitUntil(lambda: window.session.lessons.course.lesson is not None)
    qtbot.waitUntil(lambda: window.session.playback.playing is False)
    qtbot.wait(1000)
    layouts = Layouts(window)
    qtbot.wait(500)
    assert layouts.count == 0


@pytest.mark.parametrize("way", ["gallery", "palette"])
def test_a_lesson_that_is_asked_for_again_has_the_keys(window: MainWindow, qtbot: QtBot, way: str) -> None:
    """They were in the table, to which the sheet gives them back; one that is left without a choice does so only."""

    def ask(ends: Qt.Key) -> None:
        if way == "gallery":
            press(qtbot, window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
            assert isinstance(window.sheet, Gallery)
        else:
            press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        for letter in "five":  # each where the keys are: from a card they go to the search
            qtbot.keyClicks(QApplication.focusWidget(), letter)
        press(qtbot, window, ends)
        while ends == Qt.Key.Key_Escape and window.sheet is not None:
            press(qtbot, window, ends)
        assert window.sheet is None

    window.files.open_lesson("five-minutes")
    lesson = panel_of(qtbot, window)
    docks = {dock.kind.key: dock for dock in window.docks}
    runs = docks["runs"].panel
    assert isinstance(runs, RunsPanel)
    QApplication.processEvents()  # the lesson has come
    assert lesson.onward.hasFocus()
    for hide in (lambda: None, docks["scenario"].present, docks["lesson"].close):
        hide()
        give_focus(qtbot, runs.table)
        ask(Qt.Key.Key_Escape)
        QApplication.processEvents()
        assert runs.table.hasFocus(), "nothing was asked for"
        ask(Qt.Key.Key_Return)
        qtbot.waitUntil(lesson.onward.hasFocus, timeout=PATIENCE)
        assert not lesson.onward.visibleRegion().isEmpty()


@pytest.mark.parametrize(("typed", "found"), [("stab", "Stability"), ("stiff", "Stiff")])
def test_what_is_typed_on_a_lesson_finds_a_lesson(window: MainWindow, qtbot: QtBot, typed: str, found: str) -> None:
    """Scenarios have titles with unstable and with stiff."""
    window.files.choose_lesson()
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    for letter in typed:
        focus = QApplication.focusWidget()
        assert focus is not None
        qtbot.keyClicks(focus, letter)
    best = next(card for card in (*gallery.cards, *gallery.lessons.cards) if card.property("best"))
    assert best in gallery.lessons.cards
    assert found in best.title
    gallery.dismiss()


@pytest.mark.parametrize("size", [(1024, 700), (1280, 720), (1920, 1080)])
def test_cards_fill_the_gallery_as_far_as_the_lessons(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    window.resize(*size)
    press(qtbot, window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(window.sheet, Gallery)
    area, cards = window.sheet.area, window.sheet.cards

    def left() -> int:
        """What is right of the last card of a row [px]."""
        inner = area.widget()
        return area.viewport().width() - max(card.mapTo(inner, card.rect().topRight()).x() for card in cards)

    qtbot.waitUntil(lambda: 0 <= left() < cards[0].width() // 8)
    assert len({card.width() for card in cards}) == 1
