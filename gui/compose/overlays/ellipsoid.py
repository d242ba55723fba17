"""How easily the tip moves in every direction."""

from __future__ import annotations

from gui.compose import task_overlays
from gui.compose.overlay import Moment, Overlay, Pieces


class EllipsoidOverlay(Overlay):
    """The velocity ellipsoid of arms that have one; amber near a singular posture."""

    key, order, setting = "ellipsoid", 110, "ellipsoid"

    def draw(self, moment: Moment) -> Pieces:
        return Pieces(ellipsoids=task_overlays.ellipsoid(moment.arms[0], moment.t))


OVERLAY = EllipsoidOverlay()
