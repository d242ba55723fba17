"""A serial arm's Jacobian by complex steps through its forward kinematics: a check that shares no code with kernels.

Source: W. Squire, G. Trapp, SIAM Rev. 40 (1998) 110, eq. (2.3): f'(x) = Im f(x + i h) / h has no cancellation, so h may
be arbitrarily small.
"""

from __future__ import annotations

import numpy as np

from robots.model.robot import Array

STEP = 1e-30


def numeric_jacobian(table: Array, q: Array) -> Array:
    """The Jacobian (v, w) = J q' of the last frame's origin, (6, n).

    Args:
        table: standard Denavit-Hartenberg rows (a, d, cos alpha, sin alpha), (n, 4) [m, m, -, -].
        q: joint angles, (n,) [rad].
    """
    turned = np.asarray(q, dtype=complex) + 1j * STEP * np.eye(len(q))
    frames = _last_frames(table, turned)
    rotation, change = np.real(frames[:, :3, :3]), np.imag(frames[:, :3]) / STEP
    spin = change[:, :, :3] @ rotation.transpose(0, 2, 1)
    return np.column_stack([change[:, :, 3], spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]]).T


def _last_frames(table: Array, angles: np.ndarray) -> np.ndarray:
    """The products of the rows' transforms, (m, 4, 4), for joint angles (m, n), which may be complex."""
    found = np.broadcast_to(np.eye(4, dtype=complex), (len(angles), 4, 4))
    for (a, d, ca, sa), angle in zip(table, angles.T, strict=True):
        c, s, zero = np.cos(angle), np.sin(angle), np.zeros_like(angle)
        rows = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [zero, zero + sa, zero + ca, zero + d]]
        rows.append([zero, zero, zero, zero + 1.0])
        found = found @ np.moveaxis(np.array(rows), 2, 0)
    return found
