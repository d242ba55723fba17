"""Problems side by side in the lanes of a vector register."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solvers.batch.kernels import BatchCells, Limits
from solvers.batch.lane_kernels import new_lanes
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.calls import entry
from solvers.kernels.loop import TIME
from solvers.stepper import Rows

MANY = 200_000
"""From so many problems on, the kernel is worth the seconds in which it is compiled."""

Advance = Callable[[BatchCells, Limits], int]
"""Goes on with problems; returns how many have ended."""

untrusted: set[str] = set()
"""Kernels that have other bits here than those of single problems, by their names."""
checked: set[str] = set()
"""Kernels whose first problems were compared with single ones."""


def name_of(stepper: KernelStepper) -> str:
    """The name by which such kernels are known."""
    return stepper.kernel.py_func.__module__


def lanes_for(stepper: KernelStepper) -> Advance | None:
    """How to integrate a few hundred problems like that of the stepper; None if there is no such kernel."""
    if stepper.side_by_side is None or name_of(stepper) in untrusted:
        return None
    kernel, size = stepper.side_by_side(stepper)
    dimension, series = stepper.problem.dimension, stepper.scratch[1]
    assert isinstance(series, np.ndarray)
    lanes = new_lanes(dimension, len(stepper.problem.params), series.shape[1] - 1, size)
    rows = Rows(np.empty(1), np.empty((1, dimension)), np.zeros((1, 4)), np.empty((0, 3)))
    run = entry(kernel)
    return lambda cells, limits: run(stepper.task, stepper.rules, rows, cells, lanes, limits)


def same(one: BatchCells, other: BatchCells) -> bool:
    """Whether the problems ended alike, to the last bit."""
    pairs = (
        (one.y, other.y),
        (one.clock[:, TIME], other.clock[:, TIME]),
        (one.tally, other.tally),
        (one.ends[:, :3], other.ends[:, :3]),
    )
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)
