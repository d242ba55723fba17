"""Dense output for methods without an interpolant of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solvers.interpolation.location import KeptSteps, last_before
from solvers.method_registry import find_method
from solvers.problem import Array, OdeProblem


def joined_runge_kutta(key: str, problem: OdeProblem, kept: KeptSteps, times: Array) -> Array:
    """The solution between kept steps by a shorter Runge-Kutta step from the one before, (m, d).

    The difference at the next kept step is spread linearly over the interval, so that the result is continuous and has
    the order of the less accurate method.

    Args:
        key: of the method.
        problem, kept, times: see `Method.sample`.
    """
    method = find_method(key)
    return continuous(lambda inner: method.sample(problem, {}, kept, inner), kept, times)


def continuous(sample: Callable[[Array], Array], kept: KeptSteps, times: Array) -> Array:
    """The states that `sample` finds by shorter steps from the kept ones, bent to meet the next kept ones, (m, d)."""
    t, y = kept.t, kept.y
    before = np.clip(last_before(t, times), 0, len(t) - 2)
    # Just before the end of each interval, so that the step starts at its beginning.
    ends = np.nextafter(t[before + 1], t[before])
    found = sample(np.ascontiguousarray(np.concatenate([times, ends])))
    inner, reached = found[: len(times)], found[len(times) :]
    part = (times - t[before]) / (t[before + 1] - t[before])
    result = inner + part[:, np.newaxis] * (y[before + 1] - reached)
    at_end = times == t[before + 1]
    result[at_end] = y[before + 1][at_end]
    return result
