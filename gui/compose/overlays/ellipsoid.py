"""How easily the tip moves in every direction."""

from __future__ import annotations

import numpy as np

from gui.compose.overlay import AMBER, Moment, Overlay, Pieces
from scene.picture import Colour, Ellipsoid

EASE: Colour = (0.34, 0.71, 0.91)
SECONDS = 0.2
"""The ellipsoid shows how far the tip would get in this time with joint rates of norm 1 rad/s [s]."""

THINNEST = 0.004
"""The ellipsoid's least half axis, so that a flat one can still be seen [m]."""


class EllipsoidOverlay(Overlay):
    """The velocity ellipsoid of arms that have one; amber near a singular posture."""

    key, order, setting = "ellipsoid", 110, "ellipsoid"

    def draw(self, moment: Moment) -> Pieces:
        mobility, tip = moment.arms[0].mobility(moment.t), moment.tips[0]
        if mobility is None or tip is None:
            return Pieces()
        lengths = np.linalg.norm(mobility.axes, axis=0)
        sides = mobility.axes / np.where(lengths > 0.0, lengths, 1.0)
        if lengths.min() <= 0.0:
            sides = np.linalg.svd(mobility.axes)[0]
        transform = np.eye(4)
        transform[:3, :3] = sides * np.maximum(SECONDS * lengths, THINNEST)
        transform[:3, 3] = tip
        return Pieces(ellipsoids=[Ellipsoid(transform, AMBER if mobility.singular else EASE, 0.42)])


OVERLAY = EllipsoidOverlay()
