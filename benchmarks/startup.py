"""From the command to the first frames of the window, with warm caches."""

from __future__ import annotations

from benchmarks.measurement import Measurement
from benchmarks.window import screen, settings_of_its_own, start_and_time

STARTS = 7


def measure() -> list[Measurement]:
    """Start the window several times; the first start, which fills the caches, does not count."""
    with screen() as where, settings_of_its_own():
        starts = [start_and_time() for _ in range(STARTS + 1)][1:]
    early = sorted({name for start in starts for name in start["loaded"]})
    return [
        Measurement("window visible", "s", [start["visible"] for start in starts], goal=0.7, note=f"{where}"),
        Measurement("first animated frame", "s", [start["animated"] for start in starts], goal=1.8),
        Measurement(
            "slow packages imported before the window is visible",
            "",
            [float(len(early))],
            goal=0.0,
            note=", ".join(early) or "none of numba, scipy, scikit-sundae, PyAV",
        ),
    ]
