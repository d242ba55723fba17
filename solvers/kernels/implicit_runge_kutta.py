"""The implicit Runge-Kutta methods: simplified Newton iteration for all stages at once.

With z_i = h (a_i0 f(t, y) + sum_j a_ij f(t + c_j h, y + z_j)) the step ends at y + sum_i d_i z_i. The iteration
matrix is I - h A x J. Radau IIA's error estimate is (I - h g J)^-1 (h g f(t, y) + sum_i e_i z_i).

A method may evaluate f at more points than it has unknowns z: at y + sum_j spread_ij z_j, from which follows
z_i = h sum_l gather_il f_l; A is then their product.

Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), IV.8.
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
from solvers.kernels.parts.newton import GOES_ON, iteration_matrix, shifted, verdict
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, separate


class Formula(NamedTuple):
    """A tableau, and Newton's iteration.

    Attributes:
        newton: tolerance of Newton's iteration, relative to the error's scale with step control, else to 1 + |y|.
        most: its most iterations.
        c, first, A, d: c_i of the points where f is evaluated; a_i0, a_ij, d_i of the implicit stages.
        e: of the estimate; empty without one, and its last entry is g.
        spread, gather: from z to more points, (m, s), and back, (s, m); empty where f is evaluated at the stages.
    """

    newton: float
    most: int
    c: np.ndarray
    first: np.ndarray
    A: np.ndarray
    d: np.ndarray
    e: np.ndarray
    spread: np.ndarray
    gather: np.ndarray


class Scratch(NamedTuple):
    """Working memory.

    Attributes:
        slopes: at the m points, f(t, y), and two rows more, (m + 3, d).
        z: the stages, (s, d).
        J: df/dy, (d, d).
        N, pivots, scales, residual: Newton's matrix, (s d, s d), what its factors need, its right-hand side, (s d,).
        E, error_pivots, error_scales: the same for the estimate, (d, d) and (d,).
        work, difference: a state, and the error estimate, (d,).
    """

    slopes: np.ndarray
    z: np.ndarray
    J: np.ndarray
    N: np.ndarray
    pivots: np.ndarray
    scales: np.ndarray
    residual: np.ndarray
    E: np.ndarray
    error_pivots: np.ndarray
    error_scales: np.ndarray
    work: np.ndarray
    difference: np.ndarray


FORMULA = bundle(Formula, f8, i8, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, MATRIX, MATRIX)
SCRATCH = bundle(
    Scratch, MATRIX, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, MATRIX, INDICES, VECTOR, VECTOR, VECTOR
)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope and the Jacobian."""
    s, y, slopes = formula.c.size, state.y, scratch.slopes
    slope(task, state, t, y, slopes, s)
    linearise(task, state, min(t, task.ceiling), y, slopes, s, s + 1, scratch.work, scratch.J)


@separate(i8(f8, STATE, FORMULA, SCRATCH))
def factors(h, state, formula, scratch):
    """Factorise I - h A x J and, for the estimate, I - h g J; returns a code."""
    A, e, J, N = formula.A, formula.e, scratch.J, scratch.N
    s, d = scratch.z.shape
    state.tally[FACTORISATIONS] += 2.0 if e.size > 0 else 1.0
    for a in range(s):
        for b in range(s):
            for i in range(d):
                for j in range(d):
                    N[a * d + i, b * d + j] = -h * A[a, b] * J[i, j]
    code = shifted(1.0, N, scratch.pivots, scratch.scales)
    if code == RUNNING and e.size > 0:
        code = iteration_matrix(h * e[s], J, scratch.E, scratch.error_pivots, scratch.error_scales)
    return code


@njit(inline="always")
def place(i, state, formula, scratch):
    """Write point i, where f is evaluated, to `work`."""
    y, z, spread, work = state.y, scratch.z, formula.spread, scratch.work
    for j in range(y.size):
        if spread.size == 0:
            work[j] = y[j] + z[i, j]
        else:
            total = 0.0
            for l in range(z.shape[0]):
                total += spread[i, l] * z[l, j]
            work[j] = y[j] + total


@njit(inline="always")
def evaluate(task, state, t, h, formula, scratch):
    """The slopes at all points, with the stages z as they are."""
    c = formula.c
    for i in range(c.size):
        place(i, state, formula, scratch)
        call_rhs(task.rhs, min(t + c[i] * h, task.ceiling), scratch.work, task.params, scratch.slopes, i)
    state.tally[CALLS] += c.size
    state.tally[ITERATIONS] += 1.0


@njit(inline="always")
def correct(h, task, rules, state, formula, scratch):
    """Correct z with the factors of N and the slopes; returns the correction's size in units of Newton's tolerance."""
    first, y = formula.first, state.y
    slopes, z, residual = scratch.slopes, scratch.z, scratch.residual
    A = formula.A if formula.gather.size == 0 else formula.gather
    s, d = z.shape
    m = A.shape[1]
    for i in range(s):
        for j in range(d):
            total = first[i] * slopes[m, j]
            for l in range(m):
                total += A[i, l] * slopes[l, j]
            residual[i * d + j] = h * total - z[i, j]
    solve(scratch.N, scratch.pivots, scratch.scales, residual)
    size = 0.0
    for i in range(s):
        for j in range(d):
            z[i, j] += residual[i * d + j]
            unit = rules.atol + rules.rtol * abs(y[j]) if task.step == 0.0 else 1.0 + abs(y[j])
            size += (residual[i * d + j] / unit) ** 2
    return math.sqrt(size / (s * d)) / formula.newton


@njit(inline="always")
def relinearise(t, h, task, state, formula, scratch):
    """The Jacobian at the last point, and its factors; returns what `factors` does."""
    s, slopes, work, J = formula.c.size, scratch.slopes, scratch.work, scratch.J
    later = min(t + formula.c[s - 1] * h, task.ceiling)
    place(s - 1, state, formula, scratch)
    linearise(task, state, later, work, slopes, s - 1, s + 1, scratch.difference, J)
    return factors(h, state, formula, scratch)


@njit(inline="always")
def newton(full, t, h, task, rules, state, formula, scratch):
    """Iterate the stages z from 0; returns whether that converged.

    In `full` for a fixed step over which the Jacobian at its beginning is useless.
    """
    controlled, z, before = task.step == 0.0, scratch.z, math.inf
    for i in range(z.shape[0]):
        for j in range(z.shape[1]):
            z[i, j] = 0.0
    for _ in range(formula.most):
        evaluate(task, state, t, h, formula, scratch)
        if full and relinearise(t, h, task, state, formula, scratch) != RUNNING:
            return False
        size = correct(h, task, rules, state, formula, scratch)
        code = verdict(full, controlled, size, before, formula.newton)
        if code != GOES_ON:
            return code == RUNNING
        before = size
    return False


@njit(inline="always")
def estimate(t, h, task, rules, state, formula, scratch):
    """The error of the step in units of the tolerance, with a fixed step its largest component.

    A large error is filtered twice, after a rejection or at the start.
    """
    e, y, slopes, z, difference = formula.e, state.y, scratch.slopes, scratch.z, scratch.difference
    s, d = z.shape
    again = task.step == 0.0 and (state.memory[1] != 0.0 or state.clock[DONE] == 0.0)
    error = math.inf
    for turn in range(2 if again else 1):
        for j in range(d):
            total = h * e[s] * slopes[s + turn, j]
            for i in range(s):
                total += e[i] * z[i, j]
            difference[j] = total
        solve(scratch.E, scratch.error_pivots, scratch.error_scales, difference)
        if task.step != 0.0:
            error = 0.0
            for j in range(d):
                error = max(error, abs(difference[j]))
            return error
        error = norm(rules.kind, difference, y, state.after, rules.rtol, rules.atol)
        if error <= 1.0 or not again or turn == 1:
            return error
        for j in range(d):
            scratch.work[j] = y[j] + difference[j]
        call_rhs(task.rhs, min(t, task.ceiling), scratch.work, task.params, slopes, s + 1)
        state.tally[CALLS] += 1.0
    return error


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, d, z, fixed = state.y, state.after, formula.d, scratch.z, task.step != 0.0
    outcome = factors(h, state, formula, scratch)
    converged = False
    for full in range((2 if fixed else 1) if outcome == RUNNING else 0):
        if not converged:
            converged = newton(full, t, h, task, rules, state, formula, scratch)
    for j in range(y.size):
        increment = 0.0
        for i in range(d.size):
            increment += d[i] * z[i, j]
        after[j] = y[j] + increment
    error, failure = (math.nan if fixed else math.inf), outcome
    if outcome == RUNNING and not converged:
        failure = NEWTON_FAILED
    elif outcome == RUNNING and not bounded(after):
        failure = DIVERGED
    elif outcome == RUNNING and formula.e.size > 0:
        error = estimate(t, h, task, rules, state, formula, scratch)
    return error, failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, control, task, rules, state, formula, scratch, rows, attempts)
