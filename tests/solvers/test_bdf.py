"""BDF with a fixed step on ODEs: order, grid, stiffness, and the same result whatever the slices."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solvers.catalogue import find_method
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method import Rows
from solvers.status import Status
from tests.solvers.problems import linear, logistic, logistic_solution, two_body

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


def test_a_step_that_does_not_divide_the_span_is_made_even() -> None:
    run = integrate(two_body(2.0), find_method("bdf3"), FixedStep(0.3))
    assert np.allclose(np.diff(run.t), 2.0 / 7.0, rtol=1e-12)
    assert run.t_end == 2.0
    assert "0.2857142857" in run.message


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


def test_a_stiff_problem_stays_stable() -> None:
    """Far beyond every explicit method's limit, y' = -1000 y still decays."""
    problem = linear(np.array([[-1000.0]]), np.ones(1), 2.0)
    for key in ("bdf1", "bdf2"):
        run = integrate(problem, find_method(key), FixedStep(0.1))
        assert run.status is Status.FINISHED
        assert abs(run.final[0]) < 1e-6
