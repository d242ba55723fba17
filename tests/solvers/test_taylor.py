"""Power series by recurrences, and the Taylor method in both of paper 2's forms."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from assets.errors import BadInput
from solvers.codegen.tape import cos, sin, sqrt
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.kernels import taylor as kernels
from solvers.method_registry import find_method
from solvers.methods.taylor import formula, scratch
from solvers.problem import OdeProblem
from solvers.status import Status
from tests.solvers.problems import backwards, growth, logistic, logistic_solution, pendulum, two_body, two_body_solution
from tests.solvers.recording import record

TAYLOR = find_method("taylor")


def orbit() -> OdeProblem:
    """The two bodies, with the square root and the division."""

    def equations(t, y, p):
        square = y[0] * y[0] + y[1] * y[1]
        cube = square * sqrt(square)
        return [y[2], y[3], -y[0] / cube, -(y[1] / cube)]

    return replace(two_body(3.0), taylor=record(equations, 4, 0))


def driven() -> OdeProblem:
    """The logistic problem, with time in it."""
    return replace(logistic(), taylor=record(lambda t, y, p: [y[0] * (1 - 0.25 * y[0]) * cos(t)], 1, 0))


def coefficients(problem: OdeProblem, t: float, y: list[float], degree: int) -> np.ndarray:
    """The series about (t, y), (d, degree + 1)."""
    series = formula(problem, {"order": degree, "velocity_order": degree})
    memory = scratch(series, problem.dimension)
    kernels.expand(series.tape, problem.params, t, np.array(y), degree, memory.x, memory.series)
    return memory.series


def test_series_of_known_functions() -> None:
    """y = 4 / (1 + 3 exp(-sin t)) about t = 0.3, against mpmath's Taylor coefficients of the closed form."""
    with mpmath.workdps(40):
        wanted = mpmath.taylor(lambda t: 4 / (1 + 3 * mpmath.exp(-mpmath.sin(t))), mpmath.mpf(0.3), 20)
    found = coefficients(driven(), 0.3, [float(wanted[0])], 20)[0]
    assert np.allclose(found, [float(value) for value in wanted], rtol=1e-11, atol=1e-14)


def test_every_operation() -> None:
    """Sum, difference, product, quotient, sine, cosine, root, with constants and parameters on either side."""

    def equations(t, y, p):
        wave = sin(2.0 * y[0] + t) - p[0] * cos(1 - y[0] / 3)
        return [(1.5 - wave) / (2 + y[0] * y[0]) + sqrt(p[1] + t * t) * 3 - 2 / (p[0] + 1) + (-y[0]) * p[1] / p[0]]

    problem = replace(growth(1.0, 1.0), params=np.array([0.7, 1.3]), taylor=record(equations, 1, 2))
    found = coefficients(problem, 0.2, [0.4], 8)[0]

    def f(t, y):
        wave = mpmath.sin(2 * y + t) - p0 * mpmath.cos(1 - y / 3)
        return (1.5 - wave) / (2 + y * y) + mpmath.sqrt(p1 + t * t) * 3 - 2 / (p0 + 1) - y * p1 / p0

    with mpmath.workdps(30):
        p0, p1 = mpmath.mpf(0.7), mpmath.mpf(1.3)
        solution = mpmath.odefun(f, mpmath.mpf(0.2), mpmath.mpf(0.4), degree=40)
        total = sum(mpmath.mpf(c) * mpmath.mpf(0.001) ** k for k, c in enumerate(found))
        assert abs(total - solution(mpmath.mpf(0.201))) < 1e-16


@pytest.mark.parametrize("order", [2, 3, 4, 5, 6, 8, 11])
def test_orders_of_both_forms(order: int) -> None:
    """T(p, p-1) has global order p - 1, T(p, p) order p; first-order problems order p."""
    n = {2: 2000, 3: 400, 4: 200, 5: 120, 6: 120, 8: 40, 11: 18}[order]
    for velocity, expected in ((order - 1, order - 1), (order, order)):
        errors = []
        for steps in (n, 2 * n):
            options = {"order": order, "velocity_order": velocity}
            assert TAYLOR.configured(options).order == expected
            run = integrate(orbit(), TAYLOR, FixedStep(3.0 / steps), options=options)
            errors.append(np.abs(run.final - two_body_solution(3.0)).max())
            assert run.counts.rhs_evaluations == order * steps
        observed = math.log2(errors[0] / errors[1])
        # High orders reach round-off before they reach their limit, from above.
        assert observed == pytest.approx(expected, abs=0.2) if order <= 5 else observed > expected - 0.3
    if order <= 8:
        exact, errors = logistic_solution(np.array([2.0]))[0], []
        for steps in (10 if order > 3 else 200, 20 if order > 3 else 400):
            run = integrate(driven(), TAYLOR, FixedStep(2.0 / steps), options={"order": order})
            errors.append(abs(run.final[0] - exact))
        assert math.log2(errors[0] / errors[1]) > order - 0.5


def test_facts_follow_the_settings() -> None:
    """The card's order, dense order and stability are those of the degrees that were asked for."""
    usual = TAYLOR.configured(TAYLOR.complete_options({}))
    assert usual.order == TAYLOR.order == 7
    assert usual.facts() == TAYLOR.facts()
    for degree, velocity, order in (
        (1, 0, 1),
        (1, 1, 1),
        (2, 0, 1),
        (12, 0, 11),
        (12, 11, 11),
        (12, 12, 12),
        (30, 0, 29),
    ):
        settings = TAYLOR.complete_options({"order": degree, "velocity_order": velocity})
        found = TAYLOR.configured(settings)
        assert found.order == found.dense_order == found.facts()["order"] == order
        stability = found.stability
        assert stability is not None
        if order == degree:
            # The first term that is left out: R(z) - exp(z) = -z^(p+1) / (p+1)! + ...
            z = 0.5
            missing = float(abs(stability.modulus(np.array([z + 0j]))[0] - math.exp(z)))
            assert missing == pytest.approx(z ** (degree + 1) / math.factorial(degree + 1), rel=0.4, abs=1e-15)
        else:
            # One step of q'' = -4 q: positions up to the degree, rates up to the order.
            powers = [np.linalg.matrix_power([[0.0, 1.0], [-4.0, 0.0]], k) / math.factorial(k) for k in range(31)]
            step = np.array([sum(powers[: degree + 1])[0], sum(powers[: order + 1])[1]])
            growth = np.abs(np.linalg.eigvals(step)).max()
            assert stability.modulus(np.array([2j]))[0] == pytest.approx(growth, rel=1e-12)
        run = integrate(orbit(), TAYLOR, FixedStep(0.1), options=settings)
        assert run.dense_order == order


def test_step_from_the_last_terms() -> None:
    """The step follows the tolerance, no step is rejected, and high order takes few steps."""
    for tolerance in (1e-6, 1e-12):
        run = integrate(orbit(), TAYLOR, Tolerance(tolerance, tolerance), options={"order": 20})
        assert run.status is Status.FINISHED
        assert np.abs(run.final - two_body_solution(3.0)).max() < 20 * tolerance
        assert run.counts.rejected == 0
        assert run.counts.steps < 25
    bounded = integrate(orbit(), TAYLOR, Tolerance(1e-6, 1e-6, max_step=0.05))
    assert np.diff(bounded.t).max() <= 0.05 * (1 + 1e-9)


def test_dense_output_and_backwards() -> None:
    """Between the steps the series itself; back in time to the start."""
    run = integrate(orbit(), TAYLOR, FixedStep(0.05), options={"order": 15})
    times = np.linspace(0, 3, 77)
    assert np.abs(run(times) - [two_body_solution(float(t)) for t in times]).max() < 1e-12
    assert np.array_equal(run(run.t), run.y)
    back = integrate(backwards(orbit(), run.final), TAYLOR, FixedStep(0.05), options={"order": 15})
    assert np.abs(back.final - orbit().initial).max() < 1e-12


def test_bad_input_and_failure() -> None:
    """A problem without a series, an impossible pair of degrees, and a blow-up."""
    with pytest.raises(BadInput, match="rk4"):
        integrate(pendulum(), TAYLOR, FixedStep(0.1))
    with pytest.raises(BadInput, match="velocity_order"):
        integrate(orbit(), TAYLOR, FixedStep(0.1), options={"order": 5, "velocity_order": 3})
    with pytest.raises(BadInput, match="order"):
        integrate(orbit(), TAYLOR, FixedStep(0.1), options={"order": 31})
    square = replace(growth(2.0, 2.0), taylor=record(lambda t, y, p: [y[0] * y[0]], 1, 1))
    for control in (FixedStep(0.01), Tolerance(1e-8, 1e-8)):
        run = integrate(square, TAYLOR, control, max_steps=5000)
        assert not run.status.ok
        assert np.all(np.isfinite(run.y))


def every_operation() -> OdeProblem:
    """Each operation with constants, parameters and time on either side; one pair of which only the cosine is used."""

    def equations(t, y, p):
        wave = sin(2.0 * y[0] + t) - p[0] * cos(1 - y[1] / 3)
        root = sqrt(p[1] + t * t + y[1] * y[1])
        return [
            (1.5 - wave) / (2 + y[0] * y[0]) + root * 3 - 2 / (p[0] + 1) + (-y[0]) * p[1] / p[0],
            p[0] / (3 + cos(y[0])) - y[1] * root - (t - y[0]) * y[1],
        ]

    from numba import njit

    from solvers.kernels.signatures import RHS

    @njit(RHS)
    def rhs(t, y, p, dy):
        wave = math.sin(2.0 * y[0] + t) - p[0] * math.cos(1 - y[1] / 3)
        root = math.sqrt(p[1] + t * t + y[1] * y[1])
        dy[0] = (1.5 - wave) / (2 + y[0] * y[0]) + root * 3 - 2 / (p[0] + 1) - y[0] * p[1] / p[0]
        dy[1] = p[0] / (3 + math.cos(y[0])) - y[1] * root - (t - y[0]) * y[1]

    return OdeProblem(
        rhs, np.array([0.4, -0.2]), 0.1, 1.1, np.array([0.7, 1.3]), ("a", "b"), ("", ""), taylor=record(equations, 2, 2)
    )


@pytest.mark.parametrize("degree", [1, 17, *(pytest.param(degree, marks=pytest.mark.long) for degree in (2, 9))])
def test_the_specialised_kernel_computes_the_same_series(degree: int) -> None:
    """Fixed step and step control, with every operation, in both directions, of first and of second order."""
    backward = replace(every_operation(), t0=1.1, t1=0.1)
    length = min(0.9, 0.02 * degree)
    for problem in (every_operation(), backward, orbit()) if degree == 9 else (every_operation(), backward):
        degrees = (degree - 1, degree) if problem.positions else (degree,)
        for velocity, control in ((v, c) for v in degrees for c in (FixedStep(length), Tolerance(1e-5, 1e-5))):
            options = {"order": degree, "velocity_order": velocity}
            generic = integrate(problem, TAYLOR, control, options=options, max_steps=200)
            ours = integrate(problem, TAYLOR, control, options=options | {"specialised": True}, max_steps=200)
            assert ours.counts == generic.counts
            assert ours.status is generic.status
            assert np.allclose(ours.t, generic.t, rtol=1e-9)
            assert np.allclose(ours.y, generic.y, rtol=1e-9, atol=1e-11)
            assert np.allclose(ours.log.error, generic.log.error, rtol=1e-6, atol=1e-9, equal_nan=True)


def test_the_specialised_kernel_reports_divergence() -> None:
    """As the generic one does, with what was computed before."""
    square = replace(growth(2.0, 2.0), taylor=record(lambda t, y, p: [y[0] * y[0]], 1, 1))
    for control in (FixedStep(0.01), Tolerance(1e-8, 1e-8)):
        generic = integrate(square, TAYLOR, control, max_steps=5000)
        ours = integrate(square, TAYLOR, control, options={"specialised": True}, max_steps=5000)
        assert ours.status is generic.status
        assert ours.counts == generic.counts


def test_what_equations_record_and_do_not_use_does_no_harm() -> None:
    """The sum of two rates is the rate of a cosine's argument here, but nothing else needs it."""

    def equations(t, y, p):
        _ = y[2] + y[3]
        return [y[2], y[3], -cos(y[0] + y[1]), -sin(y[0])]

    from numba import njit

    from solvers.kernels.signatures import RHS

    @njit(RHS)
    def rhs(t, y, p, dy):
        dy[0], dy[1], dy[2], dy[3] = y[2], y[3], -math.cos(y[0] + y[1]), -math.sin(y[0])

    problem = OdeProblem(
        rhs, np.array([0.4, -0.2, 0.1, 0.3]), 0.0, 1.0, np.empty(0), tuple("abcd"), ("",) * 4,
        taylor=record(equations, 4, 0),
    )  # fmt: skip
    ours = integrate(problem, TAYLOR, FixedStep(0.05), options={"order": 12, "specialised": True})
    rk8 = integrate(problem, find_method("rk8"), FixedStep(0.01))
    assert np.allclose(ours.y[-1], rk8.y[-1], rtol=0.0, atol=1e-12)


def test_a_derivative_of_parameters_alone_has_no_higher_terms() -> None:
    """As a joint that falls freely beside others that turn."""
    from numba import njit

    from solvers.kernels.signatures import RHS

    @njit(RHS)
    def rhs(t, y, p, dy):
        dy[0], dy[1], dy[2], dy[3] = y[1], -p[0], y[3], -math.sin(y[2])

    tape = record(lambda t, y, p: [y[1], -p[0], y[3], -sin(y[2])], 4, 1)
    problem = OdeProblem(
        rhs, np.array([0.3, 0.2, 0.5, 0.0]), 0.0, 1.0, np.array([9.81]), tuple("abcd"), ("",) * 4, taylor=tape
    )
    for specialised in (False, True):
        found = integrate(problem, TAYLOR, FixedStep(0.1), options={"order": 12, "specialised": specialised})
        assert np.allclose(found.y[:, 0], 0.3 + 0.2 * found.t - 4.905 * found.t**2, rtol=0.0, atol=1e-13)
