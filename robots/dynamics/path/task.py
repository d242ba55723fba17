"""From a task that follows a path to the numbers that the kernels read."""

from __future__ import annotations

from math import hypot, pi
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from robots.dynamics.path.chain import Chain
from robots.dynamics.path.fields import AXES, CLAMPS, INVERSES, LAWS, NULL_TASKS, PATHS, PLANES, TURNS
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup

LEMNISCATE_LENGTH = 6.0972235205  # of (sin a, sin a cos a), numerically


def way_points(text: str) -> Array:
    """The points written in `task.points`, (k, 3) [m].

    Raises:
        BadInput: for fewer than two points, or one that is not three finite numbers.
    """
    rows = [row.replace(",", " ").split() for row in text.split(";") if row.strip()]
    try:
        points = np.array([[float(x) for x in row] for row in rows])
        if points.ndim != 2 or points.shape[0] < 2 or points.shape[1] != 3 or not np.isfinite(points).all():
            raise ValueError
    except ValueError:
        raise BadInput("task.points", text, "two or more points 'x y z' in metres, separated by semicolons") from None
    if not (np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9).all():
        raise BadInput("task.points", text, "points without repeats: neighbours must differ")
    return points


def point_text(points: Array) -> str:
    """`points` (k, 3) [m] as `way_points` reads them, to a tenth of a millimetre."""
    return "; ".join(" ".join(f"{round(float(x), 4) + 0.0:g}" for x in point) for point in points)


def natural_pieces(knots: Array, points: Array) -> Array:
    """The natural cubic spline: (segments, 4, 3), for each piece the coefficients of 1, x, x², x³ in x = t - its start.

    Written here, since scipy's takes 0.2 s to import, a fifth of a short command's time.

    Args:
        knots: increasing, (segments + 1,) [s].
        points: (segments + 1, 3) [m].

    Source: de Boor (1978), A practical guide to splines, chapter IV.
    """
    step = np.diff(knots)[:, None]
    slope = np.diff(points, axis=0) / step
    bend = np.zeros_like(points)  # half of the second derivative at the knots, 0 at both ends
    if len(step) > 1:
        inner = step[1:-1, 0]
        matrix = np.diag(2.0 * (step[:-1] + step[1:])[:, 0]) + np.diag(inner, 1) + np.diag(inner, -1)
        bend[1:-1] = np.linalg.solve(matrix, 3.0 * np.diff(slope, axis=0))
    first = slope - step * (2.0 * bend[:-1] + bend[1:]) / 3.0
    return np.stack([points[:-1], first, bend[:-1], np.diff(bend, axis=0) / (3.0 * step)], axis=1)


def _spline(points: Array, speed: float) -> tuple[Array, float]:
    """Cubic pieces (segments, 13) through `points`, run through at about `speed` [m/s], and their total time [s]."""
    knots = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]) / speed
    pieces = natural_pieces(knots, points)[:, ::-1].swapaxes(1, 2).reshape(len(knots) - 1, 12)
    return np.concatenate([knots[:-1, None], pieces], axis=1), float(knots[-1])


def _span(path: str, size: float, speed: float, corner: float, pitch: float) -> tuple[float, float]:
    """(rate, span): what multiplies the path time, and the time of one lap [s]."""
    if path == "circle":
        return speed / size, 2.0 * pi * size / speed
    if path == "helix":
        rate = speed / hypot(size, pitch / (2.0 * pi))
        return rate, 2.0 * pi / rate
    if path == "figure-eight":
        length = LEMNISCATE_LENGTH * size
        return 2.0 * pi * speed / length, length / speed
    if path == "rounded-square":
        return speed, (8.0 * (size - corner) + 2.0 * pi * corner) / speed
    return speed, 2.0 * size / speed


def _path_block(scenario: Setup, end: Array) -> tuple[Array, Array]:
    """The block that `robots.dynamics.kernels.paths` reads, and the spline; `end` is the flange's start, (4, 3)."""
    from robots.dynamics.kernels import paths

    task = scenario.task
    size, speed, corner, pitch = (float(task[key]) for key in ("size", "speed", "corner", "pitch"))
    block, spline = np.zeros(paths.BLOCK), np.zeros((0, 13))
    path = str(task["path"])
    rate, span = _span(path, size, speed, corner, pitch)
    if path == "way-points":
        spline, span = _spline(way_points(str(task["points"])), speed)
    block[paths.KIND], block[paths.LAW] = PATHS.index(path), [*LAWS].index(str(task["law"]))
    block[paths.SPAN], block[paths.SIZE], block[paths.RATE], block[paths.PHASE] = span, size, rate, task["phase"]
    block[paths.PITCH], block[paths.CORNER] = pitch / (2.0 * pi), corner
    block[paths.CLOSED] = path not in ("line", "way-points")
    u, v = (np.array(axis) for axis in PLANES[str(task["plane"])])
    block[paths.U : paths.U + 3], block[paths.V : paths.V + 3], block[paths.N : paths.N + 3] = u, v, np.cross(u, v)
    turn = str(task.get("orientation", "constant"))
    block[paths.TURNING], block[paths.AMPLITUDE], block[paths.TURN_RATE] = (
        TURNS.index(turn),
        task.get("amplitude", 0.0),
        task.get("angular_speed", 0.0),
    )
    block[paths.AXIS : paths.AXIS + 3] = np.cross(u, v) if turn == "tangent" else AXES[str(task.get("axis", "x"))]
    block[paths.START_FRAME : paths.START_FRAME + 9] = end[:3].ravel()
    block[paths.SEGMENTS] = len(spline)
    place, unused, bend = np.zeros(3), np.zeros(3), np.zeros(3)
    paths.local_path(block, spline, 0.0, place, unused, bend)
    block[paths.ORIGIN : paths.ORIGIN + 3] = end[3] - np.column_stack([u, v, np.cross(u, v)]) @ place
    return block, spline


def pack(scenario: Setup, chain: Chain, start: Array) -> Array:
    """The parameters that `robots.dynamics.kernels.clik` reads, scratch memory included.

    Args:
        scenario: its task; what the task leaves out is 0 or its first choice.
        chain: the arm.
        start: the coordinates where the path begins, (n,) [rad or m].
    """
    from robots.dynamics.kernels import clik, paths
    from robots.dynamics.kernels.serial import forward

    n, end = len(chain.table), np.empty((4, 3))
    forward(chain.table, chain.places(start), chain.base, chain.tool, np.empty((n, 3)), np.empty((n, 3)), end)
    block, spline = _path_block(scenario, end)
    task = scenario.task
    header = np.zeros(clik.TABLE)
    header[clik.JOINTS], header[clik.ROWS] = n, chain.rows
    header[clik.FOLLOWED] = chain.coordinates if chain.mimics else 0
    own = task.get("gain_orientation")
    header[clik.GAIN_POSITION], header[clik.GAIN_ORIENTATION] = task["gain"], task["gain"] if own is None else own
    header[clik.INVERSE], header[clik.NULL_TASK] = (
        [*INVERSES].index(str(task["inverse"])),
        [*NULL_TASKS].index(str(task.get("null_task", "none"))),
    )
    for key in ("damping", "threshold", "cut_off", "null_gain", "elbow"):
        header[getattr(clik, key.upper())] = task.get(key, 0.0)
    header[clik.CLAMP], header[clik.HELD] = [*CLAMPS].index(str(task["clamp"])), task["feedback"] == "held"
    header[clik.PATH : clik.PATH + paths.BLOCK] = block
    header[clik.BASE : clik.BASE + 12], header[clik.TOOL : clik.TOOL + 12] = chain.base.ravel(), chain.tool.ravel()
    params = np.zeros(clik.spline_place(header) + spline.size)
    params[: clik.TABLE] = header
    params[clik.TABLE : clik.TABLE + chain.table.size] = chain.table.ravel()
    params[params.size - spline.size :] = spline.ravel()
    return params


def corners(params: Array, duration: float) -> tuple[float, ...]:
    """Times in (0, duration) where the desired motion is not smooth: ramps of the law, arcs or knots [s]."""
    from robots.dynamics.kernels import clik, paths
    from robots.dynamics.kernels.curves import RAMP

    block = params[clik.PATH : clik.PATH + paths.BLOCK]
    span, law = float(block[paths.SPAN]), [*LAWS][int(block[paths.LAW])]
    found = {RAMP * span, (1.0 - RAMP) * span, span} if law == "trapezoid" else set()
    if law != "constant" or not block[paths.CLOSED]:
        found.add(span)
    times = np.linspace(0.0, duration, 20_001)
    reached = np.array([paths.path_time(t, block)[0] for t in times])
    for s in _kinks(block, params[clik.spline_place(params) :].reshape(-1, 13), float(reached[-1])):
        found.add(float(np.interp(s, reached, times)))
    return tuple(sorted(t for t in found if 1e-9 < t < duration * (1.0 - 1e-9)))


def _kinks(block: Array, spline: Array, last: float) -> list[float]:
    """Path times up to `last` where the curve's pieces meet [s]."""
    from robots.dynamics.kernels import paths

    path = PATHS[int(block[paths.KIND])]
    if path == "way-points":
        return [float(s) for s in spline[1:, 0]]
    if path != "rounded-square":
        return []
    speed, half, corner = (float(block[place]) for place in (paths.RATE, paths.SIZE, paths.CORNER))
    straight, arc = 2.0 * (half - corner), 0.5 * pi * corner
    count = int(last * speed / (straight + arc)) + 1
    edges = [k * (straight + arc) + 0.5 * straight + extra for k in range(count) for extra in (0.0, arc)]
    return [edge / speed for edge in edges]
