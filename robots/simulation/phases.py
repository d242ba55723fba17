"""A run's phases: something jumps between two of them, nothing within one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from robots.model.registry import robot_of
from robots.model.robot import Array, Problem
from robots.model.sampling import HeldTorques
from robots.model.segments import Pull
from robots.scenario.scenario import Scenario
from solvers.solution import Solution

if TYPE_CHECKING:
    from robots.simulation.impacts import Impact

BLOCK_ROWS, BLOCK_NUMBERS = 16_384, 2**20
"""At most so many rows of a run at once, and numbers in them, are turned into poses, errors and quantities."""


@dataclass(frozen=True, slots=True)
class Interval:
    """[start, end] [s] with one scenario, without segments, and at most one pull. `remark` says what its changes bring.

    Joints in `resting`, by their place in the state, rest against their stops. It is `cut` if only an impact on a stop,
    or a joint that leaves one, separates it from what was before.
    """

    start: float
    end: float
    scenario: Scenario
    pull: Pull | None = None
    remark: str = ""
    resting: tuple[int, ...] = ()
    cut: bool = False

    @property
    def span(self) -> float:
        """Its length [s]."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """An interval with its solution, the rows [first, last) that it gives a run, and the impacts at its start."""

    interval: Interval
    solution: Solution
    first: int
    last: int
    impacts: tuple[Impact, ...] = ()

    @classmethod
    def after(
        cls, before: Sequence[Phase], interval: Interval, solution: Solution, impacts: Sequence[Impact] = ()
    ) -> Phase:
        """The phase that follows those `before`: its first row is their last one."""
        first = before[-1].last if before else 0
        return cls(interval, solution, first, first + len(solution.t) - (1 if before else 0), tuple(impacts))

    @property
    def start(self) -> float:
        """Its start [s]."""
        return self.interval.start

    @property
    def scenario(self) -> Scenario:
        """The scenario during it."""
        return self.interval.scenario

    @property
    def pull(self) -> Pull | None:
        """The pull that acts during it, if any."""
        return self.interval.pull

    @property
    def held(self) -> HeldTorques | None:
        """The torques of a sampled control up to its end; None where nothing is sampled."""
        params = self.solution.params
        sampled = robot_of(self.scenario).sampling(self.scenario) is not None
        return HeldTorques.of(params) if sampled and params is not None else None

    def problem(self) -> Problem:
        """Its equations, with the torques that were held."""
        problem = robot_of(self.scenario).at_rest(self.scenario, self.pull, self.interval.resting)
        assert problem is not None
        return problem if self.held is None else replace(problem, params=self.solution.params)


def blocks(phases: Sequence[Phase], width: int) -> Iterator[tuple[Phase, slice]]:
    """The phases of a run with their rows, many rows cut into pieces: what is made of one piece takes little memory.

    Args:
        phases: of the run, in order.
        width: how many numbers a row has.
    """
    rows = max(1, min(BLOCK_ROWS, BLOCK_NUMBERS // max(width, 1)))
    for phase in phases:
        for first in range(phase.first, max(phase.last, phase.first + 1), rows):
            yield phase, slice(first, min(first + rows, phase.last))


def along(phases: Sequence[Phase], values_of: Callable[..., Mapping[str, Array]], *columns: Array) -> dict[str, Array]:
    """What each phase gives by name, at all rows of a run, (n,) each; nan in phases that lack it.

    Args:
        phases: of the run, in order.
        values_of: the values of a phase, from its scenario and its rows of the columns.
        columns: times (n,), states (n, d) and the like at the rows of the run.
    """
    found: dict[str, Array] = {}
    for phase, rows in blocks(phases, max(column[0].size for column in columns)):
        for name, values in values_of(phase.scenario, *(column[rows] for column in columns)).items():
            found.setdefault(name, np.full(len(columns[0]), np.nan))[rows] = values
    return found


def intervals(scenario: Scenario) -> list[Interval]:
    """The intervals of a scenario's run, in order, covering [0, duration] without gaps."""
    if not scenario.segments:
        return [Interval(0.0, scenario.duration, scenario)]
    now, found = scenario.without_segments(), []
    marks = {0.0, scenario.duration}
    for segment in scenario.segments:
        marks |= {segment.at} | ({segment.pull.end} if segment.pull else set())
    times = sorted(mark for mark in marks if 0.0 <= mark <= scenario.duration)
    waiting = sorted(scenario.segments, key=lambda segment: segment.at)
    for start, end in pairwise(times):
        remark = ""
        while waiting and waiting[0].at <= start:
            changes = waiting.pop(0).changes
            if changes:
                now, remark = now.edited(changes)
        acting = (s.pull for s in scenario.segments if s.pull and s.pull.start <= start < s.pull.end)
        found.append(Interval(start, end, now, next(acting, None), remark))
    return found
