"""The spinning top and Munthe-Kaas methods: elliptic functions, rotation matrices, unit length, order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

from robots.dynamics.multibody.frames import body_frames
from robots.model.registry import find_robot
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.sweeps.run_numbers import run_number
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from tests.solvers.problems import turning

# A brick about its centre, close to turning about its middle axis.
J1, J2, J3, W1, W3 = 0.01, 0.02, 0.03, 1.7, 1.0
BRICK = {"robot.l": 0.0, "robot.J1": J1, "robot.J2": J2, "robot.J3": J3}
RATES = {"initial.w1": W1, "initial.w2": 0.0, "initial.w3": W3}
METHODS = ["munthe-kaas4", "munthe-kaas54"]


def top(method: str = "munthe-kaas4", **values: Any) -> Scenario:
    return new_scenario("top").with_values({"method": method, **values})


def brick(method: str = "munthe-kaas4", **values: Any) -> Scenario:
    return top(method, **BRICK, **RATES, **values)


def attitudes(run: Run) -> Rotation:
    return Rotation.from_matrix(body_frames(np.hstack([np.zeros((len(run.y), 3)), run.y[:, :4]]))[:, 0, :3, :3])


def free_rates(t: np.ndarray) -> np.ndarray:
    """Of the brick, (n, 3).

    Source: L. D. Landau, E. M. Lifshitz, Mechanics (1976), section 37.
    """
    twice, square = J1 * W1**2 + J3 * W3**2, (J1 * W1) ** 2 + (J3 * W3) ** 2
    assert square > twice * J2
    speed = math.sqrt((J3 - J2) * (square - twice * J1) / (J1 * J2 * J3))
    m = (J2 - J1) * (twice * J3 - square) / ((J3 - J2) * (square - twice * J1))
    sn, cn, dn, _ = ellipj(speed * t, m)
    first, second = (math.sqrt((twice * J3 - square) / (J * (J3 - J))) for J in (J1, J2))
    third = math.sqrt((square - twice * J1) / (J3 * (J3 - J1)))
    return np.column_stack([first * cn, second * sn, third * dn])


@pytest.mark.parametrize("key", METHODS)
def test_a_free_body_and_elliptic_functions(key: str) -> None:
    """The rates as Jacobi found them; the attitude as rotation matrices with these rates; the order of both."""
    errors, found = [], []
    start = attitudes(simulate(brick(key, step=1.0, duration=1.0)))[0].as_matrix()
    turned = solve_ivp(
        lambda t, r: (r.reshape(3, 3) @ _cross(free_rates(np.array([t]))[0])).ravel(),
        (0.0, 10.0),
        start.ravel(),
        method="DOP853",
        rtol=1e-11,
        atol=1e-11,
    )
    last = Rotation.from_matrix(turned.y[:, -1].reshape(3, 3))
    for step in (0.1, 0.05, 0.025, 0.0125):
        run = simulate(brick(key, step=step, duration=10.0))
        exact = free_rates(run.t)
        assert exact[:, 1].max() > 1.0
        errors.append(np.abs(run.y[:, 4:] - exact).max())
        found.append((attitudes(run)[-1] * last.inv()).magnitude())
    order = find_method(key).order
    assert math.log2(errors[2] / errors[3]) == pytest.approx(order, abs=0.2)
    assert math.log2(found[0] / found[1]) > order - 0.2
    assert found[3] < 1e-7


def _cross(w: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


@pytest.mark.parametrize("key", METHODS)
def test_a_heavy_top_nods_as_lagrange_found(key: str) -> None:
    """Let go with spin alone, its third axis nods between two heights, by Jacobi's elliptic functions."""
    m, l, g, A, C, spin, tilt = 1.0, 0.15, 9.81, 0.025, 0.004, 120.0, 0.5
    run = simulate(top(key, rtol=1e-10, atol=1e-10) if key == "munthe-kaas54" else top(key, step=2e-4))
    p0, p1, p2, p3 = run.y[:, :4].T
    height = p0**2 - p1**2 - p2**2 + p3**2
    b, beta, start = C * spin / A, 2.0 * m * g * l / A, math.cos(tilt)
    lowest, third = np.sort(np.roots([-beta, b * b, beta - b * b * start]).real)
    ratio = (start - lowest) / (third - lowest)
    sn = ellipj(ellipk(ratio) - 0.5 * math.sqrt(beta * (third - lowest)) * run.t, ratio)[0]
    assert start - lowest > 0.05
    assert np.abs(height - (lowest + (start - lowest) * sn**2)).max() < 1e-6
    assert np.abs(run.y[:, 6] - spin).max() < 1e-9


@pytest.mark.parametrize("key", METHODS)
def test_unit_length_for_very_long(key: str) -> None:
    """A hundred thousand steps of any length leave the Euler parameters on the unit sphere; Runge-Kutta leaves it."""
    problem = find_robot("top").problem(brick(duration=1e4))
    assert isinstance(problem, OdeProblem)
    run = integrate(problem, find_method(key), FixedStep(0.1))
    assert len(run.t) == 100_001
    assert np.abs(np.linalg.norm(run.y[:, :4], axis=1) - 1.0).max() < 1e-12
    plain = integrate(problem, find_method("rk4" if key == "munthe-kaas4" else "dopri5"), FixedStep(0.1))
    assert np.abs(np.linalg.norm(plain.y[:, :4], axis=1) - 1.0).max() > 1e-6


def test_turning_about_one_axis_is_exact() -> None:
    """At a constant rate a step of any length below a full turn is right to round-off."""
    run = simulate(top("munthe-kaas4", **{"robot.l": 0.0, "initial.w3": 5.0, "step": 1.0, "duration": 50.0}))
    half = 2.5 * run.t
    start = run.y[0]
    exact = np.column_stack([start[0] * np.cos(half), start[1] * np.cos(half)])
    assert np.abs(run.y[:, :2] - exact).max() < 1e-12
    assert run.max_error["unit_length_1"] < 1e-13


def test_counts_and_errors_of_a_pair() -> None:
    """As Dormand-Prince: six evaluations per step and one; the estimate is the difference of two solutions."""
    errors = []
    for step in (0.1, 0.05):
        run = integrate(turning(1.0), find_method("munthe-kaas54"), FixedStep(step))
        assert run.counts.rhs_evaluations == 6 * round(1.0 / step) + 1
        errors.append(run.log.error[0])
    assert math.log2(errors[0] / errors[1]) == pytest.approx(5.0, abs=0.2)


def test_names_units_and_attitude_error() -> None:
    """The angle between attitudes counts p and -p as one."""
    robot, scenario = find_robot("top"), top()
    y = np.array([[1.0, 0, 0, 0, 0, 0, 0], [-1.0, 0, 0, 0, 0, 0, 0], [math.cos(0.05), math.sin(0.05), 0, 0, 0, 0, 0]])
    angles = robot.reference_errors(scenario, np.zeros(3), y, np.tile(y[0], (3, 1)))["reference_turn_rad"]
    assert angles == pytest.approx([0.0, 0.0, 0.1], abs=1e-14)
    assert (robot.unit("w1"), robot.unit("p0")) == ("rad/s", "")
    assert set(robot.series(scenario, np.zeros(3), y)) == {"tilt", "rates", "parameters", "energy"}


def test_a_run_beside_an_upright_top_leaves_it_at_the_rate_of_the_linearised_top():
    """The lean z, a complex number, grows below a spin of some 5,500 degrees/s: J1 z" - i J3 s z' = m g l z."""
    upright = top(**{"initial.tilt": 0.0, "initial.w3": math.radians(4500.0)})
    p = {key: float(value) for key, value in upright.parameters.items()}
    half = p["J3"] * math.radians(4500.0) / (2.0 * p["J1"])
    rate = math.sqrt(p["m"] * p["g"] * p["l"] / p["J1"] - half**2)
    assert rate == pytest.approx(4.402, abs=1e-3)
    early, late = (run_number("lyapunov").of(simulate(upright.with_value("duration", t))) * t for t in (1.5, 2.5))
    assert late - early == pytest.approx(rate, abs=0.01), "once it has left what its start happens to be"
    fast = simulate(upright.with_values({"initial.w3": math.radians(6500.0)}))
    assert run_number("lyapunov").of(fast) < 1.0
    assert run_number("order").of(simulate(top(duration=1.0))) == pytest.approx(4.0, abs=0.2)
