"""Every explicit method with a specialised kernel on every kind of equations: agreement and gain.

Gains are of whole runs with a fixed step, medians of alternated pairs. The first time a kernel is needed it is
compiled: half an hour for all of them.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from benchmarks.measurement import Measurement
from benchmarks.problems import posed
from robots.dynamics.flexible.arm import FlexibleArm
from robots.dynamics.flexible.forward import driven_problem
from robots.model.registry import find_robot
from robots.scenario.presets import presets
from robots.simulation.simulate import simulate
from solvers.codegen.gain import gain
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method import Method
from solvers.method_registry import methods
from solvers.options import SPECIALISED
from solvers.problem import OdeProblem

STEPS = 200
# Spans so short that the explicit methods' steps are stable, and rounding has not been amplified yet [s].
SPANS = {"rr-swing": 0.5, "rr-pd": 0.2, "double-pendulum": 2e-4, "beam": 5e-3, "pa10-circle": 0.5, "e12": 0.02}
AGREEMENT = 1e-10


def measure() -> list[Measurement]:
    """Per kind of equations: the largest disagreement, and the gains."""
    return [one for preset, span in SPANS.items() for one in of_robot(preset, span)]


def of_robot(preset: str, span: float) -> list[Measurement]:
    """All methods on one robot."""
    problem = problem_of(preset, span)
    able = {key: method for key, method in explicit().items() if method.accepts(problem)}
    differences = {key: difference(problem, method) for key, method in able.items()}
    gains = {key: ratio for key, method in able.items() if (ratio := gained(problem, method)) is not None}
    worst, least = max(differences, key=lambda key: differences[key]), min(gains, key=lambda key: gains[key])
    title = f"{preset}, {len(able)} methods"
    return [
        Measurement(f"{title}: largest difference ({worst})", "", [differences[worst]], goal=AGREEMENT),
        Measurement(f"{title}: gain", "x", list(gains.values()), note=f"least {gains[least]:.2f} with {least}"),
    ]


def explicit() -> Mapping[str, Method]:
    """The methods that have the switch."""
    return {key: one for key, one in methods().items() if SPECIALISED in one.options and key != "own"}


def problem_of(preset: str, span: float) -> OdeProblem:
    """The equations of a preset; of E12 those of the arm that is driven by its torques."""
    scenario = presets()[preset]
    robot = find_robot(scenario.robot)
    if not isinstance(robot, FlexibleArm):
        return replace(posed(preset), t1=span)
    run = simulate(scenario)
    problem = driven_problem(robot.build(scenario), scenario, run.t, run.y)
    return replace(problem, t1=problem.t0 + span)


def step(problem: OdeProblem) -> FixedStep:
    """`STEPS` steps."""
    return FixedStep((problem.t1 - problem.t0) / STEPS)


def difference(problem: OdeProblem, method: Method) -> float:
    """The largest difference between the two kernels' states, relative to the largest state."""
    runs = [integrate(problem, method, step(problem), options={"specialised": kind}) for kind in (False, True)]
    assert all(run.status.ok for run in runs), method.key
    return float(np.abs(runs[0].y - runs[1].y).max() / np.abs(runs[0].y).max())


def gained(problem: OdeProblem, method: Method) -> float | None:
    """How many times faster the specialised kernel is."""
    found = [gain(problem, method, step(problem), repeats=9) for _ in range(3)]
    ratios = [one.ratio for one in found if one is not None]
    return statistics.median(ratios) if ratios else None
