"""A lesson, where a person is in it, and what was done there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from gui.app.lessons.record import OPEN, Answer, StepRecord
from robots.lessons.phrases import phrase

if TYPE_CHECKING:
    from robots.lessons.lesson import Block, Guess, Hint, Lesson, LessonStep, Prediction, Scene


class Around(Protocol):
    """A list that is presented and has a lesson among its pages."""

    def leads_out(self, by: int) -> bool:
        """Whether a page comes after the lesson (1), or before it (-1)."""
        ...

    def leave_lesson(self, by: int) -> bool:
        """Show that page; False if there is none."""
        ...


@dataclass(slots=True)
class Course:
    """The open lesson, or none.

    Attributes:
        lesson: the lesson, or None.
        number: which step is shown, from 1; 0 is the introduction.
        records: what was done, step by step.
        notes_shown: whether the teacher's notes are on the screen.
        in_class: whether a class is shown the lesson: it is the class that is spoken to.
        since: until when the time of what is asked for is counted [s].
        around: the list that is presented and has the lesson among its pages, or None.
    """

    lesson: Lesson | None = None
    number: int = 0
    records: list[StepRecord] = field(default_factory=list)
    notes_shown: bool = False
    in_class: bool = False
    since: float = 0.0
    around: Around | None = None

    def phrase(self, key: str, **parts: object) -> str:
        """A sentence or a label in the lesson's language."""
        language = "en" if self.lesson is None else self.lesson.language
        return phrase(language, key, in_class=self.in_class, **parts)

    @property
    def step(self) -> LessonStep | None:
        """The step that is shown; None for the introduction."""
        return self.lesson.steps[self.number - 1] if self.lesson is not None and self.number else None

    @property
    def record(self) -> StepRecord:
        """What was done in the step that is shown."""
        return self.records[self.number - 1] if self.number else StepRecord()

    @property
    def asked(self) -> Prediction | None:
        """The prediction that is asked for now."""
        waiting = self.record.waiting
        return None if waiting is None or self.step is None else self.step.predictions[waiting]

    @property
    def secret(self) -> bool:
        """Whether the rows are held: while a prediction is asked for, and before the first step."""
        record = self.record if self.number else next(iter(self.records), StepRecord())
        return record.waiting is not None

    @property
    def scene(self) -> Scene | None:
        """What the step shows; the introduction shows what the first step does."""
        step = self.step or next(iter(() if self.lesson is None else self.lesson.steps), None)
        return None if step is None else step.scene

    def secret_at(self, line: int | None) -> bool:
        """Whether rows are held while the scene at that line is shown: no step is revealed before its turn."""
        if self.scene is not None and line == self.scene.line:
            return self.secret
        steps = () if self.lesson is None else self.lesson.steps
        pairs = zip(steps, self.records, strict=True)
        return any(step.scene.line == line and record.waiting is not None for step, record in pairs)

    @property
    def draft(self) -> Guess | None:
        """What is entered for the prediction that is asked for; None before anything is."""
        return None if self.asked is None else self.answer(self.asked).draft

    @property
    def unread(self) -> str:
        """What is typed for it and is no answer, such as half a number; else empty."""
        return "" if self.asked is None else self.answer(self.asked).unread

    @property
    def answered(self) -> bool:
        """Whether somebody entered that: the order in which items stand at first is nobody's."""
        first = () if self.asked is None else tuple(choice.name for choice in self.asked.choices)
        return self.draft not in (None, first)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the step that may be seen: none behind a prediction that is not made, no hint not asked for."""
        from robots.lessons.lesson import Hint, Teacher

        if self.step is None:
            return ()
        seen: list[Block] = []
        hints = self.record.hints
        for block in self.step.blocks:
            if isinstance(block, Hint):
                hints -= 1
                if hints < 0:
                    continue
            elif isinstance(block, Teacher) and not self.notes_shown:
                continue
            seen.append(block)
            if block is self.asked:
                break
        # Hints on the prediction that is asked for stand behind it.
        return (*seen, *(hint for hint in self.hints[: self.record.hints] if hint not in seen))

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The hints of the step."""
        from robots.lessons.lesson import Hint

        return () if self.step is None else tuple(block for block in self.step.blocks if isinstance(block, Hint))

    def notes_of(self, number: int) -> str:
        """The teacher's notes on a step (Markdown); those of the introduction are on the whole lesson."""
        from robots.lessons.lesson import Teacher

        if self.lesson is None:
            return ""
        if not number:
            return self.lesson.teacher
        blocks = self.lesson.steps[number - 1].blocks
        return "\n\n".join(block.markdown for block in blocks if isinstance(block, Teacher))

    def place_of(self, prediction: Prediction) -> int | None:
        """Which prediction of the step that is shown it is; None if it is of another step."""
        predictions = () if self.step is None else self.step.predictions
        return next((place for place, one in enumerate(predictions) if one is prediction), None)

    def answer(self, prediction: Prediction) -> Answer:
        """What became of a prediction of the step that is shown."""
        place = self.place_of(prediction)
        return OPEN if place is None else self.record.answers[place]

    @property
    def last(self) -> int:
        """The number of the last step."""
        return 0 if self.lesson is None else len(self.lesson.steps)

    @property
    def place(self) -> str:
        """Which step of how many is shown, or that it is the introduction."""
        return self.phrase("step", number=self.number, last=self.last) if self.number else self.phrase("introduction")

    def leads(self, by: int) -> bool:
        """Whether there is a step after this one (1) or before it (-1), or a page of the list around the lesson."""
        return 0 <= self.number + by <= self.last or (self.around is not None and self.around.leads_out(by))

    def lead_out(self, by: int) -> bool:
        """Show the page of the list around the lesson that comes after it (1) or before it (-1); False without one."""
        return self.around is not None and self.around.leave_lesson(by)

    def title_of(self, number: int) -> str:
        """A step's title; that of the introduction is the lesson's."""
        if self.lesson is None:
            return ""
        return self.lesson.steps[number - 1].title if number else self.lesson.title

    def take(self, kept: object) -> None:
        """Take over records from JSON values, as far as they fit the lesson."""
        entries = kept if isinstance(kept, list) else []
        steps = () if self.lesson is None else self.lesson.steps
        given = [*entries, *[None] * len(steps)]
        self.records = [StepRecord.read(entry, step.predictions) for entry, step in zip(given, steps, strict=False)]

    def change(self, place: int, **parts: Any) -> None:
        """Change parts of an answer of the step that is shown."""
        self.put(self.record.with_answer(place, replace(self.record.answers[place], **parts)))

    def spend(self, now: float, *, counted: bool) -> None:
        """Add the time since the last call to that of the prediction that is asked for, unless it is not `counted`."""
        waiting, spent = self.record.waiting, now - self.since
        self.since = now
        if counted and waiting is not None:
            self.change(waiting, seconds=self.record.answers[waiting].seconds + spent)

    def put(self, record: StepRecord) -> None:
        """Replace the record of the step that is shown."""
        if self.number:
            self.records[self.number - 1] = record
