"""The k-step backward differentiation formulas with a fixed step, on F(t, x, x') = 0 and on y' = f(t, y).

Newton's method with the exact iteration matrix alpha0 / h dF/dx' + dF/dx, factorised in every iteration.

Source: K. E. Brenan, S. L. Campbell, L. R. Petzold (1996), section 3.1; row scaling after L. R. Petzold, P.
Loetstedt, SIAM J. Sci. Stat. Comput. 7 (1986).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import BOUND, DIVERGED, NEWTON_FAILED, RUNNING, SINGULAR_ITERATION
from solvers.kernels.calls import call_rhs, call_system
from solvers.kernels.loop import (
    CALLS,
    CONDITION,
    DONE,
    FACTORISATIONS,
    ITERATIONS,
    JACOBIANS,
    begin_step,
    bundle,
    give_up,
    integrate,
    kernel,
    uniform_step,
)  # fmt: skip
from solvers.kernels.parts.dense_linear import condition, factorise, solve
from solvers.kernels.parts.linearise import linearise
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8


class Formula(NamedTuple):
    """The formula, and Newton's iteration.

    Attributes:
        system: the address of a DAE's system; 0 for an ODE, whose system is y' - f = 0.
        weights: alpha_0 .. alpha_k.
        powers: row i of the system is divided by h^powers[i].
        tolerance: Newton stops when max |dx_i| / (1 + |x_i|) falls below it.
        most: after this many iterations it has failed.
    """

    system: int
    weights: np.ndarray
    powers: np.ndarray
    tolerance: float
    most: int


class Scratch(NamedTuple):
    """Working memory.

    Attributes:
        history: the last k states, newest first, (k, d).
        F: the system's value, and a row for differences, (2, d).
        rate, constant, moved: x', its part from the past, and a state, (d,).
        J, pivots, scales: the iteration matrix, (d, d), and what its factors need, (d,).
        work: (2 d,).
    """

    history: np.ndarray
    F: np.ndarray
    rate: np.ndarray
    constant: np.ndarray
    moved: np.ndarray
    J: np.ndarray
    pivots: np.ndarray
    scales: np.ndarray
    work: np.ndarray


FORMULA = bundle(Formula, i8, VECTOR, VECTOR, f8, i8)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, MATRIX, INDICES, VECTOR, VECTOR)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """Add the state to the history."""
    y, history = state.y, scratch.history
    for m in range(history.shape[0] - 1, 0, -1):
        for j in range(y.size):
            history[m, j] = history[m - 1, j]
    for j in range(y.size):
        history[0, j] = y[j]
    begin_step(task, t, y, scratch.F, 0)


@njit(inline="always")
def evaluate(task, state, system, t, x, alpha, scratch):
    """F and the iteration matrix of either kind of problem; an ODE is y' - f = 0."""
    F, J, rate, rhs, params = scratch.F[0], scratch.J, scratch.rate, task.rhs, task.params
    state.tally[CALLS] += 1.0
    if system != 0:
        state.tally[JACOBIANS] += 1.0
        call_system(system, t, x, rate, alpha, params, F, J)
    else:
        call_rhs(rhs, t, x, params, scratch.F, 0)
        linearise(task, state, t, x, scratch.F, 0, 1, scratch.moved, J)
        for i in range(x.size):
            F[i] = rate[i] - F[i]
            for j in range(x.size):
                J[i, j] = -J[i, j]
            J[i, i] += alpha


@njit(inline="always")
def scale_rows(h, powers, F, J):
    """Divide each row by its power of h; returns the matrix's maximum norm."""
    largest = 0.0
    for i in range(F.size):
        scale = abs(h) ** -powers[i] if powers[i] != 0.0 else 1.0
        F[i] *= scale
        total = 0.0
        for j in range(F.size):
            J[i, j] *= scale
            total += abs(J[i, j])
        largest = max(largest, total)
    return largest


@njit(inline="always")
def begin_newton(done, h, weights, history, constant, x):
    """The part of x' that the past gives, and the state that the iteration begins with."""
    k = history.shape[0]
    for j in range(x.size):
        constant[j] = 0.0
        x[j] = history[0, j]
        for m in range(k):
            constant[j] += weights[m + 1] * history[m, j] / h
        if k > 1 and done >= k:
            x[j] = 2.0 * history[0, j] - history[1, j]


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    x, tally, F, J = state.after, state.tally, scratch.F[0], scratch.J
    pivots, scales = scratch.pivots, scratch.scales
    alpha, made, failure = formula.weights[0] / h, 0, RUNNING
    begin_newton(state.clock[DONE], h, formula.weights, scratch.history, scratch.constant, x)
    tally[CONDITION] = 0.0
    change, previous = math.inf, math.inf
    while change > formula.tolerance and failure == RUNNING:
        if made >= formula.most:
            failure = NEWTON_FAILED
            break
        for j in range(x.size):
            scratch.rate[j] = alpha * x[j] + scratch.constant[j]
        evaluate(task, state, formula.system, min(later, task.ceiling), x, alpha, scratch)
        norm = scale_rows(h, formula.powers, F, J)
        made += 1
        if factorise(J, pivots, scales) == 0.0:
            failure = SINGULAR_ITERATION
            break
        if made == 1:
            tally[CONDITION] = condition(J, pivots, scales, norm, scratch.work)
        solve(J, pivots, scales, F)
        previous, change = change, 0.0
        for j in range(x.size):
            x[j] -= F[j]
            size = abs(F[j]) / (1.0 + abs(x[j]))
            change = size if not size <= change else change
        if not change < BOUND:
            failure = DIVERGED
        # Newton converges quadratically: small corrections that no longer shrink are round-off.
        elif change >= 0.25 * previous and change < 1e-6 and made > 3:
            break
    tally[ITERATIONS] += made
    tally[FACTORISATIONS] += made
    return math.nan, failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, uniform_step, attempt, give_up, task, rules, state, formula, scratch, rows, attempts)
