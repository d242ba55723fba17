"""How long computing takes.

One rule for every time that the program shows: what must be loaded or compiled is loaded first, and what is short is
computed again; the median counts, so that chance does not decide. Where the median is far from the least, the machine
was busy with something else, and more measurements find the usual time.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

LEAST = 3
SHORT = 0.01
"""A run that takes longer is measured once [s]."""
UNEVEN, MOST_UNEVEN = 2.0, 9
"""While the median is more than so many times the least, there are more measurements, up to so many in all."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The median of some measurements [s], how many there were, and between which times the middle half lies [s]."""

    seconds: float
    repeats: int
    spread: tuple[float, float]


def measured(
    first: float,
    again: Callable[[], float],
    *,
    budget: float = SHORT,
    most: int = LEAST,
    stop: Callable[[], bool] | None = None,
) -> Timing:
    """The time of a computation.

    Args:
        first: how long it took, with everything loaded [s].
        again: computes once more, and returns how long that took [s].
        budget: what takes longer is measured once; what does not, three times, and more as long as all together stay
            below it [s].
        most: measurements at most, unless they are uneven.
        stop: asked before each; when it returns True, those made so far count.
    """
    times = [first]
    while first <= budget and _more(times, budget, most):
        if stop is not None and stop():
            break
        times.append(again())
    low, median, high = statistics.quantiles([*times, *times[: len(times) == 1]], n=4, method="inclusive")
    return Timing(median, len(times), (low, high))


def _more(times: list[float], budget: float, most: int) -> bool:
    """Whether another measurement is worth its time."""
    uneven = statistics.median(times) > UNEVEN * min(times) and len(times) < MOST_UNEVEN
    return len(times) < LEAST or uneven or (len(times) < most and sum(times) < budget)
