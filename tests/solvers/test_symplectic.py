"""Symplectic Euler and the Verlet methods: order, bounded energy over 1e5 steps, symmetry in time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba import njit

from assets.errors import BadInput
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.kernels.signatures import RHS
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.status import Status
from tests.solvers.problems import backwards, logistic, pendulum, two_body, two_body_solution

KEYS = ["symplectic-euler", "velocity-verlet", "stoermer-verlet"]


@njit(RHS, cache=True, nogil=True)
def varying_mass_rhs(t, y, params, dy):
    """A pendulum with inertia 2 + cos q: like an arm's, its acceleration depends on the velocity."""
    mass, slope = 2.0 + math.cos(y[0]), -math.sin(y[0])
    dy[0] = y[1]
    dy[1] = -(0.5 * slope * y[1] * y[1] + math.sin(y[0])) / mass


def varying_mass(t1: float) -> OdeProblem:
    return OdeProblem(
        varying_mass_rhs, np.array([1.0, 0.5]), 0.0, t1, np.zeros(1), ("q1", "v1"), ("rad", "rad/s"), positions=1
    )


def varying_mass_energy(y: np.ndarray) -> np.ndarray:
    return 0.5 * (2 + np.cos(y[:, 0])) * y[:, 1] ** 2 - np.cos(y[:, 0])


@pytest.mark.parametrize("key", KEYS)
def test_order(key: str) -> None:
    """The observed order, with accelerations that depend on velocities and without."""
    method = find_method(key)
    exact = integrate(varying_mass(3.0), find_method("rk8"), FixedStep(0.001)).final
    for problem, final in ((two_body(3.0), two_body_solution(3.0)), (varying_mass(3.0), exact)):
        errors = []
        for n in (2000, 4000):
            errors.append(np.abs(integrate(problem, method, FixedStep(3.0 / n)).final - final).max())
        assert math.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)


@pytest.mark.parametrize("key", KEYS)
def test_energy_stays_bounded(key: str) -> None:
    """Over 1e5 steps the second half's energy error is no larger than the first's; Heun's method drifts."""
    run = integrate(pendulum(1e4), find_method(key), FixedStep(0.1))
    assert run.counts.steps == 100_000

    def energy_error(y: np.ndarray) -> np.ndarray:
        energy = 0.5 * y[:, 1] ** 2 - np.cos(y[:, 0])
        return np.abs(energy - energy[0])

    error = energy_error(run.y)
    assert error[50_000:].max() < 1.01 * error[:50_000].max() < 0.1
    heun = energy_error(integrate(pendulum(1e4), find_method("rk2"), FixedStep(0.1)).y)
    assert heun[50_000:].max() > 2 * error.max()


@pytest.mark.parametrize("key", KEYS[1:])
def test_energy_of_an_arm_stays_bounded(key: str) -> None:
    """With an inertia that varies the symmetric methods keep the energy bounded too."""
    run = integrate(varying_mass(1e4), find_method(key), FixedStep(0.1))
    error = np.abs(varying_mass_energy(run.y) - varying_mass_energy(run.y)[0])
    assert error[50_000:].max() < 1.01 * error[:50_000].max() < 0.02


@pytest.mark.parametrize("key", KEYS[1:])
def test_symmetry(key: str) -> None:
    """Forth and back with the same step returns to the start to round-off; rk4 does not."""
    for problem in (pendulum(), varying_mass(10.0)):
        there = integrate(problem, find_method(key), FixedStep(0.1))
        back = integrate(backwards(problem, there.final), find_method(key), FixedStep(0.1))
        assert np.abs(back.final - problem.initial).max() < 1e-11
    rk4 = integrate(pendulum(), find_method("rk4"), FixedStep(0.1))
    back = integrate(backwards(pendulum(), rk4.final), find_method("rk4"), FixedStep(0.1))
    assert np.abs(back.final - pendulum().initial).max() > 1e-9


def test_counts_and_dense_output() -> None:
    """Without velocities in the acceleration an implicit kick takes two calls, the second to see that it is exact."""
    for key, calls in (("symplectic-euler", 1), ("stoermer-verlet", 2), ("velocity-verlet", 3)):
        run = integrate(two_body(1.0), find_method(key), FixedStep(0.01))
        assert run.counts.rhs_evaluations == 100 * calls
        times = np.linspace(0, 1, 37)
        exact = np.array([two_body_solution(float(t)) for t in times])
        assert np.abs(run(times) - exact).max() < 1.5 * np.abs(run.final - two_body_solution(1.0)).max() + 1e-5
        assert np.array_equal(run(run.t), run.y)
    with pytest.raises(BadInput, match="rk4"):
        integrate(logistic(), find_method("velocity-verlet"), FixedStep(0.1))


@pytest.mark.parametrize("key", KEYS)
def test_a_method_whose_kicks_are_iterated_is_not_just_called_explicit(key: str) -> None:
    """The card of *Velocity Verlet* said so, while a kick of an arm took several calls."""
    method = find_method(key)
    calls = [
        integrate(problem, method, FixedStep(0.01)).counts.rhs_evaluations
        for problem in (two_body(1.0), varying_mass(1.0))
    ]
    assert (method.kind_text == "explicit") == (calls[0] == calls[1]), calls
    assert ("iteration" in method.summary) == (calls[0] < calls[1])


def test_divergence() -> None:
    """A huge step leads far away, not to an exception."""
    run = integrate(two_body(1e6, 0.9), find_method("velocity-verlet"), FixedStep(1e3))
    assert run.status is Status.FINISHED
    assert 1e9 < np.abs(run.final).max() < np.inf
