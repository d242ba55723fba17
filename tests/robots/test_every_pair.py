"""Every method on every robot that the program lets it integrate: it runs, and says how that went."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest

from robots.model.registry import find_robot, robots
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from solvers.method import Method
from solvers.method_registry import methods
from solvers.options import SPECIALISED

pytestmark = pytest.mark.long

ROUND_OFF = 1e-12
STEPS = 20
# Runs whose step control finds no end (rkqc, whose error is relative to each component, on a car at rest) are stopped.
MOST_SLICES = 300
# Steps with which explicit methods are stable [s]; the others take 1 ms.
SHORT_STEPS = {"beam": 2e-5, "double-pendulum": 1e-6, "hmmwv": 1e-4, "xarm7": 1e-5}
# A specialised kernel is made from a method and a right-hand side. Compiling each pair would take hours: every method
# meets one right-hand side, and every right-hand side one method of each way to make a kernel.
EVERY_METHOD = "rr"
EACH_WAY = frozenset({"rk4", "dopri5", "own", "rkqc", "taylor", "pc-trapezoid", "ab4", "am4", "velocity-verlet"})


def scenario_of(key: str, steps: int = STEPS) -> tuple[Scenario, float]:
    """The robot's default scenario for a few steps, and their length."""
    step = SHORT_STEPS.get(key, 1e-3)
    usual = new_scenario(key)
    shorter = {"duration": steps * step} | ({} if usual.step is None else {"step": step})
    return usual.with_values(shorter), step


def pairs(key: str, steps: int = STEPS) -> Iterator[tuple[Method, Scenario]]:
    """The robot's scenario with every method that can integrate it, with its fixed step and with step control."""
    scenario, step = scenario_of(key, steps)
    problem = find_robot(key).problem(scenario, None)
    for name, method in methods().items():
        if not method.accepts(problem):
            continue
        if method.fixed_step:
            yield method, scenario.with_values({"method": name, "step": step})
        if method.adaptive:
            yield method, scenario.with_values({"method": name, "rtol": 1e-6, "atol": 1e-8})


def faults(run: Run) -> str:
    """What is wrong with what a run says of itself; empty if nothing is."""
    sentence = run.status.sentence.partition("{")[0].strip()
    counts = run.counts
    if sentence not in run.message:
        return f"the message does not explain {run.status}: {run.message}"
    if counts.steps < 1 and run.status.ok:
        return "no steps"
    if counts.rhs_evaluations < counts.steps or counts.rejected < 0 or not run.compute_seconds > 0.0:
        return f"{counts}, {run.compute_seconds} s"
    if run.status.ok and not (np.isfinite(run.y).all() and run.t[-1] == run.scenario.duration):
        return "finished, but not at its end"
    return ""


@pytest.mark.parametrize("key", robots())
def test_every_method_says_how_it_went(key: str) -> None:
    found: dict[str, str] = {}
    tried = 0
    for method, scenario in pairs(key):
        tried += 1
        asked = count()
        if wrong := faults(simulate(scenario, cancel=lambda asked=asked: next(asked) > MOST_SLICES, repeat=False)):
            found[f"{method.key}, {scenario.step or 'step control'}"] = wrong
    assert tried > 0
    assert found == {}


@pytest.mark.parametrize("key", robots())
def test_every_specialised_kernel_computes_the_same(key: str) -> None:
    """As many steps and calls, and states that differ by round-off."""
    found: dict[str, str] = {}
    for method, scenario in pairs(key):
        if SPECIALISED not in method.options or scenario.step is None:
            continue
        if key != EVERY_METHOD and method.key not in EACH_WAY:
            continue
        general, ours = (simulate(scenario.with_value("options.specialised", on), repeat=False) for on in (False, True))
        difference = np.abs(ours.y - general.y).max() / np.abs(general.y).max() if len(ours.y) == len(general.y) else 1
        if ours.counts != general.counts or ours.status != general.status or not difference <= ROUND_OFF:
            found[method.key] = f"{difference:.1e}, {ours.counts}, {general.counts}"
    assert found == {}
