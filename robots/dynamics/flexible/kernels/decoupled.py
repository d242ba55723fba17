"""The decoupled inverse dynamics of an arm with one motor and one passive joint: an implicit ODE, then algebra.

The constraint gives the passive angle, its derivatives the passive rate and acceleration, as functions of time and of
the actuated joint's angle and rate, which are the only unknowns left.

Source: paper 5, equations (20) and (21); (20b) lacks a minus sign in print.
"""

from __future__ import annotations

import math
from math import asin, cos, sin

from robots.dynamics.flexible.kernels.inverse_dynamics import CHAIN, DAMPING, JOINTS, STIFFNESS, chain_size, wanted
from robots.dynamics.kernels.planar_chain import TABLES, UP, tool, torques
from solvers.kernels.signatures import MATRIX, SYSTEM, VECTOR, compiled, helper, separate, void

HEIGHT = 1


@helper
def passive_angle(t, q1, params, aim):
    """The passive joint's angle on the constraint; nan where the outer link cannot reach it. Fills `aim` (3, 2)."""
    n = int(params[JOINTS])
    lengths = params[CHAIN + TABLES + n * n + n :]
    wanted(t, params, aim)
    ratio = (-params[CHAIN + UP] * aim[0, HEIGHT] - lengths[0] * sin(q1)) / lengths[1]
    return asin(ratio) - q1 if abs(ratio) <= 1.0 else math.nan


@separate(SYSTEM)
def system(t, x, rate, alpha, params, F, J):
    """F and dF/dx + alpha dF/dx' for x = (q1, v1)."""
    n = int(params[JOINTS])
    scratch = params[CHAIN + chain_size(n) :]
    chain = params[CHAIN : CHAIN + chain_size(n)]
    aim, place = scratch[0:6].reshape(3, 2), scratch[6:12].reshape(3, 2)
    q, v, a, torque, work = scratch[12:14], scratch[14:16], scratch[16:18], scratch[18:20], scratch[20:26]
    slopes, tables = scratch[26:42].reshape(4, 2, 2), scratch[42:54].reshape(3, 2, 2)
    q[0], v[0], a[0] = x[0], x[1], rate[1]
    q[1], v[1], a[1] = passive_angle(t, x[0], params, aim), 0.0, 0.0
    # With v2 = a2 = 0 the tool's velocity and acceleration lack just the terms that v2 and a2 add.
    tool(chain, q, v, a, place, slopes[0], slopes[1], slopes[2], slopes[3])
    lever = slopes[0, HEIGHT, 1]
    v[1] = (aim[1, HEIGHT] - place[1, HEIGHT]) / lever
    tool(chain, q, v, a, place, slopes[0], slopes[1], slopes[2], slopes[3])
    a[1] = (aim[2, HEIGHT] - place[2, HEIGHT]) / lever
    tool(chain, q, v, a, place, slopes[0], slopes[1], slopes[2], slopes[3])
    torques(chain, q, v, a, torque, tables[0], tables[1], tables[2], work)
    k, d = params[STIFFNESS + 1], params[DAMPING + 1]
    F[0] = rate[0] - x[1]
    F[1] = torque[1] + k * q[1] + d * v[1]
    J[0, 0], J[0, 1] = alpha, -1.0
    first, speed, jerk, swing = slopes[0, HEIGHT], slopes[1, HEIGHT], slopes[2, HEIGHT], slopes[3, HEIGHT]
    for column in range(2):
        dq1, dv1, da1 = 1.0 - column, float(column), alpha * column
        dq2 = -first[0] * dq1 / lever
        dv2 = -(speed[0] * dq1 + speed[1] * dq2 + first[0] * dv1) / lever
        da2 = -(jerk[0] * dq1 + jerk[1] * dq2 + swing[0] * dv1 + swing[1] * dv2 + first[0] * da1) / lever
        J[1, column] = tables[0, 1, 0] * dq1 + (tables[0, 1, 1] + k) * dq2
        J[1, column] += tables[1, 1, 0] * dv1 + (tables[1, 1, 1] + d) * dv2
        J[1, column] += tables[2, 1, 0] * da1 + tables[2, 1, 1] * da2


@compiled(void(VECTOR, MATRIX, MATRIX, VECTOR, MATRIX, MATRIX))
def whole_states(times, states, slopes, params, out, rates):
    """The states (q1, q2, v1, v2) and their rates, (m, 4) each, that belong to (q1, v1) and its rates, (m, 2) each."""
    n = int(params[JOINTS])
    lengths = params[CHAIN + TABLES + n * n + n :]
    up = -params[CHAIN + UP]
    aim = params[CHAIN + chain_size(n) :][0:6].reshape(3, 2)
    for m in range(times.size):
        q1, v1, a1 = states[m, 0], states[m, 1], slopes[m, 1]
        q2 = passive_angle(times[m], q1, params, aim)
        c1, s1 = lengths[0] * cos(q1), lengths[0] * sin(q1)
        c, s = lengths[1] * cos(q1 + q2), lengths[1] * sin(q1 + q2)
        turn = (up * aim[1, HEIGHT] - c1 * v1) / c
        swing = (up * aim[2, HEIGHT] - c1 * a1 + s1 * v1 * v1 + s * turn * turn) / c
        out[m, 0], out[m, 1], out[m, 2], out[m, 3] = q1, q2, v1, turn - v1
        rates[m, 0], rates[m, 1], rates[m, 2], rates[m, 3] = v1, turn - v1, a1, swing - a1
