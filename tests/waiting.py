"""Waiting for what another process does: it can only be asked again and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = 60.0) -> T:
    """What `condition` returns as soon as it is true; fails after `seconds`."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"never true within {seconds:g} s"
        time.sleep(0.01)
    return found
