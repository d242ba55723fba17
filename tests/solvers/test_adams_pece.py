"""The Adams method of variable order and step: its coefficients, its choices, and CVODE's Adams method beside it."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.special import ellipk

from solvers.control import Tolerance
from solvers.events import Event
from solvers.integrate import integrate
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.multistep import adams_pece as kernels
from solvers.method_registry import find_method
from solvers.status import Status
from solvers.stepper import Rows
from tests.solvers.problems import (
    backwards,
    growth,
    pendulum,
    ramp,
    two_body,
    two_body_solution,
    van_der_pol,
)
from tests.solvers.problems_standard import Standard, nonstiff

METHOD = find_method("adams-pece")
NONSTIFF = ["a2", "a3", "a4", "a5", "b1", "b4", "b5", "c1", "c3", "d1", "d3", "e1", "e2", "e4", "e5"]


@cache
def standard(name: str) -> Standard:
    """Solved once."""
    return nonstiff(name)


def test_coefficients_of_equal_steps() -> None:
    """The gamma_j of Adams and Bashforth, the |gamma*_j| of Adams and Moulton (Hairer, Norsett, Wanner, III.1)."""
    table, past = np.zeros((4, 13)), np.arange(13.0)
    kernels.coefficients(1.0, 5, 12, past, table)
    assert table[kernels.G, :6] == pytest.approx([1, 1 / 2, 5 / 12, 3 / 8, 251 / 720, 95 / 288], rel=1e-14)
    assert table[kernels.BETA, :6] == pytest.approx(np.ones(6), rel=1e-14)
    assert table[kernels.SIGMA, :6] == pytest.approx(np.ones(6), rel=1e-14)
    assert kernels.MOULTON[:6] == pytest.approx([1, 1 / 2, 1 / 12, 1 / 24, 19 / 720, 3 / 160], rel=1e-13)


@pytest.mark.parametrize("k", range(1, 13))
def test_predictor_integrates_polynomials(k: int) -> None:
    """Over steps of any lengths the predictor of order k is exact for f = t^(k - 1)."""
    lengths = np.random.default_rng(k).integers(5, 20, 14)
    nodes = [Fraction(0)] + [Fraction(-int(length), 64) for length in np.cumsum(lengths)]
    divided, differences, product = [node ** (k - 1) for node in nodes], [], Fraction(1)
    for j in range(13):
        differences.append(float(product * divided[0]))
        pairs = zip(divided, divided[1:], nodes, nodes[j + 1 :], strict=False)
        divided = [(first - second) / (one - other) for first, second, one, other in pairs]
        product *= -nodes[j + 1]
    table, h = np.zeros((4, 13)), 0.125
    kernels.coefficients(h, k, 12, -np.array(nodes[:13], dtype=float), table)
    sums = table[kernels.G, :k] * table[kernels.BETA, :k] * np.array(differences[:k])
    assert h * sums.sum() == pytest.approx(h**k / k, abs=1e-14 * np.abs(sums).max())


@pytest.mark.parametrize("name", NONSTIFF)
def test_beside_cvode(name: str) -> None:
    """At equal tolerances no more than ten times CVODE's error, or ten times the tolerance, for at most twice its work.

    CVODE corrects by Newton's iteration until that converges, where this method corrects once and evaluates again.
    """
    problem, final = standard(name).problem, standard(name).final
    for tolerance in (1e-4, 1e-7, 1e-10):
        control = Tolerance(tolerance, tolerance)
        ours, theirs = (integrate(problem, find_method(key), control) for key in ("adams-pece", "cvode-adams"))
        assert ours.status.ok
        error, other = (float(np.abs(run.final - final).max()) for run in (ours, theirs))
        assert error < 10 * max(other, tolerance)
        assert ours.counts.rhs_evaluations < 2 * theirs.counts.rhs_evaluations


def orders(tolerance: float, steps: int, most: int = 12) -> np.ndarray:
    """The orders of the steps of two bodies, from the second one on."""
    problem = two_body(1000.0)
    stepper = METHOD.stepper(problem, Tolerance(tolerance, tolerance), {"max_order": most})
    assert isinstance(stepper, KernelStepper)
    stepper.start(0.0, problem.initial, problem.t1, math.inf)
    rows, found = Rows.empty(1, 4), []
    while len(found) < steps:
        stepper.advance(1, rows)
        found.append(int(stepper.scratch.progress[kernels.ORDER]))  # type: ignore[attr-defined]
    return np.array(found)


def test_order_follows_the_tolerance() -> None:
    """Order 1 at the start, then one more in every step; 11 and more for a tight tolerance, less for a loose one."""
    tight, loose = orders(1e-13, 600), orders(1e-3, 600)
    assert list(tight[:4]) == [2, 3, 4, 5]
    assert np.median(tight[50:]) >= 11
    assert tight.max() == 12
    assert 2 <= np.median(loose[50:]) <= 6
    assert orders(1e-13, 200, most=5).max() == 5


def test_errors_and_counts() -> None:
    """The error follows the tolerance over nine decades; two calls in an accepted step, one in a rejected one."""
    for tolerance in 10.0 ** -np.arange(4, 14):
        run = integrate(two_body(), METHOD, Tolerance(tolerance, tolerance))
        counts = run.counts
        # A revolution of an orbit multiplies an error in energy by some tens.
        assert np.abs(run.final - two_body().initial).max() < 100 * tolerance
        assert np.all((run.log.error <= 1.0) == run.log.accepted)
        # Two calls for the first step, none after the last.
        assert counts.rhs_evaluations == 2 * counts.steps + counts.rejected + 1


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-11])
def test_dense_output(tolerance: float) -> None:
    """Between the steps no worse than at them, forth and back, and continuous to the last digits."""
    times, control = np.linspace(0, 2 * math.pi, 400), Tolerance(tolerance, tolerance)
    exact = np.array([two_body_solution(t) for t in times])
    there = integrate(two_body(), METHOD, control)
    back = integrate(backwards(two_body(), two_body_solution(2 * math.pi)), METHOD, control)
    for run in (there, back):
        largest = np.abs(run.y - np.array([two_body_solution(float(t)) for t in run.t])).max()
        assert np.abs(run(times) - exact).max() < 1.5 * largest
        assert np.array_equal(run(run.t), run.y)
        for side in (-math.inf, math.inf):
            assert np.abs(run(np.nextafter(run.t[1:-1], side)) - run.y[1:-1]).max() < 1e-14
    assert there.dense_order == METHOD.order


def test_events_of_a_long_run() -> None:
    """A pendulum passes its lowest point every half period, an elliptic integral, to the accuracy of the run.

    A slice of the loop begins again with few steps: what the interpolant needs of the past is at hand.
    """
    event = Event("down", lambda t, y: y[0])
    run = integrate(pendulum(200.0), METHOD, Tolerance(1e-11, 1e-11), events=(event,))
    quarter = float(ellipk(math.sin(0.5) ** 2))
    times = np.array([occurrence.t for occurrence in run.events])
    assert len(times) == int((200.0 / quarter + 1) / 2)
    assert np.abs(times - quarter * (2 * np.arange(len(times)) + 1)).max() < 1e-8


def test_breaks_stiffness_and_failure() -> None:
    """A jump is met exactly; stiffness costs steps but no accuracy; a blow-up and a singular time are data."""
    run = integrate(ramp(), METHOD, Tolerance(1e-9, 1e-9))
    assert 1.0 in run.t
    assert run.final[0] == pytest.approx(1.0, abs=1e-12)
    times = np.linspace(0, 2, 101)
    assert np.abs(run(times)[:, 0] - np.maximum(0.0, times - 1.0)).max() < 1e-12
    stiff = integrate(van_der_pol(100.0, 20.0), METHOD, Tolerance(1e-6, 1e-6))
    radau = integrate(van_der_pol(100.0, 20.0), find_method("radau5"), Tolerance(1e-9, 1e-9))
    assert stiff.status is Status.FINISHED
    assert np.abs(stiff.final - radau.final).max() < 1e-5
    assert stiff.counts.rejected > 0
    wild = integrate(growth(2.0, 2.0), METHOD, Tolerance(1e-8, 1e-8))
    assert wild.status is Status.STEP_TOO_SMALL
    assert wild.t_end == pytest.approx(1.0, abs=1e-6)
    assert np.all(np.isfinite(wild.y))
    bounded = integrate(pendulum(), METHOD, Tolerance(1e-3, 1e-3, max_step=0.1))
    assert np.diff(bounded.t).max() <= 0.1 * (1 + 1e-9)
