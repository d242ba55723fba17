"""Power series of solutions by recurrences, and the Taylor method."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codegen.tape import ADD, CONSTANT, COSINE, DIVIDE, MULTIPLY, PARAMETER, ROOT, SCALE, SINE, STATE, SUBTRACT
from solvers.codes import DIVERGED, RUNNING, STEP_TOO_SMALL
from solvers.kernels.loop import CALLS, bounded, bundle, give_up, integrate, kernel, next_step
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, compiled, f8, i8, void


class Instructions(NamedTuple):
    """The arrays of a `solvers.codegen.tape.Tape`."""

    operations: np.ndarray
    left: np.ndarray
    right: np.ndarray
    values: np.ndarray
    fixed: np.ndarray
    outputs: np.ndarray


class Formula(NamedTuple):
    """A tape; the series' degree, how many components have it, and the degree of the others."""

    tape: Instructions
    degree: int
    positions: int
    velocity_degree: int


class Scratch(NamedTuple):
    """Working memory: coefficients of the nodes, (m, degree + 1), and of the solution, (d, degree + 1); (2,)."""

    x: np.ndarray
    series: np.ndarray
    sizes: np.ndarray


TAPE = bundle(Instructions, INDICES, INDICES, INDICES, VECTOR, INDICES, INDICES)
FORMULA = bundle(Formula, TAPE, i8, i8, i8)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, VECTOR)


@compiled(f8(i8, i8, i8, i8, i8, MATRIX))
def coefficient(operation, n, a, b, k, x):
    """Coefficient k of node n from lower ones and from the nodes before it."""
    if operation == ADD:
        return x[a, k] + x[b, k]
    if operation == SUBTRACT:
        return x[a, k] - x[b, k]
    if operation == SCALE:
        return x[a, 0] * x[b, k]
    total = 0.0
    if operation == MULTIPLY:
        for j in range(k + 1):
            total += x[a, j] * x[b, k - j]
    elif operation == DIVIDE:
        for j in range(1, k + 1):
            total += x[b, j] * x[n, k - j]
        total = (x[a, k] - total) / x[b, 0]
    elif operation in (SINE, COSINE):
        if k == 0:
            return math.sin(x[a, 0]) if operation == SINE else math.cos(x[a, 0])
        for j in range(1, k + 1):
            total += j * x[a, j] * x[b, k - j]
        total = total / k if operation == SINE else -total / k
    elif operation == ROOT:
        if k == 0:
            return math.sqrt(x[a, 0])
        for j in range(1, k):
            total += x[n, j] * x[n, k - j]
        total = (x[a, k] - total) / (2.0 * x[n, 0])
    return total


@compiled(void(TAPE, VECTOR, f8, VECTOR, i8, MATRIX, MATRIX))
def expand(tape, params, t, y, degree, x, series):
    """series[:, k], k = 0 .. degree: the coefficients of the solution through (t, y). x is scratch, (m, degree + 1)."""
    operations, left, right, values, fixed, outputs = tape
    for j in range(y.size):
        series[j, 0] = y[j]
    for k in range(degree):
        for n in range(operations.size):
            operation = operations[n]
            if operation == STATE:
                x[n, k] = series[left[n], k]
            elif fixed[n] and k > 0:
                x[n, k] = 0.0
            elif operation == CONSTANT:
                x[n, 0] = values[n]
            elif operation == PARAMETER:
                x[n, 0] = params[left[n]]
            elif operation > STATE:
                x[n, k] = coefficient(operation, n, left[n], right[n], k, x)
            else:
                x[n, k] = t if k == 0 else 1.0 if k == 1 else 0.0
        for j in range(y.size):
            series[j, k + 1] = x[outputs[j], k] / (k + 1)


@compiled(void(MATRIX, f8, i8, i8, i8, VECTOR))
def evaluate(series, h, degree, positions, velocity_degree, out):
    """out = the polynomials at h: of `degree`, and of `velocity_degree` for the components from `positions` on."""
    for j in range(out.size):
        last = degree if j < positions else velocity_degree
        value = series[j, last]
        for k in range(last - 1, -1, -1):
            value = value * h + series[j, k]
        out[j] = value


@compiled(f8(MATRIX, f8, i8, f8, f8, VECTOR))
def longest_step(series, longest, degree, rtol, atol, y):
    """The step at which neither of the last two terms exceeds the tolerance: rms(term / (atol + rtol |y|)) <= 1."""
    h = longest
    for k in range(max(degree - 1, 1), degree + 1):
        total = 0.0
        for j in range(y.size):
            total += (series[j, k] / (atol + rtol * abs(y[j]))) ** 2
        size = math.sqrt(total / y.size)
        if not math.isfinite(size):
            return 0.0
        if size > 0.0:
            h = min(h, 0.9 * size ** (-1.0 / k))
    return h


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The series."""
    degree = max(formula.degree, formula.velocity_degree)
    expand(formula.tape, task.params, t, state.y, degree, scratch.x, scratch.series)
    state.tally[CALLS] += degree


@njit(inline="always")
def plan(task, rules, state, formula, scratch, t):
    """The fixed step, or the one that the last two terms allow."""
    if task.step != 0.0:
        return next_step(task, rules, state, formula, scratch, t)
    h = longest_step(scratch.series, rules.longest, formula.degree, rules.rtol, rules.atol, state.y)
    if abs(task.end - t) <= h:
        return task.end - t, task.end
    h = h if task.end >= task.t0 else -h
    return h, t + h


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    y, after, series, degree = state.y, state.after, scratch.series, formula.degree
    error = math.nan
    if task.step == 0.0:
        error = 0.0
        for j in range(y.size):
            term = series[j, degree] * h**degree / (rules.atol + rules.rtol * abs(y[j]))
            error += term * term
        error = math.sqrt(error / y.size)
    evaluate(series, h, degree, formula.positions, formula.velocity_degree, after)
    return error, failed(task, t, h, later, bounded(after))


@njit(inline="always")
def failed(task, t, h, later, good):
    """How a step h failed: one that does not change the time is too small."""
    stands = h == 0.0 or (later != task.end and t + h == t)
    return RUNNING if good and not stands else STEP_TOO_SMALL if h != 0.0 and t + h == t else DIVERGED


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, plan, attempt, give_up, task, rules, state, formula, scratch, rows, attempts)
