"""Facts about a flexible arm's run beside its curves: index, zeros, frequencies, conditioning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import ArmstepError
from robots.dynamics.flexible.analysis import Frequencies, Zeros, along, eigenfrequencies
from robots.dynamics.flexible.arm import FlexibleArm
from robots.dynamics.flexible.index import IndexNumbers, index_numbers

if TYPE_CHECKING:
    from robots.simulation.run import Run


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
        zeros=along(build, run.t, run.y, 61),
        frequencies=tuple(eigenfrequencies(build, rest)),
        condition=robot.minimum_phase_condition(scenario, rest),
        matrix=float(np.median(conditions)) if len(conditions) else float("nan"),
        iterations=run.counts.newton_iterations / max(run.counts.steps, 1),
    )
