"""The arms where they were a while ago, fading into the past."""

from __future__ import annotations

from gui.compose import strobe
from gui.compose.overlay import Moment, Overlay, Pieces


class StrobeOverlay(Overlay):
    """Only where a picture asks for earlier times."""

    key, order = "strobe", 12

    def draw(self, moment: Moment) -> Pieces:
        if not len(moment.poses):
            return Pieces()
        tinted = len(moment.shown) > 1
        ghosts = [
            actor
            for row, arm, _ in moment.runs
            for actor in strobe.ghosts(arm, moment.poses, moment.colour(row) if tinted else None)
        ]
        return Pieces(actors=ghosts)


OVERLAY = StrobeOverlay()
