"""Equations in elementary operations: the same numbers as the compiled right-hand side, wherever a robot has both."""

from __future__ import annotations

import numpy as np
import pytest

from assets.errors import BadInput
from robots.dynamics.flexible import forward as flexible_forward
from robots.dynamics.flexible.arm import FlexibleArm
from robots.model.registry import find_robot
from robots.scenario.presets import presets
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from solvers.kernels import taylor as kernels
from solvers.methods.taylor import formula, scratch
from solvers.problem import OdeProblem

CASES = {
    "rr": presets()["rr-swing"],
    "rr-constant": presets()["rr-swing"].with_values({"task.torque": "constant", "task.tau1": 3.0, "task.tau2": -1.5}),
    "rr-pd": presets()["rr-pd"],
    "double-pendulum": presets()["double-pendulum"],
    "beam-printed": presets()["beam"],
    "beam-modes": presets()["beam"].with_value("task.form", "modes"),
    **{key: presets()[key] for key in ("panda-drop", "panda-hold", "xarm7-stiff")},
    "scara": presets()["scara-pick"].with_values({"task.torque": "constant", "task.tau3": 2.0}),
}


def problem_of(scenario: Scenario) -> OdeProblem:
    return find_robot(scenario.robot).problem(scenario)


@pytest.mark.parametrize("case", CASES)
def test_the_operations_are_the_right_hand_side(case):
    problem = problem_of(CASES[case])
    series = formula(problem, {"order": 1, "velocity_order": 1})
    memory = scratch(series, problem.dimension)
    params, random = np.array(problem.params), np.random.default_rng(3)
    for _ in range(50):
        y, expected = random.normal(scale=3.0, size=problem.dimension), np.empty(problem.dimension)
        problem.rhs(0.2, y, params, expected)
        kernels.expand(series.tape, params, 0.2, y, 1, memory.x, memory.series)
        assert np.allclose(memory.series[:, 1], expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


DRIVEN = {
    "e12": {},
    "e12-feedback": {"task.kp": 1e4, "task.kd": 1e3},
    "e12-linearised": {"task.dynamics": "linearised"},
    "two-springs": {},
    "e1": {"robot.print": "printed", "task.forward": "zero-order"},
    "e1-complete": {"task.kp": 1e5},
}


@pytest.mark.parametrize("case", DRIVEN)
def test_a_driven_arm_needs_the_torques_that_drive_it(case):
    """The accelerations put into the inverse dynamics of the chain give back springs, dampers and motors' torques."""
    robot = find_robot(case if case in ("two-springs", "e1-complete") else case.split("-")[0])
    preset = next(one for one in presets().values() if one.robot == robot.key)
    assert isinstance(robot, FlexibleArm)
    scenario = preset.with_values({"task.forward": "linear", "duration": 0.1} | DRIVEN[case])
    run, build = simulate(scenario), robot.build(scenario)
    problem = flexible_forward.driven_problem(build, scenario, run.t, run.y)
    n, N, half, random = build.joints, build.actuated, build.coordinates, np.random.default_rng(4)
    hold = scenario.task["forward"] == "zero-order"
    order = np.argsort(build.motor_of)[n - N :]
    for t in (0.0, 0.0313, 0.0999):
        y, dy = random.normal(scale=0.7, size=2 * half), np.empty(2 * half)
        problem.rhs(t, y, np.array(problem.params), dy)
        np.testing.assert_array_equal(dy[:half], y[half:])
        row = int(t / scenario.step + 1e-9)
        angles, rates = (n + np.arange(N),) * 2 if build.gears else (order, order)

        def now(columns, row=row, t=t):
            return columns[row] if hold else [np.interp(t, run.t, column) for column in columns.T]

        u = now(run.y[:, -N:]) + float(scenario.task["kp"]) * (now(run.y[:, angles]) - y[angles])
        u = u + float(scenario.task["kd"]) * (now(run.y[:, half + rates]) - y[half + rates])
        twist = build.stiffness * y[:n] + build.damping * y[half : half + n]
        applied = -twist
        if build.gears:
            motors = build.stiffness[order] * y[angles] + build.damping[order] * y[half + angles]
            applied[order] += motors
            needed = build.motor_inertias * dy[half + angles]
            assert needed == pytest.approx(u + twist[order] - motors, rel=1e-10)
        else:
            applied[order] = u + (twist[build.motor_of < 0].sum() if build.printed else 0.0)
        load = build.torque(y[:n], y[half : half + n], dy[half : half + n])[0]
        assert load == pytest.approx(applied, rel=1e-9, abs=1e-10 * np.abs(applied).max())


def test_an_implicit_method_drives_the_arm_without_a_specialised_kernel():
    wanted = {"task.forward": "linear", "task.forward_method": "radau5", "task.forward_specialised": True}
    with pytest.raises(BadInput, match=r"task\.forward_specialised.*rk4"):
        presets()["e12"].with_values(wanted)
