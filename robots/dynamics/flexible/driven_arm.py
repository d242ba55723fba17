"""The planar flexible arm driven by a table of torques, with PD feedback of its actuators' angles.

The state is (q, motor angles, v, motor rates), without gears (q, v). The chain's equations are those of
`robots.dynamics.kernels.planar_chain` in absolute angles, whose inertia matrix has a constant diagonal.

Source: S. Moberg, S. Hanssen, Inverse Dynamics of Flexible Manipulators (2009), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import add
from typing import Any

import numpy as np

from robots.dynamics.flexible.kernels.torque_table import held
from robots.dynamics.flexible.structure import Build
from robots.dynamics.kernels.held import held_torque
from robots.dynamics.kernels.planar_chain import TABLES, balances
from robots.model.robot import Array
from solvers.codegen.closed_form import ClosedForm, plain
from solvers.codegen.tape import Expression

Expressions = Sequence[Expression]


@dataclass(frozen=True, slots=True)
class Structure:
    """What decides the list of operations.

    Attributes:
        motor_of: of each joint; -1 for a passive one.
        gears, frozen, printed: as in `Build`; whether the joints' inertia is constant.
        feedback: whether there is any.
        sampled: whether torques are held between samples, feedback included.
    """

    motor_of: tuple[int, ...]
    gears: bool
    frozen: bool
    printed: bool
    feedback: bool
    sampled: bool


def driven_arm(build: Build, kp: float, kd: float, sampled: bool) -> tuple[ClosedForm, Array]:
    """The equations and their parameters, behind which the table of torques must stand, or that of the held ones."""
    motors = tuple(int(motor) for motor in build.motor_of)
    structure = Structure(
        motors, build.gears, build.constant_inertia is not None, build.printed, bool(kp or kd) and not sampled, sampled
    )
    form = _form(structure)
    table, lever = build.absolute()
    values = {
        **{"table": table, "lever": lever, "gravity": build.up * build.gravity, "frozen": build.constant_inertia},
        **{"stiffness": build.stiffness, "damping": build.damping, "inertia": build.motor_inertias},
        **{"kp": kp, "kd": kd},
    }
    return form, form.pack(values)


@cache
def _form(structure: Structure) -> ClosedForm:
    n, motors = len(structure.motor_of), max(structure.motor_of) + 1
    size = n + (motors if structure.gears else 0)
    shapes = {"table": (n, n), "frozen": (n, n), "inertia": (motors,)}
    shapes |= dict.fromkeys(("lever", "stiffness", "damping"), (n,))
    given = tuple(f"{name}{motor}" for name in ("u", "angle", "rate") for motor in range(motors))

    def equations(t: Expression, y: Expressions, p: Any) -> list[Expression]:
        torques, motor_accelerations = _torques(structure, y, p)
        accelerate = _frozen if structure.frozen else _moving
        return [*y[size:], *accelerate(y[:n], y[size : size + n], torques, p), *motor_accelerations]

    return ClosedForm(equations, 2 * size, shapes, given, held_torque if structure.sampled else held)


def _torques(structure: Structure, y: Expressions, p: Any) -> tuple[list[Expression], list[Expression]]:
    """On every joint, and the motors' accelerations."""
    n, half = len(structure.motor_of), len(y) // 2
    q, v = y[:half], y[half:]
    springs = {
        i: p.stiffness[i] * q[i] + p.damping[i] * v[i] for i, motor in enumerate(structure.motor_of) if motor < 0
    }
    torques: list[Expression] = []
    accelerations: dict[int, Expression] = {}
    for i, motor in enumerate(structure.motor_of):
        if motor < 0:
            torques.append(-springs[i])
            continue
        driver = n + motor if structure.gears else i
        u: Expression = getattr(p, f"u{motor}")
        if structure.feedback:
            u += p.kp * (getattr(p, f"angle{motor}") - q[driver]) + p.kd * (getattr(p, f"rate{motor}") - v[driver])
        if structure.gears:
            twist = p.stiffness[i] * (q[i] - q[driver]) + p.damping[i] * (v[i] - v[driver])
            torques.append(-twist)
            accelerations[motor] = 1.0 / p.inertia[motor] * (u + twist)
        else:
            torques.append(sum(springs.values(), u) if structure.printed else u)
    return torques, [accelerations[motor] for motor in sorted(accelerations)]


def _frozen(q: Expressions, v: Expressions, torques: Expressions, p: Any) -> list[Expression]:
    """The joints' accelerations where their inertia is constant."""
    return _solved(p.frozen, torques)


def _moving(q: Expressions, v: Expressions, torques: Expressions, p: Any) -> list[Expression]:
    """The joints' accelerations under these torques."""
    n = len(q)
    phi, omega = (np.array(list(accumulate(values, add)), dtype=object) for values in (q, v))
    head = [0.0] * TABLES
    chain = np.array([*head, *(entry for row in p.table for entry in row), *p.lever], dtype=object)
    chain[:TABLES] = n, p.gravity, 0.0, 0.0
    load, by_alpha = np.zeros(n, dtype=object), np.zeros((n, n), dtype=object)
    unused = np.zeros((2, n, n), dtype=object)
    plain(balances)(chain, phi, omega, np.zeros(n), load, *unused, by_alpha)
    beyond = [*torques[1:], 0.0]
    alpha = _solved(by_alpha.tolist(), [torques[i] - beyond[i] - load[i] for i in range(n)])
    return [alpha[0], *(alpha[i] - alpha[i - 1] for i in range(1, n))]


def _solved(matrix: Sequence[Expressions], right: Expressions) -> list[Expression]:
    """The solution of a symmetric positive definite system, by elimination without pivoting."""
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
