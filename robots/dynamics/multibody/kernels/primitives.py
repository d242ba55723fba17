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

from robots.dynamics.multibody.kernels.blocks import numbers
from robots.dynamics.multibody.layout import BODY_I, BODY_J, FACTOR, KEPT_SIZE, ON_I, ON_J, VALUE, X, Y
from solvers.kernels.signatures import VECTOR, f8, helper, i8, separate, void

# What the work array holds: local coordinates, rates and accelerations of both bodies; the vectors, their Jacobians and
# the slope, which `remember` keeps; then what second and third derivatives need.
COORDINATES, RATES, ACCELERATIONS = 0, 14, 28
JACOBIAN_X, JACOBIAN_Y, VECTOR_X, VECTOR_Y, SLOPE, MOVING_X, MOVING_Y = 42, 84, 126, 129, 132, 146, 188
HESSIAN, SWING, BEND, SLOPE_2, HESSIAN_2, SLOPE_3 = 230, 426, 440, 454, 468, 664


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


@helper
def gather(values, i, j, w, at, unit):
    """w[at : at + 14] = the seven numbers of bodies i and j; the ground has none but the Euler parameter `unit`."""
    for side in range(2):
        body, local = (i if side == 0 else j), numbers(w, at + 7 * side, 7)
        if body >= 0:
            own = numbers(values, 7 * body, 7)
            for k in range(7):
                local[k] = own[k]
        else:
            for k in range(7):
                local[k] = 0.0
            local[3] = unit


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def moves(row, o):
    """Whether the vector whose description begins at row[o] depends on the coordinates."""
    a = numbers(row, o + FACTOR, 7)
    turns_i = a[1] != 0.0 or a[2] != 0.0 or a[3] != 0.0
    return a[0] != 0.0 or turns_i or a[4] != 0.0 or a[5] != 0.0 or a[6] != 0.0


@helper
def remember(w, kept):
    """Keep what `value` and `slope` have left, (KEPT_SIZE,)."""
    for k in range(KEPT_SIZE):
        kept[k] = w[JACOBIAN_X + k]


@helper
def recall(kept, w):
    """Restore what `remember` has kept."""
    for k in range(KEPT_SIZE):
        w[JACOBIAN_X + k] = kept[k]


@separate(void(VECTOR, i8, VECTOR, i8))
def vector(row, o, w, at):
    """w[at : at + 3] = the vector whose description begins at row[o], at the local coordinates."""
    r, x, v = numbers(w, COORDINATES, 14), numbers(row, o, 10), numbers(w, at, 3)
    f = x[FACTOR]
    x0, x1, x2 = x[0] + f * (r[7] - r[0]), x[1] + f * (r[8] - r[1]), x[2] + f * (r[9] - r[2])
    for side in range(2):
        a = numbers(x, ON_I + 3 * side, 3)
        if a[0] != 0.0 or a[1] != 0.0 or a[2] != 0.0:
            b0, b1, b2 = rotated(numbers(r, 3 + 7 * side, 4), 0, a[0], a[1], a[2])
            x0 += b0
            x1 += b1
            x2 += b2
    v[0], v[1], v[2] = x0, x1, x2


@separate(void(VECTOR, i8, VECTOR, i8, f8, i8))
def vector_jacobian(row, o, w, source, f, at):
    """w[at : at + 42] = the vector's (3, 14) derivative with Euler parameters of w[source:], translations times f."""
    J = numbers(w, at, 42)
    for k in range(42):
        J[k] = 0.0
    J[0] = J[15] = J[30] = -f
    J[7] = J[22] = J[37] = f
    for side in range(2):
        a, e = numbers(row, o + ON_I + 3 * side, 3), numbers(w, source + 3 + 7 * side, 4)
        a0, a1, a2 = 2.0 * a[0], 2.0 * a[1], 2.0 * a[2]
        if a0 == 0.0 and a1 == 0.0 and a2 == 0.0:
            continue
        e0, u0, u1, u2 = e[0], e[1], e[2], e[3]
        p = u0 * a0 + u1 * a1 + u2 * a2
        c = numbers(w, at + 3 + 7 * side, 32)
        c[0] = e0 * a0 + u1 * a2 - u2 * a1
        c[14] = e0 * a1 + u2 * a0 - u0 * a2
        c[28] = e0 * a2 + u0 * a1 - u1 * a0
        # 2 ((u.a) I + u a' - a u' - e0 a~)
        c[1], c[2], c[3] = p, u0 * a1 - a0 * u1 + e0 * a2, u0 * a2 - a0 * u2 - e0 * a1
        c[15], c[16], c[17] = u1 * a0 - a1 * u0 - e0 * a2, p, u1 * a2 - a1 * u2 + e0 * a0
        c[29], c[30], c[31] = u2 * a0 - a2 * u0 + e0 * a1, u2 * a1 - a2 * u1 - e0 * a0, p


@separate(f8(VECTOR, VECTOR, VECTOR), no_cpython_wrapper=False)
def value(row, q, w):
    """x . y - c at the coordinates q (n,); the vectors are left in the work array."""
    gather(q, int(row[BODY_I]), int(row[BODY_J]), w, COORDINATES, 1.0)
    vector(row, X, w, VECTOR_X)
    vector(row, Y, w, VECTOR_Y)
    total = -row[VALUE]
    for k in range(3):
        total += w[VECTOR_X + k] * w[VECTOR_Y + k]
    return total


@separate(void(VECTOR, VECTOR, i8), no_cpython_wrapper=False)
def slope(row, w, at):
    """w[at : at + 14] = the first derivative, after `value`; the Jacobians of x and y stay in the work array."""
    out = numbers(w, at, 14)
    for l in range(14):
        out[l] = 0.0
    for part in range(2):
        o, jacobian, other = (X, JACOBIAN_X, VECTOR_Y) if part == 0 else (Y, JACOBIAN_Y, VECTOR_X)
        J, v = numbers(w, jacobian, 42), numbers(w, other, 3)
        if moves(row, o):
            vector_jacobian(row, o, w, COORDINATES, row[o + FACTOR], jacobian)
            for l in range(14):
                out[l] += v[0] * J[l] + v[1] * J[14 + l] + v[2] * J[28 + l]


@separate(f8(VECTOR, VECTOR), no_cpython_wrapper=False)
def curvature(row, w):
    """q'' phi_qq q' = 2 (X q').(Y q') + y . x_qq(q', q') + x . y_qq(q', q'), after `slope`, rates gathered."""
    total, both = 0.0, moves(row, X) and moves(row, Y)
    if both:
        for k in range(3):
            along_x, along_y = 0.0, 0.0
            for l in range(14):
                along_x += w[JACOBIAN_X + 14 * k + l] * w[RATES + l]
                along_y += w[JACOBIAN_Y + 14 * k + l] * w[RATES + l]
            total += 2.0 * along_x * along_y
    for side in range(2):
        e = numbers(w, RATES + 3 + 7 * side, 4)
        for part in range(2):
            v, o = (VECTOR_Y, X) if part == 0 else (VECTOR_X, Y)
            a = numbers(row, o + ON_I + 3 * side, 3)
            if a[0] != 0.0 or a[1] != 0.0 or a[2] != 0.0:
                x0, x1, x2 = rotated(e, 0, a[0], a[1], a[2])
                total += 2.0 * (w[v] * x0 + w[v + 1] * x1 + w[v + 2] * x2)
    return total


@helper
def add_quadratic(w, at, side, y, row, a):
    """Add 2 N(y, a) to the rotational block of one body: N = [y.a, (a x y)'; a x y, y a' + a y' - (y.a) I]."""
    y0, y1, y2 = w[y], w[y + 1], w[y + 2]
    a0, a1, a2 = row[a], row[a + 1], row[a + 2]
    if a0 == 0.0 and a1 == 0.0 and a2 == 0.0:
        return
    p, N = y0 * a0 + y1 * a1 + y2 * a2, numbers(w, at + 15 * (3 + 7 * side), 46)
    N[0] += 2.0 * p
    c0, c1, c2 = a1 * y2 - a2 * y1, a2 * y0 - a0 * y2, a0 * y1 - a1 * y0
    N[1] += 2.0 * c0
    N[2] += 2.0 * c1
    N[3] += 2.0 * c2
    N[14] += 2.0 * c0
    N[28] += 2.0 * c1
    N[42] += 2.0 * c2
    N[15] += 2.0 * (2.0 * y0 * a0 - p)
    N[30] += 2.0 * (2.0 * y1 * a1 - p)
    N[45] += 2.0 * (2.0 * y2 * a2 - p)
    s01, s02, s12 = 2.0 * (y0 * a1 + a0 * y1), 2.0 * (y0 * a2 + a0 * y2), 2.0 * (y1 * a2 + a1 * y2)
    N[16] += s01
    N[29] += s01
    N[17] += s02
    N[43] += s02
    N[31] += s12
    N[44] += s12


@separate(void(VECTOR, VECTOR, i8), no_cpython_wrapper=False)
def hessian(row, w, at):
    """w[at : at + 196] = the (14, 14) second derivative, after `slope`."""
    for k in range(196):
        w[at + k] = 0.0
    if moves(row, X) and moves(row, Y):
        x, y = numbers(w, JACOBIAN_X, 42), numbers(w, JACOBIAN_Y, 42)
        for i in range(14):
            out = numbers(w, at + 14 * i, 14)
            for k in range(3):
                x_i, y_i, o = x[14 * k + i], y[14 * k + i], 14 * k
                if x_i != 0.0 or y_i != 0.0:
                    for j in range(14):
                        out[j] += x_i * y[o + j] + y_i * x[o + j]
    for side in range(2):
        a = ON_I if side == 0 else ON_J
        add_quadratic(w, at, side, VECTOR_Y, row, X + a)
        add_quadratic(w, at, side, VECTOR_X, row, Y + a)


@separate(void(VECTOR, i8, i8, i8))
def times_hessian(w, at, source, out):
    """w[out : out + 14] = phi_qq w[source : source + 14]: the derivative of phi_q p for a fixed p (it is symmetric)."""
    p, product = numbers(w, source, 14), numbers(w, out, 14)
    for i in range(14):
        product[i] = 0.0
    for j in range(14):
        if p[j] != 0.0:
            row = numbers(w, at + 14 * j, 14)
            for i in range(14):
                product[i] += row[i] * p[j]


@separate(void(VECTOR, VECTOR, i8), no_cpython_wrapper=False)
def curvature_slope(row, w, out):
    """w[out : out + 14] = d/dq of q'' phi_qq q', the third derivative, after `slope`, rates gathered."""
    for l in range(14):
        w[out + l] = 0.0
    # With one vector constant the curvature is free of q.
    if not moves(row, X) or not moves(row, Y):
        return
    vector_jacobian(row, X, w, RATES, 0.0, MOVING_X)
    vector_jacobian(row, Y, w, RATES, 0.0, MOVING_Y)
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
