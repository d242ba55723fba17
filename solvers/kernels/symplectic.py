"""The methods for q'' = a(t, q, v) that treat positions and velocities in turn.

Where a depends on v, the half kicks of the two Verlet methods are implicit and solved by fixed-point iteration, so
that the step stays symmetric in time; otherwise the first iteration is exact, and only one is made.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import BOUND, DIVERGED, NEWTON_FAILED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import CALLS, begin_step, bounded, bundle, give_up, integrate, kernel, next_step
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, i8

EULER, VELOCITY_VERLET, STOERMER_VERLET = 0, 1, 2
MOST = 50


class Formula(NamedTuple):
    """Which of the methods it is."""

    kind: int


class Scratch(NamedTuple):
    """Working memory: a slope, (1, d), and the velocities at a kick's beginning, (d / 2,)."""

    slopes: np.ndarray
    first: np.ndarray


FORMULA = bundle(Formula, i8)
SCRATCH = bundle(Scratch, MATRIX, VECTOR)


@compiled(i8(i8, VECTOR, f8, f8, f8, f8, VECTOR, i8, VECTOR, MATRIX, i8))
def kick(rhs, params, t, h, implicit, base, y, n, start, slopes, row):
    """v = start + h a(t, q, (1 - implicit) start + implicit v) for the positions of y = (q, v).

    Returns the calls of rhs, negative on failure. `base` is the smallest size in the stopping test.
    """
    for j in range(n):
        y[n + j] = start[j]
    for iteration in range(1, MOST + 1):
        call_rhs(rhs, t, y, params, slopes, row)
        change, size = 0.0, base
        for j in range(n):
            kicked = start[j] + h * slopes[row, n + j]
            # The velocity at which the acceleration is taken: the kick's end, or the mean of both.
            at = start[j] + implicit * (kicked - start[j])
            change = max(change, abs(at - y[n + j]))
            size = max(size, abs(at))
            y[n + j] = at
        if not change < BOUND:
            return -iteration
        if implicit == 0.0 or change <= 4e-16 * size:
            for j in range(n):
                y[n + j] = start[j] + h * slopes[row, n + j]
            return iteration
    return -MOST


@njit(inline="always")
def step(kind, rhs, params, t, h, ceiling, y, slopes, start):
    """Advance y = (q, v) by one step; returns the calls of rhs, negative when the iteration failed."""
    n = y.size // 2
    now, later = min(t, ceiling), min(t + h, ceiling)
    for j in range(n):
        start[j] = y[n + j]
    if kind == EULER:
        calls = kick(rhs, params, now, h, 0.0, 0.0, y, n, start, slopes, 0)
        for j in range(n):
            y[j] += h * y[n + j]
    elif kind == STOERMER_VERLET:
        for j in range(n):
            y[j] += 0.5 * h * start[j]
        calls = kick(rhs, params, min(t + 0.5 * h, ceiling), h, 0.5, 1e-300, y, n, start, slopes, 0)
        for j in range(n):
            y[j] += 0.5 * h * y[n + j]
    else:
        calls = kick(rhs, params, now, 0.5 * h, 1.0, 1e-300, y, n, start, slopes, 0)
        for j in range(n):
            y[j] += h * y[n + j]
            start[j] = y[n + j]
        more = kick(rhs, params, later, 0.5 * h, 0.0, 0.0, y, n, start, slopes, 0)
        calls = calls + more if calls > 0 else calls
    return calls


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """What is sampled once a step."""
    begin_step(task, t, state.y, scratch.slopes, 0)


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after = state.y, state.after
    for j in range(y.size):
        after[j] = y[j]
    calls = step(formula.kind, task.rhs, task.params, t, h, task.ceiling, after, scratch.slopes, scratch.first)
    state.tally[CALLS] += abs(calls)
    failure = NEWTON_FAILED if calls <= -MOST else DIVERGED
    return math.nan, RUNNING if calls > 0 and bounded(after) else failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, give_up, task, rules, state, formula, scratch, rows, attempts)
