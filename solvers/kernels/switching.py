"""Automatic switching: an explicit pair while stability allows its steps, a diagonally implicit one where it does not.

The explicit pair's last two stages lie at the end of the step, so that |f(y_s) - f(y_(s-1))| / |y_s - y_(s-1)|
estimates the spectral radius of df/dy without another call of f. Where `LIMIT` bounds step after step, the problem is
stiff, and the implicit pair takes over. There the radius comes from a few turns of the power method with the step's
Jacobian, and the explicit pair returns once it would be stable at the same steps.

Source: L. R. Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136-148 for the idea; E. Hairer, G. Wanner, Solving Ordinary
Differential Equations II (1996), IV.2 for the estimate within the explicit pair.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.codes import DIVERGED, RUNNING
from solvers.kernels import diagonally_implicit as implicit
from solvers.kernels import explicit_runge_kutta as explicit
from solvers.kernels.calls import call_rhs
from solvers.kernels.loop import (
    CALLS,
    DONE,
    RULES,
    STATE,
    TASK,
    bounded,
    bundle,
    control,
    integrate,
    kernel,
    next_step,
    slope,
)  # fmt: skip
from solvers.kernels.parts.combinations import add, multiply
from solvers.kernels.parts.controllers import norm
from solvers.kernels.signatures import MATRIX, VECTOR, boolean, f8, helper, separate

# The explicit pair has no stable step with h times the spectral radius above LIMIT, and every one is stable below SAFE.
LIMIT, SAFE = 3.25, 1.0
# After so many steps above LIMIT the problem is stiff; so many below it in a row start the count again.
STIFF, CALM = 15, 6
# So many implicit steps in a row below SAFE end the stiff part.
EASY = 3
TURNS = 6
# What `progress` holds: whether the implicit pair is at work, the two counts, whether the last accepted step was an
# explicit one, the spectral radius.
IMPLICIT, COUNT, OTHERS, KEPT, RADIUS = range(5)


class Formula(NamedTuple):
    """Both pairs."""

    table: explicit.Table
    implicit: implicit.Formula


class Scratch(NamedTuple):
    """Working memory: of both pairs, see `IMPLICIT`, (5,), and two vectors of the power method, (2, d)."""

    explicit: explicit.Scratch
    implicit: implicit.Scratch
    progress: np.ndarray
    vectors: np.ndarray


FORMULA = bundle(Formula, explicit.TABLE, implicit.FORMULA)
SCRATCH = bundle(Scratch, explicit.SCRATCH, implicit.SCRATCH, VECTOR, MATRIX)


@njit(inline="always")
def prepare(task, rules, state, formula, scratch, t):
    """The first slope; for the implicit pair the Jacobian and its spectral radius."""
    progress, k = scratch.progress, scratch.explicit.k
    if progress[IMPLICIT] != 0.0:
        implicit.prepare(task, rules, state, formula.implicit, scratch.implicit, t)
        progress[RADIUS] = radius(scratch.implicit.J, scratch.vectors)
    elif progress[KEPT] != 0.0 and formula.table.fsal and state.clock[DONE] != 0.0:
        for j in range(k.shape[1]):
            k[0, j] = k[k.shape[0] - 1, j]
    elif state.clock[DONE] != 0.0:
        slope(task, state, t, state.y, k, 0)


@separate(f8(MATRIX, MATRIX), no_cpython_wrapper=False)
def radius(J, vectors):
    """The spectral radius of J by the power method from vectors[0], which is kept for the next time."""
    v, w = vectors[0], vectors[1]
    growth, turns = 0.0, 0
    for _ in range(TURNS):
        size = 0.0
        for i in range(v.size):
            w[i] = 0.0
            for j in range(v.size):
                w[i] += J[i, j] * v[j]
            size += w[i] * w[i]
        size = math.sqrt(size)
        if not 0.0 < size < math.inf:
            break
        growth += math.log(size)
        turns += 1
        for i in range(v.size):
            v[i] = w[i] / size
    if turns == TURNS:
        return math.exp(growth / turns)
    for i in range(v.size):
        v[i] = (1.0 if i % 2 == 0 else -0.5) / math.sqrt(v.size)
    return 0.0


@helper
def radius_of_step(k, stage, after):
    """The spectral radius by the slopes k of an explicit step, of which `stage` and `after` are the last two states."""
    rise, run, last = 0.0, 0.0, k.shape[0] - 1
    for j in range(stage.size):
        rise += (k[last, j] - k[last - 1, j]) ** 2
        run += (after[j] - stage[j]) ** 2
    return math.sqrt(rise / run) if run > 0.0 else 0.0


@separate(f8(f8, f8, TASK, RULES, STATE, explicit.TABLE, explicit.SCRATCH, VECTOR))
def explicit_step(t, h, task, rules, state, table, scratch, progress):
    """The state after an explicit step, and the spectral radius.

    Returns the error in units of the tolerance, inf if the state went out of bounds.
    """
    y, after, k, work = state.y, state.after, scratch.k, scratch.work
    starts, s = table.starts, table.c.size
    # The last stage is the end of the step.
    for i in range(1, s):
        target = after if i == s - 1 else work
        add(i, h, y, starts, table.columns, table.weights, k, target)
        call_rhs(task.rhs, min(t + table.c[i] * h, task.ceiling), target, task.params, k, i)
    state.tally[CALLS] += s - 1.0
    if not bounded(after):
        return math.inf
    progress[RADIUS] = radius_of_step(k, work, after)
    multiply(s + 1, h, starts, table.columns, table.weights, k, work)
    return norm(rules.kind, work, y, after, rules.rtol, rules.atol)


@njit(inline="always")
def attempt(task, rules, state, formula, scratch, t, h, later):
    """See `solvers.kernels.loop`."""
    if scratch.progress[IMPLICIT] != 0.0:
        error, failure = implicit.attempt(task, rules, state, formula.implicit, scratch.implicit, t, h, later)
    else:
        error = explicit_step(t, h, task, rules, state, formula.table, scratch.explicit, scratch.progress)
        failure = DIVERGED if error == math.inf else RUNNING
    return error, failure


@separate(boolean(f8, f8, VECTOR))
def switches(h, proposal, progress):
    """Whether the other pair makes the step after this accepted one; keeps the counts."""
    progress[KEPT] = 1.0 - progress[IMPLICIT]
    if progress[IMPLICIT] != 0.0:
        easy = abs(proposal) * progress[RADIUS] < SAFE
        progress[COUNT] = progress[COUNT] + 1.0 if easy else 0.0
        change = progress[COUNT] >= EASY
    else:
        if abs(h) * progress[RADIUS] > LIMIT:
            progress[COUNT] += 1.0
            progress[OTHERS] = 0.0
        else:
            progress[OTHERS] += 1.0
            if progress[OTHERS] >= CALM:
                progress[COUNT] = 0.0
        change = progress[COUNT] >= STIFF
    if change:
        progress[IMPLICIT] = 1.0 - progress[IMPLICIT]
        progress[COUNT], progress[OTHERS] = 0.0, 0.0
    return change


@njit(inline="always")
def judge(task, rules, state, formula, scratch, t, h, error, failure):
    """The next step by the controller, and the pair that makes it."""
    proposal, code = control(task, rules, state, formula, scratch, t, h, error, failure)
    if failure == RUNNING and error <= 1.0 and switches(h, proposal, scratch.progress):
        # The errors of one pair say nothing about the other.
        state.memory[0], state.memory[1] = 1e-4, 0.0
    return proposal, code


@kernel(FORMULA, SCRATCH)
def run(task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps."""
    return integrate(prepare, next_step, attempt, judge, task, rules, state, formula, scratch, rows, attempts)
