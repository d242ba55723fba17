"""The loops of every explicit Runge-Kutta method: the tableau comes as arrays, the right-hand side as its address.

A tableau with s stages is handed over as s + 3 sparse rows (the rows of A, then b, b - b_error, b - b_error2), row i
being `weights[starts[i]:starts[i + 1]]` at `columns`. Nothing here allocates.
`begin` is called at the start of every step unless it is 0 (see `OdeProblem.begin_step`); `fsal` must then be 0.
"""

from __future__ import annotations

import math

from numba import njit

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, STEP_TOO_SMALL
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.combinations import add, multiply
from solvers.kernels.controllers import factor, norm
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, void

# Parts of the kernels' signatures: rhs, begin, params; fsal, c, starts, columns, weights; attempts, out_t, out_y, log.
PROBLEM = (i8, i8, VECTOR)
TABLE = (i8, VECTOR, INDICES, INDICES, VECTOR)
OUTPUT = (i8, VECTOR, MATRIX, MATRIX)


@njit(inline="always")
def stages(rhs, params, t, h, ceiling, y, c, starts, columns, weights, k, work, first):
    """Fill k[first:] with the stages of a step h from (t, y)."""
    if first == 0:
        call_rhs(rhs, min(t, ceiling), y, params, k, 0)
        first = 1
    for i in range(first, c.size):
        add(i, h, y, starts, columns, weights, k, work)
        call_rhs(rhs, min(t + c[i] * h, ceiling), work, params, k, i)


@njit(
    f8(i8, f8, f8, f8, VECTOR, VECTOR, INDICES, INDICES, VECTOR, MATRIX, VECTOR),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def estimate(kind, rtol, atol, h, y, after, starts, columns, weights, k, difference):
    """The error of a step in units of the tolerance, with DOP853's combination when there are two estimates."""
    rows = starts.size - 1
    multiply(rows - 2, h, starts, columns, weights, k, difference)
    error = norm(kind, difference, y, after, rtol, atol)
    if starts[rows] == starts[rows - 1] or error == 0.0:
        return error
    multiply(rows - 1, h, starts, columns, weights, k, difference)
    second = norm(kind, difference, y, after, rtol, atol)
    return error * error / math.sqrt(error * error + 0.01 * second * second)


@njit(
    i8(*PROBLEM, f8, f8, i8, i8, f8, f8, *TABLE, VECTOR, MATRIX, VECTOR, VECTOR, *OUTPUT),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def fixed(
    rhs, begin, params, t0, h, done, total, end, ceiling, fsal, c, starts, columns, weights, y, k, work,
    after, attempts, out_t, out_y, log,
):  # fmt: skip
    """Up to `attempts` steps of the fixed step h from step number `done` of `total`; returns accepted * 8 + code.

    The grid is t0 + n h, its last point `end`, which shortens the last step. With `fsal` k[0] holds f(t, y) on entry
    and on return.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, y, c, starts, columns = borrow(params), borrow(y), borrow(c), borrow(starts), borrow(columns)
    weights, k, work, after, out_t = borrow(weights), borrow(k), borrow(work), borrow(after), borrow(out_t)
    out_y, log = borrow(out_y), borrow(log)
    rows = starts.size - 1
    estimated = starts[rows - 1] > starts[rows - 2]
    first = 1 if fsal else 0
    last_stage = c.size - 1
    accepted = 0
    while accepted < attempts and done < total:
        t = t0 + done * h
        length = h if done + 1 < total else end - t
        if begin != 0:
            call_rhs(begin, min(t, ceiling), y, params, k, 0)
        stages(rhs, params, t, length, ceiling, y, c, starts, columns, weights, k, work, first)
        good = True
        add(rows - 3, length, y, starts, columns, weights, k, after)
        for j in range(y.size):
            good = good and abs(after[j]) < BOUND
        log[accepted, 0] = t
        log[accepted, 1] = length
        log[accepted, 2] = math.nan
        if estimated:
            largest = 0.0
            multiply(rows - 2, length, starts, columns, weights, k, work)
            for j in range(y.size):
                size = abs(work[j])
                largest = size if not size <= largest else largest
            log[accepted, 2] = largest
        if not good:
            log[accepted, 3] = 0.0
            return accepted * 8 + DIVERGED
        log[accepted, 3] = 1.0
        done += 1
        out_t[accepted] = end if done == total else t0 + done * h
        for j in range(y.size):
            y[j] = after[j]
            out_y[accepted, j] = y[j]
        if fsal:
            for j in range(y.size):
                k[0, j] = k[last_stage, j]
        accepted += 1
    return accepted * 8 + (LANDED if done == total else RUNNING)


@njit(
    i8(
        *(*PROBLEM, i8, f8, f8, f8, f8, f8, f8, *TABLE, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, VECTOR),
        *(*OUTPUT, INDICES),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def adaptive(
    rhs, begin, params, kind, rtol, atol, exponent, longest, end, ceiling, fsal, c, starts, columns, weights,
    state, y, k, work, after, memory, attempts, out_t, out_y, log, done,
):  # fmt: skip
    """Up to `attempts` steps with step control; returns a code, `done` becomes (accepted, attempted, calls of rhs).

    `state` is (t, h), h signed and unclipped; k[0] holds f(t, y) on entry and on return.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, state, y, c, starts = borrow(params), borrow(state), borrow(y), borrow(c), borrow(starts)
    columns, weights, k, work, after = borrow(columns), borrow(weights), borrow(k), borrow(work), borrow(after)
    memory, out_t, out_y, log, done = borrow(memory), borrow(out_t), borrow(out_y), borrow(log), borrow(done)
    rows = starts.size - 1
    last_stage = c.size - 1
    accepted = 0
    tried = 0
    code = RUNNING
    while tried < attempts:
        t, h = state[0], state[1]
        lands = abs(end - t) <= 1.01 * abs(h) and abs(end - t) <= longest * (1.0 + 1e-9)
        length = end - t if lands else h
        stages(rhs, params, t, length, ceiling, y, c, starts, columns, weights, k, work, 1)
        done[2] += last_stage
        good = True
        add(rows - 3, length, y, starts, columns, weights, k, after)
        for j in range(y.size):
            good = good and abs(after[j]) < BOUND
        error = estimate(kind, rtol, atol, length, y, after, starts, columns, weights, k, work)
        if not good:
            error = math.inf
        change = factor(kind, error, exponent, memory)
        log[tried, 0] = t
        log[tried, 1] = length
        log[tried, 2] = error
        log[tried, 3] = 1.0 if error <= 1.0 else 0.0
        tried += 1
        proposal = length * change
        if abs(proposal) > longest:
            proposal = math.copysign(longest, proposal)
        if error <= 1.0:
            state[0] = end if lands else t + length
            # A step clipped by the end says nothing about how long the next may be.
            state[1] = h if lands and abs(proposal) < abs(h) else proposal
            for j in range(y.size):
                y[j] = after[j]
                out_y[accepted, j] = y[j]
            out_t[accepted] = state[0]
            accepted += 1
            if lands:
                code = LANDED
                break
            if fsal:
                for j in range(y.size):
                    k[0, j] = k[last_stage, j]
            else:
                if begin != 0:
                    call_rhs(begin, min(state[0], ceiling), y, params, k, 0)
                call_rhs(rhs, min(state[0], ceiling), y, params, k, 0)
                done[2] += 1
        else:
            state[1] = proposal
            if abs(proposal) <= 4e-16 * max(abs(t), abs(end)):
                code = STEP_TOO_SMALL if good else DIVERGED
                break
    done[0] = accepted
    done[1] = tried
    return code


@njit(
    void(*PROBLEM, *TABLE, VECTOR, INDICES, VECTOR, VECTOR, MATRIX, VECTOR, MATRIX),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def sample(
    rhs, begin, params, fsal, c, starts, columns, weights, ceilings, first, begins, lengths, k, work, out,
):  # fmt: skip
    """Dense output by the method itself: shorter steps from the kept state before each time.

    out[i] is that state on entry; the steps `first[i]` to `first[i + 1]` - 1 lead from there, below `ceilings[i]`.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, c, starts, columns, weights = borrow(params), borrow(c), borrow(starts), borrow(columns), borrow(weights)
    k, work, out = borrow(k), borrow(work), borrow(out)
    row = starts.size - 4
    for i in range(out.shape[0]):
        state, ceiling = out[i], ceilings[i]
        for m in range(first[i], first[i + 1]):
            t, h = begins[m], lengths[m]
            if begin != 0:
                call_rhs(begin, min(t, ceiling), state, params, k, 0)
            stages(rhs, params, t, h, ceiling, state, c, starts, columns, weights, k, work, 0)
            add(row, h, state, starts, columns, weights, k, state)
