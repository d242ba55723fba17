"""A student's answers to a lesson, as a value; `answer_files` writes and reads them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import get_type_hints

from assets.errors import BadInput, Range
from assets.fields import Data
from robots.lessons.lesson import Guess, Judgement, Kind, Lesson, Outcome

VERSION = 1
MOST_ANSWERS = 400
LONGEST_TEXT = 20_000
_LIMITS = Range(-1e300, 1e300)
"""Of guessed numbers."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What a student said to one prediction.

    Attributes:
        step: the step's number, from 1.
        title: the step's title.
        question: Markdown.
        kind: what was predicted.
        guess: the prediction.
        answer: the right one.
        said: what the student said, as a sentence.
        outcome: the right answer, as a sentence.
        right, near: how the guess was judged.
        reason: why, in the student's words; may be empty.
        hints: how many hints were used.
        seconds: from when the question was shown until the answer was committed [s].
    """

    step: int
    title: str
    question: str
    kind: Kind
    guess: Guess
    answer: Guess
    said: str
    outcome: str
    right: bool
    near: bool
    reason: str = ""
    hints: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answers:
    """A student's answers to a lesson.

    Attributes:
        lesson, title, language: the lesson's.
        scenarios: a hash of everything that decides the numbers of its runs.
        student: a name; may be empty.
        given: the answers, in order.
    """

    lesson: str
    title: str
    language: str
    scenarios: str
    student: str
    given: tuple[GivenAnswer, ...]

    def to_data(self) -> Data:
        """The answers as JSON values; `answers_of` reads them."""
        plain = {item.name: getattr(self, item.name) for item in fields(self)}
        rows = [{item.name: getattr(one, item.name) for item in fields(one)} for one in self.given]
        return {"version": VERSION, **plain, "given": rows}


def scenarios_hash(lesson: Lesson) -> str:
    """A stable name (hex) of everything that decides the numbers of a lesson's runs."""
    names = sorted(f"{run.name} {run.scenario.hash()}" for step in lesson.steps for run in step.scene.runs)
    return hashlib.sha256("\n".join(dict.fromkeys(names)).encode()).hexdigest()


def given_answer(
    lesson: Lesson,
    step: int,
    guess: Guess,
    outcome: Outcome,
    judgement: Judgement,
    *,
    reason: str,
    hints: int,
    seconds: float,
) -> GivenAnswer:
    """A student's answer.

    Args:
        lesson: the lesson.
        step: the step's index, from 0.
        guess, outcome, judgement: what was predicted, what is right, and how it was judged.
        reason, hints, seconds: as in `GivenAnswer`.
    """
    asked = outcome.prediction
    about = step + 1, lesson.steps[step].title, asked.question, asked.kind, guess, outcome.answer
    judged = judgement.sentence, outcome.sentence, judgement.right, judgement.near
    return GivenAnswer(*about, *judged, reason, hints, seconds)


def answers_of(data: object) -> Answers:
    """The answers that `Answers.to_data` described.

    Raises:
        BadInput: for anything else.
    """
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        raise BadInput("answers", type(data).__name__, f"those of Armstep, version {VERSION}")
    rows = data.get("given")
    if not isinstance(rows, Sequence) or isinstance(rows, str) or len(rows) > MOST_ANSWERS:
        raise BadInput("given", rows, f"a list of at most {MOST_ANSWERS} answers")
    given = tuple(GivenAnswer(**_checked(GivenAnswer, row)) for row in rows)
    return Answers(**{**_checked(Answers, {**data, "given": ()}), "given": given})


def _checked(kind: type[Answers] | type[GivenAnswer], data: object) -> Data:
    """The values of a dataclass, each of its type.

    Raises:
        BadInput: a value is missing or of another type.
    """
    if not isinstance(data, Mapping):
        raise BadInput("answer", data, "an object")
    found: Data = {}
    for name, wanted in get_type_hints(kind).items():
        value = data.get(name)
        if name in ("guess", "answer"):
            value = _guess(name, value)
        elif wanted is Kind:
            if value not in list(map(str, Kind)):
                raise BadInput(name, value, choices=map(str, Kind))
            value = Kind(str(value))
        elif wanted in (int, float):
            number = Range(-1e9, 1e9).number(value)
            if number is None:
                raise BadInput(name, value, "a number")
            value = wanted(number)
        elif wanted in (str, bool) and (not isinstance(value, wanted) or len(str(value)) > LONGEST_TEXT):
            raise BadInput(name, value, "a text" if wanted is str else "true or false")
        found[name] = value
    return found


def _guess(name: str, value: object) -> Guess:
    """A guess from JSON, in which tuples are lists."""
    if isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return value
    if (number := _LIMITS.number(value)) is not None:
        return float(number)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if isinstance(value, list) and all(_is_point(one) for one in value):
        return tuple((float(one[0]), float(one[1])) for one in value)
    raise BadInput(name, value, "a text, a number, a list of texts or a list of points")


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_LIMITS.number(one) is not None for one in value)
