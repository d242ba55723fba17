"""Explicit Runge-Kutta methods: the tableau comes as arrays, the right-hand side as its address.

A tableau with s stages is handed over as s + 3 sparse rows (the rows of A, then b, b - b_error, b - b_error2), row i
being `weights[starts[i]:starts[i + 1]]` at `columns`. Nothing here allocates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import DIVERGED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import (
    CALLS,
    DONE,
    bounded,
    bundle,
    control,
    integrate,
    kernel,
    next_step,
    slope,
)  # fmt: skip
from solvers.kernels.parts.combinations import add, multiply
from solvers.kernels.parts.controllers import norm
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, i8


class Table(NamedTuple):
    """A tableau; with `fsal` the last stage is the next step's first."""

    fsal: int
    c: np.ndarray
    starts: np.ndarray
    columns: np.ndarray
    weights: np.ndarray


class Scratch(NamedTuple):
    """Working memory: the stages' slopes, (s, d), and a state, (d,)."""

    k: np.ndarray
    work: np.ndarray


TABLE = bundle(Table, i8, VECTOR, INDICES, INDICES, VECTOR)
SCRATCH = bundle(Scratch, MATRIX, VECTOR)


@njit(inline="always")
def prepare(task, rules, state, table, scratch, t):
    """The first stage. With step control that of the first step is already there: it was used to choose the step."""
    k, starts = scratch.k, state.clock[DONE] == 0.0
    if table.fsal and not starts:
        last = table.c.size - 1
        for j in range(k.shape[1]):
            k[0, j] = k[last, j]
    elif task.step != 0.0 or not starts:
        slope(task, state, t, state.y, k, 0)


@njit(inline="always")
def stages(rhs, params, t, h, ceiling, y, table, k, work):
    """Fill k[1:] with the other stages of a step h from (t, y)."""
    for i in range(1, table.c.size):
        add(i, h, y, table.starts, table.columns, table.weights, k, work)
        call_rhs(rhs, min(t + table.c[i] * h, ceiling), work, params, k, i)


@njit(inline="always")
def estimate(rules, h, y, after, table, k, difference):
    """The error of a step in units of the tolerance, with DOP853's combination when there are two estimates."""
    starts, columns, weights = table.starts, table.columns, table.weights
    rows = starts.size - 1
    multiply(rows - 2, h, starts, columns, weights, k, difference)
    error = norm(rules.kind, difference, y, after, rules.rtol, rules.atol)
    if starts[rows] != starts[rows - 1] and error != 0.0:
        multiply(rows - 1, h, starts, columns, weights, k, difference)
        second = norm(rules.kind, difference, y, after, rules.rtol, rules.atol)
        error = error * error / math.sqrt(error * error + 0.01 * second * second)
    return error


@njit(inline="always")
def has_estimate(table):
    """Whether the tableau has a comparison solution: its row b - b_error is not empty."""
    rows = table.starts.size - 1
    return table.starts[rows - 1] != table.starts[rows - 2]


@njit(inline="always")
def largest(difference):
    """The size of the largest component; nan where one is nan."""
    found = 0.0
    for j in range(difference.size):
        size = abs(difference[j])
        found = size if not size <= found else found
    return found


@njit(inline="always")
def attempt(task, rules, state, table, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, k, work = state.y, state.after, scratch.k, scratch.work
    stages(task.rhs, task.params, t, h, task.ceiling, y, table, k, work)
    state.tally[CALLS] += table.c.size - 1.0
    add(table.starts.size - 4, h, y, table.starts, table.columns, table.weights, k, after)
    failure = RUNNING if bounded(after) else DIVERGED
    error = math.nan
    if task.step == 0.0:
        error = estimate(rules, h, y, after, table, k, work)
        error = error if failure == RUNNING else math.inf
    elif has_estimate(table):
        multiply(table.starts.size - 3, h, table.starts, table.columns, table.weights, k, work)
        error = largest(work)
    return error, failure


@kernel(TABLE, SCRATCH)
def run(task, rules, state, table, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, control, task, rules, state, table, scratch, rows, attempts)
