"""Munthe-Kaas methods on the heavy top with 40 digits: rotation matrices, matrix exponentials and Bernoulli numbers.

The kernel has Euler parameters and closed forms instead. The motion itself comes from mpmath's Taylor series.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from robots.model.registry import find_robot
from robots.scenario.scenario import new_scenario
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.lie_group import MuntheKaas
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import load

SCENARIO = new_scenario("top")
TERMS = 34
Matrix = Any


def hat(w: Matrix) -> Matrix:
    return mpmath.matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def cross(a: Matrix, b: Matrix) -> Matrix:
    return hat(a) * b


def moved_by(u: Matrix) -> Matrix:
    """exp of a small rotation vector."""
    return mpmath.expm(hat(u), method="taylor")


def lifted(u: Matrix, w: Matrix) -> Matrix:
    """u' for R = R0 exp(u) with R' = R hat(w): sum of B_k / k! (-1)^k ad_u^k w."""
    total, term = mpmath.matrix(3, 1), w
    for k in range(TERMS):
        total += mpmath.bernoulli(k) / mpmath.factorial(k) * (-1) ** k * term
        term = cross(u, term)
    return total


def euler(R: Matrix, w: Matrix) -> Matrix:
    """The rates' slope under the weight."""
    J1, J2, J3, m, g, l = (mpf(SCENARIO.parameters[name]) for name in ("J1", "J2", "J3", "m", "g", "l"))
    up = R.T * mpmath.matrix([0, 0, 1])
    momentum = mpmath.matrix([J1 * w[0], J2 * w[1], J3 * w[2]])
    torque = cross(momentum, w) + cross(mpmath.matrix([0, 0, l]), -m * g * up)
    return mpmath.matrix([torque[0] / J1, torque[1] / J2, torque[2] / J3])


def step(base: str, h: Any, R: Matrix, w: Matrix) -> tuple[Matrix, Matrix]:
    """One step of the method by a tableau."""
    tableau = load(base)
    rows = [*tableau.A, tableau.b]
    turns, slopes, turned, rates = [], [], R, w
    for row in rows:
        weights = [mpf(a.numerator) / a.denominator for a in map(Fraction, row)]
        u, dw = mpmath.matrix(3, 1), mpmath.matrix(3, 1)
        for weight, turn, slope in zip(weights, turns, slopes, strict=False):
            u += h * weight * turn
            dw += h * weight * slope
        turned, rates = R * moved_by(u), w + dw
        if len(turns) < len(tableau.b):
            turns.append(lifted(u, rates))
            slopes.append(euler(turned, rates))
    return turned, rates


def matrix_of(p: np.ndarray) -> Matrix:
    p0, p1, p2, p3 = (mpf(float(one)) for one in p)
    tail = mpmath.matrix([p1, p2, p3])
    return (p0**2 - (tail.T * tail)[0]) * mpmath.eye(3) + 2 * tail * tail.T + 2 * p0 * hat(tail)


def posed() -> tuple[OdeProblem, Matrix, Matrix]:
    problem = find_robot("top").problem(SCENARIO)
    assert isinstance(problem, OdeProblem)
    start = problem.initial
    return problem, matrix_of(start[:4]), mpmath.matrix([mpf(float(one)) for one in start[4:]])


@pytest.mark.parametrize("key", ["munthe-kaas4", "munthe-kaas54"])
def test_a_step_with_rotation_matrices(key: str) -> None:
    method = find_method(key)
    assert isinstance(method, MuntheKaas)
    with mpmath.workdps(40):
        problem, R, w = posed()
        h = 1.0 / 64.0
        found = integrate(replace(problem, t1=problem.t0 + h), method, FixedStep(h)).final
        turned, rates = step(method.base, mpf(h), R, w)
        assert mpmath.mnorm(matrix_of(found[:4]) - turned, mpmath.inf) < 4e-15
        assert max(abs(mpf(float(one)) - rates[k]) for k, one in enumerate(found[4:])) < 1e-13


@pytest.mark.parametrize("key", ["munthe-kaas4", "munthe-kaas54"])
def test_order_with_forty_digits(key: str) -> None:
    """The error of one step falls with h^(p + 1); so many digits leave room for steps at which nothing else shows."""
    method = find_method(key)
    assert isinstance(method, MuntheKaas)
    with mpmath.workdps(40):
        _, R, w = posed()

        def slope(_: Any, y: Any) -> list[Any]:
            turned, rates = mpmath.matrix(y[:9]), mpmath.matrix(y[9:])
            turned = mpmath.matrix([[turned[3 * i + j] for j in range(3)] for i in range(3)])
            return [*(turned * hat(rates)), *euler(turned, rates)]

        exact = mpmath.odefun(slope, 0, [*R, *w], tol=mpf(10) ** -32)
        errors = []
        for h in (mpf(1) / 2048, mpf(1) / 4096):
            turned, rates = step(method.base, h, R, w)
            errors.append(max(abs(a - b) for a, b in zip([*turned, *rates], exact(h), strict=True)))
        assert float(mpmath.log(errors[0] / errors[1], 2)) == pytest.approx(method.order + 1, abs=0.02)
