"""The backward differentiation formulas of variable order and step, in backward differences.

D[j] is the j-th backward difference of the solution at steps of one length. The prediction is D[0] + .. + D[k]; the
correction d solves d = c f(t, prediction + d) - sum_j gamma_j D[j] / gamma_k with c = h / gamma_k and gamma_j = 1 + 1/2
+ .. + 1/j, and d / (k + 1) is the error. When the step changes, the differences are those of the same polynomial at the
new length. One Jacobian serves many steps: it is made again when Newton's iteration converges too slowly with it.

Source: G. D. Byrne, A. C. Hindmarsh, ACM Trans. Math. Software 1 (1975) 71-96; L. F. Shampine, M. W. Reichelt, SIAM J.
Sci. Comput. 18 (1997) 1-22, section 2 (with kappa = 0); for the rate of convergence and the margins S. D. Cohen, A. C.
Hindmarsh, Computers in Physics 10 (1996) 138-143.
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
    RULES,
    STATE,
    TASK,
    begin_step,
    bounded,
    bundle,
    integrate,
    kernel,
    next_step,
    rejection,
)  # fmt: skip
from solvers.kernels.parts.controllers import norm
from solvers.kernels.parts.dense_linear import solve
from solvers.kernels.parts.linearise import linearise
from solvers.kernels.parts.newton import iteration_matrix
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, compiled, f8, i8, void

HIGHEST = 5
# The most iterations with one Jacobian, the factor below which a longer step is not worth a factorisation, and the most
# that a step grows.
MOST, WORTH, GROWTH = 4, 1.2, 10.0
# Margins of the error for the next step, the second where the order rises.
MARGIN, HIGHER = 3.0, 5.0
# What `progress` holds: the order, the step of the differences, steps made with both, c of the factors, whether the
# Jacobian is of this step, failures of this step, and the rate at which Newton's iteration converges with the factors.
ORDER, SPACING, SAME, FACTORED, FRESH, FAILED, RATE = range(7)
# Rows of slopes: f at the start of the integration, at an iterate, and one for differences.
START, HERE, SPARE = range(3)


class Formula(NamedTuple):
    """The highest order, Newton's tolerance in units of the error's, and gamma_j, (6,)."""

    most: int
    newton: float
    gamma: np.ndarray


class Scratch(NamedTuple):
    """What is known about the past, and working memory.

    Attributes:
        progress: see `ORDER` and what follows it, (7,).
        D: the differences, (8, d).
        change: from differences of one step to those of another, (6, 6).
        slopes: see `START`, (3, d).
        J: df/dy, (d, d).
        N, pivots, scales: Newton's matrix I - c J, and what its factors need.
        known, d, residual, moved: the part of d that the past gives, d, Newton's correction, a state, (d,) each.
    """

    progress: np.ndarray
    D: np.ndarray
    change: np.ndarray
    slopes: np.ndarray
    J: np.ndarray
    N: np.ndarray
    pivots: np.ndarray
    scales: np.ndarray
    known: np.ndarray
    d: np.ndarray
    residual: np.ndarray
    moved: np.ndarray


FORMULA = bundle(Formula, i8, f8, VECTOR)
SCRATCH = bundle(
    Scratch, VECTOR, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR
)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """What is sampled once a step; at the start the Jacobian, too."""
    progress, y = scratch.progress, state.y
    begin_step(task, t, y, scratch.slopes, HERE)
    progress[FRESH], progress[FAILED] = 0.0, 0.0
    if state.clock[DONE] == 0.0:
        progress[ORDER], progress[SAME], progress[FACTORED], progress[FRESH] = 1.0, 0.0, 0.0, 1.0
        renew(min(t, task.ceiling), y, START, task, state, scratch)


@compiled(void(f8, VECTOR, i8, TASK, STATE, SCRATCH))
def renew(t, y, row, task, state, scratch):
    """The Jacobian at (t, y), whose slope is in that row."""
    linearise(task, state, t, y, scratch.slopes, row, SPARE, scratch.residual, scratch.J)
    scratch.progress[FACTORED] = 0.0


@compiled(void(i8, f8, MATRIX, MATRIX))
def respace(k, ratio, change, D):
    """Differences D[1] .. D[k] of the same polynomial at steps `ratio` times as long."""
    # change[m, i] is the polynomial of D[i] at -m new steps, and then the m-th difference of these values.
    for m in range(k + 1):
        value = 1.0
        for i in range(1, k + 1):
            value *= (i - 1 - ratio * m) / i
            change[m, i] = value
    for level in range(1, k + 1):
        for m in range(k, level - 1, -1):
            for i in range(1, k + 1):
                change[m, i] = change[m - 1, i] - change[m, i]
    for j in range(D.shape[1]):
        for m in range(1, k + 1):
            total = 0.0
            for i in range(m, k + 1):
                total += change[m, i] * D[i, j]
            change[0, m] = total
        for m in range(1, k + 1):
            D[m, j] = change[0, m]


@njit(inline="always")
def factors(c, state, scratch):
    """Factorise I - c J; returns a code."""
    state.tally[FACTORISATIONS] += 1.0
    scratch.progress[FACTORED], scratch.progress[RATE] = c, 1.0
    return iteration_matrix(c, scratch.J, scratch.N, scratch.pivots, scratch.scales)


@compiled(i8(f8, f8, TASK, RULES, STATE, FORMULA, SCRATCH))
def newton(t, c, task, rules, state, formula, scratch):
    """Iterate d from 0; returns a code. `moved` is the prediction, and `after` the state."""
    after, predicted, d, residual = state.after, scratch.moved, scratch.d, scratch.residual
    before, progress = math.inf, scratch.progress
    for j in range(d.size):
        d[j] = 0.0
        after[j] = predicted[j]
    for _ in range(MOST):
        call_rhs(task.rhs, t, after, task.params, scratch.slopes, HERE)
        state.tally[CALLS] += 1.0
        state.tally[ITERATIONS] += 1.0
        for j in range(d.size):
            residual[j] = c * scratch.slopes[HERE, j] - scratch.known[j] - d[j]
        solve(scratch.N, scratch.pivots, scratch.scales, residual)
        size = norm(rules.kind, residual, state.y, predicted, rules.rtol, rules.atol) / formula.newton
        if not math.isfinite(size):
            return NEWTON_FAILED
        for j in range(d.size):
            d[j] += residual[j]
            after[j] = predicted[j] + d[j]
        if before < math.inf:
            progress[RATE] = max(0.3 * progress[RATE], size / before)
        if size * min(1.0, progress[RATE]) <= 1.0:
            return RUNNING
        if size >= 2.0 * before:
            return NEWTON_FAILED
        before = size
    return NEWTON_FAILED


@njit(inline="always")
def predict(h, state, formula, scratch):
    """The differences at this step, the prediction, and the part of d that is known."""
    progress, D, gamma = scratch.progress, scratch.D, formula.gamma
    if state.clock[DONE] == 0.0:
        for j in range(D.shape[1]):
            D[0, j] = state.y[j]
            D[1, j] = h * scratch.slopes[START, j]
    elif h != progress[SPACING]:
        respace(int(progress[ORDER]), h / progress[SPACING], scratch.change, D)
        progress[SAME] = 0.0
    progress[SPACING] = h
    k = int(progress[ORDER])
    for j in range(D.shape[1]):
        total, past = D[0, j], 0.0
        for i in range(1, k + 1):
            total += D[i, j]
            past += gamma[i] * D[i, j]
        scratch.moved[j] = total
        scratch.known[j] = past / gamma[k]


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    progress, now = scratch.progress, min(later, task.ceiling)
    predict(h, state, formula, scratch)
    c = h / formula.gamma[int(progress[ORDER])]
    failure = NEWTON_FAILED
    for turn in range(2):
        if turn == 1:
            call_rhs(task.rhs, now, scratch.moved, task.params, scratch.slopes, HERE)
            state.tally[CALLS] += 1.0
            renew(now, scratch.moved, HERE, task, state, scratch)
            progress[FRESH] = 1.0
        failure = RUNNING
        if progress[FACTORED] != c:
            failure = factors(c, state, scratch)
        if failure == RUNNING:
            failure = newton(now, c, task, rules, state, formula, scratch)
        if failure == RUNNING or progress[FRESH] == 1.0:
            break
    error = math.inf
    if failure == RUNNING and not bounded(state.after):
        failure = DIVERGED
    if failure == RUNNING:
        error = norm(rules.kind, scratch.d, state.y, state.after, rules.rtol, rules.atol) / (progress[ORDER] + 1.0)
    return error, failure


@njit(inline="always")
def wanted(error, margin, order):
    """The factor from this step to the one with which this error is allowed, with a margin."""
    return max(margin * error, 1e-10) ** (-1.0 / (order + 1.0))


@compiled(f8(RULES, STATE, FORMULA, SCRATCH, f8))
def advance(rules, state, formula, scratch, error):
    """Differences at the accepted state, and perhaps another order; returns the factor to the next step."""
    progress, D, d, y, after = scratch.progress, scratch.D, scratch.d, state.y, state.after
    k = int(progress[ORDER])
    for j in range(d.size):
        D[k + 2, j] = d[j] - D[k + 1, j]
        D[k + 1, j] = d[j]
        for i in range(k, 0, -1):
            D[i, j] += D[i + 1, j]
        D[0, j] = after[j]
    progress[SAME] += 1.0
    if progress[SAME] <= k:
        return 1.0
    best, order = wanted(error, MARGIN, k), k
    if k > 1:
        lower = wanted(norm(rules.kind, D[k], y, after, rules.rtol, rules.atol) / k, MARGIN, k - 1)
        if lower > best:
            best, order = lower, k - 1
    if k < formula.most:
        higher = wanted(norm(rules.kind, D[k + 2], y, after, rules.rtol, rules.atol) / (k + 2), HIGHER, k + 1)
        if higher > best:
            best, order = higher, k + 1
    if 1.0 <= best < WORTH:
        return 1.0
    if order != k:
        progress[ORDER], progress[SAME] = order, 0.0
    return min(best, GROWTH)


@njit(inline="always")
def judge(task, rules, state, formula, scratch, t, h, error, failure):
    """The next step, and its order. After three failures of one step the order is 1 again."""
    progress = scratch.progress
    if failure == RUNNING and error <= 1.0:
        change = advance(rules, state, formula, scratch, error)
    else:
        progress[FAILED] += 1.0
        change = 0.25 if failure != RUNNING else 0.5
        if failure == RUNNING and progress[FAILED] == 1.0:
            change = max(0.2, min(0.9, wanted(error, MARGIN, progress[ORDER])))
        if progress[FAILED] >= 3.0:
            progress[ORDER] = 1.0
    proposal = math.copysign(min(abs(h * change), rules.longest), h)
    return proposal, RUNNING if error <= 1.0 else rejection(task, t, proposal, failure)


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, judge, task, rules, state, formula, scratch, rows, attempts)
