"""The dashes of runs: the second cue beside their colours."""

from __future__ import annotations

DASHES: dict[str, list[float]] = {
    "solid": [],
    "dash": [6, 3],
    "dot": [1.5, 2.5],
    "dash-dot": [6, 2.5, 1.5, 2.5],
    "dash-dot-dot": [6, 2.5, 1.5, 2.5, 1.5, 2.5],
}


def dash_pattern(dash: str) -> list[float]:
    """The pattern of a dash's name in pen widths; empty is a solid line."""
    return DASHES.get(dash, [])
