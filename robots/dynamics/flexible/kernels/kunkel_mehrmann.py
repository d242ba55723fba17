"""The inverse dynamics by its derivative array: an underdetermined system whose solution is unique in x.

For the equations as they stand, F, and their derivative array F_mu, one has at every step to solve

    F_mu(t, x, y) = 0,    Z1' F(t, x, D x) = 0

where y stands for the derivatives of x as unknowns of their own and D x for the difference formula. Gauss and Newton's
method with the least change of y eliminates y: with Z2 the left null space of dF_mu/dy, the rows Z2' F_mu = 0 have no
y to first order, and a square system in x remains,

    Z1' F(t, x, D x) = 0  (d rows),    Z2' F_mu(t, x, y) = 0  (a rows),

while y follows by the pseudo-inverse of dF_mu/dy. Z1 spans the range of dF/dx' on the null space of Z2' dF_mu/dx.

Behind the parameters of `robots.dynamics.flexible.kernels.inverse_dynamics` stand: mu, a, the time scale, y as series
coefficients, and the recorded equations.

Source: P. Kunkel, V. Mehrmann, SIAM J. Numer. Anal. 33 (1996) and Differential-Algebraic Equations (2006), section
6.2; paper 5, equation (38).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from robots.dynamics.flexible.kernels.derivative_array import derivative_array
from robots.dynamics.flexible.kernels.flexible_ode import parameters_end
from robots.dynamics.flexible.kernels.inverse_dynamics import system as plain_system

MU, ALGEBRAIC, SCALE, START = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def _row_weights(by_x, by_rest, d):
    """For each equation the inverse of its largest derivative, so that none drowns another."""
    weights = np.empty(d)
    for row in range(d):
        largest = 0.0
        for column in range(d):
            largest = max(largest, abs(by_x[row, column]), abs(by_rest[row, column]))
        weights[row] = 1.0 / largest
    return weights


@njit("void(f8, f8[::1], f8[::1], f8, f8[::1], f8[::1], f8[:, ::1])", cache=True, nogil=True)
def system(t, x, rate, alpha, params, F, J):
    """The reduced system in x and its iteration matrix; y is kept in `params` from call to call."""
    d = x.size
    own = params[int(parameters_end(params)) :]
    mu, a, scale = int(own[MU]), int(own[ALGEBRAIC]), own[SCALE]
    rows = (mu + 1) * d
    rest = own[START : START + rows]
    for value in x:
        if not abs(value) < 1e8:
            F[:] = math.nan
            return
    values, by_x, by_rest = np.empty(rows), np.empty((rows, d)), np.empty((rows, rows))
    series = np.empty((d, mu + 2))
    series[:, 0] = x
    for k in range(mu + 1):
        for i in range(d):
            series[i, k + 1] = rest[k * d + i]
    code = own[START + rows :]
    derivative_array(t, scale, series, params, code, values, by_x, by_rest)
    weights = _row_weights(by_x, by_rest, d)
    for row in range(rows):
        values[row] *= weights[row % d]
        by_x[row] *= weights[row % d]
        by_rest[row] *= weights[row % d]
    if not np.all(np.isfinite(by_rest)) or not np.all(np.isfinite(values)):
        F[:] = math.nan
        return
    left, sizes, right = np.linalg.svd(by_rest)
    null = np.ascontiguousarray(left[:, rows - a :].T)
    constraints = null @ by_x
    tangent = np.ascontiguousarray(np.linalg.svd(constraints)[2][a:].T)
    moving = np.ascontiguousarray(by_rest[:d, :d]) @ tangent
    chosen = np.ascontiguousarray(np.linalg.svd(moving)[0][:, : d - a].T)
    plain, matrix = np.empty(d), np.empty((d, d))
    plain_system(t, x, rate, alpha, params, plain, matrix)
    for row in range(d):
        plain[row] *= weights[row]
        matrix[row] *= weights[row]
    F[: d - a], J[: d - a] = chosen @ plain, chosen @ matrix
    F[d - a :], J[d - a :] = null @ values, constraints
    # y for the next call, which the rows above do not depend on to first order.
    change = left.T @ values
    for k in range(rows):
        change[k] = change[k] / sizes[k] if k < rows - a else 0.0
    rest -= right.T @ change
