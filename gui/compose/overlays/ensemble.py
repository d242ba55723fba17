"""The tips of an ensemble's members: a cloud."""

from __future__ import annotations

import numpy as np

from gui.compose.overlay import Moment, Overlay, Pieces
from robots.model.shapes import FARTHEST
from scene.picture import Dots

SIZE, OPACITY = 7.0, 0.7


class EnsembleOverlay(Overlay):
    """One set of dots for each run that has an ensemble, below the trails."""

    key, order, setting = "ensemble", 28, "ensemble"

    def draw(self, moment: Moment) -> Pieces:
        dots = [
            Dots(
                np.clip(row.ensemble.tips_at(moment.t), -FARTHEST, FARTHEST) + arm.place,
                moment.colour(row),
                SIZE,
                OPACITY,
            )
            for row, arm, _ in reversed(moment.runs)
            if row.ensemble is not None and row.ensemble.has_tips
        ]
        return Pieces(dots=dots)


OVERLAY = EnsembleOverlay()
