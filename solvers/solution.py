"""What an integration returns: states, step log, counts, status, dense output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, field

import numpy as np

from solvers.codegen.quick import quick
from solvers.problem import Array
from solvers.status import Status

UNDIVIDED = " does not divide the time"
"""In the note of a run whose last step is shorter, between the step and the span."""


@dataclass(frozen=True, slots=True, eq=False)
class StepLog:
    """One row per attempted step, in order, as the kernels write it.

    Attributes:
        steps: (n, 4), the columns `t`, `h`, `error`, `accepted`.
        work: (n, 3), the columns `newton`, `factorisations`, `condition`; None stands for zeros (explicit methods).
    """

    steps: Array
    work: Array | None = None

    @property
    def t(self) -> Array:
        """Where each attempt began, (n,) [s]."""
        return self.steps[:, 0]

    @property
    def h(self) -> Array:
        """The signed step tried, (n,) [s]."""
        return self.steps[:, 1]

    @property
    def error(self) -> Array:
        """The error estimate, (n,); nan for a method without one.

        With step control it is in units of the tolerance (accepted up to 1), with a fixed step its largest component.
        """
        return self.steps[:, 2]

    @property
    def accepted(self) -> np.ndarray:
        """Whether each attempt was accepted, (n,) bool."""
        return self.steps[:, 3] == 1.0

    @property
    def newton(self) -> Array:
        """Newton iterations of each attempt, (n,), whole numbers; nan if a code does not report them."""
        return self._work(0)

    @property
    def factorisations(self) -> Array:
        """Matrix factorisations of each attempt, (n,), whole numbers; nan if a code does not report them."""
        return self._work(1)

    @property
    def condition(self) -> Array:
        """Condition number of each attempt's first iteration matrix (maximum norm), (n,), if the method reports it."""
        return self._work(2)

    def _work(self, column: int) -> Array:
        return np.zeros(len(self.steps)) if self.work is None else self.work[:, column]

    def first(self, count: int) -> StepLog:
        """Only the first attempts."""
        return StepLog(self.steps[:count], None if self.work is None else self.work[:count])

    @staticmethod
    def joined(logs: Sequence[StepLog]) -> StepLog:
        """One log after the other."""
        if len(logs) == 1:
            return logs[0]
        steps = np.concatenate([log.steps for log in logs])
        if all(log.work is None for log in logs):
            return StepLog(steps)
        return StepLog(steps, np.concatenate([np.zeros((len(s.steps), 3)) if s.work is None else s.work for s in logs]))


@quick
@dataclass(frozen=True, slots=True)
class Counts:
    """What the run cost. Every call counts, including those of rejected and start-up steps; dense output does not.

    Step control rejects steps; a fixed one that fails ends the run, and is neither accepted nor rejected. A number that
    a code does not report is nan.
    """

    steps: int = 0
    rejected: int = 0
    rhs_evaluations: int = 0
    jacobian_evaluations: int = 0
    newton_iterations: int = 0
    factorisations: float = 0

    @staticmethod
    def of_attempts(accepted: int, tried: int, fixed: bool, work: Iterable[float]) -> Counts:
        """Those of a run with a fixed step or with step control, whose `work` is the other counts, in order."""
        return Counts(accepted, 0 if fixed else tried - accepted, *work)  # type: ignore[arg-type]

    @staticmethod
    def total(counts: Iterable[Counts]) -> Counts:
        """The sums."""
        return Counts(*map(sum, zip(*map(astuple, counts), strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """An event that happened: its place among those that were looked for, when, and the state then."""

    number: int
    t: float
    y: Array


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The result of `integrate()`.

    Attributes:
        t, y: the initial state and every accepted step, (n,) and (n, d); for very long runs, every `stride`-th one and
            the last.
        log, counts: every attempted step, and the cost.
        status, outcome: how it ended, and a sentence that says so.
        dense: dense output; `solution(times)` calls it.
        dense_order: its order; when below the method's order, plots join the points of `t` instead.
        stride: how many steps lie between two rows.
        events: what happened during the run, in order.
        rates: x' at the rows, (n, d), for codes that find it themselves; otherwise None.
        params: the problem's numbers as the run left them: a right-hand side may keep notes there.
        notes: further sentences for a person.
    """

    t: Array
    y: Array
    log: StepLog
    counts: Counts
    status: Status
    outcome: str
    dense: Callable[[Array], Array]
    dense_order: int
    stride: int = 1
    events: tuple[Occurrence, ...] = field(default=())
    rates: Array | None = None
    params: Array | None = None
    notes: tuple[str, ...] = ()

    def __call__(self, times: Array | float) -> Array:
        """The state at `times` (m,), (m, d); at a single time (d,). Beyond the run, the state at its nearest end."""
        wanted = np.atleast_1d(np.asarray(times, dtype=float))
        low, high = min(self.t[0], self.t[-1]), max(self.t[0], self.t[-1])
        states = self.dense(np.ascontiguousarray(np.clip(wanted, low, high)))
        return states if np.ndim(times) else states[0]

    @property
    def message(self) -> str:
        """How it ended, and the notes."""
        return " ".join((self.outcome, *self.notes))

    @property
    def final(self) -> Array:
        """The last good state, (d,)."""
        return self.y[-1]

    @property
    def t_end(self) -> float:
        """The time of the last good state [s]."""
        return float(self.t[-1])


def notes_in_order(solutions: Iterable[Solution]) -> str:
    """The notes of solutions that follow each other, in order; steps that divide none of several spans in one sentence.

    A note such as "10 ms does not divide the time from 0 to 3 s: ..." begins as the next one of the same step does.
    """
    sentences: dict[str, list[str]] = {}
    for note in dict.fromkeys(note for solution in solutions for note in solution.notes):
        step, mark, span = note.partition(UNDIVIDED)
        sentences.setdefault(step + mark, []).append(span)
    return " ".join(
        head + "; nor that".join([*(span.rstrip(".") for span in spans[:-1]), spans[-1]])
        for head, spans in sentences.items()
    )
