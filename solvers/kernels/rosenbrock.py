"""The linearly implicit (Rosenbrock) methods, for y' = f(t, y) and, after Nystrom, for q'' = f(t, q, q').

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), theorem 2.1; E. Hairer, G. Wanner,
Solving Ordinary Differential Equations II (1996), IV.7.
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
    FACTORISATIONS,
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
from solvers.kernels.parts.linearise import linearise, time_derivative
from solvers.kernels.parts.newton import iteration_matrix, shifted
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8


class Formula(NamedTuple):
    """A formula as the kernel takes it.

    Attributes:
        gamma: the diagonal's coefficient.
        nystrom: whether it works on positions and accelerations.
        refresh: steps per Jacobian; 0 takes J = 0.
        filtered: whether the error is multiplied by (I - h gamma df/dy)^-1.
        alpha, gammas: alpha_i, gamma_i, (s,).
        a, c, theta, delta: (s, s).
        weights: rows m, m - mhat, mu, mu - muhat, (4, s).
        evaluates: which stages evaluate f, (s,).
    """

    gamma: float
    nystrom: int
    refresh: int
    filtered: int
    alpha: np.ndarray
    gammas: np.ndarray
    a: np.ndarray
    c: np.ndarray
    theta: np.ndarray
    delta: np.ndarray
    weights: np.ndarray
    evaluates: np.ndarray


class Scratch(NamedTuple):
    """Working memory, m being the number of unknowns in one stage.

    Attributes:
        slopes: stages, df/dt, and a row for differences, (s + 2, d).
        z: the stages, (s, m).
        J: df/dy, (d, d).
        S, pivots, scales: the matrix of the linear systems, (m, m), and what its factors need, (m,).
        work, difference: a state, and the error estimate, (d,).
        age: for how many steps the Jacobian can still be used, (1,).
    """

    slopes: np.ndarray
    z: np.ndarray
    J: np.ndarray
    S: np.ndarray
    pivots: np.ndarray
    scales: np.ndarray
    work: np.ndarray
    difference: np.ndarray
    age: np.ndarray


FORMULA = bundle(Formula, f8, i8, i8, i8, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX, INDICES)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, VECTOR, VECTOR)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope and, when due, its time derivative and the Jacobian."""
    y, slopes, age, now = state.y, scratch.slopes, scratch.age, min(t, task.ceiling)
    stages = formula.alpha.size
    slope(task, state, t, y, slopes, 0)
    age[0] = age[0] - 1.0 if state.clock[DONE] > 0.0 else 0.0
    if formula.refresh > 0 and age[0] <= 0.0:
        time_derivative(task.rhs, task.params, now, task.ceiling, y, slopes, 0, stages)
        state.tally[CALLS] += 1.0
        linearise(task, state, now, y, slopes, 0, stages + 1, scratch.work, scratch.J)
        age[0] = formula.refresh


@njit(inline="always")
def factors(h, gamma, nystrom, J, S, pivots, scales):
    """Factorise I - h gamma J, or I - h gamma J2 - (h gamma)^2 J1; returns a code."""
    if not nystrom:
        return iteration_matrix(h * gamma, J, S, pivots, scales)
    m = pivots.size
    for i in range(m):
        for j in range(m):
            S[i, j] = -h * gamma * (J[m + i, m + j] + h * gamma * J[m + i, j])
    return shifted(1.0, S, pivots, scales)


@njit(inline="always")
def stage(i, h, y, formula, scratch):
    """Solve for stage i, whose slope is slopes[i]."""
    gamma, gammas, c, delta, nystrom = formula.gamma, formula.gammas, formula.c, formula.delta, formula.nystrom
    slopes, z, J, pivots, work = scratch.slopes, scratch.z, scratch.J, scratch.pivots, scratch.work
    m, last = pivots.size, z.shape[0]
    offset = m if nystrom else 0
    for j in range(m):
        total = h * (slopes[i, offset + j] + h * gammas[i] * slopes[last, offset + j])
        for l in range(i):
            total += c[i, l] * z[l, j]
        z[i, j] = gamma * total
    if nystrom:
        for j in range(m):
            work[j] = gammas[i] * y[m + j]
            for l in range(i):
                work[j] += delta[i, l] * z[l, j]
        for j in range(m):
            total = 0.0
            for l in range(m):
                total += J[m + j, l] * work[l]
            z[i, j] += h * h * gamma * total
    solve(scratch.S, pivots, scratch.scales, z[i])


@njit(inline="always")
def stages(task, tally, t, h, y, formula, scratch):
    """All stages, with the factors of the step."""
    alpha, a, theta, nystrom = formula.alpha, formula.a, formula.theta, formula.nystrom
    slopes, z, work = scratch.slopes, scratch.z, scratch.work
    rhs, params = task.rhs, task.params
    m, d = scratch.pivots.size, y.size
    for i in range(z.shape[0]):
        if formula.evaluates[i]:
            for j in range(m):
                # Positions or, in the first-order form, all components.
                total = 0.0
                for l in range(i):
                    total += (theta[i, l] if nystrom else a[i, l]) * z[l, j]
                work[j] = y[j] + (h * (alpha[i] * y[m + j] + total) if nystrom else total)
            for j in range(m, d):
                total = 0.0
                for l in range(i):
                    total += a[i, l] * z[l, j - m]
                work[j] = y[j] + total
            call_rhs(rhs, min(t + alpha[i] * h, task.ceiling), work, params, slopes, i)
            tally[CALLS] += 1.0
        elif i > 0:
            for j in range(d):
                slopes[i, j] = slopes[i - 1, j]
        stage(i, h, y, formula, scratch)


@njit(inline="always")
def combine(h, y, after, formula, scratch):
    """after = the state after the step; the error estimate goes to `difference`."""
    weights, nystrom, z, difference, m = (
        formula.weights,
        formula.nystrom,
        scratch.z,
        scratch.difference,
        scratch.pivots.size,
    )
    for j in range(y.size):
        position = nystrom and j < m
        row, column = (2 if position else 0), (j - m if j >= m else j)
        total, missed = 0.0, 0.0
        for i in range(z.shape[0]):
            total += weights[row, i] * z[i, column]
            missed += weights[row + 1, i] * z[i, column]
        after[j] = y[j] + (h * (y[m + j] + total) if position else total)
        difference[j] = h * missed if position else missed


@njit(inline="always")
def filter_error(h, gamma, nystrom, scratch):
    """difference = (I - h gamma df/dy)^-1 difference, with the factors of the step.

    In Nystrom's form the velocities' part solves (I - h gamma J2 - (h gamma)^2 J1) x = e_v + h gamma J1 e_q.
    """
    J, pivots, difference = scratch.J, scratch.pivots, scratch.difference
    m, offset = pivots.size, pivots.size if nystrom else 0
    if nystrom:
        for i in range(m):
            total = 0.0
            for j in range(m):
                total += J[m + i, j] * difference[j]
            difference[m + i] += h * gamma * total
    solve(scratch.S, pivots, scratch.scales, difference[offset:])
    if nystrom:
        for i in range(m):
            difference[i] += h * gamma * difference[m + i]


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, tally, difference = state.y, state.after, state.tally, scratch.difference
    gamma, nystrom = formula.gamma, formula.nystrom
    tally[FACTORISATIONS] += 1.0
    error, failure = math.inf, factors(h, gamma, nystrom, scratch.J, scratch.S, scratch.pivots, scratch.scales)
    if failure == RUNNING:
        stages(task, tally, t, h, y, formula, scratch)
        combine(h, y, after, formula, scratch)
        if formula.filtered:
            filter_error(h, gamma, nystrom, scratch)
        if not bounded(after):
            failure = DIVERGED
        else:
            error = 0.0
            if task.step != 0.0:
                for j in range(y.size):
                    error = max(error, abs(difference[j]))
            else:
                error = norm(rules.kind, difference, y, after, rules.rtol, rules.atol)
                failure = RUNNING if math.isfinite(error) else DIVERGED
    return error, failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, control, task, rules, state, formula, scratch, rows, attempts)
