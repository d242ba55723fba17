"""Problems side by side in the lanes of a vector register."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solvers.batch.kernels import BatchCells, Limits
from solvers.batch.lane_kernels import new_lanes
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.calls import entry
from solvers.stepper import Rows

MANY = 200_000
"""From this many problems on, the kernel is worth the seconds in which it is compiled."""

Advance = Callable[[BatchCells, Limits], int]
"""Goes on with problems; returns how many have ended."""


loaded: set[str] = set()
"""Names of the single runs' kernels whose counterparts for several runs are here."""


def name_of(stepper: KernelStepper) -> str:
    """The name by which its kernel is known."""
    return stepper.kernel.py_func.__module__


def lanes_for(stepper: KernelStepper) -> Advance | None:
    """How to integrate a few hundred problems like that of the stepper; None if there is no such kernel."""
    if stepper.side_by_side is None:
        return None
    kernel, size = stepper.side_by_side(stepper)
    loaded.add(name_of(stepper))
    dimension, series = stepper.problem.dimension, stepper.scratch[1]
    assert isinstance(series, np.ndarray)
    lanes = new_lanes(dimension, len(stepper.problem.params), series.shape[1] - 1, size)
    rows = Rows(np.empty(1), np.empty((1, dimension)), np.zeros((1, 4)), np.empty((0, 3)))
    run = entry(kernel)
    return lambda cells, limits: run(stepper.task, stepper.rules, rows, cells, lanes, limits)
