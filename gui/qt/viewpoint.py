"""Where the camera is: free, following the tip, fixed to a link, or on a path through key frames. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scene import camera as cameras
from scene.picture import Camera

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gui.app.rows import RunRow
    from gui.app.view import ViewSettings
    from gui.qt.track import Track

NEAR = 1e-6
"""Two key frames within this time are one [s]."""


def stored(view: ViewSettings) -> Camera | None:
    """The view's own camera; None for the standard one."""
    return cameras.from_json(dict(view.camera)) if view.camera else None


def moved(camera: Camera, track: Track, t: float, view: ViewSettings) -> Camera:
    """Where the camera is at `t`, from where the view says that it stands.

    Args:
        camera: the free camera; for one that rides on a link, where it is when the run begins.
        track: of the current run.
        t: the playhead [s].
        view: what the camera follows.
    """
    if view.camera_path and view.camera_keys:
        return cameras.along([(float(key["t"]), cameras.from_json(key["camera"])) for key in view.camera_keys], t)
    if view.ride_on and (frames := _frames(track, t, view.ride_on)) is not None:
        return cameras.carried(camera, *frames)
    tip = track.tip(t) if view.follow else None
    if tip is not None:
        x, y, z = tip.tolist()
        return replace(camera, target=(x, y, z))
    return camera


def settled(camera: Camera, row: RunRow, t: float, view: ViewSettings) -> dict[str, Any]:
    """What to set in the view so that the picture at `t` is seen from `camera`; it leaves the path of key frames."""
    from gui.qt.track import track_of

    frames = _frames(track_of(row.run), t, view.ride_on) if view.ride_on and row.run is not None else None
    if frames is not None:
        camera = cameras.carried(camera, frames[1], frames[0])
    return {"camera": cameras.to_json(camera), "camera_path": False}


def with_key(view: ViewSettings, t: float, camera: Camera) -> tuple[Mapping[str, Any], ...]:
    """The view's key frames with another one: `camera` at `t` [s], in place of one that is there already."""
    others = [key for key in view.camera_keys if abs(float(key["t"]) - t) > NEAR]
    return tuple(sorted([*others, {"t": t, "camera": cameras.to_json(camera)}], key=lambda key: float(key["t"])))


def _frames(track: Track, t: float, link: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """The frame of the link when the run begins and at `t`, both (4, 4); None for an arm without such a link."""
    links = track.shape(t).links
    if link not in links:
        return None
    index = links.index(link)
    return track.pose(track.start).world_from_link[index], track.pose(t).world_from_link[index]
