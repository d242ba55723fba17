"""The loops of the methods for q'' = a(t, q, v) that treat positions and velocities in turn.

Where a depends on v, the half kicks of the two Verlet methods are implicit and solved by fixed-point iteration, so
that the step stays symmetric in time; otherwise the first iteration is exact, and only one is made.
"""

from __future__ import annotations

import math

from numba import njit

from solvers.codes import BOUND, DIVERGED, LANDED, NEWTON_FAILED, RUNNING
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8

EULER, VELOCITY_VERLET, STOERMER_VERLET = 0, 1, 2
MOST = 50


@njit(
    i8(i8, VECTOR, f8, f8, f8, f8, VECTOR, i8, VECTOR, MATRIX, i8),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def kick(rhs, params, t, h, implicit, base, y, n, start, slopes, row):
    """v = start + h a(t, q, (1 - implicit) start + implicit v) for the positions of y = (q, v).

    Returns the calls of rhs, negative on failure. `base` is the smallest size in the stopping test.
    """
    for j in range(n):
        y[n + j] = start[j]
    for iteration in range(1, MOST + 1):
        call_rhs(rhs, t, y, params, slopes, row)
        change, size = 0.0, base
        for j in range(n):
            kicked = start[j] + h * slopes[row, n + j]
            # The velocity at which the acceleration is taken: the kick's end, or the mean of both.
            at = start[j] + implicit * (kicked - start[j])
            change = max(change, abs(at - y[n + j]))
            size = max(size, abs(at))
            y[n + j] = at
        if not change < BOUND:
            return -iteration
        if implicit == 0.0 or change <= 4e-16 * size:
            for j in range(n):
                y[n + j] = start[j] + h * slopes[row, n + j]
            return iteration
    return -MOST


@njit(
    i8(i8, i8, i8, VECTOR, f8, f8, f8, VECTOR, MATRIX, VECTOR),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def step(kind, rhs, begin, params, t, h, ceiling, y, slopes, start):
    """Advance y = (q, v) by one step; returns the calls of rhs, negative when the iteration failed."""
    n = y.size // 2
    now, later = min(t, ceiling), min(t + h, ceiling)
    if begin != 0:
        call_rhs(begin, now, y, params, slopes, 0)
    for j in range(n):
        start[j] = y[n + j]
    if kind == EULER:
        calls = kick(rhs, params, now, h, 0.0, 0.0, y, n, start, slopes, 0)
        for j in range(n):
            y[j] += h * y[n + j]
        return calls
    if kind == STOERMER_VERLET:
        for j in range(n):
            y[j] += 0.5 * h * start[j]
        calls = kick(rhs, params, min(t + 0.5 * h, ceiling), h, 0.5, 1e-300, y, n, start, slopes, 0)
        for j in range(n):
            y[j] += 0.5 * h * y[n + j]
        return calls
    calls = kick(rhs, params, now, 0.5 * h, 1.0, 1e-300, y, n, start, slopes, 0)
    for j in range(n):
        y[j] += h * y[n + j]
        start[j] = y[n + j]
    more = kick(rhs, params, later, 0.5 * h, 0.0, 0.0, y, n, start, slopes, 0)
    return calls + more if calls > 0 else calls


@njit(
    i8(
        *(i8, i8, i8, VECTOR, f8, f8, i8, i8, f8, f8, VECTOR, MATRIX, VECTOR, VECTOR),
        *(i8, VECTOR, MATRIX, MATRIX, MATRIX, INDICES),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def fixed(
    kind, rhs, begin, params, t0, h, done, total, end, ceiling, y, slopes, start, after, attempts, out_t, out_y, log,
    work, counts,
):  # fmt: skip
    """Up to `attempts` steps from number `done` of `total`; `counts` becomes (accepted, tried, calls of rhs)."""
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, y, slopes, start = borrow(params), borrow(y), borrow(slopes), borrow(start)
    after, out_t, out_y, log = borrow(after), borrow(out_t), borrow(out_y), borrow(log)
    work, counts = borrow(work), borrow(counts)
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        t = t0 + done * h
        length = h if done + 1 < total else end - t
        for j in range(y.size):
            after[j] = y[j]
        calls = step(kind, rhs, begin, params, t, length, ceiling, after, slopes, start)
        counts[2] += abs(calls)
        good = calls > 0
        for j in range(y.size):
            good = good and abs(after[j]) < BOUND
        log[tried, 0], log[tried, 1], log[tried, 2], log[tried, 3] = t, length, math.nan, (1.0 if good else 0.0)
        work[tried, 0] = 0.0
        tried += 1
        if not good:
            code = DIVERGED if calls > -MOST else NEWTON_FAILED
            break
        done += 1
        for j in range(y.size):
            y[j] = after[j]
            out_y[accepted, j] = y[j]
        out_t[accepted] = end if done == total else t0 + done * h
        accepted += 1
        code = LANDED if done == total else RUNNING
    counts[0] = accepted
    counts[1] = tried
    return code
