"""The track of the point to which a spring pulls the RR arm, compiled: a table, so no elementary operation."""

from __future__ import annotations

from numba import njit

from robots.dynamics.kernels.track import on_track
from solvers.kernels.signatures import VECTOR, f8, i8


@njit(f8(f8, VECTOR, i8), cache=True, nogil=True, error_model="numpy")
def aim(t, params, axis):
    """Coordinate `axis` (0: x, 1: z) of the track at `t` [m]. `params` ends in n rows t, x, z and their number n."""
    count = int(params[params.size - 1])
    first = params.size - 1 - 3 * count
    return on_track(t, params[first : params.size - 1].reshape(count, 3), 1 + axis)
