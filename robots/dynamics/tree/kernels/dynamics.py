"""Dynamics of a tree of rigid links in the world's frame, compiled once for every robot.

All velocities, forces and inertias are taken about the world's origin, so that sums over a branch need no
transformation: the inertia matrix costs six products an entry, and the tree is walked twice.

Source: R. Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 and 6, and section 6.5 for the
factorisation that keeps a tree's zeros.
"""

from __future__ import annotations

from math import cos, sin

from numba import njit, types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from robots.dynamics.kernels.views import window
from robots.dynamics.tree.layout import (
    ACCELERATION,
    ARMATURE,
    AXIS,
    BODY,
    CENTRE,
    FORCE,
    HEADER,
    INERTIA,
    JOINTS,
    KIND,
    MASS,
    ORIGIN,
    PARENT,
    PLACE,
    REVOLUTE,
    ROTATION,
    ROW,
    TURN,
    VELOCITY,
)
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, i8, separate, void

SIX = types.UniTuple(f8, 6)
"""The numbers of a motion or a force."""


def joints_of(params):
    """The rows of the joints, (n, ROW), of flat parameters."""
    n = int(params[JOINTS])
    return params[HEADER : HEADER + n * ROW].reshape(n, ROW)


@lower_builtin(joints_of, VECTOR)
def _joints_of(context, builder, signature, arguments):
    """The same, compiled."""
    header, width, place = (context.get_constant(types.intp, number) for number in (HEADER, ROW, JOINTS))
    numbers = cgutils.create_struct_proxy(VECTOR)(context, builder, arguments[0]).data
    n = builder.fptosi(builder.load(builder.gep(numbers, [place])), header.type)
    return window(context, builder, MATRIX, arguments[0], header, [n, width])


type_callable(joints_of)(lambda context: lambda params: MATRIX)


@njit(inline="always")
def dot(a, i, b, j):
    """Power of the six numbers a[i:] on b[j:]."""
    return (
        a[i] * b[j]
        + a[i + 1] * b[j + 1]
        + a[i + 2] * b[j + 2]
        + a[i + 3] * b[j + 3]
        + a[i + 4] * b[j + 4]
        + (a[i + 5] * b[j + 5])
    )


@separate(void(MATRIX, VECTOR, MATRIX))
def place(joints, q, world):
    """Rotation, origin and axis of every link in the world: columns ROTATION to AXIS of `world`, (n, STATE)."""
    for i in range(joints.shape[0]):
        row, w = joints[i], world[i]
        parent = int(row[PARENT])
        px, py, pz = row[PLACE], row[PLACE + 1], row[PLACE + 2]
        if parent < 0:
            for k in range(9):
                w[ROTATION + k] = row[TURN + k]
            w[ORIGIN], w[ORIGIN + 1], w[ORIGIN + 2] = px, py, pz
        else:
            u = world[parent]
            for r in range(3):
                a, b, c = u[ROTATION + 3 * r], u[ROTATION + 3 * r + 1], u[ROTATION + 3 * r + 2]
                for k in range(3):
                    w[ROTATION + 3 * r + k] = a * row[TURN + k] + b * row[TURN + 3 + k] + c * row[TURN + 6 + k]
                w[ORIGIN + r] = u[ORIGIN + r] + a * px + b * py + c * pz
        zx, zy, zz = w[ROTATION + 2], w[ROTATION + 5], w[ROTATION + 8]
        if row[KIND] == REVOLUTE:
            c, s = cos(q[i]), sin(q[i])
            for r in range(3):
                a, b = w[ROTATION + 3 * r], w[ROTATION + 3 * r + 1]
                w[ROTATION + 3 * r] = c * a + s * b
                w[ROTATION + 3 * r + 1] = c * b - s * a
            x, y, z = w[ORIGIN], w[ORIGIN + 1], w[ORIGIN + 2]
            w[AXIS], w[AXIS + 1], w[AXIS + 2] = zx, zy, zz
            w[AXIS + 3] = y * zz - z * zy
            w[AXIS + 4] = z * zx - x * zz
            w[AXIS + 5] = x * zy - y * zx
        else:
            w[ORIGIN] += q[i] * zx
            w[ORIGIN + 1] += q[i] * zy
            w[ORIGIN + 2] += q[i] * zz
            w[AXIS], w[AXIS + 1], w[AXIS + 2] = 0.0, 0.0, 0.0
            w[AXIS + 3], w[AXIS + 4], w[AXIS + 5] = zx, zy, zz


@separate(void(MATRIX, MATRIX))
def weigh(joints, world):
    """Mass, first moment and moment of inertia of every link about the world's origin: column BODY of placed links."""
    for i in range(joints.shape[0]):
        row, w = joints[i], world[i]
        m = row[MASS]
        a, b, c = row[CENTRE], row[CENTRE + 1], row[CENTRE + 2]
        Ixx, Ixy, Ixz = row[INERTIA], row[INERTIA + 1], row[INERTIA + 2]
        Iyy, Iyz, Izz = row[INERTIA + 3], row[INERTIA + 4], row[INERTIA + 5]
        r00, r01, r02 = w[0], w[1], w[2]
        r10, r11, r12 = w[3], w[4], w[5]
        r20, r21, r22 = w[6], w[7], w[8]
        x = w[ORIGIN] + r00 * a + r01 * b + r02 * c
        y = w[ORIGIN + 1] + r10 * a + r11 * b + r12 * c
        z = w[ORIGIN + 2] + r20 * a + r21 * b + r22 * c
        a0 = r00 * Ixx + r01 * Ixy + r02 * Ixz
        a1 = r00 * Ixy + r01 * Iyy + r02 * Iyz
        a2 = r00 * Ixz + r01 * Iyz + r02 * Izz
        b0 = r10 * Ixx + r11 * Ixy + r12 * Ixz
        b1 = r10 * Ixy + r11 * Iyy + r12 * Iyz
        b2 = r10 * Ixz + r11 * Iyz + r12 * Izz
        c0 = r20 * Ixx + r21 * Ixy + r22 * Ixz
        c1 = r20 * Ixy + r21 * Iyy + r22 * Iyz
        c2 = r20 * Ixz + r21 * Iyz + r22 * Izz
        hx, hy, hz = m * x, m * y, m * z
        w[BODY] = m
        w[BODY + 1], w[BODY + 2], w[BODY + 3] = hx, hy, hz
        w[BODY + 4] = a0 * r00 + a1 * r01 + a2 * r02 + hy * y + hz * z
        w[BODY + 5] = a0 * r10 + a1 * r11 + a2 * r12 - hx * y
        w[BODY + 6] = a0 * r20 + a1 * r21 + a2 * r22 - hx * z
        w[BODY + 7] = b0 * r10 + b1 * r11 + b2 * r12 + hx * x + hz * z
        w[BODY + 8] = b0 * r20 + b1 * r21 + b2 * r22 - hy * z
        w[BODY + 9] = c0 * r20 + c1 * r21 + c2 * r22 + hx * x + hy * y


@compiled(SIX(VECTOR, i8, f8, f8, f8, f8, f8, f8))
def momentum(body, at, wx, wy, wz, vx, vy, vz):
    """Momentum about the origin, angular part first, of the inertia in body[at:] that moves with (w, v)."""
    m, hx, hy, hz = body[at], body[at + 1], body[at + 2], body[at + 3]
    xx, xy, xz = body[at + 4], body[at + 5], body[at + 6]
    yy, yz, zz = body[at + 7], body[at + 8], body[at + 9]
    return (
        xx * wx + xy * wy + xz * wz + hy * vz - hz * vy,
        xy * wx + yy * wy + yz * wz + hz * vx - hx * vz,
        xz * wx + yz * wy + zz * wz + hx * vy - hy * vx,
        m * vx + wy * hz - wz * hy,
        m * vy + wz * hx - wx * hz,
        m * vz + wx * hy - wy * hx,
    )


@compiled(SIX(VECTOR, i8))
def momentum_of(w, at):
    """Momentum of a link, or a branch, that moves with the motion in w[at:]."""
    return momentum(w, BODY, w[at], w[at + 1], w[at + 2], w[at + 3], w[at + 4], w[at + 5])


@separate(void(MATRIX, VECTOR, VECTOR, VECTOR, MATRIX))
def move(joints, gravity, v, a, world):
    """Velocity, acceleration and the force that it takes: columns VELOCITY to FORCE of weighed links.

    Args:
        joints: (n, ROW).
        gravity: acceleration of gravity, (3,) [m/s2]; it acts as the base's acceleration in the other direction.
        v, a: rates and accelerations of the joints, (n,).
        world: (n, STATE); FORCE becomes the rate of the link's momentum, without what its children need.
    """
    for i in range(joints.shape[0]):
        w = world[i]
        parent = int(joints[i, PARENT])
        s0, s1, s2, s3, s4, s5 = w[AXIS], w[AXIS + 1], w[AXIS + 2], w[AXIS + 3], w[AXIS + 4], w[AXIS + 5]
        rate, push = v[i], a[i]
        if parent < 0:
            p0, p1, p2, p3, p4, p5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            a0, a1, a2, a3, a4, a5 = 0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]
        else:
            u = world[parent]
            p0, p1, p2 = u[VELOCITY], u[VELOCITY + 1], u[VELOCITY + 2]
            p3, p4, p5 = u[VELOCITY + 3], u[VELOCITY + 4], u[VELOCITY + 5]
            a0, a1, a2 = u[ACCELERATION], u[ACCELERATION + 1], u[ACCELERATION + 2]
            a3, a4, a5 = u[ACCELERATION + 3], u[ACCELERATION + 4], u[ACCELERATION + 5]
        d0, d1, d2, d3, d4, d5 = s0 * rate, s1 * rate, s2 * rate, s3 * rate, s4 * rate, s5 * rate
        # The axis moves with the link: its rate is the cross product of the velocity and the axis.
        a0 += s0 * push + p1 * d2 - p2 * d1
        a1 += s1 * push + p2 * d0 - p0 * d2
        a2 += s2 * push + p0 * d1 - p1 * d0
        a3 += s3 * push + p1 * d5 - p2 * d4 + p4 * d2 - p5 * d1
        a4 += s4 * push + p2 * d3 - p0 * d5 + p5 * d0 - p3 * d2
        a5 += s5 * push + p0 * d4 - p1 * d3 + p3 * d1 - p4 * d0
        p0, p1, p2, p3, p4, p5 = p0 + d0, p1 + d1, p2 + d2, p3 + d3, p4 + d4, p5 + d5
        w[VELOCITY], w[VELOCITY + 1], w[VELOCITY + 2] = p0, p1, p2
        w[VELOCITY + 3], w[VELOCITY + 4], w[VELOCITY + 5] = p3, p4, p5
        w[ACCELERATION], w[ACCELERATION + 1], w[ACCELERATION + 2] = a0, a1, a2
        w[ACCELERATION + 3], w[ACCELERATION + 4], w[ACCELERATION + 5] = a3, a4, a5
        h0, h1, h2, h3, h4, h5 = momentum(w, BODY, p0, p1, p2, p3, p4, p5)
        f0, f1, f2, f3, f4, f5 = momentum(w, BODY, a0, a1, a2, a3, a4, a5)
        w[FORCE] = f0 + p1 * h2 - p2 * h1 + p4 * h5 - p5 * h4
        w[FORCE + 1] = f1 + p2 * h0 - p0 * h2 + p5 * h3 - p3 * h5
        w[FORCE + 2] = f2 + p0 * h1 - p1 * h0 + p3 * h4 - p4 * h3
        w[FORCE + 3] = f3 + p1 * h5 - p2 * h4
        w[FORCE + 4] = f4 + p2 * h3 - p0 * h5
        w[FORCE + 5] = f5 + p0 * h4 - p1 * h3


@separate(void(MATRIX, MATRIX, VECTOR))
def gather(joints, world, torques):
    """Sum the links' forces towards the base, and take the part of each that its joint carries: `torques`, (n,)."""
    for i in range(joints.shape[0] - 1, -1, -1):
        w = world[i]
        torques[i] = dot(w, AXIS, w, FORCE)
        parent = int(joints[i, PARENT])
        if parent >= 0:
            for k in range(FORCE, FORCE + 6):
                world[parent, k] += w[k]


@separate(void(MATRIX, MATRIX, MATRIX))
def compose(joints, world, M):
    """The lower triangle of the inertia matrix `M`, (n, n), zero before; BODY becomes that of each branch."""
    for i in range(joints.shape[0] - 1, -1, -1):
        w = world[i]
        parent = int(joints[i, PARENT])
        f0, f1, f2, f3, f4, f5 = momentum_of(w, AXIS)
        j = i
        while j >= 0:
            s = world[j]
            M[i, j] = (
                s[AXIS] * f0
                + s[AXIS + 1] * f1
                + s[AXIS + 2] * f2
                + s[AXIS + 3] * f3
                + s[AXIS + 4] * f4
                + s[AXIS + 5] * f5
            )
            j = int(joints[j, PARENT])
        M[i, i] += joints[i, ARMATURE]
        if parent >= 0:
            for k in range(BODY, BODY + 10):
                world[parent, k] += w[k]


@separate(void(MATRIX, MATRIX))
def factorise(joints, M):
    """M = L' D L in place, L with ones on its diagonal and the zeros of M, which have to be there."""
    for k in range(joints.shape[0] - 1, -1, -1):
        i = int(joints[k, PARENT])
        while i >= 0:
            share = M[k, i] / M[k, k]
            for j in range(i + 1):
                M[i, j] -= share * M[k, j]
            M[k, i] = share
            i = int(joints[i, PARENT])


@separate(void(MATRIX, VECTOR))
def solve(M, x):
    """Solve L' D L x = b in place; `M` from `factorise`, `x` (n,) holds b on entry."""
    n = x.size
    for i in range(n - 1, 0, -1):
        for j in range(i):
            x[j] -= M[i, j] * x[i]
    for i in range(n):
        total = x[i] / M[i, i]
        for j in range(i):
            total -= M[i, j] * x[j]
        x[i] = total
