"""The clocks for every time that the program shows of a computation: what it has taken, and what is left."""

from __future__ import annotations

import sys
from time import monotonic, perf_counter, thread_time

if sys.platform == "linux":
    from resource import RUSAGE_THREAD, getrusage

SURE = 1.0
"""After this time it can be said how long the rest takes [s]."""


class TimeLeft:
    """How long work still takes if it goes on as fast as so far.

    Attributes:
        spent: since the first report [s].
        seconds: until it is done; None while that cannot be said [s].
    """

    def __init__(self) -> None:
        self.spent = 0.0
        self.seconds: float | None = None
        self._first: float | None = None
        self._since: tuple[float, float] | None = None

    def advance(self, share: float) -> None:
        """This fraction is done; the first one that is reported is where the speed is counted from."""
        now = monotonic()
        self._first = now if self._first is None else self._first
        if self._since is None or share <= self._since[1]:
            self._since = now, share
        began, before = self._since
        passed, done = now - began, share - before
        self.spent = now - self._first
        self.seconds = passed * (1.0 - share) / done if passed >= SURE and done > 0.0 else None


def computing_time() -> float:
    """How long this thread has had the processor so far [s]: waiting for other threads or programs does not count.

    On Windows, where such a clock only has ticks of 16 ms, it does.
    """
    return perf_counter() if sys.platform == "win32" else thread_time()


def waits() -> int:
    """How often this thread has waited so far, for the interpreter above all; always 0 where only Linux counts it.

    Each time costs it some of its own time, as its caches and the processor's clock are others' meanwhile.
    """
    return getrusage(RUSAGE_THREAD).ru_nvcsw if sys.platform == "linux" else 0
