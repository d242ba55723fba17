"""The Adams methods of variable order and step: predict, evaluate, correct, evaluate.

phi[j] holds the modified divided difference of order j of f over the last j + 1 steps' ends:
phi_0(n) = f_n and phi_(j+1)(n) = phi_j(n) - beta_j(n - 1) phi_j(n - 1), where beta_j is 1 while the step is constant.

Source: L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations: The Initial Value Problem
(1975), chapters 5 and 7; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), III.5
and III.7.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit, types

from solvers.codes import DIVERGED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import CALLS, DONE, begin_step, bounded, bundle, integrate, kernel, next_step, rejection
from solvers.kernels.parts.controllers import norm
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, compiled, f8, i8, void

HIGHEST = 12

# Rows of `table`: beta_j, g_j, sigma_j, their integrals.
BETA, G, SIGMA, INTEGRALS = range(4)
# What `progress` holds: last step, steps of that length, order, earlier steps known, whether it is starting (the order
# still rises in every step), failures of the present step; the present attempt's errors with its order and with one
# less, and whether the order is to fall.
LAST, SAME, ORDER, KNOWN, STARTING, FAILED, PRESENT, BELOW, LOWER = range(9)


class Formula(NamedTuple):
    """The highest order."""

    most: int


class Scratch(NamedTuple):
    """What is known about the past.

    Attributes:
        progress: see `LAST` and what follows it.
        past: t_n - t_(n-j), (13,).
        table: coefficients, (4, 13).
        phi: differences, and in the last row f at the end of the step, (15, d).
        carry: what y could not hold of the last increment, (d,).
        work: the increment, (d,).
        highest: the three highest differences of the prediction, (3, d).
    """

    progress: np.ndarray
    past: np.ndarray
    table: np.ndarray
    phi: np.ndarray
    carry: np.ndarray
    work: np.ndarray
    highest: np.ndarray


def _moulton() -> np.ndarray:
    """|gamma*_j| of the Adams-Moulton formulas with a constant step: sum_(m <= j) gamma*_m / (j + 1 - m) = 0."""
    values = [1.0]
    for j in range(1, HIGHEST + 2):
        values.append(-sum(values[m] / (j + 1 - m) for m in range(j)))
    return np.abs(values)


MOULTON = _moulton()
FORMULA = bundle(Formula, i8)
SCRATCH = bundle(Scratch, VECTOR, VECTOR, MATRIX, MATRIX, VECTOR, VECTOR, MATRIX)


@compiled(void(f8, i8, i8, VECTOR, MATRIX))
def coefficients(h, k, known, past, table):
    """Fill the rows of `table` up to column k for a step h; past[j] is t_n - t_(n-j), for j up to `known`."""
    for q in range(k + 1):
        table[INTEGRALS, q] = 1.0 / (q + 1)
    table[BETA, 0] = table[G, 0] = table[SIGMA, 0] = 1.0
    for j in range(1, k + 1):
        alpha = h / (h + past[j - 1])
        for q in range(k + 1 - j):
            table[INTEGRALS, q] -= alpha * table[INTEGRALS, q + 1]
        table[G, j] = table[INTEGRALS, 0]
        table[SIGMA, j] = table[SIGMA, j - 1] * j * alpha
        table[BETA, j] = table[BETA, j - 1] * (h + past[j - 1]) / past[j] if j <= known else 0.0


@njit(inline="always")
def step(rhs, params, later, h, k, y, after, scratch):
    """after = a step h of order k, corrected with order k + 1; f is evaluated at `later`, its end."""
    table, phi, carry, work, highest = scratch.table, scratch.phi, scratch.carry, scratch.work, scratch.highest
    last = phi.shape[0] - 1
    for i in range(y.size):
        total = 0.0
        for j in range(k - 1, -1, -1):
            total += table[G, j] * table[BETA, j] * phi[j, i]
        work[i] = h * total
        after[i] = y[i] + (work[i] + carry[i])
    call_rhs(rhs, later, after, params, phi, last)
    for i in range(y.size):
        rest = 0.0
        for j in range(k):
            rest += table[BETA, j] * phi[j, i]
        highest[0, i] = phi[last, i] - rest
        highest[1, i] = highest[0, i] + table[BETA, k - 1] * phi[k - 1, i]
        highest[2, i] = highest[1, i] + (table[BETA, k - 2] * phi[k - 2, i] if k > 1 else 0.0)
        # `work` becomes the whole increment; the part that y cannot hold is carried to the next step.
        work[i] += h * table[G, k] * highest[0, i] + carry[i]
        after[i] = y[i] + work[i]


@njit(inline="always")
def take(h, k, y, after, scratch):
    """Move the differences to the step's end, where f is the last row of phi."""
    table, phi, past, carry, work = scratch.table, scratch.phi, scratch.past, scratch.carry, scratch.work
    for i in range(y.size):
        carry[i] = work[i] - (after[i] - y[i])
        difference = phi[phi.shape[0] - 1, i]
        for j in range(k + 1):
            lower = difference - table[BETA, j] * phi[j, i]
            phi[j, i] = difference
            difference = lower
        phi[k + 1, i] = difference
    for j in range(past.size - 1, 0, -1):
        past[j] = past[j - 1] + h


@compiled(types.Tuple((i8, f8))(i8, i8, i8, i8, i8, f8, f8, f8))
def next_order(k, most, same, lower, starting, present, below, above):
    """The order of the next step and its error at the present step's length.

    present, below and above are the errors of order k, k - 1 and k + 1; the last is known only after k + 1 equal steps.
    """
    if lower:
        return k - 1, below
    if k == most or (not starting and same <= k):
        return k, present
    if starting:
        return k + 1, above
    if k == 1:
        return (2, above) if above < 0.5 * present else (1, present)
    if below <= min(present, above):
        return k - 1, below
    return (k + 1, above) if above < present else (k, present)


@compiled(f8(f8, i8, i8))
def growth(error, k, starting):
    """The factor of the step after an accepted one: doubled, kept, or shortened to between half and nine tenths.

    `error` is that of the next order k, in units of the tolerance; the aim is half a unit.
    """
    if starting or error * 2.0 ** (k + 1) <= 0.5:
        return 2.0
    if error <= 0.5:
        return 1.0
    return max(0.5, min(0.9, (0.5 / error) ** (1.0 / (k + 1))))


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """At the very start there is only f(t, y), in phi[0]."""
    if state.clock[DONE] == 0.0:
        scratch.phi[1:] = 0.0
        scratch.past[:] = 0.0
        scratch.carry[:] = 0.0
        scratch.progress[:] = 0.0
        scratch.progress[ORDER] = scratch.progress[STARTING] = 1.0


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    progress, table, highest = scratch.progress, scratch.table, scratch.highest
    kind, rtol, atol, y, after = rules.kind, rules.rtol, rules.atol, state.y, state.after
    k = int(progress[ORDER])
    coefficients(h, k, int(progress[KNOWN]), scratch.past, table)
    step(task.rhs, task.params, min(t + h, task.ceiling), h, k, y, after, scratch)
    state.tally[CALLS] += 1.0
    # What orders k, k - 1 and k - 2 would miss with equal steps of this length.
    size = abs(h) * norm(kind, highest[0], y, after, rtol, atol)
    error = (table[G, k - 1] - table[G, k]) * size
    present, below, lowest = MOULTON[k] * table[SIGMA, k] * size, math.inf, math.inf
    if k > 1:
        below = abs(h) * MOULTON[k - 1] * table[SIGMA, k - 1] * norm(kind, highest[1], y, after, rtol, atol)
    if k > 2:
        lowest = abs(h) * MOULTON[k - 2] * table[SIGMA, k - 2] * norm(kind, highest[2], y, after, rtol, atol)
    lower = max(below, lowest) <= present if k > 2 else below <= 0.5 * present
    progress[PRESENT], progress[BELOW], progress[LOWER] = present, below, (1.0 if lower else 0.0)
    return error, RUNNING if math.isfinite(error) and bounded(after) else DIVERGED


@njit(inline="always")
def judge(task, rules, state, formula, scratch, t, h, error, failure):
    """Step and order by the method's own rules; f at the step's end, once it is accepted."""
    progress, phi, y, after = scratch.progress, scratch.phi, state.y, state.after
    k, present, below = int(progress[ORDER]), progress[PRESENT], progress[BELOW]
    lower, code = progress[LOWER] != 0.0, RUNNING
    if failure == RUNNING and error <= 1.0:
        rhs, params, last = task.rhs, task.params, phi.shape[0] - 1
        begin_step(task, t + h, after, phi, last)
        call_rhs(rhs, min(t + h, task.ceiling), after, params, phi, last)
        state.tally[CALLS] += 1.0
        take(h, k, y, after, scratch)
        progress[SAME] = progress[SAME] + 1.0 if h == progress[LAST] else 1.0
        progress[LAST], progress[FAILED] = h, 0.0
        progress[KNOWN] = min(progress[KNOWN] + 1.0, scratch.past.size - 1.0)
        above = abs(h) * MOULTON[k + 1] * norm(rules.kind, phi[k + 1], after, after, rules.rtol, rules.atol)
        most = formula.most
        if lower or k == most:
            progress[STARTING] = 0.0
        starting = int(progress[STARTING])
        order, expected = next_order(k, most, int(progress[SAME]), lower, starting, present, below, above)
        progress[ORDER] = order
        proposal = math.copysign(min(abs(h) * growth(expected, order, starting), rules.longest), h)
    else:
        progress[STARTING], progress[SAME], progress[FAILED] = 0.0, 0.0, progress[FAILED] + 1.0
        change = 0.5
        if progress[FAILED] > 3.0 and present > 2.0:
            change = math.sqrt(0.5 / present)
        proposal = h * max(change if failure == RUNNING else 0.1, 0.01)
        progress[ORDER] = 1.0 if progress[FAILED] >= 3.0 else k - 1.0 if lower else k
        code = rejection(task, t, proposal, failure)
    return proposal, code


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps of orders 1 to `formula.most`."""
    return integrate(prepare, next_step, attempt, judge, task, rules, state, formula, scratch, rows, attempts)


@compiled(void(f8, VECTOR, i8, VECTOR, VECTOR))
def integrals(s, nodes, count, work, out):
    """out[j] = the integral from 0 to s of (x - nodes[0]) .. (x - nodes[j - 1]), for j below `count`."""
    power = 1.0
    for q in range(count):
        power *= s
        work[q] = power / (q + 1)
    for j in range(count):
        out[j] = work[0]
        for q in range(count - 1 - j):
            work[q] = (s - nodes[j]) * work[q] - work[q + 1]


@compiled(i8(i8, VECTOR, VECTOR, VECTOR, MATRIX, i8, VECTOR, MATRIX))
def divided_differences(rhs, params, ceilings, t, y, n, nodes, differences):
    """Of f over the end of step n, its beginning and the steps' ends before, in units of this step; returns how many.

    The nodes lie between the same breaks, at most HIGHEST + 1 of them.
    """
    h, count = t[n + 1] - t[n], 0
    for m in range(n + 1, max(n - HIGHEST, -1), -1):
        if m < n and ceilings[m] != ceilings[n]:
            break
        nodes[count] = (t[m] - t[n + 1]) / h
        call_rhs(rhs, min(t[m], ceilings[n]), y[m], params, differences, count)
        count += 1
    for level in range(1, count):
        for j in range(count - 1, level - 1, -1):
            for i in range(y.shape[1]):
                change = differences[j, i] - differences[j - 1, i]
                differences[j, i] = change / (nodes[j] - nodes[j - level])
    return count


@compiled(
    void(
        *(i8, VECTOR, VECTOR, VECTOR, MATRIX, INDICES, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, INDICES, VECTOR),
        MATRIX,
    )
)
def sample(
    rhs, params, ceilings, t, y, interval, times, nodes, differences, work, weights, degrees, missed, out,
):  # fmt: skip
    """Dense output: from the end of each step back along the integral of the polynomial through the last slopes.

    Each component takes the degree whose last term is smallest over the step. What is missed at the step's beginning
    is spread linearly.
    """
    present, count = -1, 0
    for i in range(times.size):
        n = interval[i]
        if times[i] == t[n]:
            for j in range(out.shape[1]):
                out[i, j] = y[n, j]
            continue
        h = t[n + 1] - t[n]
        if n != present:
            present = n
            count = divided_differences(rhs, params, ceilings, t, y, n, nodes, differences)
            integrals(-1.0, nodes, count, work, weights)
            for j in range(out.shape[1]):
                degrees[j], smallest, total = 0, math.inf, 0.0
                for m in range(1, count):
                    if abs(differences[m, j] * weights[m]) < smallest:
                        degrees[j], smallest = m, abs(differences[m, j] * weights[m])
                for m in range(degrees[j], -1, -1):
                    total += differences[m, j] * weights[m]
                missed[j] = y[n, j] - (y[n + 1, j] + h * total)
        s = (times[i] - t[n + 1]) / h
        integrals(s, nodes, count, work, weights)
        for j in range(out.shape[1]):
            total = 0.0
            for m in range(degrees[j], -1, -1):
                total += differences[m, j] * weights[m]
            out[i, j] = y[n + 1, j] + h * total - s * missed[j]
