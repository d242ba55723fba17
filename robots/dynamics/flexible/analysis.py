"""The flexible arm linearised: poles, zeros, eigenfrequencies, and whether a bounded torque can follow the path.

With the coordinates p (joints, then motors) the linearised arm is

    M p'' + D p' + K p = B u,    the tool's controlled coordinates are C p,

all matrices taken at one point of the motion as if the arm rested there. The poles are the eigenvalues of the left
side; the zeros, the invariant zeros of the system matrix, are the motions that the tool does not show: C p = 0. They
are the eigenvalues of the zero dynamics, which the exact inverse dynamics contains: an unstable one makes the torque
grow without bound.

Source: H. H. Rosenbrock, State-Space and Multivariable Theory (1970); paper 5, sections 2 and 7.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from robots.dynamics.flexible.structure import Build
from robots.model.robot import Array

Complex = NDArray[np.complex128]
INFINITE = 1e9
"""A zero of this size [1/s] counts as infinite."""
EDGE = 1e-6
"""A zero counts as unstable if its real part is above this fraction of its size."""
FURTHEST = 1e3
"""Joint angles beyond this [rad] belong to a diverged run."""


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """The matrices M, D, K (s, s), B (s, motors), C (outputs, s) of the linearised arm."""

    mass: Array
    damping: Array
    stiffness: Array
    inputs: Array
    outputs: Array


def linearise(build: Build, q: Array) -> Linear:
    """The arm linearised at rest at joint angles q (joints,)."""
    n, size, motors = build.joints, build.coordinates, build.actuated
    still = np.zeros(n)
    _, by_q, by_v, inertia = build.torque(q, still, still)
    M, D, K = (np.zeros((size, size)) for _ in range(3))
    M[:n, :n], D[:n, :n], K[:n, :n] = inertia, by_v, by_q
    B = np.zeros((size, motors))
    springs, dampers = spring_matrix(build, build.stiffness), spring_matrix(build, build.damping)
    for joint in np.flatnonzero(build.motor_of >= 0):
        motor = int(build.motor_of[joint])
        B[n + motor if build.gears else joint, motor] = 1.0
        if build.gears:
            M[n + motor, n + motor] = build.motor_inertias[motor]
    C = np.zeros((len(build.axes), size))
    C[:, :n] = build.tool(np.asarray(q))[1][build.axes]
    return Linear(M, D + dampers, K + springs, B, C)


def spring_matrix(build: Build, constants: Array) -> Array:
    """The springs (or dampers) with these constants (joints,) between joints and motors, (s, s)."""
    n = build.joints
    table = np.zeros((build.coordinates, build.coordinates))
    for joint in range(n):
        motor = int(build.motor_of[joint])
        if motor < 0:
            table[joint, joint] += constants[joint]
        elif build.gears:
            ends = np.ix_([joint, n + motor], [joint, n + motor])
            table[ends] += constants[joint] * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return table


def poles(linear: Linear) -> Complex:
    """The eigenvalues of the arm with free motors, (2 s,) [1/s]."""
    size = len(linear.mass)
    first = np.zeros((2 * size, 2 * size))
    first[:size, size:] = np.eye(size)
    first[size:, :size] = -np.linalg.solve(linear.mass, linear.stiffness)
    first[size:, size:] = -np.linalg.solve(linear.mass, linear.damping)
    return np.asarray(np.linalg.eigvals(first), dtype=complex)


def zeros(linear: Linear, build: Build) -> Complex:
    """The finite zeros from motor torques to the tool [1/s].

    The passive joints' balances decide over the joint motions that keep the tool still; each gear with a damper adds
    the real zero -k/d, at which it transmits no torque.
    """
    n = build.joints
    passive = np.flatnonzero(build.motor_of < 0)
    jacobian = linear.outputs[:, :n]
    still = np.linalg.svd(jacobian)[2][len(jacobian) :].T
    M, D, K = ((table[passive, :n] @ still) for table in (linear.mass, linear.damping, linear.stiffness))
    found = quadratic_eigenvalues(M, D, K)
    gears = [joint for joint in np.flatnonzero(build.motor_of >= 0) if build.gears and build.damping[joint] > 0.0]
    own = np.array([-build.stiffness[joint] / build.damping[joint] for joint in gears], dtype=complex)
    return np.concatenate([found, own])


def quadratic_eigenvalues(M: Array, D: Array, K: Array) -> Complex:
    """The finite s with det(M s^2 + D s + K) = 0; K must not be singular, M may be."""
    m = len(M)
    first = np.zeros((2 * m, 2 * m))
    first[:m, m:] = np.eye(m)
    first[m:, :m], first[m:, m:] = -np.linalg.solve(K, M), -np.linalg.solve(K, D)
    inverse = np.asarray(np.linalg.eigvals(first), dtype=complex)
    return np.asarray(1.0 / inverse[np.abs(inverse) > 1.0 / INFINITE], dtype=complex)


def effective_inertia(build: Build, q: Array) -> float:
    """The stability of the zero dynamics at joint angles q: above 0 it is stable, below 0 a saddle.

    With the tool held still, the inertia that the passive joints feel over the stiffness, det(M) / det(K): for one
    passive joint the condition j2 > m2 xi2 (l2 - xi2) of E1 at q2 = 0, or j3 > m3 xi3 (l3 - xi3) of E12, in [s2].
    """
    n, linear = build.joints, linearise(build, q)
    passive = np.flatnonzero(build.motor_of < 0)
    still = np.linalg.svd(linear.outputs[:, :n])[2][len(linear.outputs) :].T
    M, K = linear.mass[passive, :n] @ still, spring_matrix(build, build.stiffness)[passive, :n] @ still
    return float(np.linalg.det(M) / np.linalg.det(K))


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The undamped eigenfrequencies [Hz], ascending, of the arm without gravity while some motors are held.

    Attributes:
        held: indices of the motors that are clamped.
        values: the frequencies; motions without any spring, or without inertia, are left out.
    """

    held: tuple[int, ...]
    values: tuple[float, ...]


def eigenfrequencies(build: Build, q: Array) -> list[Frequencies]:
    """For every choice of held motors, none to all, the eigenfrequencies at joint angles q (joints,)."""
    n, motors = build.joints, build.actuated
    M = linearise(build, q).mass
    K = spring_matrix(build, build.stiffness)
    place = {int(build.motor_of[joint]): int(joint) for joint in np.flatnonzero(build.motor_of >= 0)}
    found = []
    for count in range(motors + 1):
        for held in combinations(range(motors), count):
            fixed = {n + motor if build.gears else place[motor] for motor in held}
            free = [k for k in range(build.coordinates) if k not in fixed]
            squares = np.zeros(1)
            with suppress(np.linalg.LinAlgError):
                ratio = np.linalg.solve(M[np.ix_(free, free)], K[np.ix_(free, free)])
                squares = np.sort(np.linalg.eigvals(ratio).real)
            real = squares[squares > 1e-9 * max(squares[-1], 1e-300)]
            found.append(Frequencies(held, tuple(float(f) for f in np.sqrt(real) / (2.0 * np.pi))))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Zeros:
    """Poles and zeros along a motion, at times (m,): (m, p) and (m, z); nan where one is infinite or unknown."""

    t: Array
    poles: Complex
    zeros: Complex

    @property
    def unstable(self) -> Complex:
        """The zeros in the right half-plane; those on the imaginary axis, of an undamped arm, do not count."""
        known = self.zeros[~np.isnan(self.zeros)]
        return np.asarray(known[known.real > EDGE * np.abs(known)])

    @property
    def worst(self) -> float:
        """The largest real part of an unstable zero, at the first posture with one; later a run may have diverged."""
        for row in self.zeros:
            known = row[~np.isnan(row)]
            unstable = known[known.real > EDGE * np.abs(known)]
            if len(unstable):
                return float(unstable.real.max())
        return 0.0

    @property
    def minimum_phase(self) -> bool:
        """Whether a bounded torque can follow the path."""
        return not len(self.unstable)


def along(build: Build, t: Array, y: Array, count: int = 41) -> Zeros:
    """Poles and zeros at `count` postures of a motion; y (m, d) begins with joints."""
    chosen = postures(len(t), count)
    return at_postures([build] * len(chosen), t[chosen], y[chosen])


def postures(rows: int, count: int) -> NDArray[np.intp]:
    """At most `count` of so many rows, from the first to the last."""
    return np.unique(np.linspace(0, rows - 1, min(count, rows)).astype(np.intp))


def at_postures(builds: Sequence[Build], t: Array, y: Array) -> Zeros:
    """Poles and zeros at the times `t` (m,), each as if the arm, as it is built then, rested there; y (m, d)."""
    found = [at_rest(build, state[: build.joints]) for build, state in zip(builds, y, strict=True)]
    return Zeros(t, *(_padded([one[k] for one in found]) for k in (0, 1)))


def at_rest(build: Build, q: Array) -> tuple[Complex, Complex]:
    """Poles and zeros [1/s] at joint angles q, as if the arm rested there; none where it cannot be linearised."""
    if np.abs(q).max() < FURTHEST:
        with suppress(np.linalg.LinAlgError):
            linear = linearise(build, q)
            return poles(linear), zeros(linear, build)
    return np.zeros(0, complex), np.zeros(0, complex)


def _padded(rows: Sequence[Complex]) -> Complex:
    """The rows as a table, (m, widest), filled up with nan."""
    widest = max(map(len, rows))
    return np.array([np.pad(row, (0, widest - len(row)), constant_values=np.nan) for row in rows], dtype=complex)
