"""Automatic switching: each pair alone, the spectral radius, stiffness that comes and goes, LSODA beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solvers.control import Tolerance
from solvers.integrate import integrate
from solvers.kernel_stepper import KernelStepper
from solvers.kernels import switching as kernels
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.solution import Solution
from solvers.status import Status
from solvers.stepper import Rows
from tests.solvers.problems import linear, two_body, two_body_solution, van_der_pol

METHOD = find_method("switching")
TIGHT = Tolerance(1e-6, 1e-6)


def implicit_steps(run: Solution) -> np.ndarray:
    """Which accepted steps the implicit pair made, (n,)."""
    return run.log.factorisations[run.log.accepted.astype(bool)] > 0


def test_without_stiffness_it_is_the_explicit_pair() -> None:
    """Bit for bit, and no call more."""
    ours, plain = (integrate(two_body(20.0), find_method(key), TIGHT) for key in ("switching", "dopri5"))
    assert np.array_equal(ours.t, plain.t)
    assert np.array_equal(ours.y, plain.y)
    assert ours.counts.rhs_evaluations == plain.counts.rhs_evaluations
    assert ours.counts.factorisations == 0


def test_its_implicit_steps_are_those_of_the_other_pair() -> None:
    """Begun with the implicit pair on a stiff oscillator it makes ESDIRK 5(4)'s steps, bit for bit."""
    problem = van_der_pol(1000.0, 300.0)
    plain = integrate(problem, find_method("esdirk54"), TIGHT)
    stepper = METHOD.stepper(problem, TIGHT, {})
    assert isinstance(stepper, KernelStepper)
    assert isinstance(stepper.scratch, kernels.Scratch)
    stepper.scratch.progress[kernels.IMPLICIT] = 1.0
    stepper.start(0.0, problem.initial, problem.t1, math.inf)
    rows = Rows.empty(len(plain.log.t), 2)
    made = stepper.advance(len(rows.t), rows).accepted
    assert made > 10
    assert np.array_equal(rows.t[:made], plain.t[1 : made + 1])
    assert np.array_equal(rows.y[:made], plain.y[1 : made + 1])


def test_spectral_radius() -> None:
    """The power method against eigenvalues: real, complex, kept from call to call; no radius, no division by 0."""
    random = np.random.default_rng(7)
    matrices = [np.diag([-1e6, -1.0, 3.0]), np.array([[0.0, 1.0], [-400.0, -1.0]]), random.normal(size=(6, 6))]
    for J in matrices:
        vectors = np.zeros((2, len(J)))
        found = [kernels.radius(np.ascontiguousarray(J), vectors) for _ in range(12)]
        assert found[0] == 0.0
        exact = np.abs(np.linalg.eigvals(J)).max()
        assert math.exp(np.mean(np.log(found[2:]))) == pytest.approx(exact, rel=0.1)
    assert kernels.radius(np.zeros((2, 2)), np.ones((2, 2))) == 0.0
    assert kernels.radius(np.full((2, 2), np.nan), np.ones((2, 2))) == 0.0


def test_switches_where_the_eigenvalues_say() -> None:
    """On van der Pol's oscillator the slow parts are stiff and the jumps between them are not."""
    mu = 30.0
    problem = van_der_pol(mu, 200.0)
    run = integrate(problem, METHOD, TIGHT)
    implicit, h = implicit_steps(run), np.diff(run.t)
    J = np.zeros((2, 2))
    largest = []
    assert problem.jacobian is not None
    for y in run.y[:-1]:
        problem.jacobian(0.0, y.copy(), problem.params, J)
        largest.append(np.abs(np.linalg.eigvals(J)).max())
    reach = h * np.array(largest)
    assert 4 <= np.count_nonzero(np.diff(implicit)) <= 30
    assert np.median(reach[implicit]) > 10.0
    assert np.quantile(reach[~implicit], 0.9) < 4.0
    # Nearly all of the time is spent in implicit steps, most steps are explicit.
    assert h[implicit].sum() > 0.8 * 200.0
    assert np.mean(implicit) < 0.5


def scipys(problem: OdeProblem, tolerance: float) -> tuple[np.ndarray, int]:
    """The final state by LSODA, and its calls of f."""
    calls = 0

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        nonlocal calls
        calls += 1
        out = np.empty_like(y)
        problem.rhs(t, np.ascontiguousarray(y), problem.params, out)
        return out

    run = solve_ivp(rhs, (problem.t0, problem.t1), problem.initial, method="LSODA", rtol=tolerance, atol=tolerance)
    return run.y[:, -1], calls


def spring(k: float, c: float) -> OdeProblem:
    return linear(np.array([[0.0, 1.0], [-k, -c]]), np.array([1.0, 0.0]), 2.0)


@pytest.mark.parametrize(
    ("problem", "stiff"),
    [
        (van_der_pol(1000.0, 1500.0), True),
        (van_der_pol(30.0, 100.0), True),
        (spring(1e4, 1e4), True),
        (spring(10.0, 1.0), False),
        (two_body(2 * math.pi), False),
    ],
    ids=["both", "comes and goes", "stiff", "not stiff", "orbit"],
)
def test_beside_lsoda(problem: OdeProblem, stiff: bool) -> None:
    """Stiff, not stiff, and both: at most ten times LSODA's error, or ten tolerances, for at most five times its calls.

    A multi-step method calls f once or twice in a step, a pair of order 5 six times or more.
    """
    exact = integrate(problem, find_method("radau5"), Tolerance(1e-11, 1e-12)).final
    for tolerance in (1e-4, 1e-7):
        run = integrate(problem, METHOD, Tolerance(tolerance, tolerance))
        theirs, calls = scipys(problem, tolerance)
        assert run.status is Status.FINISHED
        scale = 1.0 + np.abs(exact)
        error, other = (float((np.abs(y - exact) / scale).max()) for y in (run.final, theirs))
        assert error < 10 * max(other, tolerance)
        assert run.counts.rhs_evaluations < 5 * calls
        assert implicit_steps(run).any() == stiff


def test_cheaper_than_either_pair_where_stiffness_comes_and_goes() -> None:
    problem = van_der_pol(30.0, 200.0)
    calls = {key: integrate(problem, find_method(key), TIGHT).counts for key in ("switching", "dopri5", "esdirk54")}
    ours = calls["switching"].rhs_evaluations
    assert ours < 0.9 * calls["dopri5"].rhs_evaluations
    assert ours < 0.9 * calls["esdirk54"].rhs_evaluations


def test_counts_and_the_end_of_an_orbit() -> None:
    run = integrate(van_der_pol(1000.0, 1500.0), METHOD, TIGHT)
    assert run.counts.newton_iterations == run.log.newton.sum()
    assert run.counts.factorisations == run.log.factorisations.sum()
    assert run.counts.jacobian_evaluations <= run.counts.factorisations
    orbit = integrate(two_body(), METHOD, Tolerance(1e-10, 1e-10))
    assert orbit.final == pytest.approx(two_body_solution(2 * math.pi), abs=1e-7)
