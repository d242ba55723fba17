"""The camera's commands beyond presets: riding on a link, and key frames."""

from __future__ import annotations

from collections.abc import Callable

from gui.app.units import clock
from gui.compose import viewpoint
from gui.qt.window.commands.workbench import Workbench


def handlers(bench: Workbench) -> dict[str, Callable[..., object]]:
    """The commands by their key."""
    return {
        "camera.ride": lambda: ride(bench),
        "camera.set_key": lambda: set_key(bench),
        "camera.drop_key": lambda: drop_key(bench),
    }


def ride(bench: Workbench) -> None:
    """Fix the camera to the selected link (the last one if none is selected), or free it again."""
    session, viewport = bench.session, bench.viewport()
    row = session.runs.current
    if viewport is None or row.run is None:
        return
    now = viewport.camera()
    if session.view.settings.ride_on:
        session.view.set(ride_on="")
        viewport.set_camera(now)
        bench.inform("The camera is free again.")
        return
    links = row.run.shape(session.playback.t).links
    link = links[viewport.selected] if viewport.selected is not None else links[-1]
    session.view.set(ride_on=link, follow=False)
    viewport.set_camera(now)
    bench.inform(f"The camera rides on {link}.")


def set_key(bench: Workbench) -> None:
    """The camera is where it is now whenever the playhead is here; two key frames make a path."""
    session, viewport = bench.session, bench.viewport()
    if viewport is None:
        return
    keys = viewpoint.with_key(session.view.settings, session.playback.t, viewport.camera(), viewport.aspect())
    session.view.set(camera_keys=keys, camera_path=len(keys) > 1, ride_on="", follow=False)
    more = "" if len(keys) > 1 else " Set another at another time: the camera flies between them."
    bench.inform(f"Key frame at t = {clock(session.playback.t)}.{more}")


def drop_key(bench: Workbench) -> None:
    """Remove the latest key frame that is not after the playhead."""
    session = bench.session
    keys = session.view.settings.camera_keys
    passed = [key for key in keys if float(key["t"]) <= session.playback.t + viewpoint.NEAR]
    if not passed:
        bench.inform("No key frame before this time.")
        return
    left = tuple(key for key in keys if key is not passed[-1])
    session.view.set(camera_keys=left, camera_path=session.view.settings.camera_path and len(left) > 1)
    bench.inform(f"Removed the key frame at t = {clock(float(passed[-1]['t']))}.")
