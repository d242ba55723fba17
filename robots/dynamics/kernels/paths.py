"""The desired path of a tool: where it should be and how it should turn at time t, compiled and allocation-free.

A path is a curve in local coordinates along U, V, N, run through by the path time s(t); s is given by the time law.
The numbers of one path are in a block of `BLOCK` floats whose places are the constants below; the robot's task writes
it.
"""

from __future__ import annotations

from math import atan2, cos, sin

from numba import njit

from robots.dynamics.kernels.curves import (
    constant,
    figure_eight,
    line,
    quintic,
    rounded_square,
    swinging,
    trapezoid,
    turn,
    turning,
)
from robots.dynamics.kernels.views import part
from solvers.kernels.signatures import MATRIX, VECTOR, compiled, f8, helper, separate, void

KIND, LAW, SPAN, SIZE, RATE, PHASE, PITCH, CORNER, CLOSED = range(9)
ORIGIN, U, V, N = 9, 12, 15, 18
TURNING, AXIS, AMPLITUDE, TURN_RATE, START_FRAME, SEGMENTS = 21, 22, 25, 26, 27, 36
BLOCK = 40

CIRCLE, LINE, ROUNDED_SQUARE, FIGURE_EIGHT, HELIX, WAY_POINTS = range(6)
CONSTANT_SPEED, TRAPEZOID, QUINTIC = range(3)
FIXED, UNIFORM, SWINGING, TANGENT = range(4)


@helper
def path_time(t, block):
    """(s, s'): path time [s] and its rate, by the time law."""
    law, span = block[LAW], block[SPAN]
    if law == CONSTANT_SPEED:
        return constant(t, span, block[CLOSED] != 0.0)
    if law == QUINTIC:
        return quintic(t, span)
    return trapezoid(t, span)


@separate(void(VECTOR, MATRIX, f8, VECTOR, VECTOR, VECTOR))
def _spline(block, spline, s, place, rate, bend):
    """A cubic spline: rows of `spline`, (segments, 13), are a start [s] and four coefficients a coordinate."""
    k = 0
    for row in range(1, int(block[SEGMENTS])):
        if s >= spline[row, 0]:
            k = row
    x = s - spline[k, 0]
    for axis in range(3):
        first = 1 + 4 * axis
        a, b, c, d = spline[k, first], spline[k, first + 1], spline[k, first + 2], spline[k, first + 3]
        place[axis] = ((a * x + b) * x + c) * x + d
        rate[axis] = (3.0 * a * x + 2.0 * b) * x + c
        bend[axis] = 6.0 * a * x + 2.0 * b


@njit(cache=True, nogil=True, inline="always")
def _write(rows, place, rate, bend):
    place[0], place[1], place[2] = rows[0]
    rate[0], rate[1], rate[2] = rows[1]
    bend[0], bend[1], bend[2] = rows[2]


@separate(void(VECTOR, MATRIX, f8, VECTOR, VECTOR, VECTOR), no_cpython_wrapper=False)
def local_path(block, spline, s, place, rate, bend):
    """Local position, its first and second derivative by path time, each (3,) [m, m/s, m/s^2]."""
    kind, size, speed, phase = block[KIND], block[SIZE], block[RATE], block[PHASE]
    if kind == CIRCLE:
        _write(turn(s, size, speed, phase, 0.0), place, rate, bend)
    elif kind == HELIX:
        _write(turn(s, size, speed, phase, block[PITCH]), place, rate, bend)
    elif kind == ROUNDED_SQUARE:
        _write(rounded_square(s, size, block[CORNER], speed), place, rate, bend)
    elif kind == FIGURE_EIGHT:
        _write(figure_eight(s, size, speed, phase), place, rate, bend)
    elif kind == WAY_POINTS:
        _spline(block, spline, s, place, rate, bend)
    else:
        _write(line(s, speed), place, rate, bend)


@njit(cache=True, nogil=True, inline="always")
def _turning(block, spline, s, rate, bend, work):
    """Angle of the tool about AXIS and its rate by path time; `rate`, `bend` belong to s, work[9:18] is scratch."""
    kind = block[TURNING]
    if kind == UNIFORM:
        return turning(s, block[TURN_RATE])
    if kind == SWINGING:
        return swinging(s, block[AMPLITUDE], block[TURN_RATE])
    if kind == TANGENT:
        flat = rate[0] * rate[0] + rate[1] * rate[1]
        if flat == 0.0:
            return 0.0, 0.0
        start = part(work, 12, 3)
        local_path(block, spline, 0.0, part(work, 9, 3), start, part(work, 15, 3))
        turned = atan2(rate[1], rate[0]) - atan2(start[1], start[0])
        return turned, (rate[0] * bend[1] - rate[1] * bend[0]) / flat
    return 0.0, 0.0


@separate(void(f8, VECTOR, MATRIX, VECTOR, VECTOR))
def desired(t, block, spline, out, work):
    """The desired pose of the tool and its velocity at time t.

    Args:
        t: time [s].
        block: (BLOCK,) the path. spline: (segments, 13) way-points' cubic pieces, or (0, 13).
        out: (18,): position, velocity, the three columns of the rotation, angular velocity, all in the world.
        work: (18,) scratch.
    """
    s, s_rate = path_time(t, block)
    place, rate, bend = part(work, 0, 3), part(work, 3, 3), part(work, 6, 3)
    local_path(block, spline, s, place, rate, bend)
    angle, turn_rate = _turning(block, spline, s, rate, bend, work)
    for k in range(3):
        u, v, n = block[U + k], block[V + k], block[N + k]
        out[k] = block[ORIGIN + k] + place[0] * u + place[1] * v + place[2] * n
        out[3 + k] = s_rate * (rate[0] * u + rate[1] * v + rate[2] * n)
        out[15 + k] = s_rate * turn_rate * block[AXIS + k]
    if angle == 0.0:
        for k in range(9):
            out[6 + k] = block[START_FRAME + k]
        return
    c, sn = cos(angle), sin(angle)
    ax, ay, az = block[AXIS], block[AXIS + 1], block[AXIS + 2]
    for column in range(3):
        first = START_FRAME + 3 * column
        x, y, z = block[first], block[first + 1], block[first + 2]
        along = (1.0 - c) * (ax * x + ay * y + az * z)
        out[6 + 3 * column] = c * x + sn * (ay * z - az * y) + along * ax
        out[7 + 3 * column] = c * y + sn * (az * x - ax * z) + along * ay
        out[8 + 3 * column] = c * z + sn * (ax * y - ay * x) + along * az


@compiled(void(VECTOR, VECTOR, MATRIX, MATRIX))
def desired_many(times, block, spline, out):
    """`desired` at many times: out is (m, 18) plus 18 columns of scratch, (m, 36)."""
    for i in range(times.size):
        desired(times[i], block, spline, part(out[i], 0, 18), part(out[i], 18, 18))
