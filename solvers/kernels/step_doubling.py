"""The classical Runge-Kutta method with step doubling, after the routines rk_qc and rk_odeint of paper 1.

Source: H. Jack, adaptive Runge-Kutta appendix (1990), after W. H. Press, B. P. Flannery, S. A. Teukolsky, W. T.
Vetterling, Numerical Recipes (1986), section 15.2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import BOUND, DIVERGED, RUNNING, STEP_TOO_SMALL, TOO_MANY
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import CALLS, DONE, STEP, bundle, integrate, kernel, next_step, slope
from solvers.kernels.parts.classical import runge_kutta_step
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, i8

# What `progress` holds: number of the call, steps in it, its end, the step before it was clipped, whether the current
# attempt ends there, the first step.
CALL, IN_CALL, TARGET, UNCLIPPED, LANDS, FIRST = range(6)


class Formula(NamedTuple):
    """The method's options, and `interval`, the length of one call; see `solvers.methods.rkqc`."""

    tiny: float
    safety: float
    grow: float
    shrink: float
    errcon: float
    hmin: float
    listed: int
    maxstp: float
    interval: float


class Scratch(NamedTuple):
    """Working memory: `progress`; the slopes at a step's beginning and middle, (1, d); slopes, (3, d); states, (d,)."""

    progress: np.ndarray
    slopes: np.ndarray
    middle: np.ndarray
    k: np.ndarray
    work: np.ndarray
    big: np.ndarray
    scale: np.ndarray


FORMULA = bundle(Formula, f8, f8, f8, f8, f8, f8, i8, f8, f8)
SCRATCH = bundle(Scratch, VECTOR, MATRIX, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR)


@compiled(f8(i8, VECTOR, f8, f8, f8, VECTOR, MATRIX, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, f8, VECTOR))
def doubled(rhs, params, t, h, ceiling, y, slopes, middle, k, work, big, after, correction, scale):
    """after = two half steps, corrected with a whole one; returns the largest error in units of `scale`."""
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


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope, the error's scale, and the end of the current call, which clips the step."""
    y, clock, progress, slopes, interval = state.y, state.clock, scratch.progress, scratch.slopes, formula.interval
    h = task.step if task.step != 0.0 else clock[STEP]
    if clock[DONE] == 0.0:
        progress[:] = 0.0
        progress[FIRST] = abs(h)
    slope(task, state, t, y, slopes, 0)
    for j in range(y.size):
        scratch.scale[j] = abs(y[j]) + abs(h * slopes[0, j]) + formula.tiny
    sign = 1.0 if task.end >= task.t0 else -1.0
    target = task.end
    if interval > 0.0:
        mark = task.t0 + sign * (progress[CALL] + 1.0) * interval
        target = mark if sign * (task.end - mark) > 1e-9 * interval else task.end
    progress[TARGET], progress[UNCLIPPED] = target, h
    if sign * (t + h - target) > 0.0:
        clock[STEP] = target - t


@njit(inline="always")
def plan(task, rules, state, formula, scratch, t):
    """The step, up to the end of the current call."""
    if task.step != 0.0:
        return next_step(task, rules, state, formula, scratch, t)
    h, target = state.clock[STEP], scratch.progress[TARGET]
    sign = 1.0 if task.end >= task.t0 else -1.0
    lands = t + h == target or sign * (t + h - target) > 0.0 or h == target - t
    scratch.progress[LANDS] = 1.0 if lands else 0.0
    return h, target if lands else t + h


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, slopes, middle, k = state.y, state.after, scratch.slopes, scratch.middle, scratch.k
    rhs, params, work, big, scale = task.rhs, task.params, scratch.work, scratch.big, scratch.scale
    correction = 0.0666666667 if formula.listed else 1.0 / 15.0
    error = doubled(rhs, params, t, h, task.ceiling, y, slopes, middle, k, work, big, after, correction, scale)
    state.tally[CALLS] += 10.0
    if task.step == 0.0:
        error /= rules.rtol
    return error, RUNNING if math.isfinite(error) else DIVERGED


@njit(inline="always")
def judge(task, rules, state, formula, scratch, t, h, error, failure):
    """The next step by Numerical Recipes' rule, and the current call's end."""
    progress, listed, code = scratch.progress, formula.listed, RUNNING
    if failure == RUNNING and error <= 1.0:
        grown = formula.safety * h * error**formula.grow if error > formula.errcon else 4.0 * h
        step = math.copysign(min(abs(grown), rules.longest), h)
        progress[IN_CALL] += 1.0
        if progress[LANDS] != 0.0:
            progress[CALL] += 1.0
            progress[IN_CALL] = 0.0
            # As listed, every call begins with h1 again; otherwise with the step that the call's end clipped.
            if listed:
                step = math.copysign(progress[FIRST], h)
            elif abs(progress[UNCLIPPED]) > abs(step):
                step = progress[UNCLIPPED]
        elif not listed and abs(grown) < formula.hmin:
            code = STEP_TOO_SMALL
        elif listed and formula.maxstp > 0.0 and progress[IN_CALL] >= formula.maxstp:
            code = TOO_MANY
    else:
        step = formula.safety * h * error**formula.shrink if failure == RUNNING else 0.1 * h
        if t + step == t or (not listed and abs(step) < formula.hmin):
            code = STEP_TOO_SMALL if failure == RUNNING else DIVERGED
    return step, code


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, plan, attempt, judge, task, rules, state, formula, scratch, rows, attempts)
