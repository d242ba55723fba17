"""A dot on the trail where each accepted step ended."""

from __future__ import annotations

import numpy as np

from gui.compose.overlay import Moment, Overlay, Pieces
from scene.picture import Dots

MOST_STEPS = 400
"""How many of the latest steps get a dot, at most."""


class StepDotsOverlay(Overlay):
    """Far apart where the steps are long."""

    key, order, setting = "step-dots", 0, "step_dots"

    def draw(self, moment: Moment) -> Pieces:
        dots, t, seconds = [], moment.t, moment.view.trail_seconds
        for row, arm, tip in reversed(moment.runs):
            ends = arm.step_ends
            since = max(arm.meaningful_since(t), arm.start if seconds == 0.0 else min(t, arm.end) - seconds)
            first, last = np.searchsorted(ends, [since, t + 1e-12])
            times = ends[max(first, last - MOST_STEPS) : last]
            if tip is not None and len(times) and arm.leaves_trail(t):
                dots.append(Dots(arm.tips_at(times), moment.colour(row), 9.0))
        return Pieces(dots=dots)


OVERLAY = StepDotsOverlay()
