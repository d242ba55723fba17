"""Adams methods: order, start-up, counts, stability, and that the predictor-corrector is Heun's method."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.adams import BASHFORTH, MOULTON
from solvers.status import Status
from tests.solvers.problems import growth, logistic, logistic_solution, pendulum, ramp, two_body, two_body_solution

KEYS = ["ab2", "ab3", "ab4", "ab5", "am4"]


def final_error(key: str, n: int, startup: str) -> float:
    """Largest error after 3 s of the two bodies in n steps."""
    run = integrate(two_body(3.0), find_method(key), FixedStep(3.0 / n), options={"startup": startup})
    return float(np.abs(run.final - two_body_solution(3.0)).max())


@pytest.mark.parametrize("key", KEYS)
def test_order(key: str) -> None:
    """With Runge-Kutta start-up the observed order is the method's; with the paper's it is at most 2."""
    order = find_method(key).order
    n = 500 if order == 5 else 2000
    coarse, fine = final_error(key, n, "rk4"), final_error(key, 2 * n, "rk4")
    assert math.log2(coarse / fine) == pytest.approx(order, abs=0.2)
    coarse, fine = final_error(key, 2000, "paper"), final_error(key, 4000, "paper")
    startup = 2 if key.startswith("ab") else 3
    assert math.log2(coarse / fine) == pytest.approx(min(order, startup), abs=0.25)


@pytest.mark.parametrize("row", range(5))
def test_order_conditions(row: int) -> None:
    """The formulas integrate every power of t that their order promises, exactly, and not the next one.

    sum b_j (-j)^(q-1) = 1/q for the slopes at 0, -1, -2 .. and, for the correctors, at 1 too.
    """
    for table, newest, extra in ((BASHFORTH, 0, 1), (MOULTON, 1, 1)):
        if row >= len(table):
            continue
        weights = [Fraction(weight).limit_denominator(1000) for weight in table[row]]
        for power in range(1, len(weights) + 1 + extra):
            total = sum(weight * Fraction(newest - j) ** (power - 1) for j, weight in enumerate(weights))
            assert (total == Fraction(1, power)) == (power <= len(weights))


def by_hand(key: str, h: float, n: int) -> float:
    """The paper's methods for the logistic problem, written out step by step."""
    bashforth = {
        1: [1.0],
        2: [3 / 2, -1 / 2],
        3: [23 / 12, -16 / 12, 5 / 12],
        4: [55 / 24, -59 / 24, 37 / 24, -9 / 24],
        5: [1901 / 720, -2774 / 720, 2616 / 720, -1274 / 720, 251 / 720],
    }
    moulton = {1: [1 / 2, 1 / 2], 2: [5 / 12, 8 / 12, -1 / 12], 3: [9 / 24, 19 / 24, -5 / 24, 1 / 24]}

    def f(t: float, y: float) -> float:
        return y * (1 - y / 4) * math.cos(t)

    y, slopes = 1.0, []
    for step in range(n):
        t = step * h
        slopes.insert(0, f(t, y))
        k = min(step + 1, find_method(key).order)
        predicted = y + h * sum(b * slope for b, slope in zip(bashforth[k], slopes, strict=False))
        if key == "am4":
            weights = moulton[min(step + 1, 3)]
            y += h * (weights[0] * f(t + h, predicted) + sum(b * s for b, s in zip(weights[1:], slopes, strict=False)))
        else:
            y = predicted
    return y


@pytest.mark.parametrize("key", KEYS)
def test_steps_are_the_paper_s(key: str) -> None:
    """AB4 starts with Euler, AB2, AB3; AM4 corrects with the trapezoidal rule, AM3, AM4."""
    run = integrate(logistic(), find_method(key), FixedStep(0.125))
    assert run.final[0] == pytest.approx(by_hand(key, 0.125, 16), abs=1e-15)


def test_counts() -> None:
    """One evaluation per step, two with a corrector, four in a Runge-Kutta step of the start-up."""
    for key, startup, calls in (("ab4", "paper", 100), ("am4", "paper", 200), ("ab4", "rk4", 109), ("am4", "rk4", 206)):
        run = integrate(pendulum(1.0), find_method(key), FixedStep(0.01), options={"startup": startup})
        assert (run.counts.steps, run.counts.rhs_evaluations) == (100, calls)


def test_uniform_grid() -> None:
    """A multi-step method uses span / n when h does not divide the span, and says so."""
    run = integrate(pendulum(1.0), find_method("ab4"), FixedStep(0.03))
    assert np.allclose(np.diff(run.t), 1 / 34, atol=1e-15)
    assert run.t_end == 1.0
    assert "30 ms does not divide the time" in run.message


def test_predictor_corrector_is_heun() -> None:
    """The same states as rk2, two evaluations per step, and order 2."""
    ours = integrate(two_body(3.0), find_method("pc-trapezoid"), FixedStep(0.01))
    heun = integrate(two_body(3.0), find_method("rk2"), FixedStep(0.01))
    assert np.array_equal(ours.y, heun.y)
    assert ours.counts.rhs_evaluations == 600


@pytest.mark.parametrize("key", KEYS)
def test_dense_output(key: str) -> None:
    """Continuous, exact at the steps, and of the method's order between them."""
    times = np.linspace(0.0, 2.0, 333)
    errors = []
    for n in (100, 200):
        run = integrate(logistic(), find_method(key), FixedStep(2.0 / n), options={"startup": "rk4"})
        assert np.array_equal(run(run.t), run.y)
        inner = run.t[1:-1]
        assert np.abs(run(np.nextafter(inner, 0)) - run(inner)).max() < 1e-14
        errors.append(np.abs(run(times)[:, 0] - logistic_solution(times)).max())
    assert math.log2(errors[0] / errors[1]) > find_method(key).order - 0.3


def test_breaks_and_divergence() -> None:
    """A break restarts the history; a blow-up keeps the past."""
    run = integrate(ramp(), find_method("ab4"), FixedStep(0.1))
    assert run.final[0] == pytest.approx(1.0, abs=1e-15)
    wild = integrate(growth(2.0, 2.0), find_method("am4"), FixedStep(0.01))
    assert wild.status is Status.DIVERGED
    assert np.all(np.isfinite(wild.y))
    assert np.all(np.isfinite(wild(np.linspace(0.0, wild.t_end, 999))))


# E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), V.1; J. D. Lambert (1991), table 3.1.
@pytest.mark.parametrize(
    ("key", "limit"), [("ab2", 1.0), ("ab3", 6 / 11), ("ab4", 0.3), ("ab5", 90 / 551), ("am4", 1.285)]
)
def test_stability_limits(key: str, limit: float) -> None:
    """The ends of the stability intervals on the negative real axis; a step just beyond makes y' = -y grow."""
    stability = find_method(key).stability
    assert stability is not None
    assert stability.real_limit == pytest.approx(limit, abs=2e-3)
    for factor, grows in ((0.97, False), (1.03, True)):
        problem = growth(1.0, -400.0 * limit)
        run = integrate(problem, find_method(key), FixedStep(factor * stability.real_limit))
        assert (run.status is Status.DIVERGED or abs(run.final[0]) > 1e-3) == grows
