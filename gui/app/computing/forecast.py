"""What a long computation says of itself while it goes on: what it costs, or that its equations are stiff."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from time import perf_counter

from robots.scenario.scenario import Scenario

LONG = 1.0
"""A computation that has taken this long [s] says what it costs as a whole, and whether it is stiff."""

AGAIN = 3.0
"""After each look the next one comes this many times later, since a motion may become stiff later."""

SHARE = 0.5
"""A look computes again, in a thread of its own, what takes this part of the time spent so far,"""

EARLY = 20
"""and at least this many slices of about 12 ms."""


def forecast(scenario: Scenario, spent: float, cancelled: Callable[[], bool] = lambda: False) -> str:
    """What the robot says of a computation that has taken `spent` [s], or whether it is stiff so far; else empty."""
    from robots.model.registry import robot_of

    return robot_of(scenario).forecast(scenario) or stiffness_so_far(scenario, spent, cancelled)


def stiffness_so_far(scenario: Scenario, spent: float, cancelled: Callable[[], bool] = lambda: False) -> str:
    """Whether the beginning of a run is stiff, as a sentence; empty if it is not."""
    from gui.app.verdict import stiff_text
    from robots.scenario.method_selection import method_of
    from robots.simulation.simulate import simulate

    if scenario.step is not None or method_of(scenario).implicit:
        return ""
    slices, end = count(1), perf_counter() + SHARE * spent
    begun = simulate(
        scenario, cancel=lambda: cancelled() or (next(slices) > EARLY and perf_counter() > end), repeat=False
    )
    found = "" if cancelled() else stiff_text(begun.stability)
    return found and f"{found} An implicit method may take longer steps."
