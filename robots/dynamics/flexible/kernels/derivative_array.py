"""Derivative arrays of the flexible arm's inverse dynamics, by truncated power series.

For F(t, x, x') = 0 as it stands (formulations HI and I3 of `robots.dynamics.flexible.kernels.inverse_dynamics`,
without any of its rows dropped or differentiated) and a power series x(t + T s) = sum_k x_k s^k, this module has the
coefficients of F, dF/dx and dF/dx'. Of the derivative array F_l they give everything: its rows are k! F_k, and

    dF_i / dx_k = [dF/dx]_{i-k} + k [dF/dx']_{i-k+1}.

Series are arrays whose last axis is the power; T is a time near the arm's own, so that coefficients have one size.

Source: P. Kunkel, V. Mehrmann, Differential-Algebraic Equations (2006), section 4.1; the arithmetic is that of R. E.
Moore, Interval Analysis (1966), chapter 11.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from robots.dynamics.flexible.kernels.inverse_dynamics import (
    ACTUATED,
    CHAIN,
    DAMPING,
    END,
    GEARS,
    JOINTS,
    LINE,
    MOTOR_OF,
    MOVE_TIME,
    OUTPUTS,
    PATH,
    START,
    STIFFNESS,
    SWEEP,
)
from robots.dynamics.kernels.planar_chain import FROZEN, GRAVITY, TABLES, UP, to_joints

POLYNOMIAL = np.array([0.0, 0, 0, 0, 0, 0, 462, -1980, 3465, -3080, 1386, -252])


@njit(cache=True, nogil=True)
def product(a, b, out):
    """out = a b, truncated."""
    for k in range(out.size):
        total = 0.0
        for i in range(k + 1):
            total += a[i] * b[k - i]
        out[k] = total


@njit(cache=True, nogil=True)
def add_product(factor, a, b, out):
    """out += factor a b, truncated."""
    for k in range(out.size):
        for i in range(k + 1):
            out[k] += factor * a[i] * b[k - i]


@njit(cache=True, nogil=True)
def circle(angle, c, s):
    """c, s = cos(angle), sin(angle)."""
    c[0], s[0] = np.cos(angle[0]), np.sin(angle[0])
    for k in range(1, angle.size):
        c[k] = s[k] = 0.0
        for i in range(1, k + 1):
            c[k] -= i * angle[i] * s[k - i] / k
            s[k] += i * angle[i] * c[k - i] / k


@njit(cache=True, nogil=True)
def wanted_series(t, scale, params, out):
    """The tool's reference (x, z) as a series in s, time t + scale s: out is (2, K) [m]."""
    size, span = out.shape[1], params[MOVE_TIME]
    share = np.zeros(size)
    if t >= span:
        share[0] = 1.0
    elif t > 0.0:
        # Taylor shift: each pass of Horner's rule is a division by (tau - t / span).
        left = POLYNOMIAL.copy()
        stretch = 1.0
        for k in range(min(size, 12)):
            for i in range(10, k - 1, -1):
                left[i] += t / span * left[i + 1]
            share[k] = left[k] * stretch
            stretch *= scale / span
    if params[PATH] == LINE:
        for axis in range(2):
            for k in range(size):
                out[axis, k] = share[k] * (params[END + axis] - params[START + axis])
            out[axis, 0] += params[START + axis]
        return
    c, s = np.empty(size), np.empty(size)
    circle(params[SWEEP] * share, c, s)
    dx, dz = params[START] - params[END], params[START + 1] - params[END + 1]
    for k in range(size):
        out[0, k] = c[k] * dx - s[k] * dz
        out[1, k] = c[k] * dz + s[k] * dx
    out[0, 0] += params[END]
    out[1, 0] += params[END + 1]


@njit(cache=True, nogil=True)
def torque_series(chain, n, q, v, a, out, by_q, by_v, by_a):
    """`planar_chain.torques` for series: q, v, a, out are (n, K), the derivatives (n, n, K)."""
    size = out.shape[1]
    tables = chain[TABLES:]
    out[:], by_q[:], by_v[:], by_a[:] = 0.0, 0.0, 0.0, 0.0
    if chain[FROZEN] != 0.0:
        inertia = tables[n * n + 2 * n : 2 * n * n + 2 * n]
        for i in range(n):
            for j in range(n):
                by_a[i, j, 0] = inertia[i * n + j]
                out[i] += inertia[i * n + j] * a[j]
        return
    phi, omega, alpha = q.copy(), v.copy(), a.copy()
    for i in range(1, n):
        phi[i] += phi[i - 1]
        omega[i] += omega[i - 1]
        alpha[i] += alpha[i - 1]
    c, s, square = np.empty(size), np.empty(size), np.empty(size)
    slope = np.empty(size)
    for i in range(n):
        circle(phi[i], c, s)
        lever = chain[GRAVITY] * tables[n * n + i]
        own = tables[i * n + i]
        out[i] += own * alpha[i] - lever * c
        by_q[i, i] += lever * s
        by_a[i, i, 0] += own
        for j in range(n):
            if j == i:
                continue
            circle(phi[i] - phi[j], c, s)
            c *= tables[i * n + j]
            s *= tables[i * n + j]
            product(omega[j], omega[j], square)
            add_product(1.0, c, alpha[j], out[i])
            add_product(1.0, s, square, out[i])
            by_a[i, j] += c
            add_product(2.0, s, omega[j], by_v[i, j])
            slope[:] = 0.0
            add_product(1.0, s, alpha[j], slope)
            add_product(-1.0, c, square, slope)
            by_q[i, j] += slope
            by_q[i, i] -= slope
    for i in range(n - 2, -1, -1):
        out[i] += out[i + 1]
    to_joints(by_q, n)
    to_joints(by_v, n)
    to_joints(by_a, n)


@njit(cache=True, nogil=True)
def system_series(t, scale, x, params, F, by_x, by_rate):
    """The coefficients of F, dF/dx and dF/dx' (the derivative by s) along the series x.

    Args:
        t, scale: time is t + scale s.
        x: (d, K + 1) coefficients of the unknowns (joints, motors, rates of both).
        F: out, (d, K). by_x, by_rate: out, (d, d, K).
    """
    n, gears = int(params[JOINTS]), params[GEARS] != 0.0
    size = F.shape[1]
    rates = n + int(params[ACTUATED] * params[GEARS])
    chain = params[CHAIN:]
    slope = np.empty((x.shape[0], size))
    for k in range(size):
        slope[:, k] = (k + 1) * x[:, k + 1]
    q, v = x[0:n, 0:size].copy(), x[rates : rates + n, 0:size].copy()
    load = np.empty((n, size))
    by_q, by_v, by_a = np.empty((n, n, size)), np.empty((n, n, size)), np.empty((n, n, size))
    torque_series(chain, n, q, v, slope[rates : rates + n] / scale, load, by_q, by_v, by_a)
    F[:], by_x[:], by_rate[:] = 0.0, 0.0, 0.0
    row = 0
    for i in range(n):
        motor = int(params[MOTOR_OF + i])
        if motor >= 0 and not gears:
            continue
        k, d = params[STIFFNESS + i], params[DAMPING + i]
        F[row] = load[i] + k * q[i] + d * v[i]
        for j in range(n):
            by_x[row, j] += by_q[i, j]
            by_x[row, rates + j] += by_v[i, j]
            by_rate[row, rates + j] += by_a[i, j] / scale
        by_x[row, i, 0] += k
        by_x[row, rates + i, 0] += d
        if motor >= 0:
            F[row] -= k * x[n + motor, 0:size] + d * x[rates + n + motor, 0:size]
            by_x[row, n + motor, 0] -= k
            by_x[row, rates + n + motor, 0] -= d
        row += 1
    for i in range(rates):
        F[row] = slope[i] / scale - x[rates + i, 0:size]
        by_rate[row, i, 0] = 1.0 / scale
        by_x[row, rates + i, 0] = -1.0
        row += 1
    _constraint_series(t, scale, q, params, row, F, by_x)


@njit(cache=True, nogil=True)
def _constraint_series(t, scale, q, params, row, F, by_x):
    """Gamma - theta in the controlled axes, from row `row`."""
    n, size = q.shape
    chain = params[CHAIN:]
    up = -chain[UP]
    aim = np.empty((2, size))
    wanted_series(t, scale, params, aim)
    c, s, phi = np.empty(size), np.empty(size), np.zeros(size)
    place, slopes = np.zeros((2, size)), np.zeros((2, n, size))
    for i in range(n):
        length = chain[TABLES + n * n + n + i]
        phi += q[i]
        circle(phi, c, s)
        place[0] += length * c
        place[1] += up * length * s
        for j in range(i + 1):
            slopes[0, j] -= length * s
            slopes[1, j] += up * length * c
    for axis in range(2):
        if (int(params[OUTPUTS]) >> axis) % 2 == 1:
            F[row] = place[axis] - aim[axis]
            by_x[row, 0:n] = slopes[axis]
            row += 1


@njit(cache=True, nogil=True)
def derivative_array(t, scale, x, params, F, by_x, by_rest):
    """The derivative array F_l and its Jacobians by x_0 and by (x_1 .. x_{l+1}), in coefficients.

    Args:
        x: (d, l + 2). F: out, ((l + 1) d,). by_x: out, ((l + 1) d, d). by_rest: out, ((l + 1) d, (l + 1) d).
    """
    d, size = x.shape[0], x.shape[1] - 1
    values, first, second = np.empty((d, size)), np.empty((d, d, size)), np.empty((d, d, size))
    system_series(t, scale, x, params, values, first, second)
    by_rest[:] = 0.0
    for i in range(size):
        for row in range(d):
            F[i * d + row] = values[row, i]
            for column in range(d):
                by_x[i * d + row, column] = first[row, column, i]
                for k in range(1, i + 2):
                    total = k * second[row, column, i - k + 1]
                    if k <= i:
                        total += first[row, column, i - k]
                    by_rest[i * d + row, (k - 1) * d + column] = total
