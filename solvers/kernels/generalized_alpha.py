"""The generalized-alpha methods for q'' = w(t, q, v), whose step carries an acceleration a besides q and v.

    (1 - am) a1 + am a0 = (1 - af) w1 + af w0
    q1 = q0 + h v0 + h^2 ((1/2 - b) a0 + b a1)
    v1 = v0 + h ((1 - g) a0 + g a1)

a1 is found by simplified Newton iteration with the matrix (1 - am) I - (1 - af) (h^2 b dw/dq + h g dw/dv).

Source: J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371-375; for accelerations that are no linear function, M.
Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007) 185-202.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import DIVERGED, NEWTON_FAILED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import (
    CALLS,
    DONE,
    FACTORISATIONS,
    ITERATIONS,
    STATE,
    TASK,
    bounded,
    bundle,
    give_up,
    integrate,
    kernel,
    slope,
    uniform_step,
)  # fmt: skip
from solvers.kernels.parts.dense_linear import solve
from solvers.kernels.parts.linearise import linearise
from solvers.kernels.parts.newton import GOES_ON, shifted, verdict
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, compiled, f8, i8


class Formula(NamedTuple):
    """The formula's am, af, b, g, and Newton's iteration: its tolerance, relative to 1 + |v|, and most iterations."""

    am: float
    af: float
    b: float
    g: float
    newton: float
    most: int


class Scratch(NamedTuple):
    """Working memory.

    Attributes:
        slopes: at the end and the beginning of the step, and one row more, (3, d).
        J: df/dy, (d, d).
        N, pivots, scales: Newton's matrix, (d / 2, d / 2), and what its factors need, (d / 2,).
        a, new: the accelerations a0 and a1, (d / 2,).
        residual: Newton's correction, (d / 2,).
        moved: a state, (d,).
    """

    slopes: np.ndarray
    J: np.ndarray
    N: np.ndarray
    pivots: np.ndarray
    scales: np.ndarray
    a: np.ndarray
    new: np.ndarray
    residual: np.ndarray
    moved: np.ndarray


FORMULA = bundle(Formula, f8, f8, f8, f8, f8, i8)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
# Rows of slopes.
END, BEGINNING, SPARE = range(3)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope and the Jacobian; the acceleration a begins as the true one and then goes from step to step."""
    y, slopes = state.y, scratch.slopes
    slope(task, state, t, y, slopes, BEGINNING)
    n = scratch.a.size
    for j in range(n):
        scratch.a[j] = slopes[BEGINNING, n + j] if state.clock[DONE] == 0.0 else scratch.new[j]
    linearise(task, state, min(t, task.ceiling), y, slopes, BEGINNING, SPARE, scratch.moved, scratch.J)


@compiled(i8(f8, STATE, FORMULA, SCRATCH))
def factors(h, state, formula, scratch):
    """Factorise Newton's matrix; returns a code."""
    J, N = scratch.J, scratch.N
    n = N.shape[0]
    by_q, by_v = (1.0 - formula.af) * h * h * formula.b, (1.0 - formula.af) * h * formula.g
    state.tally[FACTORISATIONS] += 1.0
    for i in range(n):
        for j in range(n):
            N[i, j] = -by_q * J[n + i, j] - by_v * J[n + i, n + j]
    return shifted(1.0 - formula.am, N, scratch.pivots, scratch.scales)


@njit(inline="always")
def end_of_step(h, state, formula, scratch):
    """Positions and rates that belong to the new acceleration."""
    y, after, a, new, n = state.y, state.after, scratch.a, scratch.new, scratch.a.size
    for j in range(n):
        after[j] = y[j] + h * y[n + j] + h * h * ((0.5 - formula.b) * a[j] + formula.b * new[j])
        after[n + j] = y[n + j] + h * ((1.0 - formula.g) * a[j] + formula.g * new[j])


@compiled(i8(i8, f8, f8, TASK, STATE, FORMULA, SCRATCH))
def newton(full, later, h, task, state, formula, scratch):
    """Iterate the new acceleration from the old one, with a new Jacobian in every iteration if `full`; a code."""
    y, after, slopes, residual, n = state.y, state.after, scratch.slopes, scratch.residual, scratch.a.size
    am, af, before = formula.am, formula.af, math.inf
    for j in range(n):
        scratch.new[j] = scratch.a[j]
    for _ in range(formula.most):
        end_of_step(h, state, formula, scratch)
        call_rhs(task.rhs, later, after, task.params, slopes, END)
        state.tally[CALLS] += 1.0
        state.tally[ITERATIONS] += 1.0
        if full:
            linearise(task, state, later, after, slopes, END, SPARE, scratch.moved, scratch.J)
            code = factors(h, state, formula, scratch)
            if code != RUNNING:
                return code
        for j in range(n):
            pushed = (1.0 - af) * slopes[END, n + j] + af * slopes[BEGINNING, n + j]
            residual[j] = pushed - am * scratch.a[j] - (1.0 - am) * scratch.new[j]
        solve(scratch.N, scratch.pivots, scratch.scales, residual)
        size = 0.0
        for j in range(n):
            scratch.new[j] += residual[j]
            size += (h * residual[j] / (1.0 + abs(y[n + j]))) ** 2
        size = math.sqrt(size / n) / formula.newton
        code = verdict(full, False, size, before, formula.newton)
        if code != GOES_ON:
            return code
        before = size
    return NEWTON_FAILED


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    failure, now = factors(h, state, formula, scratch), min(later, task.ceiling)
    if failure == RUNNING:
        failure = newton(0, now, h, task, state, formula, scratch)
        # Over a long step the Jacobian at its beginning may be useless.
        if failure == NEWTON_FAILED:
            failure = newton(1, now, h, task, state, formula, scratch)
    end_of_step(h, state, formula, scratch)
    if failure == RUNNING and not bounded(state.after):
        failure = DIVERGED
    return math.nan, failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, uniform_step, attempt, give_up, task, rules, state, formula, scratch, rows, attempts)
