"""The arms where they were a while ago, fading into the past: a motion in one still picture."""

from __future__ import annotations

import numpy as np

from gui.compose.overlay import Moment, Overlay, Pieces
from scene.picture import Actor

OLDEST, NEWEST = 0.10, 0.42
"""Opacity of the earliest and of the latest ghost."""


class StrobeOverlay(Overlay):
    """Only where a picture asks for earlier times; a run that is alone keeps its own materials."""

    key, order = "strobe", 12

    def draw(self, moment: Moment) -> Pieces:
        ghosts = []
        for row, arm, _ in moment.runs:
            colour = moment.colour(row) if len(moment.shown) > 1 else None
            # After its end an arm is already there.
            times = [float(t) for t in moment.poses if t < arm.end]
            strengths = np.linspace(OLDEST, NEWEST, len(times)).tolist() if len(times) > 1 else [NEWEST]
            ghosts += [
                Actor(arm.ghost_shape(t), arm.pose(t), colour, strength, name=f"t = {t:.3f} s")
                for t, strength in zip(times, strengths, strict=False)
            ]
        return Pieces(actors=ghosts)


OVERLAY = StrobeOverlay()
