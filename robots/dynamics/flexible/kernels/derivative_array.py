"""Derivative arrays of the flexible arm's inverse dynamics, by truncated power series.

For F(t, x, x') = 0 as it stands (formulations HI and I3 of `robots.dynamics.flexible.kernels.inverse_dynamics`,
without any of its rows dropped or differentiated) and a power series x(t + T s) = sum_k x_k s^k, this module has the
coefficients of F, dF/dx and dF/dx'. Of the derivative array F_l they give everything: its rows are k! F_k, and

    dF_i / dx_k = [dF/dx]_{i-k} + k [dF/dx']_{i-k+1}.

The equations are those of that module, recorded as a tape of elementary operations with their derivatives. Series are
arrays whose last axis is the power; T is a time near the arm's own, so that coefficients have one size.

Source: P. Kunkel, V. Mehrmann, Differential-Algebraic Equations (2006), section 4.1; the arithmetic is that of R. E.
Moore, Interval Analysis (1966), chapter 11.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import njit

from robots.dynamics.flexible.kernels import inverse_dynamics as arm
from robots.dynamics.flexible.kernels.inverse_dynamics import MOVE_TIME, equations, progress
from robots.dynamics.kernels.planar_chain import COUNT, FROZEN, UP
from solvers.codegen.closed_form import plain
from solvers.codegen.derivative import derivative
from solvers.codegen.tape import PARAMETER, STATE, TapeRecorder
from solvers.kernels.taylor import coefficient
from solvers.problem import Array

SWITCHES = (
    *(arm.JOINTS, arm.ACTUATED, arm.GEARS, arm.OUTPUTS, arm.DROP_ACTUATED, arm.DROP_PASSIVE, arm.DUMMY_RATES),
    *(arm.DUMMY_ACCELERATIONS, arm.CONSTRAINTS, arm.PATH, *range(arm.MOTOR_OF, arm.STIFFNESS)),
    *(arm.CHAIN + COUNT, arm.CHAIN + FROZEN, arm.CHAIN + UP),
)
"""The places of the parameters that decide which operations there are."""
LENGTH, ENTRIES, HEAD = 0, 1, 2


def recorded(params: Array) -> Array:
    """The equations and their derivatives for an arm with these parameters, as `derivative_array` reads them.

    Inputs are x, x' and the share of the move that is done; outputs F, then the entries of its derivatives by x, x'.
    """
    return _recorded(tuple((place, float(params[place])) for place in SWITCHES), len(params))


@cache
def _recorded(switches: tuple[tuple[int, float], ...], size: int) -> Array:
    recorder, known = TapeRecorder(), dict(switches)
    n = int(known[arm.JOINTS])
    d = 2 * (n + int(known[arm.ACTUATED] * known[arm.GEARS]))
    params = np.zeros(size, dtype=object)
    for place in range(arm.CHAIN + arm.chain_size(n)):
        params[place] = known[place] if place in known else recorder.node(PARAMETER, place, fixed=True)
    inputs = [recorder.node(STATE, k) for k in range(2 * d + 1)]
    x, rate = np.array(inputs[:d]), np.array(inputs[d : 2 * d])
    F, unused = np.zeros(d, dtype=object), np.zeros((d, d), dtype=object)
    plain(equations)(inputs[2 * d], x, rate, 0.0, params, F, unused)
    tape, entries = derivative(recorder.tape(F.tolist()), 2 * d, values=True)
    rows = (tape.operations, tape.left, tape.right, tape.values, tape.outputs, *zip(*entries, strict=True))
    return np.concatenate([[len(tape.operations), len(entries)], *rows]).astype(float)


@njit(cache=True, nogil=True)
def _series(t, scale, x, params):
    """The inputs' series, (2 d + 1, K), along the unknowns' x, (d, K + 1)."""
    d, size = x.shape[0], x.shape[1] - 1
    series = np.zeros((2 * d + 1, size))
    for k in range(size):
        series[:d, k] = x[:, k]
        series[d : 2 * d, k] = (k + 1) * x[:, k + 1] / scale
    series[2 * d, 0] = progress(t, params)
    if size > 1 and 0.0 < t < params[MOVE_TIME]:
        series[2 * d, 1] = scale / params[MOVE_TIME]
    return series


@njit(cache=True, nogil=True)
def derivative_array(t, scale, x, params, code, F, by_x, by_rest):
    """The derivative array F_l and its Jacobians by x_0 and by (x_1 .. x_{l+1}), in coefficients.

    Args:
        t, scale: time is t + scale s.
        x: (d, l + 2) coefficients of the unknowns (joints, motors, rates of both).
        params, code: the arm's parameters, and what `recorded` makes of them.
        F: out, ((l + 1) d,). by_x: out, ((l + 1) d, d). by_rest: out, ((l + 1) d, (l + 1) d).
    """
    d, size = x.shape[0], x.shape[1] - 1
    m, count = int(code[LENGTH]), int(code[ENTRIES])
    whole = code.astype(np.int64)
    table = whole[HEAD:]
    outputs = table[4 * m : 4 * m + d + count]
    places = table[4 * m + d + count :].reshape(2, count)
    series, nodes = _series(t, scale, x, params), np.empty((m, size))
    first, second = np.zeros((d, d, size)), np.zeros((d, d, size))
    for k in range(size):
        for n in range(m):
            operation, left, right = table[n], table[m + n], table[2 * m + n]
            if operation == STATE:
                nodes[n, k] = series[left, k]
            elif operation > STATE:
                nodes[n, k] = coefficient(operation, n, left, right, k, nodes)
            elif k > 0:
                nodes[n, k] = 0.0
            else:
                nodes[n, 0] = params[left] if operation == PARAMETER else code[HEAD + 3 * m + n]
        for row in range(d):
            F[k * d + row] = nodes[outputs[row], k]
        for e in range(count):
            row, column, value = places[0, e], places[1, e], nodes[outputs[d + e], k]
            if column < d:
                first[row, column, k] = value
            else:
                second[row, column - d, k] = value / scale
    by_rest[:] = 0.0
    for i in range(size):
        for row in range(d):
            for column in range(d):
                by_x[i * d + row, column] = first[row, column, i]
                for k in range(1, i + 2):
                    total = k * second[row, column, i - k + 1]
                    if k <= i:
                        total += first[row, column, i - k]
                    by_rest[i * d + row, (k - 1) * d + column] = total
