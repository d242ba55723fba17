"""The RR arm."""

from __future__ import annotations

import numpy as np


def rr(m1, m2, r1, r2, J1, J2, g, tau=(0, 0), d=(0, 0), kp=(0, 0), target=(0, 0)):
    """f(t, y) of the RR arm, y = (q1, q2, v1, v2), with the joint torques tau - d v - kp (q - target)."""

    def f(t, y):
        q1, q2, v1, v2 = y.tolist()
        b, D = m2 * r1 * r2, m2 * r2 * r2
        bc, bs = b * np.cos(q2), b * np.sin(q2)
        g2 = g * m2 * r2 * np.cos(q1 + q2)
        T1 = bs * v2 * (v2 + 2.0 * v1) - g * (m1 + m2) * r1 * np.cos(q1) - g2
        T2 = -bs * v1 * v1 - g2
        T1 += tau[0] - d[0] * v1 - kp[0] * (q1 - target[0])
        T2 += tau[1] - d[1] * v2 - kp[1] * (q2 - target[1])
        M11 = (m1 + m2) * r1 * r1 + D + 2.0 * bc + J1
        M12 = D + bc
        M22 = D + J2
        scale = 1.0 / (M11 * M22 - M12 * M12)
        return np.array([v1, v2, (M22 * T1 - M12 * T2) * scale, (M11 * T2 - M12 * T1) * scale])

    return f


def rr_torques(y, tau=(0, 0), d=(0, 0), kp=(0, 0), target=(0, 0)):
    """The motors' torques."""
    return [tau[k] - d[k] * y[2 + k] - kp[k] * (y[k] - target[k]) for k in (0, 1)]
