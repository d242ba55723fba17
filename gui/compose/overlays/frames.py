"""The coordinate frames of the links."""

from __future__ import annotations

from gui.compose.overlay import Moment, Overlay, Pieces
from scene.picture import Frame


class FramesOverlay(Overlay):
    """Three short arrows at each link of the current run's arm."""

    key, order, setting = "frames", 80, "frames"

    def draw(self, moment: Moment) -> Pieces:
        return Pieces(frames=[Frame(one, 0.16 * moment.size) for one in moment.actor.pose.world_from_link])


OVERLAY = FramesOverlay()
