"""A dot on the trail where each accepted step ended."""

from __future__ import annotations

from gui.compose import teaching
from gui.compose.overlay import Moment, Overlay, Pieces


class StepDotsOverlay(Overlay):
    """Far apart where the steps are long."""

    key, order, setting = "step-dots", 0, "step_dots"

    def draw(self, moment: Moment) -> Pieces:
        dots = teaching.step_dots(moment.shown, moment.arms, moment.t, moment.view, moment.colour)
        return Pieces(dots=tuple(dots))


OVERLAY = StepDotsOverlay()
