"""The double pendulum in its two absolute angles: the accelerations and their exact derivatives.

params: M11, M22, 2 m2 L1 L2, the moments of gravity of both rods at angle 0, k1, its rest angle, C1, k2, its rest
angle, C2.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.1.
"""

from __future__ import annotations

from math import cos, sin

from numba import njit

from solvers.kernels.signatures import JACOBIAN, RHS


@njit(cache=True, nogil=True, error_model="numpy")
def _accelerations(y, params):
    """M^-1 F at y = (q1, q2, v1, v2): the accelerations, M12 and the determinant."""
    M11, M22, coupling, G1, G2, k1, rest1, C1, k2, rest2, C2 = params
    q1, q2, v1, v2 = y
    M12, turn = coupling * cos(q1 - q2), coupling * sin(q1 - q2)
    between = k2 * (q2 - q1 - rest2) + C2 * (v2 - v1)
    F1 = -turn * v2 * v2 - G1 * cos(q1) - k1 * (q1 - rest1) - C1 * v1 + between
    F2 = turn * v1 * v1 - G2 * cos(q2) - between
    det = M11 * M22 - M12 * M12
    return (M22 * F1 - M12 * F2) / det, (M11 * F2 - M12 * F1) / det, M12, det


@njit(RHS, cache=True, nogil=True, error_model="numpy")
def rhs(t, y, params, dy):
    """(q', v') of the two rods."""
    dy[0], dy[1] = y[2], y[3]
    dy[2], dy[3], _, _ = _accelerations(y, params)


@njit(JACOBIAN, cache=True, nogil=True, error_model="numpy")
def jacobian(t, y, params, J):
    """The exact derivative: M dv' = dF - dM v'."""
    M11, M22, coupling, G1, G2, k1, _, C1, k2, _, C2 = params
    q1, q2, v1, v2 = y
    a1, a2, M12, det = _accelerations(y, params)
    cosine, turn = coupling * cos(q1 - q2), coupling * sin(q1 - q2)
    J[:] = 0.0
    J[0, 2] = J[1, 3] = 1.0
    # Columns of dF - dM v': by q1, q2, v1, v2.
    for column in range(4):
        if column < 2:
            sign = 1.0 if column == 0 else -1.0
            R1 = sign * (-cosine * v2 * v2 + turn * a2 - k2)
            R2 = sign * (cosine * v1 * v1 + turn * a1 + k2)
            if column == 0:
                R1 += G1 * sin(q1) - k1
            else:
                R2 += G2 * sin(q2)
        elif column == 2:
            R1, R2 = -C1 - C2, 2.0 * turn * v1 + C2
        else:
            R1, R2 = -2.0 * turn * v2 + C2, -C2
        J[2, column] = (M22 * R1 - M12 * R2) / det
        J[3, column] = (M11 * R2 - M12 * R1) / det
