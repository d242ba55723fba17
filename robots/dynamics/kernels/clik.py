"""Closed-loop inverse kinematics of a seven-axis arm: joint rates J+(q) (xd' + K e) as an ODE right-hand side.

`params` holds the settings, the path and, behind them, the scratch memory of one run: a right-hand side has no other
memory and allocates nothing.

Source: paper 3, equations for the closed loop; damping after Y. Nakamura, H. Hanafusa, J. Dyn. Syst. Meas. Control
108 (1986); weights after T. F. Chan, R. V. Dubey, IEEE Trans. Robot. Autom. 11 (1995); manipulability after T.
Yoshikawa, IJRR 4 (1985).
"""

from __future__ import annotations

from math import atan2, sqrt

from numba import njit

from robots.dynamics.kernels.paths import BLOCK, desired
from robots.dynamics.kernels.serial import cross, forward, jacobian
from robots.dynamics.kernels.small_linear import cholesky, cholesky_solve, orthogonalise_rows

AXES = 7
DH, LOWER, UPPER, FASTEST = 0, 28, 35, 42
GAIN_POSITION, GAIN_ORIENTATION, INVERSE, DAMPING, THRESHOLD, CUT_OFF = 49, 50, 51, 52, 53, 54
NULL_TASK, NULL_GAIN, ELBOW, CLAMP, HELD, HELD_ERROR = 55, 56, 57, 58, 59, 60
FLAGGED, FIRST_FLAG, LAST_FLAG = 66, 67, 68  # how often J J' was nearly singular, and when first and last [s]
PATH = 69
SCRATCH = PATH + BLOCK
_FRAMES, JACOBIAN, _WORK, _GRAM, _TASK, _NULL, _WEIGHT, _PATH, _POSTURE = 0, 54, 96, 138, 174, 186, 200, 214, 250
SPLINE = SCRATCH + 258

PSEUDO_INVERSE, DAMPED_VARIABLE, DAMPED_CONSTANT, SINGULAR_VALUES, WEIGHTED = range(5)
NO_TASK, AVOID_LIMITS, ASCEND_MANIPULABILITY, HOLD_ELBOW = range(4)
CLAMP_NOTHING, CLAMP_SPEEDS, CLAMP_ANGLES, CLAMP_BOTH = range(4)
NEARLY_SINGULAR = 1e-13
"""A Cholesky pivot of J J' that is a smaller share of its diagonal entry is round-off."""


@njit(cache=True, nogil=True, inline="always")
def kinematics(q, params):
    """Fill the scratch with axes, origins, flange and Jacobian at q, (7,) [rad]."""
    frames = params[SCRATCH + _FRAMES : SCRATCH + _FRAMES + 54]
    axes, origins = frames[0:21].reshape(AXES, 3), frames[21:42].reshape(AXES, 3)
    end = frames[42:54].reshape(4, 3)
    forward(params[DH : DH + 28].reshape(AXES, 4), q, axes, origins, end)
    jacobian(axes, origins, end[3], params[SCRATCH + JACOBIAN : SCRATCH + JACOBIAN + 42].reshape(6, AXES))


@njit(cache=True, nogil=True, inline="always")
def _posture(q, params):
    """Where the joints are: q, or where they stop when they are clamped at their limits, (7,) [rad]."""
    if params[CLAMP] < CLAMP_ANGLES:
        return q
    stopped = params[SCRATCH + _POSTURE : SCRATCH + _POSTURE + AXES]
    for k in range(AXES):
        stopped[k] = min(max(q[k], params[LOWER + k]), params[UPPER + k])
    return stopped


@njit(cache=True, nogil=True, inline="always")
def task_error(t, params, error):
    """e = (p_d - p, 1/2 sum_i R_i x Rd_i), (6,) [m, -], after `kinematics`; the desired pose is left in the scratch."""
    wanted = params[SCRATCH + _PATH : SCRATCH + _PATH + 18]
    spline = params[SPLINE:].reshape((params.size - SPLINE) // 13, 13)
    desired(t, params[PATH : PATH + BLOCK], spline, wanted, params[SCRATCH + _PATH + 18 : SCRATCH + _PATH + 36])
    # Entry by entry: every view of an array costs more than the cross product that it would spare.
    end = SCRATCH + _FRAMES + 42
    x, y, z = 0.0, 0.0, 0.0
    for column in range(0, 9, 3):
        ax, ay, az = params[end + column], params[end + column + 1], params[end + column + 2]
        bx, by, bz = wanted[6 + column], wanted[7 + column], wanted[8 + column]
        x += ay * bz - az * by
        y += az * bx - ax * bz
        z += ax * by - ay * bx
    error[3], error[4], error[5] = 0.5 * x, 0.5 * y, 0.5 * z
    for k in range(3):
        error[k] = wanted[k] - params[end + 9 + k]


@njit(cache=True, nogil=True, inline="always")
def _gram(jac, weights, gram):
    """gram = J W^-1 J', (6, 6), lower triangle and diagonal; `weights` holds W^-1's diagonal."""
    for i in range(6):
        for j in range(i + 1):
            total = 0.0
            for k in range(AXES):
                total += jac[i, k] * weights[k] * jac[j, k]
            gram[i, j] = total


@njit(cache=True, nogil=True, inline="always")
def _factorise(gram, x):
    """Solve gram x = b in place by Cholesky, six rows: the loops' constant bounds let the compiler unroll them.

    Afterwards `gram` holds the factor below its diagonal and the reciprocals of the factor's diagonal in it.

    Returns:
        The smallest pivot relative to its diagonal entry; 0.0 when a pivot is not positive, and then the result is
        useless.
    """
    smallest = 1.0
    for j in range(6):
        diagonal = gram[j, j]
        pivot = diagonal
        rest = x[j]
        for k in range(j):
            pivot -= gram[j, k] * gram[j, k]
            rest -= gram[j, k] * x[k]
        if not pivot > 0.0:
            return 0.0
        if pivot < smallest * diagonal:
            smallest = pivot / diagonal
        inverse = 1.0 / sqrt(pivot)
        gram[j, j] = inverse
        x[j] = rest * inverse
        for i in range(j + 1, 6):
            total = gram[i, j]
            for k in range(j):
                total -= gram[i, k] * gram[j, k]
            gram[i, j] = total * inverse
    for j in range(5, -1, -1):
        rest = x[j]
        for k in range(j + 1, 6):
            rest -= gram[k, j] * x[k]
        x[j] = rest * gram[j, j]
    return smallest


@njit(cache=True, nogil=True)
def _manipulability(factor):
    """w = sqrt(det J J') = product of the Cholesky factor's diagonal."""
    w = 1.0
    for i in range(6):
        w *= factor[i, i]
    return w


@njit(cache=True, nogil=True)
def _joint_limit_weights(q, qd, params, weights):
    """W^-1 of Chan and Dubey: a joint that moves towards its limit becomes heavy, one that leaves it is free."""
    for i in range(AXES):
        low, high = params[LOWER + i], params[UPPER + i]
        below, above = q[i] - low, high - q[i]
        weights[i] = 1.0
        if below <= 0.0 or above <= 0.0:
            weights[i] = 1e-3
            continue
        slope = (high - low) ** 2 * (2.0 * q[i] - high - low) / (4.0 * (above * below) ** 2)
        if slope * qd[i] >= 0.0:
            weights[i] = 1.0 / (1.0 + abs(slope))


@njit(cache=True, nogil=True)
def _ascend(jac, axes, gram, gain, work, z):
    """z = gain * grad w: dw/dq_k = w tr((J J')^-1 dJ/dq_k J').  `gram` is spoilt; work is (42,)."""
    weights = work[0:AXES]
    for k in range(AXES):
        weights[k] = 1.0
    _gram(jac, weights, gram)
    if cholesky(gram) <= NEARLY_SINGULAR:
        return
    w = _manipulability(gram)
    column, product, moved = work[7:13], work[13:16], work[16:22]
    for i in range(AXES):
        for row in range(6):
            column[row] = jac[row, i]
        cholesky_solve(gram, column)
        for k in range(AXES):
            # dJ_i/dq_k: joint k carries joint i when k <= i, else it moves the tool alone.
            if k <= i:
                cross(axes[k], jac[0:3, i], product)
                moved[0], moved[1], moved[2] = product[0], product[1], product[2]
                cross(axes[k], jac[3:6, i], product)
                moved[3], moved[4], moved[5] = product[0], product[1], product[2]
            else:
                cross(axes[i], jac[0:3, k], product)
                moved[0], moved[1], moved[2] = product[0], product[1], product[2]
                moved[3] = moved[4] = moved[5] = 0.0
            total = 0.0
            for row in range(6):
                total += column[row] * moved[row]
            z[k] += gain * w * total


@njit(cache=True, nogil=True)
def _null_motion(q, params, jac, gram, work, z):
    """The joint rates z that the null space is asked for, (7,) [rad/s]."""
    task, gain = params[NULL_TASK], params[NULL_GAIN]
    for i in range(AXES):
        z[i] = 0.0
    if task == AVOID_LIMITS:
        for i in range(AXES):
            low, high = params[LOWER + i], params[UPPER + i]
            z[i] = -gain * (q[i] - 0.5 * (low + high)) / ((high - low) ** 2)
    elif task == HOLD_ELBOW:
        z[2] = gain * (params[ELBOW] - q[2])
    elif task == ASCEND_MANIPULABILITY:
        axes = params[SCRATCH + _FRAMES : SCRATCH + _FRAMES + 21].reshape(AXES, 3)
        _ascend(jac, axes, gram, gain, work, z)


@njit(cache=True, nogil=True)
def _by_singular_values(jac, command, cut_off, work, qd):
    """qd += J+ command, singular values at or below `cut_off` left out; `command` is spoilt, work is (42,)."""
    g = work.reshape(6, AXES)
    for i in range(6):
        for k in range(AXES):
            g[i, k] = jac[i, k]
    orthogonalise_rows(g, command)
    for i in range(6):
        squared = 0.0
        for k in range(AXES):
            squared += g[i, k] * g[i, k]
        if squared > cut_off * cut_off:
            for k in range(AXES):
                qd[k] += command[i] * g[i, k] / squared


@njit(cache=True, nogil=True, inline="always")
def _invert(t, jac, command, params, weights, gram, work, qd):
    """qd += W^-1 J' (J W^-1 J' + k I)^-1 command, or by singular values; notes a nearly singular Cholesky factor."""
    inverse = params[INVERSE]
    if inverse == SINGULAR_VALUES:
        _by_singular_values(jac, command, params[CUT_OFF], work, qd)
        return
    _gram(jac, weights, gram)
    damping = 0.0
    if inverse == DAMPED_CONSTANT:
        damping = params[DAMPING]
    elif inverse == DAMPED_VARIABLE:
        w = 0.0
        if cholesky(gram) > 0.0:
            w = _manipulability(gram)
        if w < params[THRESHOLD]:
            damping = params[DAMPING] * (1.0 - w / params[THRESHOLD]) ** 2
        _gram(jac, weights, gram)
    for i in range(6):
        gram[i, i] += damping
    kept = work[0:6]
    for i in range(6):
        kept[i] = command[i]
    if _factorise(gram, command) <= NEARLY_SINGULAR:
        if params[FLAGGED] == 0.0:
            params[FIRST_FLAG] = t
        params[FLAGGED] += 1.0
        params[LAST_FLAG] = max(t, params[LAST_FLAG])
        for i in range(6):
            command[i] = kept[i]
        _by_singular_values(jac, command, 1e-7, work, qd)
        return
    for k in range(AXES):
        total = 0.0
        for i in range(6):
            total += jac[i, k] * command[i]
        qd[k] += weights[k] * total


@njit(cache=True, nogil=True)
def _stop(q, qd, params):
    """Stop joints at or beyond a limit."""
    for k in range(AXES):
        if (q[k] >= params[UPPER + k] and qd[k] > 0.0) or (q[k] <= params[LOWER + k] and qd[k] < 0.0):
            qd[k] = 0.0


@njit(cache=True, nogil=True)
def _slow_down(qd, params):
    """Scale all joint rates by one factor so that none exceeds its limit."""
    factor = 1.0
    for k in range(AXES):
        factor = max(factor, abs(qd[k]) / params[FASTEST + k])
    for k in range(AXES):
        qd[k] /= factor


@njit("void(f8, f8[::1], f8[::1], f8[::1])", cache=True, nogil=True)
def begin_step(t, q, params, unused):
    """Hold the task error of the step's start, for feedback that is sampled once a step."""
    kinematics(_posture(q, params), params)
    task_error(t, params, params[HELD_ERROR : HELD_ERROR + 6])


@njit("void(f8, f8[::1], f8[::1], f8[::1])", cache=True, nogil=True)
def rhs(t, q, params, qd):
    """qd = J+(q) (xd'(t) + K e), plus the null-space motion; optionally clamped at the joints' limits."""
    q = _posture(q, params)
    kinematics(q, params)
    scratch = params[SCRATCH:SPLINE]
    jac = scratch[JACOBIAN : JACOBIAN + 42].reshape(6, AXES)
    gram = scratch[_GRAM : _GRAM + 36].reshape(6, 6)
    work, error, command = scratch[_WORK : _WORK + 42], scratch[_TASK : _TASK + 6], scratch[_TASK + 6 : _TASK + 12]
    z, weights = scratch[_NULL : _NULL + AXES], scratch[_WEIGHT : _WEIGHT + AXES]
    task_error(t, params, error)
    if params[HELD] != 0.0:
        error = params[HELD_ERROR : HELD_ERROR + 6]
    wanted = scratch[_PATH : _PATH + 18]
    for k in range(3):
        command[k] = wanted[3 + k] + params[GAIN_POSITION] * error[k]
        command[3 + k] = wanted[15 + k] + params[GAIN_ORIENTATION] * error[3 + k]
    for k in range(AXES):
        qd[k] = 0.0
        weights[k] = 1.0
    if params[NULL_TASK] != NO_TASK:
        _null_motion(q, params, jac, gram, work, z)
        for k in range(AXES):
            qd[k] = z[k]
            for i in range(6):
                command[i] -= jac[i, k] * z[k]
    if params[INVERSE] == WEIGHTED:
        rate = scratch[_NULL + AXES : _NULL + 2 * AXES]
        for k in range(AXES):
            rate[k] = 0.0
            for i in range(6):
                rate[k] += jac[i, k] * command[i]
        _joint_limit_weights(q, rate, params, weights)
    _invert(t, jac, command, params, weights, gram, work, qd)
    if params[CLAMP] >= CLAMP_ANGLES:
        _stop(q, qd, params)
    if params[CLAMP] == CLAMP_SPEEDS or params[CLAMP] == CLAMP_BOTH:
        _slow_down(qd, params)


@njit(cache=True, nogil=True, inline="always")
def _judge(t, q, params, row):
    """row[0:3] = position error [m], |e_o| (sine of the angle), angle between the orientations [rad]."""
    kinematics(q, params)
    task_error(t, params, params[SCRATCH + _TASK : SCRATCH + _TASK + 6])
    error, end, wanted = SCRATCH + _TASK, SCRATCH + _FRAMES + 42, SCRATCH + _PATH + 6
    place, sine, trace = 0.0, 0.0, 0.0
    for k in range(3):
        place += params[error + k] ** 2
        sine += params[error + 3 + k] ** 2
    for k in range(9):
        trace += params[end + k] * params[wanted + k]
    row[0], row[1], row[2] = sqrt(place), sqrt(sine), atan2(sqrt(sine), 0.5 * (trace - 1.0))


@njit("void(f8[::1], f8[:, ::1], f8[::1], f8[:, ::1])", cache=True, nogil=True)
def judge(times, states, params, out):
    """The tracking errors at every (t, q): out is (m, 3), its columns as the first ones of `measure`."""
    for m in range(times.size):
        _judge(times[m], states[m], params, out[m])


@njit("void(f8[::1], f8[:, ::1], f8[::1], f8[:, ::1])", cache=True, nogil=True)
def measure(times, states, params, out):
    """The errors and measures of a run, at every (t, q): out is (m, 6).

    Columns: position error [m], |e_o| (sine of the angle), angle between the orientations [rad], manipulability,
        smallest singular value, smallest pivot of J J' relative to its diagonal entry (0 when not positive).
    """
    g = params[SCRATCH + _WORK : SCRATCH + _WORK + 42].reshape(6, AXES)
    jac = params[SCRATCH + JACOBIAN : SCRATCH + JACOBIAN + 42].reshape(6, AXES)
    turned = params[SCRATCH + _TASK + 6 : SCRATCH + _TASK + 12]
    gram = params[SCRATCH + _GRAM : SCRATCH + _GRAM + 36].reshape(6, 6)
    weights = params[SCRATCH + _WEIGHT : SCRATCH + _WEIGHT + AXES]
    weights[:] = 1.0
    for m in range(times.size):
        _judge(times[m], states[m], params, out[m])
        for i in range(6):
            turned[i] = 0.0
            for k in range(AXES):
                g[i, k] = jac[i, k]
        orthogonalise_rows(g, turned)
        product, smallest = 1.0, 1e300
        for i in range(6):
            squared = 0.0
            for k in range(AXES):
                squared += g[i, k] * g[i, k]
            product *= sqrt(squared)
            smallest = min(smallest, sqrt(squared))
        _gram(jac, weights, gram)
        out[m, 3], out[m, 4], out[m, 5] = product, smallest, cholesky(gram)


@njit("void(f8[::1], f8[:, ::1], f8[::1], f8[:, ::1])", cache=True, nogil=True)
def rates(times, states, params, out):
    """The right-hand side at every (t, q): out is (m, 7) [rad/s]."""
    for m in range(times.size):
        rhs(times[m], states[m], params, out[m])
