"""The planar flexible arm driven by a table of torques, in elementary operations; the table alone is given.

The equations are those of `robots.dynamics.kernels.planar_chain` in absolute angles, B(phi) phi'' + c = S'^-1 tau,
where B has constant diagonal entries; `p` as in `robots.dynamics.flexible.kernels.flexible_ode`.

Source: S. Moberg, S. Hanssen, Inverse Dynamics of Flexible Manipulators (2009), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import add

from robots.dynamics.flexible.kernels import flexible_ode
from robots.dynamics.flexible.kernels.inverse_dynamics import (
    CHAIN,
    DAMPING,
    INERTIA,
    STIFFNESS,
    chain_size,
    scratch_size,
)
from robots.dynamics.flexible.structure import Build
from robots.dynamics.kernels.planar_chain import GRAVITY, TABLES
from solvers.codegen.tape import Expression, Tape, cos, record, sin


@dataclass(frozen=True, slots=True)
class Structure:
    """What decides which operations there are.

    Attributes:
        motor_of: of each joint; -1 for a passive one.
        gears, frozen, printed, feedback: as in the kernels; whether there is feedback.
        parameters: how many there are.
    """

    motor_of: tuple[int, ...]
    gears: bool
    frozen: bool
    printed: bool
    feedback: bool
    parameters: int


def driven_structure(build: Build, feedback: bool, parameters: int) -> Structure:
    """That of an arm."""
    motors = tuple(int(motor) for motor in build.motor_of)
    return Structure(motors, build.gears, build.constant_inertia is not None, build.printed, feedback, parameters)


@cache
def tape(structure: Structure) -> Tape:
    """The recorded equations of the state (q, motor angles, v, motor rates)."""
    n = len(structure.motor_of)
    motors = sum(motor >= 0 for motor in structure.motor_of) if structure.gears else 0

    def equations(t: Expression, y: Sequence[Expression], p: Sequence[Expression]) -> list[Expression]:
        rates = n + motors
        torques, motor_rates = _torques(structure, t, y, p)
        accelerations = _accelerations(structure, y[:n], y[rates : rates + n], torques, p)
        return [*y[rates:], *accelerations, *motor_rates]

    return record(equations, 2 * (n + motors), structure.parameters, flexible_ode.held)


def _torques(
    structure: Structure, t: Expression, y: Sequence[Expression], p: Sequence[Expression]
) -> tuple[list[Expression], list[Expression]]:
    """On every joint, and the motors' accelerations."""
    n, N = len(structure.motor_of), sum(motor >= 0 for motor in structure.motor_of)
    rates = n + (N if structure.gears else 0)
    table = CHAIN + chain_size(n) + scratch_size(n) + 4 * n * n + 16 * n + 32
    q, v = y[:rates], y[rates:]
    springs = {i: p[STIFFNESS + i] * q[i] + p[DAMPING + i] * v[i] for i in range(n) if structure.motor_of[i] < 0}
    torques, accelerations = [], {}
    for i, motor in enumerate(structure.motor_of):
        if motor < 0:
            torques.append(-springs[i])
            continue
        driver, u = n + motor if structure.gears else i, t.recorder.given(motor)
        if structure.feedback:
            u += p[table + flexible_ode.PROPORTIONAL] * (t.recorder.given(N + motor) - q[driver])
            u += p[table + flexible_ode.DERIVATIVE] * (t.recorder.given(2 * N + motor) - v[driver])
        if structure.gears:
            twist = p[STIFFNESS + i] * (q[i] - q[driver]) + p[DAMPING + i] * (v[i] - v[driver])
            torques.append(-twist)
            accelerations[motor] = 1.0 / p[INERTIA + motor] * (u + twist)
        else:
            for spring in springs.values() if structure.printed else ():
                u += spring
            torques.append(u)
    return torques, [accelerations[motor] for motor in sorted(accelerations)]


def _accelerations(
    structure: Structure,
    q: Sequence[Expression],
    v: Sequence[Expression],
    torques: Sequence[Expression],
    p: Sequence[Expression],
) -> list[Expression]:
    """Of the joints, under these torques."""
    n, base = len(q), CHAIN + TABLES
    if structure.frozen:
        first = base + n * n + 2 * n
        return _solved([[p[first + i * n + j] for j in range(n)] for i in range(n)], torques)
    phi, omega = list(accumulate(q, add)), list(accumulate(v, add))
    matrix, right = [], []
    for i in range(n):
        total = torques[i] - torques[i + 1] if i + 1 < n else torques[i]
        total += p[CHAIN + GRAVITY] * p[base + n * n + i] * cos(phi[i])
        row = []
        for j in range(n):
            weight = p[base + i * n + j]
            # One sine and cosine serve both signs of an angle between two links.
            between = phi[max(i, j)] - phi[min(i, j)]
            row.append(weight if i == j else weight * cos(between))
            if i != j:
                push = weight * sin(between) * (omega[j] * omega[j])
                total = total + push if i < j else total - push
        matrix.append(row)
        right.append(total)
    alpha = _solved(matrix, right)
    return [alpha[0], *(alpha[i] - alpha[i - 1] for i in range(1, n))]


def _solved(matrix: Sequence[Sequence[Expression]], right: Sequence[Expression]) -> list[Expression]:
    """Of a symmetric positive definite system: elimination needs no pivoting."""
    rows, values, n = [list(row) for row in matrix], list(right), len(right)
    for k in range(n):
        for i in range(k + 1, n):
            ratio = rows[k][i] / rows[k][k]
            for j in range(i, n):
                rows[i][j] = rows[i][j] - ratio * rows[k][j]
            values[i] = values[i] - ratio * values[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            values[k] = values[k] - rows[k][j] * values[j]
        values[k] = values[k] / rows[k][k]
    return values
