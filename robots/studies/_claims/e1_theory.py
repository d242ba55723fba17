"""What paper 5 says of E1's equations before it solves them, judged."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from robots.dynamics.flexible.analysis import linearise
from robots.dynamics.flexible.index import index_numbers
from robots.model.finding import NOT_COMPARABLE, Finding, agrees
from robots.model.registry import robot_of
from robots.model.robot import Array
from robots.model.study import Row
from robots.scenario.presets import find_preset
from robots.simulation.run import Run

NEAR = 1e-3
"""Times this close to the ends of the move, and twice as close, show the power with which it begins [s]."""
RATE, AMID = 30.0, 0.04
"""A rate near the arm's own, at which its pencil is not singular [1/s], and a time of its motion [s]."""


def theory(usual: Run, ida: Sequence[Row]) -> tuple[Finding, ...]:
    """The findings.

    Args:
        usual: E1 as published.
        ida: rows of the table of IDA: formulation, status.
    """
    return _reference(usual), _balance(usual), _complete(), _solvers(ida)


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


def _balance(usual: Run) -> Finding:
    """The index with and without the motor's balance, whose torque nothing else contains, of E1 linearised at rest."""
    build, rest = usual.robot.build(usual.scenario), usual.robot.guess(usual.scenario)  # type: ignore[attr-defined]
    arm = linearise(build, rest)
    n, motors, outputs = build.coordinates, arm.inputs.shape[1], len(arm.outputs)
    size = 2 * n + motors
    by_rates, by_states = np.zeros((2 * n + outputs, size)), np.zeros((2 * n + outputs, size))
    by_rates[:n, :n], by_states[:n, n : 2 * n] = np.eye(n), -np.eye(n)
    by_rates[n : 2 * n, n : 2 * n] = arm.mass
    by_states[n : 2 * n] = np.hstack([arm.stiffness, arm.damping, -arm.inputs])
    by_states[2 * n :, :n] = arm.outputs
    kept = [row for row in range(2 * n + outputs) if not by_states[row, 2 * n :].any()]
    whole, reduced = _index(by_rates, by_states), _index(by_rates[kept, : 2 * n], by_states[kept, : 2 * n])
    return Finding(
        "section 5, motor's balance",
        "without the motor's torque balance the index is one lower: E1's falls from 3 to 2",
        f"index {whole} with it and {reduced} without, of E1 linearised at rest, by the ranks of a pencil's powers",
        agrees((whole, reduced) == (3, 2)),
    )


def _index(by_rates: Array, by_states: Array) -> int:
    """The index of the linear equations with these square matrices of x' and x."""
    both = np.hstack([by_rates * RATE, by_states])
    scales = np.abs(both).max(axis=1, keepdims=True)
    units = np.abs((RATE * by_rates + by_states) / scales).max(axis=0)
    first, other = by_rates * RATE / scales / units, by_states / scales / units
    once = np.linalg.solve(first + other, first)
    power, before = np.eye(len(once)), len(once)
    for index in range(len(once) + 1):
        power = power @ once
        rank = int(np.linalg.matrix_rank(power, tol=1e-10))
        if rank == before:
            return index
        before = rank
    raise AssertionError("ranks of powers cannot fall forever")


def _complete() -> Finding:
    """The index numbers of the complete model."""
    scenario = find_preset("e1-complete")
    robot = robot_of(scenario)
    build, move, rest = robot.build(scenario), robot.move(scenario), robot.guess(scenario)  # type: ignore[attr-defined]
    numbers = index_numbers(build, move, rest, AMID)
    return Finding(
        "section 5.1.2",
        "the complete E1 has two algebraic and two differential variables and strangeness index 1",
        numbers.text,
        agrees((numbers.strangeness, numbers.algebraic, numbers.differential) == (1, 2, 2)),
    )


def _solvers(ida: Sequence[Row]) -> Finding:
    """Solvers of variable step and order."""
    solved = [str(row[0]) for row in ida if str(row[1]) == "finished"]
    return Finding(
        "section 8, solvers",
        "no commercial solver that solves these systems has been found; all that were tried vary step and order",
        f"IDA, which varies both, solves E1 as {', '.join(solved)}" if solved else "IDA solves none of E1's forms",
        NOT_COMPARABLE,
        "IDA is free and current. That step and order vary is no obstacle: the paper itself solves DD by ode15i",
    )
