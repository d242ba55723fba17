"""The RR arm's fall at an error of 1e-9: our methods against heyoka's Taylor integrator and scipy's DOP853.

Each has the loosest tolerance that keeps the error. What heyoka compiles, and what we compile, is compiled before.
heyoka keeps its state at the end alone; it is timed again with its output at 150 times, about as many as the steps that
ours always keep. A run is so short that what happens before its first step counts: it is measured apart. heyoka's time
too is that of the whole: its state and time are set back, and it is called from Python; our stepper alone is measured
like that as well. Medians of rounds in turn, and
the shortest times, which other work on the machine touches least.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from time import process_time
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.measurement import Measurement, alternate, loosest, ratio
from benchmarks.problems import arm_numbers, posed
from benchmarks.rk4_against_scipy import scalar_rhs
from robots.catalog.rr.equations import rr
from robots.scenario.presets import presets
from solvers.codes import LANDED
from solvers.control import Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem, apart
from solvers.stepper import Rows, Stepper

DURATION, ERROR, CALLS = 10.0, 1e-9, 5
METHODS = ("rkdp87", "dop853", "v87", "v98", "feagin108")
DEGREES = (12, 16, 20, 24)
SPECIALISED_DEGREES = (11, 14, 16)
BEFORE = "our v98, one step"
GRID = "heyoka, 150 states kept"
SERIES = "specialised taylor"
STEPPER = "series of degree 16, its stepper set back"
Solve = Callable[[float], np.ndarray]


def measure() -> list[Measurement]:
    """Time of each at the error, and the ratios that are goals."""
    problem = posed("rr-swing", DURATION)
    exact = integrate(problem, find_method("v98"), Tolerance(1e-15, 1e-15)).final
    check = integrate(problem, find_method("taylor"), Tolerance(1e-15, 1e-15), options={"order": 24}).final
    assert np.abs(exact - check).max() < 0.05 * ERROR
    solvers = ours(problem)
    others = {
        "scipy DOP853, Python": by_scipy(problem, scalar_rhs(arm_numbers())),
        "scipy DOP853, compiled": by_scipy(problem, compiled_rhs(problem)),
    }
    if importlib.util.find_spec("heyoka") is not None:
        others |= by_heyoka(problem)
    others[STEPPER] = by_stepper(problem)
    runs = {name: good_enough(name, solve, exact) for name, solve in (solvers | others).items()}
    runs[BEFORE] = start_only(problem)
    often = {name: CALLS for name in runs if "scipy" not in name}
    times = alternate(runs, repeats=31, clock=process_time, calls=often)
    found = []
    for name, series in times.items():
        title = name if name == BEFORE else f"{name} at error {ERROR:g}"
        found.append(Measurement(title, "ms", [1e3 * time for time in series]))
    return found + ratios(times, min(solvers, key=lambda name: float(np.median(times[name]))))


def ratios(times: Mapping[str, list[float]], best: str) -> list[Measurement]:
    """Our best method, and our best series, against each of the others."""
    mine, found = times[best], []
    series = min((name for name in times if name.startswith(SERIES)), key=lambda name: float(np.median(times[name])))
    for name, goal in (("heyoka", 1.2), (GRID, None)):
        if name in times:
            for one in dict.fromkeys((best, series, STEPPER)):
                found.append(ratio(f"our {one} over {name}", times[one], times[name], goal=goal))
                shortest = min(times[one]) / min(times[name])
                found.append(Measurement(f"our {one} over {name}, shortest times", "x", [shortest], goal=goal))
    for name, goal in (("scipy DOP853, Python", 50.0), ("scipy DOP853, compiled", 20.0)):
        found.append(ratio(f"{name} over our {best}", times[name], mine, goal=goal, at_least=True))
    return found


def ours(problem: OdeProblem) -> dict[str, Solve]:
    """The whole of integrate(), by method, generic and specialised, and power series of several degrees."""

    def solver(key: str, options: Mapping[str, object]) -> Solve:
        method = find_method(key)
        return lambda tolerance: integrate(problem, method, Tolerance(tolerance, tolerance), options=options).final

    found = {key: solver(key, {}) for key in METHODS}
    found |= {f"{key}, specialised": solver(key, {"specialised": True}) for key in METHODS}
    found |= {f"taylor of degree {degree}": solver("taylor", {"order": degree}) for degree in DEGREES}
    # All components to one degree, as heyoka has them.
    return found | {
        f"{SERIES} of degree {degree}": solver(
            "taylor", {"order": degree, "velocity_order": degree, "specialised": True}
        )
        for degree in SPECIALISED_DEGREES
    }


def by_stepper(problem: OdeProblem) -> Solve:
    """As heyoka's integrator: an object that is made before, set back and advanced. integrate() makes all again."""
    method, degree = find_method("taylor"), SPECIALISED_DEGREES[-1]
    options = method.complete_options({"order": degree, "velocity_order": degree, "specialised": True})
    rows = Rows.empty(1000, problem.dimension)

    @cache
    def built(tolerance: float) -> Stepper:
        return method.stepper(apart(problem), Tolerance(tolerance, tolerance), options)

    def solve(tolerance: float) -> np.ndarray:
        stepper = built(tolerance)
        stepper.start(problem.t0, problem.initial, problem.t1, np.inf)
        accepted, _, code = stepper.advance(len(rows.t), rows)
        return rows.y[accepted - 1].copy() if code == LANDED else np.full(problem.dimension, np.nan)

    return solve


def start_only(problem: OdeProblem) -> Callable[[], np.ndarray]:
    """integrate() over a span of one step: nearly all of it is what happens before and after the steps."""
    short, method, control = replace(problem, t1=problem.t0 + 1e-3), find_method("v98"), Tolerance(1e-9, 1e-9)
    return lambda: integrate(short, method, control).final


def by_scipy(problem: OdeProblem, rhs: Callable[[float, np.ndarray], object]) -> Solve:
    """solve_ivp(DOP853)."""
    span = problem.t0, problem.t1

    def solve(tolerance: float) -> np.ndarray:
        with np.errstate(all="ignore"):
            return solve_ivp(rhs, span, problem.initial, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]

    return solve


def compiled_rhs(problem: OdeProblem) -> Callable[[float, np.ndarray], np.ndarray]:
    """The right-hand side that our methods call, as scipy calls it: one call from Python to compiled code."""
    from numba import njit

    inner, params = problem.rhs, problem.params

    @njit("f8[::1](f8, f8[::1])")
    def rhs(t, y):
        dy = np.empty_like(y)
        inner(t, y, params.copy(), dy)
        return dy

    return rhs


def by_heyoka(problem: OdeProblem) -> dict[str, Solve]:
    """heyoka's adaptive Taylor integrator on the same equations."""
    built = heyoka_integrators(problem.initial)

    def prepared(tolerance: float) -> Any:
        integrator = built(tolerance)
        integrator.time = problem.t0
        integrator.state[:] = problem.initial
        return integrator

    def last(tolerance: float) -> np.ndarray:
        integrator = prepared(tolerance)
        integrator.propagate_until(problem.t1)
        return integrator.state.copy()

    def sampled(tolerance: float) -> np.ndarray:
        return prepared(tolerance).propagate_grid(times)[-1][-1]

    times = np.linspace(problem.t0, problem.t1, 150)
    return {"heyoka": last, GRID: sampled}


def heyoka_integrators(initial: np.ndarray) -> Callable[[float], Any]:
    """heyoka's adaptive Taylor integrator of the arm by tolerance, compiled once for each.

    Args:
        initial: angles and velocities, (4,), or (4, runs) of runs side by side.
    """
    import heyoka

    kind: Any = heyoka.taylor_adaptive if initial.ndim == 1 else heyoka.taylor_adaptive_batch
    variables: Any = heyoka.make_vars("q1", "q2", "v1", "v2")
    system = list(zip(variables, slopes(heyoka, variables), strict=True))
    return cache(lambda tolerance: kind(system, initial, tol=tolerance))


def slopes(heyoka: Any, variables: Any) -> list[Any]:
    """The arm's own equations, computed with heyoka's sine and cosine."""
    spec = importlib.util.find_spec(rr.__module__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.sin, module.cos = heyoka.sin, heyoka.cos  # type: ignore[attr-defined]
    return module.rr(None, variables, SimpleNamespace(**presets()["rr-swing"].parameters))


def good_enough(name: str, solve: Solve, exact: np.ndarray, limit: float = ERROR) -> Callable[[], np.ndarray]:
    """With the loosest tolerance whose error, and that of the next tighter one, is at most the limit."""
    tolerances = 10.0 ** np.arange(-6, -13.6, -0.25)
    found = loosest(name, tolerances.tolist(), lambda one: np.abs(solve(one) - exact).max(), limit, and_next=True)
    return lambda: solve(found)
