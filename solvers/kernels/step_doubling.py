"""The loop of the classical Runge-Kutta method with step doubling, after the routines rk_qc and rk_odeint of paper 1.

Source: H. Jack, adaptive Runge-Kutta appendix (1990), after W. H. Press, B. P. Flannery, S. A. Teukolsky, W. T.
Vetterling, Numerical Recipes (1986), section 15.2.
"""

from __future__ import annotations

import math

from numba import njit

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, STEP_TOO_SMALL, TOO_MANY
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.classical import runge_kutta_step
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8

# What `settings` holds.
EPS, TINY, SAFETY, GROW, SHRINK, ERRCON, HMIN, LONGEST, FIRST, LISTED, MAXSTP, FIXED, INTERVAL = range(13)
# What `state` holds: time, step, whether the step's first slope is known, number of the call, steps in it, and steps
# in all; the step before it was clipped by the end of a call.
TIME, STEP, BEGUN, CALL, IN_CALL, DONE, UNCLIPPED = range(7)


@njit(
    f8(i8, VECTOR, f8, f8, f8, VECTOR, MATRIX, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, f8, VECTOR),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def doubled(rhs, params, t, h, ceiling, y, slopes, middle, k, work, big, after, correction, scale):
    """after = two half steps, corrected by what one big step misses; returns the largest error in units of `scale`."""
    half = 0.5 * h
    runge_kutta_step(rhs, params, t, half, ceiling, y, slopes, k, work, big)
    call_rhs(rhs, min(t + half, ceiling), big, params, middle, 0)
    runge_kutta_step(rhs, params, t + half, half, ceiling, big, middle, k, work, after)
    runge_kutta_step(rhs, params, t, h, ceiling, y, slopes, k, work, big)
    largest = 0.0
    for j in range(y.size):
        difference = after[j] - big[j]
        error = abs(difference / scale[j])
        largest = error if not error <= largest else largest
        after[j] += difference * correction
        if not abs(after[j]) < BOUND:
            return math.inf
    return largest


@njit(
    i8(
        *(i8, i8, VECTOR, f8, f8, f8, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR),
        *(i8, VECTOR, MATRIX, MATRIX, INDICES),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def run(
    rhs, begin, params, t0, end, ceiling, settings, state, y, slopes, middle, k, work, big, after, scale,
    attempts, out_t, out_y, log, done,
):  # fmt: skip
    """Up to `attempts` steps; returns a code, `done` becomes (accepted, attempted, calls of rhs)."""
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, settings, state, y = borrow(params), borrow(settings), borrow(state), borrow(y)
    slopes, middle, k, work = borrow(slopes), borrow(middle), borrow(k), borrow(work)
    big, after, scale, out_t = borrow(big), borrow(after), borrow(scale), borrow(out_t)
    out_y, log, done = borrow(out_y), borrow(log), borrow(done)
    sign = 1.0 if end >= t0 else -1.0
    correction = 0.0666666667 if settings[LISTED] != 0.0 else 1.0 / 15.0
    fixed = settings[FIXED] != 0.0
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        t = state[TIME]
        target = end
        if settings[INTERVAL] > 0.0:
            mark = t0 + sign * (state[CALL] + 1.0) * settings[INTERVAL]
            target = mark if sign * (end - mark) > 1e-9 * settings[INTERVAL] else end
        if state[BEGUN] == 0.0:
            if begin != 0:
                call_rhs(begin, min(t, ceiling), y, params, slopes, 0)
            call_rhs(rhs, min(t, ceiling), y, params, slopes, 0)
            done[2] += 1
            for j in range(y.size):
                scale[j] = abs(y[j]) + abs(state[STEP] * slopes[0, j]) + settings[TINY]
            state[UNCLIPPED] = state[STEP]
            if sign * (t + state[STEP] - target) > 0.0 or (
                fixed and abs(target - t - state[STEP]) < 1e-9 * settings[FIXED]
            ):
                state[STEP] = target - t
            state[BEGUN] = 1.0
        h = state[STEP]
        error = doubled(rhs, params, t, h, ceiling, y, slopes, middle, k, work, big, after, correction, scale)
        done[2] += 10
        if not fixed:
            error /= settings[EPS]
        good = (error <= 1.0 or fixed) and math.isfinite(error)
        log[tried, 0] = t
        log[tried, 1] = h
        log[tried, 2] = error
        log[tried, 3] = 1.0 if good else 0.0
        tried += 1
        if not good:
            shrunk = settings[SAFETY] * h * error ** settings[SHRINK] if math.isfinite(error) else 0.1 * h
            state[STEP] = shrunk
            if fixed or t + shrunk == t or (settings[LISTED] == 0.0 and abs(shrunk) < settings[HMIN]):
                code = STEP_TOO_SMALL if math.isfinite(error) else DIVERGED
            continue
        state[DONE] += 1.0
        state[IN_CALL] += 1.0
        lands = t + h == target or sign * (t + h - target) > 0.0 or h == target - t
        grown = settings[SAFETY] * h * error ** settings[GROW] if error > settings[ERRCON] else 4.0 * h
        if fixed:
            grown = sign * settings[FIXED]
            state[TIME] = end if lands else t0 + state[DONE] * grown
        else:
            state[TIME] = target if lands else t + h
        for j in range(y.size):
            y[j] = after[j]
            out_y[accepted, j] = y[j]
        out_t[accepted] = state[TIME]
        accepted += 1
        state[BEGUN] = 0.0
        state[STEP] = math.copysign(min(abs(grown), settings[LONGEST]), sign)
        if lands and target == end:
            code = LANDED
        elif lands:
            state[CALL] += 1.0
            state[IN_CALL] = 0.0
            # As listed, every call begins with h1 again; else with the step that the call's end clipped.
            if settings[LISTED] != 0.0:
                state[STEP] = sign * settings[FIRST]
            elif abs(state[UNCLIPPED]) > abs(state[STEP]):
                state[STEP] = state[UNCLIPPED]
        elif not fixed and settings[LISTED] == 0.0 and abs(grown) < settings[HMIN]:
            code = STEP_TOO_SMALL
        elif settings[LISTED] != 0.0 and settings[MAXSTP] > 0.0 and state[IN_CALL] >= settings[MAXSTP]:
            code = TOO_MANY
    done[0] = accepted
    done[1] = tried
    return code
