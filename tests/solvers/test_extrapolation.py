"""Gragg-Bulirsch-Stoer extrapolation: the table by itself, order, stability, and how step and order change."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.status import Status
from tests.solvers.problems import linear, logistic, logistic_solution, pendulum, two_body, two_body_solution

GBS = find_method("gbs")


def by_neville(y: np.ndarray, h: float, columns: int) -> np.ndarray:
    """The midpoint rule with 2, 4, 6.. substeps for the pendulum, extrapolated by a polynomial in their squares."""

    def f(y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -np.sin(y[0])])

    squares, found = [], []
    for n in range(2, 2 * columns + 1, 2):
        before, now = y, y + h / n * f(y)
        for _ in range(n - 1):
            before, now = now, before + 2.0 * h / n * f(now)
        squares.append((h / n) ** 2)
        found.append(now)
    weights = [
        math.prod(other / (other - own) for k, other in enumerate(squares) if k != j) for j, own in enumerate(squares)
    ]
    return np.asarray(weights) @ np.array(found)


@pytest.mark.parametrize("columns", [2, 4, 8])
def test_a_step_by_hand(columns: int) -> None:
    problem = replace(pendulum(0.8), params=np.ones_like(pendulum().params))
    run = integrate(problem, GBS, FixedStep(0.8), options={"columns": columns})
    assert run.final == pytest.approx(by_neville(problem.initial, 0.8, columns), abs=1e-13)
    assert run.counts.rhs_evaluations == 1 + columns**2 == GBS.configured({"columns": columns}).stages


@pytest.mark.parametrize(("columns", "base"), [(2, 32), (3, 12), (4, 12)])
def test_order(columns: int, base: int) -> None:
    errors = []
    for n in (base, 2 * base):
        run = integrate(two_body(2.0), GBS, FixedStep(2.0 / n), options={"columns": columns})
        errors.append(np.abs(run.final - two_body_solution(2.0)).max())
    order = GBS.configured({"columns": columns}).order
    assert order == 2 * columns
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("columns", [2, 4, 6])
def test_stability_is_what_a_step_does(columns: int) -> None:
    method = GBS.configured({"columns": columns})
    assert method.stability is not None
    for angle in (0.6, 1.0):
        z = 2.5 * np.exp(1j * np.pi * angle)
        turn = linear(np.array([[z.real, -z.imag], [z.imag, z.real]]), np.array([1.0, 0.0]), 1.0)
        grown = np.hypot(*integrate(turn, GBS, FixedStep(1.0), options={"columns": columns}).final)
        assert grown == pytest.approx(float(method.stability.modulus(np.array(z))), rel=1e-10)


def test_steps_and_orders_follow_the_tolerance() -> None:
    """Errors fall with the tolerance over ten decades, while steps hardly shorten: the order rises instead."""
    errors, steps, calls = [], [], []
    for k in range(4, 14):
        run = integrate(two_body(6.0), GBS, Tolerance(10.0**-k, 10.0**-k))
        assert run.status is Status.FINISHED
        errors.append(np.abs(run.final - two_body_solution(6.0)).max())
        steps.append(run.counts.steps)
        calls.append(run.counts.rhs_evaluations / (run.counts.steps + run.counts.rejected))
        assert errors[-1] < 300.0 * 10.0**-k
    assert steps[-1] < 4 * steps[0]
    assert calls[-1] > 2.5 * calls[0]
    assert 0.8 < np.log10(errors[0] / errors[-1]) / 9.0 < 1.3


def test_it_starts_again_with_a_rejection_and_without_a_derivative() -> None:
    """A first step far too long is cut, and the logistic equation ends where its solution does."""
    run = integrate(logistic(), GBS, Tolerance(1e-9, 1e-9, first_step=2.0))
    assert run.status is Status.FINISHED
    assert run.final == pytest.approx(logistic_solution(np.array([2.0])), abs=1e-7)
    hard = integrate(two_body(6.0), GBS, Tolerance(1e-10, 1e-10, first_step=6.0))
    assert hard.counts.rejected > 0
    assert np.abs(hard.final - two_body_solution(6.0)).max() < 1e-7
