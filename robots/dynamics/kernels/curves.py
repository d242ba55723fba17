"""Curves of a tool, the laws by which it runs along them, and how it turns: formulas, compiled and for scripts.

A curve gives place, rate and bend (second derivative), each (x, y, z), at the path time s in local coordinates; a law
gives the path time and its rate; a turning gives the tool's angle and its rate by path time.
"""

from __future__ import annotations

from math import cos, pi, sin

from numba import njit

from solvers.kernels.signatures import helper

RAMP = 0.25
"""The fraction of the time in which a trapezoid of speed rises, and in which it falls."""


@njit(cache=True, nogil=True, inline="always")
def turn(s, radius, w, phase, pitch):
    """A circle, or with a pitch a helix."""
    angle = phase + w * s
    c, sn = cos(angle), sin(angle)
    place, rate = (radius * c, radius * sn, pitch * w * s), (-radius * w * sn, radius * w * c, pitch * w)
    return place, rate, (-radius * w * w * c, -radius * w * w * sn, 0.0)


@njit(cache=True, nogil=True, inline="always")
def line(s, speed):
    """A straight line."""
    return (speed * s, 0.0, 0.0), (speed, 0.0, 0.0), (0.0, 0.0, 0.0)


@helper
def rounded_square(s, half, corner, speed):
    """A square with round corners, counter-clockwise from the middle of its right side."""
    straight, arc = 2.0 * (half - corner), 0.5 * pi * corner
    side = straight + arc
    distance = (speed * s) % (4.0 * side)
    quarter = (distance + 0.5 * straight) // side
    along = distance + 0.5 * straight - quarter * side
    x, y, dx, dy, bx, by = half, along - 0.5 * straight, 0.0, speed, 0.0, 0.0
    if along > straight:
        angle = (along - straight) / corner
        c, sn = cos(angle), sin(angle)
        x, y = half - corner + corner * c, half - corner + corner * sn
        dx, dy = -speed * sn, speed * c
        bx, by = -speed * speed / corner * c, -speed * speed / corner * sn
    for _ in range(int(quarter) % 4):
        x, y, dx, dy, bx, by = -y, x, -dy, dx, -by, bx
    return (x, y, 0.0), (dx, dy, 0.0), (bx, by, 0.0)


@njit(cache=True, nogil=True, inline="always")
def figure_eight(s, r, w, phase):
    """Gerono's lemniscate (sin a, sin a cos a)."""
    a = phase + w * s
    place, rate = (r * sin(a), 0.5 * r * sin(2.0 * a), 0.0), (r * w * cos(a), r * w * cos(2.0 * a), 0.0)
    return place, rate, (-r * w * w * sin(a), -2.0 * r * w * w * sin(2.0 * a), 0.0)


@njit(cache=True, nogil=True, inline="always")
def constant(t, span, closed):
    """At a constant speed; an open path ends."""
    if not closed and t >= span:
        return span, 0.0
    return t, 1.0


@njit(cache=True, nogil=True, inline="always")
def quintic(t, span):
    """By a polynomial of degree 5 that begins and ends at rest."""
    if t <= 0.0 or t >= span:
        return min(max(t, 0.0), span), 0.0
    x = t / span
    return span * x**3 * (10.0 - 15.0 * x + 6.0 * x * x), 30.0 * x * x * (1.0 - x) ** 2


@njit(cache=True, nogil=True, inline="always")
def trapezoid(t, span):
    """Speeding up for a quarter of the time, constant speed for half, slowing down for a quarter."""
    if t <= 0.0 or t >= span:
        return min(max(t, 0.0), span), 0.0
    x, top = t / span, 1.0 / (1.0 - RAMP)
    if x < RAMP:
        return span * top * x * x / (2.0 * RAMP), top * x / RAMP
    if x > 1.0 - RAMP:
        rest = 1.0 - x
        return span * (1.0 - top * rest * rest / (2.0 * RAMP)), top * rest / RAMP
    return span * top * (x - RAMP / 2.0), top


@njit(cache=True, nogil=True, inline="always")
def turning(s, rate):
    """The tool turns evenly."""
    return rate * s, rate


@njit(cache=True, nogil=True, inline="always")
def swinging(s, amplitude, w):
    """The tool swings."""
    return amplitude * sin(w * s), amplitude * w * cos(w * s)
