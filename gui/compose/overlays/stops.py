"""Where and when runs stand still, on the side away from the arm; the legend says why."""

from __future__ import annotations

import numpy as np

from gui.app.units import clock
from gui.compose.overlay import Moment, Overlay, Pieces, beyond, stopped
from scene.picture import Label


class StopsOverlay(Overlay):
    """A label at the tip of each run that ended before the playhead."""

    key, order = "stops", 90

    def draw(self, moment: Moment) -> Pieces:
        labels = []
        for row, arm, tip in moment.runs:
            if tip is not None and stopped(row, moment.t):
                side = beyond(tip - np.asarray(arm.shape(moment.t).centre), moment.camera)
                labels.append(Label(f"stopped at {clock(arm.end)}", tip, moment.colour(row), side, 14.0))
        return Pieces(labels=labels)


OVERLAY = StopsOverlay()
