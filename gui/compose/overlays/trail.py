"""The paths of the tips behind the arms."""

from __future__ import annotations

import numpy as np

from gui.charts.colours import DASHES
from gui.compose.overlay import Moment, Overlay, Pieces
from scene.picture import Dots, Ribbon


class TrailOverlay(Overlay):
    """A ribbon that fades, and a dot on the tip, for each run; the current run's last, on top."""

    key, order, setting = "trail", 30, "trail"

    def draw(self, moment: Moment) -> Pieces:
        ribbons, dots = [], []
        for row, arm, tip in reversed(moment.runs):
            if tip is None:
                continue
            dots.append(Dots(tip[None, :], moment.colour(row), 8.0))
            rows = arm.past(moment.t, moment.view.trail_seconds)
            if arm.leaves_trail(moment.t):
                rows = np.vstack([rows, [min(moment.t, arm.end), *tip]])
            if len(rows) > 1:
                width = 2.4 if row.pinned else 3.2
                dash = tuple(width * length for length in DASHES[row.dash])
                ribbons.append(Ribbon(rows[:, 1:], moment.colour(row), width, fade=True, dash=dash, times=rows[:, 0]))
        return Pieces(ribbons=ribbons, dots=dots)


OVERLAY = TrailOverlay()
