"""Munthe-Kaas methods: an explicit Runge-Kutta method whose steps in Euler parameters are rotations.

The Euler parameters p of a body move with its angular velocity w in its own axes, p' = p o (0, w / 2). From the start p
of a step they are p o exp(u / 2) with a rotation vector u, u' = w + u x w / 2 + c u x (u x w) and c = (1 - (|u| / 2)
cot(|u| / 2)) / |u|^2. The Runge-Kutta method integrates u, which begins at 0 in every step, and the other components as
they are: a product of unit quaternions has unit length, whatever the step.

Source: H. Munthe-Kaas, BIT 38 (1998) 92-111; A. Iserles et al., Acta Numerica 9 (2000) 215-365, section 4.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import DIVERGED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.explicit_runge_kutta import TABLE, Table, has_estimate, largest
from solvers.kernels.loop import (
    CALLS,
    DONE,
    bounded,
    bundle,
    control,
    integrate,
    kernel,
    next_step,
    slope,
)  # fmt: skip
from solvers.kernels.parts.combinations import multiply
from solvers.kernels.parts.controllers import norm
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, separate, void


class Formula(NamedTuple):
    """A tableau, and where the Euler parameters of each body begin."""

    table: Table
    bodies: np.ndarray


class Scratch(NamedTuple):
    """Working memory.

    Attributes:
        k: slopes of the stages, of u in the first three places of a body and 0 in its fourth, (s, d).
        raw: f at a stage, (1, d).
        moved, work: a stage's u and differences from the start, and its state, (d,).
    """

    k: np.ndarray
    raw: np.ndarray
    moved: np.ndarray
    work: np.ndarray


FORMULA = bundle(Formula, TABLE, INDICES)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, VECTOR, VECTOR)


@njit(inline="always")
def times(y, i, b0, b1, b2, b3, out):
    """The product of the quaternion at y[i:i + 4] and b, at the same place of `out`."""
    a0, a1, a2, a3 = y[i], y[i + 1], y[i + 2], y[i + 3]
    out[i] = a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3
    out[i + 1] = a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2
    out[i + 2] = a0 * b2 + a2 * b0 + a3 * b1 - a1 * b3
    out[i + 3] = a0 * b3 + a3 * b0 + a1 * b2 - a2 * b1


@separate(void(VECTOR, VECTOR, INDICES, VECTOR))
def moved_by(y, moved, bodies, out):
    """The state after the differences `moved` and their rotations from y."""
    for j in range(y.size):
        out[j] = y[j] + moved[j]
    for body in range(bodies.size):
        i = bodies[body]
        u1, u2, u3 = 0.5 * moved[i], 0.5 * moved[i + 1], 0.5 * moved[i + 2]
        square = u1 * u1 + u2 * u2 + u3 * u3
        half = math.sqrt(square)
        ratio = math.sin(half) / half if half > 1e-3 else 1.0 - square / 6.0 * (1.0 - square / 20.0)
        times(y, i, math.cos(half), ratio * u1, ratio * u2, ratio * u3, out)


@separate(void(VECTOR, VECTOR, VECTOR, INDICES, VECTOR))
def rates(y, raw, moved, bodies, out):
    """The slopes of u and of the other components at a state y with y' = raw."""
    for j in range(y.size):
        out[j] = raw[j]
    for body in range(bodies.size):
        i = bodies[body]
        # 2 conj(p) o p' / |p|^2, whose first component is 0 for f with p' = p o (0, w / 2).
        p0, p1, p2, p3 = y[i], y[i + 1], y[i + 2], y[i + 3]
        d0, d1, d2, d3 = raw[i], raw[i + 1], raw[i + 2], raw[i + 3]
        twice = 2.0 / (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
        w1 = twice * (p0 * d1 - p1 * d0 - p2 * d3 + p3 * d2)
        w2 = twice * (p0 * d2 - p2 * d0 - p3 * d1 + p1 * d3)
        w3 = twice * (p0 * d3 - p3 * d0 - p1 * d2 + p2 * d1)
        u1, u2, u3 = moved[i], moved[i + 1], moved[i + 2]
        square = u1 * u1 + u2 * u2 + u3 * u3
        c = (1.0 + square / 60.0 * (1.0 + square / 42.0)) / 12.0
        if square > 1e-4:
            half = 0.5 * math.sqrt(square)
            c = (1.0 - half / math.tan(half)) / square
        x1, x2, x3 = u2 * w3 - u3 * w2, u3 * w1 - u1 * w3, u1 * w2 - u2 * w1
        out[i] = w1 + 0.5 * x1 + c * (u2 * x3 - u3 * x2)
        out[i + 1] = w2 + 0.5 * x2 + c * (u3 * x1 - u1 * x3)
        out[i + 2] = w3 + 0.5 * x3 + c * (u1 * x2 - u2 * x1)
        out[i + 3] = 0.0


@separate(void(VECTOR, INDICES, VECTOR))
def as_state(after, bodies, difference):
    """Rotation vectors of a difference become differences of Euler parameters."""
    for body in range(bodies.size):
        i = bodies[body]
        times(after, i, 0.0, 0.5 * difference[i], 0.5 * difference[i + 1], 0.5 * difference[i + 2], difference)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The first stage. With step control the slope of the first step is already there."""
    raw, moved, starts = scratch.raw, scratch.moved, state.clock[DONE] == 0.0
    # The slope of the last stage is that of the next step's first.
    if (starts and task.step != 0.0) or not (starts or formula.table.fsal):
        slope(task, state, t, state.y, raw, 0)
    for j in range(moved.size):
        moved[j] = 0.0
    rates(state.y, raw[0], moved, formula.bodies, scratch.k[0])


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    table, bodies, k, moved, work = formula.table, formula.bodies, scratch.k, scratch.moved, scratch.work
    starts, columns, weights, s = table.starts, table.columns, table.weights, table.c.size
    y, after = state.y, state.after
    # The rows of a tableau are its stages, then b, then the difference of the pair.
    for i in range(1, s + 1):
        multiply(i, h, starts, columns, weights, k, moved)
        moved_by(y, moved, bodies, work)
        if i < s:
            call_rhs(task.rhs, min(t + table.c[i] * h, task.ceiling), work, task.params, scratch.raw, 0)
            rates(work, scratch.raw[0], moved, bodies, k[i])
    for j in range(y.size):
        after[j] = work[j]
    state.tally[CALLS] += s - 1.0
    failure = RUNNING if bounded(after) else DIVERGED
    error = math.nan
    if has_estimate(table):
        multiply(s + 1, h, starts, columns, weights, k, moved)
        as_state(after, bodies, moved)
        if task.step == 0.0:
            error = norm(rules.kind, moved, y, after, rules.rtol, rules.atol) if failure == RUNNING else math.inf
        else:
            error = largest(moved)
    return error, failure


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, control, task, rules, state, formula, scratch, rows, attempts)
