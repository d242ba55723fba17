"""The double pendulum in its two angles, y = (q1, q2, v1, v2), for numbers, arrays, series and expressions alike.

Two slender rods of half-lengths L1, L2; both angles from the horizontal.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.1.
"""

from __future__ import annotations

from numpy import cos, sin


def pendulum(t, y, p):
    """(q', v') under gravity, springs and dampers."""
    q1, q2, v1, v2 = y
    bend = q1 - q2
    M11, M12, M22 = pendulum_inertia(bend, p)
    G1, G2 = pendulum_weights(p)
    turn = 2.0 * p.m2 * p.L1 * p.L2 * sin(bend)
    between = p.C2 * (v2 - v1) - p.k2 * (bend + p.rest2)
    F1 = between - turn * (v2 * v2) - (G1 * cos(q1) + p.k1 * (q1 - p.rest1) + p.C1 * v1)
    F2 = turn * (v1 * v1) - G2 * cos(q2) - between
    # Eliminated with M22, which is constant.
    pivot = 1.0 / M22
    ratio = pivot * M12
    a1 = (F1 - ratio * F2) / (M11 - ratio * M12)
    return [v1, v2, a1, pivot * F2 - ratio * a1]


def pendulum_inertia(bend, p):
    """M11, M12, M22 of the inertia matrix [kg m2] where the rods' angles differ by `bend`."""
    M11 = 4.0 / 3.0 * p.m1 * (p.L1 * p.L1) + 4.0 * p.m2 * (p.L1 * p.L1)
    return M11, 2.0 * p.m2 * p.L1 * p.L2 * cos(bend), 4.0 / 3.0 * p.m2 * (p.L2 * p.L2)


def pendulum_posture_inertia(q, p):
    """M11, M12, M22 for both angles q."""
    return pendulum_inertia(q[0] - q[1], p)


def pendulum_inertia_rate(q, v, p):
    """The time derivatives of M11, M12, M22 at angles q and rates v."""
    coupled = -2.0 * p.m2 * p.L1 * p.L2 * sin(q[0] - q[1]) * (v[0] - v[1])
    return 0.0, coupled, 0.0


def pendulum_weights(p):
    """The moments of gravity of both rods at angle 0 [N m]."""
    return p.g * (p.m1 * p.L1 + 2.0 * p.m2 * p.L1), p.g * p.m2 * p.L2
