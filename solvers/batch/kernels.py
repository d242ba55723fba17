"""The loop over problems around the kernel of any family; it keeps their ends and, on request, their states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.batch.entry_kernels import call_kernel
from solvers.codes import RUNNING, TOO_MANY
from solvers.kernels.loop import ROWS, RULES, STATE, TASK, TIME, Rules, Task, bundle
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, compiled, i8
from solvers.stepper import Rows


class BatchCells(NamedTuple):
    """The problems, each a row, as `Stepper.start` leaves them, and how each of them ended.

    Attributes:
        y: the initial state, then the last good one, (n, d).
        params: see `Task`; a right-hand side may write there, (n, p).
        spans: t0, end, ceiling, step, total of `Task`, (n, 5).
        rules: rtol, atol, exponent, longest of `Rules`, (n, 4).
        clock, memory, tally: of `State`, (n, 4), (n, 2) and (n, 5).
        slopes: what the kernel expects in `slope`, (n, d) or (n, 0).
        ends: accepted and attempted steps, code, first row, (n, 4).
        slope: a part of the scratch memory, (d,) or (0,).
        place: the current problem, the next free row, its accepted and attempted steps, whether it has begun, (5,).
    """

    y: np.ndarray
    params: np.ndarray
    spans: np.ndarray
    rules: np.ndarray
    clock: np.ndarray
    memory: np.ndarray
    tally: np.ndarray
    slopes: np.ndarray
    ends: np.ndarray
    slope: np.ndarray
    place: np.ndarray


class Limits(NamedTuple):
    """How far one call goes.

    Attributes:
        keep: whether the rows keep all states, the initial one first.
        budget: attempts in this call.
        most: attempts in one integration.
    """

    keep: int
    budget: int
    most: int


CELLS = bundle(BatchCells, *(MATRIX,) * 9, VECTOR, INDICES)
LIMITS = bundle(Limits, i8, i8, i8)
CELL, ROW, ACCEPTED, TRIED, BEGUN = range(5)


@njit(inline="always")
def begin(cells, state, rows, keep, i):
    """Load problem i as it was started."""
    clock, y, _, memory, tally = state
    for j in range(y.size):
        y[j] = cells.y[i, j]
    for j in range(clock.size):
        clock[j] = cells.clock[i, j]
    for j in range(memory.size):
        memory[j] = cells.memory[i, j]
    for j in range(tally.size):
        tally[j] = cells.tally[i, j]
    for j in range(cells.slope.size):
        cells.slope[j] = cells.slopes[i, j]
    cells.place[ACCEPTED], cells.place[TRIED], cells.place[BEGUN] = 0, 0, 1
    if keep:
        rows.t[cells.place[ROW]] = clock[TIME]
        for j in range(y.size):
            rows.y[cells.place[ROW], j] = y[j]


@njit(inline="always")
def end(cells, state, keep, i, code):
    """Keep how problem i ended; the next one is due."""
    clock, y, _, _, tally = state
    place, ends = cells.place, cells.ends
    for j in range(y.size):
        cells.y[i, j] = y[j]
    for j in range(tally.size):
        cells.tally[i, j] = tally[j]
    cells.clock[i, TIME] = clock[TIME]
    ends[i, 0], ends[i, 1], ends[i, 2], ends[i, 3] = place[ACCEPTED], place[TRIED], code, place[ROW]
    if keep:
        place[ROW] += place[ACCEPTED] + 1
    place[CELL], place[BEGUN] = i + 1, 0


@compiled(i8(i8, TASK, RULES, STATE, i8, i8, ROWS, CELLS, LIMITS))
def integrate_cells(kernel, task, rules, state, formula, scratch, rows, cells, limits):
    """Go on with the current problem and those after it; returns 1 when the rows are full, otherwise 0.

    Args:
        kernel: see `entry_address`; the arguments up to `scratch` are as for it, shared by all problems.
        rows: for all states, or for those of one slice.
        cells, limits: see there.
    """
    place, spent, capacity = cells.place, 0, rows.t.size
    while place[CELL] < cells.y.shape[0] and spent < limits.budget:
        i = place[CELL]
        first = place[ROW] + 1 + place[ACCEPTED] if place[BEGUN] else place[ROW] + 1
        if not limits.keep:
            first = 0
        if first >= capacity:
            return 1
        if not place[BEGUN]:
            begin(cells, state, rows, limits.keep, i)
        t0, last, ceiling, step, total = (
            cells.spans[i, 0], cells.spans[i, 1], cells.spans[i, 2], cells.spans[i, 3], cells.spans[i, 4],
        )  # fmt: skip
        one = Task(task.rhs, task.begin, task.jacobian, cells.params[i], t0, last, ceiling, step, int(total))
        own = Rules(rules.kind, cells.rules[i, 0], cells.rules[i, 1], cells.rules[i, 2], cells.rules[i, 3])
        slice_rows = Rows(rows.t[first:], rows.y[first:], rows.log, rows.work)
        attempts = min(capacity - first, rows.log.shape[0], limits.budget - spent, limits.most - place[TRIED])
        accepted, tried, code = call_kernel(kernel, one, own, state, formula, scratch, slice_rows, attempts)
        place[ACCEPTED] += accepted
        place[TRIED] += tried
        spent += tried
        if code == RUNNING and place[TRIED] >= limits.most:
            code = TOO_MANY
        if code != RUNNING:
            end(cells, state, limits.keep, i, code)
    return 0
