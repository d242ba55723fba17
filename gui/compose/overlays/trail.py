"""The paths of the tips behind the arms."""

from __future__ import annotations

import numpy as np

from gui.charts.colours import DASHES
from gui.compose.overlay import Moment, Overlay, Pieces
from robots.model.shapes import ArmShape
from scene.picture import Dots, Ribbon


class TrailOverlay(Overlay):
    """A ribbon that fades, and a dot on the tip, for each run; the current run's last, on top."""

    key, order, setting = "trail", 30, "trail"

    def draw(self, moment: Moment) -> Pieces:
        ribbons, dots = [], []
        for row, arm, tip in reversed(moment.runs):
            if tip is None:
                continue
            dots.append(Dots(tip[None, :], moment.colour(row), 8.0, depth=tip_depth(arm.shape(moment.t))))
            rows = arm.past(moment.t, moment.view.trail_seconds)
            if arm.leaves_trail(moment.t):
                rows = np.vstack([rows, [min(moment.t, arm.end), *tip]])
            if len(rows) > 1:
                width = 2.4 if row.pinned else 3.2
                dash = tuple(width * length for length in DASHES[row.dash])
                ribbons.append(Ribbon(rows[:, 1:], moment.colour(row), width, fade=True, dash=dash, times=rows[:, 0]))
        return Pieces(ribbons=ribbons, dots=dots)


def tip_depth(shape: ArmShape) -> float:
    """How deep the tip lies inside a ball that its link carries [m]; 0 where it lies in none."""
    if shape.tip is None:
        return 0.0
    link, point = shape.tip
    balls = [one for one in shape.parts if one.link == link and one.kind == "sphere"]
    inside = (one.size[0] - float(np.linalg.norm(np.asarray(one.link_from_part)[:3, 3] - point)) for one in balls)
    return max((depth for depth in inside if depth > 0.0), default=0.0)


OVERLAY = TrailOverlay()
