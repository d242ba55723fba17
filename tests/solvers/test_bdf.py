"""BDF with a fixed step on ODEs: order, grid, stiffness, and the same result whatever the slices."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numba import njit

from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.kernels.signatures import RHS
from solvers.method_registry import find_method
from solvers.methods.bdf import WEIGHTS
from solvers.status import Status
from solvers.stepper import Rows
from tests.solvers.problems import linear, logistic, logistic_solution, ramp, two_body, two_body_solution

KEYS = [f"bdf{k}" for k in range(1, 7)]


@pytest.mark.parametrize("key", KEYS)
def test_order(key: str) -> None:
    """The observed order is the method's: the first states are nearly exact."""
    method = find_method(key)
    n = 50 if method.order > 4 else 200
    errors = []
    for steps in (n, 2 * n):
        run = integrate(logistic(), method, FixedStep(2.0 / steps))
        errors.append(np.abs(run.y[:, 0] - logistic_solution(run.t)).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)


@pytest.mark.parametrize("k", WEIGHTS)
def test_order_conditions(k: int) -> None:
    """sum alpha_l (-l)^q = q at t_n = 0 with slope 1 in t: exact for every power up to k, and not for k + 1."""
    weights = [Fraction(weight).limit_denominator(1000) for weight in WEIGHTS[k]]
    for power in range(k + 2):
        total = sum(weight * Fraction(-distance) ** power for distance, weight in enumerate(weights))
        assert (total == (power == 1)) == (power <= k)


def test_a_step_that_does_not_divide_the_span_is_made_even() -> None:
    run = integrate(two_body(2.0), find_method("bdf3"), FixedStep(0.3))
    assert np.allclose(np.diff(run.t), 2.0 / 7.0, rtol=1e-12)
    assert run.t_end == 2.0
    assert "285.7142857 ms" in run.message


@pytest.mark.parametrize("key", ["bdf1", "bdf4"])
@pytest.mark.parametrize("t1", [1.0, -1.0])
def test_dense_output_is_as_good_as_the_steps_forwards_and_backwards(key: str, t1: float) -> None:
    run = integrate(two_body(t1), find_method(key), FixedStep(0.01))
    times = np.linspace(0.0, t1, 37)
    exact, between = (np.array([two_body_solution(t) for t in at]) for at in (run.t, times))
    assert np.abs(run(times) - between).max() <= 2.0 * np.abs(run.y - exact).max()


@pytest.mark.parametrize("steps", [1, 3, 5, 6, 7])
def test_few_steps_come_from_the_start_alone(steps: int) -> None:
    run = integrate(two_body(1.0), find_method("bdf6"), FixedStep(1.0 / steps))
    assert run.status is Status.FINISHED
    assert run.counts.steps == steps
    assert len(run.log.t) == steps


def test_the_first_states_fit_into_slices_of_any_length() -> None:
    """One attempt at a time gives the very numbers that one long slice gives."""
    method, control, problem = find_method("bdf6"), FixedStep(0.05), two_body(1.0)
    whole = integrate(problem, method, control)
    stepper = method.stepper(problem, control, method.complete_options({}))
    stepper.start(problem.t0, problem.initial.copy(), problem.t1, math.inf)
    states, code = [problem.initial], 0
    while code == 0:
        rows = Rows.empty(1, 4)
        accepted, _, code = stepper.advance(1, rows)
        assert accepted == 1
        states.append(rows.y[0].copy())
    assert np.array_equal(np.array(states), whole.y)


@pytest.mark.parametrize("exact", [True, False])
def test_the_start_is_in_the_log(exact: bool) -> None:
    """Radau's iterations and factorisations stand beside the steps that it made, and every call of f is counted.

    One call and one matrix in each of BDF's iterations, with one call more per component where f has no Jacobian.
    """
    problem = logistic() if exact else replace(logistic(), jacobian=None)
    run = integrate(problem, find_method("bdf4"), FixedStep(0.1))
    log, counts = run.log, run.counts
    assert np.all(log.newton[:3] > log.newton[3:].max())
    # Two matrices in each attempt of Radau's.
    assert np.all(log.factorisations[:3] % 2 == 0)
    assert np.array_equal(log.factorisations[3:], log.newton[3:])
    assert counts.newton_iterations == log.newton.sum()
    assert counts.factorisations == log.factorisations.sum()
    shorter = integrate(replace(problem, t1=0.3), find_method("bdf4"), FixedStep(0.1))
    calls = counts.rhs_evaluations - shorter.counts.rhs_evaluations
    assert calls == (1 if exact else 2) * log.newton[3:].sum()


@pytest.mark.parametrize("key", KEYS)
def test_a_jump_of_f_is_seen_by_the_steps_after_it_only(key: str) -> None:
    """The slope at the end of the last step before the break is the one before the break."""
    run = integrate(ramp(), find_method(key), FixedStep(0.1))
    assert run.final[0] == pytest.approx(1.0, abs=1e-14)


@njit(RHS)
def held_rhs(t, y, params, dy):
    """y' = -u, with u held in params."""
    dy[0] = -params[0]


@njit(RHS)
def hold(t, y, params, unused):
    """u = y at the beginning of the step."""
    params[0] = y[0]


@pytest.mark.parametrize("key", ["bdf1", "backward-euler", "rk4"])
def test_what_is_sampled_once_a_step_is_held(key: str) -> None:
    """y' = -y(t_n) makes y shrink by 1 - h in a step, whatever the method: its slope is the same at both ends."""
    problem = replace(logistic(1.0), rhs=held_rhs, jacobian=None, begin_step=hold)
    run = integrate(problem, find_method(key), FixedStep(0.1))
    assert run.y[:, 0] == pytest.approx(0.9 ** np.arange(11), rel=1e-9)


def test_a_stiff_problem_stays_stable() -> None:
    """Far beyond every explicit method's limit, y' = -1000 y still decays."""
    problem = linear(np.array([[-1000.0]]), np.ones(1), 2.0)
    for key in ("bdf1", "bdf2"):
        run = integrate(problem, find_method(key), FixedStep(0.1))
        assert run.status is Status.FINISHED
        assert abs(run.final[0]) < 1e-6
