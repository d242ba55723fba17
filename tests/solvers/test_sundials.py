"""SUNDIALS behind the interface: accuracy, stiffness, landing, counts, failure; and against our own methods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.errors import BadInput
from solvers.control import FixedStep, Tolerance
from solvers.events import Event
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.status import Status
from tests.solvers.problems import backwards, growth, pendulum, ramp, two_body, two_body_solution, van_der_pol

KEYS = ["cvode-adams", "cvode-bdf", "ida"]


@pytest.mark.parametrize("key", KEYS)
def test_accuracy(key: str) -> None:
    """Errors follow the tolerance; the run lands on its end; between the steps it is as accurate."""
    method, errors = find_method(key), []
    times = np.linspace(0, 3, 101)
    exact = np.array([two_body_solution(float(t)) for t in times])
    for tolerance in (1e-5, 1e-9):
        run = integrate(two_body(3.0), method, Tolerance(tolerance, tolerance))
        assert run.status is Status.FINISHED
        assert run.t_end == 3.0
        errors.append(np.abs(run.final - exact[-1]).max())
        assert np.array_equal(run(run.t), run.y)
        assert np.abs(run(times) - exact).max() < 30 * errors[-1] + 1e-7
        assert run.counts.steps == len(run.t) - 1 == len(run.log.t) - run.counts.rejected
        assert run.counts.rhs_evaluations > run.counts.steps
    assert errors[1] < 1e-2 * errors[0]
    assert errors[1] < 1e-5


@pytest.mark.parametrize("key", ["cvode-bdf", "ida"])
def test_stiff_agrees_with_ours(key: str) -> None:
    """An independent check of radau5 and rosenbrock-nystrom on van der Pol's equation with mu = 1000."""
    problem = van_der_pol(1000.0, 500.0)
    other = integrate(problem, find_method(key), Tolerance(1e-10, 1e-10))
    for ours in ("radau5", "rosenbrock-nystrom"):
        run = integrate(problem, find_method(ours), Tolerance(1e-8, 1e-8))
        assert run.final[0] == pytest.approx(other.final[0], rel=1e-6)
    assert np.isfinite(other(np.linspace(0, 500, 50))).all()


@pytest.mark.parametrize("key", KEYS)
def test_backwards_breaks_events_and_bounds(key: str) -> None:
    """Back in time, across a break, to an event, with a longest step."""
    method, tight = find_method(key), Tolerance(1e-9, 1e-9)
    back = integrate(backwards(two_body(1.0), two_body_solution(1.0)), method, tight)
    assert np.abs(back.final - two_body().initial).max() < 1e-5
    run = integrate(ramp(), method, tight)
    assert 1.0 in run.t
    assert run.final[0] == pytest.approx(1.0, abs=1e-7)
    event = Event("down", lambda t, y: y[0], terminal=True)
    ended = integrate(pendulum(), method, tight, events=(event,))
    assert abs(ended.final[0]) < 1e-9
    bounded = integrate(pendulum(), method, Tolerance(1e-3, 1e-3, max_step=0.1))
    assert np.diff(bounded.t).max() <= 0.1 * (1 + 1e-9)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("key", KEYS)
def test_step_log(key: str, exact: bool) -> None:
    """What scikit-sundae does not count is read from the calls of f, and adds up to what SUNDIALS counts in all.

    CVODE calls f once at t0 and some times for its first step, IDA gets f(t0): the rest are Newton's iterations and,
    without a Jacobian, one call per component and Jacobian. A code of SUNDIALS evaluates no Jacobian twice for a step
    size that it keeps, so that not every attempt has one.
    """
    problem = van_der_pol(20.0, 60.0)
    problem = problem if exact else replace(problem, jacobian=None)
    run = integrate(problem, find_method(key), Tolerance(1e-6, 1e-6))
    counts, log = run.counts, run.log
    differences = 0 if exact else problem.dimension * counts.jacobian_evaluations
    assert 1 <= counts.rhs_evaluations - counts.newton_iterations - differences <= 6
    assert counts.rejected == np.count_nonzero(~log.accepted) > 0
    assert np.abs(log.t[log.accepted] + log.h[log.accepted] - run.t[1:]).max() < 1e-12
    again = np.flatnonzero(~log.accepted)
    assert np.array_equal(log.t[again], log.t[again + 1])
    assert np.all(log.h[again + 1] < log.h[again])
    if exact:
        assert log.newton.min() >= 1
        assert log.newton.sum() == counts.newton_iterations
    else:
        assert np.nansum(log.newton) <= counts.newton_iterations
    assert np.isnan(log.error).all()
    if key == "ida":
        assert counts.factorisations == counts.jacobian_evaluations < len(log.t)
        assert not exact or log.factorisations.sum() == counts.factorisations
    else:
        assert np.isnan(counts.factorisations)
        assert np.isnan(log.factorisations).all()


def test_failure_and_bad_input() -> None:
    """A blow-up is a status; a fixed step is refused and the methods that have one are named."""
    for key in KEYS:
        run = integrate(growth(2.0, 2.0), find_method(key), Tolerance(1e-6, 1e-6))
        assert run.status is Status.DIVERGED
        assert np.all(np.isfinite(run.y))
        with pytest.raises(BadInput, match="rk4"):
            integrate(pendulum(), find_method(key), FixedStep(0.1))


def test_differential_algebraic_equation() -> None:
    """x' = -x + z, 0 = z - cos t: IDA against the exact solution, and against BDF with a fixed step."""
    from numba import njit

    from solvers.dae_problem import DaeProblem
    from solvers.kernels.signatures import SYSTEM

    @njit(SYSTEM)
    def system(t, x, rate, alpha, params, F, J):
        F[0] = rate[0] + x[0] - x[1]
        F[1] = x[1] - np.cos(t)
        J[0, 0] = 1.0 + alpha
        J[0, 1] = -1.0
        J[1, 0] = 0.0
        J[1, 1] = 1.0

    start, rate = np.array([0.5, 1.0]), np.array([0.5, 0.0])
    problem = DaeProblem(
        system, start, rate, 0.0, 5.0, np.zeros(1), ("x", "z"), ("", ""), np.zeros(2), np.array([False, True])
    )
    run = integrate(problem, find_method("ida"), Tolerance(1e-9, 1e-9))  # type: ignore[arg-type]
    times = np.linspace(0, 5, 41)
    exact = np.column_stack([(np.cos(times) + np.sin(times)) / 2, np.cos(times)])
    assert np.abs(run.final - exact[-1]).max() < 1e-7
    assert np.abs(run(times) - exact).max() < 1e-5
    assert run.counts.jacobian_evaluations > 0
