"""The torques of the drives, as arcs."""

from __future__ import annotations

from gui.compose import teaching
from gui.compose.overlay import Moment, Overlay, Pieces


class TorquesOverlay(Overlay):
    """Of the current run, while it moves."""

    key, order, setting = "torques", 130, "torques"

    def draw(self, moment: Moment) -> Pieces:
        run = moment.shown[0].run
        if run is None or moment.shown[0].frozen_at(moment.t):
            return Pieces()
        ribbons, arrows, labels = teaching.torques(run, moment.arms[0], moment.t)
        return Pieces(ribbons=ribbons, arrows=arrows, labels=labels)


OVERLAY = TorquesOverlay()
