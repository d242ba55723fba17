"""The sheet of the work-precision diagram while its points are pointed at, and while it measures again."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from assets.errors import BadInput
from gui.app.desks.work_precision import halved
from gui.qt.dialogs._span_fields import SpanFields
from gui.qt.dialogs.result_sheet import SteadyLabel
from gui.qt.dialogs.work_precision import KEY, open_work_precision
from gui.qt.drawing.words import free_boxes
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE
from tests.window.test_own_measured import measure


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    """The one window of this file."""
    return shared_window


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_the_diagram_keeps_its_place_and_ticks_under_the_pointer(window: MainWindow, qtbot: QtBot, theme: str) -> None:
    """Three lines became two as soon as a point was pointed at: the diagram grew under the mouse, its ticks changed."""
    session = window.session
    window.resize(1280, 720)
    session.view.set(theme=theme)
    session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, "rk4", "dopri5")
    QApplication.processEvents()
    diagram, said = sheet.diagram, sheet.facts.text()
    before = diagram.geometry(), diagram.laid_out().value_ticks()
    assert len(diagram.points) > 4
    for point in diagram.points:
        QTest.mouseMove(diagram, diagram.place(point).toPoint())
        qtbot.waitUntil(lambda point=point: diagram.near is not None)
        QApplication.processEvents()
        assert sheet.facts.text() != said
        assert (diagram.geometry(), diagram.laid_out().value_ticks()) == before
        QTest.mouseMove(diagram, QPoint(2, 2))
        qtbot.waitUntil(lambda: diagram.near is None)
        assert sheet.facts.text() == said
    sheet.dismiss()


@pytest.mark.parametrize("count", [0, 1, 4, 6, 12])
def test_the_diagram_says_which_mark_is_which_method_on_a_small_projector(
    window: MainWindow, qtbot: QtBot, count: int
) -> None:
    """The list of methods beside it shows three rows there: the marks of the others had no name anywhere."""
    session = window.session
    window.resize(1280, 720)
    session.view.set(theme="projector")
    session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    methods = [item.data(KEY) for row in range(12) if (item := sheet.methods.item(row))][:count]
    if methods:
        measure(sheet, qtbot, *methods)
    QApplication.processEvents()
    diagram = sheet.diagram
    style, laid = diagram.style_now(), diagram.laid_out()
    lines = diagram.key(style)
    assert sum(map(len, lines)) == len(sheet.labels()) == count
    names = [entry.name for line in lines for entry, _, _ in line]
    assert len(set(names)) == count
    assert all(len(name) > 2 for name in names), names  # RK4 is a name
    assert len({(entry.colour, entry.mark) for line in lines for entry, _, _ in line}) == count
    assert laid.area.top() <= 0.45 * diagram.height(), "the chart has most of the room"
    image, ratio = diagram.grab().toImage(), diagram.devicePixelRatioF()
    head = int((laid.area.top() - 10.0) * ratio)
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(head)}
    assert {entry.colour for line in lines for entry, _, _ in line} <= seen
    for line in lines:
        assert sum(width for _, width, _ in line) <= diagram.width()
    sheet.dismiss()


def test_a_search_lists_what_matches_alone_and_ticks_nothing_away(window: MainWindow, qtbot: QtBot) -> None:
    """Ticked methods stayed on top: a click on the first row took the tick of one of them away."""
    sheet = open_work_precision(window, window.session)
    rows = [sheet.methods.item(row) for row in range(sheet.methods.count())]
    ticked = sheet.chosen()
    assert ticked
    QTest.keyClicks(sheet.search, "improved")
    shown = [item for item in rows if not item.isHidden()]
    assert shown
    assert all("improved" in f"{item.text()} {item.data(KEY)}".lower() for item in shown)
    first = sheet.methods.visualItemRect(shown[0])
    box = QPoint(first.left() + 10, first.center().y())
    QTest.mouseClick(sheet.methods.viewport(), Qt.MouseButton.LeftButton, pos=box)
    assert set(sheet.chosen()) == {*ticked, shown[0].data(KEY)}
    sheet.search.setText("no such method")
    assert all(item.isHidden() for item in rows)
    sheet.search.clear()
    assert not any(item.isHidden() for item in rows)
    assert set(sheet.chosen()) == {*ticked, shown[0].data(KEY)}
    sheet.dismiss()


def test_a_target_below_rounding_has_no_answer_and_pale_marks_are_said(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    session.files.new("rr-swing")
    session.edit_many({"duration": 10.0, "step": 0.005})
    sheet = open_work_precision(window, session)
    sheet.fixed.write(True, "0.005 s", "0.00125 s")
    measure(sheet, qtbot, "dopri5")
    assert sheet.result is not None
    name = sheet.result.error
    assert any(point.rounded(name) for point in sheet.diagram.points)
    assert "Pale: half of the error or more may be rounding" in sheet.facts.text()
    for target, answered in (("1e-13", False), ("1e-9", True)):
        sheet.target.setFocus()
        sheet.target.setText("")
        QTest.keyClicks(sheet.target, target)
        said = sheet.answer.text()
        assert said.endswith(" rounding decides.") is not answered
        assert ("evaluations" in said) is answered
    times, judge = [], sheet.desk.judged
    monkeypatch.setattr(sheet.desk, "judged", lambda *asked: (times.append(asked), judge(*asked))[1])
    QTest.keyClick(sheet.target, Qt.Key.Key_1)
    assert len(times) == 1, "all points are judged once at every key"
    chance = next(point for point in sheet.diagram.points if point.rounded(name))
    QTest.mouseMove(sheet.diagram, sheet.diagram.place(chance).toPoint())
    qtbot.waitUntil(lambda: sheet.diagram.near is chance)
    assert "mostly rounding" in sheet.facts.text()
    assert "order" not in sheet.facts.text()
    sheet.dismiss()


def test_room_for_words_follows_what_rests_and_not_what_is_pointed_at(qtbot: QtBot) -> None:
    page, words = QWidget(), SteadyLabel()
    qtbot.addWidget(page)
    QVBoxLayout(page).addWidget(words)
    page.resize(300, 400)
    page.show()
    words.rest("one")
    line = words.fontMetrics().lineSpacing()
    usual = words.minimumHeight()
    assert 2 * line <= usual < 3 * line
    words.rest("many words " * 20)
    tall = words.minimumHeight()
    assert tall >= words.heightForWidth(words.width()) > 3 * line
    words.say("one")
    assert words.minimumHeight() == tall
    words.rest("one")
    assert words.minimumHeight() == usual, "another text that rests"
    words.say("many words " * 20)
    assert words.minimumHeight() == tall, "nothing is cut"
    words.rest("one")
    assert words.minimumHeight() == tall, "the lines that were needed stay"
    page.resize(1600, 400)
    QApplication.processEvents()
    assert words.minimumHeight() < tall, "a wide one needs fewer lines"


def test_a_measurement_that_ended_is_not_said_to_be_finished_while_the_next_one_runs(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, window.session)
    measure(sheet, qtbot, "rk4")
    assert window.notice.text().startswith("Work-precision diagram: finished")
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert sheet.desk.measuring
    assert window.notice.text().startswith("Runge-Kutta 4"), "the run's status is there again"
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=PATIENCE)
    assert window.notice.text().startswith("Work-precision diagram: finished")
    sheet.dismiss()


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_the_orders_in_the_diagram_never_cover_each_other(window: MainWindow, qtbot: QtBot, theme: str) -> None:
    """On a small projector, 5.4 was written over 7.4."""
    session = window.session
    window.resize(1280, 720)
    session.view.set(theme=theme)
    session.edit_many({"duration": 2.0, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, *(item.data(KEY) for row in range(12) if (item := sheet.methods.item(row))))
    QApplication.processEvents()
    laid = sheet.diagram.laid_out()
    orders = free_boxes(laid.chart.labels, laid.spot, laid.area, laid.style)
    assert len(orders) == len(laid.chart.labels) > 6
    assert sorted(text for text, _ in orders) == sorted(label.text for label in laid.chart.labels)
    assert not any(one.intersects(other) for (_, one), (_, other) in combinations(orders, 2))
    sheet.dismiss()


def test_the_legend_is_laid_out_when_what_it_shows_changes_alone(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move of the mouse laid all names out again."""
    session, made = window.session, []
    window.resize(1280, 720)
    session.view.set(theme="light")
    session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, "rk4", "dopri5")
    QApplication.processEvents()
    diagram, key = sheet.diagram, sheet.diagram.key
    diagram.laid_out()
    monkeypatch.setattr(diagram, "key", lambda style: made.append(style) or key(style))
    for point in diagram.points:
        QTest.mouseMove(diagram, diagram.place(point).toPoint())
        qtbot.waitUntil(lambda point=point: diagram.near is not None)
        diagram.grab()
        QTest.mouseMove(diagram, QPoint(2, 2))
        qtbot.waitUntil(lambda: diagram.near is None)
    assert not made
    session.view.set(theme="projector")
    qtbot.waitUntil(lambda: diagram.laid_out().style == diagram.style_now() and len(made) > 0)
    laid = len(made)
    sheet.flipped.toggle()
    diagram.laid_out()
    assert len(made) > laid, "other axes"
    sheet.dismiss()


def test_a_proposed_range_is_meant_to_its_last_digit(application: QApplication) -> None:
    """Six digits of 8/60 s are shown; a quarter of them would not divide 5 s."""
    fields = SpanFields("Fixed steps", "step", (8.0 / 60.0, 1.0 / 60.0), "s", lambda first, last: [first, last])
    assert fields.numbers() == [8.0 / 60.0, 1.0 / 60.0]
    ticked, first, last = fields.written()
    fields.write(ticked, "0.2", last)
    assert fields.numbers() == [0.2, 1.0 / 60.0]
    fields.write(ticked, first, last)
    assert fields.numbers() == [8.0 / 60.0, 1.0 / 60.0]


def test_the_caption_of_a_range_says_how_many_are_measured(application: QApplication) -> None:
    fields = SpanFields("Fixed steps", "step", (0.02, 0.0025), "s", halved)
    assert fields.box.text() == "Fixed steps: 4"
    QTest.keyClick(fields.last, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(fields.last, "0.0015")
    assert fields.box.text() == "Fixed steps: 5", "as it is typed"
    assert fields.box.toolTip() == "0.02, 0.01, 0.005, 0.0025, 0.0015"
    QTest.keyClicks(fields.last, "x")
    assert fields.box.text() == "Fixed steps"
    fields.write(False, "0.02", "0.0025")
    assert fields.box.text() == "Fixed steps"


def test_a_refused_end_of_a_range_is_named_as_a_step(application: QApplication) -> None:
    """No field is called "Fixed steps: last"."""
    fields = SpanFields("Fixed steps", "step", (0.02, 0.0025), "s", halved)
    for line, name in ((fields.last, "Last"), (fields.first, "First")):
        line.setText("abc")
        with pytest.raises(BadInput) as caught:
            fields.numbers()
        assert str(caught.value) == f"{name} step must be a number above 0 s, got 'abc'"


def test_what_grew_without_bound_is_said_once_all_is_measured(window: MainWindow, qtbot: QtBot) -> None:
    """It was said of a run that was far from the median of the first few, and taken back with the next ones."""
    session = window.session
    session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, "rk4")
    desk = sheet.desk
    first, *others = desk.points
    desk.points = [replace(first, max_error=dict.fromkeys(first.max_error, 1e20)), *others]
    desk.measuring = True
    sheet.show_all()
    assert "without bound" not in sheet.facts.text()
    desk.measuring = False
    sheet.show_all()
    assert "Left out: 1 grew without bound." in sheet.facts.text()
    sheet.dismiss()


def test_undo_says_that_the_diagram_goes(window: MainWindow, qtbot: QtBot) -> None:
    """It said "Undo: keep Ru…al) and 4 more"."""
    session = window.session
    session.files.new("rr-swing")
    session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, "rk4", "dopri5", "rk1", "rk2")
    assert "more" in session.results.all[-1].name
    sheet.dismiss()
    undo = window.actions_by_key["edit.undo"]
    qtbot.waitUntil(lambda: undo.text() == "Undo: keep the diagram")
