"""The exact inverse dynamics of the planar flexible arm as an ODE.

It reads the parameters of `robots.dynamics.flexible.kernels.inverse_dynamics`. The state is (q, v, qm): accelerations
follow from the passive joints' torque balances together with the twice differentiated constraint, motor rates from the
actuated ones'.
"""

from __future__ import annotations

import math

from numba import njit

from robots.dynamics.flexible.kernels.inverse_dynamics import (
    ACTUATED,
    CHAIN,
    DAMPING,
    GEARS,
    INERTIA,
    JOINTS,
    MOTOR_OF,
    OUTPUTS,
    PRINTED,
    STIFFNESS,
    chain_size,
    scratch_size,
    wanted,
)
from robots.dynamics.kernels.planar_chain import tool, torques
from robots.dynamics.kernels.small_linear import eliminate

FASTEST = 2e3
"""Speed at which an exact solution has run away [rad/s]."""


@njit(cache=True, nogil=True)
def parameters_end(params):
    """Where the parameters and the scratch memory of this module end."""
    n = int(params[JOINTS])
    return CHAIN + chain_size(n) + scratch_size(n) + 4 * n * n + 16 * n + 32


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def motor_rates(t, q, v, qm, params, vm, a, scratch):
    """Motor rates that give the actuated joints their torque, (actuated,), and exact accelerations a (n,)."""
    n = int(params[JOINTS])
    torque, rest = scratch[0:n], scratch[n:]
    _exact_accelerations(t, q, v, params, a, torque, rest)
    for i in range(n):
        motor = int(params[MOTOR_OF + i])
        if motor >= 0:
            vm[motor] = v[i] + (torque[i] + params[STIFFNESS + i] * (q[i] - qm[motor])) / params[DAMPING + i]


@njit("void(f8, f8[::1], f8[::1], f8[::1])", cache=True, nogil=True)
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


@njit("void(f8[::1], f8[:, ::1], f8[::1], f8[:, ::1], f8[:, ::1])", cache=True, nogil=True)
def exact_outputs(times, states, params, motors, u):
    """Motor rates and torques along exact states (q, v, qm): both out, (m, actuated).

    With gears u needs vm', which is a sixth-order central difference of vm along the flow.
    """
    n, gears, N = int(params[JOINTS]), params[GEARS] != 0.0, int(params[ACTUATED])
    scratch = params[CHAIN + chain_size(n) :]
    d = states.shape[1]
    size = scratch_size(n) + 4 * n * n
    flow, moved, slope, left, right = (
        scratch[size : size + d],
        scratch[size + d : size + 2 * d],
        scratch[size + 2 * d : size + 2 * d + N],
        scratch[size + 2 * d + N : size + 2 * d + 2 * N],
        scratch[size + 2 * d + 2 * N : size + 2 * d + 3 * N],
    )
    a = scratch[size + 2 * d + 3 * N : size + 2 * d + 3 * N + n]
    for m in range(times.size):
        t, y = times[m], states[m]
        exact(t, y, params, flow)
        if not gears:
            _exact_accelerations(t, y[0:n], y[n : 2 * n], params, a, scratch[0:n], scratch[n:])
            for i in range(n):
                motor = int(params[MOTOR_OF + i])
                if motor >= 0:
                    motors[m, motor] = y[n + i]
                    u[m, motor] = scratch[i]
                    if params[PRINTED] != 0.0:
                        for j in range(n):
                            if params[MOTOR_OF + j] < 0.0:
                                u[m, motor] -= params[STIFFNESS + j] * y[j] + params[DAMPING + j] * y[n + j]
            continue
        for motor in range(N):
            motors[m, motor] = flow[2 * n + motor]
            slope[motor] = 0.0
        step = 1e-4
        for k in range(1, 4):
            weight = (0.75, -0.15, 1.0 / 60.0)[k - 1] / step
            for j in range(d):
                moved[j] = y[j] + k * step * flow[j]
            motor_rates(t + k * step, moved[0:n], moved[n : 2 * n], moved[2 * n :], params, right, a, scratch)
            for j in range(d):
                moved[j] = y[j] - k * step * flow[j]
            motor_rates(t - k * step, moved[0:n], moved[n : 2 * n], moved[2 * n :], params, left, a, scratch)
            for motor in range(N):
                slope[motor] += weight * (right[motor] - left[motor])
        for i in range(n):
            motor = int(params[MOTOR_OF + i])
            if motor >= 0:
                k_spring, damper = params[STIFFNESS + i], params[DAMPING + i]
                twist = k_spring * (y[i] - y[2 * n + motor]) + damper * (y[n + i] - flow[2 * n + motor])
                u[m, motor] = params[INERTIA + motor] * slope[motor] - twist
