"""Predictions of lessons and their outcomes as panels of figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assets.errors import ArmstepError, BadInput
from gui.app.documents import Result
from gui.app.formatting import free_name
from gui.app.jobs import Cancel
from gui.app.lessons.chart import CHARTED, paper_of, prediction_chart
from gui.app.lessons.course import Course
from gui.app.lessons.engine import default_lesson_engine
from gui.app.lessons.plain import spoken
from gui.app.session.results import PREDICTION
from robots.lessons.lesson import Guess, Lesson, Outcome, Prediction
from robots.model.chart import TIME
from robots.papers.study_data import chart_data

Find = Callable[[Sequence[str]], int]
"""Which of some names is meant."""


@dataclass(frozen=True, slots=True)
class ChartedPrediction:
    """A prediction that has a chart.

    Attributes:
        name: the title of its step, with a number where that has several.
        step: the index of the step.
        place: which of the step's predictions it is, from 0.
        prediction: what is asked.
    """

    name: str
    step: int
    place: int
    prediction: Prediction


def charted_predictions(lesson: Lesson) -> list[ChartedPrediction]:
    """Those of a lesson, in order."""
    found: list[ChartedPrediction] = []
    for step, one in enumerate(lesson.steps):
        for place, prediction in enumerate(one.predictions):
            if prediction.kind in CHARTED:
                name = free_name(one.title, [other.name for other in found])
                found.append(ChartedPrediction(name, step, place, prediction))
    return found


def made_predictions(course: Course) -> tuple[Result, ...]:
    """Those that were made in the open lesson and whose outcome is known."""
    return () if course.lesson is None else tuple(_made(course, course.lesson))


def computed_prediction(lesson: Lesson, find: Find, cancel: Cancel) -> Result | None:
    """A prediction of a lesson with its outcome, and without a guess; None if `cancel` said so.

    Args:
        lesson: the lesson.
        find: which of its predictions' names is meant.
        cancel: asked often.

    Raises:
        BadInput: no prediction of the lesson has a chart, or `find` refuses.
        ArmstepError: it cannot be computed, and why.
    """
    charted = charted_predictions(lesson)
    if not charted:
        raise BadInput("lesson", lesson.key, f"one that asks for a {', '.join(CHARTED[:-1])} or {CHARTED[-1]}")
    one = charted[find([one.name for one in charted])]
    computed = default_lesson_engine().solve(lesson.steps[one.step], None, lesson.language, cancel)
    if computed is None:
        return None
    outcome = computed.outcomes[one.place]
    if isinstance(outcome, str):
        raise ArmstepError(outcome)
    return _result(lesson, one, outcome)


def _made(course: Course, lesson: Lesson) -> Iterator[Result]:
    for one in charted_predictions(lesson):
        answer = course.records[one.step].answers[one.place]
        if answer.committed and answer.outcome is not None:
            yield _result(lesson, one, answer.outcome, answer.guess, answer.groups)


def _result(
    lesson: Lesson,
    one: ChartedPrediction,
    outcome: Outcome,
    guess: Guess | None = None,
    groups: Sequence[Guess] = (),
) -> Result:
    paper = paper_of(one.prediction, lesson.steps[one.step].scene, outcome.answer, lesson.language)
    drawn = prediction_chart(paper, guess, outcome, groups)
    chart = replace(drawn, title=one.name, note=drawn.y.title if drawn.x == TIME else "")
    said = f"{lesson.title}, \u201c{one.name}\u201d: {spoken(outcome.sentence)}"
    return Result(PREDICTION, one.name, {"said": said, "chart": chart_data(chart)})
