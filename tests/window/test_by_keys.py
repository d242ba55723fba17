"""What a lecture that is held by keys alone met: menus, long pages, refusals, names, and the palette."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QLineEdit, QMenu, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui.qt.dialogs.gallery import Gallery, PresetCard
from gui.qt.dialogs.palette import Palette
from gui.qt.dialogs.sheets import Sheet
from gui.qt.lessons.panel import LessonPanel
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.runs import RunsPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.viewport.viewport import Viewport
from gui.qt.widgets.fields import NumberRow
from gui.qt.window.commands import tab_order
from gui.qt.window.main_window import MainWindow
from tests.lessons import SIX_KINDS
from tests.window.hands import PATIENCE, give_focus, press

Key, P = Qt.Key, TypeVar("P", bound=QWidget)
TEXTS = 1500


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def panel_of(window: MainWindow, kind: type[P]) -> P:
    found = window.findChild(kind)
    assert isinstance(found, kind)
    return found


def find(qtbot: QtBot, window: MainWindow, query: str) -> Palette:
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, query)
    return palette


def first_text(palette: Palette) -> str:
    item = palette.list.currentItem()
    return item.data(Qt.ItemDataRole.UserRole).text if item is not None else ""


def test_a_selected_run_covers_no_other_one(window: MainWindow, qtbot: QtBot) -> None:
    """In a low window every row counts: what is said about the selected run stands beside the panel's title."""
    window.session.comparisons.pin()
    panel = panel_of(window, RunsPanel)
    qtbot.waitUntil(lambda: len(panel.model.ids) == 2)
    panel.table.clearSelection()
    qtbot.waitUntil(panel.footer.isHidden)
    before = panel.height()
    panel.select([panel.model.ids[1]])
    qtbot.waitUntil(panel.footer.isVisible)
    QApplication.processEvents()
    assert not panel.isAncestorOf(panel.footer)
    assert panel.height() >= before - panel.table.verticalHeader().defaultSectionSize() // 2


def test_after_a_run_is_named_its_keys_are_in_the_table(window: MainWindow, qtbot: QtBot) -> None:
    window.session.comparisons.pin()
    panel = panel_of(window, RunsPanel)
    qtbot.waitUntil(lambda: len(panel.model.ids) == 2)
    give_focus(qtbot, panel.table)
    panel.table.clearSelection()
    panel.select([panel.model.ids[1]])
    for key in (Key.Key_Return, Key.Key_Escape):
        press(qtbot, window, Key.Key_F2)
        qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
        press(qtbot, window, key)
        qtbot.waitUntil(panel.table.hasFocus)


def test_the_menu_of_a_plot_opens_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    plot = next(plot for plot in panel_of(window, PlotsPanel).plots.values() if plot.isVisible())
    give_focus(qtbot, plot.widget)
    press(qtbot, window, Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Enlarge" in [action.text() for action in menu.actions()]
    menu.close()


def test_tab_goes_on_from_a_section_that_the_palette_led_to(window: MainWindow, qtbot: QtBot) -> None:
    find(qtbot, window, "changes apply")
    press(qtbot, window, Key.Key_Return)
    press(qtbot, window, Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert panel_of(window, IntegratorPanel).scope.isAncestorOf(focus)


def test_tab_does_not_look_at_a_thousand_texts(window: MainWindow, qtbot: QtBot) -> None:
    """The findings of a paper are a page of many texts: comparing all their places took minutes for every Tab."""
    sheet = Sheet(window, "A long page", QSize(900, 500))
    page = QWidget()
    grid = QGridLayout(page)
    for number in range(TEXTS):
        grid.addWidget(QLabel(str(number)), number // 10, number % 10)
    buttons = [QPushButton("First"), QPushButton("Last")]
    grid.addWidget(buttons[0], 10, 20)
    grid.addWidget(buttons[1], 20, 20)
    area = QScrollArea()
    area.setWidget(page)
    sheet.body.addWidget(area)
    sheet.open()
    ordered = list(tab_order.in_order(sheet.card))
    assert [widget for widget in ordered if isinstance(widget, QPushButton)] == buttons
    assert not [widget for widget in ordered if isinstance(widget, QLabel)]
    press(qtbot, window, Key.Key_Tab)
    assert buttons[1].hasFocus()
    sheet.dismiss()


def test_enter_on_a_refused_value_stays_there_and_esc_takes_it_back(window: MainWindow, qtbot: QtBot) -> None:
    row = panel_of(window, ScenarioPanel).forms["robot."].rows["robot.m1"]
    assert isinstance(row, NumberRow)
    before = window.session.scenario.get("robot.m1")
    tab_order.arrive(row.number)
    row.number.selectAll()
    press(qtbot, window, Key.Key_0)
    press(qtbot, window, Key.Key_Return)
    assert row.refused
    assert row.number.hasFocus()
    press(qtbot, window, Key.Key_T)
    assert row.number.text() == "t", "the refused value is selected, and what is typed replaces it"
    press(qtbot, window, Key.Key_Escape)
    assert not row.number.hasFocus()
    assert not row.refused
    assert window.session.scenario.get("robot.m1") == before
    tab_order.arrive(row.number)
    row.number.selectAll()
    press(qtbot, window, Key.Key_Backspace)
    press(qtbot, window, Key.Key_Return)
    assert row.problem.endswith("got nothing")
    press(qtbot, window, Key.Key_Escape)


def test_a_number_typed_on_a_slider_goes_into_its_field(window: MainWindow, qtbot: QtBot) -> None:
    rows = panel_of(window, ScenarioPanel).forms["robot."].rows
    first, second = rows["robot.m1"], rows["robot.m2"]
    assert isinstance(first, NumberRow)
    assert isinstance(second, NumberRow)
    camera = panel_of(window, Viewport).camera()
    tab_order.arrive(first.number)
    first.number.selectAll()
    for key in (Key.Key_3, Key.Key_Return, Key.Key_Tab):
        press(qtbot, window, key)
    assert second.slider is not None
    assert second.slider.hasFocus()
    for key in (Key.Key_2, Key.Key_Period, Key.Key_5, Key.Key_Return):
        press(qtbot, window, key)
    values = [window.session.scenario.get(key) for key in ("robot.m1", "robot.m2")]
    assert values == [3.0, 2.5], "Enter, Tab and the next number, as the tour says"
    assert panel_of(window, Viewport).camera() == camera, "no digit was a command meanwhile"
    window.session.history.undo()
    window.session.history.undo()


def test_esc_in_the_gallery_leaves_the_arrows_to_its_cards(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["file.new"].trigger()
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    gallery.search.setFocus()
    qtbot.keyClicks(gallery.search, "swing")
    press(qtbot, window, Key.Key_Escape)
    press(qtbot, window, Key.Key_Down)
    assert isinstance(QApplication.focusWidget(), PresetCard)
    press(qtbot, window, Key.Key_End)
    assert QApplication.focusWidget() is gallery.cards[-1]
    press(qtbot, window, Key.Key_Home)
    assert QApplication.focusWidget() is gallery.cards[0]
    gallery.search.setFocus()
    qtbot.keyClicks(gallery.search, "pendulum")
    best = next(card for card in gallery.cards if card.property("best"))
    qtbot.waitUntil(lambda: not best.visibleRegion().isEmpty(), timeout=PATIENCE)
    gallery.search.setText("double pend")
    best = next(card for card in gallery.cards if card.property("best"))
    qtbot.waitUntil(lambda: best.visibleRegion().boundingRect() == best.rect(), timeout=PATIENCE)
    press(qtbot, window, Key.Key_Down)
    qtbot.waitUntil(lambda: not any(card.property("best") for card in gallery.cards), timeout=PATIENCE)
    gallery.search.setFocus()
    press(qtbot, window, Key.Key_Escape)
    assert gallery.search.text() == "", "not the word before"
    assert isinstance(QApplication.focusWidget(), PresetCard), "Enter and the arrows go on from a card"
    gallery.dismiss()


def test_right_stays_in_the_row_of_cards(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["file.new"].trigger()
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    first = gallery.cards[0]
    lowest = max((card for card in gallery.cards if card.group == first.group), key=lambda card: (card.y(), card.x()))
    lowest.setFocus()
    press(qtbot, window, Key.Key_Right)
    assert not isinstance(QApplication.focusWidget(), PresetCard), "beyond the row's end are the lessons"
    gallery.dismiss()


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("runs", "Panel: Runs"),
        ("method", "Set method"),
        ("robot", "Set robot"),
        ("step", "Set step"),
        ("method card", "Show About the method"),
        ("stability region", "Plot: Stability region"),
    ],
)
def test_the_palette_finds_what_has_the_very_name(window: MainWindow, qtbot: QtBot, query: str, wanted: str) -> None:
    palette = find(qtbot, window, query)
    assert first_text(palette) == wanted
    palette.dismiss()


def test_the_palette_leads_to_the_card_of_the_method(window: MainWindow, qtbot: QtBot) -> None:
    card = panel_of(window, IntegratorPanel).card
    find(qtbot, window, "method card")
    press(qtbot, window, Key.Key_Return)
    assert not card.name.visibleRegion().isEmpty(), "it is scrolled into view"
    for key in (None, Key.Key_Tab):
        if key is not None:
            press(qtbot, window, key)
            assert QApplication.focusWidget() is card.picture
        press(qtbot, window, Key.Key_Z)
        assert window.session.view.settings.enlarged == "stability", (
            "the picture that has the focus, not the first plot"
        )
        press(qtbot, window, Key.Key_Z)
        assert not window.session.view.settings.enlarged
    press(qtbot, window, Key.Key_Escape)
    assert QApplication.focusWidget() is window.viewport


def test_an_enlarged_plot_has_the_keys_of_what_it_covers(window: MainWindow, qtbot: QtBot) -> None:
    assert window.viewport is not None
    window.viewport.setFocus()
    for leave in (Key.Key_Z, Key.Key_Escape):
        press(qtbot, window, Key.Key_Z)
        plot = window.enlarged.plot
        assert plot is not None
        assert QApplication.focusWidget() is plot.widget
        t = window.session.playback.t
        press(qtbot, window, Key.Key_End)
        assert window.session.playback.t > t, "the window's keys are the window's"
        press(qtbot, window, Key.Key_Home)
        press(qtbot, window, Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert "Back to its place" in [action.text() for action in menu.actions()]
        menu.close()
        press(qtbot, window, leave)
        assert window.enlarged.plot is None
        assert QApplication.focusWidget() is window.viewport


def test_a_lesson_that_is_opened_again_comes_to_the_front(window: MainWindow, qtbot: QtBot) -> None:
    docks = {dock.kind.key: dock for dock in window.docks}
    window.session.view.set(theme="projector")
    window.resize(1280, 720)
    for _ in range(2):
        window.files.open_lesson("five-minutes")
        qtbot.waitUntil(lambda: not docks["lesson"].visibleRegion().isEmpty(), timeout=PATIENCE)
        docks["scenario"].present()
        qtbot.waitUntil(lambda: docks["lesson"].visibleRegion().isEmpty(), timeout=PATIENCE)
    window.actions_by_key["lesson.close"].trigger()


def test_a_lesson_that_is_closed_by_keys_leaves_no_error(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The panel remembered the field that it had scrolled to, which was gone with the lesson."""
    file = tmp_path / "six.md"
    file.write_text(SIX_KINDS)
    window = open_one(file=file, ready=False)
    qtbot.waitUntil(lambda: all(dock.panel is not None for dock in window.docks), timeout=PATIENCE)
    panel, player = panel_of(window, LessonPanel), window.session.lessons
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.waitUntil(panel.onward.hasFocus)
    press(qtbot, window, Key.Key_Down)
    assert panel.onward.hasFocus(), "an arrow leads to no other panel"
    press(qtbot, window, Key.Key_PageDown, control)
    qtbot.waitUntil(lambda: player.ready, timeout=PATIENCE)
    press(qtbot, window, Key.Key_Down)
    chosen = QApplication.focusWidget()
    assert chosen is not None
    assert panel.area.isAncestorOf(chosen), "it is scrolled to"
    camera = window.session.view.settings.camera
    for number, name in (("1", "coarse"), ("2", "fine")):
        press(qtbot, window, Key(ord(number)))
        assert player.course.draft == name, "choices have numbers, so numbers choose"
    assert window.session.view.settings.camera == camera
    notes = panel_of(window, ScenarioPanel).notes
    notes.setFocus()
    press(qtbot, window, Key.Key_Return, control)
    assert not notes.hasFocus(), "the text ends there, too, though the lesson has a use for these keys"
    window.actions_by_key["lesson.close"].trigger()
    qtbot.waitUntil(lambda: not isValid(chosen))
    bar = panel.area.verticalScrollBar()
    bar.setRange(0, bar.maximum() + 7)
    assert not caplog.records


def test_enter_takes_the_first_entry_of_a_menu_that_is_opened_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    """Of a menu with one entry as well: nothing was marked, and Enter did nothing."""
    row = panel_of(window, ScenarioPanel).forms["robot."].rows["robot.m1"]
    assert isinstance(row, NumberRow)
    tab_order.arrive(row.number)
    press(qtbot, window, Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    first = next(action for action in menu.actions() if not action.isSeparator())
    qtbot.waitUntil(lambda: menu.activeAction() is first)
    QApplication.clipboard().setText("")
    qtbot.keyClick(menu, Key.Key_Return)
    assert QApplication.clipboard().text() == row.typeable()


def test_a_menu_that_the_mouse_opens_marks_nothing(window: MainWindow, qtbot: QtBot) -> None:
    assert window.viewport is not None
    qtbot.mousePress(window.viewport, Qt.MouseButton.RightButton)
    window.viewport.ask_menu(QPoint(100, 100))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    qtbot.wait(50)
    assert menu.activeAction() is None
    menu.close()
