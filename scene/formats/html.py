"""Motions as one self-contained web page: meshes and poses once, a small WebGL player, no network.

The player draws with the renderer's own shaders, so that the page looks like the window.
"""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

import assets
from assets.errors import ArmstepError
from assets.fields import Data
from assets.polylines import decimate
from robots.model.chart import Curve
from robots.model.shapes import Pose
from scene.colour import hex_colour
from scene.format import MotionFormat
from scene.geometry.arm import material_index
from scene.geometry.lines import HEAD_LENGTH, HEAD_WIDTH, HIDDEN_ARROWS, HIDDEN_LINES
from scene.gl.frame import frame_block, materials_block, tint
from scene.motion import Motion, MovingArm, bodies
from scene.picture import ARROW_WIDTH, Actor, Picture, Theme
from scene.shader_text import shader_files
from scene.theme import scene_theme

CHART_COLUMNS = 748
"""How many parts of its time a curve of the page is thinned to; with a part at each end at most 3000 points of it."""


def web_page(motion: Motion) -> bytes:
    """The page's text in UTF-8."""
    page = assets.read_text("web/player.html")
    texts = {
        "title": html.escape(motion.title),
        "data": _script(_data(motion)),
        "metadata": _script(dict(motion.metadata)),
    }
    # In one go: a title may hold the name of another place.
    return re.sub(r"\{\{(\w+)\}\}", lambda place: texts[place[1]], page).encode()


def _script(data: Data) -> str:
    """JSON that no text inside can end or comment out."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def page_metadata(path: Path) -> dict[str, str]:
    """The texts inside a page of ours.

    Raises:
        ArmstepError: when it is not one.
    """
    found = re.search(r'<script type="application/json" id="metadata">(.*?)</script>', path.read_text("utf-8"), re.S)
    if found is None:
        raise ArmstepError("it was not written by Armstep")
    return {str(key): str(value) for key, value in json.loads(found[1]).items()}


SHADOW_PIXELS = 2048
SHADERS = (
    *("arm.vert", "arm.frag", "shadow.vert", "depth.frag", "ground.vert", "ground.frag"),
    *("background.vert", "background.frag", "ribbon.vert", "ribbon.frag"),
)


def _data(motion: Motion) -> Data:
    theme = scene_theme(motion.theme)
    first, camera = motion.arms[0], motion.camera
    names = ("horizon", "text")
    chart = None
    if motion.chart is not None:
        curves = [_curve(curve, motion.dashes.get(curve.dash, ())) for curve in motion.chart.curves]
        chart = {"label": motion.chart.y.label, "log": motion.chart.y.log, "curves": curves}
    return {
        "times": [float(motion.times[0]), float(motion.times[-1]), len(motion.times)],
        "speed": motion.speed,
        "radius": float(first.shape.radius),
        "ground": first.shape.ground,
        "colours": {name: theme.colours[name] for name in names},
        "lift": theme.numbers["lift"],
        "dark": sum(theme.colours["horizon"]) < 1.5,
        "camera": {
            "target": [float(x) for x in camera.target],
            "distance": camera.distance,
            "azimuth": camera.azimuth,
            "elevation": camera.elevation,
            "field": camera.field_of_view,
        },
        "shaders": shader_files(*SHADERS),
        "shadow": SHADOW_PIXELS,
        "frame": _packed(_frame(motion).astype("<f4")),
        "materials": _packed(materials_block(theme).astype("<f4")),
        "paints": [material.colour for material in theme.materials],
        "arms": [_arm(arm) for arm in motion.arms],
        "path": motion.path,
        "desired": _packed(motion.desired.astype("<f4")),
        "chart": chart,
        "scales": motion.scales,
        "hidden": [HIDDEN_LINES, HIDDEN_ARROWS],
        "arrow": [ARROW_WIDTH, HEAD_WIDTH, HEAD_LENGTH],
    }


def _frame(motion: Motion) -> NDArray[np.float32]:
    """The uniforms of a frame; the player replaces those that turn with the camera."""
    poses = [Pose(arm.frames[0], {name: points[0] for name, points in arm.curves.items()}) for arm in motion.arms]
    actors = tuple(Actor(arm.shape, pose, opacity=arm.opacity) for arm, pose in zip(motion.arms, poses, strict=True))
    theme, ground = cast(Theme, motion.theme), motion.arms[0].shape.ground
    picture = Picture(motion.camera, actors, theme=theme, ground=ground)
    return frame_block(picture, scene_theme(motion.theme), (1280, 720), 1.0, SHADOW_PIXELS, np.eye(4))


def _arm(arm: MovingArm) -> Data:
    ghost = arm.opacity < 1.0
    return {
        "name": arm.name,
        "colour": arm.line,
        "dash": arm.dash,
        "opacity": arm.opacity,
        "tint": tint(arm.colour),
        "trail": _packed(arm.trail.astype("<f4")),
        "errors": _packed(arm.errors.astype("<f4")) if np.isfinite(arm.errors).any() else "",
        "bodies": [
            {
                "poses": _packed(np.ascontiguousarray(body.placements[:, :3, :]).astype("<f4")),
                "meshes": [
                    {
                        "material": material_index(material),
                        "positions": _packed(mesh.positions.astype("<f4")),
                        "normals": _packed(np.round(127.0 * mesh.normals).astype("i1")),
                        "triangles": _packed(mesh.triangles.astype("<u4" if len(mesh.positions) > 65535 else "<u2")),
                        "wide": len(mesh.positions) > 65535,
                    }
                    for material, mesh in body.meshes
                ],
            }
            for body in bodies(arm)
            # The base, which ghosts share with the solid arm, is drawn once.
            if not (ghost and body.name == "world")
        ],
    }


def _curve(curve: Curve, dash: tuple[float, ...]) -> Data:
    known = np.isfinite(curve.y)
    t, values = decimate(curve.x[known], curve.y[known], CHART_COLUMNS)
    return {
        "label": curve.name,
        "colour": hex_colour(curve.colour),
        "dash": dash,
        "t": _packed(t.astype("<f4")),
        "values": [float(f"{value:.4g}") for value in values],
    }


def _packed(values: NDArray[np.generic]) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")


FORMAT = MotionFormat(
    suffix=".html",
    label="Interactive web page, to hand out",
    place=30,
    write=web_page,
    head=0.22,
    reader=page_metadata,
)
