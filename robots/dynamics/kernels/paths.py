"""The desired path of a tool: where it should be and how it should turn at time t, compiled and allocation-free.

A path is a curve in local coordinates along U, V, N, run through by the path time s(t); s is given by the time law.
The numbers of one path stand in a block of `BLOCK` floats whose places are the constants below; `robots.paths` writes
it.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin

from numba import njit

KIND, LAW, SPAN, SIZE, RATE, PHASE, PITCH, CORNER, CLOSED = range(9)
ORIGIN, U, V, N = 9, 12, 15, 18
TURNING, AXIS, AMPLITUDE, TURN_RATE, START_FRAME, SEGMENTS = 21, 22, 25, 26, 27, 36
BLOCK = 40

CIRCLE, LINE, ROUNDED_SQUARE, FIGURE_EIGHT, HELIX, WAY_POINTS = range(6)
CONSTANT_SPEED, TRAPEZOID, QUINTIC = range(3)
FIXED, UNIFORM, SWINGING, TANGENT = range(4)
RAMP = 0.25


@njit(cache=True, nogil=True)
def path_time(t, block):
    """(s, s'): path time [s] and its rate, by the time law. `constant` paths that do not close stop at their end."""
    law, span = block[LAW], block[SPAN]
    if law == CONSTANT_SPEED:
        if block[CLOSED] == 0.0 and t >= span:
            return span, 0.0
        return t, 1.0
    if t <= 0.0:
        return 0.0, 0.0
    if t >= span:
        return span, 0.0
    x = t / span
    if law == QUINTIC:
        return span * x**3 * (10.0 - 15.0 * x + 6.0 * x * x), 30.0 * x * x * (1.0 - x) ** 2
    top = 1.0 / (1.0 - RAMP)
    if x < RAMP:
        return span * top * x * x / (2.0 * RAMP), top * x / RAMP
    if x > 1.0 - RAMP:
        rest = 1.0 - x
        return span * (1.0 - top * rest * rest / (2.0 * RAMP)), top * rest / RAMP
    return span * top * (x - RAMP / 2.0), top


@njit(cache=True, nogil=True)
def _turn(block, s, place, rate, bend, pitch):
    """A circle (pitch 0) or helix of radius SIZE."""
    r, w = block[SIZE], block[RATE]
    angle = block[PHASE] + w * s
    c, sn = cos(angle), sin(angle)
    place[0], place[1], place[2] = r * c, r * sn, pitch * w * s
    rate[0], rate[1], rate[2] = -r * w * sn, r * w * c, pitch * w
    bend[0], bend[1], bend[2] = -r * w * w * c, -r * w * w * sn, 0.0


@njit(cache=True, nogil=True)
def _rounded_square(block, s, place, rate, bend):
    """A square of half side SIZE with corners of radius CORNER, counter-clockwise from the middle of its right side."""
    half, corner, speed = block[SIZE], block[CORNER], block[RATE]
    straight, arc = 2.0 * (half - corner), 0.5 * pi * corner
    side = straight + arc
    distance = (speed * s) % (4.0 * side)
    quarter = (distance + 0.5 * straight) // side
    along = distance + 0.5 * straight - quarter * side
    x, y, dx, dy, bx, by = half, along - 0.5 * straight, 0.0, speed, 0.0, 0.0
    if along > straight:
        angle = (along - straight) / corner
        c, sn = cos(angle), sin(angle)
        x, y = half - corner + corner * c, half - corner + corner * sn
        dx, dy = -speed * sn, speed * c
        bx, by = -speed * speed / corner * c, -speed * speed / corner * sn
    for _ in range(int(quarter) % 4):
        x, y, dx, dy, bx, by = -y, x, -dy, dx, -by, bx
    place[0], place[1], place[2] = x, y, 0.0
    rate[0], rate[1], rate[2] = dx, dy, 0.0
    bend[0], bend[1], bend[2] = bx, by, 0.0


@njit(cache=True, nogil=True)
def _figure_eight(block, s, place, rate, bend):
    """Gerono's lemniscate (sin a, sin a cos a) of half width SIZE."""
    r, w = block[SIZE], block[RATE]
    angle = block[PHASE] + w * s
    place[0], place[1], place[2] = r * sin(angle), 0.5 * r * sin(2.0 * angle), 0.0
    rate[0], rate[1], rate[2] = r * w * cos(angle), r * w * cos(2.0 * angle), 0.0
    bend[0], bend[1], bend[2] = -r * w * w * sin(angle), -2.0 * r * w * w * sin(2.0 * angle), 0.0


@njit(cache=True, nogil=True)
def _spline(block, spline, s, place, rate, bend):
    """A cubic spline: rows of `spline`, (segments, 13), are a start [s] and four coefficients a coordinate."""
    k = 0
    for row in range(1, int(block[SEGMENTS])):
        if s >= spline[row, 0]:
            k = row
    x = s - spline[k, 0]
    for axis in range(3):
        a, b, c, d = (
            spline[k, 1 + 4 * axis],
            spline[k, 2 + 4 * axis],
            spline[k, 3 + 4 * axis],
            spline[k, 4 + 4 * axis],
        )
        place[axis] = ((a * x + b) * x + c) * x + d
        rate[axis] = (3.0 * a * x + 2.0 * b) * x + c
        bend[axis] = 6.0 * a * x + 2.0 * b


@njit(cache=True, nogil=True)
def local_path(block, spline, s, place, rate, bend):
    """Local position, its first and second derivative by path time, each (3,) [m, m/s, m/s^2]."""
    kind = block[KIND]
    if kind == CIRCLE:
        _turn(block, s, place, rate, bend, 0.0)
    elif kind == HELIX:
        _turn(block, s, place, rate, bend, block[PITCH])
    elif kind == ROUNDED_SQUARE:
        _rounded_square(block, s, place, rate, bend)
    elif kind == FIGURE_EIGHT:
        _figure_eight(block, s, place, rate, bend)
    elif kind == WAY_POINTS:
        _spline(block, spline, s, place, rate, bend)
    else:
        place[0], place[1], place[2] = block[RATE] * s, 0.0, 0.0
        rate[0], rate[1], rate[2] = block[RATE], 0.0, 0.0
        bend[:] = 0.0


@njit(cache=True, nogil=True)
def _heading(rate):
    return atan2(rate[1], rate[0])


@njit(cache=True, nogil=True, inline="always")
def _turning(block, spline, s, rate, bend, work):
    """Angle of the tool about AXIS and its rate by path time; `rate`, `bend` belong to s, work[9:18] is scratch."""
    kind = block[TURNING]
    if kind == UNIFORM:
        return block[TURN_RATE] * s, block[TURN_RATE]
    if kind == SWINGING:
        w = block[TURN_RATE]
        return block[AMPLITUDE] * sin(w * s), block[AMPLITUDE] * w * cos(w * s)
    if kind == TANGENT:
        flat = rate[0] * rate[0] + rate[1] * rate[1]
        if flat == 0.0:
            return 0.0, 0.0
        start = work[12:15]
        local_path(block, spline, 0.0, work[9:12], start, work[15:18])
        return _heading(rate) - _heading(start), (rate[0] * bend[1] - rate[1] * bend[0]) / flat
    return 0.0, 0.0


@njit(cache=True, nogil=True, inline="always")
def desired(t, block, spline, out, work):
    """The desired pose of the tool and its velocity at time t.

    Args:
        t: time [s].
        block: (BLOCK,) the path. spline: (segments, 13) way-points' cubic pieces, or (0, 13).
        out: (18,): position, velocity, the three columns of the rotation, angular velocity, all in the world.
        work: (18,) scratch.
    """
    s, s_rate = path_time(t, block)
    place, rate, bend = work[0:3], work[3:6], work[6:9]
    local_path(block, spline, s, place, rate, bend)
    angle, turn = _turning(block, spline, s, rate, bend, work)
    for k in range(3):
        u, v, n = block[U + k], block[V + k], block[N + k]
        out[k] = block[ORIGIN + k] + place[0] * u + place[1] * v + place[2] * n
        out[3 + k] = s_rate * (rate[0] * u + rate[1] * v + rate[2] * n)
        out[15 + k] = s_rate * turn * block[AXIS + k]
    if angle == 0.0:
        for k in range(9):
            out[6 + k] = block[START_FRAME + k]
        return
    c, sn = cos(angle), sin(angle)
    ax, ay, az = block[AXIS], block[AXIS + 1], block[AXIS + 2]
    for column in range(3):
        x, y, z = (
            block[START_FRAME + 3 * column],
            block[START_FRAME + 3 * column + 1],
            block[START_FRAME + 3 * column + 2],
        )
        along = (1.0 - c) * (ax * x + ay * y + az * z)
        out[6 + 3 * column] = c * x + sn * (ay * z - az * y) + along * ax
        out[7 + 3 * column] = c * y + sn * (az * x - ax * z) + along * ay
        out[8 + 3 * column] = c * z + sn * (ax * y - ay * x) + along * az


@njit("void(f8[::1], f8[::1], f8[:, ::1], f8[:, ::1])", cache=True, nogil=True)
def desired_many(times, block, spline, out):
    """`desired` at many times: out is (m, 18) plus 18 columns of scratch, (m, 36)."""
    for i in range(times.size):
        desired(times[i], block, spline, out[i, :18], out[i, 18:])
