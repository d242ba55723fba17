"""Facts about a flexible arm's run beside its curves: index, zeros, frequencies, conditioning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import ArmstepError
from robots.dynamics.flexible.analysis import Frequencies, Zeros, at_postures, eigenfrequencies, postures
from robots.dynamics.flexible.arm import FlexibleArm
from robots.dynamics.flexible.index import IndexNumbers, index_numbers
from robots.dynamics.flexible.structure import Build
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.simulation.run import Run

POSTURES = 61


@dataclass(frozen=True, slots=True, eq=False)
class RunAnalysis:
    """The facts.

    Attributes:
        index: the rank tests' numbers, or None where they failed.
        trouble: why they failed.
        zeros: poles and zeros along the run.
        frequencies: at the posture at rest, for every choice of held motors.
        condition: the closed-form stability condition of the zero dynamics and its value, above 0 if stable.
        matrix: condition number of the iteration matrix, median over the steps; nan where the method reports none.
        iterations: of Newton per step, mean.
    """

    index: IndexNumbers | None
    trouble: str
    zeros: Zeros
    frequencies: tuple[Frequencies, ...]
    condition: tuple[str, str, float]
    matrix: float
    iterations: float


def analyse(run: Run) -> RunAnalysis | None:
    """The facts about a run; None for other robots."""
    robot, scenario = run.robot, run.scenario
    if not isinstance(robot, FlexibleArm):
        return None
    build, move = robot.build(scenario), robot.move(scenario)
    rest = run.y[0, : build.joints]
    numbers, trouble = None, ""
    try:
        numbers = index_numbers(build, move, rest, 0.4 * move.time)
    except ArmstepError as error:
        trouble = str(error)
    conditions = run.log.condition[run.log.accepted & (run.log.condition > 0.0)]
    return RunAnalysis(
        index=numbers,
        trouble=trouble,
        zeros=zeros_along(run),
        frequencies=tuple(eigenfrequencies(build, rest)),
        condition=robot.minimum_phase_condition(scenario, rest),
        matrix=float(np.median(conditions)) if len(conditions) else float("nan"),
        iterations=run.counts.newton_iterations / max(run.counts.steps, 1),
    )


def zeros_along(run: Run, times: Array | None = None) -> Zeros:
    """Poles and zeros of a run of an arm that bends at `times` (m,) [s], or at some of its postures.

    Each is of the arm as it is at that time: an edit from the playhead on may change it during the run.
    """
    rows = postures(len(run.t), POSTURES)
    t, y = (run.t[rows], run.y[rows]) if times is None else (times, run.sample(times))
    robot, built, builds = run.robot, dict[int, Build](), list[Build]()
    assert isinstance(robot, FlexibleArm)
    for phase in map(run.phase_at, t.tolist()):
        if id(phase) not in built:
            built[id(phase)] = robot.build(phase.scenario)
        builds.append(built[id(phase)])
    return at_postures(builds, t, y)
