"""The same arm driven by the torques that a run has found."""

from __future__ import annotations

from gui.compose.companions import companion_pieces
from gui.compose.overlay import Moment, Overlay, Pieces


class CompanionOverlay(Overlay):
    """For every run of inverse dynamics."""

    key, order = "companion", 120

    def draw(self, moment: Moment) -> Pieces:
        return companion_pieces(moment.shown, moment.t, moment.view.trail_seconds if moment.view.trail else None)


OVERLAY = CompanionOverlay()
