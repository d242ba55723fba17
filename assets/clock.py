"""The clock for every time that the program shows of a computation."""

from __future__ import annotations

import sys
import time

if sys.platform == "linux":
    from resource import RUSAGE_THREAD, getrusage


def computing_time() -> float:
    """How long this thread has had the processor so far [s]: waiting for other threads or programs does not count.

    On Windows, where such a clock only has ticks of 16 ms, it does.
    """
    return time.perf_counter() if sys.platform == "win32" else time.thread_time()


def waits() -> int:
    """How often this thread has waited so far, for the interpreter above all; always 0 where only Linux counts it.

    Each time costs it some of its own time, as its caches and the processor's clock are others' meanwhile.
    """
    return getrusage(RUSAGE_THREAD).ru_nvcsw if sys.platform == "linux" else 0
