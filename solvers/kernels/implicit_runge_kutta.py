"""The loop of the implicit Runge-Kutta methods: simplified Newton iteration for all stages at once.

With z_i = h (a_i0 f(t, y) + sum_j a_ij f(t + c_j h, y + z_j)) the step ends at y + sum_i d_i z_i. The iteration
matrix is I - h A x J. Radau IIA's error estimate is (I - h g J)^-1 (h g f(t, y) + sum_i e_i z_i).

Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), IV.8.
"""

from __future__ import annotations

import math

from numba import njit, types

from solvers.codes import BOUND, DIVERGED, LANDED, NEWTON_FAILED, RUNNING, SINGULAR_ITERATION, STEP_TOO_SMALL
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.controllers import factor, norm
from solvers.kernels.dense_linear import factorise, solve
from solvers.kernels.linearise import state_derivative
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, void
from solvers.kernels.step_control import (
    ATOL,
    DONE,
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
# c, a_i0, A, d, e; e is empty without an estimate, and its last entry is g
TABLE = types.Tuple((VECTOR, VECTOR, MATRIX, VECTOR, VECTOR))
# slopes (s + 3, d): stages, f(t, y), two for scratch; z (s, d); J (d, d); N (sd, sd) with pivots, scales, right-hand
# side (sd,); E (d, d) with pivots and scales (d,); work, difference (d,)
SCRATCH = types.Tuple(
    (MATRIX, MATRIX, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, MATRIX, INDICES, VECTOR, VECTOR, VECTOR)
)
# What `settings` holds besides: tolerance of Newton's iteration (relative to the error's scale with step control, else
# to 1 + |y|), its most iterations.
NEWTON, MOST = range(6, 8)
# Outcomes of `newton` besides the number of iterations.
FAILED, SINGULAR, NOT_FINITE = -1, -2, -3


@njit(i8(*PROBLEM, f8, f8, VECTOR, SCRATCH), cache=True, nogil=True, error_model="numpy")
def prepare(rhs, begin, jacobian, params, t, ceiling, y, scratch):
    """The slope and the Jacobian at (t, y); returns the calls of rhs."""
    slopes, z, J = scratch[0], scratch[1], scratch[2]
    s, now = z.shape[0], min(t, ceiling)
    if begin != 0:
        call_rhs(begin, now, y, params, slopes, s)
    call_rhs(rhs, now, y, params, slopes, s)
    return 1 + state_derivative(rhs, jacobian, params, now, y, slopes, s, s + 1, scratch[10], J)


@njit(i8(f8, TABLE, SCRATCH), cache=True, nogil=True, error_model="numpy")
def factors(h, table, scratch):
    """Factorise I - h A x J and, for the estimate, I - h g J; returns 1, `SINGULAR` or `NOT_FINITE`."""
    _, _, A, _, e = table
    _, z, J, N, pivots, scales, _, E, other_pivots, other_scales, _, _ = scratch
    s, d = z.shape
    total = 0.0
    for i in range(d):
        for j in range(d):
            total += abs(J[i, j])
    if not math.isfinite(total):
        return NOT_FINITE
    for a in range(s):
        for b in range(s):
            for i in range(d):
                for j in range(d):
                    N[a * d + i, b * d + j] = -h * A[a, b] * J[i, j]
                if a == b:
                    N[a * d + i, b * d + i] += 1.0
    if factorise(N, pivots, scales) == 0.0:
        return SINGULAR
    if e.size > 0:
        for i in range(d):
            for j in range(d):
                E[i, j] = -h * e[s] * J[i, j]
            E[i, i] += 1.0
        if factorise(E, other_pivots, other_scales) == 0.0:
            return SINGULAR
    return 1


@njit(void(i8, VECTOR, f8, f8, f8, VECTOR, TABLE, SCRATCH), cache=True, nogil=True, error_model="numpy")
def evaluate(rhs, params, t, h, ceiling, y, table, scratch):
    """The slopes of all stages, with the stages z as they are."""
    c, slopes, z, work = table[0], scratch[0], scratch[1], scratch[10]
    for i in range(z.shape[0]):
        for j in range(z.shape[1]):
            work[j] = y[j] + z[i, j]
        call_rhs(rhs, min(t + c[i] * h, ceiling), work, params, slopes, i)


@njit(f8(f8, VECTOR, VECTOR, TABLE, SCRATCH), cache=True, nogil=True, error_model="numpy")
def correct(h, y, settings, table, scratch):
    """Correct z with the factors of N and the slopes; returns the correction's size in units of Newton's tolerance."""
    _, first, A, _, _ = table
    slopes, z, _, N, pivots, scales, residual, _, _, _, _, _ = scratch
    s, d = z.shape
    for i in range(s):
        for j in range(d):
            total = first[i] * slopes[s, j]
            for l in range(s):
                total += A[i, l] * slopes[l, j]
            residual[i * d + j] = h * total - z[i, j]
    solve(N, pivots, scales, residual)
    size = 0.0
    for i in range(s):
        for j in range(d):
            z[i, j] += residual[i * d + j]
            unit = settings[ATOL] + settings[RTOL] * abs(y[j]) if settings[FIXED] == 0.0 else 1.0 + abs(y[j])
            size += (residual[i * d + j] / unit) ** 2
    return math.sqrt(size / (s * d)) / settings[NEWTON]


@njit(i8(i8, VECTOR, f8, f8, f8, VECTOR, VECTOR, TABLE, SCRATCH), cache=True, nogil=True, error_model="numpy")
def newton(rhs, params, t, h, ceiling, y, settings, table, scratch):
    """Iterate the stages z from 0; returns the iterations made, negative when it failed after so many."""
    controlled, before = settings[FIXED] == 0.0, 0.0
    scratch[1][:] = 0.0
    for iteration in range(1, int(settings[MOST]) + 1):
        evaluate(rhs, params, t, h, ceiling, y, table, scratch)
        size = correct(h, y, settings, table, scratch)
        if not math.isfinite(size):
            return -iteration
        if size <= 1e-3:
            return iteration
        if iteration > 1:
            rate = size / before
            if rate < 1.0 and rate / (1.0 - rate) * size <= 1.0:
                return iteration
            # Where corrections are at round-off they no longer shrink.
            if rate >= 1.0 and (controlled or size * settings[NEWTON] > 1e-13):
                return -iteration
            if rate >= 1.0:
                return iteration
        before = size
    return -int(settings[MOST])


@njit(
    i8(i8, i8, VECTOR, f8, f8, f8, VECTOR, VECTOR, TABLE, SCRATCH, INDICES),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def newton_in_full(rhs, jacobian, params, t, h, ceiling, y, settings, table, scratch, done):
    """As `newton`, with the Jacobian at the last stage evaluated and factorised anew in every iteration.

    For a fixed step over which the Jacobian at its beginning is of no use. The last correction is at least a thousand
    times smaller than the tolerance, or no longer shrinks and is within it. Its calls for Jacobians go to `done`.
    """
    c, slopes, z, J, work = table[0], scratch[0], scratch[1], scratch[2], scratch[10]
    s, d, before = z.shape[0], z.shape[1], math.inf
    z[:] = 0.0
    for iteration in range(1, int(settings[MOST]) + 1):
        evaluate(rhs, params, t, h, ceiling, y, table, scratch)
        for j in range(d):
            work[j] = y[j] + z[s - 1, j]
        later = min(t + c[s - 1] * h, ceiling)
        done[2] += state_derivative(rhs, jacobian, params, later, work, slopes, s - 1, s + 1, scratch[11], J)
        done[3] += 1
        if factors(h, table, scratch) != 1:
            return -iteration
        size = correct(h, y, settings, table, scratch)
        if not math.isfinite(size):
            return -iteration
        if size <= 1e-3 or (size <= 1.0 and size >= 0.25 * before):
            return iteration
        before = size
    return -int(settings[MOST])


@njit(
    f8(i8, VECTOR, f8, f8, f8, i8, i8, VECTOR, VECTOR, VECTOR, TABLE, SCRATCH, INDICES),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def estimate(rhs, params, t, h, ceiling, kind, again, y, after, settings, table, scratch, done):
    """The error of the step in units of the tolerance; `again` filters it twice, after a rejection or at the start."""
    _, _, _, _, e = table
    slopes, z, _, _, _, _, _, E, pivots, scales, work, difference = scratch
    s, d = z.shape
    error = math.inf
    for turn in range(2 if again else 1):
        for j in range(d):
            slope = slopes[s, j] if turn == 0 else slopes[s + 1, j]
            total = h * e[s] * slope
            for i in range(s):
                total += e[i] * z[i, j]
            difference[j] = total
        solve(E, pivots, scales, difference)
        if settings[FIXED] != 0.0:
            error = 0.0
            for j in range(d):
                error = max(error, abs(difference[j]))
            return error
        error = norm(kind, difference, y, after, settings[RTOL], settings[ATOL])
        if error <= 1.0 or not again or turn == 1:
            return error
        for j in range(d):
            work[j] = y[j] + difference[j]
        call_rhs(rhs, min(t, ceiling), work, params, slopes, s + 1)
        done[2] += 1
    return error


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

    `done` becomes (accepted, attempted), and gains calls of rhs, of the Jacobian, Newton iterations, factorisations.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, settings, state, memory = borrow(params), borrow(settings), borrow(state), borrow(memory)
    y, after, out_t, out_y = borrow(y), borrow(after), borrow(out_t), borrow(out_y)
    log, work, done, table, scratch = borrow(log), borrow(work), borrow(done), borrow(table), borrow(scratch)
    kind, fixed = int(settings[KIND]), settings[FIXED] != 0.0
    d, estimated = table[3], table[4].size > 0
    s = d.size
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        t, h = state[TIME], state[STEP]
        if state[KNOWN] == 0.0:
            done[2] += prepare(rhs, begin, jacobian, params, t, ceiling, y, scratch)
            done[3] += 1
            state[KNOWN] = 1.0
        length, lands = next_length(state, settings, end, total)
        outcome = factors(length, table, scratch)
        matrices = 2 if estimated else 1
        iterations = newton(rhs, params, t, length, ceiling, y, settings, table, scratch) if outcome == 1 else 0
        made = abs(iterations)
        if fixed and iterations < 0:
            iterations = newton_in_full(rhs, jacobian, params, t, length, ceiling, y, settings, table, scratch, done)
            made += abs(iterations)
            matrices *= 1 + abs(iterations)
        done[2] += s * made
        done[4] += made
        done[5] += matrices
        good = iterations > 0
        for j in range(y.size):
            increment = 0.0
            for i in range(s):
                increment += d[i] * scratch[1][i, j]
            after[j] = y[j] + increment
            good = good and abs(after[j]) < BOUND
        error = math.nan if fixed else math.inf
        if good and estimated:
            again = not fixed and (memory[1] != 0.0 or state[DONE] == 0.0)
            error = estimate(rhs, params, t, length, ceiling, kind, again, y, after, settings, table, scratch, done)
        good = good and (fixed or error <= 1.0)
        log[tried, 0], log[tried, 1], log[tried, 2], log[tried, 3] = t, length, error, (1.0 if good else 0.0)
        work[tried, 0], work[tried, 1] = made, matrices
        tried += 1
        if fixed:
            change = 1.0
        elif iterations <= 0:
            # Newton's failure says nothing about the error: halve the step.
            change, memory[1] = 0.5, 1.0
        else:
            change = factor(kind, error, settings[EXPONENT], memory)
        proposal = math.copysign(min(abs(length * change), settings[LONGEST]), h)
        if good:
            accept(state, settings, t0, end, length, lands, proposal, y, after, accepted, out_t, out_y)
            accepted += 1
            code = LANDED if lands else RUNNING
        elif fixed or abs(proposal) <= 4e-16 * max(abs(t), abs(end)):
            if outcome == SINGULAR:
                code = SINGULAR_ITERATION
            elif outcome == NOT_FINITE or iterations > 0:
                code = STEP_TOO_SMALL if math.isfinite(error) else DIVERGED
            else:
                code = NEWTON_FAILED
        else:
            state[STEP] = proposal
    done[0] = accepted
    done[1] = tried
    return code


@njit(
    void(*PROBLEM, VECTOR, TABLE, SCRATCH, INDICES, VECTOR, INDICES, VECTOR, VECTOR, MATRIX),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def sample(
    rhs, begin, jacobian, params, settings, table, scratch, done, ceilings, first, begins, lengths, out,
):  # fmt: skip
    """Dense output by the method itself, as in the kernel of the explicit methods."""
    d, z = table[3], scratch[1]
    for i in range(out.shape[0]):
        state, ceiling = out[i], ceilings[i]
        for m in range(first[i], first[i + 1]):
            t, h = begins[m], lengths[m]
            prepare(rhs, begin, jacobian, params, t, ceiling, state, scratch)
            solved = factors(h, table, scratch) == 1
            if solved and newton(rhs, params, t, h, ceiling, state, settings, table, scratch) < 0:
                newton_in_full(rhs, jacobian, params, t, h, ceiling, state, settings, table, scratch, done)
            for j in range(state.size):
                for a in range(d.size):
                    state[j] += d[a] * z[a, j]
