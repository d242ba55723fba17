"""What the RR arm reads from tables, compiled: where a spring pulls it, and held torques; no elementary operations."""

from __future__ import annotations

from robots.dynamics.kernels.held import held_torque
from robots.dynamics.kernels.track import on_track
from solvers.kernels.signatures import VECTOR, f8, i8, separate


@separate(f8(f8, VECTOR, i8))
def aim(t, params, axis):
    """Coordinate `axis` (0: x, 1: z) of the track at `t` [m]. `params` ends in n rows t, x, z and their number n."""
    count = int(params[params.size - 1])
    first = params.size - 1 - 3 * count
    return on_track(t, params[first : params.size - 1].reshape(count, 3), 1 + axis)


@separate(f8(f8, VECTOR, i8))
def aim_or_torque(t, params, column):
    """Columns 0 and 1: see `aim`; 2 and 3: the held torques, whose table stands behind the track."""
    if column >= 2:
        return held_torque(t, params, column - 2)
    behind = int(params[params.size - 1]) * (int(params[params.size - 2]) + 2) + 2
    return aim(t, params[: params.size - behind], column)
