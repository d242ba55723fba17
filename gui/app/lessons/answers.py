"""The answers of a lesson as a file to hand in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assets.writing import write_atomically
from gui.app.jobs import Cancel, Jobs, explain
from gui.app.lessons.course import Course
from gui.app.lessons.engine import LessonEngine
from gui.app.lessons.record import StepRecord
from gui.app.session.messages import Messages

if TYPE_CHECKING:
    from robots.lessons.answers import Answers
    from robots.lessons.lesson import Lesson


def write_answers(
    file: Path,
    lesson: Lesson,
    records: Sequence[StepRecord],
    student: str,
    engine: LessonEngine,
    cancel: Cancel,
    to_page: Callable[[Answers], str],
) -> str:
    """Write a page, or a table if the file's name ends in `.csv`; returns a sentence that says so.

    Outcomes of an earlier session are computed again.

    Args:
        file: where.
        lesson, records: what was asked, and what was done in each step.
        student: a name; may be empty.
        engine: computes outcomes.
        cancel: asked often.
        to_page: makes the page.

    Raises:
        ArmstepError: an outcome cannot be computed, or the file not be written.
    """
    from robots.lessons.answer_files import to_csv
    from robots.lessons.answers import Answers, given_answer, scenarios_hash

    given, results = [], None
    for number, (step, record) in enumerate(zip(lesson.steps, records, strict=True)):
        if any(answer.committed and answer.outcome is None for answer in record.answers):
            computed = engine.solve(step, results, lesson.language, cancel)
            if computed is None:
                return "Saving was cancelled."
            results = computed.results
            record, _ = engine.concluded(record, computed, lesson.language)
        given += [
            given_answer(
                lesson,
                number,
                answer.guess,
                answer.outcome,
                answer.judgement,
                reason=answer.reason,
                hints=record.hints,
                seconds=answer.seconds,
            )
            for answer in record.answers
            if answer.guess is not None and answer.outcome is not None and answer.judgement is not None
        ]
    about = lesson.key, lesson.title, lesson.language, scenarios_hash(lesson)
    answers = Answers(*about, student, tuple(given))
    text = to_csv([answers]) if file.suffix.lower() == ".csv" else to_page(answers)
    write_atomically(file, text.encode())
    return f"Saved {file}."


class AnswerFiles:
    """Writes the answers so far to files, in the background.

    Args:
        jobs: where outcomes of an earlier session are computed again.
        messages: says what was saved, or why not.
        engine: computes outcomes.
    """

    def __init__(self, jobs: Jobs, messages: Messages, engine: LessonEngine) -> None:
        self._jobs, self._messages, self._engine = jobs, messages, engine

    def save(self, course: Course, file: Path, student: str, to_page: Callable[[Answers], str]) -> None:
        """Write a page, or a table if the file's name ends in `.csv`.

        Args:
            course: has the lesson and what was done.
            file: where.
            student: a name; may be empty.
            to_page: makes the page.
        """
        lesson, records = course.lesson, list(course.records)
        if lesson is not None:
            self._jobs.submit(
                lambda cancel, _: write_answers(file, lesson, records, student, self._engine, cancel, to_page),
                key="answers",
                on_done=self._messages.say,
                on_error=lambda error: self._messages.refuse(explain(error), "file"),
                lane="study",
            )
