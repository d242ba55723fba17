"""Where the camera is: free, following the tip, fixed to a link, or on a path through key frames. No Qt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assets.fields import Data, Values
from scene import camera as cameras
from scene.picture import Array, Camera

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings
    from gui.compose.kinematics import RunKinematics

NEAR = 1e-6
"""Two key frames within this time are one [s]."""

ASPECT = 1.5
"""Stored cameras suit pictures at least this many times as wide as high; narrower ones are seen from further away."""


def widened(camera: Camera, aspect: float) -> Camera:
    """A stored camera for a picture of this aspect: what one of `ASPECT` shows, a narrower one shows too."""
    return replace(camera, distance=camera.distance * max(ASPECT / aspect, 1.0))


def narrowed(camera: Camera, aspect: float) -> Camera:
    """The camera to store, so that `widened` gives `camera`."""
    return replace(camera, distance=camera.distance / max(ASPECT / aspect, 1.0))


def stored(view: ViewSettings, aspect: float) -> Camera | None:
    """The view's own camera for a picture of this aspect; None for the standard one."""
    return widened(cameras.from_json(dict(view.camera)), aspect) if view.camera else None


def moved(camera: Camera, arm: RunKinematics, t: float, view: ViewSettings, aspect: float) -> Camera:
    """Where the camera is at `t`, given where the view puts it.

    Args:
        camera: the free camera; for one that rides on a link, where it is when the run begins.
        arm: of the current run.
        t: the playhead [s].
        view: what the camera follows.
        aspect: of the picture, width over height.
    """
    if view.camera_path and view.camera_keys:
        keys = [(float(key["t"]), cameras.from_json(key["camera"])) for key in view.camera_keys]
        return widened(cameras.along(keys, t), aspect)
    if view.ride_on and (frames := _frames(arm, t, view.ride_on)) is not None:
        return cameras.carried(camera, *frames)
    tip = arm.tip(t) if view.follow else None
    if tip is not None:
        x, y, z = tip.tolist()
        return replace(camera, target=(x, y, z))
    return camera


def settled(camera: Camera, row: RunRow, t: float, view: ViewSettings, aspect: float) -> Data:
    """What to set in the view so that a picture at `t` is seen from `camera`; it no longer follows the key frames."""
    from gui.compose.kinematics import kinematics_of

    frames = _frames(kinematics_of(row.run), t, view.ride_on) if view.ride_on and row.run is not None else None
    if frames is not None:
        camera = cameras.carried(camera, frames[1], frames[0])
    return {"camera": cameras.to_json(narrowed(camera, aspect)), "camera_path": False}


def with_key(view: ViewSettings, t: float, camera: Camera, aspect: float) -> tuple[Values, ...]:
    """The view's key frames with another one: `camera` at `t` [s], in place of an earlier one there."""
    kept = cameras.to_json(narrowed(camera, aspect))
    others = [key for key in view.camera_keys if abs(float(key["t"]) - t) > NEAR]
    return tuple(sorted([*others, {"t": t, "camera": kept}], key=lambda key: float(key["t"])))


def _frames(arm: RunKinematics, t: float, link: str) -> tuple[Array, Array] | None:
    """The frame of the link when the run begins and at `t`, both (4, 4); None for an arm without such a link."""
    links = arm.shape(t).links
    if link not in links:
        return None
    index = links.index(link)
    return arm.pose(arm.start).world_from_link[index], arm.pose(t).world_from_link[index]
