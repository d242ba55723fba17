"""A constrained system once more, in plain NumPy and complex numbers: accelerations and, by complex steps, J1 and J2.

It shares with the kernels the numbers that describe a system, and nothing else: positions by Newton's method with a new
matrix each time, q'' and the multipliers from equation (3) of paper 4. Everything is analytic, so that the imaginary
part after a step of 1e-30 i is the derivative to round-off.

Source: E. J. Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 11; W. Squire,
G. Trapp, SIAM Review 40 (1998) for the complex step.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from robots.dynamics.multibody.system import System

STEP = 1e-30
# Differences that are exact for polynomials of degree 4, which every product of two moving vectors is.
PLACES = np.array([1.0, -1.0, 2.0, -2.0])
SLOPE, BEND, MIDDLE = np.array([8.0, -8.0, -1.0, 1.0]) / 12.0, np.array([16.0, 16.0, -1.0, -1.0]) / 12.0, -2.5


def turned(e: np.ndarray, a: np.ndarray) -> np.ndarray:
    """A(e) a for Euler parameters (r, 4, k) and vectors (r, 3), (r, 3, k)."""
    head, tail, a = e[:, :1], e[:, 1:], a[:, :, None]
    across = np.cross(tail, a, axis=1)
    along = np.sum(tail * a, axis=1, keepdims=True)
    return (head**2 - np.sum(tail**2, axis=1, keepdims=True)) * a + 2 * tail * along + 2 * head * across


def products(rows: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The scalar products that `rows` (r, 23) describe at positions of their two bodies (r, 14, k), (r, k)."""
    i, j = z[:, :7], z[:, 7:]

    def vector(o: int) -> np.ndarray:
        apart = rows[:, o : o + 3, None] + rows[:, o + 3, None, None] * (j[:, :3] - i[:, :3])
        return apart + turned(i[:, 3:], rows[:, o + 4 : o + 7]) + turned(j[:, 3:], rows[:, o + 7 : o + 10])

    return np.sum(vector(2) * vector(12), axis=1) - rows[:, 22, None]


def pairs(rows: np.ndarray, q: np.ndarray, ground: float) -> np.ndarray:
    """The coordinates of each row's two bodies (r, 14); the ground's are (0, 0, 0, `ground`, 0, 0, 0)."""
    world = np.append(q, [0.0, 0.0, 0.0, ground, 0.0, 0.0, 0.0]).reshape(-1, 7)
    return world[rows[:, :2].astype(int)].reshape(len(rows), 14)


def values(rows: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The products at one position (n,), (r,)."""
    return products(rows, pairs(rows, q, 1.0)[:, :, None])[:, 0]


def slopes(rows: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Their gradients, (r, n)."""
    moves = (np.eye(14)[:, :, None] * PLACES).reshape(14, 56)
    found = products(rows, pairs(rows, q, 1.0)[:, :, None] + moves).reshape(len(rows), 14, 4) @ SLOPE
    out = np.zeros((len(rows), len(q) + 7), dtype=complex)
    for side in range(2):
        for k in range(7):
            # The ground's number is -1, and its columns are the last, which nobody wants.
            np.add.at(out, (np.arange(len(rows)), 7 * rows[:, side].astype(int) + k), found[:, 7 * side + k])
    return out[:, : len(q)]


def bends(rows: np.ndarray, q: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Their second derivatives along `rate`, (r,)."""
    here, move = pairs(rows, q, 1.0)[:, :, None], pairs(rows, rate, 0.0)[:, :, None]
    return products(rows, here + move * PLACES) @ BEND + MIDDLE * products(rows, here)[:, 0]


def norms(system: System, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """e.e - 1 of every body, and its gradient."""
    count = len(system.bodies)
    value, gradient = np.zeros(count, dtype=complex), np.zeros((count, len(q)), dtype=complex)
    for b in range(count):
        e = q[7 * b + 3 : 7 * b + 7]
        value[b], gradient[b, 7 * b + 3 : 7 * b + 7] = e @ e - 1.0, 2.0 * e
    return value, gradient


def table(rows: Iterable[np.ndarray]) -> np.ndarray:
    """Rows of numbers as a matrix, which may be empty."""
    return np.array([row[:23] for row in rows]).reshape(-1, 23)


def constraints(system: System, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phi and Phi_q."""
    value, gradient = norms(system, q)
    rows = table(row.numbers for row in system.rows)
    return np.concatenate([values(rows, q), value]), np.vstack([slopes(rows, q), gradient])


def inertia(system: System, q: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """M, and the forces of gravity and of the turning axes."""

    def half(e: np.ndarray) -> np.ndarray:
        a, b, c, d = e
        return np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])

    M, force = np.zeros((len(q), len(q)), dtype=complex), np.zeros(len(q), dtype=complex)
    for b, body in enumerate(system.bodies):
        at, turn = slice(7 * b, 7 * b + 3), slice(7 * b + 3, 7 * b + 7)
        J, G, dG = np.diag(body.inertia), half(q[turn]), half(rate[turn])
        M[at, at], M[turn, turn] = body.mass * np.eye(3), 4.0 * G.T @ J @ G
        force[7 * b + 2] = -body.mass * system.gravity
        force[turn] = 8.0 * dG.T @ J @ dG @ q[turn]
    return M, force


def applied(system: System, t: float, q: np.ndarray, rate: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """The forces of springs, tyres and torsion springs; `angles` are near those of the torsion springs."""
    force = np.zeros(len(q), dtype=complex)
    rows = table(system.springs)
    for row, square, along in zip(system.springs, values(rows, q), slopes(rows, q), strict=True):
        (k, c, free), length = row[23:], np.sqrt(square)
        tension = k * (length - free) + c * (along @ rate) / (2.0 * length)
        force -= tension / (2.0 * length) * along
    rows = table(system.tyres)
    for row, height, along in zip(system.tyres, values(rows, q), slopes(rows, q), strict=True):
        k, c, radius, place = row[23:]
        square = (radius + system.bump) ** 2 - (place + system.speed * t - system.bump_at) ** 2
        road = max(np.sqrt(square) - radius, 0.0) if square > 0.0 else 0.0
        depth = road + radius - height
        push = k * depth - c * (along @ rate)
        if depth.real > 0.0 and push.real > 0.0:
            force += push * along
    for row, near in zip(system.torsions, angles, strict=True):
        rows, (k, c, rest) = row[:46].reshape(2, 23), row[46:]
        (cosine, sine), by_q = values(rows, q), slopes(rows, q)
        along, here, there = cosine * by_q[1] - sine * by_q[0], np.cos(near), np.sin(near)
        angle = near + np.arctan((sine * here - cosine * there) / (cosine * here + sine * there))
        force -= (k * (angle - rest) + c * (along @ rate)) * along
    return force


def position(system: System, start: np.ndarray, v: np.ndarray, where: np.ndarray, iterations: int) -> np.ndarray:
    """All coordinates when those of `where` are v, by Newton's method from `start`."""
    q = start.astype(complex)
    q[where] = v
    others = np.setdiff1d(np.arange(len(q)), where)
    for _ in range(iterations):
        phi, jacobian = constraints(system, q)
        q[others] -= np.linalg.solve(jacobian[:, others], phi)
    return q


def acceleration(system: System, t: float, q: np.ndarray, dv: np.ndarray, where: np.ndarray,
                 angles: np.ndarray) -> np.ndarray:  # fmt: skip
    """v'' of the coordinates `where`, whose rates are dv, at a consistent position."""
    others = np.setdiff1d(np.arange(len(q)), where)
    jacobian, rate = constraints(system, q)[1], np.zeros(len(q), dtype=complex)
    rate[where] = dv
    rate[others] = -np.linalg.solve(jacobian[:, others], jacobian[:, where] @ dv)
    turns = rate.reshape(-1, 7)[:, 3:]
    tau = -np.append(bends(table(row.numbers for row in system.rows), q, rate), 2.0 * np.sum(turns**2, axis=1))
    M, force = inertia(system, q, rate)
    force = force + applied(system, t, q, rate, angles)
    whole = np.block([[M, jacobian.T], [jacobian, np.zeros((len(tau), len(tau)))]])
    return np.linalg.solve(whole, np.concatenate([force, tau]))[: len(q)][where]


def jacobian(
    system: System, t: float, start: np.ndarray, y: np.ndarray, where: np.ndarray, angles: np.ndarray, every: int
) -> tuple[np.ndarray, np.ndarray]:
    """v'' (d,) at y = (v, v'), and `every` so many-th column of its derivative by y; u is found from `start`."""
    d, columns = len(where), []
    here = position(system, start, y[:d], where, 6)
    for k in range(0, 2 * d, every):
        moved = y.astype(complex)
        moved[k] += 1j * STEP
        # The position is known: one iteration is exact in the first order, which is all that the step has.
        q = position(system, here, moved[:d], where, 2 if k < d else 0)
        columns.append(acceleration(system, t, q, moved[d:], where, angles))
    found = np.array(columns).T
    return found[:, 0].real, found.imag / STEP
