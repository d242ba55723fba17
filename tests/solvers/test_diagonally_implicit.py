"""Diagonally implicit methods: order conditions, observed order, one step by scipy, stiff problems, counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from assets.errors import BadInput
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.diagonally_implicit import DiagonallyImplicit, from_dict
from solvers.status import Status
from solvers.tableaux.order_conditions import Tree, density, trees
from tests.solvers.problems import (
    linear,
    logistic,
    logistic_solution,
    pendulum,
    two_body,
    two_body_solution,
    van_der_pol,
)

KEYS = ["tr-bdf2", "esdirk32", "sdirk4", "esdirk43", "kvaerno54", "esdirk54"]


def method_of(key: str) -> DiagonallyImplicit:
    method = find_method(key)
    assert isinstance(method, DiagonallyImplicit)
    return method


def stage_weights(A: np.ndarray, tree: Tree) -> np.ndarray:
    """The product over the branches of A times their own weights, for every stage."""
    found = np.ones(len(A))
    for branch in tree:
        found = found * (A @ stage_weights(A, branch))
    return found


@pytest.mark.parametrize("key", KEYS)
def test_order_conditions(key: str) -> None:
    """b' Phi(tree) = 1 / density for every rooted tree up to the order, and not beyond; the embedded weights too."""
    method = method_of(key)
    A, b = method.formula.A, method.formula.b
    assert method.error_order is not None
    for weights, order in ((b, method.order), (b - np.array(method.formula.estimate), method.error_order)):
        for vertices in range(1, order + 2):
            gaps = [weights @ stage_weights(A, tree) - 1.0 / density(tree) for tree in trees(vertices)]
            assert (max(map(abs, gaps)) < 4e-15) == (vertices <= order)
    assert np.array_equal(A[-1], b)
    diagonal = np.diag(A)[int(not A[0].any()) :]
    assert diagonal == pytest.approx(np.full(len(diagonal), diagonal[-1]), abs=1e-15)


@pytest.mark.parametrize("key", KEYS)
def test_order(key: str) -> None:
    """The observed order on nonlinear problems, with exact and with difference Jacobians."""
    method = find_method(key)
    coarse = 60 if method.order < 5 else 20
    for problem, exact in ((two_body(2.0), two_body_solution(2.0)), (logistic(), logistic_solution(np.array([2.0])))):
        errors = [
            np.abs(integrate(problem, method, FixedStep(2.0 / n), options={"newton_tolerance": 1e-15}).final - exact)
            for n in (coarse, 2 * coarse)
        ]
        assert math.log2(errors[0].max() / errors[1].max()) == pytest.approx(method.order, abs=0.2)


@pytest.mark.parametrize("key", KEYS)
def test_a_step_by_scipy(key: str) -> None:
    """The stage equations of one long step of a pendulum, all at once."""
    method, problem, h = method_of(key), pendulum(0.5), 0.5
    A, b = method.formula.A, method.formula.b

    def slopes(y: np.ndarray) -> np.ndarray:
        out = np.empty_like(y)
        for row, state in zip(out, y, strict=True):
            problem.rhs(0.0, state.copy(), problem.params, row)
        return out

    def gaps(flat: np.ndarray) -> np.ndarray:
        y = flat.reshape(len(b), 2)
        return (y - problem.initial - h * A @ slopes(y)).ravel()

    found = np.asarray(fsolve(gaps, np.tile(problem.initial, len(b)), xtol=1e-13)).reshape(len(b), 2)
    run = integrate(problem, method, FixedStep(h))
    assert run.final == pytest.approx(problem.initial + h * b @ slopes(found), abs=1e-11)
    difference = h * np.array(method.formula.estimate) @ slopes(found)
    J = np.empty((2, 2))
    assert problem.jacobian is not None
    problem.jacobian(0.0, problem.initial, problem.params, J)
    wanted = np.linalg.solve(np.eye(2) - h * A[-1, -1] * J, difference)
    assert run.log.error[0] == pytest.approx(np.abs(wanted).max(), rel=1e-6)


@pytest.mark.parametrize("key", KEYS)
def test_stiff_problems(key: str) -> None:
    """L-stable; van der Pol's oscillator as scipy's Radau solves it, at a cost that grows as the order says."""
    method = find_method(key)
    assert method.stability is not None
    assert method.stability.l_stable
    stiff = integrate(linear(np.array([[-1e6, 0.0], [0.0, -1.0]]), np.ones(2), 1.0), method, FixedStep(0.1))
    assert abs(stiff.final[0]) < 1e-20
    assert stiff.final[1] == pytest.approx(math.exp(-1.0), abs=2e-3)

    def rhs(t: float, y: np.ndarray) -> list[float]:
        return [y[1], 1000.0 * (1 - y[0] ** 2) * y[1] - y[0]]

    exact = solve_ivp(rhs, (0, 600.0), [2.0, 0.0], method="Radau", rtol=1e-11, atol=1e-11).y[:, -1]
    steps = []
    for tolerance in (1e-4, 1e-7):
        run = integrate(van_der_pol(1000.0, 600.0), method, Tolerance(tolerance, tolerance))
        assert run.status is Status.FINISHED
        assert np.abs(run.final - exact).max() < 200 * tolerance
        assert run.counts.newton_iterations == run.log.newton.sum()
        assert run.counts.factorisations == run.log.factorisations.sum() == len(run.log.t)
        assert run.counts.jacobian_evaluations == run.counts.steps
        steps.append(run.counts.steps)
    assert steps[1] < 8 * steps[0]


@pytest.mark.parametrize("key", KEYS)
def test_counts_of_a_linear_problem(key: str) -> None:
    """Newton's iteration is exact for a linear problem: two iterations for each implicit stage."""
    method = method_of(key)
    rotation = linear(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([1.0, 0.0]), 1.0)
    run = integrate(rotation, method, FixedStep(0.1))
    implicit = method.stages - int(not method.formula.A[0].any())
    assert run.counts.newton_iterations == 20 * implicit
    assert run.counts.rhs_evaluations == 10 * (1 + 2 * implicit)
    assert (run.counts.jacobian_evaluations, run.counts.factorisations) == (10, 10)


def test_files_that_are_refused() -> None:
    """Each refusal names the field."""
    good = {"name": "N", "order": 1, "error_order": 1, "source": "S", "summary": "T", "A": [["1"]], "b_error": ["1"]}
    assert from_dict("mine", good).stages == 1
    for change, words in (
        ({"colour": "red"}, "mine.colour"),
        ({"A": [["1"], ["1"]]}, r"mine.A\[1\]"),
        ({"A": [["0"], ["1", "2"], ["1", "0", "1"]], "b_error": ["1", "0", "0"]}, "mine.A must"),
        ({"b_error": ["one"]}, r"mine.b_error\[0\]"),
    ):
        with pytest.raises(BadInput, match=words):
            from_dict("mine", good | change)
    with pytest.raises(BadInput, match=r"mine\.A must"):
        from_dict("mine", {name: value for name, value in good.items() if name != "A"})
