"""What is entered for a prediction stays with its step, *Next* shows its outcome, and strokes draw a line."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from gui.app.lessons.chart import STEEPEST
from gui.qt.drawing.marks import mark_size
from gui.qt.drawing.positions import position_at
from gui.qt.lessons.inputs import ChoiceInput, NumberInput, OrderInput
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.sketch import PredictionChart, SketchInput
from gui.qt.lessons.teaching import Teaching
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Guess, Kind
from robots.model.chart import Curve
from tests.lessons import SIX_KINDS
from tests.window.hands import PATIENCE, drag, press
from tests.window.test_lessons import panel_of, ready

LEFT = Qt.MouseButton.LeftButton
ENTERED = {
    Kind.CHOICE: "fine",
    Kind.NUMBER: 16.0,
    Kind.ORDER: ("euler", "coarse", "fine"),
    Kind.TIME: 0.4,
    Kind.SLOPE: 2.5,
    Kind.CURVE: tuple((place / 48.0, 1.0) for place in range(49)),
}


@pytest.fixture
def lesson(open_one: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    return open_lesson(open_one, tmp_path)


def shown_in(panel: LessonPanel) -> Guess | None:
    """What the fields of the prediction that is asked for show."""
    field = panel.cards[-1].input
    if isinstance(field, ChoiceInput):
        return next((name for name, button in field.buttons.items() if button.isChecked()), None)
    if isinstance(field, NumberInput):
        return float(field.line.text()) if field.line.text() else None
    if isinstance(field, OrderInput):
        return field.order()
    assert isinstance(field, SketchInput)
    return "not drawn" if "nothing" in field.reading.text() else field.reading.text()


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def open_lesson(open_one: Callable[..., MainWindow], folder: Path, text: str = SIX_KINDS) -> MainWindow:
    """A window with a lesson that a file has."""
    file = folder / "lesson.md"
    file.write_text(text)
    return open_one(file=file, ready=False)


def begin_class(qtbot: QtBot, window: MainWindow) -> LessonPanel:
    """Show the lesson to a class; its large panel."""
    press(qtbot, window, Qt.Key.Key_F5)
    show = window.findChild(Teaching)
    assert show is not None
    panel = show.docks["lesson"].widget()
    assert isinstance(panel, LessonPanel)
    qtbot.waitUntil(panel.isVisible)
    return panel


def at_step(qtbot: QtBot, window: MainWindow, number: int, *, in_class: bool = False) -> LessonPanel:
    """The panel of the lesson at the step of that number, ready; the large one before a class."""
    panel, player = panel_of(qtbot, window), window.session.lessons
    if in_class:
        panel = begin_class(qtbot, window)
    player.go(number)
    ready(qtbot, player)
    return panel


@pytest.mark.parametrize("in_class", [False, True])
def test_an_answer_stays_with_its_step_and_next_shows_its_outcome(
    lesson: MainWindow, qtbot: QtBot, in_class: bool
) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    if in_class:
        panel = begin_class(qtbot, lesson)
    for number in range(1, player.course.last + 1):
        click(qtbot, panel.onward)
        ready(qtbot, player)
        asked = player.course.asked
        assert asked is not None
        assert player.course.number == number
        assert in_class or player.course.draft is None or asked.kind == Kind.ORDER
        player.enter(entered := ENTERED[asked.kind])  # type: ignore[arg-type]
        before = shown_in(panel)
        click(qtbot, panel.back)
        assert player.course.number == number - 1
        click(qtbot, panel.onward)
        ready(qtbot, player)
        assert player.course.number == number
        assert player.course.draft == entered
        assert shown_in(panel) == before
        if isinstance(chosen := panel.answer_control(), QRadioButton):
            assert chosen.isChecked(), "keys go on from what is chosen"
        assert panel.onward.toolTip().startswith("Show the outcome")
        click(qtbot, panel.onward)
        qtbot.waitUntil(lambda: player.course.record.answers[0].outcome is not None, timeout=PATIENCE)
        assert (player.course.number, player.course.asked) == (number, None), "the outcome comes first"
        assert player.course.record.answers[0].guess == entered
        assert player.course.draft is None
    assert panel.onward.isEnabled() != in_class, "a class has no answers to save"
    assert panel.onward.text() == ("Next" if in_class else "To your answers")


def test_the_button_and_the_key_do_the_same_before_a_class(lesson: MainWindow, qtbot: QtBot) -> None:
    panel_of(qtbot, lesson)
    panel, player = begin_class(qtbot, lesson), lesson.session.lessons

    def by_button() -> None:
        click(qtbot, panel.onward)

    def by_key() -> None:
        press(qtbot, lesson, Qt.Key.Key_PageDown)

    def seen(step: Callable[[], None]) -> list[tuple[int, bool]]:
        player.go(0)
        for record in player.course.records:
            assert record.waiting is not None
        places = []
        for _ in range(2 * player.course.last):
            step()
            places.append((player.course.number, player.course.asked is not None))
        return places

    found = []
    for step in (by_button, by_key):
        found.append(seen(step))
        for number in range(1, player.course.last + 1):
            player.go(number)
            player.reset()
    assert found[0] == found[1]
    assert found[0][:4] == [(1, True), (1, False), (2, True), (2, False)], "an outcome after each question"
    assert found[0][-1] == (player.course.last, False), "also after the last one"
    player.go(1)
    for key in (Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_1):
        press(qtbot, lesson, key)
    click(qtbot, panel.back)
    click(qtbot, panel.onward)
    assert player.course.record.answers[0].hands == ("fine", "fine", "coarse"), "hands stay, too"
    lesson.session.files.new("rr-swing")
    click(qtbot, panel.onward)
    assert not player.away
    assert player.course.asked is not None, "nothing is answered that nobody sees"


def test_an_order_that_nobody_touched_is_no_answer(lesson: MainWindow, qtbot: QtBot) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    player.go(3)
    assert player.course.draft is not None, "it may be committed as it stands"
    click(qtbot, panel.onward)
    assert player.course.number == 4
    assert not player.course.records[2].answers[0].committed


def test_a_stroke_gives_the_line_through_its_ends_and_an_end_turns_it(lesson: MainWindow, qtbot: QtBot) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    player.go(5)
    ready(qtbot, player)
    sketch = panel.cards[-1].input
    assert isinstance(sketch, SketchInput)
    view = sketch.view
    qtbot.waitUntil(lambda: view.height() < sketch.height(), timeout=PATIENCE)
    panel.area.ensureWidgetVisible(view)
    assert "Draw a line" in view.advice
    box = view.laid_out().area.toRect()
    qtbot.mouseClick(view, LEFT, pos=box.center())
    assert player.course.draft is None, "a point is no line"
    low, high = box.bottomLeft() + QPoint(40, -25), box.topRight() + QPoint(-60, 25)

    def drawn() -> Curve:
        (line,) = view.chart.curves
        return line

    def values(spot: QPoint) -> tuple[float, float]:
        x, y = position_at(view.laid_out(), QPointF(spot))
        return view.chart.x.value(x), view.chart.y.value(y)

    (x0, y0), (x1, y1) = values(low), values(high)
    steep = math.log(y1 / y0) / math.log(x1 / x0)
    assert 1.0 < steep < STEEPEST
    for ends in ((low, high), (high, low), (low, box.center(), low + QPoint(9, 70), high)):
        drag(view, *ends)
        assert player.course.draft == pytest.approx(steep, abs=0.01), "the way between its ends does not count"
        at = math.log(drawn().y[1] / y0) / math.log(drawn().x[1] / x0)
        assert at == pytest.approx(steep, abs=0.02), "through the ends of the stroke"
        assert not view.advice
        player.enter(None)
    drag(view, low, high)
    left, right = (view.spot_of(x, y).toPoint() for x, y in zip(drawn().x, drawn().y, strict=True))
    kept = drawn().y[1]
    assert view.end_near(QPointF(left)) == 0
    assert view.end_near(QPointF(box.center())) is None
    flat = QPoint(left.x(), right.y())
    drag(view, left, flat)
    assert player.course.draft == pytest.approx(0.0, abs=0.05)
    assert drawn().y[1] == pytest.approx(kept), "the other end stays"
    press(qtbot, lesson, Qt.Key.Key_Tab)
    sketch.slider.setFocus()
    press(qtbot, lesson, Qt.Key.Key_Right)
    turned = player.course.draft
    assert isinstance(turned, float)
    assert turned > 0.0, "by keys as before"
    click(qtbot, panel.onward)
    qtbot.waitUntil(lambda: player.course.record.answers[0].outcome is not None, timeout=PATIENCE)
    assert player.course.record.answers[0].guess == turned
    shown = panel.cards[-1].findChild(PredictionChart)
    assert isinstance(shown, PredictionChart)
    guess = next(curve for curve in shown.chart.curves if curve.name.startswith("Predicted"))
    assert guess.y[1] == 1.0, "beside the outcome it goes through the coarsest run"


def test_marks_at_the_end_of_an_axis_are_whole(lesson: MainWindow, qtbot: QtBot) -> None:
    player = lesson.session.lessons
    panel_of(qtbot, lesson)
    panel = begin_class(qtbot, lesson)
    for kind, guess in ((Kind.NUMBER, 401.0), (Kind.SLOPE, 2.0), (Kind.SLOPE, STEEPEST), (Kind.SLOPE, -STEEPEST)):
        steps = [] if player.course.lesson is None else player.course.lesson.steps
        player.go(next(n for n, step in enumerate(steps, 1) if step.predictions and step.predictions[0].kind == kind))
        player.reset()
        ready(qtbot, player)
        player.enter(guess)
        field = panel.cards[-1].input
        if isinstance(field, SketchInput):
            whole_marks(field.view)
        click(qtbot, panel.onward)
        qtbot.waitUntil(lambda: player.course.record.answers[0].outcome is not None, timeout=PATIENCE)
        whole_marks(panel.cards[-1].findChild(PredictionChart))


def whole_marks(view: PredictionChart | None) -> None:
    """The largest of marks would be within the frame."""
    assert view is not None
    laid = view.laid_out()
    size = 1.25 * mark_size(laid.style, laid.across, bare=False)
    inside = laid.area.adjusted(size, size, -size, -size)
    spots = [
        view.spot_of(x, y)
        for curve in view.chart.curves
        if curve.mark
        for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True)
    ]
    assert spots
    assert all(inside.contains(spot) for spot in spots), view.chart.view


def test_left_and_right_turn_pages_of_a_class_unless_they_enter_the_answer(lesson: MainWindow, qtbot: QtBot) -> None:
    panel_of(qtbot, lesson)
    panel, player = begin_class(qtbot, lesson), lesson.session.lessons
    for number in range(1, player.course.last + 1):
        player.go(number)
        ready(qtbot, player)
        asked = player.course.asked
        assert asked is not None
        qtbot.waitUntil(lambda: panel.answer_control() is not None, timeout=PATIENCE)
        control = panel.answer_control()
        assert control is not None
        control.setFocus(Qt.FocusReason.TabFocusReason)
        press(qtbot, lesson, Qt.Key.Key_Right)
        turned = player.course.record.answers[0].committed
        assert turned == (asked.kind == Kind.ORDER), f"{asked.kind}: as docs/teach.md says"
