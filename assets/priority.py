"""The priority of threads that compute in the background."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

BEHIND = 5
"""How much lower the priority of a thread that computes is, as `nice` counts."""


def step_back() -> None:
    """Let this thread leave the processor to others that want it: the window is one of them."""
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + BEHIND)
