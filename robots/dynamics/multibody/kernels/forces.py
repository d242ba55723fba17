"""Inertia, gravity, springs, tyres: the generalized forces of bodies with Euler parameters, and their derivatives.

A force that acts through a length phi(q) is -F(phi, phi', t) phi_q; springs, tyres and torsion springs are of this
kind.

Source: E. J. Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 11.
"""

from __future__ import annotations

from math import atan2, pi, sqrt

import numpy as np
from numba import njit, types

from robots.dynamics.multibody.kernels import primitives
from robots.dynamics.multibody.kernels.blocks import block, matrix, numbers
from robots.dynamics.multibody.layout import (
    ACCELERATION,
    ANGLES,
    BODIES,
    BODY,
    BODY_COUNT,
    BODY_I,
    BODY_J,
    BUMP,
    BUMP_AT,
    FORCE,
    FORCE_BY_Q,
    FORCE_BY_RATE,
    GRAVITY,
    POSITION,
    PRODUCT,
    RATE,
    SPEED,
    SPRING,
    SPRING_COUNT,
    SPRINGS,
    TORSION,
    TORSION_COUNT,
    TORSIONS,
    TYRE,
    TYRE_COUNT,
    TYRES,
    WORK,
    WORK_SIZE,
)
from solvers.kernels.signatures import MATRIX, VECTOR, f8, helper, i8, separate, void

RATES, SLOPE, HESSIAN, SWING = primitives.RATES, primitives.SLOPE, primitives.HESSIAN, primitives.SWING
SLOPE_2, SLOPE_3, BEND, HESSIAN_2 = primitives.SLOPE_2, primitives.SLOPE_3, primitives.BEND, primitives.HESSIAN_2


# -- inertia -----------------------------------------------------------------------------------------------------------


@njit(cache=True, nogil=True, inline="always")
def spin(e, o, x, k):
    """G(e) x, half the angular velocity in the body's frame when x = e'; e at e[o:], x at x[k:]."""
    return (
        -e[o + 1] * x[k] + e[o] * x[k + 1] + e[o + 3] * x[k + 2] - e[o + 2] * x[k + 3],
        -e[o + 2] * x[k] - e[o + 3] * x[k + 1] + e[o] * x[k + 2] + e[o + 1] * x[k + 3],
        -e[o + 3] * x[k] + e[o + 2] * x[k + 1] - e[o + 1] * x[k + 2] + e[o] * x[k + 3],
    )


@njit(cache=True, nogil=True, inline="always")
def spin_transposed(e, o, n0, n1, n2):
    """G(e)' n."""
    e0, u0, u1, u2 = e[o], e[o + 1], e[o + 2], e[o + 3]
    return (
        -u0 * n0 - u1 * n1 - u2 * n2,
        e0 * n0 + u1 * n2 - u2 * n1,
        e0 * n1 + u2 * n0 - u0 * n2,
        e0 * n2 + u0 * n1 - u1 * n0,
    )


@separate(void(VECTOR, MATRIX, f8, MATRIX))
def add_mass_product(p, x, factor, out):
    """out += factor M x for all columns; x and out are (n, k): mass, and 4 G' J G for the Euler parameters."""
    q = block(p, POSITION, 7 * int(p[BODY_COUNT]))
    bodies = matrix(p, BODIES, int(p[BODY_COUNT]), BODY)
    for b in range(bodies.shape[0]):
        m, J0, J1, J2 = bodies[b]
        o = 7 * b
        e = numbers(q, o + 3, 4)
        for c in range(x.shape[1]):
            for k in range(3):
                out[o + k, c] += factor * m * x[o + k, c]
            n0, n1, n2 = spin(e, 0, (x[o + 3, c], x[o + 4, c], x[o + 5, c], x[o + 6, c]), 0)
            f0, f1, f2, f3 = spin_transposed(e, 0, J0 * n0, J1 * n1, J2 * n2)
            out[o + 3, c] += 4.0 * factor * f0
            out[o + 4, c] += 4.0 * factor * f1
            out[o + 5, c] += 4.0 * factor * f2
            out[o + 6, c] += 4.0 * factor * f3


@helper
def inertia_forces(p, q, rate, force):
    """Write gravity and the inertia forces 8 G(e')' J G(e') e."""
    bodies = matrix(p, BODIES, int(p[BODY_COUNT]), BODY)
    for b in range(bodies.shape[0]):
        m, J0, J1, J2 = bodies[b]
        o = 7 * b
        force[o] = force[o + 1] = 0.0
        force[o + 2] = -m * p[GRAVITY]
        n0, n1, n2 = spin(rate, o + 3, q, o + 3)
        f0, f1, f2, f3 = spin_transposed(rate, o + 3, 8.0 * J0 * n0, 8.0 * J1 * n1, 8.0 * J2 * n2)
        force[o + 3], force[o + 4], force[o + 5], force[o + 6] = f0, f1, f2, f3


@helper
def add_turned(out, o, n0, n1, n2, factor):
    """Add factor Gamma(n) at out[o:, o:], where G(e)' n = Gamma(n) e."""
    n = (n0, n1, n2)
    for k in range(3):
        out[o, o + 1 + k] -= factor * n[k]
        out[o + 1 + k, o] += factor * n[k]
    out[o + 1, o + 2] += factor * n2
    out[o + 1, o + 3] -= factor * n1
    out[o + 2, o + 1] -= factor * n2
    out[o + 2, o + 3] += factor * n0
    out[o + 3, o + 1] += factor * n1
    out[o + 3, o + 2] -= factor * n0


@helper
def add_sandwich(out, o, a, i, b, j, J0, J1, J2, factor, unit):
    """Add factor G(a)' J G(b) at out[o:, o:]; a at a[i:], b at b[j:]; `unit` is (4,) scratch."""
    for c in range(4):
        unit[:] = 0.0
        unit[c] = 1.0
        n0, n1, n2 = spin(b, j, unit, 0)
        f0, f1, f2, f3 = spin_transposed(a, i, J0 * n0, J1 * n1, J2 * n2)
        out[o, o + c] += factor * f0
        out[o + 1, o + c] += factor * f1
        out[o + 2, o + c] += factor * f2
        out[o + 3, o + c] += factor * f3


@separate(void(VECTOR))
def inertia_derivatives(p):
    """Add the derivatives of M q'' - 8 G(e')' J G(e') e by q and by q', q'' held."""
    n = 7 * int(p[BODY_COUNT])
    q, rate, acceleration = block(p, POSITION, n), block(p, RATE, n), block(p, ACCELERATION, n)
    by_q, by_rate = matrix(p, FORCE_BY_Q, n, n), matrix(p, FORCE_BY_RATE, n, n)
    bodies, unit = matrix(p, BODIES, int(p[BODY_COUNT]), BODY), block(p, WORK, 4)
    for b in range(bodies.shape[0]):
        _, J0, J1, J2 = bodies[b]
        o = 7 * b + 3
        n0, n1, n2 = spin(q, o, acceleration, o)
        add_turned(by_q, o, J0 * n0, J1 * n1, J2 * n2, 4.0)
        add_sandwich(by_q, o, q, o, acceleration, o, J0, J1, J2, -4.0, unit)
        add_sandwich(by_q, o, rate, o, rate, o, J0, J1, J2, -8.0, unit)
        n0, n1, n2 = spin(rate, o, q, o)
        add_turned(by_rate, o, J0 * n0, J1 * n1, J2 * n2, -8.0)
        add_sandwich(by_rate, o, rate, o, q, o, J0, J1, J2, 8.0, unit)


# -- laws --------------------------------------------------------------------------------------------------------------


@helper
def road_height(t, p, radius, place):
    """Height of the wheel's envelope over the half-cylinder, at the contact `place` of a body that drives on [m]."""
    reach, u = radius + p[BUMP], place + p[SPEED] * t - p[BUMP_AT]
    square = reach * reach - u * u
    return max(sqrt(square) - radius, 0.0) if square > 0.0 else 0.0


@helper
def spring_law(row, length2, rate):
    """F and its derivatives for a spring-damper of squared length phi = d.d: the tension over twice the length."""
    k, c, free = row[PRODUCT], row[PRODUCT + 1], row[PRODUCT + 2]
    length = sqrt(length2)
    F = 0.5 * (k * (1.0 - free / length) + 0.5 * c * rate / length2)
    by_length = 0.25 * (k * free / (length2 * length) - c * rate / (length2 * length2))
    return F, by_length, 0.25 * c / length2


@helper
def tyre_law(row, t, p, height, rate):
    """F and its derivatives for a tyre that only pushes, through the height of its centre."""
    k, c, radius, place = row[PRODUCT], row[PRODUCT + 1], row[PRODUCT + 2], row[PRODUCT + 3]
    depth = road_height(t, p, radius, place) + radius - height
    push = k * depth - c * rate
    if depth <= 0.0 or push <= 0.0:
        return 0.0, 0.0, 0.0
    return -push, k, c


# -- assembly ----------------------------------------------------------------------------------------------------------


@helper
def scatter(row, w, at, factor, out):
    """out (n,) += factor times the 14 numbers at w[at:]."""
    for side in range(2):
        body = int(row[BODY_I + side])
        if body >= 0:
            own, source = numbers(out, 7 * body, 7), numbers(w, at + 7 * side, 7)
            for k in range(7):
                own[k] += factor * source[k]


@separate(void(VECTOR, VECTOR, i8, f8, MATRIX))
def scatter_matrix(row, w, at, factor, out):
    """out (n, n) += factor times the (14, 14) matrix at w[at:]."""
    for side in range(2):
        body = int(row[BODY_I + side])
        if body < 0:
            continue
        for other in range(2):
            second = int(row[BODY_I + other])
            if second < 0:
                continue
            for i in range(7):
                target = numbers(out[7 * body + i], 7 * second, 7)
                source = numbers(w, at + 14 * (7 * side + i) + 7 * other, 7)
                for j in range(7):
                    target[j] += factor * source[j]


@helper
def dot14(w, a, b):
    """The scalar product of 14 numbers at a and at b."""
    total = 0.0
    for k in range(14):
        total += w[a + k] * w[b + k]
    return total


@separate(types.UniTuple(f8, 4)(VECTOR, VECTOR, VECTOR, VECTOR, f8))
def angle_of(row, q, rate, w, near):
    """The angle of a torsion spring next to `near`, and its rate; its slope cos s_q - sin c_q is left in SLOPE_3."""
    cosine = primitives.value(row[0:PRODUCT], q, w)
    primitives.slope(row[0:PRODUCT], w, SLOPE)
    sine = primitives.value(row[PRODUCT : 2 * PRODUCT], q, w)
    primitives.slope(row[PRODUCT : 2 * PRODUCT], w, SLOPE_2)
    for k in range(14):
        w[SLOPE_3 + k] = cosine * w[SLOPE_2 + k] - sine * w[SLOPE + k]
    primitives.gather(rate, int(row[BODY_I]), int(row[BODY_J]), w, RATES, 0.0)
    angle = atan2(sine, cosine)
    angle += 2.0 * pi * np.round((near - angle) / (2.0 * pi))
    return angle, dot14(w, SLOPE_3, RATES), cosine, sine


@separate(void(VECTOR))
def note_angles(p):
    """Continue the angles of the torsion springs to the present position."""
    n = 7 * int(p[BODY_COUNT])
    position, rate, w = block(p, POSITION, n), block(p, RATE, n), block(p, WORK, WORK_SIZE)
    angles = block(p, ANGLES, int(p[TORSION_COUNT]))
    torsions = matrix(p, TORSIONS, angles.size, TORSION)
    for r in range(angles.size):
        angles[r], _, _, _ = angle_of(torsions[r], position, rate, w, angles[r])


@njit(cache=True, nogil=True, inline="always")
def stretch(row, q, rate, w):
    """The squared length, or the height, that a row's force acts through, and its rate; the slope is left in SLOPE."""
    length = primitives.value(row, q, w)
    primitives.slope(row, w, SLOPE)
    primitives.gather(rate, int(row[BODY_I]), int(row[BODY_J]), w, RATES, 0.0)
    return length, dot14(w, SLOPE, RATES)


@separate(void(VECTOR, f8))
def forces(p, t):
    """Write all generalized forces at the present position and rate."""
    n = 7 * int(p[BODY_COUNT])
    q, rate, force, w = block(p, POSITION, n), block(p, RATE, n), block(p, FORCE, n), block(p, WORK, WORK_SIZE)
    inertia_forces(p, q, rate, force)
    springs = matrix(p, SPRINGS, int(p[SPRING_COUNT]), SPRING)
    tyres = matrix(p, TYRES, int(p[TYRE_COUNT]), TYRE)
    for r in range(springs.shape[0] + tyres.shape[0]):
        row = springs[r] if r < springs.shape[0] else tyres[r - springs.shape[0]]
        length, speed = stretch(row, q, rate, w)
        F, _, _ = spring_law(row, length, speed) if r < springs.shape[0] else tyre_law(row, t, p, length, speed)
        if F != 0.0:
            scatter(row, w, SLOPE, -F, force)
    torsions = matrix(p, TORSIONS, int(p[TORSION_COUNT]), TORSION)
    angles = block(p, ANGLES, torsions.shape[0])
    for r in range(torsions.shape[0]):
        row = torsions[r]
        angle, speed, _, _ = angle_of(row, q, rate, w, angles[r])
        F = row[2 * PRODUCT] * (angle - row[2 * PRODUCT + 2]) + row[2 * PRODUCT + 1] * speed
        scatter(row, w, SLOPE_3, -F, force)


@separate(void(VECTOR, VECTOR, i8, f8, f8, f8, MATRIX, MATRIX))
def add_force_derivatives(row, w, slope, F, by_length, by_rate, by_q, by_speed):
    """Add the derivatives of F phi_q: F phi_qq at HESSIAN, and the outer products with F's own derivatives."""
    primitives.times_hessian(w, HESSIAN, RATES, SWING)
    for i in range(14):
        for j in range(14):
            o = 14 * i + j
            outer = w[slope + i] * w[slope + j]
            w[HESSIAN + o] = F * w[HESSIAN + o] + by_length * outer + by_rate * w[slope + i] * w[SWING + j]
            w[HESSIAN_2 + o] = by_rate * outer
    scatter_matrix(row, w, HESSIAN, 1.0, by_q)
    scatter_matrix(row, w, HESSIAN_2, 1.0, by_speed)


@helper
def write_state(p, out):
    """The present full state (q, q', angles, their rates)."""
    n, count = 7 * int(p[BODY_COUNT]), int(p[TORSION_COUNT])
    torsions, angles, w = matrix(p, TORSIONS, count, TORSION), block(p, ANGLES, count), block(p, WORK, WORK_SIZE)
    position, rate = block(p, POSITION, n), block(p, RATE, n)
    for k in range(n):
        out[k], out[n + k] = position[k], rate[k]
    for k in range(count):
        _, speed, _, _ = angle_of(torsions[k], position, rate, w, angles[k])
        out[2 * n + k], out[2 * n + count + k] = angles[k], speed


@helper
def torsion_hessian(row, q, w, cosine, sine):
    """w[HESSIAN:] = the derivative of cos s_q - sin c_q along the constraints, where s_q and c_q are parallel."""
    primitives.value(row[0:PRODUCT], q, w)
    primitives.slope(row[0:PRODUCT], w, SLOPE)
    primitives.hessian(row[0:PRODUCT], w, HESSIAN)
    primitives.value(row[PRODUCT : 2 * PRODUCT], q, w)
    primitives.slope(row[PRODUCT : 2 * PRODUCT], w, SLOPE_2)
    primitives.hessian(row[PRODUCT : 2 * PRODUCT], w, HESSIAN_2)
    for i in range(14):
        for j in range(14):
            o = 14 * i + j
            w[HESSIAN + o] = cosine * w[HESSIAN_2 + o] - sine * w[HESSIAN + o]


@separate(void(VECTOR, f8))
def force_derivatives(p, t):
    """Add the derivatives of minus the applied forces by q and by q'."""
    n = 7 * int(p[BODY_COUNT])
    q, rate, w = block(p, POSITION, n), block(p, RATE, n), block(p, WORK, WORK_SIZE)
    by_q, by_rate = matrix(p, FORCE_BY_Q, n, n), matrix(p, FORCE_BY_RATE, n, n)
    springs = matrix(p, SPRINGS, int(p[SPRING_COUNT]), SPRING)
    tyres = matrix(p, TYRES, int(p[TYRE_COUNT]), TYRE)
    for r in range(springs.shape[0] + tyres.shape[0]):
        row = springs[r] if r < springs.shape[0] else tyres[r - springs.shape[0]]
        length, speed = stretch(row, q, rate, w)
        primitives.hessian(row, w, HESSIAN)
        laws = spring_law(row, length, speed) if r < springs.shape[0] else tyre_law(row, t, p, length, speed)
        add_force_derivatives(row, w, SLOPE, laws[0], laws[1], laws[2], by_q, by_rate)
    torsions = matrix(p, TORSIONS, int(p[TORSION_COUNT]), TORSION)
    angles = block(p, ANGLES, torsions.shape[0])
    for r in range(torsions.shape[0]):
        row = torsions[r]
        angle, speed, cosine, sine = angle_of(row, q, rate, w, angles[r])
        k, c = row[2 * PRODUCT], row[2 * PRODUCT + 1]
        torsion_hessian(row, q, w, cosine, sine)
        add_force_derivatives(row, w, SLOPE_3, k * (angle - row[2 * PRODUCT + 2]) + c * speed, k, c, by_q, by_rate)
