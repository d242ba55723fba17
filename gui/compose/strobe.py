"""Earlier poses of an arm, as ghosts that fade into the past: a motion in one still picture. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scene.picture import Actor, Colour

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gui.compose.kinematics import RunKinematics

OLDEST, NEWEST = 0.10, 0.42
"""Opacity of the earliest and of the latest ghost."""


def ghosts(arm: RunKinematics, times: Sequence[float] | NDArray[np.float64], colour: Colour | None) -> list[Actor]:
    """The arm at `times` (n,), in order [s].

    Args:
        arm: of the run; times after its end are left out, since the arm is already there.
        times: when.
        colour: the ghosts' tint; None leaves them the arm's own materials.
    """
    shown = [float(t) for t in times if t < arm.end]
    strengths = np.linspace(OLDEST, NEWEST, len(shown)) if len(shown) > 1 else [NEWEST]
    return [
        Actor(arm.ghost_shape(t), arm.pose(t), colour, float(strength), name=f"t = {t:.3f} s")
        for t, strength in zip(shown, strengths, strict=False)
    ]
