"""What a student did in a lesson: predictions, reasons, hints, time; kept from one session to the next."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from assets import path
from assets.errors import ArmstepError
from assets.fields import Data
from assets.writing import make_folder, write_atomically

if TYPE_CHECKING:
    from robots.lessons.lesson import Guess, Judgement, Outcome, Prediction


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one prediction.

    Attributes:
        committed: its outcome may be seen.
        guess: what was predicted; None where a class made no prediction.
        reason: why, in the student's words.
        outcome, judgement: what the runs say; None until they are computed.
        draft: what is entered and not committed yet.
        unread: what is typed instead of it and is no answer.
        groups: what groups of a class predicted, drawn as ghosts; never kept.
        hands: the choice of each hand of a class; never kept.
        seconds: how long the question was on the screen until it was committed [s].
    """

    committed: bool = False
    guess: Guess | None = None
    reason: str = ""
    outcome: Outcome | None = None
    judgement: Judgement | None = None
    draft: Guess | None = None
    unread: str = ""
    groups: tuple[Guess, ...] = ()
    hands: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def sentences(self) -> str:
        """The outcome and the judgement."""
        said = (self.outcome, self.judgement)
        return " ".join(one.sentence for one in said if one is not None)


OPEN = Answer()


@dataclass(frozen=True, slots=True)
class StepRecord:
    """What was done in one step.

    Attributes:
        answers: one for each prediction.
        hints: how many were shown.
    """

    answers: tuple[Answer, ...] = ()
    hints: int = 0

    @property
    def waiting(self) -> int | None:
        """Which prediction is asked for now; None if all are made."""
        return next((place for place, answer in enumerate(self.answers) if not answer.committed), None)

    def with_answer(self, place: int, answer: Answer) -> StepRecord:
        """A copy with another answer."""
        return replace(self, answers=(*self.answers[:place], answer, *self.answers[place + 1 :]))

    def begun_again(self) -> StepRecord:
        """A copy without answers and hints."""
        return replace(self, answers=(OPEN,) * len(self.answers), hints=0)

    def to_data(self) -> Data:
        """As JSON values."""
        answers = [_kept(answer) for answer in self.answers]
        return {"answers": answers, "hints": self.hints}

    @classmethod
    def read(cls, entry: object, predictions: tuple[Prediction, ...]) -> StepRecord:
        """From JSON values; whatever does not fit the step's predictions is left out."""
        given = entry if isinstance(entry, Mapping) else {}
        kept = given.get("answers")
        entries = kept if isinstance(kept, list) and len(kept) == len(predictions) else [None] * len(predictions)
        hints, of_step = given.get("hints"), given.get("seconds")  # older files have one time for all of a step
        pairs = zip(entries, predictions, strict=True)
        answers = tuple(_answer(one, prediction, of_step) for one, prediction in pairs)
        return cls(answers, hints if isinstance(hints, int) and hints >= 0 else 0)


def _kept(answer: Answer) -> Data | None:
    spent = {"seconds": round(answer.seconds, 1)} if answer.seconds else {}
    if answer.committed:
        return {"guess": answer.guess, "reason": answer.reason} | spent
    if answer.unread:
        return {"unread": answer.unread} | spent
    return (spent if answer.draft is None else {"draft": answer.draft} | spent) or None


def _answer(entry: object, prediction: Prediction, of_step: object) -> Answer:
    """From JSON values; `of_step` is the time of an answer that has none of its own."""
    if not isinstance(entry, Mapping):
        return OPEN
    guess, reason = read_guess(entry.get("guess"), prediction), entry.get("reason")
    if guess is None:
        draft, unread = read_guess(entry.get("draft"), prediction), _typed(entry.get("unread"), prediction)
        return Answer(draft=draft, unread=unread, seconds=_time(entry.get("seconds")))
    seconds = _time(entry.get("seconds", of_step))
    return Answer(True, guess, reason if isinstance(reason, str) else "", seconds=seconds)


def _time(value: object) -> float:
    return float(value) if isinstance(value, int | float) and 0.0 <= value < 1e7 else 0.0


def _typed(text: object, prediction: Prediction) -> str:
    from robots.lessons.lesson import Kind

    return text if prediction.kind == Kind.NUMBER and isinstance(text, str) else ""


def read_guess(value: object, prediction: Prediction) -> Guess | None:
    """A guess from JSON values; None if it does not fit the prediction."""
    from robots.lessons.lesson import Kind

    names = [choice.name for choice in prediction.choices]
    if prediction.kind == Kind.CHOICE:
        return value if isinstance(value, str) and value in names else None
    if prediction.kind == Kind.ORDER:
        order = tuple(map(str, value)) if isinstance(value, list | tuple) else ()
        return order if sorted(order) == sorted(names) else None
    if prediction.kind == Kind.CURVE:
        pairs = value if isinstance(value, list | tuple) else ()
        fits = all(isinstance(pair, list | tuple) and len(pair) == 2 and all(map(_is_number, pair)) for pair in pairs)
        return tuple((float(t), float(y)) for t, y in pairs) if pairs and fits else None
    return float(value) if isinstance(value, int | float) and _is_number(value) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def kept_name(key: str, file: Path | None) -> str:
    """What the progress in a lesson is kept under: its key, with a mark of its file's folder if it was not shipped."""
    folder = None if file is None else str(file.absolute().parent)
    mark = "" if folder in (None, str(path("lessons"))) else f"-{crc32(str(folder).encode()):08x}"
    return f"{key}{mark}"


class KeptProgress:
    """Keeps how far a person is in each lesson, one small file for each.

    Args:
        folder: where.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> Data:
        """What is kept of a lesson; empty if there is nothing, or it cannot be read."""
        try:
            kept = json.loads(self._file(key).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def write(self, key: str, data: Data) -> str:
        """Keep it; returns why that failed, as a sentence, or an empty text."""
        try:
            make_folder(self._folder)
            write_atomically(self._file(key), json.dumps(data, indent=1).encode())
        except ArmstepError as error:
            return f"The lesson's progress could not be saved: {error}."
        return ""

    def keep(self, key: str, at: int, records: Sequence[StepRecord]) -> str:
        """Keep in which step a person is, and what was done; what was once followed to its end stays so."""
        ended = at == len(records) and all(record.waiting is None for record in records[-1:])
        steps = [record.to_data() for record in records]
        return self.write(key, {"at": at, "done": ended or self.done(key), "steps": steps})

    def done(self, key: str) -> bool:
        """Whether a lesson was followed to its end."""
        return self.read(key).get("done") is True

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"
