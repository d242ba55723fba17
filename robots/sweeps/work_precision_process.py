"""The measuring process of `robots.sweeps.work_precision`: nothing else runs in it."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter

from assets.fields import Data
from robots.scenario.scenario import Scenario
from robots.simulation.reference import Reference, compare_with_reference, reference
from robots.simulation.simulate import simulate
from robots.simulation.timing import measured
from robots.sweeps.processes import stopped
from solvers.status import Status

TIMED_OUT = "timed-out"
MOST_REPEATS = 25
_references: dict[str, Reference | None] = {}


def measure(text: str, timeout: float, budget: float) -> Data:
    """Run the scenario of the file text once for its numbers, then again for its time; plain data."""
    scenario = Scenario.from_json(text)
    deadline = perf_counter() + timeout
    run = simulate(scenario, cancel=lambda: stopped() or perf_counter() > deadline, repeat=False)
    exact = _reference(scenario) if run.status is not Status.CANCELLED else None
    errors = compare_with_reference(run, exact) if exact is not None else None
    status, message = str(run.status), run.message
    own = run.max_error, run.final_error
    if run.status is Status.CANCELLED:
        own = {}, {}  # up to an arbitrary time
        status, message = TIMED_OUT, f"Timed out after {timeout:g} s, at t = {run.t_end:.4g} s."
    timing = None
    if run.status.ok:
        first = run.compute_seconds
        timing = measured(first, lambda: _seconds(scenario), budget=budget, most=MOST_REPEATS, stop=stopped)
    return {
        "status": status,
        "message": message,
        "counts": asdict(run.counts),
        "seconds": timing.seconds if timing else None,
        "repeats": timing.repeats if timing else 1,
        "spread": timing.spread if timing else None,
        "max_error": {**(errors.max if errors else {}), **own[0]},
        "final_error": {**(errors.final if errors else {}), **own[1]},
        "level": errors.level if errors else {},
        "trusted_until": errors.trusted_until if errors else None,
    }


def _seconds(scenario: Scenario) -> float:
    return simulate(scenario, repeat=False).compute_seconds


def _reference(scenario: Scenario) -> Reference | None:
    key = repr(scenario.physics())
    if key not in _references:
        _references[key] = reference(scenario, cancel=stopped)
    return _references[key]
