"""Paths of a tool: each returns place, rate and bend (second derivative) over the path time, in local coordinates.

Laws of time: each returns the path time and its rate. Turnings: the tool's angle and its rate.
"""

from __future__ import annotations

import math

import numpy as np


def turn(radius, w, phase, pitch):
    """A circle, or with a pitch a helix."""

    def path(s):
        c, sn = math.cos(phase + w * s), math.sin(phase + w * s)
        place, rate = (radius * c, radius * sn, pitch * w * s), (-radius * w * sn, radius * w * c, pitch * w)
        return np.array([place, rate, (-radius * w * w * c, -radius * w * w * sn, 0.0)])

    return path


def line(speed):
    """A straight line."""
    return lambda s: np.array([(speed * s, 0.0, 0.0), (speed, 0.0, 0.0), (0.0, 0.0, 0.0)])


def rounded_square(half, corner, speed):
    """A square with round corners, counter-clockwise from the middle of its right side."""
    straight = 2.0 * (half - corner)
    side = straight + 0.5 * math.pi * corner

    def path(s):
        distance = (speed * s) % (4.0 * side)
        quarter = (distance + 0.5 * straight) // side
        along = distance + 0.5 * straight - quarter * side
        rows = [(half, along - 0.5 * straight), (0.0, speed), (0.0, 0.0)]
        if along > straight:
            angle, inner = (along - straight) / corner, half - corner
            c, sn, bend = math.cos(angle), math.sin(angle), -speed * speed / corner
            rows = [(inner + corner * c, inner + corner * sn), (-speed * sn, speed * c), (bend * c, bend * sn)]
        for _ in range(int(quarter) % 4):
            rows = [(-y, x) for x, y in rows]
        return np.array([(x, y, 0.0) for x, y in rows])

    return path


def figure_eight(r, w, phase):
    """Gerono's lemniscate (sin a, sin a cos a)."""

    def path(s):
        a = phase + w * s
        place, rate = (math.sin(a), 0.5 * math.sin(2.0 * a), 0.0), (w * math.cos(a), w * math.cos(2.0 * a), 0.0)
        return r * np.array([place, rate, (-w * w * math.sin(a), -2.0 * w * w * math.sin(2.0 * a), 0.0)])

    return path


def way_points(points, speed):
    """A natural cubic spline through the points."""
    from scipy.interpolate import CubicSpline

    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    curve = CubicSpline(np.concatenate([[0.0], np.cumsum(lengths)]) / speed, points, bc_type="natural")
    return lambda s: np.array([curve(s), curve(s, 1), curve(s, 2)])


def constant(span, closed):
    """At a constant speed; a path that does not close ends."""
    return lambda t: (span, 0.0) if not closed and t >= span else (t, 1.0)


def quintic(span):
    """By a polynomial of degree 5 that begins and ends at rest."""

    def law(t):
        x = min(max(t / span, 0.0), 1.0)
        return span * x**3 * (10.0 - 15.0 * x + 6.0 * x * x), 30.0 * x * x * (1.0 - x) ** 2

    return law


def trapezoid(span):
    """A quarter of the time faster and faster, a half at a constant speed, a quarter slower and slower."""
    ramp = 0.25
    top = 1.0 / (1.0 - ramp)

    def law(t):
        x = min(max(t / span, 0.0), 1.0)
        if x < ramp:
            return span * top * x * x / (2.0 * ramp), top * x / ramp
        if x > 1.0 - ramp:
            return span * (1.0 - top * (1.0 - x) ** 2 / (2.0 * ramp)), top * (1.0 - x) / ramp
        return span * top * (x - ramp / 2.0), top

    return law


def turning(rate):
    """The tool turns evenly."""
    return lambda path, s: (rate * s, rate)


def swinging(amplitude, w):
    """The tool swings."""
    return lambda path, s: (amplitude * math.sin(w * s), amplitude * w * math.cos(w * s))


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
