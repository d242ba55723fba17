"""The path that the task asks for, with its glow, and where the tip should be now."""

from __future__ import annotations

import numpy as np

from gui.compose.overlay import AMBER, GLOW, Moment, Overlay, Pieces
from scene.picture import Dots, Ribbon

HALOS = ((13.0, 0.07), (8.0, 0.12), (5.0, 0.22))
"""Width [px] and opacity of the glow's layers, from outside to inside."""

CORE = 2.2
MOST_POINTS = 1200
TARGET = ((22.0, 0.16), (14.0, 0.30))
"""Size [px] and opacity of the soft light where the tip should be."""


class DesiredPathOverlay(Overlay):
    """A glowing line; amber where the arm does not reach it."""

    key, order, setting = "desired-path", 20, "desired_path"

    def draw(self, moment: Moment) -> Pieces:
        glow, wanted = GLOW[moment.theme], moment.arms[0].wanted(moment.t)
        dots = [] if wanted is None else [Dots(wanted[None, :], glow, size, opacity) for size, opacity in TARGET]
        return Pieces(ribbons=_path(moment), dots=dots)


def _path(moment: Moment) -> list[Ribbon]:
    arm, glow = moment.arms[0], GLOW[moment.theme]
    if arm.desired is None:
        return []
    some = slice(None, None, max(len(arm.desired) // MOST_POINTS, 1))
    path = arm.desired[some]
    if len(path) < 2 or np.ptp(path, axis=0).max() < 1e-9:
        return []
    colours = np.tile([*glow, 1.0], (len(path), 1))
    if arm.reachable is not None:
        colours[~arm.reachable[some], :3] = AMBER
    layers = (*HALOS, (CORE, 1.0))
    return [Ribbon(path, glow, width, colours=colours * (1.0, 1.0, 1.0, opacity)) for width, opacity in layers]


OVERLAY = DesiredPathOverlay()
