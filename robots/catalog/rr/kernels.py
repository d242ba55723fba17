"""Equations of motion of the RR arm, compiled.

Source: Tenreiro Machado & Galhano (1994), eq. (6). Angles from the horizontal; point masses at the links' ends; J1, J2
are rotor inertias and stand on the diagonal only.

Layout of `params`; what does not act is left off at the end:
    0-6    m1, m2, r1, r2, J1, J2, g
    7-14   tau1, tau2, d1, d2, kp1, kp2, target1, target2: the joint torque u = tau - d v - kp (q - target)
    15-19  link (0, 1), point (x, z in the link's frame), stiffness, damping of the spring that pulls
    20     the number n of points on the target's track
    21-    n rows t, x, z of the target, relative to the shoulder
"""

from __future__ import annotations

import math

from numba import njit

from solvers.kernels.signatures import JACOBIAN, RHS

FREE, _TORQUE = 7, 15


@njit(inline="always")
def _target(t, p, axis):
    """Coordinate `axis` (1: x, 2: z) of the pulling target at `t`: a cubic with the slopes of its neighbours."""
    count, base = int(p[20]), 21
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if p[base + 3 * middle] <= t:
            low = middle
        else:
            high = middle
    before, after = max(low - 1, 0), min(high + 1, count - 1)
    t0, t1 = p[base + 3 * low], p[base + 3 * high]
    x0, x1 = p[base + 3 * low + axis], p[base + 3 * high + axis]
    h = t1 - t0
    s = min(max((t - t0) / h, 0.0), 1.0)
    slope0 = (x1 - p[base + 3 * before + axis]) / (t1 - p[base + 3 * before]) * h
    slope1 = (p[base + 3 * after + axis] - x0) / (p[base + 3 * after] - t0) * h
    return x0 + s * (slope0 + s * ((3.0 * (x1 - x0) - 2.0 * slope0 - slope1) + s * (2.0 * (x0 - x1) + slope0 + slope1)))


@njit(inline="always")
def _pull(t, y, p):
    """Joint torques (2) of the pulling spring."""
    first = p[15] == 0.0
    a1, a2 = y[0], y[0] if first else y[0] + y[1]
    c, s, px, pz = math.cos(a2), math.sin(a2), p[16], p[17]
    x, z = px * c - pz * s, px * s + pz * c
    jx2, jz2 = -z, x
    if first:
        jx1, jz1 = jx2, jz2
        jx2, jz2 = 0.0, 0.0
    else:
        c1, s1 = p[2] * math.cos(a1), p[2] * math.sin(a1)
        x, z = x + c1, z + s1
        jx1, jz1 = -z, x
    fx = p[18] * (_target(t, p, 1) - x) - p[19] * (jx1 * y[2] + jx2 * y[3])
    fz = p[18] * (_target(t, p, 2) - z) - p[19] * (jz1 * y[2] + jz2 * y[3])
    return jx1 * fx + jz1 * fz, jx2 * fx + jz2 * fz


@njit(inline="always")
def _load(y, p):
    """Coriolis, centripetal and gravity torques as they act on the joints, and b cos(q2): (T1, T2, b cos(q2))."""
    m1, m2, r1, r2, g = p[0], p[1], p[2], p[3], p[6]
    b = m2 * r1 * r2
    bs = b * math.sin(y[1])
    g2 = g * m2 * r2 * math.cos(y[0] + y[1])
    T1 = bs * y[3] * (y[3] + 2.0 * y[2]) - g * (m1 + m2) * r1 * math.cos(y[0]) - g2
    return T1, -bs * y[2] * y[2] - g2, b * math.cos(y[1])


@njit(inline="always")
def _accelerate(y, p, T1, T2, bc, dy):
    """dy = (v, J(q)^-1 T)."""
    d = p[1] * p[3] * p[3]
    M11 = (p[0] + p[1]) * p[2] * p[2] + d + 2.0 * bc + p[4]
    M12, M22 = d + bc, d + p[5]
    scale = 1.0 / (M11 * M22 - M12 * M12)
    dy[0] = y[2]
    dy[1] = y[3]
    dy[2] = (M22 * T1 - M12 * T2) * scale
    dy[3] = (M11 * T2 - M12 * T1) * scale


@njit(RHS, cache=True, nogil=True, error_model="numpy")
def rhs_free(t, y, params, dy):
    """dy = (v, qdd) for y = (q1, q2, v1, v2) without joint torques or a pull: no branch, half the time."""
    T1, T2, bc = _load(y, params)
    _accelerate(y, params, T1, T2, bc, dy)


@njit(RHS, cache=True, nogil=True, error_model="numpy")
def rhs(t, y, params, dy):
    """dy = (v, qdd) for y = (q1, q2, v1, v2), with what the end of `params` adds."""
    T1, T2, bc = _load(y, params)
    if params.size > FREE:
        T1 += params[7] - params[9] * y[2] - params[11] * (y[0] - params[13])
        T2 += params[8] - params[10] * y[3] - params[12] * (y[1] - params[14])
        if params.size > _TORQUE:
            u1, u2 = _pull(t, y, params)
            T1 += u1
            T2 += u2
    _accelerate(y, params, T1, T2, bc, dy)


@njit(inline="always")
def _pull_slopes(t, y, p, T):
    """Adds d(pull torque)/d(q, v) to T (2, 4)."""
    first = p[15] == 0.0
    a2 = y[0] if first else y[0] + y[1]
    c, s, px, pz = math.cos(a2), math.sin(a2), p[16], p[17]
    x2, z2 = px * c - pz * s, px * s + pz * c
    x1, z1 = x2, z2
    if first:
        x2, z2 = 0.0, 0.0
    else:
        x1 += p[2] * math.cos(y[0])
        z1 += p[2] * math.sin(y[0])
    # The point is (x1, z1); its derivatives by q1 and q2 are (-z1, x1) and (-z2, x2), theirs in turn (-x, -z).
    vx, vz = -z1 * y[2] - z2 * y[3], x1 * y[2] + x2 * y[3]
    fx = p[18] * (_target(t, p, 1) - x1) - p[19] * vx
    fz = p[18] * (_target(t, p, 2) - z1) - p[19] * vz
    for i in range(2):
        xi, zi = (x1, z1) if i == 0 else (x2, z2)
        for j in range(2):
            xj, zj = (x1, z1) if j == 0 else (x2, z2)
            xm, zm = (x1, z1) if i + j == 0 else (x2, z2)
            xr, zr = x2, z2
            # d(velocity)/dq_j: the rate of (-zj, xj).
            if j == 0:
                wx, wz = -x1 * y[2] - x2 * y[3], -z1 * y[2] - z2 * y[3]
            else:
                wx, wz = -xr * (y[2] + y[3]), -zr * (y[2] + y[3])
            gx = p[18] * zj - p[19] * wx
            gz = -p[18] * xj - p[19] * wz
            T[i, j] += -xm * fx - zm * fz - zi * gx + xi * gz
            T[i, 2 + j] += -p[19] * (zi * zj + xi * xj)


@njit(JACOBIAN, cache=True, nogil=True, error_model="numpy")
def jacobian(t, y, params, J):
    """J = d(dy)/dy (4, 4), from M d(qdd) = dT - dM qdd."""
    m1, m2, r1, r2, g = params[0], params[1], params[2], params[3], params[6]
    v1, v2 = y[2], y[3]
    b = m2 * r1 * r2
    d = m2 * r2 * r2
    bc, bs = b * math.cos(y[1]), b * math.sin(y[1])
    g1, g2 = g * (m1 + m2) * r1, g * m2 * r2
    c12, s12 = g2 * math.cos(y[0] + y[1]), g2 * math.sin(y[0] + y[1])
    T1 = bs * v2 * (v2 + 2.0 * v1) - g1 * math.cos(y[0]) - c12
    T2 = -bs * v1 * v1 - c12
    # J[2:] holds dT first.
    J[2, 0], J[2, 1] = g1 * math.sin(y[0]) + s12, bc * v2 * (v2 + 2.0 * v1) + s12
    J[2, 2], J[2, 3] = 2.0 * bs * v2, 2.0 * bs * (v1 + v2)
    J[3, 0], J[3, 1], J[3, 2], J[3, 3] = s12, -bc * v1 * v1 + s12, -2.0 * bs * v1, 0.0
    if params.size > FREE:
        T1 += params[7] - params[9] * v1 - params[11] * (y[0] - params[13])
        T2 += params[8] - params[10] * v2 - params[12] * (y[1] - params[14])
        J[2, 0] -= params[11]
        J[2, 2] -= params[9]
        J[3, 1] -= params[12]
        J[3, 3] -= params[10]
        if params.size > _TORQUE:
            u1, u2 = _pull(t, y, params)
            T1 += u1
            T2 += u2
            _pull_slopes(t, y, params, J[2:])
    M11 = (m1 + m2) * r1 * r1 + d + 2.0 * bc + params[4]
    M12 = d + bc
    M22 = d + params[5]
    scale = 1.0 / (M11 * M22 - M12 * M12)
    a1, a2 = (M22 * T1 - M12 * T2) * scale, (M11 * T2 - M12 * T1) * scale
    # dM/dq2 = -bs [[2, 1], [1, 0]].
    J[2, 1] += bs * (2.0 * a1 + a2)
    J[3, 1] += bs * a1
    for j in range(4):
        top, low = J[2, j], J[3, j]
        J[2, j] = (M22 * top - M12 * low) * scale
        J[3, j] = (M11 * low - M12 * top) * scale
        J[0, j] = 1.0 if j == 2 else 0.0
        J[1, j] = 1.0 if j == 3 else 0.0
