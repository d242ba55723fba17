"""The double pendulum in its two angles, in elementary operations; `p` as in `robots.catalog.double_pendulum.kernels`.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solvers.codegen.tape import Expression, Tape, cos, record, sin

_PARAMETERS = 11


def equations(t: Expression, y: Sequence[Expression], p: Sequence[Expression]) -> list[Expression]:
    """(q', v') for y = (q1, q2, v1, v2)."""
    M11, M22, coupling, G1, G2, k1, rest1, C1, k2, rest2, C2 = p
    q1, q2, v1, v2 = y
    bend = q1 - q2
    M12, turn = coupling * cos(bend), coupling * sin(bend)
    between = C2 * (v2 - v1) - k2 * (bend + rest2)
    F1 = between - turn * (v2 * v2) - (G1 * cos(q1) + k1 * (q1 - rest1) + C1 * v1)
    F2 = turn * (v1 * v1) - G2 * cos(q2) - between
    # Eliminated with M22, which is constant.
    pivot = 1.0 / M22
    ratio = pivot * M12
    a1 = (F1 - ratio * F2) / (M11 - ratio * M12)
    return [v1, v2, a1, pivot * F2 - ratio * a1]


@cache
def tape() -> Tape:
    """The recorded equations."""
    return record(equations, 4, _PARAMETERS)
