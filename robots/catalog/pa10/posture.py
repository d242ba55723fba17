"""The postures in which the PA-10 starts.

Source of the posture family near the singularity: the facts worked out for paper 3 (see docs/papers).
"""

from __future__ import annotations

from math import acos, atan2, cos, pi, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup

DEFAULT_POSTURE = np.radians([0.0, -5.0, 0.0, 80.0, 0.0, 30.0, 0.0])
TOOL_ANGLE = radians(150.0)


def posture(delta: float, table: Array) -> Array:
    """The starting posture of the circle that passes the stretched elbow by `delta` [m], (7,) [rad].

    The wrist starts 0.2 m before the circle's centre on the ray; the furthest point is 0.4 m further, at full stretch
    less delta.
    """
    upper, fore = table[2, 1], table[4, 1]
    reach = upper + fore - delta - 0.4
    bend = pi - acos((upper**2 + fore**2 - reach**2) / (2.0 * upper * fore))
    shoulder = radians(60.0) - atan2(fore * sin(bend), upper + fore * cos(bend))
    return np.array([0.0, shoulder, 0.0, bend, 0.0, TOOL_ANGLE - shoulder - bend, 0.0])


def starting_posture(scenario: Setup, table: Array) -> Array:
    """Joint angles at t = 0, (7,) [rad]: the scenario's own if given, otherwise the task's."""
    near = scenario.task["posture"] == "near-singular"
    start = posture(float(scenario.task["delta"]), table) if near else DEFAULT_POSTURE
    own = [scenario.initial[f"q{i + 1}"] for i in range(7)]
    return np.array([float(s) if q is None else float(q) for q, s in zip(own, start, strict=True)])
