"""What a long computation says of itself while it goes on: what it costs, or that its equations are stiff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.simulation.run import Run

LONG = 1.0
"""A computation that has taken this long [s] shows its run so far, and says what it costs or whether it is stiff."""

AGAIN = 2.0
"""After each look the next one comes this many times later, since a motion may become stiff later."""


def forecast(scenario: Scenario, begun: Run | None) -> str:
    """What the robot says of a computation that takes long, or whether its run is stiff so far; else empty."""
    from robots.model.registry import robot_of

    return robot_of(scenario).forecast(scenario) or ("" if begun is None else stiffness_so_far(begun))


def stiffness_so_far(begun: Run) -> str:
    """Whether the beginning of a run is stiff, as a sentence; empty if it is not, and for an implicit method."""
    from gui.app.verdict import stiff_text
    from robots.scenario.method_selection import method_of

    found = "" if method_of(begun.scenario).implicit else stiff_text(begun.stability)
    return found and f"{found} An implicit method may take longer steps."
