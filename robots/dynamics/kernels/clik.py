"""Closed-loop inverse kinematics of a serial arm: joint rates J+(q) (xd' + K e) as an ODE right-hand side.

The tool follows a path with position and orientation (six rows of the Jacobian) or with its position alone (three).

`params` holds the settings, the path and, behind them, the scratch memory of one run: a right-hand side has no other
memory and allocates nothing.

Source: paper 3, equations for the closed loop; damping after Y. Nakamura, H. Hanafusa, J. Dyn. Syst. Meas. Control
108 (1986); weights after T. F. Chan, R. V. Dubey, IEEE Trans. Robot. Autom. 11 (1995); manipulability after T.
Yoshikawa, IJRR 4 (1985).
"""

from __future__ import annotations

from math import atan2, sqrt

from numba import njit

from robots.dynamics.kernels.inverse import (
    NEARLY_SINGULAR,
    ascend,
    by_singular_values,
    gram_of,
    manipulability,
    solve_any,
    solve_six,
)
from robots.dynamics.kernels.paths import BLOCK, desired
from robots.dynamics.kernels.serial import COORDINATE, FASTEST, LOWER, RATIO, ROW, SHIFT, UPPER, forward, jacobian
from robots.dynamics.kernels.small_linear import cholesky, orthogonalise_rows
from robots.dynamics.kernels.views import part, rows
from solvers.kernels.signatures import MATRIX, RHS, VECTOR, compiled, f8, helper, separate, void

JOINTS, ROWS, GAIN_POSITION, GAIN_ORIENTATION, INVERSE, DAMPING, THRESHOLD, CUT_OFF = range(8)
# FOLLOWED is the number of coordinates where joints follow others, and 0 where each joint has its own.
NULL_TASK, NULL_GAIN, ELBOW, CLAMP, HELD, FOLLOWED, HELD_ERROR = 8, 9, 10, 11, 12, 13, 14
FLAGGED, FIRST_FLAG, LAST_FLAG = 20, 21, 22  # how often J J' was nearly singular, and when first and last [s]
PATH, BASE, TOOL = 23, 23 + BLOCK, 35 + BLOCK
_GRAM, _TASK, WANTED, END, TABLE = TOOL + 12, TOOL + 48, TOOL + 60, TOOL + 96, TOOL + 108
# Behind the table, in numbers a joint: axes, origins, the Jacobian of the joints and that of the coordinates, scratch;
# then, after a rest of 24, vectors.
_AXES, _ORIGINS, _EACH, _FREE, _WORK, _NULL, _WEIGHT, _POSTURE, _PLACES, _ALL = 12, 15, 18, 24, 30, 36, 38, 39, 40, 41
_REST = 24

PSEUDO_INVERSE, DAMPED_VARIABLE, DAMPED_CONSTANT, SINGULAR_VALUES, WEIGHTED = range(5)
NO_TASK, AVOID_LIMITS, ASCEND_MANIPULABILITY, HOLD_ELBOW = range(4)
CLAMP_NOTHING, CLAMP_SPEEDS, CLAMP_ANGLES, CLAMP_BOTH = range(4)


@helper
def spline_place(params):
    """Where the rows of the way-points' spline begin."""
    return TABLE + _ALL * int(params[JOINTS]) + _REST


@njit(cache=True, nogil=True, inline="always")
def table_of(params):
    """The arm's table, (joints, ROW)."""
    return rows(params, TABLE, int(params[JOINTS]), ROW)


@njit(cache=True, nogil=True, inline="always")
def jacobian_of(params, each=False):
    """The Jacobian that `kinematics` found, (6, n), or that of `each` joint, (6, joints)."""
    joints = int(params[JOINTS])
    if params[FOLLOWED] != 0.0 and not each:
        return rows(params, TABLE + _FREE * joints, 6, int(params[FOLLOWED]))
    return rows(params, TABLE + _EACH * joints, 6, joints)


@njit(cache=True, nogil=True, inline="always")
def _vector(params, share, size):
    """Scratch for a vector."""
    return part(params, TABLE + share * int(params[JOINTS]) + _REST, size)


@separate(void(VECTOR, MATRIX, VECTOR))
def _expand(q, table, places):
    """Positions of all joints, (joints,), for those of the coordinates, (n,) [rad or m]."""
    for i in range(places.size):
        places[i] = table[i, RATIO] * q[int(table[i, COORDINATE])] + table[i, SHIFT]


@separate(void(MATRIX, MATRIX, MATRIX))
def _fold(each, table, jac):
    """A coordinate's column of the Jacobian is the sum of its joints' columns, each times the joint's ratio."""
    jac[:] = 0.0
    for i in range(each.shape[1]):
        for row in range(6):
            jac[row, int(table[i, COORDINATE])] += table[i, RATIO] * each[row, i]


@separate(void(VECTOR, VECTOR), no_cpython_wrapper=False)
def kinematics(q, params):
    """Fill the scratch with axes, origins, tool and Jacobian at q, (n,) [rad or m]."""
    joints, table = int(params[JOINTS]), table_of(params)
    axes, origins = rows(params, TABLE + _AXES * joints, joints, 3), rows(params, TABLE + _ORIGINS * joints, joints, 3)
    base, tool, end = rows(params, BASE, 4, 3), rows(params, TOOL, 4, 3), rows(params, END, 4, 3)
    each = jacobian_of(params, True)
    if params[FOLLOWED] != 0.0:
        places = _vector(params, _PLACES, joints)
        _expand(q, table, places)
        q = places
    forward(table, q, base, tool, axes, origins, end)
    jacobian(table, axes, origins, end[3], each)
    if params[FOLLOWED] != 0.0:
        _fold(each, table, jacobian_of(params))


@njit(cache=True, nogil=True, inline="always")
def _posture(q, params):
    """Where the joints are: q, or where they stop when they are clamped at their limits, (n,) [rad or m]."""
    if params[CLAMP] < CLAMP_ANGLES:
        return q
    stopped, table = _vector(params, _POSTURE, q.size), table_of(params)
    for k in range(stopped.size):
        stopped[k] = min(max(q[k], table[k, LOWER]), table[k, UPPER])
    return stopped


@separate(void(f8, VECTOR, VECTOR))
def task_error(t, params, error):
    """e = (p_d - p, 1/2 sum_i R_i x Rd_i), (6,) [m, -], after `kinematics`; the desired pose is left in the scratch."""
    wanted, first = part(params, WANTED, 18), spline_place(params)
    spline = rows(params, first, (params.size - first) // 13, 13)
    desired(t, part(params, PATH, BLOCK), spline, wanted, part(params, WANTED + 18, 18))
    # Entry by entry: every view of an array costs more than the cross product that it would spare.
    x, y, z = 0.0, 0.0, 0.0
    for column in range(0, 9, 3):
        ax, ay, az = params[END + column], params[END + column + 1], params[END + column + 2]
        bx, by, bz = wanted[6 + column], wanted[7 + column], wanted[8 + column]
        x += ay * bz - az * by
        y += az * bx - ax * bz
        z += ax * by - ay * bx
    error[3], error[4], error[5] = 0.5 * x, 0.5 * y, 0.5 * z
    for k in range(3):
        error[k] = wanted[k] - params[END + 9 + k]


@separate(void(VECTOR, VECTOR, VECTOR, VECTOR))
def _joint_limit_weights(q, qd, params, weights):
    """W^-1 of Chan and Dubey: a joint that moves towards its limit becomes heavy, one that leaves it is free."""
    table = table_of(params)
    for i in range(weights.size):
        low, high = table[i, LOWER], table[i, UPPER]
        below, above = q[i] - low, high - q[i]
        weights[i] = 1.0
        if below <= 0.0 or above <= 0.0:
            weights[i] = 1e-3
            continue
        slope = (high - low) ** 2 * (2.0 * q[i] - high - low) / (4.0 * (above * below) ** 2)
        if slope * qd[i] >= 0.0:
            weights[i] = 1.0 / (1.0 + abs(slope))


@separate(void(VECTOR, VECTOR, MATRIX, MATRIX, VECTOR, VECTOR))
def _null_motion(q, params, jac, gram, work, z):
    """The rates z of the coordinates that the null space is asked for, (n,) [rad/s or m/s]."""
    task, gain, table = params[NULL_TASK], params[NULL_GAIN], table_of(params)
    n = z.size
    for k in range(n):
        z[k] = 0.0
    if task == AVOID_LIMITS:
        for i in range(n):
            low, high = table[i, LOWER], table[i, UPPER]
            z[i] = -gain * (q[i] - 0.5 * (low + high)) / ((high - low) ** 2)
    elif task == HOLD_ELBOW:
        z[2] = gain * (params[ELBOW] - q[2])
    elif task == ASCEND_MANIPULABILITY:
        ascend(jac, jacobian_of(params, True), table, gram, gain, work, z)


@njit(cache=True, nogil=True, inline="always")
def _invert(t, jac, command, params, weights, gram, work, qd):
    """qd += W^-1 J' (J W^-1 J' + k I)^-1 command, or by singular values; notes a nearly singular Cholesky factor."""
    inverse, m, damping = params[INVERSE], command.size, 0.0
    if inverse == SINGULAR_VALUES:
        by_singular_values(jac, command, params[CUT_OFF], work, qd)
        return
    gram_of(jac, weights, gram)
    if inverse == DAMPED_CONSTANT:
        damping = params[DAMPING]
    elif inverse == DAMPED_VARIABLE:
        w = 0.0
        if cholesky(gram) > 0.0:
            w = manipulability(gram)
        if w < params[THRESHOLD]:
            damping = params[DAMPING] * (1.0 - w / params[THRESHOLD]) ** 2
        gram_of(jac, weights, gram)
    for i in range(m):
        gram[i, i] += damping
    kept = part(params, _TASK, m)
    for i in range(m):
        kept[i] = command[i]
    if params[ROWS] == 6.0:
        pivot = solve_six(gram, command)
    else:
        pivot = solve_any(gram, command)
    if pivot <= NEARLY_SINGULAR:
        if params[FLAGGED] == 0.0:
            params[FIRST_FLAG] = t
        params[FLAGGED] += 1.0
        params[LAST_FLAG] = max(t, params[LAST_FLAG])
        by_singular_values(jac, kept, 1e-7, work, qd)
        return
    for k in range(qd.size):
        total = 0.0
        for i in range(m):
            total += jac[i, k] * command[i]
        qd[k] += weights[k] * total


@separate(void(VECTOR, VECTOR, VECTOR))
def _stop(q, qd, params):
    """Stop joints at or beyond a limit."""
    table = table_of(params)
    for k in range(qd.size):
        if (q[k] >= table[k, UPPER] and qd[k] > 0.0) or (q[k] <= table[k, LOWER] and qd[k] < 0.0):
            qd[k] = 0.0


@separate(void(VECTOR, VECTOR))
def _slow_down(qd, params):
    """Scale all joint rates by one factor so that none exceeds its limit."""
    factor, table = 1.0, table_of(params)
    for k in range(qd.size):
        factor = max(factor, abs(qd[k]) / table[k, FASTEST])
    for k in range(qd.size):
        qd[k] /= factor


@compiled(RHS)
def begin_step(t, q, params, unused):
    """Hold the task error of the step's start, for feedback that is sampled once a step."""
    kinematics(_posture(q, params), params)
    task_error(t, params, part(params, HELD_ERROR, 6))


@separate(RHS)
def rhs(t, q, params, qd):
    """qd = J+(q) (xd'(t) + K e), plus the null-space motion; optionally clamped at the joints' limits."""
    q = _posture(q, params)
    kinematics(q, params)
    n, m = qd.size, int(params[ROWS])
    jac, gram, joints = jacobian_of(params), rows(params, _GRAM, m, m), int(params[JOINTS])
    work = part(params, TABLE + _WORK * joints, (_NULL - _WORK) * joints + _REST)
    error, command = part(params, _TASK, 6), part(params, _TASK + 6, m)
    z, weights = _vector(params, _NULL, n), _vector(params, _WEIGHT, n)
    task_error(t, params, error)
    if params[HELD] != 0.0:
        error = part(params, HELD_ERROR, 6)
    for k in range(3):
        command[k] = params[WANTED + 3 + k] + params[GAIN_POSITION] * error[k]
    for k in range(3, m):
        command[k] = params[WANTED + 12 + k] + params[GAIN_ORIENTATION] * error[k]
    for k in range(n):
        qd[k], weights[k] = 0.0, 1.0
    if params[NULL_TASK] != NO_TASK:
        _null_motion(q, params, jac, gram, work, z)
        for k in range(n):
            qd[k] = z[k]
            for i in range(m):
                command[i] -= jac[i, k] * z[k]
    if params[INVERSE] == WEIGHTED:
        rate = _vector(params, _NULL + 1, n)
        for k in range(n):
            rate[k] = 0.0
            for i in range(m):
                rate[k] += jac[i, k] * command[i]
        _joint_limit_weights(q, rate, params, weights)
    _invert(t, jac, command, params, weights, gram, work, qd)
    if params[CLAMP] >= CLAMP_ANGLES:
        _stop(q, qd, params)
    if params[CLAMP] == CLAMP_SPEEDS or params[CLAMP] == CLAMP_BOTH:
        _slow_down(qd, params)


@separate(void(f8, VECTOR, VECTOR, VECTOR))
def _judge(t, q, params, row):
    """row[0:3] = position error [m], |e_o| (sine of the angle), angle between the orientations [rad]."""
    kinematics(q, params)
    task_error(t, params, part(params, _TASK, 6))
    place, sine, trace = 0.0, 0.0, 0.0
    for k in range(3):
        place += params[_TASK + k] ** 2
        sine += params[_TASK + 3 + k] ** 2
    for k in range(9):
        trace += params[END + k] * params[WANTED + 6 + k]
    row[0], row[1], row[2] = sqrt(place), sqrt(sine), atan2(sqrt(sine), 0.5 * (trace - 1.0))


@compiled(void(VECTOR, MATRIX, VECTOR, MATRIX))
def judge(times, states, params, out):
    """The tracking errors at every (t, q): out is (m, 3), its columns as the first ones of `measure`."""
    for m in range(times.size):
        _judge(times[m], states[m], params, out[m])


@compiled(void(VECTOR, MATRIX, VECTOR, MATRIX))
def measure(times, states, params, out):
    """The errors and measures of a run, at every (t, q): out is (m, 6).

    Columns: position error [m], |e_o| (sine of the angle), angle between the orientations [rad], manipulability,
        smallest singular value, smallest pivot of J J' relative to its diagonal entry (0 when not positive).
    """
    jac, m = jacobian_of(params), int(params[ROWS])
    n = jac.shape[1]
    g, turned = rows(params, TABLE + _WORK * int(params[JOINTS]), m, n), part(params, _TASK + 6, m)
    gram, weights = rows(params, _GRAM, m, m), _vector(params, _WEIGHT, n)
    for k in range(n):
        weights[k] = 1.0
    for row in range(times.size):
        _judge(times[row], states[row], params, out[row])
        for i in range(m):
            turned[i] = 0.0
            for k in range(n):
                g[i, k] = jac[i, k]
        orthogonalise_rows(g, turned)
        product, smallest = 1.0, 1e300
        for i in range(m):
            squared = 0.0
            for k in range(n):
                squared += g[i, k] * g[i, k]
            product *= sqrt(squared)
            smallest = min(smallest, sqrt(squared))
        gram_of(jac, weights, gram)
        out[row, 3], out[row, 4], out[row, 5] = product, smallest, cholesky(gram)


@compiled(void(VECTOR, MATRIX, VECTOR, MATRIX))
def rates(times, states, params, out):
    """The right-hand side at every (t, q): out is (m, joints) [rad/s or m/s]."""
    for m in range(times.size):
        rhs(times[m], states[m], params, out[m])
