"""How a script puts together the path of a tool from the formulas of `robots.dynamics.kernels.curves`."""

from __future__ import annotations

import math

import numpy as np


def along(curve, *numbers):
    """Place, rate and bend (second derivative) of a curve over the path time, in local coordinates."""
    return lambda s: np.array(curve(s, *numbers))


def timed(law, *numbers):
    """The path time and its rate."""
    return lambda t: law(t, *numbers)


def turned_by(turning, *numbers):
    """The tool's angle and its rate."""
    return lambda path, s: turning(s, *numbers)


def way_points(points, speed):
    """A natural cubic spline through the points."""
    from scipy.interpolate import CubicSpline

    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    curve = CubicSpline(np.concatenate([[0.0], np.cumsum(lengths)]) / speed, points, bc_type="natural")
    return lambda s: np.array([curve(s), curve(s, 1), curve(s, 2)])


def tangent():
    """The tool turns with the path."""

    def angle(path, s):
        (_, begin, _), (_, rate, bend) = path(0.0), path(s)
        flat = rate[0] ** 2 + rate[1] ** 2
        if flat == 0.0:
            return 0.0, 0.0
        heading = math.atan2(rate[1], rate[0]) - math.atan2(begin[1], begin[0])
        return heading, (rate[0] * bend[1] - rate[1] * bend[0]) / flat

    return angle
