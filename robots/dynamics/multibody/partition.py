"""Consistent positions and rates, and the choice of independent coordinates.

Source: CSTR-01-06 (2001), equations (4) to (6); R. A. Wehage, E. J. Haug, J. Mech. Design 104 (1982).
"""

from __future__ import annotations

import numpy as np

from assets.errors import ArmstepError
from robots.dynamics.multibody import layout
from robots.dynamics.multibody.system import System
from robots.model.robot import Array

SINGULAR = 1e-9
CONSISTENT = 1e-12


def constraints(system: System, q: Array) -> tuple[Array, Array]:
    """Phi(q), (m,), and Phi_q, (m, n)."""
    from robots.dynamics.multibody.kernels import constraints as kernels

    m, n = system.constraints, system.coordinates
    params = system.pack(q, range(m), np.zeros(len(system.torsions)))
    phi = np.empty(m)
    kernels.residual(params, phi)
    kernels.gradient(params)
    return phi, system.block(params, layout.GRADIENT, m * n).reshape(m, n).copy()


def gauss_jordan(matrix: Array) -> tuple[list[int], list[int]]:
    """Columns that full pivoting picks, in order, and the rows that depend on the others (to round-off)."""
    from robots.dynamics.multibody.kernels.partition import eliminate

    columns, rows = np.full(len(matrix), -1), np.arange(len(matrix))
    found = eliminate(np.array(matrix, dtype=float), SINGULAR, columns, rows)
    return columns[:found].tolist(), rows[found:].tolist()


def dependent_coordinates(system: System, q: Array) -> list[int]:
    """The m coordinates that follow from the others near q.

    Raises:
        ArmstepError: naming the constraints that follow from the others.
    """
    columns, spare = gauss_jordan(constraints(system, q)[1])
    if spare:
        names = ", ".join(system.constraint_names[row] for row in sorted(spare))
        raise ArmstepError(f"These constraints are redundant (they follow from the others): {names}.")
    return columns


def consistent(system: System, q: Array, rate: Array) -> tuple[Array, Array]:
    """The nearest position and rate (n,) that satisfy the constraints.

    Raises:
        ArmstepError: naming the constraints that cannot be satisfied together.
    """
    q = np.array(q, dtype=float)
    for _ in range(60):
        phi, jacobian = constraints(system, q)
        if np.abs(phi).max() <= CONSISTENT:
            break
        q = q - np.linalg.lstsq(jacobian, phi, rcond=SINGULAR)[0]
    phi, jacobian = constraints(system, q)
    if not np.abs(phi).max() <= 1e3 * CONSISTENT:
        worst = np.flatnonzero(~(np.abs(phi) <= 0.1 * np.nanmax(np.abs(phi))))
        names = ", ".join(system.constraint_names[row] for row in worst)
        raise ArmstepError(
            f"These constraints contradict the others: {names}; the nearest position misses them by "
            f"{np.abs(phi).max():.3g}."
        )
    slip = jacobian @ rate
    return q, rate - np.linalg.lstsq(jacobian, slip, rcond=SINGULAR)[0]
