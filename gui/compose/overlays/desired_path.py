"""The path that the task asks for, and where the tip should be now."""

from __future__ import annotations

from gui.compose import task_overlays
from gui.compose.overlay import Moment, Overlay, Pieces


class DesiredPathOverlay(Overlay):
    """A glowing line; amber where the arm does not reach it."""

    key, order, setting = "desired-path", 20, "desired_path"

    def draw(self, moment: Moment) -> Pieces:
        arm, theme = moment.arms[0], moment.theme
        path, target = task_overlays.desired_path(arm, theme), task_overlays.target(arm, moment.t, theme)
        return Pieces(ribbons=path, dots=target)


OVERLAY = DesiredPathOverlay()
