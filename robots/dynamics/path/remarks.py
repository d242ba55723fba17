"""The messages of a PA-10 run: limits, reach, and nearly singular inverses, as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from assets.counting import apart
from robots.model.robot import Array
from solvers.events import Trajectory

ROUNDING = 1e-9
"""A limit exceeded by this fraction or less counts as met: clamped rates equal it up to rounding."""


MOST = 10_000.0
"""An angle [deg] or speed [deg/s] beyond this is not worth printing."""


def out_of_reach(table: Array, desired: Array) -> tuple[Array, Array]:
    """By how much the wrist's target is too far from the shoulder, and too near, (m,).

    Args:
        table: Denavit-Hartenberg rows, (7, 4).
        desired: the columns of `robots.dynamics.kernels.paths.desired`, (m, 36).
    """
    shoulder, upper, fore, hand = (float(table[row, 1]) for row in (0, 2, 4, 6))
    distance = np.linalg.norm(desired[:, :3] - hand * desired[:, 12:15] - [0.0, 0.0, shoulder], axis=1)
    return distance - (upper + fore), abs(upper - fore) - distance


def describe_reach(table: Array, desired: Callable[[Array], Array], motion: Trajectory) -> str:
    """A sentence on where and by how much the desired path leaves the arm's reach; empty if it does not.

    Args:
        table: Denavit-Hartenberg rows, (7, 4).
        desired: the columns of `robots.dynamics.kernels.paths.desired` at times (m,), (m, 36).
        motion: of the run.
    """

    def outside(t: Array, _: Array) -> Array:
        return np.maximum(*out_of_reach(table, desired(t))) - ROUNDING

    def any_outside(t: Array, y: Array) -> Array:
        return outside(t, y)[:, np.newaxis]

    first = motion.first_above(any_outside)
    last = Trajectory(motion.t[::-1], motion.y[::-1], motion.sample).first_above(any_outside)
    if first is None or last is None:
        return ""
    times = motion.with_peak(outside).t
    beyond, within = out_of_reach(table, path := desired(times))
    tool, missing = path[:, :3], np.maximum(beyond, within)
    worst = int(np.argmax(missing))
    x, y, z = (f"{value + 0.0:.3f}" for value in np.round(tool[worst], 3))
    side = (
        "beyond the stretched arm"
        if beyond[worst] > within[worst]
        else ("closer to the shoulder than the folded arm allows")
    )
    return (
        f"The path leaves the arm's reach from t = {first[0]:.4g} s to {last[0]:.4g} s. The worst"
        f" place is ({x}, {y}, {z}) m at t = {times[worst]:.4g} s: the wrist would have to be {_length(missing[worst])}"
        f" {side}."
    )


def describe_limits(
    what: str,
    names: Sequence[str],
    motion: Trajectory,
    values: Callable[[Array, Array], Array],
    limits: Array,
    *,
    stopped: bool = False,
) -> str:
    """A sentence on which axes exceed their limits, and where most; empty if none does.

    Args:
        what: `angle` or `speed`.
        names: of the axes.
        motion: of the run.
        values: at times (m,) and states (m, d), (m, 7) [rad or rad/s].
        limits: (7,), both signs.
        stopped: the joints stop at their limits; the sentence then names those that did, and when first.
    """

    def shares_of(t: Array, y: Array) -> Array:
        return np.abs(values(t, y)) / limits

    reached = 1.0 if stopped else 1.0 + ROUNDING
    if not (shares_of(motion.t, motion.y) > reached).any():
        return ""
    t, y, _ = motion.with_peak(lambda t, y: shares_of(t, y).max(axis=1))
    shares = shares_of(t, y)
    axes = np.flatnonzero(shares.max(axis=0) > reached).tolist()
    several = len(axes) > 1
    who = (
        "All axes" if len(axes) == len(names) else ("Axes " if several else "Axis ") + listed([names[k] for k in axes])
    )
    whose = f"their {what} limits" if several else f"its {what} limit"
    if stopped and (first := motion.first_above(lambda t, y: shares_of(t, y) - reached)):
        return f"{who} {'were' if several else 'was'} stopped at {whose}, first at t = {first[0]:.4g} s."
    row, axis = divmod(int(np.argmax(shares)), shares.shape[1])
    unit = "°" if what == "angle" else "°/s"
    found, allowed = (float(np.degrees(one)) for one in (shares[row, axis] * limits[axis], limits[axis]))
    size, limit = apart(found, allowed, lambda value, digits: f"{value:.{digits}g}", 4)
    size = size if found < MOST else f"more than {MOST:.0f}"
    worst = f"at worst {names[axis]} at t" if several else "at worst at t"
    return (
        f"{who} {'exceed' if several else 'exceeds'} {whose}, {worst} = {t[row]:.4g} s: {size}{unit},"
        f" limit {limit}{unit}."
    )


def describe_flags(count: float, first: float, last: float) -> str:
    """A sentence on evaluations in which J J' was too nearly singular for Cholesky."""
    times = "once" if count == 1 else f"{int(count)} times"
    when = f"at t = {first:.4g} s" if count == 1 or first == last else f"from t = {first:.4g} s to {last:.4g} s"
    return f"J Jᵀ was singular to round-off {times}, {when}: singular values replaced Cholesky there."


def listed(names: Sequence[str]) -> str:
    """`S1`, `S1 and S2`, `S1, S2 and E1`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _length(metres: float) -> str:
    return f"{metres:.3g} m" if metres >= 0.1 else f"{1e3 * metres:.3g} mm"
