"""Closed-loop inverse kinematics of the seven-axis arm."""

from __future__ import annotations

import math

import numpy as np


def kinematics(table, q):
    """The flange's place (3,) and rotation (3, 3), and the geometric Jacobian (6, 7).

    Rows of the table: a, d, cos alpha, sin alpha (Denavit, Hartenberg, 1955).
    """
    R, p, axes, origins = np.eye(3), np.zeros(3), [], []
    for (a, d, ca, sa), angle in zip(table, q):
        axes.append(R[:, 2])
        origins.append(p)
        c, s = math.cos(angle), math.sin(angle)
        p = p + R @ [a * c, a * s, d]
        R = R @ [[c, -s * ca, s * sa], [s, c * ca, -c * sa], [0.0, sa, ca]]
    linear = [np.cross(axis, p - origin) for axis, origin in zip(axes, origins)]
    return p, R, np.vstack([np.array(linear).T, np.array(axes).T])


def turned(axis, angle, R):
    """The rotation R turned about an axis (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return R + math.sin(angle) * K @ R + (1.0 - math.cos(angle)) * K @ K @ R


def tracker(
    table, start, path, law, plane, turn, axis, gains, inverse, null_task=None, fastest=None, stops=None, held=False
):
    """f(t, q) = J+ (xd' + K e), and what holds the error e at the beginning of a step, or None.

    The path begins where the flange is at the joint angles `start`; `plane` are its local axes as columns. `turn` gives
    the tool's angle about the axis, or is None. `inverse(J, command, q)` solves J q' = command; `null_task(q, J)` is
    what the joints should do besides; `fastest` are their largest rates, `stops` their lowest and highest angles.
    """
    low, high = stops or (-np.inf, np.inf)
    plane, gains = np.array(plane), np.array([gains[0]] * 3 + [gains[1]] * 3)
    p0, R0, _ = kinematics(table, start)
    origin = p0 - plane @ path(0.0)[0]
    kept = np.zeros(6)

    def desired(t):
        """The tool's place, rotation and velocity (6,)."""
        s, s_rate = law(t)
        place, rate, _ = path(s)
        angle, spin = turn(path, s) if turn else (0.0, 0.0)
        return origin + plane @ place, turned(axis, angle, R0), s_rate * np.append(plane @ rate, spin * np.array(axis))

    def task_error(p, R, p_d, R_d):
        """The error of place and of orientation, half the sum of the cross products of the columns."""
        return np.append(p_d - p, 0.5 * np.cross(R.T, R_d.T).sum(axis=0))

    def hold(t, q):
        p, R, _ = kinematics(table, np.clip(q, low, high))
        kept[:] = task_error(p, R, *desired(t)[:2])

    def f(t, q, held=held):
        q = np.clip(q, low, high)
        p, R, J = kinematics(table, q)
        p_d, R_d, velocity = desired(t)
        command = velocity + gains * (kept if held else task_error(p, R, p_d, R_d))
        z = null_task(q, J) if null_task else np.zeros(len(q))
        rates = z + inverse(J, command - J @ z, q)
        rates = np.where((q >= high) & (rates > 0.0) | (q <= low) & (rates < 0.0), 0.0, rates)
        return rates / max(1.0, np.max(np.abs(rates) / fastest)) if fastest else rates

    return f, hold if held else None


def by_singular_values(cut_off):
    """J+ with the singular values above the cut-off."""

    def inverse(J, command, q):
        U, sizes, Vt = np.linalg.svd(J, full_matrices=False)
        kept = sizes > cut_off
        return Vt[kept].T @ ((U.T[kept] @ command) / sizes[kept])

    return inverse


def solved(J, command, damping=0.0, weights=None):
    """W J' (J W J' + damping I)^-1 command; by singular values where that is singular to round-off."""
    W = np.ones(J.shape[1]) if weights is None else weights
    gram = (J * W) @ J.T + damping * np.eye(len(J))
    try:
        pivots = np.diag(np.linalg.cholesky(gram)) ** 2 / np.diag(gram)
    except np.linalg.LinAlgError:
        pivots = np.zeros(1)
    if np.min(pivots) <= 1e-13:
        return by_singular_values(1e-7)(J, command, None)
    return W * (J.T @ np.linalg.solve(gram, command))


def pseudo_inverse():
    """Moore and Penrose's inverse."""
    return lambda J, command, q: solved(J, command)


def damped(factor):
    """Damped least squares with a constant factor."""
    return lambda J, command, q: solved(J, command, factor)


def damped_variable(factor, threshold):
    """Damped where the manipulability is below a threshold (Nakamura, Hanafusa, 1986)."""

    def inverse(J, command, q):
        w = math.sqrt(max(np.linalg.det(J @ J.T), 0.0))
        return solved(J, command, factor * (1.0 - w / threshold) ** 2 if w < threshold else 0.0)

    return inverse


def weighted(lower, upper):
    """Joints that move towards their limits are heavy (Chan, Dubey, 1995)."""
    low, high = np.array(lower), np.array(upper)

    def inverse(J, command, q):
        below, above = q - low, high - q
        slope = (high - low) ** 2 * (2.0 * q - high - low) / (4.0 * (above * below) ** 2)
        W = np.where(slope * (J.T @ command) >= 0.0, 1.0 / (1.0 + np.abs(slope)), 1.0)
        return solved(J, command, 0.0, np.where((below <= 0.0) | (above <= 0.0), 1e-3, W))

    return inverse


def avoid_limits(gain, lower, upper):
    """Towards the middle of the joints' ranges."""
    low, high = np.array(lower), np.array(upper)
    return lambda q, J: -gain * (q - 0.5 * (low + high)) / (high - low) ** 2


def hold_elbow(gain, angle):
    """The third joint towards an angle."""
    return lambda q, J: np.array([0.0, 0.0, gain * (angle - q[2]), 0.0, 0.0, 0.0, 0.0])


def ascend_manipulability(gain):
    """Up the gradient of the manipulability w: dw/dq_k = w tr((J J')^-1 dJ/dq_k J')."""

    def task(q, J):
        gram, gradient = J @ J.T, np.zeros(len(q))
        w, columns = math.sqrt(max(np.linalg.det(gram), 0.0)), np.linalg.solve(gram, J)
        for k in range(len(q)):
            for i in range(len(q)):
                moved = np.append(np.cross(J[3:, min(i, k)], J[:3, max(i, k)]), np.zeros(3))
                if k <= i:
                    moved[3:] = np.cross(J[3:, k], J[3:, i])
                gradient[k] += w * columns[:, i] @ moved
        return gain * gradient

    return task
