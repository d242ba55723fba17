"""Silence a library that prints, only in the thread that calls it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_lock = threading.Lock()
_muted: set[int] = set()


class _Stream:
    """Standard output, except for muted threads."""

    def __init__(self, real: TextIO) -> None:
        self.real = real

    def write(self, text: str) -> int:
        return len(text) if threading.get_ident() in _muted else self.real.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@contextmanager
def quiet() -> Iterator[None]:
    """Drop what this thread prints in the meantime."""
    thread = threading.get_ident()
    with _lock:
        _muted.add(thread)
        if sys.stdout is not None and not isinstance(sys.stdout, _Stream):
            sys.stdout = _Stream(sys.stdout)
    try:
        yield
    finally:
        with _lock:
            _muted.discard(thread)
            if not _muted and isinstance(sys.stdout, _Stream):
                sys.stdout = sys.stdout.real
