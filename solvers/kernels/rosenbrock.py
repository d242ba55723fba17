"""The loop of the linearly implicit (Rosenbrock) methods, for y' = f(t, y) and, after Nystrom, for q'' = f(t, q, q').

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), theorem 2.1; E. Hairer, G. Wanner,
Solving Ordinary Differential Equations II (1996), IV.7.
"""

from __future__ import annotations

import math

from numba import njit, types

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, SINGULAR_ITERATION, STEP_TOO_SMALL
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.controllers import factor, norm
from solvers.kernels.dense_linear import factorise, solve
from solvers.kernels.linearise import state_derivative, time_derivative
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, void
from solvers.kernels.step_control import (
    ATOL,
    EXPONENT,
    FIXED,
    KIND,
    KNOWN,
    LONGEST,
    RTOL,
    STEP,
    TIME,
    accept,
    next_length,
)  # fmt: skip

# rhs, begin, jacobian, params
PROBLEM = (i8, i8, i8, VECTOR)
# alpha_i, gamma_i; a, c, theta, delta; rows m, m - mhat, mu, mu - muhat; which stages evaluate f
TABLE = types.Tuple((VECTOR, VECTOR, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX, INDICES))
# slopes (s + 2, d): stages, df/dt, scratch; z (s, m); J (d, d); S (m, m); pivots, scales (m,); work, difference (d,)
SCRATCH = types.Tuple((MATRIX, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, VECTOR))

# What `state` holds besides: for how many steps the Jacobian is still good.
AGE = 4
# What `settings` holds besides: gamma, whether it is Nystrom's form, steps per Jacobian, whether the error is filtered.
GAMMA, NYSTROM, REFRESH, FILTERED = range(6, 10)


@njit(i8(*PROBLEM, f8, f8, VECTOR, i8, i8, SCRATCH), cache=True, nogil=True, error_model="numpy")
def prepare(rhs, begin, jacobian, params, t, ceiling, y, stages, linearise, scratch):
    """The slope at (t, y), its time derivative and, if asked for, the Jacobian; returns the calls of rhs."""
    slopes, _, J, _, _, _, work, _ = scratch
    now = min(t, ceiling)
    if begin != 0:
        call_rhs(begin, now, y, params, slopes, 0)
    call_rhs(rhs, now, y, params, slopes, 0)
    if not linearise:
        return 1
    time_derivative(rhs, params, now, ceiling, y, slopes, 0, stages)
    return 2 + state_derivative(rhs, jacobian, params, now, y, slopes, 0, stages + 1, work, J)


@njit(i8(f8, f8, i8, MATRIX, MATRIX, INDICES, VECTOR), cache=True, nogil=True, error_model="numpy")
def factors(h, gamma, nystrom, J, S, pivots, scales):
    """Factorise I - h gamma J, or I - h gamma J2 - (h gamma)^2 J1; returns 1, 0 when singular, -1 when not finite."""
    m, sum_of_entries = pivots.size, 0.0
    for i in range(m):
        for j in range(m):
            if nystrom:
                S[i, j] = -h * gamma * (J[m + i, m + j] + h * gamma * J[m + i, j])
            else:
                S[i, j] = -h * gamma * J[i, j]
            sum_of_entries += abs(S[i, j])
        S[i, i] += 1.0
    if not math.isfinite(sum_of_entries):
        return -1
    return 1 if factorise(S, pivots, scales) > 0.0 else 0


@njit(void(i8, f8, f8, f8, VECTOR, TABLE, SCRATCH), cache=True, nogil=True, error_model="numpy")
def stage(i, h, gamma, nystrom, y, table, scratch):
    """Solve for stage i, whose slope is slopes[i]."""
    _, gammas, _, c, _, delta, _, _ = table
    slopes, z, J, S, pivots, scales, work, _ = scratch
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
    solve(S, pivots, scales, z[i])


@njit(
    i8(i8, VECTOR, f8, f8, f8, f8, i8, VECTOR, TABLE, SCRATCH, VECTOR),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def attempt(rhs, params, t, h, ceiling, gamma, nystrom, y, table, scratch, after):
    """after = one step h from (t, y), prepared before; the error estimate goes to scratch. Returns as `factors`.

    `after` may be y itself: its components are read in the order in which they are written, or before.
    """
    alpha, _, a, _, theta, _, weights, evaluates = table
    slopes, z, J, S, pivots, scales, work, difference = scratch
    m, d = pivots.size, y.size
    success = factors(h, gamma, nystrom, J, S, pivots, scales)
    if success != 1:
        return success
    for i in range(z.shape[0]):
        if evaluates[i]:
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
            call_rhs(rhs, min(t + alpha[i] * h, ceiling), work, params, slopes, i)
        elif i > 0:
            for j in range(d):
                slopes[i, j] = slopes[i - 1, j]
        stage(i, h, gamma, nystrom, y, table, scratch)
    for j in range(d):
        position = nystrom and j < m
        row, column = (2 if position else 0), (j - m if j >= m else j)
        total, missed = 0.0, 0.0
        for i in range(z.shape[0]):
            total += weights[row, i] * z[i, column]
            missed += weights[row + 1, i] * z[i, column]
        after[j] = y[j] + (h * (y[m + j] + total) if position else total)
        difference[j] = h * missed if position else missed
    return 1


@njit(void(f8, f8, i8, SCRATCH), cache=True, nogil=True, error_model="numpy")
def filter_error(h, gamma, nystrom, scratch):
    """difference = (I - h gamma df/dy)^-1 difference, with the factors of the step.

    In Nystrom's form the velocities' part solves (I - h gamma J2 - (h gamma)^2 J1) x = e_v + h gamma J1 e_q.
    """
    _, _, J, S, pivots, scales, _, difference = scratch
    m, offset = pivots.size, pivots.size if nystrom else 0
    if nystrom:
        for i in range(m):
            total = 0.0
            for j in range(m):
                total += J[m + i, j] * difference[j]
            difference[m + i] += h * gamma * total
    solve(S, pivots, scales, difference[offset:])
    if nystrom:
        for i in range(m):
            difference[i] += h * gamma * difference[m + i]


@njit(
    i8(
        *PROBLEM,
        *(f8, f8, f8, i8, VECTOR, VECTOR, VECTOR, VECTOR, TABLE, SCRATCH, VECTOR),
        *(i8, VECTOR, MATRIX, MATRIX, MATRIX, INDICES),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def run(
    rhs, begin, jacobian, params, t0, end, ceiling, total, settings, state, memory, y, table, scratch, after, attempts,
    out_t, out_y, log, work, done,
):  # fmt: skip
    """Up to `attempts` steps; returns a code.

    `done` becomes (accepted, attempted), and gains calls of rhs, of the Jacobian, 0, factorisations.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, settings, state, memory = borrow(params), borrow(settings), borrow(state), borrow(memory)
    y, after, out_t, out_y = borrow(y), borrow(after), borrow(out_t), borrow(out_y)
    log, work, done, table, scratch = borrow(log), borrow(work), borrow(done), borrow(table), borrow(scratch)
    stages, kind, fixed = table[0].size, int(settings[KIND]), settings[FIXED] != 0.0
    gamma, nystrom = settings[GAMMA], int(settings[NYSTROM])
    evaluations = table[7].sum()
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        t, h = state[TIME], state[STEP]
        if state[KNOWN] == 0.0:
            linearise = settings[REFRESH] > 0.0 and state[AGE] <= 0.0
            done[2] += prepare(rhs, begin, jacobian, params, t, ceiling, y, stages, int(linearise), scratch)
            done[3] += int(linearise)
            state[AGE] = settings[REFRESH] if linearise else state[AGE]
            state[KNOWN] = 1.0
        length, lands = next_length(state, settings, end, total)
        solved = attempt(rhs, params, t, length, ceiling, gamma, nystrom, y, table, scratch, after)
        done[2] += evaluations if solved == 1 else 0
        if solved == 1 and settings[FILTERED] != 0.0:
            filter_error(length, gamma, nystrom, scratch)
        good = solved == 1
        for j in range(y.size):
            good = good and abs(after[j]) < BOUND
        error = math.inf
        if good and fixed:
            error = 0.0
            for j in range(y.size):
                error = max(error, abs(scratch[7][j]))
        elif good:
            error = norm(kind, scratch[7], y, after, settings[RTOL], settings[ATOL])
        good = good and (fixed or error <= 1.0)
        log[tried, 0], log[tried, 1], log[tried, 2], log[tried, 3] = t, length, error, (1.0 if good else 0.0)
        work[tried, 0], work[tried, 1] = 0.0, 1.0
        done[5] += 1
        tried += 1
        change = 1.0 if fixed else factor(kind, error, settings[EXPONENT], memory)
        proposal = math.copysign(min(abs(length * change), settings[LONGEST]), h)
        if good:
            state[AGE] -= 1.0
            accept(state, settings, t0, end, length, lands, proposal, y, after, accepted, out_t, out_y)
            accepted += 1
            code = LANDED if lands else RUNNING
        elif fixed or abs(proposal) <= 4e-16 * max(abs(t), abs(end)):
            code = SINGULAR_ITERATION if solved == 0 else DIVERGED if not math.isfinite(error) else STEP_TOO_SMALL
        else:
            state[STEP] = proposal
    done[0] = accepted
    done[1] = tried
    return code


@njit(
    void(*PROBLEM, f8, i8, i8, TABLE, SCRATCH, VECTOR, INDICES, VECTOR, VECTOR, MATRIX),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def sample(
    rhs, begin, jacobian, params, gamma, nystrom, linearise, table, scratch, ceilings, first, begins, lengths, out,
):  # fmt: skip
    """Dense output by the method itself, as in the kernel of the explicit methods."""
    stages = table[0].size
    for i in range(out.shape[0]):
        state, ceiling = out[i], ceilings[i]
        for m in range(first[i], first[i + 1]):
            t, h = begins[m], lengths[m]
            prepare(rhs, begin, jacobian, params, t, ceiling, state, stages, linearise, scratch)
            attempt(rhs, params, t, h, ceiling, gamma, nystrom, state, table, scratch, state)
