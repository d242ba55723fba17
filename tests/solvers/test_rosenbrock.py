"""Rosenbrock methods: the published coefficients, order, stiffness, and agreement of the two forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from assets.errors import BadInput
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.rosenbrock import NYSTROM, W_METHOD, Rosenbrock
from solvers.problem import Array
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

KEYS = ["rosenbrock-nystrom", "rosenbrock", "w-method"]


def test_order_conditions() -> None:
    """Conditions (36) of paper 4 for b, (36a-d) for the embedded weights, and (38) to (42), with the repaired sign."""
    alpha, gammas = NYSTROM.matrices()
    g, a = NYSTROM.gamma, alpha.sum(axis=1)
    beta = alpha + np.tril(gammas, -1)
    bp = beta.sum(axis=1)
    for weights, order in ((np.array(NYSTROM.b), 4), (np.array(NYSTROM.b_error), 3)):
        assert weights.sum() == pytest.approx(1, abs=1e-15)
        assert weights @ bp == pytest.approx(1 / 2 - g, abs=1e-14)
        assert weights @ a**2 == pytest.approx(1 / 3, abs=1e-14)
        assert weights @ beta @ bp == pytest.approx(1 / 6 - g + g * g, abs=1e-14)
        if order == 4:
            assert weights @ a**3 == pytest.approx(1 / 4, abs=1e-14)
            assert weights @ (a * (alpha @ bp)) == pytest.approx(1 / 8 - g / 3, abs=1e-14)
            assert weights @ beta @ a**2 == pytest.approx(1 / 12 - g / 3, abs=1e-14)
            assert weights @ beta @ beta @ bp == pytest.approx(1 / 24 - g / 2 + 1.5 * g * g - g**3, abs=1e-14)
    assert a[2] == pytest.approx((1 / 5 - a[1] / 4) / (1 / 4 - a[1] / 3), abs=1e-14)
    left = NYSTROM.b[3] * beta[3, 2] * a[2] ** 2 * (a[2] - a[1])
    assert left == pytest.approx(1 / 20 - g / 4 - a[1] * (1 / 12 - g / 3), abs=1e-14)


def test_printed_coefficients() -> None:
    """Theorem 2.1 gives the table that paper 4 prints (a_21 = 2.0, not 0.2)."""
    _, gammas, a, c, theta, delta, weights, evaluates = NYSTROM.table()
    assert a[1, 0] == pytest.approx(2.0, abs=1e-15)
    assert [a[2, 0], a[2, 1]] == pytest.approx([1.86794814949823713234476, 0.23444556851723885002322], abs=1e-14)
    assert c[1, 0] == pytest.approx(-7.137649943349979830369260, abs=1e-13)
    assert list(c[3, :3]) == pytest.approx(
        [-2.137115266506619116806370, -0.321469531339951070769241, -0.694966049282445225157329], abs=1e-13
    )
    assert theta[2, 0] == pytest.approx(0.789509162815638629626980, abs=1e-14)
    assert list(delta[3, :3]) == pytest.approx(
        [0.003765094355556165798974, -0.109762486758103255675398, -0.228031035973133829477744], abs=1e-14
    )
    m, difference, mu, _ = weights
    assert list(m) == pytest.approx(
        [
            2.255566228604565243728840,
            0.287055063194157607662630,
            0.435311963379983213402707,
            1.093507656403247803214820,
        ],
        abs=1e-14,
    )
    assert m[3] - difference[3] == pytest.approx(0.366557127936155144309163, abs=1e-14)
    assert mu[0] == pytest.approx(1.592750819409585342074900, abs=1e-14)
    assert gammas[1] == pytest.approx(-1.769177067112013949170520, abs=1e-14)
    assert list(evaluates) == [0, 1, 1, 0]


@pytest.mark.parametrize("key", KEYS)
def test_order(key: str) -> None:
    """The observed order of the solution and of the error estimate, for a problem with time in it where possible."""
    method = find_method(key)
    second = key == "rosenbrock-nystrom"
    problem, exact = (
        (two_body(2.0), two_body_solution(2.0)) if second else (logistic(), logistic_solution(np.array([2.0])))
    )
    errors, estimates = [], []
    for n in (100, 200):
        run = integrate(problem, method, FixedStep(2.0 / n))
        errors.append(np.abs(run.final - exact).max())
        estimates.append(np.median(run.log.error))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)
    assert method.error_order is not None
    assert math.log2(estimates[0] / estimates[1]) == pytest.approx(method.error_order + 1, abs=0.3)


def forced(t: float, jacobian: bool = True):
    """q'' = -q + cos 2t, whose force depends on time; q = (4 cos t - cos 2t) / 3."""
    from numba import njit

    from solvers.kernels.signatures import JACOBIAN, RHS
    from solvers.problem import OdeProblem

    @njit(RHS)
    def rhs(t, y, params, dy):
        dy[0] = y[1]
        dy[1] = -y[0] + math.cos(2 * t)

    @njit(JACOBIAN)
    def derivative(t, y, params, jacobian):
        jacobian[:] = 0.0
        jacobian[0, 1] = 1.0
        jacobian[1, 0] = -1.0

    exact = np.array([(4 * math.cos(t) - math.cos(2 * t)) / 3, (2 * math.sin(2 * t) - 4 * math.sin(t)) / 3])
    names, units = ("q1", "v1"), ("rad", "rad/s")
    start = np.array([1.0, 0.0])
    return OdeProblem(rhs, start, 0.0, t, np.zeros(1), names, units, 1, derivative if jacobian else None), exact


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("jacobian", [True, False])
def test_time_dependent_force(key: str, jacobian: bool) -> None:
    """The derivative by time keeps the order; so do forward differences for the Jacobian, which are counted."""
    problem, exact = forced(3.0, jacobian)
    errors = []
    for n in (60, 120):
        run = integrate(problem, find_method(key), FixedStep(3.0 / n))
        errors.append(np.abs(run.final - exact).max())
        stages = 2 if key == "w-method" else 3
        assert run.counts.rhs_evaluations == n * (stages + 1 + (0 if jacobian else 2))
        assert run.counts.jacobian_evaluations == run.counts.factorisations == n
    assert math.log2(errors[0] / errors[1]) == pytest.approx(find_method(key).order, abs=0.2)


@pytest.mark.parametrize("control", [FixedStep(0.01), Tolerance(1e-6, 1e-6)])
def test_both_forms_make_the_same_steps(control: FixedStep | Tolerance) -> None:
    """Nystrom's form is the first-order one with the positions' stages eliminated."""
    first, second = (integrate(van_der_pol(50.0, 2.0), find_method(key), control) for key in KEYS[:2])
    assert first.counts.steps == second.counts.steps
    assert np.abs(first.y - second.y).max() < 1e-9 * np.abs(first.y).max()


def reference(mu: float, t1: float) -> Array:
    """scipy's Radau at a tight tolerance."""

    def rhs(t: float, y: Array) -> list[float]:
        return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]

    return solve_ivp(rhs, (0, t1), [2.0, 0.0], method="Radau", rtol=1e-11, atol=1e-11).y[:, -1]


@pytest.mark.parametrize("key", KEYS)
def test_stiff_van_der_pol(key: str) -> None:
    """mu = 1000: an explicit method would need some hundred thousand steps; these need few."""
    problem = van_der_pol(1000.0, 500.0)
    tolerance = 1e-4 if key == "w-method" else 1e-7
    run = integrate(problem, find_method(key), Tolerance(tolerance, tolerance))
    assert run.status is Status.FINISHED
    assert run.counts.steps < 3000
    assert run.final[0] == pytest.approx(reference(1000.0, 500.0)[0], rel=300 * tolerance)
    assert np.all(run.log.factorisations == 1)
    assert run.counts.factorisations == run.counts.steps + run.counts.rejected
    assert run.counts.jacobian_evaluations == run.counts.steps


def test_w_method_with_any_jacobian() -> None:
    """Order 2 with an old Jacobian and with none at all."""
    for refresh, jacobians in ((0, 0), (7, 29)):
        errors = []
        for n in (100, 200):
            run = integrate(two_body(2.0), find_method("w-method"), FixedStep(2.0 / n), options={"refresh": refresh})
            errors.append(np.abs(run.final - two_body_solution(2.0)).max())
        assert math.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.2)
        assert run.counts.jacobian_evaluations == jacobians


def test_w_method_without_a_jacobian_is_heun_s() -> None:
    """With J = 0 the stages are f(y) and f(y + h f(y)), both of weight 1/2: the formula of Heun, by another code."""
    for problem in (two_body(2.0), logistic(), van_der_pol(2.0, 2.0)):
        ours = integrate(problem, find_method("w-method"), FixedStep(0.02), options={"refresh": 0})
        heun = integrate(problem, find_method("rk2"), FixedStep(0.02))
        assert np.abs(ours.y - heun.y).max() < 1e-13


def test_w_method_s_conditions() -> None:
    """Order 2 with any matrix A for J: b 1 = 1, b alpha = 1/2 and b gamma = 0; the embedded weights have b 1 = 1.

    Hairer and Wanner (1996), IV.7: trees of order up to 2, whose meagre vertices may stand for f' or for A.
    """
    alpha, gamma = W_METHOD.matrices()
    b = np.array(W_METHOD.b)
    assert b.sum() == sum(W_METHOD.b_error) == 1.0
    assert b @ alpha.sum(axis=1) == pytest.approx(0.5, abs=1e-15)
    assert b @ gamma.sum(axis=1) == pytest.approx(0.0, abs=1e-15)


def test_w_method_with_a_wrong_jacobian() -> None:
    """The order does not depend on J being right in any entry: here every entry is off by one half."""
    from numba import njit

    from solvers.kernels.signatures import JACOBIAN

    @njit(JACOBIAN)
    def wrong(t, y, params, jacobian):
        for i in range(y.size):
            for j in range(y.size):
                jacobian[i, j] = 0.5

    errors = {"w-method": [], "rosenbrock": []}
    for key, found in errors.items():
        for n in (400, 800):
            run = integrate(replace(two_body(2.0), jacobian=wrong), find_method(key), FixedStep(2.0 / n))
            found.append(np.abs(run.final - two_body_solution(2.0)).max())
    assert math.log2(errors["w-method"][0] / errors["w-method"][1]) == pytest.approx(2, abs=0.2)
    # A Rosenbrock method loses its order without the Jacobian.
    assert math.log2(errors["rosenbrock"][0] / errors["rosenbrock"][1]) < 2.5


@pytest.mark.parametrize("key", KEYS)
def test_order_of_the_embedded_solution(key: str) -> None:
    """One step's error estimate is solution minus embedded solution: what that misses falls with its own order + 1."""
    method, errors = find_method(key), []
    assert isinstance(method, Rosenbrock)
    b, order = method.formula.b_error, method.error_order
    assert order is not None
    embedded = replace(method, formula=replace(method.formula, b=b), order=order)
    problem = two_body(2.0)
    for n in (100, 200, 400):
        run = integrate(problem, embedded, FixedStep(2.0 / n))
        errors.append(np.abs(run.final - two_body_solution(2.0)).max())
    assert math.log2(errors[-2] / errors[-1]) == pytest.approx(order, abs=0.2)


def test_stability() -> None:
    """L-stable; R(inf) of the truncated gamma is 9.6e-9, as the reference says."""
    for key in KEYS:
        stability = find_method(key).stability
        assert stability is not None
        assert stability.a_stable
        assert stability.l_stable
    stability = find_method("rosenbrock").stability
    assert stability is not None
    assert float(stability.modulus(np.array(-1e14 + 0j))) == pytest.approx(9.6e-9, rel=0.05)
    alpha, gamma = W_METHOD.matrices()
    assert np.array(W_METHOD.b) @ (alpha + gamma).sum(axis=1) == pytest.approx(0.5)


def test_dense_output_and_backwards() -> None:
    """Between the steps the method's own accuracy; back in time; second-order problems only in Nystrom's form."""
    for key in KEYS:
        method = find_method(key)
        run = integrate(two_body(3.0), method, Tolerance(1e-8, 1e-8))
        assert np.array_equal(run(run.t), run.y)
        times = np.linspace(0, 3, 101)
        exact = np.array([two_body_solution(float(t)) for t in times])
        assert (
            np.abs(run(times) - exact).max()
            < 2 * np.abs(run.y - [two_body_solution(float(t)) for t in run.t]).max() + 1e-9
        )
        back = integrate(backwards(two_body(3.0), run.final), method, Tolerance(1e-8, 1e-8))
        assert np.abs(back.final - two_body().initial).max() < 1e-4
    with pytest.raises(BadInput, match="rosenbrock"):
        integrate(logistic(), find_method("rosenbrock-nystrom"), FixedStep(0.1))


def test_failures_are_data() -> None:
    """A singular iteration matrix and a blow-up end the run with a status and keep the past."""
    gamma = NYSTROM.gamma
    singular = linear(np.array([[1.0 / (0.5 * gamma)]]), np.ones(1), 2.0)
    run = integrate(singular, find_method("rosenbrock"), FixedStep(0.5))
    assert run.status is Status.SINGULAR_ITERATION_MATRIX
    assert len(run.t) == 1
    blown = integrate(growth(2.0, 2.0), find_method("rosenbrock"), Tolerance(1e-6, 1e-6))
    assert blown.status is Status.DIVERGED
    assert blown.t_end == pytest.approx(1.0, abs=1e-3)
    outside = replace(growth(0.5, 1.0), initial=np.array([-1.0]))
    assert integrate(outside, find_method("rosenbrock"), Tolerance()).status is Status.DIVERGED
    assert integrate(pendulum(0.0), find_method("rosenbrock"), Tolerance()).status is Status.FINISHED


def test_the_filtered_error_is_the_estimate_divided_by_the_stiff_part() -> None:
    """For y' = lambda y the factor is 1 / (1 - h gamma lambda)."""
    problem, method = linear(np.array([[-1e4]]), np.ones(1), 1.0), find_method("rosenbrock")
    plain, filtered = (
        integrate(problem, method, FixedStep(0.1), options={"filtered": filtered}) for filtered in (False, True)
    )
    factor = 1.0 / (1.0 + 0.1 * NYSTROM.gamma * 1e4)
    assert filtered.log.error == pytest.approx(factor * plain.log.error, rel=1e-9)
    assert filtered.final == pytest.approx(plain.final, rel=0.0, abs=0.0)


def test_both_forms_filter_alike() -> None:
    """The Nystrom form's elimination against the whole matrix of the first-order form."""
    runs = [
        integrate(pendulum(0.3), find_method(key), Tolerance(1e-6, 1e-6), options={"filtered": True})
        for key in ("rosenbrock-nystrom", "rosenbrock")
    ]
    assert runs[0].counts.steps == runs[1].counts.steps
    assert runs[0].log.error == pytest.approx(runs[1].log.error, rel=1e-6)
    plain = integrate(pendulum(0.3), find_method("rosenbrock"), Tolerance(1e-6, 1e-6))
    assert plain.log.error[0] != pytest.approx(runs[1].log.error[0], rel=1e-6)


@pytest.mark.parametrize("key", ["rosenbrock-nystrom", "rosenbrock"])
def test_the_filtered_error_saves_steps_where_it_is_stiff(key: str) -> None:
    """Van der Pol's equation with mu = 1000: fewer steps, and the tolerance is still met."""
    problem, method = van_der_pol(1000.0), find_method(key)
    exact = integrate(problem, find_method("radau5"), Tolerance(1e-11, 1e-11)).final
    plain, filtered = (
        integrate(problem, method, Tolerance(1e-6, 1e-6), options={"filtered": filtered}) for filtered in (False, True)
    )
    assert filtered.counts.steps < plain.counts.steps
    assert np.abs(filtered.final - exact).max() < 1e-4
