"""The RR arm at equal error: our rk4 with a fixed step, and methods with step control, against scipy's RK45.

scipy's error at its tolerance is measured against a tight reference; ours get the longest step, or loosest tolerance,
with no larger an error, there and at the next shorter one. scipy's right-hand side is Python, twice: in matrices, as a
person writes J(q) qdd + C + G = 0, and in scalars solved by hand, which is the fastest Python that we know. A C program
takes rk4's steps too: what is possible for code that is not made for this arm and this method alone, as the specialised
kernels are. Ratios are those of the least processor times; what counts is the least over three errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.c_programs import has_gcc, program
from benchmarks.measurement import Measurement, alternate, loosest
from benchmarks.problems import arm_numbers, posed
from benchmarks.rk4_against_c import c_program
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.solution import Solution

DURATION, GOAL, CALLS, REPEATS = 10.0, 100.0, 40, 9
TOLERANCES = (1e-6, 1e-9, 1e-12)
STEPS = [FixedStep(DURATION / round(2 ** (0.25 * power))) for power in range(20, 80)]
LOOSER_TO_TIGHTER = [Tolerance(10.0**power, 10.0**power) for power in np.arange(-3, -14.1, -0.25)]
METHODS = {"rk4": STEPS, "dopri5": LOOSER_TO_TIGHTER, "dop853": LOOSER_TO_TIGHTER}
MATRICES, SCALARS, C = "matrices", "scalars", "rk4 in C"
RightHandSide = Callable[[float, np.ndarray], Any]


@dataclass(frozen=True, slots=True)
class Ours:
    """One of our methods, as good as scipy at one tolerance."""

    problem: OdeProblem
    key: str
    specialised: bool
    control: Control

    def solution(self) -> Solution:
        """By the whole of integrate()."""
        return integrate(self.problem, find_method(self.key), self.control, options={"specialised": self.specialised})

    def __call__(self) -> np.ndarray:
        """The final state."""
        return self.solution().final


def measure() -> list[Measurement]:
    """Time of each at scipy's error, and the ratios, from a loose tolerance to a tight one."""
    problem = posed("rr-swing", DURATION)
    exact = integrate(problem, find_method("dop853"), Tolerance(1e-14, 1e-14)).final
    found: list[Measurement] = []
    ratios: dict[str, dict[str, float]] = {}
    library = program("runge_kutta.c") if has_gcc() else None
    for tolerance in TOLERANCES:
        theirs = {
            MATRICES: by_scipy(problem, matrix_rhs(arm_numbers()), tolerance),
            SCALARS: by_scipy(problem, scalar_rhs(arm_numbers()), tolerance),
        }
        error = float(np.abs(theirs[SCALARS]() - exact).max())
        ours: dict[str, Callable[[], object]] = {
            key + ", specialised" * specialised: as_good(key, specialised, controls, problem, exact, error)
            for key, controls in METHODS.items()
            for specialised in (False, True)
        }
        if library is not None:
            steps = len(as_good("rk4", False, STEPS, problem, exact, error).solution().t) - 1
            ours[C] = c_program(library, problem, "rk4", steps)
        often = dict.fromkeys(ours, CALLS)
        times = alternate({**theirs, **ours}, repeats=REPEATS, clock=process_time, calls=often)
        for name, series in times.items():
            title = f"scipy RK45, {name}" if name in theirs else name
            found.append(Measurement(f"{title}, error {error:.1e}", "ms", [1e3 * time for time in series]))
        for other in theirs:
            for name in ours:
                one = min(times[other]) / min(times[name])
                ratios.setdefault(f"scipy, {other}, over {name}", {})[f"{error:.1e}"] = one
    return found + [least(title, several) for title, several in ratios.items()]


def least(title: str, ratios: Mapping[str, float]) -> Measurement:
    """The least of the ratios at the several errors, which the goal is for; the note has them all."""
    listed = ", ".join(f"{one:.0f}x at error {error}" for error, one in ratios.items())
    goal = None if title.endswith(C) else GOAL
    return Measurement(title, "x", list(ratios.values()), goal=goal, at_least=True, percentile=0, note=listed)


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
    key: str, specialised: bool, controls: Sequence[Control], problem: OdeProblem, exact: np.ndarray, error: float
) -> Ours:
    """Our method with the first of `controls` whose error, like that of the next one, is at most `error`."""
    runs = [Ours(problem, key, specialised, control) for control in controls]
    return loosest(key, runs, lambda run: float(np.abs(run() - exact).max()), error, and_next=True)
