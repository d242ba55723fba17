"""`integrate` for thousands of problems of one kind: they are looped inside compiled code."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from operator import attrgetter, is_
from typing import NamedTuple

import numpy as np

from solvers.batch.entry_kernels import entry_address, words
from solvers.batch.kernels import ACCEPTED, BEGUN, CELL, ROW, BatchCells, Limits, integrate_cells
from solvers.batch.side_by_side import MANY, Advance, lanes_for
from solvers.control import Control, FixedStep
from solvers.integrate import CODES, SLICE_SECONDS, Dense, most_steps, phases, read_only
from solvers.interpolation.location import KeptSteps, ceilings
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.calls import entry
from solvers.kernels.loop import TIME
from solvers.method import Method
from solvers.problem import OdeProblem, apart
from solvers.solution import Counts, Solution, StepLog
from solvers.status import Status
from solvers.stepper import Rows

MOST_CELLS, MOST_SIDE_BY_SIDE = 64, 512
"""How many problems one call takes."""

MOST_BYTES, MOST_ROWS = 2**22, 65536
"""How much memory their states take at most."""

SLICE_ROWS = 512
SHARED = attrgetter("rhs", "jacobian", "begin_step", "taylor", "source", "t0", "t1")
"""What belongs to a Stepper for good; parameters and the initial state may change."""

NO_LOG = StepLog(np.empty((0, 4)))
FIRST_BUDGET = 2000
"""Attempts of the first call; the following ones take about `SLICE_SECONDS`."""


def batched(method: Method, problem: OdeProblem, control: Control, options: Mapping[str, object]) -> bool:
    """Whether `integrate_batch` serves such problems: the method has a kernel of ours, and nothing jumps on the way."""
    if not isinstance(problem, OdeProblem) or problem.sample is not None or len(phases(problem)) != 1:
        return False
    settings = method.complete_options(options)
    return type(method.configured(settings).stepper(apart(problem), control, settings)) is KernelStepper


class BatchIntegrator:
    """Integrates problems of one kind: the same functions and dimension.

    Args:
        method, options: with which method.
        keep: whether the solutions have all their states, and dense output; otherwise the last state alone.
        cancel: asked about every 12 ms.
        expected: how many problems there will be, here or elsewhere.
    """

    def __init__(
        self,
        method: Method,
        options: Mapping[str, object],
        *,
        keep: bool,
        cancel: Callable[[], bool] | None = None,
        expected: int = 0,
    ) -> None:
        self.settings, self._many = method.complete_options(options), expected >= MANY and not keep
        self.method, self.keep, self.cancel = method.configured(self.settings), keep, cancel
        self.budget, self.stopped = FIRST_BUDGET, False
        self._rows: Rows | None = None

    def solve(self, posed: Iterable[tuple[int, OdeProblem, Control]]) -> Iterator[tuple[int, Solution | None]]:
        """The solution of each numbered problem, in order; None for one that has too many states to keep here.

        The problems must have passed `check`. The arrays of a solution are overwritten when the next ones are computed.
        When `cancel` says so, it ends early.
        """
        group: _Group | None = None
        rows = 0
        for number, problem, control in posed:
            if group is None or not group.begins(problem, control):
                stepper = self.method.stepper(apart(problem), control, self.settings)
                assert isinstance(stepper, KernelStepper)
                if group is None or not (group.numbers and group.takes(stepper)):
                    if group is not None and group.numbers:
                        yield from self._solved(group)
                    group, rows = _Group(stepper), 0
                else:
                    group.stepper = stepper
            needed = group.begin(number, problem)
            if len(group.numbers) > 1 and self.keep and rows + needed > self._capacity(problem):
                group.drop()
                yield from self._solved(group)
                group, rows = _Group(group.stepper), 0
                group.begin(number, problem)
            rows += needed
            if len(group.numbers) == (MOST_SIDE_BY_SIDE if self._many else MOST_CELLS):
                yield from self._solved(group)
                group, rows = _Group(group.stepper), 0
            if self.stopped:
                return
        if group is not None and group.numbers:
            yield from self._solved(group)

    def _capacity(self, problem: OdeProblem) -> int:
        return min(MOST_ROWS, MOST_BYTES // (8 * (problem.dimension + 1))) if self.keep else SLICE_ROWS

    def _room(self, problem: OdeProblem) -> Rows:
        if self._rows is None or self._rows.y.shape[1] != problem.dimension:
            capacity, d = self._capacity(problem), problem.dimension
            work = np.empty((SLICE_ROWS if self.method.implicit else 0, 3))
            self._rows = Rows(np.empty(capacity), np.empty((capacity, d)), np.zeros((SLICE_ROWS, 4)), work)
        return self._rows

    def _solved(self, group: _Group) -> Iterator[tuple[int, Solution | None]]:
        """The solutions of problems that the same call can take."""
        lanes = lanes_for(group.first) if self._many else None
        yield from self._in_turn(group) if lanes is None else self._side_by_side(group, lanes)

    def _in_turn(self, group: _Group) -> Iterator[tuple[int, Solution | None]]:
        count, cells, done = len(group.numbers), group.cells(), 0
        rows, call, place = self._room(group.problems[0]), group.call(), cells.place
        while done < count:
            if self._cancelled():
                return
            limits, began = self._limits(group), time.perf_counter()
            full = call(rows, cells, limits)
            self._pace(limits.budget, time.perf_counter() - began, bool(full) or place[CELL] == count)
            ended = _Ended.of(cells, rows if self.keep else None)
            while done < place[CELL]:
                yield group.numbers[done], self._solution(group, ended, done)
                done += 1
            if full:
                if place[ROW] == 0:
                    # It does not fit at all.
                    yield group.numbers[done], None
                    done += 1
                    place[CELL] = done
                place[ROW] = place[ACCEPTED] = place[BEGUN] = 0

    def _side_by_side(self, group: _Group, lanes: Advance) -> Iterator[tuple[int, Solution | None]]:
        """The same, several at once."""
        cells, count = group.cells(), 0
        while count < len(group.numbers):
            if self._cancelled():
                return
            limits, began = self._limits(group), time.perf_counter()
            count = lanes(cells, limits)
            self._pace(limits.budget, time.perf_counter() - began, count == len(group.numbers))
        ended = _Ended.of(cells, None)
        for k, number in enumerate(group.numbers):
            yield number, self._solution(group, ended, k)

    def _limits(self, group: _Group) -> Limits:
        return Limits(int(self.keep), self.budget, most_steps(group.first.control))

    def _cancelled(self) -> bool:
        self.stopped = self.stopped or bool(self.cancel and self.cancel())
        return self.stopped

    def _pace(self, budget: int, elapsed: float, partly: bool) -> None:
        """Choose the budget of the next call; a call that ended early says only that more is possible."""
        wanted = budget * SLICE_SECONDS / max(elapsed, 1e-6)
        if not partly or wanted < budget:
            self.budget = int(min(max(wanted, 16), 4 * budget, 10**7))

    def _solution(self, group: _Group, ended: _Ended, i: int) -> Solution:
        problem, fixed = group.problems[i], isinstance(group.first.control, FixedStep)
        t, y, status = ended.t[i], ended.y[i], CODES[ended.ends[i][2]]
        accepted, tried = ended.ends[i][:2]
        return Solution(
            t,
            y,
            NO_LOG,
            Counts.of_attempts(accepted, tried, fixed, ended.work[i]),
            status,
            _outcome(status, ended.times[i]),
            Dense(problem, self.method, self.settings, KeptSteps(t, y)) if self.keep else partial(_standing, y),
            self.method.dense_order,
            params=ended.params[i],
        )


@lru_cache(maxsize=1024)
def _outcome(status: Status, t: float) -> str:
    """In words; most problems end alike."""
    return status.sentence.format(t=t)


def _standing(y: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Dense output of a single state, (1, d), at `times` (m,): (m, d)."""
    return np.repeat(y, len(times), axis=0)


class _Ended(NamedTuple):
    """How problems ended, for Python.

    Attributes:
        t, y: the states of each problem, or the last one; they cannot be written to.
        params: see `BatchCells`, of each problem.
        ends, work: of `BatchCells.ends` and `tally`, whole numbers.
        times: the last one of each problem.
    """

    t: list[np.ndarray]
    y: list[np.ndarray]
    params: list[np.ndarray]
    ends: list[list[int]]
    work: list[list[int]]
    times: list[float]

    @classmethod
    def of(cls, cells: BatchCells, rows: Rows | None) -> _Ended:
        """Of these problems, whose states are in `rows`, if they are kept."""
        times = cells.clock[:, TIME].copy()
        ends, work = cells.ends.astype(np.int64).tolist(), cells.tally[:, :4].astype(np.int64).tolist()
        if rows is None:
            t, y = list(read_only(times)[:, None]), list(read_only(cells.y)[:, None])
        else:
            mine = [slice(first, first + accepted + 1) for accepted, _, _, first in ends]
            t, y = ([column[part] for part in mine] for column in (read_only(rows.t), read_only(rows.y)))
        return cls(t, y, list(cells.params), ends, work, times.tolist())


class _Group:
    """Problems that one call can take, each as the Stepper starts it.

    Args:
        stepper: of the first one; later ones may come from others with the same kernel and coefficients.

    Attributes:
        numbers, problems: those that have begun.
        task: what they share.
    """

    def __init__(self, stepper: KernelStepper) -> None:
        self.first = self.stepper = stepper
        self.numbers: list[int] = []
        self.problems: list[OdeProblem] = []
        self._shared: tuple[object, object] = None, None
        self._params: list[np.ndarray] = []
        self._begun: list[tuple[Sequence[float], ...]] = []
        # A stepper and breaks with which all problems begin alike, and how they begin.
        self._alike: tuple[KernelStepper, tuple[float, ...], tuple[Sequence[float], ...]] | None = None

    def begins(self, problem: OdeProblem, control: Control) -> bool:
        """Whether the present Stepper can start this problem: only numbers differ from those of its own."""
        mine = self.stepper.problem
        numbers = len(problem.initial) == len(mine.initial) and len(problem.params) == len(mine.params)
        if self._shared[0] is not mine:
            self._shared = mine, SHARED(mine)
        same = numbers and SHARED(problem) == self._shared[1]
        return same and (control is self.stepper.control or control == self.stepper.control)

    def takes(self, other: KernelStepper) -> bool:
        """Whether a call for the problems so far can take those of the other Stepper."""
        one = self.first
        return (
            one.kernel is other.kernel
            and one.functions == other.functions
            and one.rules.kind == other.rules.kind
            and len(one.problem.params) == len(other.problem.params)
            and one.problem.dimension == other.problem.dimension
            and type(one.control) is type(other.control)
            and _equal(one.formula, other.formula)
        )

    def begin(self, number: int, problem: OdeProblem) -> int:
        """Start a problem; returns how many states it has, as far as that is known."""
        stepper, params = self.stepper, problem.params
        if self._alike is not None and self._alike[0] is stepper and self._alike[1] == problem.breaks:
            begun = self._alike[2]
        else:
            begun, params = self._started(problem), stepper.problem.params.copy()
            self._alike = (stepper, problem.breaks, begun) if stepper.starts_alike else None
        self.numbers.append(number)
        self.problems.append(problem)
        self._params.append(params)
        self._begun.append(begun)
        return 1 + stepper.task.total

    def _started(self, problem: OdeProblem) -> tuple[Sequence[float], ...]:
        """What its Stepper's start makes of a problem besides state and parameters."""
        stepper, t0, t1 = self.stepper, problem.t0, problem.t1
        # The stepper's problem has arrays of its own: it may write there when it starts.
        stepper.problem.params[:] = problem.params
        stepper.state.tally[:] = 0.0
        bound = ceilings(np.array([t0]), problem.breaks, t1 > t0).item() if problem.breaks else math.inf
        stepper.start(t0, problem.initial, t1, bound)
        state = stepper.state
        if not self.numbers:
            self.task = stepper.task
        changing = state.clock, state.memory, state.tally, *(() if stepper.slope is None else (stepper.slope,))
        return stepper.task[4:], stepper.rules[1:], *(one.tolist() for one in changing)

    def drop(self) -> None:
        """Forget the last problem."""
        for one in (self.numbers, self.problems, self._params, self._begun):
            one.pop()

    def call(self) -> Callable[[Rows, BatchCells, Limits], int]:
        """Goes on with the problems, one after the other; says whether the rows are full."""
        first, loop = self.first, entry(integrate_cells)
        formula, scratch = words(first.kernel, first.formula, first.scratch)
        kernel = entry_address(first.kernel)
        shared = kernel, self.task, first.rules, first.state

        def go_on(rows: Rows, cells: BatchCells, limits: Limits) -> int:
            return loop(*shared, formula.ctypes.data, scratch.ctypes.data, rows, cells, limits)

        return go_on

    def cells(self) -> BatchCells:
        """The problems as the kernel takes them."""
        first, count = self._begun[0], len(self._begun)
        if all(map(partial(is_, first), self._begun)):
            numbers = [np.tile(np.array(row, dtype=float), (count, 1)) for row in first]
        else:
            numbers = [np.array(column, dtype=float) for column in zip(*self._begun, strict=True)]
        spans, rules, clock, memory, tally, *slopes = numbers
        slope = self.first.slope
        return BatchCells(
            y=np.array([one.initial for one in self.problems], dtype=float),
            params=np.array(self._params).reshape(len(self.problems), -1),
            spans=spans,
            rules=rules,
            clock=clock,
            memory=memory,
            tally=tally,
            slopes=slopes[0] if slopes else np.zeros((len(self.numbers), 0)),
            ends=np.zeros((len(self.numbers), 4)),
            slope=np.zeros(0) if slope is None else slope,
            place=np.zeros(5, np.int64),
        )


def _equal(one: object, other: object) -> bool:
    """Whether two coefficients, arrays or tuples of such are equal."""
    if one is other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return np.array_equal(np.asarray(one), np.asarray(other))
