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


def theory(usual: Run, formulations: dict[str, Row], ida: Sequence[Row]) -> tuple[Finding, ...]:
    """The findings.

    Args:
        usual: E1 as published.
        formulations: rows of the table of run times by the formulation's name: the fourth column is the status.
        ida: rows of the table of IDA: formulation, status.
    """
    return _reference(usual), _derivative(usual, formulations), _solvers(ida)


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


def _derivative(usual: Run, formulations: dict[str, Row]) -> Finding:
    """The derivative of (44) by its highest derivatives, (46)."""
    l1, l2 = (float(usual.scenario.parameters[name]) for name in ("l1", "l2"))
    J12, J22 = (float(usual.scenario.parameters[name]) for name in ("J12", "J22"))
    ranks = set()
    for q1, q2, v1, v2 in usual.y[:: max(1, len(usual.y) // 20), :4]:
        height = l1 * math.cos(q1) + l2 * math.cos(q1 + q2)
        speed = -l1 * math.sin(q1) * v1 - l2 * math.sin(q1 + q2) * (v1 + v2)
        ranks.add(
            int(np.linalg.matrix_rank(np.array([[0, 0, J12, J22], [0, 1, 0, 0], [height, 0, 0, 0], [speed, 0, 0, 0]])))
        )
    solved = formulations["DD44"][3]
    return Finding(
        "equation (46)",
        "by its highest derivatives (44) is singular, and yet it is solved: they do not show solvability",
        f"rank {', '.join(map(str, sorted(ranks)))} of 4 along the motion; BDF 6 at 5 ms: {solved}",
        agrees(ranks == {3} and str(solved) == "finished"),
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
