"""What several benchmarks integrate: the equations of presets, and their numbers for programs that are not ours."""

from __future__ import annotations

import numpy as np

from robots.catalog.beam.robot import coefficients
from robots.model.registry import find_robot
from robots.scenario.presets import find_preset
from solvers.problem import OdeProblem


def posed(preset: str, duration: float | None = None) -> OdeProblem:
    """A preset's equations, over its own span or over another one [s]."""
    scenario = find_preset(preset)
    if duration is not None:
        scenario = scenario.with_value("duration", duration)
    problem = find_robot(scenario.robot).problem(scenario)
    assert isinstance(problem, OdeProblem)
    return problem


def arm_numbers() -> np.ndarray:
    """m1, m2, r1, r2, J1, J2, g of rr-swing's arm."""
    given = find_preset("rr-swing").parameters
    return np.array([given[name] for name in ("m1", "m2", "r1", "r2", "J1", "J2", "g")], dtype=float)


def beam_numbers() -> np.ndarray:
    """b (9) and A (9, 9) of the printed beam."""
    b, A = coefficients("printed")
    return np.concatenate([b, np.column_stack([np.zeros(len(b)), A]).ravel()])
