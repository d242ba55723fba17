"""The exact inverse dynamics of the planar flexible arm as an ODE.

It reads the parameters of `robots.dynamics.flexible.kernels.inverse_dynamics`. The state is (q, v, qm): accelerations
follow from the passive joints' torque balances together with the twice differentiated constraint, motor rates from the
actuated ones'.
"""

from __future__ import annotations

import math

from robots.dynamics.flexible.kernels.inverse_dynamics import (
    ACTUATED,
    CHAIN,
    DAMPING,
    GEARS,
    JOINTS,
    MOTOR_OF,
    OUTPUTS,
    STIFFNESS,
    chain_size,
    scratch_size,
    wanted,
)
from robots.dynamics.kernels.planar_chain import tool, torques
from robots.dynamics.kernels.small_linear import eliminate
from solvers.kernels.signatures import MATRIX, RHS, VECTOR, compiled, f8, helper, separate, void

FASTEST = 2e3
"""Speed at which an exact solution has run away [rad/s]."""


@helper
def parameters_end(params):
    """Where the parameters and the scratch memory of this module end."""
    n = int(params[JOINTS])
    return CHAIN + chain_size(n) + scratch_size(n) + 4 * n * n + 16 * n + 32


@separate(void(f8, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def _exact_accelerations(t, q, v, params, a, torque, scratch):
    """Solve the passive balances and Gamma'' = theta'' for a; leaves the chain's torque of every joint in `torque`."""
    n = int(params[JOINTS])
    tables = scratch[0 : 3 * n * n].reshape(3, n, n)
    place, aim = scratch[3 * n * n : 3 * n * n + 6].reshape(3, 2), scratch[3 * n * n + 6 : 3 * n * n + 12].reshape(3, 2)
    base = 3 * n * n + 12
    slopes = scratch[base : base + 8 * n].reshape(4, 2, n)
    work = scratch[base + 8 * n : base + 11 * n]
    matrix = scratch[base + 11 * n : base + 11 * n + n * n].reshape(n, n)
    chain = params[CHAIN : CHAIN + chain_size(n)]
    a[:] = 0.0
    torques(chain, q, v, a, torque, tables[0], tables[1], tables[2], work)
    tool(chain, q, v, a, place, slopes[0], slopes[1], slopes[2], slopes[3])
    wanted(t, params, aim)
    row = 0
    for i in range(n):
        if params[MOTOR_OF + i] < 0.0:
            a[row] = -torque[i] - params[STIFFNESS + i] * q[i] - params[DAMPING + i] * v[i]
            for j in range(n):
                matrix[row, j] = tables[2, i, j]
            row += 1
    for axis in range(2):
        if (int(params[OUTPUTS]) >> axis) % 2 == 1:
            a[row] = aim[2, axis] - place[2, axis]
            for j in range(n):
                matrix[row, j] = slopes[0, axis, j]
            row += 1
    if not eliminate(matrix, a):
        a[:] = math.nan
    for i in range(n):
        for j in range(n):
            torque[i] += tables[2, i, j] * a[j]


@separate(void(f8, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def motor_rates(t, q, v, qm, params, vm, a, scratch):
    """Motor rates that give the actuated joints their torque, (actuated,), and exact accelerations a (n,)."""
    n = int(params[JOINTS])
    torque, rest = scratch[0:n], scratch[n:]
    _exact_accelerations(t, q, v, params, a, torque, rest)
    for i in range(n):
        motor = int(params[MOTOR_OF + i])
        if motor >= 0:
            vm[motor] = v[i] + (torque[i] + params[STIFFNESS + i] * (q[i] - qm[motor])) / params[DAMPING + i]


@separate(RHS)
def exact(t, y, params, dy):
    """The exact inverse dynamics (zero dynamics included) as an ODE for y = (q, v, qm).

    It ends where a joint turns faster than `FASTEST`: there an unstable zero dynamics has run away.
    """
    n, gears = int(params[JOINTS]), params[GEARS] != 0.0
    for i in range(n):
        if not abs(y[n + i]) < FASTEST:
            dy[:] = math.nan
            return
    scratch = params[CHAIN + chain_size(n) :]
    q, v = y[0:n], y[n : 2 * n]
    for i in range(n):
        dy[i] = v[i]
    if gears:
        motor_rates(t, q, v, y[2 * n :], params, dy[2 * n :], dy[n : 2 * n], scratch)
    else:
        _exact_accelerations(t, q, v, params, dy[n : 2 * n], scratch[0:n], scratch[n:])


@compiled(void(VECTOR, MATRIX, VECTOR, MATRIX, MATRIX))
def unknowns(times, states, params, x, rate):
    """The unknowns (joints, motors, their rates) along exact states (q, v, qm), and their rates; both out, (m, 2 size).

    The motors' accelerations are a sixth-order central difference of their rates along the flow.
    """
    n, N = int(params[JOINTS]), int(params[ACTUATED] * params[GEARS])
    scratch = params[CHAIN + chain_size(n) :]
    d = states.shape[1]
    size = scratch_size(n) + 4 * n * n
    flow, moved = scratch[size : size + d], scratch[size + d : size + 2 * d]
    speed, a = scratch[size + 2 * d : size + 2 * d + N], scratch[size + 2 * d + N : size + 2 * d + N + n]
    step = 1e-4
    for m in range(times.size):
        t, y = times[m], states[m]
        exact(t, y, params, flow)
        for i in range(n):
            x[m, i], x[m, n + N + i], rate[m, n + N + i] = y[i], flow[i], flow[n + i]
        for i in range(N):
            x[m, n + i], x[m, 2 * n + N + i], rate[m, 2 * n + N + i] = y[2 * n + i], flow[2 * n + i], 0.0
        for i in range(n + N):
            rate[m, i] = x[m, n + N + i]
        for k in range(1, 4 if N else 1):
            weight = (0.75, -0.15, 1.0 / 60.0)[k - 1] / step
            for side in (1, -1):
                for j in range(d):
                    moved[j] = y[j] + side * k * step * flow[j]
                later = t + side * k * step
                motor_rates(later, moved[0:n], moved[n : 2 * n], moved[2 * n :], params, speed, a, scratch)
                for motor in range(N):
                    rate[m, 2 * n + N + motor] += side * weight * speed[motor]
