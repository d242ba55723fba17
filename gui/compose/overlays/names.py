"""The names of the links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gui.compose.overlay import Moment, Overlay, Pieces
from scene.picture import Label


class NamesOverlay(Overlay):
    """Links at the same place share a label."""

    key, order, setting = "names", 100, "labels"

    def draw(self, moment: Moment) -> Pieces:
        made: list[Label] = []
        for name, transform in zip(moment.actor.shape.links, moment.actor.pose.world_from_link, strict=True):
            place = transform[:3, 3].copy()
            near = 0.02 * moment.size
            same = next((i for i, m in enumerate(made) if np.linalg.norm(m.position - place) < near), None)
            if same is None:
                made.append(Label(name, place, None, "right", 13.0))
            else:
                made[same] = replace(made[same], text=f"{made[same].text}, {name}")
        return Pieces(labels=made)


OVERLAY = NamesOverlay()
