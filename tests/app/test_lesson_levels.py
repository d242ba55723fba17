"""What a question of a lesson asks about is in the plots beside it."""

from __future__ import annotations

import math

import pytest

from gui.app.lessons.levels import levels_of, shown_levels
from gui.app.session.session import Session
from gui.charts.fit import placed, value_range
from gui.charts.registry import chosen_plots, plots
from gui.charts.shown import Shown
from robots.lessons.lesson import Kind
from robots.lessons.library import find_lesson, shipped_lessons
from robots.model.chart import Chart
from tests.inline_jobs import InlineJobs

TIMES = [
    (entry.key, number)
    for entry in shipped_lessons()
    for number, step in enumerate(find_lesson(entry.key).steps, 1)
    if levels_of(step) or any(one.kind == Kind.TIME for one in step.predictions)
]
DIFFERENCE = "difference"


@pytest.fixture
def class_room(settings, scenario, clock) -> Session:
    session = Session(InlineJobs(), settings, scenario, now=clock)
    session.start()
    return session


def charts_of(session: Session) -> list[Chart]:
    """What the window's plots show."""
    shown = Shown.of(session.runs.all, degrees=True, levels=shown_levels(session.lessons))
    return [plots()[key].drawn(shown, choice) for key, choice in chosen_plots(session.view.settings).items()]


def ends_of(chart: Chart, session: Session) -> tuple[float, float]:
    points = [placed(chart, curve) for curve in chart.curves]
    return value_range(chart, points, 0.0, session.scenario.duration)


@pytest.mark.parametrize(("key", "number"), TIMES)
def test_the_plots_beside_a_question_show_what_it_asks_about(class_room: Session, key: str, number: int) -> None:
    """When the first joint passes 360 degrees was asked beside an axis up to 115 degrees."""
    player = class_room.lessons
    assert player.open(f"lesson:{key}")
    player.go(number)
    step, record = player.course.step, player.course.record
    assert step is not None
    for prediction in step.predictions:
        assert prediction.kind == Kind.TIME
        player.enter(0.5)
        assert player.commit(), player.trouble
    record, charts = player.course.record, charts_of(class_room)
    for key, values in levels_of(step).items():
        asking = [chart for chart in charts if chart.asked]
        assert asking, f"no plot shows {key}"
        assert all(len(chart.asked) == len(values) for chart in asking)
        for chart in asking:
            low, high = ends_of(chart, class_room)
            assert all(low < float(chart.y.place(value)) < high for value in chart.asked)
    for prediction, answer in zip(step.predictions, record.answers, strict=True):
        assert answer.outcome is not None
        t = answer.outcome.answer
        assert isinstance(t, float)
        for use in prediction.answer.uses if prediction.answer is not None else ():
            for chart in charts:
                if use.number is None and chart.key == DIFFERENCE:
                    low, high = ends_of(chart, class_room)
                    assert low < math.log10(use.apart) < high
        assert 0.0 < t < class_room.scenario.duration


def test_only_the_step_that_asks_reaches_out_for_it(class_room: Session) -> None:
    player = class_room.lessons
    player.open("lesson:stability")
    player.go(1)
    assert not shown_levels(player)
    player.go(2)
    assert shown_levels(player) == {"q1": (6.2832,)}
    class_room.files.adopt(class_room.scenario.with_value("duration", 1.0))
    assert player.away
    assert not shown_levels(player)
