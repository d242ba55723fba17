"""The one loop over steps, and its arguments. It is inlined into the kernel of each family.

A family brings functions, and `integrate` calls them:

- `prepare(task, rules, state, formula, scratch, t)` once at the beginning of every step, not again after a rejection;
- `plan(...)` returns (h, later), the signed length of the next attempt and the time at its end: `next_step`, or
  `uniform_step` for methods that need equal steps, or the family's own;
- `attempt(..., t, h, later)` returns (error, code): it writes the state after a step h to `state.after`, and says
  how large the error is (accepted up to 1 with step control) and whether the attempt failed (`RUNNING` if not);
- `judge(..., t, h, error, failure)` returns (next step, code) with step control: `control`, `give_up`, or the family's
  own. It is called before the state is moved on, and not after the last step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit, types

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, STEP_TOO_SMALL
from solvers.kernels.calls import call_rhs
from solvers.kernels.parts.controllers import factor
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, i8
from solvers.stepper import Rows, Slice


class Task(NamedTuple):
    """What is integrated: addresses of functions (0 if there is none), parameters, a part of the span, a fixed step.

    Attributes:
        rhs, begin, jacobian: see `OdeProblem`.
        params: passed to each of them.
        t0, end, ceiling: see `Stepper.start`.
        step: the signed fixed step; 0 with step control.
        total: the number of fixed steps; `LISTED` for the steps of dense output.
    """

    rhs: int
    begin: int
    jacobian: int
    params: np.ndarray
    t0: float
    end: float
    ceiling: float
    step: float
    total: int


class Rules(NamedTuple):
    """Step control: see `solvers.kernels.parts.controllers`; `longest` is the longest step."""

    kind: int
    rtol: float
    atol: float
    exponent: float
    longest: float


class State(NamedTuple):
    """Where the integration is.

    Attributes:
        clock: time, step, steps done, whether the current step is prepared.
        y, after: the state, and the one after an attempt, (d,).
        memory: of the controller.
        tally: work so far, see `CALLS` and what follows it.
    """

    clock: np.ndarray
    y: np.ndarray
    after: np.ndarray
    memory: np.ndarray
    tally: np.ndarray


LISTED = -1
TIME, STEP, DONE, PREPARED = range(4)
CALLS, JACOBIANS, ITERATIONS, FACTORISATIONS, CONDITION = range(5)


def bundle(kind: type, *members: Any) -> Any:
    """The type under which kernels take a named tuple with such members."""
    return types.BaseTuple.from_types(members, kind)


TASK = bundle(Task, i8, i8, i8, VECTOR, f8, f8, f8, f8, i8)
RULES = bundle(Rules, i8, f8, f8, f8, f8)
STATE = bundle(State, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
ROWS = bundle(Rows, VECTOR, MATRIX, MATRIX, MATRIX)
SLICE = bundle(Slice, i8, i8, i8)


def kernel(formula: Any, scratch: Any, contract: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compiles `run(task, rules, state, formula, scratch, rows, attempts)` of a family.

    With `contract` products and sums may be fused, which changes the last digits.
    """
    signature = SLICE(TASK, RULES, STATE, formula, scratch, ROWS, i8)
    return compiled(signature, fastmath={"contract"} if contract else False)


@njit(inline="always")
def begin_step(task, t, y, k, row):
    """What is sampled once a step; k[row] is overwritten."""
    if task.begin != 0:
        call_rhs(task.begin, min(t, task.ceiling), y, task.params, k, row)


@njit(inline="always")
def slope(task, state, t, y, k, row):
    """k[row] = f(t, y) at the beginning of a step."""
    begin_step(task, t, y, k, row)
    rhs, params = task.rhs, task.params
    call_rhs(rhs, min(t, task.ceiling), y, params, k, row)
    state.tally[CALLS] += 1.0


@njit(inline="always")
def bounded(y):
    """Whether all components are numbers of reasonable size."""
    good = True
    for j in range(y.size):
        good = good and abs(y[j]) < BOUND
    return good


@njit(inline="always")
def next_step(task, rules, state, formula, scratch, t):
    """The wanted step; the last one is shortened, or stretched, to the end."""
    left = task.end - t
    if task.step != 0.0:
        done = state.clock[DONE] + 1.0
        if done == task.total:
            return left, task.end
        return task.step, task.t0 + done * task.step
    h = state.clock[STEP]
    if abs(left) <= 1.01 * abs(h) and abs(left) <= rules.longest * (1.0 + 1e-9):
        return left, task.end
    return h, t + h


@njit(inline="always")
def uniform_step(task, rules, state, formula, scratch, t):
    """The fixed step, all equal."""
    done = state.clock[DONE] + 1.0
    return task.step, task.end if done == task.total else task.t0 + done * task.step


@njit(inline="always")
def give_up(task, rules, state, formula, scratch, t, h, error, failure):
    """An attempt that failed is the last: for methods that have one way to choose the step."""
    return 0.0, failure


@njit(inline="always")
def rejection(task, t, proposal, failure):
    """The code after a rejected attempt: a next step lost in the round-off of t ends the run."""
    if abs(proposal) <= 4e-16 * max(abs(t), abs(task.end)):
        return STEP_TOO_SMALL if failure == RUNNING else failure
    return RUNNING


@njit(inline="always")
def control(task, rules, state, formula, scratch, t, h, error, failure):
    """The next step by the controller. A failed iteration says nothing about the error, so the step is halved."""
    if failure != RUNNING and failure != DIVERGED:
        change = 0.5
        state.memory[1] = 1.0
    else:
        change = factor(rules.kind, error, rules.exponent, state.memory)
    proposal = math.copysign(min(abs(h * change), rules.longest), h)
    return proposal, RUNNING if error <= 1.0 else rejection(task, t, proposal, failure)


@njit(inline="always")
def integrate(prepare, plan, attempt, judge, task, rules, state, formula, scratch, rows, attempts):
    """Up to `attempts` steps.

    For dense output, the steps listed in `rows.log` as (begin, length, ceiling, row): each from the state in that row
    of `rows.y` to the one that replaces it.
    """
    clock, y, after, tally = state.clock, state.y, state.after, state.tally
    rhs, begin, jacobian, params, t0, end, ceiling, step, total = task
    fixed, listed, counted = step != 0.0, total == LISTED, rows.work.shape[0] > 0
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        log = rows.log[tried]
        if listed:
            clock[TIME], clock[DONE], clock[PREPARED], ceiling, accepted = log[0], 0.0, 0.0, log[2], int(log[3])
            for j in range(y.size):
                y[j] = rows.y[accepted, j]
        task = Task(rhs, begin, jacobian, params, t0, end, ceiling, step, total)
        t = clock[TIME]
        if clock[PREPARED] == 0.0:
            prepare(task, rules, state, formula, scratch, t)
            clock[PREPARED] = 1.0
        h, later = log[1], t + log[1]
        if not listed:
            h, later = plan(task, rules, state, formula, scratch, t)
        iterations, factorisations = tally[ITERATIONS], tally[FACTORISATIONS]
        error, failure = attempt(task, rules, state, formula, scratch, t, h, later)
        tried += 1
        if listed:
            for j in range(y.size):
                rows.y[accepted, j] = after[j]
            continue
        good = failure == RUNNING and (fixed or error <= 1.0)
        log[0], log[1], log[2], log[3] = t, h, error, (1.0 if good else 0.0)
        if counted:
            work = rows.work[tried - 1]
            work[0], work[1] = tally[ITERATIONS] - iterations, tally[FACTORISATIONS] - factorisations
            work[2] = tally[CONDITION]
        if fixed:
            code = failure
        elif not good or later != end:
            clock[STEP], code = judge(task, rules, state, formula, scratch, t, h, error, failure)
        if good:
            clock[TIME] = later
            clock[DONE] += 1.0
            clock[PREPARED] = 0.0
            rows.t[accepted] = later
            for j in range(y.size):
                y[j] = after[j]
                rows.y[accepted, j] = y[j]
            accepted += 1
            if later == end:
                code = LANDED
    return Slice(accepted, tried, code)
