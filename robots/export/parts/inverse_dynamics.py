"""Inverse dynamics of planar arms with flexible joints, as F(t, x, x') = 0."""

from __future__ import annotations

import numpy as np


class FlexibleArm:
    """A planar chain of which some joints have motors, behind springs or not.

    S. Moberg, S. Hanssen, Inverse Dynamics of Flexible Manipulators (2009). The unknowns are the angles of joints and
    motors, their rates, and `extra` (rates or accelerations of the driven joints, or nothing).
    """

    def __init__(
        self, table, lever, lengths, inertia, motor_of, stiffness, damping, motor_inertias, gears, up, gravity
    ):
        self.table, self.lever, self.lengths = np.array(table), np.array(lever), np.array(lengths)
        self.inertia = None if inertia is None else np.array(inertia)
        self.motor_of, self.gears, self.up, self.gravity = np.array(motor_of), gears, up, gravity
        self.k, self.d, self.motor_inertias = np.array(stiffness), np.array(damping), np.array(motor_inertias)
        self.passive = np.flatnonzero(self.motor_of < 0)
        self.driven = np.array([motor_of.index(motor) for motor in range(max(motor_of) + 1)])

    def torques(self, q, v, a):
        """M(q) a + c(q, v) + g(q): Lagrange's equations in the absolute angles, summed over the joints."""
        if self.inertia is not None:
            return self.inertia @ a
        phi, omega, alpha = np.cumsum(q), np.cumsum(v), np.cumsum(a)
        between = phi[:, None] - phi
        r = (self.table * np.cos(between)) @ alpha + (self.table * np.sin(between)) @ omega**2
        return np.cumsum((r - self.up * self.gravity * self.lever * np.cos(phi))[::-1])[::-1]

    def tool(self, q, v, a):
        """The tool's (x, z), velocity and acceleration."""
        phi, omega, alpha = np.cumsum(q), np.cumsum(v), np.cumsum(a)
        c, s, up = self.lengths * np.cos(phi), self.lengths * np.sin(phi), -self.up
        place, velocity = (c.sum(), up * s.sum()), (-(s @ omega), up * (c @ omega))
        return np.array([place, velocity, (-(s @ alpha + c @ omega**2), up * (c @ alpha - s @ omega**2))])

    def split(self, x):
        """Joints, motors, their rates, and the extra unknowns."""
        n, motors = len(self.lengths), len(self.driven) * self.gears
        return np.split(x, np.cumsum([n, motors, n, motors]))

    def motor_torques(self, x, rate, printed=False):
        """The torques of the motors."""
        q, qm, v, vm, _ = self.split(x)
        _, _, a, am, _ = self.split(rate)
        if self.gears:
            return (
                self.motor_inertias * am
                - (self.k * q + self.d * v)[self.driven]
                + self.k[self.driven] * qm
                + (self.d[self.driven] * vm)
            )
        springs = (self.k * q + self.d * v)[self.passive].sum() if printed else 0.0
        return self.torques(q, v, a)[self.driven] - springs


def wanted(start, end, move_time, sweep=0.0, arc=False):
    """The tool's reference (x, z), velocity and acceleration over time: a line, or an arc about `end`."""
    start, end = np.array(start), np.array(end)
    s = np.polynomial.Polynomial([0.0] * 6 + [462.0, -1980.0, 3465.0, -3080.0, 1386.0, -252.0])

    def reference(t):
        x = min(max(t / move_time, 0.0), 1.0)
        step, speed, push = s(x), s.deriv()(x) / move_time, s.deriv(2)(x) / move_time**2
        if not arc:
            return np.array([start + step * (end - start), speed * (end - start), push * (end - start)])
        c, sn, along = np.cos(sweep * step), np.sin(sweep * step), start - end
        across = np.array([-along[1], along[0]])
        there, ahead = c * along + sn * across, c * across - sn * along
        return np.array([end + there, sweep * speed * ahead, sweep * push * ahead - (sweep * speed) ** 2 * there])

    return reference


def inverse_dynamics(arm, reference, axes, orders, drop_driven, drop_passive, extra):
    """F(t, x, x') and dF/dx + alpha dF/dx', which a complex step gives to round-off (Squire, Trapp, 1998).

    Rows: torque balances, angle' = rate (less those that are dropped), and the constraint's derivatives of the given
    orders in the given axes.
    """
    n, driven = len(arm.lengths), arm.driven

    def residual(t, x, rate):
        q, qm, v, vm, more = arm.split(x)
        a = arm.split(rate)[2].copy()
        if extra == "accelerations":
            a[driven] = more
        twist = arm.k * q + arm.d * v
        if arm.gears:
            twist[driven] -= arm.k[driven] * qm + arm.d[driven] * vm
        balances = arm.torques(q, v, a) + twist
        rows = [balances] if arm.gears else [balances[arm.passive]]
        angles = rate[: n + len(qm)] - np.append(v, vm)
        if extra == "rates":
            angles[driven] = more - v[driven]
        dropped = [*(driven if drop_driven and extra != "rates" else ()), *(arm.passive if drop_passive else ())]
        rows.append(np.delete(angles, np.array(dropped, dtype=int)))
        gap = arm.tool(q, v, a) - reference(t)
        return np.concatenate([*rows, *(gap[order, axes] for order in orders)])

    def system(t, x, rate, alpha):
        columns = [np.imag(residual(t, x + 1e-30j * e, rate + 1e-30j * alpha * e)) / 1e-30 for e in np.eye(len(x))]
        return residual(t, x, rate), np.array(columns).T

    return system
