"""The Adams methods with a fixed step: predict, and where there is a corrector evaluate and correct."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import DIVERGED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import CALLS, DONE, bounded, bundle, give_up, integrate, kernel, slope, uniform_step
from solvers.kernels.parts.classical import runge_kutta_step
from solvers.kernels.signatures import MATRIX, VECTOR, i8


class Formula(NamedTuple):
    """The weights.

    Attributes:
        steps: how many slopes the formula takes, k.
        predictor: row q has the weights of the newest q + 1 slopes.
        corrector: row q has those of the predicted slope and the newest; no rows without a corrector.
        by_runge_kutta: whether the first steps use the classical Runge-Kutta method, or the rows that there are slopes
            for.
    """

    steps: int
    predictor: np.ndarray
    corrector: np.ndarray
    by_runge_kutta: int


class Scratch(NamedTuple):
    """Working memory: f of the last steps, (k, d), the newest first; slopes, (3, d), and a state, (d,)."""

    slopes: np.ndarray
    k: np.ndarray
    work: np.ndarray


FORMULA = bundle(Formula, i8, MATRIX, MATRIX, i8)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, VECTOR)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope of this step, put before those of the last ones."""
    y, slopes = state.y, scratch.slopes
    for i in range(min(int(state.clock[DONE]), formula.steps - 1), 0, -1):
        for j in range(y.size):
            slopes[i, j] = slopes[i - 1, j]
    slope(task, state, t, y, slopes, 0)


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, slopes, k = state.y, state.after, scratch.slopes, scratch.k
    rhs, params, ceiling = task.rhs, task.params, task.ceiling
    predictor, corrector = formula.predictor, formula.corrector
    row = min(int(state.clock[DONE]), formula.steps - 1)
    if formula.by_runge_kutta and row < formula.steps - 1:
        runge_kutta_step(rhs, params, t, h, ceiling, y, slopes, k, scratch.work, after)
        state.tally[CALLS] += 3.0
    else:
        for j in range(y.size):
            total = 0.0
            for i in range(row + 1):
                total += predictor[row, i] * slopes[i, j]
            after[j] = y[j] + h * total
        if corrector.shape[0] > 0:
            row = min(row, corrector.shape[0] - 1)
            call_rhs(rhs, min(t + h, ceiling), after, params, k, 0)
            state.tally[CALLS] += 1.0
            for j in range(y.size):
                total = corrector[row, 0] * k[0, j]
                for i in range(row + 1):
                    total += corrector[row, i + 1] * slopes[i, j]
                after[j] = y[j] + h * total
    return math.nan, RUNNING if bounded(after) else DIVERGED


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, uniform_step, attempt, give_up, task, rules, state, formula, scratch, rows, attempts)
