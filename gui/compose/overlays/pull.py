"""The spring by which a hand pulls an arm."""

from __future__ import annotations

from gui.compose.overlay import AMBER, Moment, Overlay, Pieces
from scene.picture import DASHED, Dots, Ribbon


class PullOverlay(Overlay):
    """A dashed line from the arm to the hand, while one pulls."""

    key, order = "pull", 50

    def draw(self, moment: Moment) -> Pieces:
        springs = [points for arm in moment.arms[moment.held :] if (points := arm.pull(moment.t)) is not None]
        ribbons = [Ribbon(points, AMBER, 3.0, dash=DASHED) for points in springs]
        return Pieces(ribbons=ribbons, dots=[Dots(points, AMBER, 9.0) for points in springs])


OVERLAY = PullOverlay()
