"""The velocities of the tips."""

from __future__ import annotations

import numpy as np

from gui.compose.overlay import Moment, Overlay, Pieces
from scene.picture import Arrow

SECONDS = 0.15
"""An arrow ends where the tip would be after this time [s]."""


class VelocityOverlay(Overlay):
    """An arrow for each run that still moves."""

    key, order, setting = "velocity", 70, "velocities"

    def draw(self, moment: Moment) -> Pieces:
        arrows = []
        for row, arm, tip in moment.runs:
            if tip is None or row.frozen_at(moment.t):
                continue
            ahead = SECONDS * arm.tip_velocity(moment.t)
            if np.linalg.norm(ahead) > 1e-3 * moment.size:
                arrows.append(Arrow(tip, tip + ahead, moment.colour(row), 3.0))
        return Pieces(arrows=arrows)


OVERLAY = VelocityOverlay()
