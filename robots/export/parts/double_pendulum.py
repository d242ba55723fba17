"""Two rods with springs and dampers."""

from __future__ import annotations

import numpy as np


def double_pendulum(m1, m2, L1, L2, k1, k2, C1, C2, rest1, rest2, g):
    """f(t, y) of two rods with springs and dampers, y = (q1, q2, v1, v2), both angles from the horizontal."""
    M11, M22 = 4.0 / 3.0 * m1 * L1**2 + 4.0 * m2 * L1**2, 4.0 / 3.0 * m2 * L2**2
    coupling = 2.0 * m2 * L1 * L2
    G1, G2 = g * (m1 * L1 + 2.0 * m2 * L1), g * m2 * L2

    def f(t, y):
        q1, q2, v1, v2 = y.tolist()
        M12, turn = coupling * np.cos(q1 - q2), coupling * np.sin(q1 - q2)
        between = k2 * (q2 - q1 - rest2) + C2 * (v2 - v1)
        F1 = -turn * v2 * v2 - G1 * np.cos(q1) - k1 * (q1 - rest1) - C1 * v1 + between
        F2 = turn * v1 * v1 - G2 * np.cos(q2) - between
        det = M11 * M22 - M12 * M12
        return np.array([v1, v2, (M22 * F1 - M12 * F2) / det, (M11 * F2 - M12 * F1) / det])

    return f
