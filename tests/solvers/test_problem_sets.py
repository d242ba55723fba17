"""The standard problem sets, DETEST and Hairer and Wanner's stiff problems, against solutions that are not ours."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method, methods
from tests.solvers.problems_standard import Standard, amplification, nonstiff, stiff

NONSTIFF = ["a2", "a3", "a4", "a5", "b1", "b4", "b5", "c1", "c3", "d1", "d3", "e1", "e2", "e4", "e5"]
STIFF = ["rober", "vdpol", "hires", "orego"]
STIFF_METHODS = ["radau5", "rosenbrock", "rosenbrock-nystrom", "w-method"]
EXPLICIT = [
    key
    for key, method in methods().items()
    if method.adaptive and (not method.implicit or key == "cvode-adams") and method.problems != {"rotations"}
]


@cache
def nonstiff_standard(name: str) -> Standard:
    """Solved once for all methods."""
    return nonstiff(name)


@cache
def stiff_standard(name: str) -> Standard:
    """Solved once for all methods."""
    return stiff(name)


@cache
def nonstiff_amplification(name: str) -> tuple[float, float]:
    """Computed once for all methods."""
    return amplification(nonstiff_standard(name).problem)


@pytest.mark.parametrize("key", EXPLICIT)
def test_nonstiff(key: str) -> None:
    """DETEST at 1e-6 and 1e-8: the error is of the size of what the steps may commit together, and follows.

    Every step may commit an error whose root mean square is rtol |y| + atol, and its estimate may be a third of it;
    until the end the problem makes that grow by its amplification at most. With q the lower of the pair's orders, an
    error control per step lets the error at the end fall as the tolerance to the power q / (q + 1) at least.
    """
    method, ratios = find_method(key), []
    for name in NONSTIFF:
        standard = nonstiff_standard(name)
        if not method.accepts(standard.problem):
            continue
        errors, (growth, size) = [], nonstiff_amplification(name)
        for tolerance in (1e-6, 1e-8):
            run = integrate(standard.problem, method, Tolerance(tolerance, tolerance))
            assert run.status.ok, name
            assert run.t_end == standard.problem.t1
            errors.append(float(np.abs(run.final - standard.final).max()))
            one = 3 * math.sqrt(standard.problem.dimension) * tolerance * (1 + size)
            assert errors[-1] < growth * one * run.counts.steps, name
        ratios.append(errors[0] / max(errors[1], 1e-12))
    lower = min(method.order, method.error_order or method.order)
    assert len(ratios) > 10
    assert np.median(ratios) > 0.5 * 100 ** (lower / (lower + 1))


@cache
def by_sundials(name: str) -> dict[str, tuple[float, int]]:
    """Relative error and steps of SUNDIALS' two stiff codes at 1e-7."""
    standard, found = stiff_standard(name), {}
    for key in ("cvode-bdf", "ida"):
        run = integrate(standard.problem, find_method(key), Tolerance(1e-7, 1e-11))
        assert run.status.ok
        found[key] = float(np.abs(run.final / standard.final - 1).max()), run.counts.steps
    return found


@pytest.mark.parametrize("key", STIFF_METHODS)
@pytest.mark.parametrize("name", STIFF)
def test_stiff(name: str, key: str) -> None:
    """At one tolerance no method of ours is further off than the worse of SUNDIALS' codes, in any component.

    A formula of order 4 or more takes at most five times as many steps as CVODE, whose order is 5 at most.
    """
    standard, method = stiff_standard(name), find_method(key)
    if not method.accepts(standard.problem):
        assert standard.problem.positions == 0
        return
    run = integrate(standard.problem, method, Tolerance(1e-7, 1e-11))
    assert run.status.ok
    others = by_sundials(name)
    assert np.abs(run.final / standard.final - 1).max() < max(error for error, _ in others.values())
    assert run.counts.jacobian_evaluations > 0
    if method.order >= 4:
        assert run.counts.steps < 5 * others["cvode-bdf"][1]


@pytest.mark.parametrize("name", STIFF)
def test_sundials_codes_agree(name: str) -> None:
    """The two codes, of one family of formulas, err by amounts of one size, of some tens of tolerances."""
    errors = [error for error, _ in by_sundials(name).values()]
    assert max(errors) < 10 * min(errors)
    assert max(errors) < 100 * 1e-7


@pytest.mark.parametrize("name", STIFF)
def test_stiff_against_sundials(name: str) -> None:
    """Radau IIA at 1e-9 and CVODE-BDF at 1e-11 have no line of code in common."""
    problem = stiff_standard(name).problem
    ours = integrate(problem, find_method("radau5"), Tolerance(1e-9, 1e-13))
    theirs = integrate(problem, find_method("cvode-bdf"), Tolerance(1e-11, 1e-15))
    assert np.abs(ours.final / theirs.final - 1).max() < 1e-6


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6])
def test_stiff_with_fixed_steps(order: int) -> None:
    """BDF on Robertson's reaction with steps a hundred times longer than its fastest time at the start.

    The error falls with the order of the formula until what the first steps add, inside the layer where the second
    substance appears, is larger.
    """
    standard, errors = stiff_standard("rober"), []
    for step in (0.04, 0.02):
        run = integrate(standard.problem, find_method(f"bdf{order}"), FixedStep(step))
        assert run.status.ok
        assert np.abs(run.y.sum(axis=1) - 1).max() < 1e-10
        errors.append(np.abs(run.final / standard.final - 1).max())
    assert errors[1] < {1: 4e-4, 2: 2e-6}.get(order, 1e-7)
    if order <= 2:
        assert errors[0] / errors[1] == pytest.approx(2**order, rel=0.1)


@pytest.mark.parametrize("key", ["backward-euler", "trapezoidal", "implicit-midpoint", "radau5"])
def test_fixed_steps_beyond_the_first_jacobian(key: str) -> None:
    """Robertson's first Jacobian says nothing about the first step of 0.04: the iteration takes later ones.

    Backward Euler and BDF 1 are one formula, solved by two codes, each of which may miss Newton's tolerance, 1e-12 of
    1 + |y|, in each of 1000 steps.
    """
    standard = stiff_standard("rober")
    run = integrate(standard.problem, find_method(key), FixedStep(0.04))
    assert run.status.ok
    assert run.log.newton[0] > 2
    assert np.abs(run.y.sum(axis=1) - 1).max() < 1e-10
    if key == "backward-euler":
        other = integrate(standard.problem, find_method("bdf1"), FixedStep(0.04))
        assert np.abs(run.y - other.y).max() < 2 * 1000 * 2e-12
    if key == "radau5":
        assert np.abs(run.final / standard.final - 1).max() < 1e-7


@pytest.mark.parametrize("first_step", [0.02, 0.04, 1.0, 40.0])
def test_step_control_where_newton_fails(first_step: float) -> None:
    """Radau with step control halves a first step over which Newton's iteration fails, and goes on from there."""
    standard = stiff_standard("rober")
    run = integrate(standard.problem, find_method("radau5"), Tolerance(1e-7, 1e-11, first_step=first_step))
    assert run.status.ok
    failed = np.flatnonzero(np.isinf(run.log.error))
    assert np.array_equal(failed, np.arange(len(failed)))
    assert len(failed) >= 1
    assert np.allclose(run.log.h[failed], first_step * 0.5**failed)
    assert np.abs(run.final / standard.final - 1).max() < max(error for error, _ in by_sundials("rober").values())
