"""Implicit Runge-Kutta methods: order, stability, stiffness, invariants, counts, failures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.polynomial import Legendre
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.implicit_runge_kutta import ImplicitRungeKutta
from solvers.options import NEWTON_LEFT
from solvers.status import Status
from tests.solvers.problems import (
    backwards,
    growth,
    linear,
    logistic,
    logistic_solution,
    pendulum,
    two_body,
    two_body_solution,
    van_der_pol,
)

KEYS = ["backward-euler", "trapezoidal", "implicit-midpoint", "gauss4", "gauss6", "radau5"]


@pytest.mark.parametrize("key", KEYS)
def test_order_conditions(key: str) -> None:
    """The simplifying assumptions B(p) and C(q) of the tableau."""
    method = find_method(key)
    assert isinstance(method, ImplicitRungeKutta)
    A, b = method.formula.A, method.formula.b
    c = A.sum(axis=1)
    for k in range(1, method.order + 1):
        assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=1e-14)
    if method.stages == 3 or key == "gauss4":
        for k in range(1, method.stages + 1):
            assert np.allclose(A @ c ** (k - 1), c**k / k, atol=1e-14)


@pytest.mark.parametrize("key", KEYS)
def test_order(key: str) -> None:
    """The observed order on nonlinear problems, with exact and with difference Jacobians."""
    method = find_method(key)
    for problem, exact in ((two_body(2.0), two_body_solution(2.0)), (logistic(), logistic_solution(np.array([2.0])))):
        errors = []
        base = 200 if method.order < 4 else 40 if problem.positions else 12
        for n in (base, 2 * base):
            run = integrate(problem, method, FixedStep(2.0 / n), options={"newton_tolerance": 1e-15})
            assert run.status is Status.FINISHED
            errors.append(np.abs(run.final - exact).max())
        assert math.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)


@pytest.mark.parametrize(("key", "points"), [("implicit-midpoint", 1), ("gauss4", 2), ("gauss6", 3)])
def test_a_step_is_collocation(key: str, points: int) -> None:
    """The polynomial whose slope is f at the zeros of Legendre's polynomial, found by scipy, one long step further."""
    problem, h = pendulum(0.5), 0.5
    nodes = h * Legendre.basis(points, domain=[0.0, 1.0]).roots()
    powers = np.arange(1, points + 1)

    def gaps(flat: np.ndarray) -> np.ndarray:
        a, f = flat.reshape(points, 2), np.empty((points, 2))
        for row, place in zip(f, problem.initial + nodes[:, None] ** powers @ a, strict=True):
            problem.rhs(0.0, place.copy(), problem.params, row)
        return (powers * nodes[:, None] ** (powers - 1) @ a - f).ravel()

    found = np.asarray(fsolve(gaps, np.zeros(2 * points), xtol=1e-14)).reshape(points, 2)
    made = integrate(problem, find_method(key), FixedStep(h), options={"newton_tolerance": 1e-15})
    assert made.final == pytest.approx(problem.initial + h**powers @ found, abs=1e-13)


@pytest.mark.parametrize("key", ["gauss4", "gauss6", "radau5", "esdirk54", "kvaerno54"])
def test_what_the_card_says_of_newtons_tolerance(key: str) -> None:
    """Some 1e-12 in each step as it is set, which hides the order of small errors, and almost nothing at 1e-15."""
    method, exact = find_method(key), logistic_solution(np.array([2.0]))
    assert NEWTON_LEFT in method.notes
    left = []
    for n in (16, 32, 64, 128):
        usual, tight = (
            integrate(logistic(), method, FixedStep(2.0 / n), options=options).final
            for options in ({}, {"newton_tolerance": 1e-15})
        )
        left.append(abs(usual[0] - tight[0]) / n)
        assert np.abs(tight - exact).max() < 2e-7 * (16 / n) ** method.order + 5e-15 * n
    assert 1e-13 < max(left) < 1e-11


@pytest.mark.parametrize("key", KEYS)
def test_stability(key: str) -> None:
    """A-stable all; L-stable backward Euler and Radau; a stiff linear problem follows."""
    method = find_method(key)
    stability = method.stability
    assert stability is not None
    assert stability.a_stable
    assert stability.l_stable == (key in ("backward-euler", "radau5"))
    stiff = linear(np.array([[-1e6, 0.0], [0.0, -1.0]]), np.ones(2), 1.0)
    run = integrate(stiff, method, FixedStep(0.1))
    assert run.status is Status.FINISHED
    assert abs(run.final[1] - math.exp(-1)) < 0.05
    assert abs(run.final[0]) == pytest.approx(float(stability.modulus(np.array(-1e5 + 0j))) ** 10, rel=1e-3, abs=1e-8)


def test_midpoint_keeps_quadratic_invariants() -> None:
    """A rotation keeps its radius to round-off over 10 000 steps, where the explicit midpoint rule loses it."""
    rotation = linear(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([1.0, 0.0]), 1000.0)
    run = integrate(rotation, find_method("implicit-midpoint"), FixedStep(0.1))
    assert np.abs(np.hypot(*run.y.T) - 1).max() < 1e-10
    explicit = integrate(rotation, find_method("midpoint"), FixedStep(0.1))
    assert np.abs(np.hypot(*explicit.y.T) - 1).max() > 0.1


@pytest.mark.parametrize("mu", [100.0, 1000.0])
def test_stiff_van_der_pol(mu: float) -> None:
    """Radau against scipy's, an independent implementation, at a tight tolerance."""
    problem = van_der_pol(mu, 0.6 * mu)

    def rhs(t: float, y: np.ndarray) -> list[float]:
        return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]

    exact = solve_ivp(rhs, (0, 0.6 * mu), [2.0, 0.0], method="Radau", rtol=1e-12, atol=1e-12).y[:, -1]
    for tolerance in (1e-4, 1e-7):
        run = integrate(problem, find_method("radau5"), Tolerance(tolerance, tolerance))
        assert run.status is Status.FINISHED
        assert np.abs(run.final - exact).max() < 20 * tolerance
        assert run.counts.newton_iterations == run.log.newton.sum()
        assert run.counts.factorisations == run.log.factorisations.sum() == 2 * len(run.log.t)
        assert run.counts.jacobian_evaluations == run.counts.steps


def test_counts_of_a_linear_problem() -> None:
    """Newton's iteration is exact for a linear problem: two iterations, the second to see that."""
    rotation = linear(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([1.0, 0.0]), 1.0)
    run = integrate(rotation, find_method("implicit-midpoint"), FixedStep(0.1))
    assert run.counts.newton_iterations == 20
    assert run.counts.rhs_evaluations == 10 * (1 + 2)
    assert (run.counts.jacobian_evaluations, run.counts.factorisations) == (10, 10)


def test_step_control_backwards_and_dense() -> None:
    """Errors follow the tolerance; back in time; between the steps the accuracy of the steps."""
    times = np.linspace(0, 3, 61)
    exact = np.array([two_body_solution(float(t)) for t in times])
    errors = []
    for tolerance in (1e-5, 1e-8):
        run = integrate(two_body(3.0), find_method("radau5"), Tolerance(tolerance, tolerance))
        errors.append(np.abs(run(times) - exact).max())
        assert np.array_equal(run(run.t), run.y)
    assert errors[1] < 0.02 * errors[0]
    assert errors[1] < 1e-6
    back = integrate(backwards(two_body(3.0), run.final), find_method("radau5"), Tolerance(1e-8, 1e-8))
    assert np.abs(back.final - two_body().initial).max() < 1e-5


def test_failures_are_data() -> None:
    """Newton's failure, a singular matrix and a blow-up have their own status and keep the past."""
    hard = integrate(pendulum(), find_method("trapezoidal"), FixedStep(1.0), options={"newton_limit": 1})
    assert hard.status is Status.NEWTON_FAILED
    assert "did not converge" in hard.message
    singular = integrate(linear(np.eye(1), np.ones(1), 3.0), find_method("backward-euler"), FixedStep(1.0))
    assert singular.status is Status.SINGULAR_ITERATION_MATRIX
    for control in (FixedStep(0.01), Tolerance(1e-6, 1e-6)):
        blown = integrate(growth(2.0, 2.0), find_method("radau5"), control)
        assert not blown.status.ok
        assert np.all(np.isfinite(blown.y))
