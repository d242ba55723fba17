"""Kinematics of a serial arm in standard Denavit-Hartenberg form, as compiled kernels without heap allocation.

A row of the table of an arm, (n, ROW), has (a, d, cos alpha, sin alpha) [m, m, -, -], the angle at joint position 0,
whether the joint slides, and what coordinate moves it, with the ratio and shift of its position. The first n rows also
have what the n coordinates may do: lowest and highest position, largest rate.
Source: J. Denavit, R. S. Hartenberg, J. Appl. Mech. 22 (1955); geometric Jacobian as in B. Siciliano et al., Robotics
(2009), eq. (3.30).
"""

from __future__ import annotations

from math import cos, sin

from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, separate, void

OFFSET, SLIDES, LOWER, UPPER, FASTEST, COORDINATE, RATIO, SHIFT = 4, 5, 6, 7, 8, 9, 10, 11
ROW = 12


@separate(void(MATRIX, VECTOR, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX), no_cpython_wrapper=False)
def forward(table, q, base, tool, axes, origins, end):
    """Forward kinematics.

    Args:
        table: (n, ROW).
        q: joint positions, (n,) [rad or m].
        base, tool: the first joint's frame in the world and the tool's in the last link's, as `end`, (4, 3).
        axes, origins: out, (n, 3): direction of each joint's axis in the world, and a point on it [m].
        end: out, (4, 3): columns x, y, z of the tool's rotation in rows 0..2, its position in row 3 [m].
    """
    xx, xy, xz = base[0, 0], base[0, 1], base[0, 2]
    yx, yy, yz = base[1, 0], base[1, 1], base[1, 2]
    zx, zy, zz = base[2, 0], base[2, 1], base[2, 2]
    px, py, pz = base[3, 0], base[3, 1], base[3, 2]
    for i in range(q.size):
        axes[i, 0], axes[i, 1], axes[i, 2] = zx, zy, zz
        origins[i, 0], origins[i, 1], origins[i, 2] = px, py, pz
        a, d, ca, sa = table[i, 0], table[i, 1], table[i, 2], table[i, 3]
        slides = table[i, SLIDES] != 0.0
        angle, d = table[i, OFFSET] + (0.0 if slides else q[i]), d + (q[i] if slides else 0.0)
        c, s = cos(angle), sin(angle)
        ux, uy, uz = c * yx - s * xx, c * yy - s * xy, c * yz - s * xz
        xx, xy, xz = c * xx + s * yx, c * xy + s * yy, c * xz + s * yz
        px, py, pz = px + d * zx + a * xx, py + d * zy + a * xy, pz + d * zz + a * xz
        yx, yy, yz = ca * ux + sa * zx, ca * uy + sa * zy, ca * uz + sa * zz
        zx, zy, zz = ca * zx - sa * ux, ca * zy - sa * uy, ca * zz - sa * uz
    for k in range(4):
        a, b, c = tool[k, 0], tool[k, 1], tool[k, 2]
        end[k, 0], end[k, 1], end[k, 2] = xx * a + yx * b + zx * c, xy * a + yy * b + zy * c, xz * a + yz * b + zz * c
    end[3, 0], end[3, 1], end[3, 2] = end[3, 0] + px, end[3, 1] + py, end[3, 2] + pz


@separate(void(MATRIX, MATRIX, MATRIX, VECTOR, MATRIX), no_cpython_wrapper=False)
def jacobian(table, axes, origins, tip, out):
    """Geometric Jacobian: (v, w) of the point `tip` = out @ qd.

    Args:
        table: (n, ROW).
        axes, origins: (n, 3) from `forward`.
        tip: (3,) point carried by the last link [m].
        out: (6, n), linear rows first.
    """
    for i in range(axes.shape[0]):
        zx, zy, zz = axes[i, 0], axes[i, 1], axes[i, 2]
        rx, ry, rz = tip[0] - origins[i, 0], tip[1] - origins[i, 1], tip[2] - origins[i, 2]
        if table[i, SLIDES] == 0.0:
            out[0, i], out[1, i], out[2, i] = zy * rz - zz * ry, zz * rx - zx * rz, zx * ry - zy * rx
            out[3, i], out[4, i], out[5, i] = zx, zy, zz
        else:
            out[0, i], out[1, i], out[2, i] = zx, zy, zz
            out[3, i], out[4, i], out[5, i] = 0.0, 0.0, 0.0


@compiled(void(MATRIX, VECTOR, f8[:, :, ::1]))
def link_frames(dh, q, out):
    """World frames of the base and of every link, (n + 1, 4, 4), of a table whose joints turn by q (n,) [rad]."""
    out[:] = 0.0
    for k in range(4):
        out[0, k, k] = 1.0
    for i in range(q.size):
        c, s = cos(q[i]), sin(q[i])
        a, d, ca, sa = dh[i, 0], dh[i, 1], dh[i, 2], dh[i, 3]
        for row in range(3):
            x, y, z = out[i, row, 0], out[i, row, 1], out[i, row, 2]
            turned_x, turned_y = c * x + s * y, c * y - s * x
            out[i + 1, row, 0] = turned_x
            out[i + 1, row, 1] = ca * turned_y + sa * z
            out[i + 1, row, 2] = ca * z - sa * turned_y
            out[i + 1, row, 3] = out[i, row, 3] + d * z + a * turned_x
        out[i + 1, 3, 3] = 1.0
