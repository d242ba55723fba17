"""Many runs of the RR arm's fall: maps on all cores, and an ensemble on one core against heyoka's scalar integrator.

The ensemble differs in the initial angle. Each program has the loosest tolerance whose error stays below `ERROR` in
every run, and gets the initial states as an array. Ours are a part of an ensemble so large that runs are computed side
by side. "As a sweep" includes what belongs to a run of a map: its scenario, checks and readouts; one after the other.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from benchmarks.against_heyoka import good_enough, heyoka_integrators
from benchmarks.measurement import Measurement, alternate, ratio, seconds
from benchmarks.problems import posed
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.sweeps.axes import SweepAxis
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Sweep
from solvers.batch.integrate import BatchIntegrator
from solvers.batch.side_by_side import MANY
from solvers.control import Tolerance
from solvers.method_registry import find_method
from solvers.problem import OdeProblem

ERROR, RUNS = 1e-8, 100
FINAL = ("final.q1", "final.q2", "final.v1", "final.v2")
MAPS = {64: 2.0, 128: 6.0}
SERIES = {"order": 16, "velocity_order": 16, "specialised": True}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "dop853": ("dop853", {}),
    "v98, specialised": ("v98", {"specialised": True}),
    "specialised taylor of degree 16": ("taylor", SERIES),
}
Solve = Callable[[float], np.ndarray]


def measure() -> list[Measurement]:
    """Seconds for maps, microseconds for a run of an ensemble, and the ratio that is a goal."""
    found = []
    for count, goal in MAPS.items():
        sweep = Sweep(find_preset("rr-swing"), (_angles(count), SweepAxis("robot.m1", 0.5, 2.0, count)), SHOWN)
        Runner(sweep).rows([0])
        samples = [seconds(lambda sweep=sweep: run_sweep(sweep)) for _ in range(5)]
        found.append(Measurement(f"map of {count} x {count} runs, rk4 at 10 ms, 10 s", "s", samples, goal=goal))
    exact = ours("v98", {})(1e-15)
    solvers = {name: ours(*method) for name, method in METHODS.items()}
    solvers |= {f"{name}{AS_SWEEP}": as_sweep(*method) for name, method in METHODS.items()}
    if importlib.util.find_spec("heyoka") is not None:
        solvers |= {"heyoka": heyoka_ensemble(), BATCH: heyoka_batches()}
    runs = {name: good_enough(name, solve, exact, ERROR) for name, solve in solvers.items()}
    times = alternate(runs, repeats=15)
    for name, series in times.items():
        samples = [1e6 * time / RUNS for time in series]
        found.append(Measurement(f"{name}, a run of an ensemble at error {ERROR:g}", "us", samples))
    if "heyoka" in times:
        best = min(METHODS, key=lambda name: min(times[name]))
        for mine in (best, f"{best}{AS_SWEEP}"):
            name = f"throughput of our {mine} over heyoka's, one core"
            found.append(ratio(name, times["heyoka"], times[mine], goal=0.8, at_least=True))
        found.append(ratio(f"the same over {BATCH}'s", times[BATCH], times[best], goal=0.5, at_least=True))
    return found


AS_SWEEP = ", as a sweep"
BATCH = "heyoka in batches"
SHOWN = ("max_error.energy_J", "final.q1", "steps")


def _angles(count: int) -> SweepAxis:
    return SweepAxis("initial.q1", -0.02, 0.02, count)


def ours(key: str, options: dict[str, Any]) -> Solve:
    """The final states of the ensemble, (runs, 4)."""
    problem, method = posed("rr-swing"), find_method(key)
    rhs, _, *shared = (getattr(problem, one.name) for one in fields(problem))

    def solve(tolerance: float) -> np.ndarray:
        integrator, control = (
            BatchIntegrator(method, options, keep=False, expected=MANY),
            Tolerance(tolerance, tolerance),
        )
        states = np.tile(problem.initial, (RUNS, 1))
        states[:, 0] = _angles(RUNS).values
        runs = ((k, OdeProblem(rhs, state, *shared), control) for k, state in enumerate(states))
        return np.array([found.final for _, found in integrator.solve(runs) if found is not None])

    return solve


def as_sweep(method: str, options: dict[str, Any]) -> Solve:
    """The runs of a sweep on one core; the final states, (runs, 4)."""

    def solve(tolerance: float) -> np.ndarray:
        changes = {f"options.{key}": value for key, value in options.items()}
        base: Scenario = find_preset("rr-swing").with_values(
            {"method": method, "rtol": tolerance, "atol": tolerance, **changes}
        )
        rows = Runner(Sweep(base, (_angles(RUNS),), FINAL)).rows(range(RUNS))
        return np.array([row.values for row in rows])

    return solve


def heyoka_ensemble() -> Solve:
    """heyoka's adaptive Taylor integrator, set back for each run."""
    problem = posed("rr-swing")
    built = heyoka_integrators(problem.initial)

    def solve(tolerance: float) -> np.ndarray:
        integrator, ends = built(tolerance), np.empty((RUNS, problem.dimension))
        for k, angle in enumerate(_angles(RUNS).values):
            integrator.time, integrator.state[:] = problem.t0, problem.initial
            integrator.state[0] = angle
            integrator.propagate_until(problem.t1)
            ends[k] = integrator.state
        return ends

    return solve


def heyoka_batches() -> Solve:
    """The same with as many runs at once as the processor's vectors take."""
    import heyoka

    problem, lanes = posed("rr-swing"), heyoka.recommended_simd_size()
    built = heyoka_integrators(np.tile(problem.initial[:, None], lanes))

    def solve(tolerance: float) -> np.ndarray:
        integrator, ends = built(tolerance), np.empty((RUNS, problem.dimension))
        angles = _angles(RUNS).values
        for first in range(0, RUNS, lanes):
            mine = angles[first : first + lanes]
            integrator.set_time(problem.t0)
            integrator.state[:] = problem.initial[:, None]
            integrator.state[0, : len(mine)] = mine
            integrator.propagate_until(problem.t1)
            ends[first : first + lanes] = integrator.state.T[: len(mine)]
        return ends

    return solve
