"""The loop of the k-step backward differentiation formulas with a fixed step, on F(t, x, x') = 0 and on y' = f(t, y).

Newton's method with the exact iteration matrix alpha0 / h dF/dx' + dF/dx, factorised in every iteration.

Source: K. E. Brenan, S. L. Campbell, L. R. Petzold (1996), section 3.1; row scaling after L. R. Petzold, P.
Loetstedt, SIAM J. Sci. Stat. Comput. 7 (1986).
"""

from __future__ import annotations

import math

from numba import njit
from numba.types import float64 as f8
from numba.types import int64 as i8
from numba.types import void

from solvers.codes import BOUND, DIVERGED, LANDED, NEWTON_FAILED, RUNNING, SINGULAR_ITERATION
from solvers.kernels.dense_linear import condition, factorise, solve
from solvers.kernels.signatures import INDICES, JACOBIAN_TYPE, MATRIX, RHS_TYPE, SYSTEM_TYPE, VECTOR

ODE, DAE, ODE_BY_DIFFERENCES = 0, 1, 2


@njit(void(f8, VECTOR, VECTOR, f8, VECTOR, VECTOR, MATRIX), cache=True, nogil=True)
def no_system(t, x, rate, alpha, params, F, J):
    """Stands where a problem is no DAE."""


@njit(void(f8, VECTOR, VECTOR, VECTOR), cache=True, nogil=True)
def no_rhs(t, y, params, dy):
    """Stands where a problem is no ODE."""


@njit(void(f8, VECTOR, VECTOR, MATRIX), cache=True, nogil=True)
def no_jacobian(t, y, params, J):
    """Stands where a problem is no ODE."""


@njit(void(RHS_TYPE, f8, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX), cache=True, nogil=True)
def difference_jacobian(rhs, t, y, params, base, moved, J):
    """df/dy by forward differences, for problems that bring no Jacobian."""
    rhs(t, y, params, base)
    for j in range(y.size):
        kept = y[j]
        step = 1.5e-8 * max(1.0, abs(kept))
        y[j] = kept + step
        rhs(t, y, params, moved)
        y[j] = kept
        for i in range(y.size):
            J[i, j] = (moved[i] - base[i]) / step


@njit(
    void(i8, SYSTEM_TYPE, RHS_TYPE, JACOBIAN_TYPE, f8, VECTOR, VECTOR, f8, VECTOR, VECTOR, MATRIX, VECTOR),
    cache=True,
    nogil=True,
)
def evaluate(kind, system, rhs, jacobian, t, x, rate, alpha, params, F, J, work):
    """F and the iteration matrix of either kind of problem; an ODE is y' - f = 0."""
    if kind == DAE:
        system(t, x, rate, alpha, params, F, J)
        return
    if kind == ODE:
        rhs(t, x, params, F)
        jacobian(t, x, params, J)
    else:
        difference_jacobian(rhs, t, x, params, F, work[0 : x.size], J)
    for i in range(x.size):
        F[i] = rate[i] - F[i]
        for j in range(x.size):
            J[i, j] = -J[i, j]
        J[i, i] += alpha


@njit(
    i8(
        *(i8, SYSTEM_TYPE, RHS_TYPE, JACOBIAN_TYPE, RHS_TYPE, VECTOR, f8, f8, i8, i8, f8, f8, i8, VECTOR, VECTOR),
        *(
            MATRIX,
            f8,
            i8,
            VECTOR,
            VECTOR,
            VECTOR,
            VECTOR,
            MATRIX,
            INDICES,
            VECTOR,
            VECTOR,
            i8,
            VECTOR,
            MATRIX,
            MATRIX,
            MATRIX,
        ),
    ),
    cache=True,
    nogil=True,
)
def fixed(
    kind, system, rhs, jacobian, begin, params, t0, h, done, total, end, ceiling, k, weights, powers, history,
    tolerance, most, x, rate, F, constant, J, pivots, scales, work, attempts, out_t, out_y, log, effort,
):  # fmt: skip
    """Up to `attempts` steps from step number `done` of `total`; returns accepted * 8 + code.

    Args:
        begin: called at the start of every step, see `OdeProblem.begin_step`; `no_rhs` where there is none.
        ceiling: see `Stepper.start`.
        weights: alpha_0 .. alpha_k of the formula.
        powers: row i of the system is divided by h^powers[i].
        history: (k, d), the last k states, newest first; kept up to date.
        tolerance: Newton stops when max |dx_i| / (1 + |x_i|) falls below it, after at most `most` iterations.
        log, effort: rows (t, h, nan, accepted) and (iterations, factorisations, condition number).
    """
    d = x.size
    accepted = 0
    alpha = weights[0] / h
    while accepted < attempts and done < total:
        t = end if done + 1 == total else t0 + (done + 1) * h
        begin(min(t0 + done * h, ceiling), history[0], params, F)
        for j in range(d):
            constant[j] = 0.0
            x[j] = history[0, j]
            for m in range(k):
                constant[j] += weights[m + 1] * history[m, j] / h
            if k > 1 and done >= k:
                x[j] = 2.0 * history[0, j] - history[1, j]
        log[accepted, 0], log[accepted, 1], log[accepted, 2], log[accepted, 3] = t - h, h, math.nan, 0.0
        effort[accepted, 0] = effort[accepted, 1] = effort[accepted, 2] = 0.0
        change, previous = math.inf, math.inf
        while change > tolerance:
            if effort[accepted, 0] >= most:
                return accepted * 8 + NEWTON_FAILED
            for j in range(d):
                rate[j] = alpha * x[j] + constant[j]
            evaluate(kind, system, rhs, jacobian, min(t, ceiling), x, rate, alpha, params, F, J, work)
            norm = 0.0
            for i in range(d):
                scale = abs(h) ** -powers[i] if powers[i] != 0.0 else 1.0
                F[i] *= scale
                total_row = 0.0
                for j in range(d):
                    J[i, j] *= scale
                    total_row += abs(J[i, j])
                norm = max(norm, total_row)
            effort[accepted, 0] += 1.0
            effort[accepted, 1] += 1.0
            if factorise(J, pivots, scales) == 0.0:
                return accepted * 8 + SINGULAR_ITERATION
            if effort[accepted, 2] == 0.0:
                effort[accepted, 2] = condition(J, pivots, scales, norm, work)
            solve(J, pivots, scales, F)
            previous, change = change, 0.0
            for j in range(d):
                x[j] -= F[j]
                size = abs(F[j]) / (1.0 + abs(x[j]))
                change = size if not size <= change else change
            if not change < BOUND:
                return accepted * 8 + DIVERGED
            # Newton converges quadratically: small corrections that have stopped shrinking are round-off.
            if change >= 0.25 * previous and change < 1e-6 and effort[accepted, 0] > 3.0:
                break
        for m in range(k - 1, 0, -1):
            for j in range(d):
                history[m, j] = history[m - 1, j]
        for j in range(d):
            history[0, j] = x[j]
            out_y[accepted, j] = x[j]
        out_t[accepted] = t
        log[accepted, 3] = 1.0
        done += 1
        accepted += 1
    return accepted * 8 + (LANDED if done == total else RUNNING)
