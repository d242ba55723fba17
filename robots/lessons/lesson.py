"""What a lesson consists of: frozen values, made by `robots.lessons.reading`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from assets.errors import ArmstepError, BadInput
from robots.lessons.expression import RunExpression
from robots.scenario.scenario import Scenario

Points = tuple[tuple[float, float], ...]
Guess = str | float | tuple[str, ...] | Points
"""A student's prediction, or the right one.

    choice: the name of a `Choice`
    number, time, slope: a float (SI; time in s)
    order: the names of all choices
    curve: the points (t [s], value), t ascending
"""


class LessonError(ArmstepError):
    """What is wrong in a lesson's file.

    Attributes:
        line: where, from 1.
        what: a sentence without the line.
    """

    def __init__(self, line: int, what: str) -> None:
        self.line, self.what = line, what
        super().__init__(f"line {line}: {what}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.line, self.what)


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Add the line to what is refused here."""
    try:
        yield
    except BadInput as problem:
        raise LessonError(line, str(problem)) from None


class Kind(StrEnum):
    """What a student predicts."""

    CHOICE = "choice"
    NUMBER = "number"
    ORDER = "order"
    TIME = "time"
    SLOPE = "slope"
    CURVE = "curve"


@dataclass(frozen=True, slots=True)
class Choice:
    """An item to choose or to put in order.

    Attributes:
        name: its name in guesses and answers; a run's name, or a label of its own.
        text: what the student reads (Markdown).
        value: the number that decides between the items, or the condition that holds for the right one.
    """

    name: str
    text: str
    value: RunExpression


@dataclass(frozen=True, slots=True)
class Near:
    """What still counts as right.

    Attributes:
        amount: a factor (2 is: from half to twice), a distance in SI units, or a share of a curve's range (0.2).
        factor: whether it is a factor.
    """

    amount: float
    factor: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """A question that a student answers before the run is shown.

    Attributes:
        line: where it begins in the file.
        kind: what is predicted.
        question: Markdown.
        choices: the items of a choice or an order, as the file has them.
        most: choice: the item with the largest value is right, not the smallest; order: the largest value comes first.
        condition: choice: the item whose value holds is right.
        answer: number, time: the right answer.
        readout: slope: the name of the number over which the line is drawn, such as `max_error.energy_J`;
            curve: the column, such as `energy_J`.
        field: slope: the field along the horizontal axis, such as `step`.
        runs: slope: the names of the runs that are the points; curve: the one run.
        unit: of a number, or of a curve's values; empty for a pure number.
        near: what still counts as right.
        why: the question after the outcome (Markdown); may be empty.
    """

    line: int
    kind: Kind
    question: str
    choices: tuple[Choice, ...] = ()
    most: bool = False
    condition: bool = False
    answer: RunExpression | None = None
    readout: str = ""
    field: str = ""
    runs: tuple[str, ...] = ()
    unit: str = ""
    near: Near = Near(0.0)
    why: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Ordinary Markdown with formulas."""

    line: int
    markdown: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint on the prediction before it; each next one says more."""

    line: int
    markdown: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A `check`: what must hold of the runs for the lesson to be true.

    Attributes:
        line: where it is in the file.
        text: as it stands there.
        condition: the same, to be computed.
    """

    line: int
    text: str
    condition: RunExpression


@dataclass(frozen=True, slots=True)
class Teacher:
    """Notes for the teacher alone."""

    line: int
    markdown: str


Block = Text | Prediction | Hint | Claim | Teacher


@dataclass(frozen=True, slots=True)
class SceneRun:
    """A run with its name.

    Attributes:
        name: as expressions use it.
        scenario: what is simulated.
        line: where it is defined in the file.
        shown: whether the window shows it; others are only computed.
        reference: whether a number of it needs the reference run.
        label: what the window calls it: that of the lesson, or its name; empty in a family, where what differs says it.
    """

    name: str
    scenario: Scenario
    line: int
    shown: bool = True
    reference: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a step computes and shows.

    Attributes:
        line: where it is in the file; of a step without one, where the scene that it goes on with is.
        runs: those of the scene, in order; then, not shown, earlier ones that the step's expressions name.
        plots: keys of the plots to show; empty leaves the window as it is.
        speed: of the playback; None is the scenario's own.
    """

    line: int
    runs: tuple[SceneRun, ...] = ()
    plots: tuple[str, ...] = ()
    speed: float | None = None

    @property
    def shown(self) -> tuple[SceneRun, ...]:
        """The runs that the window shows; the first is the current one, the others are pinned."""
        return tuple(run for run in self.runs if run.shown)


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step of a lesson.

    Attributes:
        title: its heading.
        line: where it begins in the file.
        scene: what it computes and shows; a step without one goes on with that of the step before.
        blocks: its texts, predictions and so on, in their order.
    """

    title: str
    line: int
    scene: Scene
    blocks: tuple[Block, ...]

    @property
    def predictions(self) -> tuple[Prediction, ...]:
        """What the student is asked, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Prediction))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What must hold of the runs."""
        return tuple(block for block in self.blocks if isinstance(block, Claim))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        key: the file's name without suffix and language.
        title, minutes, language, level: from its header; the language as `en`, the level as in `LEVELS`.
        needs: keys of lessons that come first.
        introduction: Markdown before the first step.
        steps: at least one.
        teacher: notes for the teacher on the whole lesson (Markdown); may be empty.
        files: scenario files and robot files that its runs are based on: paths in its folder.
    """

    key: str
    title: str
    minutes: float
    language: str
    level: str
    needs: tuple[str, ...]
    introduction: str
    steps: tuple[LessonStep, ...]
    teacher: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The right answer to a prediction, computed from the runs.

    Attributes:
        prediction: the question.
        answer: in the form of a guess.
        sentence: one plain sentence that says it.
        values: choice, order: each item's number by its name, where it has one.
        readings: order: each item's number as it is read, with its unit, by its name; else empty.
        points: slope: (the field, the readout) of each run, the field descending; else empty.
    """

    prediction: Prediction
    answer: Guess
    sentence: str
    values: tuple[tuple[str, float], ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    points: Points = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A guess beside the outcome.

    Attributes:
        right: it counts as right.
        near: it does not, but is close.
        sentence: one plain sentence about it.
    """

    right: bool
    near: bool
    sentence: str


LEVELS = ("beginner", "intermediate", "advanced")
