"""Explicit Runge-Kutta methods: order, error estimates, step control and counts, all against exact solutions."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.status import Status
from solvers.tableaux.tableau import coefficients, exact, keys, load
from tests.solvers.problems import logistic, logistic_solution, pendulum, two_body, two_body_solution

PAIRS = [key for key in keys() if load(key).b_error]
# Those that need extended precision to show their order are left to the local test.
MODERATE = [key for key in keys() if load(key).order <= 6 and key not in ("rkf12", "rkf23b", "v65", "rkf56")]


def exact_step(key: str, t: mpmath.mpf, y: mpmath.mpf, h: mpmath.mpf) -> list[mpmath.mpf]:
    """One step of the logistic problem with each weight vector of the tableau, in mpmath's precision."""
    numbers = exact(load(key))

    def number(value) -> mpmath.mpf:
        return mpmath.mpf(str(value.to_decimal(130)))

    k: list[mpmath.mpf] = []
    for c, row in zip(numbers.c, numbers.A, strict=True):
        state = y + h * sum((number(a) * slope for a, slope in zip(row, k, strict=False)), mpmath.mpf(0))
        k.append(state * (1 - state / 4) * mpmath.cos(t + number(c) * h))
    vectors = [numbers.b, numbers.b_error, numbers.b_error2]
    return [y + h * mpmath.fdot(map(number, b), k) for b in vectors if b]


@pytest.mark.parametrize("key", keys())
def test_local_order_in_extended_precision(key: str) -> None:
    """One step's error falls as h^(p+1), and so do its comparison solutions', at 120 digits and a very small step."""
    table = load(key)
    orders = [order for order in (table.order, table.error_order, table.error_order2) if order]
    with mpmath.workdps(120):
        start = mpmath.mpf("0.7")

        def solution(t: mpmath.mpf) -> mpmath.mpf:
            return 4 / (1 + 3 * mpmath.exp(-mpmath.sin(t)))

        errors = []
        # The coefficients' 60 digits set a floor to the step of the highest orders.
        power = 18 if table.order < 8 else 15 if table.order == 8 else 12
        for h in (mpmath.mpf(2) ** -power, mpmath.mpf(2) ** -(power + 1)):
            errors.append([value - solution(start + h) for value in exact_step(key, start, solution(start), h)])
        for order, coarse, fine in zip(orders, *errors, strict=True):
            assert float(mpmath.log(abs(coarse / fine), 2)) == pytest.approx(order + 1, abs=0.2)


@pytest.mark.parametrize("key", MODERATE)
def test_observed_order(key: str) -> None:
    """The kernel's global error on a nonlinear problem falls with the method's order."""
    method, end = find_method(key), 3.0
    errors = []
    for n in (128, 256) if method.order >= 5 else (512, 1024):
        run = integrate(two_body(end), method, FixedStep(end / n))
        errors.append(np.abs(run.final - two_body_solution(end)).max())
    assert math.log2(errors[-2] / errors[-1]) == pytest.approx(method.order, abs=0.2)


@pytest.mark.parametrize("key", keys())
def test_kernel_makes_the_tableau_s_step(key: str) -> None:
    """One step of the kernel, and its error estimate, agree with the same step at 40 digits to round-off."""
    problem = logistic(t1=0.25)
    run = integrate(problem, find_method(key), FixedStep(0.25))
    with mpmath.workdps(40):
        values = exact_step(key, mpmath.mpf(0), mpmath.mpf(1), mpmath.mpf(0.25))
        # Large coefficients amplify the stages' round-off.
        round_off = 1e-15 * (1 + np.abs(coefficients(load(key)).A).sum(axis=1).max())
        assert abs(mpmath.mpf(run.final[0]) - values[0]) < round_off
        if len(values) > 1:
            assert abs(mpmath.mpf(run.log.error[0]) - abs(values[0] - values[1])) < round_off
        else:
            assert math.isnan(run.log.error[0])


@pytest.mark.parametrize("key", keys())
def test_fixed_step_counts(key: str) -> None:
    """Each step costs its stages; with FSAL one less, and one call at the start."""
    method = find_method(key)
    run = integrate(pendulum(2.0), method, FixedStep(0.01))
    assert run.status is Status.FINISHED
    assert (run.counts.steps, run.counts.rejected) == (200, 0)
    assert run.counts.rhs_evaluations == 200 * (method.stages - method.fsal) + method.fsal
    assert run.t_end == 2.0
    assert np.array_equal(run.t[:-1], 0.01 * np.arange(200))


@pytest.mark.parametrize("controller", ["pi", "elementary", "paper"])
@pytest.mark.parametrize("key", PAIRS)
def test_step_control(key: str, controller: str) -> None:
    """Error in proportion to the tolerance; the log holds every attempt, and the calls are counted to the last one."""
    method = find_method(key)
    errors = []
    for tolerance in (1e-4, 1e-7):
        if method.order < 3 and controller == "paper":
            tolerance *= 10
        run = integrate(two_body(), method, Tolerance(tolerance, tolerance, controller))
        assert run.status is Status.FINISHED
        errors.append(np.abs(run.final - two_body().initial).max())
        log, counts = run.log, run.counts
        assert len(log.t) == counts.steps + counts.rejected
        assert np.all((log.error <= 1.0) == log.accepted)
        assert np.count_nonzero(log.accepted) == counts.steps == len(run.t) - 1
        s, last = method.stages, 0 if method.fsal else 1
        # Each attempt s - 1 calls, the first stage again after each accepted step but the last; two calls at the start.
        assert counts.rhs_evaluations == (s - 1) * (counts.steps + counts.rejected) + last * (counts.steps - 1) + 2
        assert np.allclose(np.cumsum(log.h[log.accepted]), run.t[1:], rtol=0, atol=1e-12)
    assert errors[1] < 0.2 * errors[0]


def test_paper_rule_exactly() -> None:
    """Paper 2's rule, by hand: h 0.9 (TOL / LTE)^(1/(max(p, q) + 1)), LTE the largest component, rejected above TOL."""
    for key in ("rkf45", "dopri5", "rkb24"):
        method = find_method(key)
        control = Tolerance(atol=1e-6, controller="paper", first_step=0.5)
        log = integrate(two_body(), method, control).log
        assert method.error_order is not None
        power = 1.0 / (max(method.order, method.error_order) + 1)
        proposals = 0.9 * log.h * log.error ** (-power)
        assert log.h[0] == 0.5
        assert np.allclose(log.h[1:-1], proposals[:-2], rtol=1e-12)
        assert not np.all(log.accepted)


def test_pairs_advance_with_their_first_order() -> None:
    """RK p(q) with q > p advances with the lower order p: RKF 4(5) makes the fourth-order step."""
    coarse = integrate(logistic(0.25), find_method("rkf45"), FixedStep(0.25))
    with mpmath.workdps(30):
        lower, higher = exact_step("rkf45", mpmath.mpf(0), mpmath.mpf(1), mpmath.mpf(0.25))
    assert coarse.final[0] == pytest.approx(float(lower), abs=1e-15)
    assert abs(lower - higher) > 1e-9


# Their leading error terms are so small that only very small steps show the estimate's order.
@pytest.mark.parametrize("key", [key for key in PAIRS if key not in ("rkf12", "rkf23b")])
def test_error_estimate_bounds_the_local_error(key: str) -> None:
    """Over a revolution of two bodies the estimates are seldom less than a third of the errors of their steps."""
    problem, method = two_body(), find_method(key)
    run = integrate(problem, method, FixedStep(problem.t1 / 40))
    errors = []
    for start, end, before, after in zip(run.t[:-1], run.t[1:], run.y[:-1], run.y[1:], strict=True):
        step = replace(problem, t0=float(start), t1=float(end), initial=before)
        errors.append(
            np.abs(integrate(step, find_method("feagin108"), FixedStep((end - start) / 4)).final - after).max()
        )
    assert np.mean(run.log.error > np.array(errors) / 3) > 0.9


def test_fehlberg_estimates_are_blind_for_quadrature() -> None:
    """Fehlberg's 5(6) to 8(9) pairs estimate zero when f depends on t alone; Verner's do not. Their files say so."""
    from numba import njit

    from solvers.kernels.signatures import RHS
    from solvers.problem import OdeProblem

    @njit(RHS)
    def quadrature(t, y, params, dy):
        dy[0] = math.exp(3 * t)

    problem = OdeProblem(quadrature, np.zeros(1), 0.0, 1.0, np.zeros(1), ("y1",), ("",))
    for key in ("rkf56", "rkf67", "rkf78", "rkf89"):
        assert integrate(problem, find_method(key), FixedStep(1.0)).log.error[0] < 1e-14
        assert any("vanishes" in note for note in find_method(key).notes)
    assert integrate(problem, find_method("rkv56"), FixedStep(1.0)).log.error[0] > 1e-6


@pytest.mark.parametrize("key", ["rk1", "rk2", "rk4", "dopri5", "rk8", "dop853"])
def test_dense_output_has_the_method_s_order(key: str) -> None:
    """Between the steps the error falls with the method's order; at the steps the kept states come back exactly."""
    method = find_method(key)
    times = np.linspace(0.0, 2.0, 57)
    errors = []
    for n in (6, 12) if key == "dop853" else (10, 20) if key == "rk8" else (20, 40):
        run = integrate(logistic(), method, FixedStep(2.0 / n))
        assert np.array_equal(run(run.t), run.y)
        errors.append(np.abs(run(times)[:, 0] - logistic_solution(times)).max())
        close = run.t[1:-1]
        assert np.allclose(run(close - 1e-12), run(close), rtol=0, atol=1e-11)
    assert math.log2(errors[0] / errors[1]) > method.order - 0.4
    assert method.dense_order == method.order


@pytest.mark.parametrize("key", ["dop853", "rkf78", "v98"])
def test_tight_tolerance_agrees_with_scipy(key: str) -> None:
    """Independent: scipy's DOP853 at its tightest gives the same pendulum."""
    from scipy.integrate import solve_ivp

    ours = integrate(pendulum(), find_method(key), Tolerance(1e-13, 1e-13))
    other = solve_ivp(lambda t, y: [y[1], -math.sin(y[0])], (0, 10), [1, 0], method="DOP853", rtol=1e-13, atol=1e-13)
    assert np.abs(ours.final - other.y[:, -1]).max() < 2e-12
