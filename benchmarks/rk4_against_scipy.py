"""The RR arm at equal error: our rk4 with a fixed step, and our rkdp54, against scipy's solve_ivp(RK45).

scipy's error at its tolerance is measured against a tight reference; ours gets the longest step, or loosest tolerance,
with no larger an error.
"""

from __future__ import annotations

from collections.abc import Callable

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


def measure() -> list[Measurement]:
    """Time of each at scipy's error, and the ratios, from a loose tolerance to a tight one."""
    problem = rr_problem(DURATION)
    exact = integrate(problem, find_method("dop853"), Tolerance(1e-14, 1e-14)).final
    found = []
    for tolerance in TOLERANCES:
        scipy = by_scipy(problem, tolerance)
        error = float(np.abs(scipy() - exact).max())
        candidates = {
            "rk4": as_good("rk4", [FixedStep(DURATION / 2**power) for power in range(4, 20)], problem, exact, error),
            "rkdp54": as_good("rkdp54", tolerances(tolerance), problem, exact, error),
        }
        times = alternate({"scipy RK45": scipy, **candidates}, repeats=9)
        for name, series in times.items():
            found.append(Measurement(f"{name} at error {error:.1e}", "ms", [1e3 * time for time in series]))
        for name in candidates:
            title = f"scipy RK45 over our {name} at error {error:.1e}"
            found.append(ratio(title, times["scipy RK45"], times[name], goal=100, at_least=True))
    return found


def tolerances(around: float) -> list[Tolerance]:
    """Tolerances from looser to tighter than `around`."""
    return [Tolerance(around * 10.0**power, around * 10.0**power) for power in np.arange(1, -3, -0.25)]


def by_scipy(problem: OdeProblem, tolerance: float) -> Callable[[], np.ndarray]:
    """solve_ivp(RK45) with the right-hand side as a person writes it, in Python."""
    m1, m2, r1, r2, j1, j2, g = problem.params[:7]

    def rhs(t: float, y: np.ndarray) -> list[float]:
        q1, q2, v1, v2 = y
        c2, s2, c12 = np.cos(q2), np.sin(q2), np.cos(q1 + q2)
        d, k = m2 * r2**2, m2 * r1 * r2
        a11, a12, a22 = (m1 + m2) * r1**2 + d + 2 * k * c2 + j1, d + k * c2, d + j2
        b1 = k * s2 * v2 * (v2 + 2 * v1) - g * ((m1 + m2) * r1 * np.cos(q1) + m2 * r2 * c12)
        b2 = -k * s2 * v1**2 - g * m2 * r2 * c12
        det = a11 * a22 - a12**2
        return [v1, v2, (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det]

    span = (problem.t0, problem.t1)
    return lambda: solve_ivp(rhs, span, problem.initial, method="RK45", rtol=tolerance, atol=tolerance).y[:, -1]


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
