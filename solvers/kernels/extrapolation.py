"""Gragg's midpoint rule, extrapolated to step 0: the order and the step are chosen together.

Row j of the table takes n_j = 2 j substeps; its error has an expansion in even powers of the substep, so that column l
is of order 2 l. With step control a step ends with the first acceptable column among k - 1, k and k + 1, and the next k
and step are those with the least work per unit of time.

Source: W. B. Gragg, SIAM J. Numer. Anal. 2 (1965); R. Bulirsch, J. Stoer, Numer. Math. 8 (1966); E. Hairer, S. P.
Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.9.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import DIVERGED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import (
    CALLS,
    DONE,
    RULES,
    STATE,
    TASK,
    bounded,
    bundle,
    integrate,
    kernel,
    next_step,
    rejection,
    slope,
)  # fmt: skip
from solvers.kernels.parts.controllers import norm
from solvers.kernels.signatures import MATRIX, VECTOR, f8, i8, separate, void

# The most rows of the table; with step control column k lies between 2 and MOST - 1.
MOST = 9
# Of the plan: the wanted column, the one that ended the step, and whether the step before was rejected.
WANTED, REACHED, REJECTED = range(3)


class Formula(NamedTuple):
    """How many columns a fixed step has."""

    columns: int


class Scratch(NamedTuple):
    """Working memory.

    Attributes:
        slopes: f(t, y), and one row more, (2, d).
        table: the last row of the table, (MOST, d).
        before, now: the last two substeps, (d,).
        plan: see `WANTED`, (3,).
        step, work: for every column, the step that it asks for, and its work per unit of time, (MOST + 1,).
    """

    slopes: np.ndarray
    table: np.ndarray
    before: np.ndarray
    now: np.ndarray
    plan: np.ndarray
    step: np.ndarray
    work: np.ndarray


FORMULA = bundle(Formula, i8)
SCRATCH = bundle(Scratch, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The slope; at the beginning of a run, a column that suits the tolerance."""
    slope(task, state, t, state.y, scratch.slopes, 0)
    if state.clock[DONE] == 0.0:
        tight = max(rules.rtol if rules.rtol > 0.0 else rules.atol, 1e-16)
        wanted = math.floor(0.5 - 0.6 * math.log10(tight) + 1.0)
        scratch.plan[WANTED] = max(2.0, min(MOST - 1.0, wanted))
        scratch.plan[REJECTED] = 0.0


@njit(inline="always")
def calls(column):
    """The calls of f up to a column: f(t, y), and 2 j - 1 in row j."""
    return 1.0 + column * column


@separate(void(i8, f8, f8, TASK, STATE, SCRATCH))
def add_row(j, t, h, task, state, scratch):
    """Row j of the table (from 1 on) in place of the row before."""
    y, slopes, table, before, now = state.y, scratch.slopes, scratch.table, scratch.before, scratch.now
    n = 2 * j
    small = h / n
    for i in range(y.size):
        before[i] = y[i]
        now[i] = y[i] + small * slopes[0, i]
    for m in range(1, n):
        call_rhs(task.rhs, min(t + m * small, task.ceiling), now, task.params, slopes, 1)
        for i in range(y.size):
            later = before[i] + 2.0 * small * slopes[1, i]
            before[i], now[i] = now[i], later
    state.tally[CALLS] += n - 1.0
    for i in range(y.size):
        old, table[0, i] = table[0, i], now[i]
        for l in range(1, j):
            ratio = j / (j - l)
            kept = table[l, i]
            table[l, i] = table[l - 1, i] + (table[l - 1, i] - old) / (ratio * ratio - 1.0)
            old = kept


@separate(f8(i8, f8, TASK, RULES, STATE, SCRATCH))
def judged(j, h, task, rules, state, scratch):
    """The error of column j > 1 against the one before, in units of the tolerance; notes the step that it asks for.

    With a fixed step it is the largest component.
    """
    table, difference, after = scratch.table, scratch.before, state.after
    largest = 0.0
    for i in range(after.size):
        after[i] = table[j - 1, i]
        difference[i] = after[i] - table[j - 2, i]
        largest = max(largest, abs(difference[i]))
    if task.step != 0.0:
        return largest
    error = norm(rules.kind, difference, state.y, after, rules.rtol, rules.atol)
    if not bounded(after):
        error = math.inf
    power = 1.0 / (2.0 * j - 1.0)
    least = 0.02**power
    factor = 0.94 * (0.65 / max(error, 1e-30)) ** power if math.isfinite(error) else 0.0
    factor = max(0.25 * least, min(1.0 / least, factor))
    scratch.step[j] = min(abs(h) * factor, rules.longest)
    scratch.work[j] = calls(j) / scratch.step[j]
    scratch.plan[REACHED] = j
    return error


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    fixed, plan = task.step != 0.0, scratch.plan
    k = formula.columns if fixed else int(plan[WANTED])
    error, last = math.inf, k if fixed else k + 1
    for j in range(1, last + 1):
        add_row(j, t, h, task, state, scratch)
        if j > 1:
            error = judged(j, h, task, rules, state, scratch)
        if fixed or j < k - 1 or j == 1:
            continue
        # Acceptable, or beyond what the columns that are left could mend.
        hopeless = (k * (k + 1.0)) ** 2 if j == k - 1 else (k + 1.0) ** 2
        if error <= 1.0 or not error <= hopeless:
            break
    return error, RUNNING if bounded(state.after) else DIVERGED


@njit(inline="always")
def choose(task, rules, state, formula, scratch, t, h, error, failure):
    """The next column and step: those with the least work per unit of time."""
    plan, step, work = scratch.plan, scratch.step, scratch.work
    wanted, reached, good = int(plan[WANTED]), int(plan[REACHED]), failure == RUNNING and error <= 1.0
    if not good:
        column = max(2, min(wanted, reached))
        if column > 2 and work[column - 1] < 0.8 * work[column]:
            column -= 1
        proposal = min(step[column], 0.9 * abs(h))
    else:
        # The best of the columns that are known, and the next one if the work still falls.
        column = reached if reached <= max(wanted, 2) else reached - 1
        if column > 2 and work[column - 1] < 0.8 * work[column]:
            column -= 1
        elif column == 2 or work[column] < 0.9 * work[column - 1]:
            column += 1
        column = min(column, MOST - 1)
        if plan[REJECTED] != 0.0:
            column = min(column, reached)
        proposal = step[min(column, reached)]
        if column > reached:
            proposal = min(proposal * calls(column) / calls(reached), rules.longest)
        if plan[REJECTED] != 0.0:
            proposal = min(proposal, abs(h))
    plan[WANTED], plan[REJECTED] = float(column), 0.0 if good else 1.0
    return math.copysign(proposal, h), RUNNING if good else rejection(task, t, proposal, failure)


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, choose, task, rules, state, formula, scratch, rows, attempts)
