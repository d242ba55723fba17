"""The priority of threads that compute in the background."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

BEHIND = 5
"""How much lower the priority of a thread that computes is, as `nice` counts."""

LONGEST = 0.05
"""How long such a thread waits for the window at most [s]."""

_free = threading.Event()
_free.set()


class _Waits(threading.local):
    """What each thread knows of its waiting.

    Attributes:
        again: before this time it does not wait.
    """

    again = 0.0


_waits = _Waits()


def step_back() -> None:
    """Let this thread leave the processor to others that want it: the window is one of them."""
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + BEHIND)


@contextmanager
def in_front() -> Iterator[None]:
    """Meanwhile threads that call `give_way` leave the interpreter to the calling thread: the window's.

    Each call of Qt gives the interpreter up. Where others want it, a picture of fifty calls waits for it fifty times.
    """
    _free.clear()
    try:
        yield
    finally:
        _free.set()


def give_way() -> None:
    """Wait while the window has something to do; a thread does so for at most half of its time."""
    if _free.is_set():
        return
    began = monotonic()
    if began >= _waits.again:
        _free.wait(LONGEST)
        now = monotonic()
        _waits.again = now + (now - began)
