"""Motions as one self-contained web page: meshes and poses once, a small WebGL player, no network."""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assets
from assets.errors import ArmstepError
from scene.geometry.arm import material_index
from scene.motion import Curve2d, Motion, MovingArm, bodies
from scene.picture import Colour
from scene.theme import scene_theme

MOST_CHART_POINTS = 1500


def web_page(motion: Motion) -> str:
    """The page's text."""
    page = assets.read_text("web/player.html")
    data = json.dumps(_data(motion), separators=(",", ":"), allow_nan=False).replace("</", "<\\/")
    texts = json.dumps(dict(motion.metadata), separators=(",", ":")).replace("</", "<\\/")
    page = page.replace("{{title}}", html.escape(motion.title)).replace("{{subtitle}}", html.escape(motion.subtitle))
    return page.replace("{{data}}", data).replace("{{metadata}}", texts)


def page_metadata(path: Path) -> dict[str, str]:
    """The texts inside a page of ours.

    Raises:
        ArmstepError: when it is none.
    """
    found = re.search(r'<script type="application/json" id="metadata">(.*?)</script>', path.read_text("utf-8"), re.S)
    if found is None:
        raise ArmstepError(f"cannot read {path}: Armstep has not written it")
    return {str(key): str(value) for key, value in json.loads(found[1]).items()}


def _data(motion: Motion) -> dict[str, Any]:
    theme = scene_theme(motion.theme)
    first = motion.arms[0]
    colours = ("zenith", "horizon", "nadir", "ground", "grid", "text", "shadow")
    chart = None
    if motion.chart is not None:
        label, log, curves = motion.chart
        chart = {"label": label, "log": log, "curves": [_curve(curve) for curve in curves]}
    return {
        "times": [float(motion.times[0]), float(motion.times[-1]), len(motion.times)],
        "centre": [float(x) for x in first.shape.centre],
        "radius": float(first.shape.radius),
        "ground": first.shape.ground,
        "colours": {name: theme.colours[name] for name in colours},
        "dark": motion.theme == "dark",
        "arms": [_arm(arm, motion.theme) for arm in motion.arms],
        "desired": _packed(motion.desired.astype("<f4")),
        "chart": chart,
    }


def _arm(arm: MovingArm, theme: str) -> dict[str, Any]:
    return {
        "name": arm.name,
        "colour": arm.line,
        "opacity": arm.opacity,
        "trail": _packed(arm.trail.astype("<f4")),
        "bodies": [
            {
                "poses": _packed(np.ascontiguousarray(body.placements[:, :3, :]).astype("<f4")),
                "meshes": [
                    {
                        **_material(material, arm.colour, theme),
                        "positions": _packed(mesh.positions.astype("<f4")),
                        "normals": _packed(np.round(127.0 * mesh.normals).astype("i1")),
                        "triangles": _packed(mesh.triangles.astype("<u4" if len(mesh.positions) > 65535 else "<u2")),
                        "wide": len(mesh.positions) > 65535,
                    }
                    for material, mesh in body.meshes
                ],
            }
            for body in bodies(arm)
        ],
    }


def _material(name: str, tint: Colour | None, theme: str) -> dict[str, Any]:
    found = scene_theme(theme).materials[material_index(name)]
    return {"colour": tint or found.colour, "roughness": found.roughness, "metalness": found.metalness}


def _curve(curve: Curve2d) -> dict[str, Any]:
    stride = max(1, len(curve.t) // MOST_CHART_POINTS)
    values = [float(f"{v:.4g}") if np.isfinite(v) else None for v in curve.values[::stride]]
    return {
        "label": curve.label,
        "colour": curve.colour,
        "t": _packed(curve.t[::stride].astype("<f4")),
        "values": values,
    }


def _packed(values: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
