"""What paper 5 says of E1's equations before it solves them, judged."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from robots.model.finding import Finding, agrees
from robots.model.study import Row
from robots.simulation.run import Run

NEAR = 1e-3
"""Times this close to the ends of the move, and twice as close, show the power with which it begins [s]."""


def theory(usual: Run, ida: Sequence[Row]) -> tuple[Finding, ...]:
    """The findings.

    Args:
        usual: E1 as published.
        ida: rows of the table of IDA: formulation, status.
    """
    return _reference(usual), _solvers(ida)


def _reference(usual: Run) -> Finding:
    """How smoothly the reference begins and ends."""
    robot, end = usual.robot, float(str(usual.scenario.task["move_time"]))
    times = np.array([0.0, NEAR, 2.0 * NEAR, end - 2.0 * NEAR, end - NEAR, end])
    height = robot.wanted(usual.scenario, times)[:, 1]  # type: ignore[attr-defined]
    powers = [
        math.log2((height[2] - height[0]) / (height[1] - height[0])),
        math.log2((height[5] - height[3]) / (height[5] - height[4])),
    ]
    return Finding(
        "figure 5, derivatives",
        "the first five derivatives of the reference vanish at both ends",
        f"within {1e3 * NEAR:g} to {2e3 * NEAR:g} ms the height departs from its ends as the powers {powers[0]:.2f} "
        f"and {powers[1]:.2f} of time",
        agrees(all(abs(power - 6.0) < 0.2 for power in powers)),
    )


def _solvers(ida: Sequence[Row]) -> Finding:
    """Solvers of variable step and order."""
    solved = [str(row[0]) for row in ida if str(row[1]) == "finished"]
    return Finding(
        "section 8, solvers",
        "no solver of variable step and order has been found that solves these systems",
        f"IDA solves E1 as {', '.join(solved)}" if solved else "IDA solves none of E1's forms",
        agrees(not solved),
        "IDA is free and of today; the paper itself solves (44) by ode15i",
    )
