"""BDF of variable order and step: its differences, its order, CVODE beside it, and what one Jacobian serves."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from solvers.control import Tolerance
from solvers.integrate import integrate
from solvers.kernel_stepper import KernelStepper
from solvers.kernels.multistep import bdf_variable as kernels
from solvers.method_registry import find_method
from solvers.status import Status
from solvers.stepper import Rows
from tests.solvers.problems import linear, logistic, logistic_solution, two_body, van_der_pol
from tests.solvers.problems_standard import Standard, stiff

METHOD = find_method("bdf-variable")


@pytest.mark.parametrize("k", range(1, 6))
@pytest.mark.parametrize("ratio", [0.3, 0.9, 2.5])
def test_differences_at_another_step(k: int, ratio: float) -> None:
    """Those of one polynomial of degree k, before and after."""

    def differences(h: float) -> np.ndarray:
        values = [np.polyval(np.arange(1.0, k + 2), 2.0 - m * h) for m in range(k + 1)]
        return np.array([sum((-1) ** m * math.comb(j, m) * values[m] for m in range(j + 1)) for j in range(k + 1)])

    D = np.zeros((8, 1))
    D[: k + 1, 0] = differences(0.1)
    kernels.respace(k, ratio, np.empty((6, 6)), D)
    assert D[: k + 1, 0] == pytest.approx(differences(0.1 * ratio), rel=1e-7, abs=1e-11)


def error_of_equal_steps(k: int, count: int) -> float:
    """The largest of so many steps of order k, with exact values before the first; no error is too large."""
    problem, h = logistic(), 2.0 / count
    stepper = METHOD.stepper(problem, Tolerance(1.0, 1.0), METHOD.complete_options({}))
    assert isinstance(stepper, KernelStepper)
    assert isinstance(stepper.formula, kernels.Formula)
    assert isinstance(stepper.scratch, kernels.Scratch)
    stepper.start(0.0, problem.initial, problem.t1, math.inf)
    stepper.formula = stepper.formula._replace(newton=1e-12)
    before = logistic_solution(np.array([-h * m for m in range(k + 1)]))
    for j in range(k + 1):
        stepper.scratch.D[j] = sum((-1) ** m * math.comb(j, m) * before[m] for m in range(j + 1))
    stepper.state.clock[:] = 0.0, h, 1.0, 0.0
    stepper.scratch.progress[[kernels.ORDER, kernels.SPACING, kernels.SAME]] = k, h, -count
    rows = Rows.empty(count, 1)
    assert stepper.advance(count, rows).accepted == count
    return float(np.abs(rows.y[:, 0] - logistic_solution(rows.t)).max())


@pytest.mark.parametrize("k", range(1, 6))
def test_order(k: int) -> None:
    coarse = 400 if k < 4 else 100
    found = math.log2(error_of_equal_steps(k, coarse) / error_of_equal_steps(k, 2 * coarse))
    assert found == pytest.approx(k, abs=0.2)


@pytest.mark.parametrize("most", range(1, 6))
def test_error_and_steps(most: int) -> None:
    """The error falls at least as fast as the highest order's power of the number of steps."""
    found = []
    for tolerance in (1e-6, 1e-7) if most == 1 else (1e-7, 1e-10):
        run = integrate(logistic(12.0), METHOD, Tolerance(tolerance, tolerance), options={"max_order": most})
        found.append((run.counts.steps, np.abs(run.y[:, 0] - logistic_solution(run.t)).max()))
    (few, large), (many, small) = found
    assert math.log(large / small) / math.log(many / few) > most - 0.2


@cache
def standard(name: str) -> Standard:
    """Solved once."""
    return stiff(name)


@pytest.mark.parametrize("name", ["rober", "vdpol", "hires", "orego"])
def test_beside_cvode(name: str) -> None:
    """At equal tolerances at most ten times CVODE's error, or ten times the tolerance, for at most twice its work."""
    problem, final = standard(name).problem, standard(name).final
    for tolerance in (1e-4, 1e-6, 1e-8):
        control = Tolerance(tolerance, 1e-4 * tolerance)
        ours, theirs = (integrate(problem, find_method(key), control) for key in ("bdf-variable", "cvode-bdf"))
        assert ours.status is Status.FINISHED
        error, other = (float((np.abs(run.final - final) / np.abs(final)).max()) for run in (ours, theirs))
        assert error < 10 * max(other, tolerance)
        assert ours.counts.steps < 1.3 * theirs.counts.steps
        assert ours.counts.rhs_evaluations < 2 * theirs.counts.rhs_evaluations


def test_counts_and_a_jacobian_that_serves_many_steps() -> None:
    run = integrate(van_der_pol(1000.0, 1500.0), METHOD, Tolerance(1e-6, 1e-6))
    assert run.counts.newton_iterations == run.log.newton.sum() < 3 * len(run.log.t)
    assert run.counts.factorisations == run.log.factorisations.sum() < 0.5 * len(run.log.t)
    assert run.counts.jacobian_evaluations < 0.05 * run.counts.steps
    # One call for the first slope, one for the first step's length, and one before each new Jacobian.
    assert run.counts.rhs_evaluations == run.counts.newton_iterations + run.counts.jacobian_evaluations + 1


def test_order_rises_from_one() -> None:
    stepper = METHOD.stepper(two_body(1000.0), Tolerance(1e-9, 1e-9), {"max_order": 5})
    assert isinstance(stepper, KernelStepper)
    assert isinstance(stepper.scratch, kernels.Scratch)
    stepper.start(0.0, two_body(1000.0).initial, 1000.0, math.inf)
    rows, found = Rows.empty(1, 4), []
    for _ in range(60):
        stepper.advance(1, rows)
        found.append(int(stepper.scratch.progress[kernels.ORDER]))
    assert found[0] == 1
    assert np.diff(found).max() == 1
    assert max(found) == 5


def test_a_first_step_far_too_long_and_fast_modes() -> None:
    run = integrate(logistic(), METHOD, Tolerance(1e-8, 1e-8, first_step=2.0))
    assert run.counts.rejected > 0
    assert run.final == pytest.approx(logistic_solution(np.array([2.0])), abs=1e-6)
    fast = linear(np.diag([-1e6, -1.0]), np.ones(2), 1.0)
    run = integrate(fast, METHOD, Tolerance(1e-6, 1e-6))
    assert run.counts.steps < 150
    assert run.final == pytest.approx([0.0, math.exp(-1.0)], abs=1e-5)
