"""armstep.solve_ivp against scipy's: the RR arm and the Arenstorf orbit, as Python and as numba functions.

Both get the same function and the same tolerances, in turn; scipy's method is the one that ours is an alias of.
Compiling is not in the times. The calls of the function differ a little, since the step controls do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numba import njit
from scipy.integrate import solve_ivp as scipy_solve_ivp

from benchmarks.measurement import Measurement
from solvers.ivp.solve import solve_ivp

REPEATS = 7
TIGHT = {"rtol": 1e-8, "atol": 1e-10}
METHODS = {"RK45": "dopri5", "DOP853": "dop853"}
PERIOD = 17.0652165601579625588917206249
MOON = 0.012277471


def arm(t, y):
    """The RR arm that falls: unit masses and lengths, bars as rods with their own inertia."""
    c2, s2 = math.cos(y[1]), math.sin(y[1])
    a, b, d = 3.5 + c2, 1.25 + 0.5 * c2, 1.25
    force1 = 0.5 * s2 * y[3] * (2.0 * y[2] + y[3]) - 9.81 * (1.5 * math.cos(y[0]) + 0.5 * math.cos(y[0] + y[1]))
    force2 = -0.5 * s2 * y[2] * y[2] - 9.81 * 0.5 * math.cos(y[0] + y[1])
    det = a * d - b * b
    return np.array([y[2], y[3], (d * force1 - b * force2) / det, (a * force2 - b * force1) / det])


def arenstorf(t, y):
    """Three bodies: a closed orbit around earth and moon.

    Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.0.
    """
    other = 1.0 - MOON
    d1 = math.sqrt((y[0] + MOON) ** 2 + y[1] ** 2) ** 3
    d2 = math.sqrt((y[0] - other) ** 2 + y[1] ** 2) ** 3
    return np.array(
        [
            y[2],
            y[3],
            y[0] + 2.0 * y[3] - other * (y[0] + MOON) / d1 - MOON * (y[0] - other) / d2,
            y[1] - 2.0 * y[2] - other * y[1] / d1 - MOON * y[1] / d2,
        ]
    )


PROBLEMS: dict[str, tuple[Callable[..., Any], float, list[float]]] = {
    "RR arm": (arm, 10.0, [0.0, 0.0, 0.0, 0.0]),
    "Arenstorf": (arenstorf, PERIOD, [0.994, 0.0, 0.0, -2.00158510637908252240537862224]),
}


def measure() -> list[Measurement]:
    """How many times as long scipy takes, for each problem, kind of function and method."""
    found = []
    for name, (function, end, start) in PROBLEMS.items():
        for kind, fun in {"Python": function, "numba": njit(function)}.items():
            for theirs, ours in METHODS.items():
                calls = [
                    partial(solve_ivp, fun, (0.0, end), start, ours, **TIGHT),
                    partial(scipy_solve_ivp, fun, (0.0, end), start, theirs, **TIGHT),
                ]
                found.append(_ratio(f"{name}, {kind} function, {ours} against scipy's {theirs}", calls))
    return found


def _ratio(name: str, calls: list[Callable[[], Any]]) -> Measurement:
    """scipy's time over ours, each pair measured side by side."""
    results = [call() for call in calls]
    ratios, times = [], []
    for _ in range(REPEATS):
        seconds = []
        for call in calls:
            began = perf_counter()
            call()
            seconds.append(perf_counter() - began)
        times.append(seconds)
        ratios.append(seconds[1] / seconds[0])
    least = np.min(times, axis=0) * 1e3
    calls_of = " and ".join(str(result.nfev) for result in results)
    note = f"{least[0]:.3g} and {least[1]:.3g} ms, {calls_of} evaluations"
    return Measurement(name, "x", ratios, goal=1.0, at_least=True, note=note)
