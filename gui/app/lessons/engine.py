"""What reads and computes lessons: Armstep's own functions, or those of a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.computing.engine import WaitFor
from gui.app.jobs import Cancel
from gui.app.lessons.record import StepRecord

if TYPE_CHECKING:
    from robots.lessons.computing import SceneResults
    from robots.lessons.lesson import Guess, Judgement, Lesson, LessonStep, Outcome, Prediction


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """A step's runs, and for each of its predictions the outcome, or why there is none, as a sentence."""

    results: SceneResults
    outcomes: tuple[Outcome | str, ...]


@dataclass(frozen=True, slots=True)
class LessonEngine:
    """What a lesson's player calls.

    `find` reads a lesson by its key or file: the lesson and its file. `compute` of (step, results before, cancel) is
    called in a worker's thread, and so is `outcome` of (prediction, results, language). `judge` of (guess, outcome,
    language, whether a class predicted it) is quick.
    """

    find: Callable[[str | Path], tuple[Lesson, Path]]
    compute: Callable[[LessonStep, SceneResults | None, Cancel], SceneResults | None]
    outcome: Callable[[Prediction, SceneResults, str], Outcome]
    judge: Callable[[Guess, Outcome, str, bool], Judgement]

    def solve(self, step: LessonStep, before: SceneResults | None, language: str, cancel: Cancel) -> Computed | None:
        """Compute a step and all its outcomes, in a worker's thread; None if it is cancelled."""
        results = self.compute(step, before, cancel)
        if results is None:
            return None
        return Computed(results, tuple(self._found(one, results, language) for one in step.predictions))

    def _found(self, prediction: Prediction, results: SceneResults, language: str) -> Outcome | str:
        try:
            return self.outcome(prediction, results, language)
        except ArmstepError as error:
            return str(error)

    def concluded(
        self, record: StepRecord, computed: Computed, language: str, in_class: bool = False
    ) -> tuple[StepRecord, str]:
        """A record with the outcomes of what a person or a class predicted, and why one is missing, as a sentence."""
        trouble = ""
        for place, (found, answer) in enumerate(zip(computed.outcomes, record.answers, strict=True)):
            if not answer.committed or answer.outcome is not None:
                continue
            if isinstance(found, str):
                trouble = found
                continue
            judgement = None if answer.guess is None else self.judge(answer.guess, found, language, in_class)
            if answer.guess is None and answer.hands:
                judgement = _divided(answer.hands, found, language)
            record = record.with_answer(place, replace(answer, outcome=found, judgement=judgement))
        return record, trouble


def _divided(hands: Sequence[str], found: Outcome, language: str) -> Judgement:
    """What is said of a class of which as many hands are for one choice as for another."""
    from robots.lessons.lesson import Judgement
    from robots.lessons.phrases import phrase

    count = sum(hand == found.answer for hand in hands)
    return Judgement(False, False, phrase(language, "divided", count=count, all=len(hands)))


def default_lesson_engine(wait_for: WaitFor = lambda scenario, methods, cancel: None) -> LessonEngine:
    """Armstep's own functions. Each imports what it needs when it is first called.

    Args:
        wait_for: returns, in the worker's thread, once the kernels of a scenario's robot and of methods are compiled.
    """

    def find(name: str | Path) -> tuple[Lesson, Path]:
        from robots.lessons.lesson import LessonError
        from robots.lessons.library import LESSONS, PREFIX, find_lesson

        try:
            lesson = find_lesson(str(name))
        except LessonError as error:
            raise ArmstepError(f"{Path(name).name}, {error}") from None
        key = str(name).removeprefix(PREFIX)
        return lesson, LESSONS.find(key).path if key in LESSONS else Path(name)

    def compute(step: LessonStep, before: SceneResults | None, cancel: Cancel) -> SceneResults | None:
        for run in step.scene.runs:
            wait_for(run.scenario, [run.scenario.method], cancel)
        from robots.lessons.computing import compute

        return compute(step.scene, known=before, cancel=cancel)

    def outcome(prediction: Prediction, results: SceneResults, language: str) -> Outcome:
        from robots.lessons.outcomes import outcome

        return outcome(prediction, results, language)

    def judge(guess: Guess, found: Outcome, language: str, in_class: bool) -> Judgement:
        from robots.lessons.outcomes import judge

        return judge(guess, found, language, in_class=in_class)

    return LessonEngine(find, compute, outcome, judge)
