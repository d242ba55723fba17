"""The axes of the joints."""

from __future__ import annotations

import numpy as np

from gui.charts.colours import NEUTRAL
from gui.compose.overlay import Moment, Overlay, Pieces, rgb
from scene.picture import DASHED, Ribbon


class AxesOverlay(Overlay):
    """A dashed line along each axis."""

    key, order, setting = "axes", 40, "axes"

    def draw(self, moment: Moment) -> Pieces:
        ribbons = []
        for link, point, axis in moment.actor.shape.drives:
            frame = moment.actor.pose.world_from_link[link] if link >= 0 else np.eye(4)
            centre = frame[:3, :3] @ np.asarray(point) + frame[:3, 3]
            half = 0.22 * moment.size * (frame[:3, :3] @ np.asarray(axis, dtype=float))
            line = np.array([centre - half, centre + half])
            ribbons.append(Ribbon(line, rgb(NEUTRAL, moment.theme), 1.8, dash=DASHED))
        return Pieces(ribbons=ribbons)


OVERLAY = AxesOverlay()
