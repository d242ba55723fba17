"""The constraint primitives and their derivatives up to the third order.

Dot-1, dot-2, point and distance are one thing: the scalar product x . y - c of two vectors of the form

    constant + factor (r_j - r_i) + A(e_i) a_i + A(e_j) a_j,

where A(e) a = (e0^2 - u.u) a + 2 u (u.a) + 2 e0 u x a is homogeneous of degree 2 in the Euler parameters e = (e0, u).
So A(e) a has a constant second derivative, and with the symmetric matrix N(y, a) for which y . A(e) a = e' N e, every
derivative that equations (27) to (35) of the paper ask for is a short formula without finite differences.

Source: E. J. Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems (1989), for the primitives.
"""

from __future__ import annotations

from numba import njit

import solvers.kernels  # noqa: F401 - it says when a compiled function still holds
from robots.multibody.layout import BODY_I, BODY_J, CONSTANT, FACTOR, ON_I, ON_J, VALUE, X, Y

# What the work array holds: local coordinates, rates and accelerations of both bodies, the vectors and their Jacobians.
COORDINATES, RATES, ACCELERATIONS = 0, 14, 28
JACOBIAN_X, JACOBIAN_Y, MOVING_X, MOVING_Y, VECTOR_X, VECTOR_Y = 42, 84, 126, 168, 210, 213
SLOPE, HESSIAN, SWING, BEND, SLOPE_2, HESSIAN_2, SLOPE_3 = 216, 230, 426, 440, 454, 468, 664


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def rotated(e, o, a0, a1, a2):
    """A(e) a, with e at e[o : o + 4]."""
    e0, u0, u1, u2 = e[o], e[o + 1], e[o + 2], e[o + 3]
    s = e0 * e0 - u0 * u0 - u1 * u1 - u2 * u2
    p = 2.0 * (u0 * a0 + u1 * a1 + u2 * a2)
    t = 2.0 * e0
    return (
        s * a0 + p * u0 + t * (u1 * a2 - u2 * a1),
        s * a1 + p * u1 + t * (u2 * a0 - u0 * a2),
        s * a2 + p * u2 + t * (u0 * a1 - u1 * a0),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def gather(values, i, j, w, at, unit):
    """w[at : at + 14] = the seven numbers of bodies i and j; the ground has none but the Euler parameter `unit`."""
    for side in range(2):
        body, o = (i if side == 0 else j), at + 7 * side
        for k in range(7):
            w[o + k] = values[7 * body + k] if body >= 0 else 0.0
        if body < 0:
            w[o + 3] = unit


@njit(cache=True, nogil=True, error_model="numpy")
def vector(row, o, w, at):
    """w[at : at + 3] = the vector whose description begins at row[o], at the local coordinates."""
    f = row[o + FACTOR]
    x0 = row[o + CONSTANT] + f * (w[7] - w[0])
    x1 = row[o + CONSTANT + 1] + f * (w[8] - w[1])
    x2 = row[o + CONSTANT + 2] + f * (w[9] - w[2])
    for side in range(2):
        a = o + (ON_I if side == 0 else ON_J)
        if row[a] != 0.0 or row[a + 1] != 0.0 or row[a + 2] != 0.0:
            b0, b1, b2 = rotated(w, 3 + 7 * side, row[a], row[a + 1], row[a + 2])
            x0 += b0
            x1 += b1
            x2 += b2
    w[at], w[at + 1], w[at + 2] = x0, x1, x2


@njit(cache=True, nogil=True, error_model="numpy")
def vector_jacobian(row, o, w, source, f, at):
    """w[at : at + 42] = the vector's (3, 14) derivative with Euler parameters of w[source:], translations times f."""
    for k in range(42):
        w[at + k] = 0.0
    for k in range(3):
        w[at + 14 * k + k], w[at + 14 * k + 7 + k] = -f, f
    for side in range(2):
        a = o + (ON_I if side == 0 else ON_J)
        a0, a1, a2 = row[a], row[a + 1], row[a + 2]
        if a0 == 0.0 and a1 == 0.0 and a2 == 0.0:
            continue
        e = source + 3 + 7 * side
        e0, u0, u1, u2 = w[e], w[e + 1], w[e + 2], w[e + 3]
        p = u0 * a0 + u1 * a1 + u2 * a2
        c = at + 3 + 7 * side
        w[c] = 2.0 * (e0 * a0 + u1 * a2 - u2 * a1)
        w[c + 14] = 2.0 * (e0 * a1 + u2 * a0 - u0 * a2)
        w[c + 28] = 2.0 * (e0 * a2 + u0 * a1 - u1 * a0)
        # 2 ((u.a) I + u a' - a u' - e0 a~)
        w[c + 1], w[c + 2], w[c + 3] = 2.0 * p, 2.0 * (u0 * a1 - a0 * u1 + e0 * a2), 2.0 * (u0 * a2 - a0 * u2 - e0 * a1)
        w[c + 15], w[c + 16], w[c + 17] = (
            2.0 * (u1 * a0 - a1 * u0 - e0 * a2),
            2.0 * p,
            2.0 * (u1 * a2 - a1 * u2 + e0 * a0),
        )
        w[c + 29], w[c + 30], w[c + 31] = (
            2.0 * (u2 * a0 - a2 * u0 + e0 * a1),
            2.0 * (u2 * a1 - a2 * u1 - e0 * a0),
            2.0 * p,
        )


@njit(cache=True, nogil=True, error_model="numpy")
def value(row, q, w):
    """x . y - c at the coordinates q (n,); the vectors are left in the work array."""
    gather(q, int(row[BODY_I]), int(row[BODY_J]), w, COORDINATES, 1.0)
    vector(row, X, w, VECTOR_X)
    vector(row, Y, w, VECTOR_Y)
    total = -row[VALUE]
    for k in range(3):
        total += w[VECTOR_X + k] * w[VECTOR_Y + k]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def slope(row, w, at):
    """w[at : at + 14] = the first derivative, after `value`; the Jacobians of x and y stay in the work array."""
    vector_jacobian(row, X, w, COORDINATES, row[X + FACTOR], JACOBIAN_X)
    vector_jacobian(row, Y, w, COORDINATES, row[Y + FACTOR], JACOBIAN_Y)
    x, y = VECTOR_X, VECTOR_Y
    for l in range(14):
        total = 0.0
        for k in range(3):
            total += w[y + k] * w[JACOBIAN_X + 14 * k + l] + w[x + k] * w[JACOBIAN_Y + 14 * k + l]
        w[at + l] = total


@njit(cache=True, nogil=True, error_model="numpy")
def curvature(row, w):
    """q'' phi_qq q' = 2 (X q').(Y q') + y . x_qq(q', q') + x . y_qq(q', q'), after `slope`, rates gathered."""
    total = 0.0
    for k in range(3):
        along_x, along_y = 0.0, 0.0
        for l in range(14):
            along_x += w[JACOBIAN_X + 14 * k + l] * w[RATES + l]
            along_y += w[JACOBIAN_Y + 14 * k + l] * w[RATES + l]
        total += 2.0 * along_x * along_y
    for side in range(2):
        e = RATES + 3 + 7 * side
        a, b = X + (ON_I if side == 0 else ON_J), Y + (ON_I if side == 0 else ON_J)
        x0, x1, x2 = rotated(w, e, row[a], row[a + 1], row[a + 2])
        y0, y1, y2 = rotated(w, e, row[b], row[b + 1], row[b + 2])
        total += 2.0 * (w[VECTOR_Y] * x0 + w[VECTOR_Y + 1] * x1 + w[VECTOR_Y + 2] * x2)
        total += 2.0 * (w[VECTOR_X] * y0 + w[VECTOR_X + 1] * y1 + w[VECTOR_X + 2] * y2)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def add_quadratic(w, at, side, y, row, a):
    """Add 2 N(y, a) to the rotational block of one body: N = [y.a, (a x y)'; a x y, y a' + a y' - (y.a) I]."""
    y0, y1, y2 = w[y], w[y + 1], w[y + 2]
    a0, a1, a2 = row[a], row[a + 1], row[a + 2]
    p, o = y0 * a0 + y1 * a1 + y2 * a2, at + 15 * (3 + 7 * side)
    w[o] += 2.0 * p
    c0, c1, c2 = a1 * y2 - a2 * y1, a2 * y0 - a0 * y2, a0 * y1 - a1 * y0
    w[o + 1] += 2.0 * c0
    w[o + 2] += 2.0 * c1
    w[o + 3] += 2.0 * c2
    w[o + 14] += 2.0 * c0
    w[o + 28] += 2.0 * c1
    w[o + 42] += 2.0 * c2
    w[o + 15] += 2.0 * (2.0 * y0 * a0 - p)
    w[o + 30] += 2.0 * (2.0 * y1 * a1 - p)
    w[o + 45] += 2.0 * (2.0 * y2 * a2 - p)
    s01, s02, s12 = 2.0 * (y0 * a1 + a0 * y1), 2.0 * (y0 * a2 + a0 * y2), 2.0 * (y1 * a2 + a1 * y2)
    w[o + 16] += s01
    w[o + 29] += s01
    w[o + 17] += s02
    w[o + 43] += s02
    w[o + 31] += s12
    w[o + 44] += s12


@njit(cache=True, nogil=True, error_model="numpy")
def hessian(row, w, at):
    """w[at : at + 196] = the (14, 14) second derivative, after `slope`."""
    for i in range(14):
        for j in range(14):
            total = 0.0
            for k in range(3):
                o = 14 * k
                total += w[JACOBIAN_X + o + i] * w[JACOBIAN_Y + o + j] + w[JACOBIAN_Y + o + i] * w[JACOBIAN_X + o + j]
            w[at + 14 * i + j] = total
    for side in range(2):
        a = ON_I if side == 0 else ON_J
        add_quadratic(w, at, side, VECTOR_Y, row, X + a)
        add_quadratic(w, at, side, VECTOR_X, row, Y + a)


@njit(cache=True, nogil=True, error_model="numpy")
def times_hessian(w, at, source, out):
    """w[out : out + 14] = phi_qq w[source : source + 14]: the derivative of phi_q p for a fixed p."""
    for i in range(14):
        total = 0.0
        for j in range(14):
            total += w[at + 14 * i + j] * w[source + j]
        w[out + i] = total


@njit(cache=True, nogil=True, error_model="numpy")
def curvature_slope(row, w, out):
    """w[out : out + 14] = d/dq of q'' phi_qq q', the third derivative, after `slope`, rates gathered."""
    vector_jacobian(row, X, w, RATES, 0.0, MOVING_X)
    vector_jacobian(row, Y, w, RATES, 0.0, MOVING_Y)
    for l in range(14):
        w[out + l] = 0.0
    for k in range(3):
        along_x, along_y, bend_x, bend_y, o = 0.0, 0.0, 0.0, 0.0, 14 * k
        for l in range(14):
            along_x += w[JACOBIAN_X + o + l] * w[RATES + l]
            along_y += w[JACOBIAN_Y + o + l] * w[RATES + l]
            bend_x += w[MOVING_X + o + l] * w[RATES + l]
            bend_y += w[MOVING_Y + o + l] * w[RATES + l]
        for l in range(14):
            w[out + l] += 2.0 * (along_y * w[MOVING_X + o + l] + along_x * w[MOVING_Y + o + l])
            w[out + l] += bend_x * w[JACOBIAN_Y + o + l] + bend_y * w[JACOBIAN_X + o + l]


@njit(cache=True, nogil=True, error_model="numpy")
def primitive_derivatives(row, q, rate, w):
    """All at once, for tests and tables: value, slope, Hessian, curvature and its slope, left in the work array."""
    found = value(row, q, w)
    gather(rate, int(row[BODY_I]), int(row[BODY_J]), w, RATES, 0.0)
    slope(row, w, SLOPE)
    hessian(row, w, HESSIAN)
    curvature_slope(row, w, BEND)
    return found, curvature(row, w)
