"""The loop over problems that are integrated side by side, each in a lane of the processor's vector registers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.batch.kernels import CELLS, LIMITS
from solvers.codes import RUNNING, TOO_MANY
from solvers.kernels.loop import ROWS, RULES, TASK, TIME, Rules, State, Task, bundle, give_up, integrate
from solvers.kernels.parts.lane_arithmetic import WIDTH
from solvers.kernels.signatures import INDICES, VECTOR, compiled, f8, i8, void


class LaneMemory(NamedTuple):
    """The problems in the lanes, and working memory.

    Attributes:
        cells: the problem in each lane, or -1, (WIDTH,).
        place: the next problem, and how many have ended, (2,).
        t, y, params: of each lane: (1, WIDTH), (d, WIDTH), (p, WIDTH), flat.
        work: of the kernel, flat.
        series: coefficients, (d, degree + 1, WIDTH).
        after, sizes: see `State` and `solvers.kernels.taylor.Scratch`.
    """

    cells: np.ndarray
    place: np.ndarray
    t: np.ndarray
    y: np.ndarray
    params: np.ndarray
    work: np.ndarray
    series: np.ndarray
    after: np.ndarray
    sizes: np.ndarray


class Scratch(NamedTuple):
    """What the steps of one lane need, as in `solvers.kernels.taylor.Scratch`."""

    series: np.ndarray
    sizes: np.ndarray


LANE_MEMORY = bundle(LaneMemory, INDICES, INDICES, VECTOR, VECTOR, VECTOR, VECTOR, f8[:, :, ::1], VECTOR, VECTOR)
NEXT, ENDED = range(2)

lanes_function = compiled(void(LANE_MEMORY), fastmath={"contract"})
"""Compiles `expand(lanes)`."""

lanes_kernel = compiled(i8(TASK, RULES, ROWS, CELLS, LANE_MEMORY, LIMITS), fastmath={"contract"})
"""Compiles `run(task, rules, rows, cells, lanes, limits)`."""


def new_lanes(dimension: int, parameters: int, degree: int, size: int) -> LaneMemory:
    """Empty lanes for problems of one kind and a kernel that needs `size` vectors of memory."""
    return LaneMemory(
        cells=np.full(WIDTH, -1, np.int64),
        place=np.zeros(2, np.int64),
        t=np.zeros(WIDTH),
        y=np.zeros(dimension * WIDTH),
        params=np.zeros(parameters * WIDTH),
        work=_aligned(size * WIDTH),
        series=_aligned(dimension * (degree + 1) * WIDTH).reshape(dimension, degree + 1, WIDTH),
        after=np.zeros(dimension),
        sizes=np.zeros(2),
    )


def _aligned(size: int) -> np.ndarray:
    """Zeros that begin where a vector does: others take twice as long to load."""
    whole = np.zeros(size + WIDTH)
    first = -(whole.ctypes.data // whole.itemsize) % WIDTH
    return whole[first : first + size]


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
            for j in range(parameters):
                lanes.params[j * WIDTH + lane] = cells.params[i, j]
        if i >= 0:
            lanes.t[lane] = cells.clock[i, TIME]
            for j in range(dimension):
                lanes.y[j * WIDTH + lane] = cells.y[i, j]


@njit(inline="always")
def integrate_lanes(expand, prepare, plan, attempt, task, rules, rows, cells, lanes, limits):
    """Go on with the problems in the lanes and those after them; returns how many have ended.

    Args:
        expand: computes the series of all lanes.
        prepare, plan, attempt: of the one loop, for a single lane whose series is there.
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
            if i < 0:
                continue
            spans, own = cells.spans[i], cells.rules[i]
            one = Task(
                task.rhs,
                task.begin,
                task.jacobian,
                cells.params[i],
                spans[0],
                spans[1],
                spans[2],
                spans[3],
                int(spans[4]),
            )
            control = Rules(rules.kind, own[0], own[1], own[2], own[3])
            state = State(cells.clock[i], cells.y[i], lanes.after, cells.memory[i], cells.tally[i])
            scratch = Scratch(lanes.series[:, :, lane], lanes.sizes)
            accepted, tried, code = integrate(
                prepare, plan, attempt, give_up, one, control, state, (), scratch, rows, 1
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
