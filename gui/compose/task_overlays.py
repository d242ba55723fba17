"""What the task adds to a picture: the desired path with its glow, where the tip should be now, the ellipsoid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scene.picture import Colour, Dots, Ellipsoid, Ribbon

if TYPE_CHECKING:
    from gui.compose.kinematics import RunKinematics


GLOW: dict[str, Colour] = {"light": (0.42, 0.30, 0.86), "dark": (0.72, 0.66, 1.0), "projector": (0.36, 0.22, 0.80)}
HALOS = ((13.0, 0.07), (8.0, 0.12), (5.0, 0.22))
"""Width [px] and opacity of the glow's layers, from outside to inside."""

CORE = 2.2
MOST_POINTS = 1200
EASE: Colour = (0.34, 0.71, 0.91)
AMBER: Colour = (0.90, 0.62, 0.0)
SECONDS = 0.2
"""The ellipsoid shows how far the tip would get in this time with joint rates of norm 1 rad/s [s]."""

THINNEST = 0.004
"""The ellipsoid's least half axis, so that a flat one can still be seen [m]."""


def desired_path(arm: RunKinematics, theme: str) -> list[Ribbon]:
    """The path that the task asks for, glowing; amber where the arm does not reach it."""
    if arm.desired is None:
        return []
    some = slice(None, None, max(len(arm.desired) // MOST_POINTS, 1))
    path = arm.desired[some]
    if len(path) < 2 or np.ptp(path, axis=0).max() < 1e-9:
        return []
    layers = [(width, opacity) for width, opacity in HALOS] + [(CORE, 1.0)]
    colours = np.tile([*GLOW[theme], 1.0], (len(path), 1))
    if arm.reachable is not None:
        colours[~arm.reachable[some], :3] = AMBER
    return [Ribbon(path, GLOW[theme], width, colours=colours * (1.0, 1.0, 1.0, opacity)) for width, opacity in layers]


def target(arm: RunKinematics, t: float, theme: str) -> list[Dots]:
    """Where the tip should be at `t`, as a soft light."""
    wanted = arm.wanted(t)
    if wanted is None:
        return []
    return [Dots(wanted[None, :], GLOW[theme], size, opacity) for size, opacity in ((22.0, 0.16), (14.0, 0.30))]


def ellipsoid(arm: RunKinematics, t: float) -> list[Ellipsoid]:
    """The tip's velocity ellipsoid at `t`; amber near a singular posture."""
    mobility, tip = arm.mobility(t), arm.tip(t)
    if mobility is None or tip is None:
        return []
    lengths = np.linalg.norm(mobility.axes, axis=0)
    sides = mobility.axes / np.where(lengths > 0.0, lengths, 1.0)
    if lengths.min() <= 0.0:
        sides = np.linalg.svd(mobility.axes)[0]
    transform = np.eye(4)
    transform[:3, :3] = sides * np.maximum(SECONDS * lengths, THINNEST)
    transform[:3, 3] = tip
    return [Ellipsoid(transform, AMBER if mobility.singular else EASE, 0.42)]
