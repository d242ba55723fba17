"""Memory of the running window, and how it grows while it plays for a minute and a half.

$ARMSTEP_PLAY_SECONDS plays for another time.
"""

from __future__ import annotations

import gc
import os
import time
from itertools import count

from benchmarks.measurement import Measurement
from benchmarks.window import open_window, resident, viewport_of, wait_until

SETTLING = 10.0
"""Frames before this time fill caches and do not count as growth [s]."""


def measure() -> list[Measurement]:
    """Play rr-swing in a loop."""
    span = float(os.environ.get("ARMSTEP_PLAY_SECONDS", "90"))
    with open_window() as window:
        playback = window.session.playback
        playback.loop = True
        playback.play()
        play(SETTLING)
        before = [sample() for _ in range(5)]
        frames = count()
        viewport_of(window).frameSwapped.connect(lambda: next(frames))
        play(span)
        shown = next(frames)
        after = [sample() for _ in range(5)]
    growth = [later - earlier for earlier, later in zip(before, after, strict=True)]
    return [
        Measurement("the running window", "MiB", after, goal=500.0),
        Measurement(f"growth while playing {span:g} s", "MiB", growth, goal=10.0, note=f"{shown / span:.1f} frames/s"),
    ]


def play(seconds: float) -> None:
    """Let the window live for a while."""
    end = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() > end, seconds + 10, "the time to pass")


def sample() -> float:
    """Memory now, without what only waits to be collected [MiB]."""
    gc.collect()
    play(0.2)
    return resident()
