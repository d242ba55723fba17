"""What the views need of a run, computed in the run's thread, so that the window's thread need not wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robots.simulation.run import Run

MANY = 10_000
"""A run with fewer rows and fewer points on its trail goes to its plots at once: they need some 50 ms for it."""

LONG = 0.03
"""After a run that took longer [s] there is time for what only some views need."""


def precompute(run: Run) -> None:
    """Compute everything about `run` that plots and pictures need."""
    from gui.charts import shown
    from gui.charts.steps import step_ends
    from gui.compose.kinematics import kinematics_of

    arm = kinematics_of(run)
    _ = arm.room  # where the camera stands
    if max(len(run.t), len(arm.times)) < MANY:
        return
    shown.columns(run)
    step_ends(run)
    shown.series(run)
    if run.compute_seconds > LONG:
        shown.tip(run)
