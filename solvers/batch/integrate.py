"""`integrate` for thousands of problems of one kind: they are looped inside compiled code."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solvers.batch.kernels import ACCEPTED, BEGUN, CELL, ROW, BatchCells, Limits, batch_kernel
from solvers.control import Control, FixedStep
from solvers.integrate import (
    CODES,
    MOST_CONTROLLED_STEPS,
    MOST_FIXED_STEPS,
    Dense,
    phases,
    read_only,
)
from solvers.interpolation.location import ceiling
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.calls import entry
from solvers.method import Method
from solvers.problem import OdeProblem, apart
from solvers.solution import Counts, Solution, StepLog
from solvers.stepper import Rows

MOST_CELLS = 64
"""How many problems one call takes."""

MOST_BYTES, MOST_ROWS = 2**22, 65536
"""How much memory their states take at most."""

SLICE_ROWS = 512
SLICE_SECONDS = 0.012
FIRST_BUDGET = 2000
"""Attempts of the first call; the following ones take about `SLICE_SECONDS`."""


@dataclass(frozen=True, slots=True)
class _Started:
    """A problem with its Stepper at its beginning."""

    number: int
    problem: OdeProblem
    stepper: KernelStepper


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
    """

    def __init__(
        self, method: Method, options: Mapping[str, object], *, keep: bool, cancel: Callable[[], bool] | None = None
    ) -> None:
        self.settings = method.complete_options(options)
        self.method, self.keep, self.cancel = method.configured(self.settings), keep, cancel
        self.budget, self.stopped = FIRST_BUDGET, False
        self._rows: Rows | None = None

    def solve(self, posed: Iterable[tuple[int, OdeProblem, Control]]) -> Iterator[tuple[int, Solution | None]]:
        """The solution of each numbered problem, in order; None for one that has too many states to keep here.

        The problems must have passed `check`. The arrays of a solution are overwritten when the next ones are computed.
        When `cancel` says so, it ends early.
        """
        group: list[_Started] = []
        rows = 0
        for number, problem, control in posed:
            one = self._started(number, problem, control)
            needed = 1 + int(one.stepper.task.total)
            full = len(group) == MOST_CELLS or (self.keep and rows + needed > self._capacity(problem))
            if group and (full or not _alike(group[0].stepper, one.stepper)):
                yield from self._solved(group)
                group, rows = [], 0
            if self.stopped:
                return
            group.append(one)
            rows += needed
        if group:
            yield from self._solved(group)

    def _started(self, number: int, problem: OdeProblem, control: Control) -> _Started:
        own = apart(problem)
        stepper = self.method.stepper(own, control, self.settings)
        assert isinstance(stepper, KernelStepper)
        stepper.start(own.t0, own.initial, own.t1, ceiling(own.t0, own.breaks, own.t1 > own.t0))
        return _Started(number, own, stepper)

    def _capacity(self, problem: OdeProblem) -> int:
        return min(MOST_ROWS, MOST_BYTES // (8 * (problem.dimension + 1))) if self.keep else SLICE_ROWS

    def _room(self, problem: OdeProblem) -> Rows:
        if self._rows is None or self._rows.y.shape[1] != problem.dimension:
            capacity, d = self._capacity(problem), problem.dimension
            work = np.empty((SLICE_ROWS if self.method.implicit else 0, 3))
            self._rows = Rows(np.empty(capacity), np.empty((capacity, d)), np.zeros((SLICE_ROWS, 4)), work)
        return self._rows

    def _solved(self, group: Sequence[_Started]) -> Iterator[tuple[int, Solution | None]]:
        """The solutions of problems that the same call can take."""
        first, rows, cells = group[0].stepper, self._room(group[0].problem), _cells(group)
        kernel, place, done = entry(batch_kernel(first.kernel)), cells.place, 0
        fixed = isinstance(first.control, FixedStep)
        most = MOST_FIXED_STEPS if fixed else MOST_CONTROLLED_STEPS
        while done < len(group):
            if self.cancel and self.cancel():
                self.stopped = True
                return
            limits, began = Limits(int(self.keep), self.budget, most), time.perf_counter()
            full = kernel(first.task, first.rules, first.state, first.formula, first.scratch, rows, cells, limits)
            self._pace(limits.budget, time.perf_counter() - began, bool(full) or place[CELL] == len(group))
            while done < place[CELL]:
                yield group[done].number, self._solution(group[done], cells, done, rows)
                done += 1
            if full:
                if place[ROW] == 0:
                    # It does not fit at all.
                    yield group[done].number, None
                    done += 1
                    place[CELL] = done
                place[ROW] = place[ACCEPTED] = place[BEGUN] = 0

    def _pace(self, budget: int, elapsed: float, partly: bool) -> None:
        """Choose the budget of the next call; a call that ended early says only that more is possible."""
        wanted = budget * SLICE_SECONDS / max(elapsed, 1e-6)
        if not partly or wanted < budget:
            self.budget = int(min(max(wanted, 16), 4 * budget, 10**7))

    def _solution(self, one: _Started, cells: BatchCells, i: int, rows: Rows) -> Solution:
        accepted, tried, code, first = map(int, cells.ends[i].tolist())
        t, y = np.array([cells.clock[i, 0]]), cells.y[i : i + 1]
        if self.keep:
            t, y = rows.t[first : first + accepted + 1], rows.y[first : first + accepted + 1]
        status = CODES[code]
        return Solution(
            t=read_only(t),
            y=read_only(y),
            log=StepLog(np.empty((0, 4))),
            counts=Counts(accepted, tried - accepted, *map(int, cells.tally[i, :4].tolist())),
            status=status,
            outcome=status.sentence.format(t=float(t[-1])),
            dense=Dense(one.problem, self.method, self.settings, t, y, 1),
            dense_order=self.method.dense_order,
            params=read_only(cells.params[i]),
        )


def _cells(group: Sequence[_Started]) -> BatchCells:
    steppers = [one.stepper for one in group]
    n, d, slope = len(group), group[0].problem.dimension, steppers[0].slope
    return BatchCells(
        y=np.array([stepper.state.y for stepper in steppers]),
        params=np.array([stepper.task.params for stepper in steppers]).reshape(n, -1),
        spans=np.array([stepper.task[4:] for stepper in steppers], float),
        rules=np.array([stepper.rules[1:] for stepper in steppers], float),
        clock=np.array([stepper.state.clock for stepper in steppers]),
        memory=np.array([stepper.state.memory for stepper in steppers]),
        tally=np.array([stepper.state.tally for stepper in steppers]),
        slopes=np.zeros((n, 0)) if slope is None else np.array([stepper.slope for stepper in steppers]).reshape(n, d),
        ends=np.zeros((n, 4)),
        slope=np.zeros(0) if slope is None else slope,
        place=np.zeros(5, np.int64),
    )


def _alike(one: KernelStepper, other: KernelStepper) -> bool:
    """Whether the same call can take both."""
    return (
        one.kernel is other.kernel
        and one.functions == other.functions
        and one.rules.kind == other.rules.kind
        and len(one.task.params) == len(other.task.params)
        and len(one.state.y) == len(other.state.y)
        and type(one.control) is type(other.control)
        and all(a is b or np.array_equal(a, b) for a, b in zip(one.formula, other.formula, strict=True))  # type: ignore[arg-type]
    )
