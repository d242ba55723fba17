"""Long curves cut down to what a screen can show, without losing a peak."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def visible(t: Array, start: float, end: float) -> slice:
    """The part of ascending `t` in [start, end], one point wider on both sides so that curves reach the edge."""
    first = int(np.searchsorted(t, start, side="left"))
    last = int(np.searchsorted(t, end, side="right"))
    return slice(max(0, first - 1), min(t.size, last + 1))


def decimate(t: Array, y: Array, columns: int) -> tuple[Array, Array]:
    """About two points a pixel column: of each bin of samples its lowest and its highest point, in order.

    Args:
        t: times, (n,), ascending.
        y: values, (n,), finite.
        columns: width of the plot in pixels.

    Returns:
        Times and values, (m,) with m <= 2 * columns + 4; the first and the last point are kept.
    """
    size = -(-t.size // max(1, columns))
    if size < 3:
        return t, y
    whole = (t.size // size) * size
    bins = y[:whole].reshape(-1, size)
    base = np.arange(bins.shape[0]) * size
    pairs = np.stack((base + bins.argmin(axis=1), base + bins.argmax(axis=1)), axis=1)
    rest = y[whole:]
    ends = [] if rest.size == 0 else sorted({whole + int(rest.argmin()), whole + int(rest.argmax())})
    pairs.sort(axis=1)
    kept = np.concatenate(([0], pairs.ravel(), ends, [t.size - 1])).astype(np.intp)
    return t[kept], y[kept]


def thin(x: Array, y: Array, limit: int) -> tuple[Array, Array]:
    """Every k-th point of a curve in the plane, at most about `limit` of them, the last one kept."""
    if x.size <= limit:
        return x, y
    kept = np.append(np.arange(0, x.size - 1, -(-x.size // limit)), x.size - 1)
    return x[kept], y[kept]


def positive(t: Array, y: Array) -> tuple[Array, Array]:
    """The decimal logarithm of the points that have one."""
    kept = np.isfinite(y) & (y > 0.0)
    return (t, np.log10(y)) if kept.all() else (t[kept], np.log10(y[kept]))


def finite(t: Array, y: Array) -> tuple[Array, Array]:
    """The points whose values are numbers."""
    kept = np.isfinite(y)
    return (t, y) if kept.all() else (t[kept], y[kept])
