"""Van der Pol's equation with mu = 1000: our stiff methods against SUNDIALS' CVODE and IDA, each at an error of 1e-6.

SUNDIALS calls the right-hand side through Python, as it does for anyone who uses scikit-sundae; it is the compiled one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numba import njit

from benchmarks.measurement import Measurement, alternate, ratio
from solvers.catalogue import find_method
from solvers.control import Tolerance
from solvers.integrate import integrate
from solvers.kernels.signatures import JACOBIAN, RHS
from solvers.problem import OdeProblem

MU, END, ERROR = 1000.0, 500.0, 1e-6
OURS, OTHERS = ("radau5", "rosenbrock-nystrom"), ("cvode-bdf", "ida")


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
    """Time of each at the loosest tolerance that keeps the error, and the ratios of ours to theirs."""
    start, names, units = np.array([2.0, 0.0]), ("q1", "v1"), ("", "1/s")
    problem = OdeProblem(rhs, start, 0.0, END, np.array([MU]), names, units, 1, jacobian)
    exact = integrate(problem, find_method("radau5"), Tolerance(1e-11, 1e-11)).final
    times = alternate({key: good_enough(problem, key, exact) for key in OURS + OTHERS}, repeats=15)
    found = []
    for key, series in times.items():
        found.append(Measurement(f"{key} at error {ERROR:g}", "ms", [1e3 * time for time in series]))
    for key in OURS:
        for other in OTHERS:
            found.append(ratio(f"{key} over {other}", times[key], times[other], goal=2.0))
    return found


def good_enough(problem: OdeProblem, key: str, exact: np.ndarray) -> Callable[[], object]:
    """The method with the loosest tolerance whose error is at most `ERROR`."""
    method = find_method(key)
    for power in np.arange(3, 12, 0.25):
        control = Tolerance(math.pow(10.0, -power), math.pow(10.0, -power))
        if np.abs(integrate(problem, method, control).final - exact).max() <= ERROR:
            return lambda: integrate(problem, method, control)
    raise ValueError(f"{key} does not reach an error of {ERROR}")
