"""The pictures that tests draw, each showing one feature."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scene import camera as cameras
from scene.picture import DASHED, Actor, Arrow, Dots, Ellipsoid, Frame, Label, Picture, Quality, Ribbon
from tests.scene.arms import springy, swing_arm, swing_pose, swing_tip

BLUE, GREEN, RED = (0.0, 0.45, 0.70), (0.0, 0.62, 0.45), (0.84, 0.37, 0.0)
ARM = swing_arm()


def arm(view: str = "iso", q1: float = -0.6, q2: float = 0.7, **fields: object) -> Picture:
    """The test arm from a preset camera."""
    camera = cameras.preset(view, ARM.centre, ARM.radius, 16 / 9)
    return replace(Picture(camera, (Actor(ARM, swing_pose(q1, q2)),), ground=ARM.ground), **fields)  # type: ignore[arg-type]


def with_ghosts(picture: Picture) -> Picture:
    """Three ghosts in the plane of the solid arm, overlapping it and each other."""
    ghosts = (
        Actor(ARM, swing_pose(-0.6 + 0.2 * i, 0.7 - 0.5 * i), c, 0.4) for i, c in ((1, BLUE), (2, RED), (3, GREEN))
    )
    return replace(picture, actors=(*picture.actors, *ghosts))


def with_overlays(picture: Picture) -> Picture:
    """Everything that is drawn over the scene."""
    t = np.linspace(0, 1, 120)
    trail = swing_tip(-0.6 - 1.2 * (1 - t), 0.7 + 1.9 * (1 - t) ** 2)
    frames = np.asarray(picture.actors[0].pose.world_from_link)
    tip = trail[-1]
    stretched = np.diag([0.25, 0.1, 0.4, 1.0])
    stretched[:3, 3] = tip
    return replace(
        picture,
        ribbons=(Ribbon(trail, RED, 3, fade=True), Ribbon(trail + np.array([0, 0, 0.15]), BLUE, 2, dash=DASHED)),
        dots=(Dots(trail[::10], BLUE, 7),),
        arrows=(Arrow(tip, tip + np.array([0.3, 0, 0.4]), GREEN, 4),),
        frames=tuple(Frame(frame, 0.3) for frame in frames),
        labels=(Label("h = 0.01 s", tip, None, "right"), Label("rk4", (0, 0.2, 0.2), BLUE, "above", 20)),
        ellipsoids=(Ellipsoid(stretched),),
    )


def spring_scene() -> Picture:
    """What stretches and bends."""
    shape, pose = springy()
    return Picture(cameras.preset("iso", shape.centre, shape.radius, 16 / 9), (Actor(shape, pose),))


SCENES: dict[str, tuple[Quality, Picture]] = {
    "light-high": ("high", arm()),
    "light-low": ("low", arm()),
    "dark-medium": ("medium", arm("iso", theme="dark")),
    "projector-front": ("medium", arm("front", theme="projector")),
    "top-orthographic": ("medium", replace(arm("top"), camera=replace(arm("top").camera, orthographic=True))),
    "ghosts": ("medium", with_ghosts(arm())),
    "overlays": ("medium", with_overlays(arm())),
    "overlays-low": ("low", with_overlays(arm(theme="dark"))),
    "selected": ("medium", replace(arm(), actors=(Actor(ARM, swing_pose(-0.6, 0.7), selected=1),))),
    "transparent": ("medium", with_overlays(arm(transparent=True))),
    "springs": ("high", spring_scene()),
    "from-below": ("medium", replace(arm(), camera=replace(arm().camera, elevation=-0.5))),
}
