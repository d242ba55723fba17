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
from itertools import pairwise
from time import process_time
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.rk4_against_c import arm_numbers, rr_problem
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
    problem = rr_problem(DURATION)
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
    times = alternate(
        {name: repeated(run, 1 if "scipy" in name else CALLS) for name, run in runs.items()},
        repeats=31,
        clock=process_time,
    )
    times = {name: [time / (1 if "scipy" in name else CALLS) for time in series] for name, series in times.items()}
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
    """heyoka's adaptive Taylor integrator on the same equations, compiled once for each tolerance."""
    import heyoka

    @cache
    def built(tolerance: float) -> Any:
        variables: Any = heyoka.make_vars("q1", "q2", "v1", "v2")
        slopes = equations(heyoka, variables)
        return heyoka.taylor_adaptive(
            list(zip(variables, slopes, strict=True)), problem.initial.tolist(), tol=tolerance
        )

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


def equations(heyoka: Any, variables: Any) -> list[Any]:
    """The arm's own, computed with heyoka's sine and cosine."""
    spec = importlib.util.find_spec(rr.__module__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.sin, module.cos = heyoka.sin, heyoka.cos  # type: ignore[attr-defined]
    return module.rr(None, variables, SimpleNamespace(**presets()["rr-swing"].parameters))


def good_enough(name: str, solve: Solve, exact: np.ndarray) -> Callable[[], np.ndarray]:
    """With the loosest tolerance whose error, and that of the next tighter one, is at most `ERROR`."""

    @cache
    def good(tolerance: float) -> bool:
        return bool(np.abs(solve(tolerance) - exact).max() <= ERROR)

    for tolerance, following in pairwise(10.0**power for power in np.arange(-6, -13.6, -0.25)):
        if good(tolerance) and good(following):
            return lambda: solve(tolerance)
    raise ValueError(f"{name} does not reach an error of {ERROR}")


def repeated(run: Callable[[], object], calls: int) -> Callable[[], None]:
    """So many calls, to be timed as one."""

    def several() -> None:
        for _ in range(calls):
            run()

    return several
