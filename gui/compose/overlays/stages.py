"""The arm in the states at which the present step evaluates f."""

from __future__ import annotations

from gui.compose import teaching
from gui.compose.overlay import Moment, Overlay, Pieces


class StagesOverlay(Overlay):
    """For explicit Runge-Kutta methods, while the current run moves."""

    key, order, setting = "stages", 140, "stages"

    def draw(self, moment: Moment) -> Pieces:
        row = moment.shown[0]
        if row.run is None or row.frozen_at(moment.t) or (step := teaching.step_at(row.run, moment.t)) is None:
            return Pieces()
        actors, dots, labels = teaching.skins(row.run, moment.arms[0], step, moment.colour(row))
        return Pieces(actors=actors, dots=dots, labels=labels)


OVERLAY = StagesOverlay()
