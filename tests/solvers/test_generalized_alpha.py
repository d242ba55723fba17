"""Generalized-alpha and HHT-alpha: a step by scipy, order, the spectral radius, and what it does to fast modes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import fsolve

from assets.errors import BadInput
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.generalized_alpha import GeneralizedAlpha
from tests.solvers.problems import linear, pendulum, two_body, two_body_solution

CASES = [
    *(("generalized-alpha", {"rho_inf": rho}, rho) for rho in (0.0, 0.5, 0.8, 1.0)),
    *(("hht-alpha", {"alpha": alpha}, (1.0 + alpha) / (1.0 - alpha)) for alpha in (-1.0 / 3.0, -0.1)),
]


def method_of(key: str, options: dict[str, float]) -> GeneralizedAlpha:
    method = find_method(key)
    configured = method.configured(method.complete_options(options))
    assert isinstance(configured, GeneralizedAlpha)
    return configured


@pytest.mark.parametrize(("key", "options", "radius"), CASES)
def test_spectral_radius_at_infinity(key: str, options: dict[str, float], radius: float) -> None:
    """As asked for, undamped and damped; A-stable for each value, and L-stable only for 0."""
    stability = method_of(key, options).stability
    assert stability.modulus(np.array([1e6j, -1e6 + 0j])) == pytest.approx([radius, radius], abs=2e-3)
    assert stability.a_stable
    assert stability.l_stable == (radius == 0.0)


@pytest.mark.parametrize(("key", "options", "radius"), CASES)
def test_order(key: str, options: dict[str, float], radius: float) -> None:
    errors = [
        np.abs(integrate(two_body(2.0), find_method(key), FixedStep(h), options=options).final - two_body_solution(2.0))
        for h in (0.004, 0.002)
    ]
    assert math.log2(errors[0].max() / errors[1].max()) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize(
    ("key", "options", "larger"), [(*CASES[0][:2], 7.0), (*CASES[2][:2], 0.5), (*CASES[5][:2], 2.5)]
)
def test_the_error_of_the_inconsistent_start(key: str, options: dict[str, float], larger: float) -> None:
    """Against a start with the acceleration of the time to which it belongs: h^2 in a step, some percent in the end."""
    method = method_of(key, options)
    oscillator = linear(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([math.cos(0.3), -math.sin(0.3)]), 5.0)
    problem = replace(oscillator, positions=1)
    first, errors = [], []
    for h in (0.025, 0.0125):
        run = integrate(problem, find_method(key), FixedStep(h), options=options)
        exact = np.column_stack([np.cos(run.t + 0.3), -np.sin(run.t + 0.3)])
        A = method.amplification(np.array(0.0), np.array(h * h))
        state = [np.array([exact[0, 0], h * exact[0, 1], -h * h * math.cos(0.3 - (method.af - method.am) * h)])]
        for _ in run.t[1:]:
            state.append(A @ state[-1])
        consistent = np.array(state)[:, :2] / [1.0, h]
        first.append((abs(run.y[1, 1] - exact[1, 1]), abs(consistent[1, 1] - exact[1, 1])))
        errors.append(np.abs(run.y - exact)[:, 0].max() / np.abs(consistent - exact)[:, 0].max())
    assert math.log2(first[0][0] / first[1][0]) < 2.6
    assert math.log2(first[0][1] / first[1][1]) == pytest.approx(3.0, abs=0.1)
    assert 100.0 * (errors[1] - 1.0) == pytest.approx(larger, rel=0.2)


@pytest.mark.parametrize(("key", "options", "radius"), CASES)
def test_two_steps_by_scipy(key: str, options: dict[str, float], radius: float) -> None:
    """The published equations for a pendulum, all unknowns at once, acceleration carried over."""
    problem, h = pendulum(0.6), 0.3
    if key == "hht-alpha":
        am, af, g, b = 0.0, -options["alpha"], 0.5 - options["alpha"], 0.25 * (1.0 - options["alpha"]) ** 2
    else:
        am, af = (2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0)
        g, b = 0.5 - am + af, 0.25 * (1.0 - am + af) ** 2

    def force(q: float) -> float:
        return -problem.params[0] * math.sin(q)

    q, v = problem.initial
    a = force(q)
    for _ in range(2):

        def gaps(x: np.ndarray, q: float = q, v: float = v, a: float = a) -> list[float]:
            return [
                x[0] - q - h * v - h * h * ((0.5 - b) * a + b * x[2]),
                x[1] - v - h * ((1.0 - g) * a + g * x[2]),
                (1.0 - am) * x[2] + am * a - (1.0 - af) * force(x[0]) - af * force(q),
            ]

        q, v, a = np.asarray(fsolve(gaps, [q, v, a], xtol=1e-12)).tolist()
    run = integrate(problem, find_method(key), FixedStep(h), options=options)
    assert run.final == pytest.approx([q, v], abs=1e-10)


def test_radius_one_is_the_trapezoidal_rule() -> None:
    ours = integrate(pendulum(3.0), find_method("generalized-alpha"), FixedStep(0.01), options={"rho_inf": 1.0})
    other = integrate(pendulum(3.0), find_method("trapezoidal"), FixedStep(0.01))
    assert np.abs(ours.y - other.y).max() < 1e-11


@pytest.mark.parametrize(("key", "options", "radius"), CASES)
def test_fast_modes_and_counts(key: str, options: dict[str, float], radius: float) -> None:
    """Each step multiplies (q, h v, h^2 a) by the matrix that the stability region is made of."""
    method, h, w = method_of(key, options), 0.1, 300.0
    plain = linear(np.array([[0.0, 1.0], [-(w**2), -2.0]]), np.array([1.0, 0.5]), 3.0)
    oscillator = replace(plain, positions=1)
    run = integrate(oscillator, method, FixedStep(h), options=options)
    A = method.amplification(np.array(-2.0 * h), np.array((w * h) ** 2))
    wanted = np.linalg.matrix_power(A, 30) @ np.array([1.0, h * 0.5, h**2 * (-(w**2) - 1.0)])
    assert run.final == pytest.approx([wanted[0], wanted[1] / h], rel=1e-6, abs=1e-8)
    assert (run.counts.jacobian_evaluations, run.counts.factorisations) == (30, 30)
    assert run.counts.rhs_evaluations == 30 + run.counts.newton_iterations


def test_refusals() -> None:
    with pytest.raises(BadInput, match="rho_inf"):
        integrate(pendulum(), find_method("generalized-alpha"), FixedStep(0.1), options={"rho_inf": 1.1})
    with pytest.raises(BadInput, match="method"):
        integrate(linear(-np.eye(2), np.ones(2), 1.0), find_method("hht-alpha"), FixedStep(0.1))
