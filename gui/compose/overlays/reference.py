"""The reference run as a ghost."""

from __future__ import annotations

from gui.charts.colours import NEUTRAL
from gui.compose.overlay import Moment, Overlay, Pieces, rgb
from scene.picture import Actor

OPACITY = 0.26


class ReferenceOverlay(Overlay):
    """Grey, until the reference is no longer trusted."""

    key, order, setting = "reference", 10, "reference_ghost"

    def draw(self, moment: Moment) -> Pieces:
        run, exact, arm = moment.shown[0].run, moment.shown[0].reference_run, moment.arms[0]
        if run is None or exact is None or moment.t > exact.trusted_until:
            return Pieces()
        pose, shape = arm.exact_pose(moment.t, exact), arm.ghost_shape(moment.t)
        return Pieces(actors=[Actor(shape, pose, rgb(NEUTRAL, moment.theme), OPACITY, name="Reference")])


OVERLAY = ReferenceOverlay()
