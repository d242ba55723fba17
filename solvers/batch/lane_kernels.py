"""The loop over problems that are integrated side by side, each in a lane of the processor's vector registers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.batch.kernels import CELLS, LIMITS
from solvers.codes import RUNNING, TOO_MANY
from solvers.kernels.loop import ROWS, RULES, TASK, TIME, Rules, State, Task, bundle, give_up, integrate
from solvers.kernels.parts.lane_arithmetic import WIDTH
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, compiled, i8, void


class LaneMemory(NamedTuple):
    """The problems in the lanes, and working memory.

    Attributes:
        cells: the problem in each lane, or -1, (WIDTH,).
        place: the next problem, and how many have ended, (2,).
        t, y, params, tolerance: of each lane: (1, WIDTH), (d, WIDTH), (p, WIDTH), relative and absolute, flat.
        work: of the kernel, flat.
        series: coefficients, (d, degree + 1, WIDTH), flat.
        sizes: of the last two terms, (2, WIDTH).
        step, later: the steps that the lanes attempt, and the times at their ends, (WIDTH,).
        after: the states at these times, (d, WIDTH).
        accepted: of one lane, (d,).
    """

    cells: np.ndarray
    place: np.ndarray
    t: np.ndarray
    y: np.ndarray
    params: np.ndarray
    tolerance: np.ndarray
    work: np.ndarray
    series: np.ndarray
    sizes: np.ndarray
    step: np.ndarray
    later: np.ndarray
    after: np.ndarray
    accepted: np.ndarray


class Scratch(NamedTuple):
    """What the step of one lane needs: sizes of its last terms, the state after the step, (d,), and the step."""

    sizes: np.ndarray
    after: np.ndarray
    step: float
    later: float


LANE_MEMORY = bundle(LaneMemory, *[INDICES] * 2, *[VECTOR] * 6, MATRIX, *[VECTOR] * 2, MATRIX, VECTOR)
NEXT, ENDED = range(2)

lanes_function = compiled(void(LANE_MEMORY))
"""Compiles a function of all lanes."""

lanes_kernel = compiled(i8(TASK, RULES, ROWS, CELLS, LANE_MEMORY, LIMITS))
"""Compiles `run(task, rules, rows, cells, lanes, limits)`."""


def new_lanes(dimension: int, parameters: int, degree: int, size: int) -> LaneMemory:
    """Empty lanes for problems of one kind and a kernel that needs `size` vectors of memory."""
    return LaneMemory(
        cells=np.full(WIDTH, -1, np.int64),
        place=np.zeros(2, np.int64),
        t=_aligned(1),
        y=_aligned(dimension),
        params=_aligned(parameters),
        tolerance=_aligned(2),
        work=_aligned(size),
        series=_aligned(dimension * (degree + 1)),
        sizes=_aligned(2).reshape(2, WIDTH),
        step=_aligned(1),
        later=_aligned(1),
        after=_aligned(dimension).reshape(dimension, WIDTH),
        accepted=np.zeros(dimension),
    )


def _aligned(vectors: int) -> np.ndarray:
    """Zeros that begin where a vector does: others take twice as long to load."""
    whole = np.zeros((vectors + 1) * WIDTH)
    first = -(whole.ctypes.data // whole.itemsize) % WIDTH
    return whole[first : first + vectors * WIDTH]


@njit(inline="always")
def fill(cells, lanes):
    """Put waiting problems into free lanes, and the present times and states into the others."""
    parameters, dimension = cells.params.shape[1], cells.y.shape[1]
    for lane in range(WIDTH):
        i = lanes.cells[lane]
        if i < 0 and lanes.place[NEXT] < cells.y.shape[0]:
            i = lanes.place[NEXT]
            lanes.cells[lane] = i
            lanes.place[NEXT] += 1
            lanes.tolerance[lane], lanes.tolerance[WIDTH + lane] = cells.rules[i, 0], cells.rules[i, 1]
            for j in range(parameters):
                lanes.params[j * WIDTH + lane] = cells.params[i, j]
        if i >= 0:
            lanes.t[lane] = cells.clock[i, TIME]
            for j in range(dimension):
                lanes.y[j * WIDTH + lane] = cells.y[i, j]


@njit(inline="always")
def one_problem(task, rules, cells, lanes, i, lane):
    """The arguments of the one loop for problem i, which is in this lane."""
    rhs, begin, jacobian, spans, own = task.rhs, task.begin, task.jacobian, cells.spans[i], cells.rules[i]
    one = Task(rhs, begin, jacobian, cells.params[i], spans[0], spans[1], spans[2], spans[3], int(spans[4]))
    control = Rules(rules.kind, own[0], own[1], own[2], own[3])
    state = State(cells.clock[i], cells.y[i], lanes.accepted, cells.memory[i], cells.tally[i])
    scratch = Scratch(lanes.sizes[:, lane], lanes.after[:, lane], lanes.step[lane], lanes.later[lane])
    return one, control, state, scratch


@njit(inline="always")
def planned(task, rules, state, formula, scratch, t):
    """The step that the lane's states were computed for."""
    return scratch.step, scratch.later


@njit(inline="always")
def integrate_lanes(expand, advance, prepare, plan, attempt, task, rules, rows, cells, lanes, limits):
    """Go on with the problems in the lanes and those after them; returns how many have ended.

    Args:
        expand, advance: compute the series of all lanes, and the states after their steps.
        prepare, plan, attempt: of the one loop, for a single lane whose series and end of the step are there.
        task, rules: what the problems share.
        rows: for one step.
        cells, limits: see `solvers.batch.kernels`.
        lanes: see there.
    """
    spent, ends = 0, cells.ends
    while lanes.place[ENDED] < cells.y.shape[0] and spent < limits.budget:
        fill(cells, lanes)
        expand(lanes)
        for lane in range(WIDTH):
            i = lanes.cells[lane]
            if i >= 0:
                one, control, state, scratch = one_problem(task, rules, cells, lanes, i, lane)
                lanes.step[lane], lanes.later[lane] = plan(one, control, state, (), scratch, lanes.t[lane])
        advance(lanes)
        for lane in range(WIDTH):
            i = lanes.cells[lane]
            if i < 0:
                continue
            one, control, state, scratch = one_problem(task, rules, cells, lanes, i, lane)
            accepted, tried, code = integrate(
                prepare, planned, attempt, give_up, one, control, state, (), scratch, rows, 1
            )
            spent += 1
            ends[i, 0] += accepted
            ends[i, 1] += tried
            if code == RUNNING and ends[i, 1] >= limits.most:
                code = TOO_MANY
            if code != RUNNING:
                ends[i, 2] = code
                lanes.cells[lane] = -1
                lanes.place[ENDED] += 1
    return lanes.place[ENDED]
