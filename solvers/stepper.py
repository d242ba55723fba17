"""A method at work: the Stepper, and where it writes its results.

Light: numpy only. The kernels are imported when a Stepper is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solvers.problem import Array, OdeProblem


class Rows(NamedTuple):
    """Where a Stepper writes what one slice did; integrate() owns it.

    Attributes:
        t, y: the accepted states, (capacity,) and (capacity, d).
        log: one row (t, h, error, accepted) per attempted step, (capacity, 4).
        work: one row (newton iterations, factorisations, condition number) per attempted step, (capacity, 3); nan where
            a code does not report them. No rows, (0, 3), for explicit methods, which have none of these.
    """

    t: Array
    y: Array
    log: Array
    work: Array

    @classmethod
    def empty(cls, capacity: int, dimension: int) -> Rows:
        """Room for `capacity` attempts."""
        return cls(
            np.empty(capacity), np.empty((capacity, dimension)), np.zeros((capacity, 4)), np.zeros((capacity, 3))
        )


class Slice(NamedTuple):
    """How far one call of `Stepper.advance` came: accepted and attempted steps, and a code of `solvers.codes`."""

    accepted: int
    tried: int
    code: int


@dataclass(slots=True)
class Tally:
    """Work done so far by a Stepper, in calls; nan where a code does not report it."""

    rhs_evaluations: int = 0
    jacobian_evaluations: int = 0
    newton_iterations: int = 0
    factorisations: float = 0


class Stepper(ABC):
    """A method at work on a problem: the only place with scratch memory.

    `start` begins a part of the span in which f is smooth; `advance` makes steps, all inside a compiled kernel.
    """

    # Whether the equations are written into its kernel, or called by it.
    written_out: bool = False

    @property
    @abstractmethod
    def tally(self) -> Tally:
        """The work done so far."""

    @abstractmethod
    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """Begin at (t, y) towards `end`; f is never evaluated later than `ceiling` (f jumps just after it)."""

    @abstractmethod
    def advance(self, attempts: int, rows: Rows) -> Slice:
        """Try up to `attempts` steps."""

    def remember(self) -> Callable[[], None] | None:
        """A function that puts the Stepper back to where it is now, with the work done so far; None if it cannot."""
        return None

    def rates(self) -> Array | None:
        """x' at the start and after every accepted step, (n, d), where the code finds it as it solves F(t, x, x')."""
        return None


def uniform_steps(span: float, step: float) -> int:
    """The number of fixed steps over `span`: span / step if that is whole to 1e-9, otherwise the next one above."""
    ratio = abs(span) / step
    nearest = round(ratio)
    return nearest if nearest > 0 and abs(ratio - nearest) <= 1e-9 * nearest else int(np.ceil(ratio))


def first_slope(problem: OdeProblem, t: float, y: Array, ceiling: float, slope: Array) -> None:
    """Write f(t, y) at the beginning of a step to `slope`, (d,)."""
    if problem.begin_step is not None:
        problem.begin_step(min(t, ceiling), y, problem.params, slope)
    problem.rhs(min(t, ceiling), y, problem.params, slope)
