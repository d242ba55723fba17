"""Equations in elementary operations: the same numbers as the compiled right-hand side, wherever a robot has both."""

from __future__ import annotations

import numpy as np
import pytest

from robots.catalogue import find_robot
from robots.presets import presets
from robots.scenario import Scenario
from solvers.kernels import taylor as kernels
from solvers.methods.taylor import arrays, scratch
from solvers.problem import OdeProblem

CASES = {
    "rr": presets()["rr-swing"],
    "rr-constant": presets()["rr-swing"].with_values({"task.torque": "constant", "task.tau1": 3.0, "task.tau2": -1.5}),
    "rr-pd": presets()["rr-pd"],
    "double-pendulum": presets()["double-pendulum"],
    "beam-printed": presets()["beam"],
    "beam-modes": presets()["beam"].with_value("task.form", "modes"),
}


def problem_of(scenario: Scenario) -> OdeProblem:
    return find_robot(scenario.robot).problem(scenario)


@pytest.mark.parametrize("case", CASES)
def test_the_operations_are_the_right_hand_side(case):
    problem = problem_of(CASES[case])
    tape, nodes = arrays(problem)
    *_, x, series = scratch(problem.dimension, nodes, 1)
    params, random = np.array(problem.params), np.random.default_rng(3)
    for _ in range(50):
        y, expected = random.normal(scale=3.0, size=problem.dimension), np.empty(problem.dimension)
        problem.rhs(0.2, y, params, expected)
        kernels.expand(tape, params, 0.2, y, 1, x, series)
        assert np.allclose(series[:, 1], expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
