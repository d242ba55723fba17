"""The clock for every time that the program shows of a computation."""

from __future__ import annotations

import sys
import time


def computing_time() -> float:
    """How long this thread has had the processor so far [s]: waiting for other threads or programs does not count.

    On Windows, where such a clock only has ticks of 16 ms, it does.
    """
    return time.perf_counter() if sys.platform == "win32" else time.thread_time()
