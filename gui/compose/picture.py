"""From runs and a playhead to one picture, by the same code for the window and for exported frames. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.app.table.distinctions import details
from gui.app.view import THEMES
from gui.compose import viewpoint
from gui.compose.kinematics import corners, kinematics_of
from gui.compose.overlay import moment_of, overlays, rgb, shown_rows, stopped
from gui.compose.places import arms_of
from scene import camera as cameras
from scene.camera import WHOLE, Bars
from scene.picture import Actor, Camera, Picture

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings
    from robots.model.shapes import ArmShape, Pose

Array = NDArray[np.float64]

GHOST_OPACITY = 0.36

WAITING = 0.6
"""Opacity of an arm that cannot move yet."""

ROOM_AROUND = 1.13
"""How much larger than the motion the standard camera's view is."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a legend.

    Attributes:
        colour, dash: as in the run's trail and curves.
        label, setting: the method's name, and its step or tolerances.
        note: why the run stands still at this time, or nothing.
        alarm: whether the note is bad news.
        current: whether it is the run that is being edited.
        mark: at its curves' points, filled; empty without one.
    """

    colour: str
    dash: str
    label: str
    setting: str
    note: str = ""
    current: bool = False
    alarm: bool = False
    mark: str = ""


def legend(rows: Iterable[RunRow], t: float) -> tuple[LegendEntry, ...]:
    """The legend of the visible rows at time `t`: their labels, how they differ, and how they ended.

    While another run is awaited, the one that is drawn keeps its name, and the awaited one stands behind it.
    """
    every = list(rows)
    given = [row for row in every if row.visible]
    drawn = [row.drawn if row.outdated else row for row in given]
    current = next((row for row in every if not row.pinned), None)
    return tuple(
        LegendEntry(
            row.colour,
            row.dash,
            seen.label,
            f"{text}   {_awaited(row, seen)}" if row.outdated else text,
            stopped(row, t),
            not row.pinned,
            row.state == "failed",
        )
        for row, seen, text in zip(given, drawn, details(drawn, current), strict=True)
    )


def _awaited(row: RunRow, drawn: RunRow) -> str:
    """What becomes of the run that the row asks for, with its name where that is another one."""
    return row.state if row.label == drawn.label else f"{row.label}: {row.state}"


def final_legend(rows: Sequence[RunRow]) -> list[LegendEntry]:
    """The runs of a figure, and how those ended that did not reach their end."""
    given = [row for row in rows if row.visible]
    return [
        replace(one, note="") if row.run is not None and row.run.status.ok else one
        for row, one in zip(given, legend(given, math.inf), strict=True)
    ]


def framed(rows: Sequence[RunRow], camera: Camera, aspect: float = 1.6, bars: Bars = WHOLE) -> Camera:
    """Show the whole motion of the rows, in the direction of `camera`, between the picture's `bars`."""
    rooms = [arm.room for arm in arms_of(rows)]
    if not rooms:
        return cameras.fit(camera, (0.0, 0.0, 0.5), 1.0, aspect)
    return cameras.frame(camera, np.concatenate(rooms), aspect, margin=ROOM_AROUND, bars=bars)


def standard_camera(rows: Sequence[RunRow], name: str = "iso", aspect: float = 1.6, bars: Bars = WHOLE) -> Camera:
    """The preset `name` that shows the whole motion of the rows. Raises BadInput for an unknown name."""
    return framed(rows, cameras.look_along(Camera(), name), aspect, bars)


def camera_of(rows: Sequence[RunRow], t: float, view: ViewSettings, aspect: float, bars: Bars) -> Camera:
    """Where `compose` looks from; a mouse that turns the camera needs no picture for it."""
    shown = shown_rows(rows, view)
    camera = _resting_camera(shown, view, aspect, bars)
    run = shown[0].run if shown else None
    return camera if run is None else viewpoint.moved(camera, kinematics_of(run), t, view, aspect)


def standing(picture: Picture, shape: ArmShape, pose: Pose, view: ViewSettings, aspect: float, bars: Bars) -> Picture:
    """The picture of an arm that waits for its kernels: transparent, as it stands at first.

    Args:
        picture: without arms.
        shape, pose: of the arm.
        view: the camera, unless it is the standard one.
        aspect: width over height.
        bars: what the standard camera leaves free.
    """
    usual = cameras.look_along(Camera(), "iso")
    camera = viewpoint.stored(view, aspect) or cameras.frame(
        usual, corners(shape, [pose]), aspect, margin=ROOM_AROUND, bars=bars
    )
    return replace(picture, camera=camera, actors=(Actor(shape, pose, opacity=WAITING),), ground=shape.ground)


def _resting_camera(shown: Sequence[RunRow], view: ViewSettings, aspect: float, bars: Bars) -> Camera:
    """Where the view says that the camera stands, before it follows anything."""
    return viewpoint.stored(view, aspect) or standard_camera(shown, aspect=aspect, bars=bars)


def compose(
    rows: Sequence[RunRow],
    t: float,
    view: ViewSettings,
    *,
    theme: str = "",
    aspect: float = 1.6,
    bars: Bars = WHOLE,
    transparent: bool = False,
    selected: int | None = None,
    poses: Sequence[float] | Array = (),
    held: bool = False,
) -> Picture:
    """The picture of `rows` at time `t` [s].

    Args:
        rows: the runs, the current one first; hidden or uncomputed runs are left out.
        t: the playhead. A run that ended earlier shows its last good pose.
        view: camera and overlays.
        theme: `light`, `dark` or `projector`; the view's own by default (`system` counts as light).
        aspect: width over height, for the automatic camera.
        bars: what this camera leaves free for a legend and for the time.
        transparent: leave the background clear.
        selected: index of the current run's link that is outlined.
        poses: earlier times at which the arms are shown too, fading into the past.
        held: whether a hand pulls the current run's arm now, by a spring that the caller adds.
    """
    shown = shown_rows(rows, view)
    chosen = theme or view.theme
    chosen = chosen if chosen in THEMES else "light"
    camera = _resting_camera(shown, view, aspect, bars)
    picture = Picture(camera=camera, theme=chosen, grid=view.grid and not transparent, transparent=transparent)  # type: ignore[arg-type]
    if not shown:
        return picture
    actors = _actors(shown, t, chosen, selected)
    run = shown[0].run
    assert run is not None
    camera = viewpoint.moved(camera, kinematics_of(run), t, view, aspect)
    moment = moment_of(shown, t, view, chosen, camera, actors[0], poses, held)
    drawn = [overlay.draw(moment) for overlay in overlays().values() if overlay.on(view)]

    def every(kind: str) -> tuple[object, ...]:
        return tuple(one for pieces in drawn for one in getattr(pieces, kind))

    kinds = {kind: every(kind) for kind in ("ribbons", "dots", "arrows", "frames", "labels", "ellipsoids")}
    ground = actors[0].shape.ground
    return replace(picture, camera=camera, actors=(*actors, *every("actors")), ground=ground, **kinds)


def _actors(shown: Sequence[RunRow], t: float, theme: str, selected: int | None) -> list[Actor]:
    """The arms: the current run's as it is, without it the first one, and the others transparent."""
    made = []
    arms = arms_of(shown)
    first, near = arms[0].tip(t), 0.05 * arms[0].shape(t).radius
    for row, arm in zip(shown, arms, strict=True):
        pose = arm.pose(t)
        if row.pinned and row is not shown[0]:
            opacity = GHOST_OPACITY * _apart(arm.tip(t), first, near)
            made.append(
                Actor(arm.ghost_shape(t), pose, rgb(row.colour, theme), opacity, name=row.label, apart=arm.elsewhere)
            )
        else:
            made.append(Actor(arm.shape(t), pose, selected=selected, name=row.label))
    return made


def _apart(tip: Array | None, first: Array | None, near: float) -> float:
    """From 0.2 for a ghost upon the current arm, which it would only stain, to 1 for one that stands apart."""
    if tip is None or first is None:
        return 1.0
    return 0.2 + 0.8 * min(float(np.linalg.norm(tip - first)) / near, 1.0)
