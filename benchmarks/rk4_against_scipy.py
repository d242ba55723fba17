"""The RR arm at equal error: our rk4 with a fixed step, and our rkdp54, against scipy's solve_ivp(RK45).

scipy's error at its tolerance is measured against a tight reference; ours gets the longest step, or loosest tolerance,
with no larger an error. Its right-hand side is Python, twice: in matrices, as a person writes J(q) qdd + C + G = 0, and
in scalars solved by hand, which is the fastest Python that we know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.rk4_against_c import rr_problem
from solvers.catalogue import find_method
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.problem import OdeProblem

DURATION = 10.0
TOLERANCES = (1e-6, 1e-9, 1e-12)
RightHandSide = Callable[[float, np.ndarray], Any]


def measure() -> list[Measurement]:
    """Time of each at scipy's error, and the ratios, from a loose tolerance to a tight one."""
    problem = rr_problem(DURATION)
    exact = integrate(problem, find_method("dop853"), Tolerance(1e-14, 1e-14)).final
    found = []
    for tolerance in TOLERANCES:
        scipy = by_scipy(problem, scalar_rhs(problem.params), tolerance)
        natural = by_scipy(problem, matrix_rhs(problem.params), tolerance)
        error = float(np.abs(scipy() - exact).max())
        candidates = {
            "rk4": as_good("rk4", [FixedStep(DURATION / 2**power) for power in range(4, 20)], problem, exact, error),
            "rkdp54": as_good("rkdp54", tolerances(tolerance), problem, exact, error),
        }
        theirs = {"scipy RK45, matrices": natural, "scipy RK45, scalars": scipy}
        times = alternate({**theirs, **candidates}, repeats=9)
        for name, series in times.items():
            found.append(Measurement(f"{name} at error {error:.1e}", "ms", [1e3 * time for time in series]))
        for name in candidates:
            for other in theirs:
                title = f"{other}, over our {name} at error {error:.1e}"
                found.append(ratio(title, times[other], times[name], goal=100, at_least=True))
    return found


def tolerances(around: float) -> list[Tolerance]:
    """Tolerances from looser to tighter than `around`."""
    return [Tolerance(around * 10.0**power, around * 10.0**power) for power in np.arange(1, -3, -0.25)]


def by_scipy(problem: OdeProblem, rhs: RightHandSide, tolerance: float) -> Callable[[], np.ndarray]:
    """solve_ivp(RK45)."""
    span = (problem.t0, problem.t1)
    return lambda: solve_ivp(rhs, span, problem.initial, method="RK45", rtol=tolerance, atol=tolerance).y[:, -1]


def matrix_rhs(params: np.ndarray) -> RightHandSide:
    """Equation (6) of Tenreiro Machado & Galhano (1994) as it is printed, in numpy: J(q) qdd + C(q, v) + G(q) = 0."""
    m1, m2, r1, r2, j1, j2, g = params[:7]

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:2], y[2:]
        c1, c2, s2, c12 = np.cos(q[0]), np.cos(q[1]), np.sin(q[1]), np.cos(q[0] + q[1])
        corner = m2 * r2**2 + m2 * r1 * r2 * c2
        J = np.array(
            [
                [(m1 + m2) * r1**2 + m2 * r2**2 + 2 * m2 * r1 * r2 * c2 + j1, corner],
                [corner, m2 * r2**2 + j2],
            ]
        )
        C = m2 * r1 * r2 * s2 * np.array([-(v[1] ** 2) - 2 * v[0] * v[1], v[0] ** 2])
        G = g * np.array([(m1 + m2) * r1 * c1 + m2 * r2 * c12, m2 * r2 * c12])
        return np.concatenate([v, np.linalg.solve(J, -C - G)])

    return rhs


def scalar_rhs(params: np.ndarray) -> RightHandSide:
    """The same, multiplied out and solved by hand, without arrays."""
    m1, m2, r1, r2, j1, j2, g = params[:7]

    def rhs(t: float, y: np.ndarray) -> list[float]:
        q1, q2, v1, v2 = y
        c2, s2, c12 = np.cos(q2), np.sin(q2), np.cos(q1 + q2)
        d, k = m2 * r2**2, m2 * r1 * r2
        a11, a12, a22 = (m1 + m2) * r1**2 + d + 2 * k * c2 + j1, d + k * c2, d + j2
        b1 = k * s2 * v2 * (v2 + 2 * v1) - g * ((m1 + m2) * r1 * np.cos(q1) + m2 * r2 * c12)
        b2 = -k * s2 * v1**2 - g * m2 * r2 * c12
        det = a11 * a22 - a12**2
        return [v1, v2, (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det]

    return rhs


def as_good(
    key: str, controls: list[FixedStep] | list[Tolerance], problem: OdeProblem, exact: np.ndarray, error: float
) -> Callable[[], np.ndarray]:
    """Our method with the first of `controls` whose error is at most `error`."""

    def run(control: Control) -> np.ndarray:
        return integrate(problem, find_method(key), control).final

    for control in controls:
        if np.abs(run(control) - exact).max() <= error:
            return lambda: run(control)
    raise ValueError(f"{key} does not reach an error of {error}")
