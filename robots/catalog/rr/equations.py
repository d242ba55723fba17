"""The RR arm in elementary operations.

Source: Tenreiro Machado & Galhano (1994), eq. (6).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solvers.codegen.tape import Expression, Tape, cos, record, sin

# How many parameters `robots.catalog.rr.kernels` has without torques, and with them.
FREE, TORQUE = 7, 15


def equations(t: Expression, y: Sequence[Expression], p: Sequence[Expression]) -> list[Expression]:
    """(v, qdd) for y = (q1, q2, v1, v2); `p` as in `robots.catalog.rr.kernels`, without a pull."""
    m1, m2, r1, r2, j1, j2, g = p[:FREE]
    q1, q2, v1, v2 = y
    coupling, own = m2 * r1 * r2, m2 * r2 * r2
    s2, c2, square, rate = sin(q2), cos(q2), v1 * v1, v1 + v2
    weight = g * m2 * r2 * cos(q1 + q2)
    # v2 (v2 + 2 v1) = (v1 + v2)^2 - v1^2: squares need half the products.
    t1 = coupling * (s2 * (rate * rate - square)) - (g * (m1 + m2) * r1 * cos(q1) + weight)
    t2 = -coupling * (s2 * square) - weight
    if len(p) > FREE:
        t1 += p[7] - p[9] * v1 - p[11] * (q1 - p[13])
        t2 += p[8] - p[10] * v2 - p[12] * (q2 - p[14])
    # Eliminated with the constant m22; m12 / m22 = level + swing c2, and products are with c2 itself.
    pivot = 1.0 / (own + j2)
    level, swing = own * pivot, coupling * pivot
    determinant = (m1 + m2) * r1 * r1 + own + j1 - own * level + 2.0 * (coupling - coupling * level) * c2
    determinant -= coupling * swing * (c2 * c2)
    a1 = (t1 - level * t2 - swing * (c2 * t2)) / determinant
    return [v1, v2, a1, pivot * t2 - level * a1 - swing * (c2 * a1)]


@cache
def tape(parameters: int) -> Tape | None:
    """The recorded equations for so many parameters; None with a pull, whose target has no series."""
    return record(equations, 4, parameters) if parameters in (FREE, TORQUE) else None
