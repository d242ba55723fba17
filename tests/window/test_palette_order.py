"""The palette never takes another line than the best: not past a disabled one, and not a lesson before what is open."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.palette import Entry, Palette, rank
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


def typed(window: MainWindow, qtbot: QtBot, words: str) -> Palette:
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    sheet = window.sheet
    assert isinstance(sheet, Palette)
    qtbot.keyClicks(sheet.search, words)
    return sheet


def marked(sheet: Palette) -> str:
    return sheet.list.currentItem().data(Qt.ItemDataRole.AccessibleTextRole).split(",")[0]


def test_return_at_a_disabled_best_match_says_why_and_opens_nothing(window: MainWindow, qtbot: QtBot) -> None:
    """Return took the next line, a lesson, which replaced the scenario."""
    window.session.files.new("rr-swing")
    before = window.session.scenario
    sheet = typed(window, qtbot, "step control")
    assert marked(sheet) == "Step control"
    assert sheet.why.isHidden()
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.sheet is sheet
    assert sheet.why.isVisible()
    assert "no error estimate" in sheet.why.text()
    QApplication.processEvents()
    assert sheet.card.rect().contains(sheet.why.mapTo(sheet.card, sheet.why.rect().bottomRight()))
    assert window.session.scenario == before
    assert window.session.lessons.course.lesson is None
    press(qtbot, window, Qt.Key.Key_Down)
    assert marked(sheet) == "Lesson: Step control", "the arrows lead on to what can be taken"
    assert sheet.why.isHidden()
    press(qtbot, window, Qt.Key.Key_Escape)


def test_another_search_forgets_why_and_what_is_enabled_is_done(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-swing")
    sheet = typed(window, qtbot, "step control")
    press(qtbot, window, Qt.Key.Key_Return)
    sheet.search.setText("zzz")
    assert sheet.why.isHidden()
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.sheet is sheet, "there is nothing to take"
    press(qtbot, window, Qt.Key.Key_Escape)
    window.session.edit("method", "rkf45")
    assert marked(typed(window, qtbot, "step control")) == "Step control"
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.sheet is None
    assert window.session.scenario.step is None


def test_a_line_that_knows_no_reason_says_that_it_does_not_apply(window: MainWindow, qtbot: QtBot) -> None:
    done: list[str] = []
    lines = [
        Entry("Cut", "Edit", "", lambda: done.append("cut"), enabled=False),
        Entry("Cut off", "Edit", "", lambda: done.append("cut off")),
    ]
    sheet = Palette(window, lambda: lines)
    window.show_sheet(sheet)
    qtbot.keyClicks(sheet.search, "cut")
    press(qtbot, window, Qt.Key.Key_Return)
    assert (done, sheet.why.text()) == ([], "Cut does not apply now.")
    sheet.dismiss()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("stability", "Stability regions"),
        ("lesson: stability", "Lesson: Stability"),
        ("chaos", "Open Chaos"),
        ("open chaos", "Open Chaos"),
        ("the arm falls", "Open The arm falls"),
    ],
)
def test_what_is_open_comes_before_what_replaces_it(window: MainWindow, qtbot: QtBot, words: str, first: str) -> None:
    assert marked(typed(window, qtbot, words)) == first
    press(qtbot, window, Qt.Key.Key_Escape)


def test_a_name_of_what_replaces_the_scenario_is_no_better_than_a_beginning() -> None:
    lesson = Entry("Lesson: Stability", "Lesson", "", lambda: None, replaces=True)
    assert rank("stability", lesson) == rank("stability", Entry("Stability regions", "View", "", lambda: None)) == 0
    assert rank("lesson: stability", lesson) == -1
    assert rank("stability", Entry("Plot: Stability", "Plots", "", lambda: None)) == -1
    assert rank("accuracy", lesson) is None


def test_enter_takes_the_same_line_however_much_is_loaded(window: MainWindow, qtbot: QtBot) -> None:
    """While the panels were made, the best match for "step control" was a lesson, which replaced the scenario."""
    done: list[str] = []
    known = [Entry("Lesson: Step control", "Lesson", "", lambda: done.append("lesson"), replaces=True)]
    for by_arrow in (False, True):
        sheet = Palette(window, lambda: [*known], loading=True)
        window.show_sheet(sheet)
        qtbot.keyClicks(sheet.search, "step control")
        if by_arrow:
            press(qtbot, window, Qt.Key.Key_Down)
        press(qtbot, window, Qt.Key.Key_Return)
        if by_arrow:
            assert done == ["control", "lesson"], "what a person has marked needs no waiting"
            continue
        assert (done, sheet.why.isVisible()) == ([], True)
        known.append(Entry("Step control", "Integrator", "", lambda: done.append("control")))
        sheet.renew()
        assert (done, window.sheet) == (["control"], None)
        del known[1:]


def test_the_palette_waits_for_panels_that_are_not_there(window: MainWindow, qtbot: QtBot) -> None:
    dock = window.docks[0]
    panel, dock.panel = dock.panel, None
    sheet = typed(window, qtbot, "step 10 ms")
    dock.panel = panel
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.sheet is sheet
    qtbot.keyClicks(sheet.search, " more")
    window.ready.emit()
    assert window.sheet is sheet, "Enter was for other words"
    sheet.dismiss()


@pytest.mark.parametrize(
    ("words", "line", "value"),
    [
        ("set step 5 ms", "Set step to 5 ms", 0.005),
        ("Set step 0,004", "Set step to 0", 0.004),
        ("set step size 2 ms", "", None),
        ("set step 5 kg", "Set step", None),
        ("set step", "Set step", None),
    ],
)
def test_a_search_for_a_field_with_a_value_enters_it_there(
    window: MainWindow, qtbot: QtBot, words: str, line: str, value: float | None
) -> None:
    """The only match was a preset, which replaced the scenario."""
    session = window.session
    session.files.new("rr-swing")
    before = session.scenario
    sheet = typed(window, qtbot, words)
    entries = [sheet.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(sheet.list.count())]
    assert not any(entry.replaces for entry in entries)
    if line:
        assert marked(sheet) == line
    press(qtbot, window, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert session.scenario == (before if value is None else before.with_value("step", value))
    if value is not None:
        assert session.history.can_undo
    if window.sheet is not None:
        press(qtbot, window, Qt.Key.Key_Escape)


def test_a_value_out_of_bounds_is_refused_at_its_field(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("rr-swing")
    before = session.scenario
    typed(window, qtbot, "set mass 2 -3 kg")
    press(qtbot, window, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert session.scenario == before
    focus = QApplication.focusWidget()
    assert isinstance(focus, QLineEdit)
    assert focus.text() == "-3 kg"
    press(qtbot, window, Qt.Key.Key_Escape)
    typed(window, qtbot, "set mass 2 3 kg")
    press(qtbot, window, Qt.Key.Key_Return)
    assert session.scenario.get("robot.m2") != before.get("robot.m2")
