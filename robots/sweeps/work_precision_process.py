"""What the measuring process of `robots.sweeps.work_precision` does: nothing else runs in it."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import threading
from collections.abc import Callable
from dataclasses import fields
from time import perf_counter
from typing import Any

from robots.scenario.scenario import Scenario
from robots.simulation.reference import Reference, compare_with_reference, reference
from robots.simulation.simulate import simulate
from solvers.solution import Counts
from solvers.status import Status

TIMED_OUT = "timed-out"
LEAST_REPEATS, MOST_REPEATS = 3, 25
_references: dict[str, Reference | None] = {}
_stopped: Callable[[], bool] = bool


def begin(stop: Any) -> None:
    """The process starts; `stop` is an Event that ends whatever is under way."""
    global _stopped
    _stopped = stop.is_set
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Nobody is left behind when the program that asked is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def measure(text: str, timeout: float, budget: float) -> dict[str, Any]:
    """Run the scenario of the file text once for its numbers, then again for its time; plain data."""
    scenario = Scenario.from_json(text)
    deadline = perf_counter() + timeout
    run = simulate(scenario, cancel=lambda: _stopped() or perf_counter() > deadline)
    exact = _reference(scenario) if run.status is not Status.CANCELLED else None
    errors = compare_with_reference(run, exact) if exact is not None else None
    status, message = str(run.status), run.message
    own = run.max_error, run.final_error
    if run.status is Status.CANCELLED:
        own = {}, {}  # up to some instant that chance chose
        status, message = TIMED_OUT, f"Timed out after {timeout:g} s, at t = {run.t_end:.4g} s."
    seconds: list[float] = []
    if run.status.ok:
        while not _stopped() and _another(seconds, run.compute_seconds, budget):
            seconds.append(simulate(scenario).compute_seconds)
    return {
        "status": status,
        "message": message,
        "counts": {item.name: getattr(run.counts, item.name) for item in fields(Counts)},
        "seconds": statistics.median(seconds or [run.compute_seconds]) if run.status.ok else None,
        "repeats": max(1, len(seconds)),
        "max_error": {**(errors.max if errors else {}), **own[0]},
        "final_error": {**(errors.final if errors else {}), **own[1]},
        "trusted_until": errors.trusted_until if errors else None,
    }


def _another(seconds: list[float], first: float, budget: float) -> bool:
    """Whether to run once more: at least three times, more while the budget lasts; a long run once."""
    if first > budget or len(seconds) >= MOST_REPEATS:
        return False
    return len(seconds) < LEAST_REPEATS or sum(seconds) < budget


def _reference(scenario: Scenario) -> Reference | None:
    key = repr(scenario.physics())
    if key not in _references:
        _references[key] = reference(scenario, cancel=_stopped)
    return _references[key]
