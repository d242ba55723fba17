"""Van der Pol's equation with mu = 1000: our stiff methods against SUNDIALS' CVODE and IDA, each at an error of 1e-6.

Over 500 s the solution creeps; over 2000 s it jumps twice, which a fixed step, as that of our BDF, cannot follow.
SUNDIALS is called as scikit-sundae offers it, for the end alone, and calls the compiled right-hand side and Jacobian.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from benchmarks.measurement import Measurement, alternate, loosest, ratio
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.kernels.signatures import JACOBIAN, RHS
from solvers.method_registry import find_method
from solvers.problem import OdeProblem

MU, ERROR = 1000.0, 1e-6
OURS, OTHERS = (
    {500.0: ("radau5", "rosenbrock-nystrom", "bdf3"), 2000.0: ("radau5", "rosenbrock-nystrom")},
    ("cvode-bdf", "ida"),
)


@njit(RHS, cache=True, nogil=True)
def rhs(t, y, params, dy):
    """The equation as a first-order system."""
    dy[0] = y[1]
    dy[1] = params[0] * (1.0 - y[0] * y[0]) * y[1] - y[0]


@njit(JACOBIAN, cache=True, nogil=True)
def jacobian(t, y, params, J):
    """Its derivative."""
    J[0, 0], J[0, 1] = 0.0, 1.0
    J[1, 0], J[1, 1] = -2.0 * params[0] * y[0] * y[1] - 1.0, params[0] * (1.0 - y[0] * y[0])


def measure() -> list[Measurement]:
    """Time of each at the loosest tolerance or the longest step that keeps the error; ratios of ours to theirs."""
    return [one for end, ours in OURS.items() for one in measure_until(end, ours)]


def measure_until(end: float, ours: tuple[str, ...]) -> list[Measurement]:
    """The measurements over one span."""
    start, names, units = np.array([2.0, 0.0]), ("q1", "v1"), ("", "1/s")
    problem = OdeProblem(rhs, start, 0.0, end, np.array([MU]), names, units, 1, jacobian)
    exact = integrate(problem, find_method("radau5"), Tolerance(1e-11, 1e-11)).final
    times = alternate({key: good_enough(problem, key, exact) for key in ours + OTHERS}, repeats=15)
    found = []
    for key, series in times.items():
        found.append(Measurement(f"{key}, {end:g} s at error {ERROR:g}", "ms", [1e3 * time for time in series]))
    for key in ours:
        for other in OTHERS:
            found.append(ratio(f"{key} over {other}, {end:g} s", times[key], times[other], goal=2.0))
    return found


def good_enough(problem: OdeProblem, key: str, exact: np.ndarray) -> Callable[[], object]:
    """The method with the loosest tolerance, or with the fewest equal steps, whose error is at most `ERROR`."""
    method, span = find_method(key), problem.t1 - problem.t0
    controls: list[Control] = [FixedStep(span / round(10 * 2 ** (power / 4))) for power in range(40)]
    if method.adaptive:
        controls = [Tolerance(10.0**-power, 10.0**-power) for power in np.arange(3, 12, 0.25).tolist()]

    def error(control: Control) -> float:
        run = integrate(problem, method, control)
        return float(np.abs(run.final - exact).max()) if run.status.ok else np.inf

    found = loosest(key, controls, error, ERROR)
    if isinstance(found, Tolerance) and key in OTHERS:
        return sundials(problem, key, found, integrate(problem, method, found).final)
    return lambda: integrate(problem, method, found)


def sundials(problem: OdeProblem, key: str, control: Tolerance, final: np.ndarray) -> Callable[[], object]:
    """The code called through scikit-sundae alone; it gives the same state as through our interface."""
    from sksundae.cvode import CVODE
    from sksundae.ida import IDA

    params, span = problem.params, np.array([problem.t0, problem.t1])
    slope, matrix, rate = np.empty(2), np.empty((2, 2)), np.empty(2)
    settings = {"rtol": control.rtol, "atol": control.atol}
    rhs(0.0, problem.initial, params, rate)

    def residual(t, y, yp, res):
        rhs(t, y.copy(), params, slope)
        res[:] = yp - slope

    def residual_jacobian(t, y, yp, res, cj, out):
        jacobian(t, y.copy(), params, matrix)
        out[:] = cj * np.eye(2) - matrix

    def f(t, y, yp):
        rhs(t, y.copy(), params, slope)
        yp[:] = slope

    def f_jacobian(t, y, yp, out):
        jacobian(t, y.copy(), params, matrix)
        out[:] = matrix

    def call() -> np.ndarray:
        if key == "ida":
            return IDA(residual, jacfn=residual_jacobian, **settings).solve(span, problem.initial, rate).y[-1]
        return CVODE(f, method="BDF", jacfn=f_jacobian, **settings).solve(span, problem.initial).y[-1]

    assert np.abs(call() - final).max() < ERROR
    return call
