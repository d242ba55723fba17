"""What the views ask of a run, computed where the run was: the window's thread waits for none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robots.simulation.run import Run

MANY = 10_000
"""A run with fewer rows goes to its views at once: they compute what they show of it within some 50 ms."""

LONG = 0.03
"""After a run that took longer [s] there is time for what only some views ask."""


def make_ready(run: Run) -> None:
    """Let plots and pictures find everything about `run` computed."""
    from gui.charts import shown
    from gui.compose.track import track_of

    if len(run.t) < MANY:
        return
    shown.columns(run)
    shown.series(run)
    _ = track_of(run).tips
    if run.compute_seconds > LONG:
        shown.tip(run)
