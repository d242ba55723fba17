"""Diagonally implicit Runge-Kutta methods with one diagonal entry, whose last stage is the end of the step.

The stages y + z_i with z_i = h (sum_(j<i) a_ij f_j + g f_i) are solved for one after the other by simplified Newton
iteration with the matrix I - h g J, one for all stages. Their slopes follow from the stages, f_i = (z_i - ...) / (h g),
so that a stiff component's round-off is not magnified. The error is (I - h g J)^-1 h sum_i e_i f_i.

Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), IV.6 and IV.8; L. F. Shampine, ACM
Trans. Math. Software 6 (1980).
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
    FACTORISATIONS,
    ITERATIONS,
    RULES,
    STATE,
    TASK,
    bounded,
    bundle,
    control,
    integrate,
    kernel,
    next_step,
    slope,
)  # fmt: skip
from solvers.kernels.parts.controllers import norm
from solvers.kernels.parts.dense_linear import solve
from solvers.kernels.parts.linearise import linearise
from solvers.kernels.parts.newton import GOES_ON, iteration_matrix, verdict
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, separate


class Formula(NamedTuple):
    """A tableau, and Newton's iteration.

    Attributes:
        newton: tolerance of Newton's iteration, relative to the error's scale with step control, else to 1 + |y|.
        most: its most iterations.
        explicit: whether the first stage is the beginning of the step.
        c, A: c_i, (s,), and a_ij, (s, s); all a_ii alike but that of an explicit stage.
        e: weights of the error's slopes, (s,); empty without an estimate.
    """

    newton: float
    most: int
    explicit: int
    c: np.ndarray
    A: np.ndarray
    e: np.ndarray


class Scratch(NamedTuple):
    """Working memory.

    Attributes:
        slopes: of the stages, f(t, y), and two rows more, (s + 3, d).
        J: df/dy, (d, d).
        N, pivots, scales: Newton's matrix, and what its factors need.
        z, known, residual, work: of one stage: z_i, its part that is known, Newton's correction, a state, (d,) each.
    """

    slopes: np.ndarray
    J: np.ndarray
    N: np.ndarray
    pivots: np.ndarray
    scales: np.ndarray
    z: np.ndarray
    known: np.ndarray
    residual: np.ndarray
    work: np.ndarray


FORMULA = bundle(Formula, f8, i8, i8, VECTOR, MATRIX, VECTOR)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope and the Jacobian."""
    s, y, slopes = formula.c.size, state.y, scratch.slopes
    slope(task, state, t, y, slopes, s)
    linearise(task, state, min(t, task.ceiling), y, slopes, s, s + 1, scratch.work, scratch.J)


@njit(inline="always")
def factors(g, state, scratch):
    """Factorise I - g J; returns a code."""
    state.tally[FACTORISATIONS] += 1.0
    return iteration_matrix(g, scratch.J, scratch.N, scratch.pivots, scratch.scales)


@njit(inline="always")
def iterate(i, full, t, g, task, rules, state, formula, scratch):
    """One iteration for stage i, the first of its row of slopes; returns a code and the size of the correction.

    `full` makes a new Jacobian first.
    """
    y, z, work, slopes, residual = state.y, scratch.z, scratch.work, scratch.slopes, scratch.residual
    for j in range(y.size):
        work[j] = y[j] + z[j]
    call_rhs(task.rhs, t, work, task.params, slopes, i)
    state.tally[CALLS] += 1.0
    state.tally[ITERATIONS] += 1.0
    code = RUNNING
    if full:
        linearise(task, state, t, work, slopes, i, formula.c.size + 1, residual, scratch.J)
        code = factors(g, state, scratch)
    for j in range(y.size):
        residual[j] = scratch.known[j] + g * slopes[i, j] - z[j]
    if code != RUNNING:
        return code, math.inf
    solve(scratch.N, scratch.pivots, scratch.scales, residual)
    size = 0.0
    for j in range(y.size):
        z[j] += residual[j]
        unit = rules.atol + rules.rtol * abs(y[j]) if task.step == 0.0 else 1.0 + abs(y[j])
        size += (residual[j] / unit) ** 2
    return RUNNING, math.sqrt(size / y.size) / formula.newton


@njit(inline="always")
def newton(i, full, t, g, task, rules, state, formula, scratch):
    """Iterate stage i from the slope before it; returns a code."""
    controlled, before = task.step == 0.0, math.inf
    row = i - 1 if i > 0 else formula.c.size
    for j in range(state.y.size):
        scratch.z[j] = scratch.known[j] + g * scratch.slopes[row, j]
    for _ in range(formula.most):
        code, size = iterate(i, full, t, g, task, rules, state, formula, scratch)
        if code != RUNNING:
            return code
        code = verdict(full, controlled, size, before, formula.newton)
        if code != GOES_ON:
            return code
        before = size
    return NEWTON_FAILED


@separate(i8(i8, f8, f8, f8, TASK, RULES, STATE, FORMULA, SCRATCH))
def stages(full, t, h, g, task, rules, state, formula, scratch):
    """All stages in turn, with a new Jacobian in every iteration if `full`; returns a code.

    The last z is the step's increment.
    """
    slopes, A, s = scratch.slopes, formula.A, formula.c.size
    for j in range(state.y.size):
        slopes[0, j] = slopes[s, j]
    for i in range(formula.explicit, s):
        for j in range(state.y.size):
            total = 0.0
            for l in range(i):
                total += A[i, l] * slopes[l, j]
            scratch.known[j] = h * total
        code = newton(i, full, min(t + formula.c[i] * h, task.ceiling), g, task, rules, state, formula, scratch)
        if code != RUNNING:
            return code
        for j in range(state.y.size):
            slopes[i, j] = (scratch.z[j] - scratch.known[j]) / g
    return RUNNING


@njit(inline="always")
def estimate(h, task, rules, state, formula, scratch):
    """The error of the step in units of the tolerance, with a fixed step its largest component."""
    difference = scratch.residual
    for j in range(difference.size):
        total = 0.0
        for i in range(formula.e.size):
            total += formula.e[i] * scratch.slopes[i, j]
        difference[j] = h * total
    solve(scratch.N, scratch.pivots, scratch.scales, difference)
    if task.step == 0.0:
        return norm(rules.kind, difference, state.y, state.after, rules.rtol, rules.atol)
    error = 0.0
    for j in range(difference.size):
        error = max(error, abs(difference[j]))
    return error


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, fixed = state.y, state.after, task.step != 0.0
    g = h * formula.A[formula.c.size - 1, formula.c.size - 1]
    failure = factors(g, state, scratch)
    if failure == RUNNING:
        # With a fixed step over which the Jacobian at its beginning is useless, new ones may help.
        failure = stages(0, t, h, g, task, rules, state, formula, scratch)
        if fixed and failure == NEWTON_FAILED:
            failure = stages(1, t, h, g, task, rules, state, formula, scratch)
    for j in range(y.size):
        after[j] = y[j] + scratch.z[j]
    error = math.nan if fixed else math.inf
    if failure == RUNNING and not bounded(after):
        failure = DIVERGED
    if failure == RUNNING and formula.e.size > 0:
        error = estimate(h, task, rules, state, formula, scratch)
    return error, failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, control, task, rules, state, formula, scratch, rows, attempts)
