"""How long computing takes.

One rule for every time that the program shows, on the command line and in the window: it is the time that the
computing thread has the processor (`assets.clock`), so that drawing and other programs do not count; what must be
loaded or compiled is loaded first; what is short is computed again, if possible when no other thread wants the
interpreter, and the least time counts, as disturbances only make it longer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep

import numpy as np

from assets.clock import waits

LEAST, MOST = 5, 25
"""How often a short run is measured."""

SHORT = 0.01
"""A run that takes longer is not measured often [s]."""

DOUBTFUL = 0.1
"""Up to so long, the first measurement may be a disturbed one of something short, whatever the budget [s]."""

PATIENCE, PAUSE = 2.0, 0.02
"""How long measurements are made again if they had to wait for other threads, and how long those are left alone [s]."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The least of some measurements [s], how many there were, and their quartiles with the median between [s]."""

    seconds: float
    repeats: int
    spread: tuple[float, float, float]


def measured(
    first: float,
    again: Callable[[], float],
    *,
    budget: float = SHORT,
    most: int = MOST,
    stop: Callable[[], bool] | None = None,
) -> Timing:
    """The time of a computation.

    Args:
        first: how long it took, with everything loaded [s].
        again: computes once more, and returns how long that took [s].
        budget: what takes longer is measured once, and once more up to `DOUBTFUL`, as a disturbed time; what takes less
            is measured `LEAST` times, however long that takes together, and more as long as all together stay below it.
            With 0 nothing is measured again [s].
        most: measurements at most.
        stop: asked before each; when it returns True, those made so far count.
    """
    times, patient = [first], monotonic() + PATIENCE

    def doubtful() -> bool:
        if not budget:
            return False
        if min(times) > budget:
            return len(times) < 2 and first <= DOUBTFUL
        return len(times) < LEAST or (len(times) < most and sum(times) < budget)

    while doubtful():
        if stop is not None and stop():
            break
        waited = waits()
        seconds = again()
        if waits() == waited or monotonic() > patient:
            times.append(seconds)
        else:
            sleep(PAUSE)
    low, middle, high = map(float, np.quantile(times, (0.25, 0.5, 0.75)))
    return Timing(min(times), len(times), (low, middle, high))
