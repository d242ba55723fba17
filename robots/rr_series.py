"""The RR arm's equations of motion in elementary operations, for power series.

Source: Tenreiro Machado & Galhano (1994), eq. (6).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solvers.series import Expression, Tape, cos, record, sin

# How many parameters `robots.kernels.rr` has without torques, and with them.
FREE, TORQUE = 7, 15


def equations(t: Expression, y: Sequence[Expression], p: Sequence[Expression]) -> list[Expression]:
    """(v, qdd) for y = (q1, q2, v1, v2); `p` as in `robots.kernels.rr`, without a pull."""
    m1, m2, r1, r2, j1, j2, g = p[:FREE]
    q1, q2, v1, v2 = y
    coupling, own = m2 * r1 * r2, m2 * r2 * r2
    bc, bs = coupling * cos(q2), coupling * sin(q2)
    weight = g * m2 * r2 * cos(q1 + q2)
    t1 = bs * v2 * (v2 + 2.0 * v1) - g * (m1 + m2) * r1 * cos(q1) - weight
    t2 = -(bs * v1 * v1) - weight
    if len(p) > FREE:
        t1 += p[7] - p[9] * v1 - p[11] * (q1 - p[13])
        t2 += p[8] - p[10] * v2 - p[12] * (q2 - p[14])
    m11, m12, m22 = (m1 + m2) * r1 * r1 + own + 2.0 * bc + j1, own + bc, own + j2
    scale = 1.0 / (m11 * m22 - m12 * m12)
    return [v1, v2, (m22 * t1 - m12 * t2) * scale, (m11 * t2 - m12 * t1) * scale]


@cache
def tape(parameters: int) -> Tape | None:
    """The recorded equations for so many parameters; None with a pull, whose target has no series."""
    return record(equations, 4, parameters) if parameters in (FREE, TORQUE) else None
