"""How much faster a specialised kernel is for a scenario, measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from robots.model.registry import robot_of
from robots.scenario.method_selection import method_of
from robots.simulation.run import Run
from robots.simulation.simulate import fitting
from solvers.codegen.gain import Gain, gain
from solvers.problem import OdeProblem

LONGEST = 0.15
"""Runs that take longer than this are measured over a part of their span [s]."""


def kernel_gain(run: Run, cancel: Callable[[], bool]) -> Gain | None:
    """Time the generic and the specialised kernel over the run's first phase; None if there is nothing to time."""
    scenario = run.phases[0].scenario
    problem = robot_of(scenario).problem(scenario, run.phases[0].pull)
    if not isinstance(problem, OdeProblem) or not run.status.ok:
        return None
    span = run.phases[0].solution.t_end - problem.t0
    share = min(1.0, LONGEST / max(run.compute_seconds, 1e-9))
    problem = replace(problem, t1=problem.t0 + share * span)
    control = fitting(scenario.control(), share * span)
    return gain(problem, method_of(scenario), control, options=scenario.options, cancel=cancel)
