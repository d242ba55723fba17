"""The RR arm's equations of motion, y = (q1, q2, v1, v2), for numbers, arrays, series and expressions alike.

Angles from the horizontal; point masses m1, m2 at the ends of links r1, r2; the rotors' inertias J1, J2 stand on the
diagonal of the inertia matrix only.

Source: Tenreiro Machado & Galhano (1994), eq. (6).
"""

from __future__ import annotations

from numpy import cos, sin


def rr(t, y, p):
    """(v, qdd) without joint torques."""
    return rr_motion(y, 0.0, 0.0, p)


def rr_driven(t, y, p):
    """(v, qdd) under the motors' torques."""
    return rr_motion(y, *rr_torques(y, p), p)


def rr_held(t, y, p):
    """(v, qdd) under held torques u1, u2."""
    return rr_motion(y, p.u1, p.u2, p)


def rr_pulled(t, y, p):
    """(v, qdd) under the motors' torques and a pull."""
    return rr_with_pull(y, *rr_torques(y, p), p)


def rr_held_pulled(t, y, p):
    """(v, qdd) under held torques and a pull."""
    return rr_with_pull(y, p.u1, p.u2, p)


def rr_with_pull(y, u1, u2, p):
    """(v, qdd) under torques and a spring from (aim_x, aim_z) to the point (point_x, point_z) of a link."""
    q1, q2, v1, v2 = y
    # Link 0 is turned by q1, link 1 by q1 + q2 and carried by link 0.
    angle = q1 + p.link * q2
    c, s = cos(angle), sin(angle)
    x2, z2 = p.point_x * c - p.point_z * s, p.point_x * s + p.point_z * c
    x1, z1 = x2 + p.link * p.r1 * cos(q1), z2 + p.link * p.r1 * sin(q1)
    turn = p.link * v2
    fx = p.stiffness * (p.aim_x - x1) + p.damping * (z1 * v1 + z2 * turn)
    fz = p.stiffness * (p.aim_z - z1) - p.damping * (x1 * v1 + x2 * turn)
    return rr_motion(y, u1 + x1 * fz - z1 * fx, u2 + p.link * (x2 * fz - z2 * fx), p)


def rr_torques(y, p):
    """The motors' torques [N m]: tau - d v - kp (q - target)."""
    q1, q2, v1, v2 = y
    return p.tau1 - p.d1 * v1 - p.kp1 * (q1 - p.target1), p.tau2 - p.d2 * v2 - p.kp2 * (q2 - p.target2)


def rr_inertia(q2, p):
    """M11, M12, M22 of the inertia matrix [kg m2]."""
    own, coupled = p.m2 * p.r2 * p.r2, p.m2 * p.r1 * p.r2 * cos(q2)
    return (p.m1 + p.m2) * p.r1 * p.r1 + own + p.J1 + 2.0 * coupled, own + coupled, own + p.J2


def rr_posture_inertia(q, p):
    """M11, M12, M22 for both angles q."""
    return rr_inertia(q[1], p)


def rr_inertia_rate(q, v, p):
    """The time derivatives of M11, M12, M22 at angles q and rates v."""
    coupled = -p.m2 * p.r1 * p.r2 * sin(q[1]) * v[1]
    return 2.0 * coupled, coupled, 0.0


def rr_motion(y, u1, u2, p):
    """(v, qdd) under joint torques u1, u2."""
    q1, q2, v1, v2 = y
    square, rate = v1 * v1, v1 + v2
    turn = p.m2 * p.r1 * p.r2 * sin(q2)
    weight = p.g * p.m2 * p.r2 * cos(q1 + q2)
    # v2 (v2 + 2 v1) = (v1 + v2)^2 - v1^2: squares need half the products.
    T1 = turn * (rate * rate - square) - (p.g * (p.m1 + p.m2) * p.r1 * cos(q1) + weight) + u1
    T2 = u2 - (turn * square + weight)
    # Eliminated with M22, which is constant.
    M11, M12, M22 = rr_inertia(q2, p)
    pivot = 1.0 / M22
    ratio = pivot * M12
    a1 = (T1 - ratio * T2) / (M11 - ratio * M12)
    return [v1, v2, a1, pivot * T2 - ratio * a1]
