"""Memory that nothing holds any more: when it is looked for, and how it is given back to the system."""

from __future__ import annotations

import atexit
import ctypes
import gc
import sys

LARGE_BLOCK = 2**20
"""A block of at least this size [bytes] is the system's again as soon as it is free."""

KEPT_FREE = 16 * 2**20
"""As much free memory stays at the end of the heap for what comes next [bytes]."""

MANY_OBJECTS = 1_000_000
"""Objects that a process without a window makes before it looks for garbage: nearly all of them stay."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's `mallopt`."""


def keep_little() -> None:
    """Let the C library keep little of what is free.

    By itself it puts ever larger blocks into its heap, up to 32 MiB, as soon as one of that size was freed: runs and
    pictures of changing sizes then leave holes in it which only they could fill.
    """
    _of_glibc("mallopt", _MMAP_THRESHOLD, LARGE_BLOCK)
    _of_glibc("mallopt", _TRIM_THRESHOLD, KEPT_FREE)


def collect_rarely() -> None:
    """Look for garbage only after many new objects, and at the end not at all: then the system takes everything back.

    For processes without a window. As often as usual it would take a sixth of the time in which kernels are compiled,
    and at the end as long as a fifth of a short command.
    """
    gc.set_threshold(MANY_OBJECTS)
    atexit.register(gc.freeze)


def give_back() -> None:
    """Let the C library return what is free: by itself it keeps most of it for later."""
    _of_glibc("malloc_trim", 0)


def _of_glibc(name: str, *arguments: int) -> None:
    """Call a function that only glibc has."""
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*arguments)
