"""Computes runs of a sweep: many at once inside compiled code where that is possible, otherwise one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError, BadInput
from assets.fields import Data
from assets.priority import give_way
from robots.model.registry import robot_of
from robots.model.robot import Robot
from robots.scenario.scenario import Scenario
from robots.simulation.phases import Interval, Phase, intervals
from robots.simulation.reference import Reference, compare_with_reference, reference
from robots.simulation.run import ReferenceErrors, Run
from robots.simulation.simulate import Cancel, errors_along, posed, simulate
from robots.sweeps.sweep import FAILED, NO_MEMORY, REFUSED, Part, Readings, SweepRow
from solvers.control import Control
from solvers.method_registry import find_method
from solvers.status import Status

if TYPE_CHECKING:
    from solvers.problem import OdeProblem
    from solvers.solution import Solution


Result = TypeVar("Result", covariant=True)


class RunResults(Protocol):
    """Takes what is read of runs."""

    @property
    def missing(self) -> NDArray[np.int64]:
        """The numbers of the runs that were not computed, in order, (n,)."""
        ...

    def take(self, part: Part) -> None:
        """Put the results of some runs where they belong."""
        ...


class ManyRuns(Protocol[Result]):
    """Numbered runs, and what is read of each: a `Sweep`, or the members of an ensemble."""

    @property
    def bases(self) -> tuple[Scenario, ...]:
        """The scenarios that the runs start from; those of one base differ in numbers alone."""
        ...

    @property
    def size(self) -> int:
        """How many runs there are."""
        ...

    @property
    def reference(self) -> bool:
        """Whether reference runs are computed."""
        ...

    @property
    def one_by_one(self) -> bool:
        """Whether the runs cannot be computed together."""
        ...

    @property
    def needs_errors(self) -> bool:
        """Whether an error along the run is read."""
        ...

    @property
    def needs_states(self) -> bool:
        """Whether the states along the run are read."""
        ...

    def base_of(self, number: int) -> int:
        """Which of `bases` a run starts from."""
        ...

    def scenario_at(self, number: int) -> Scenario:
        """The scenario of a run. Raises BadInput for values that do not go together."""
        ...

    def read(self, run: Run, errors: ReferenceErrors | None) -> Readings:
        """What is read of a run."""
        ...

    def unread(self) -> Readings:
        """What stands for a run that could not be computed."""
        ...

    def results(self) -> Result:
        """The result before the first run."""
        ...

    def to_data(self) -> Data:
        """All of it as JSON values."""
        ...

    @classmethod
    def from_data(cls, data: Data) -> ManyRuns[Result]:
        """What `to_data` described."""
        ...


Reader = Callable[[Data], ManyRuns[object]]
"""Reads what the `to_data` of many runs described."""


class Runner:
    """Computes runs of one sweep. Several threads may use it.

    Args:
        sweep: the runs.
        cancel: checked during every run; runs that it stops are left out.
    """

    def __init__(self, sweep: ManyRuns[object], cancel: Cancel | None = None) -> None:
        self.sweep, self.cancel = sweep, cancel
        self._reference: tuple[Data, Reference | None] | None = None

    @cached_property
    def batched(self) -> tuple[bool, ...]:
        """Whether the runs of each base of the sweep are looped inside compiled code, which lets other threads work."""
        return tuple(not self.sweep.one_by_one and can_batch(base) for base in self.sweep.bases)

    # A diverged run has states whose energy is not a number.
    @np.errstate(over="ignore", invalid="ignore")
    def rows(self, numbers: Iterable[int]) -> list[SweepRow]:
        """The rows of these runs, without those that were cancelled.

        Raises:
            BadInput: the robot has no readout of that name.
        """
        found, base_of = list[SweepRow](), self.sweep.base_of
        for base, group in groupby(sorted(map(int, numbers), key=base_of), key=base_of):
            mine = list(group)
            try:
                found += self._together(base, mine) if self.batched[base] else self._in_turn(mine)
            except MemoryError:
                # One after another they need less.
                found += self._in_turn(mine)
        return found

    def _in_turn(self, numbers: Iterable[int]) -> Iterator[SweepRow]:
        for number in numbers:
            row = None if self._stopped() else self._row(number)
            if row is None:
                return
            yield row

    def _together(self, base: int, numbers: list[int]) -> list[SweepRow]:
        """The rows of runs with one method, looped inside compiled code."""
        from robots.preparation import lanes
        from solvers.batch.integrate import BatchIntegrator

        scenario, begun, found = self.sweep.bases[base], dict[int, Interval](), list[SweepRow]()
        batch = BatchIntegrator(
            find_method(scenario.method),
            scenario.options,
            keep=self.sweep.needs_states,
            cancel=self.cancel,
            expected=self.sweep.size if lanes.ready(scenario, self.sweep.size) else 0,
        )
        for number, solution in batch.solve(self._posed(numbers, begun, found)):
            give_way()
            row = self._row(number) if solution is None else self._judged(number, begun.pop(number), solution)
            if row is not None:
                found.append(row)
        return found

    def _posed(
        self, numbers: list[int], begun: dict[int, Interval], refused: list[SweepRow]
    ) -> Iterator[tuple[int, OdeProblem, Control]]:
        """The problems of these runs; those that are refused have their rows at once."""
        from solvers.integrate import check

        for number in numbers:
            give_way()
            try:
                scenario = self.sweep.scenario_at(number)
                interval = intervals(scenario)[0]
                problem, method, control = posed(robot_of(scenario), interval, None)
                check(cast("OdeProblem", problem), method, control)
            except (ArmstepError, MemoryError) as trouble:
                refused.append(self._nothing(number, trouble))
                continue
            begun[number] = interval
            yield number, cast("OdeProblem", problem), control

    def _row(self, number: int) -> SweepRow | None:
        """The row of one run, by `simulate`."""
        try:
            run = simulate(self.sweep.scenario_at(number), cancel=self.cancel, repeat=False)
        except (ArmstepError, MemoryError) as trouble:
            return self._nothing(number, trouble)
        return None if run.status is Status.CANCELLED else self._read(number, run)

    def _judged(self, number: int, interval: Interval, solution: Solution) -> SweepRow | None:
        """The row of a run whose solution is there; its log and its message are not needed."""
        scenario, robot = interval.scenario, robot_of(interval.scenario)
        phases = [Phase(interval, solution, 0, len(solution.t))]
        run = Run(
            scenario=scenario,
            robot=robot,
            status=solution.status,
            message=solution.outcome,
            t=solution.t,
            y=solution.y,
            log=solution.log,
            counts=solution.counts,
            compute_seconds=0.0,
            errors=errors_along(robot, phases, solution.t, solution.y) if self.sweep.needs_errors else {},
            phases=tuple(phases),
        )
        return self._read(number, run)

    def _read(self, number: int, run: Run) -> SweepRow | None:
        """The readouts of a run; None if it was cancelled meanwhile."""
        try:
            exact = self._exact(run.scenario) if self.sweep.reference else None
        except (ArmstepError, MemoryError) as trouble:
            return self._nothing(number, trouble)
        if self._stopped():
            return None
        errors = compare_with_reference(run, exact) if exact else None
        return SweepRow(number, run.status.value, self.sweep.read(run, errors))

    def _nothing(self, number: int, trouble: Exception) -> SweepRow:
        """The row of a run that could not be computed."""
        short = isinstance(trouble, MemoryError)
        status = REFUSED if isinstance(trouble, BadInput) else NO_MEMORY if short else FAILED
        return SweepRow(number, status, self.sweep.unread())

    def _exact(self, scenario: Scenario) -> Reference | None:
        """The reference; neighbours often have the same one."""
        physics, known = scenario.physics(), self._reference
        if known is None or known[0] != physics:
            known = self._reference = physics, reference(scenario, cancel=self.cancel)
        return known[1]

    def _stopped(self) -> bool:
        return bool(self.cancel and self.cancel())


def can_batch(scenario: Scenario) -> bool:
    """Whether runs of this kind can be looped inside compiled code: one phase, a scheme and a kernel of ours."""
    from solvers.batch.integrate import batched
    from solvers.problem import OdeProblem

    robot = robot_of(scenario)
    plain = type(robot).integrate is Robot.integrate or robot.only_notes
    if not plain or len(intervals(scenario)) != 1 or robot.stops(scenario) is not None:
        return False
    problem, method, control = posed(robot, intervals(scenario)[0], None)
    return isinstance(problem, OdeProblem) and batched(method, problem, control, scenario.options)
