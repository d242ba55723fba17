"""A rigid body that turns about a fixed point, y = (p0 .. p3, w1, w2, w3): Euler parameters, and rates in its own axes.

Its axes are the principal ones of its inertia about the point; its centre of mass lies on the third.

Source: L. Euler (1765) for the equations in the body's axes; E. T. Whittaker, Analytical Dynamics (1937), chapter 6.
"""

from __future__ import annotations


def turned_rates(p0, p1, p2, p3, w1, w2, w3):
    """The rates of the Euler parameters."""
    return [
        -0.5 * (p1 * w1 + p2 * w2 + p3 * w3),
        0.5 * (p0 * w1 + p2 * w3 - p3 * w2),
        0.5 * (p0 * w2 + p3 * w1 - p1 * w3),
        0.5 * (p0 * w3 + p1 * w2 - p2 * w1),
    ]


def upright(p0, p1, p2, p3):
    """The vertical in the body's axes."""
    return (
        2.0 * (p1 * p3 - p0 * p2),
        2.0 * (p2 * p3 + p0 * p1),
        p0 * p0 - p1 * p1 - p2 * p2 + p3 * p3,
    )


def top(t, y, p):
    """(p', w') under the weight."""
    p0, p1, p2, p3, w1, w2, w3 = y
    weight = p.m * p.g * p.l
    up1, up2, _ = upright(p0, p1, p2, p3)
    return [
        *turned_rates(p0, p1, p2, p3, w1, w2, w3),
        ((p.J2 - p.J3) * w2 * w3 + weight * up2) / p.J1,
        ((p.J3 - p.J1) * w3 * w1 - weight * up1) / p.J2,
        (p.J1 - p.J2) / p.J3 * (w1 * w2),
    ]
