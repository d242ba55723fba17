"""From runs and a playhead to one picture, by the same code for the window and for exported frames. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.app import formatting
from gui.app.units import power_text
from gui.app.view import THEMES
from gui.charts.colours import NEUTRAL, on_ground
from gui.compose import companions, strobe, task_overlays, teaching, viewpoint
from gui.compose.kinematics import kinematics_of
from scene import camera as cameras
from scene.picture import Actor, Anchor, Arrow, Camera, Colour, Dots, Ellipsoid, Frame, Label, Picture, Ribbon
from scene.theme import hex_colour

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings
    from robots.scenario.scenario import Scenario

Array = NDArray[np.float64]

GHOST_OPACITY = 0.36
REFERENCE_OPACITY = 0.26
PULL_COLOUR: Colour = (0.90, 0.62, 0.0)

ROOM_AROUND = 1.13
"""How much larger than the motion the standard camera's view is."""

NO_ERROR = 1e-13
"""Errors below this part of the arm's size are round-off and get no arrow."""

VELOCITY_SECONDS = 0.15
"""A velocity arrow ends where the tip would be after this time [s]."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a legend.

    Attributes:
        colour, dash: as in the run's trail and curves.
        label, setting: the method's name, and its step or tolerances.
        note: why the run stands still at this time, or nothing.
        alarm: whether the note is bad news.
        current: whether it is the run that is being edited.
    """

    colour: str
    dash: str
    label: str
    setting: str
    note: str = ""
    current: bool = False
    alarm: bool = False


def legend(rows: Iterable[RunRow], t: float) -> tuple[LegendEntry, ...]:
    """The legend of the visible rows at time `t`; a pinned run says how else it differs from the current one."""
    given = list(rows)
    current = next((row.scenario for row in given if not row.pinned), None)
    return tuple(
        LegendEntry(r.colour, r.dash, r.label, setting(r, current), stopped(r, t), not r.pinned, r.state == "failed")
        for r in given
        if r.visible
    )


def setting(row: RunRow, current: Scenario | None = None) -> str:
    """Step or tolerances, differences from the current scenario, and whether the run drawn is of an earlier choice."""
    differs = formatting.differences(row.scenario, current) if row.pinned and current is not None else ()
    text = " · ".join((row.setting, *differs))
    return f"{text}   {row.state}" if row.outdated else text


def stopped(row: RunRow, t: float) -> str:
    """Why and when the run stopped before `t`, in a few words; nothing while it goes on, or another is computed."""
    if row.run is None or row.state == "computing" or row.outdated or not row.frozen_at(t):
        return ""
    words = str(row.run.status).replace("-", " ").replace("newton", "Newton")
    return f"{words} at t = {float(row.run.t_end):.3f} s"


def rgb(colour: str, theme: str) -> Colour:
    """The colour `#RRGGBB` as numbers from 0 to 1, a quarter nearer to white on a dark ground."""
    return hex_colour(on_ground(colour, dark=theme == "dark"))


def shown_rows(rows: Sequence[RunRow], view: ViewSettings) -> list[RunRow]:
    """The rows that have something to draw, in the order of the picture's first actors."""
    return [row for row in rows if row.run is not None and row.visible and (view.ghosts or not row.pinned)]


def framed(rows: Sequence[RunRow], camera: Camera, aspect: float = 1.6, head: float = 0.0) -> Camera:
    """Show the whole motion of the rows, in the direction of `camera`, below the `head` of the picture."""
    rooms = [kinematics_of(row.run).room for row in rows if row.run is not None]
    if not rooms:
        return cameras.fit(camera, (0.0, 0.0, 0.5), 1.0, aspect)
    return cameras.frame(camera, np.concatenate(rooms), aspect, margin=ROOM_AROUND, head=head)


def standard_camera(rows: Sequence[RunRow], name: str = "iso", aspect: float = 1.6, head: float = 0.0) -> Camera:
    """The preset `name` that shows the whole motion of the rows. Raises BadInput for an unknown name."""
    return framed(rows, cameras.look_along(Camera(), name), aspect, head)


def camera_of(rows: Sequence[RunRow], t: float, view: ViewSettings, aspect: float = 1.6, head: float = 0.0) -> Camera:
    """Where `compose` looks from; a mouse that turns the camera needs no picture for it."""
    shown = shown_rows(rows, view)
    camera = _resting_camera(shown, view, aspect, head)
    run = shown[0].run if shown else None
    return camera if run is None else viewpoint.moved(camera, kinematics_of(run), t, view, aspect)


def _resting_camera(shown: Sequence[RunRow], view: ViewSettings, aspect: float, head: float) -> Camera:
    """Where the view says that the camera stands, before it follows anything."""
    return viewpoint.stored(view, aspect) or standard_camera(shown, aspect=aspect, head=head)


def error_scale(rows: Sequence[RunRow], t: float, view: ViewSettings) -> float:
    """How much `compose` lengthens the error arrows of `rows` at time `t`; 0 if there is none to draw."""
    overlays = _Overlays(shown_rows(rows, view), t, view, "light")
    return overlays.error_scale(overlays.judged())


def compose(
    rows: Sequence[RunRow],
    t: float,
    view: ViewSettings,
    *,
    theme: str = "",
    aspect: float = 1.6,
    head: float = 0.0,
    transparent: bool = False,
    selected: int | None = None,
    poses: Sequence[float] | Array = (),
) -> Picture:
    """The picture of `rows` at time `t` [s].

    Args:
        rows: the runs, the current one first; hidden or uncomputed runs are left out.
        t: the playhead. A run that ended earlier shows its last good pose.
        view: camera and overlays.
        theme: `light`, `dark` or `projector`; the view's own by default (`system` counts as light).
        aspect: width over height, for the automatic camera.
        head: the share of the height, at the top, that this camera leaves free for a legend.
        transparent: leave the background clear.
        selected: index of the current run's link that is outlined.
        poses: earlier times at which the arms are shown too, fading into the past.
    """
    shown = shown_rows(rows, view)
    chosen = theme or view.theme
    chosen = chosen if chosen in THEMES else "light"
    camera = _resting_camera(shown, view, aspect, head)
    picture = Picture(camera=camera, theme=chosen, grid=view.grid and not transparent, transparent=transparent)  # type: ignore[arg-type]
    if not shown:
        return picture
    overlays = _Overlays(shown, t, view, chosen)
    actors = overlays.actors(selected)
    arrows, labels = overlays.errors(camera) if view.error_vector else ([], [])
    pulls = overlays.pulls()
    camera = viewpoint.moved(camera, overlays.arms[0], t, view, aspect)
    picture = replace(
        picture,
        camera=camera,
        actors=(*actors, *overlays.reference_ghost(), *overlays.earlier(poses)),
        ribbons=(*overlays.desired_path(), *overlays.trails(), *overlays.axes(actors[0]), *pulls[0]),
        dots=(*overlays.targets(), *overlays.tip_dots(), *pulls[1]),
        arrows=(*arrows, *overlays.velocities()),
        frames=tuple(overlays.frames(actors[0])),
        labels=(*labels, *overlays.stops(camera), *overlays.names(actors[0])),
        ellipsoids=tuple(overlays.ellipsoids()),
        ground=actors[0].shape.ground,
    )
    picture = companions.with_companions(picture, shown, t, view.trail_seconds if view.trail else None)
    return teaching.taught(picture, shown, overlays.arms, t, view, overlays.colour)


class _Overlays:
    """The pieces of one picture; `tips` holds where each shown run's tip is, (3,) [m] or None."""

    def __init__(self, shown: Sequence[RunRow], t: float, view: ViewSettings, theme: str) -> None:
        self.shown, self.t, self.view, self.theme = shown, t, view, theme
        self.arms = [kinematics_of(row.run) for row in shown if row.run is not None]
        self.tips = [arm.tip(t) for arm in self.arms]
        self.size = self.arms[0].shape(t).radius

    def colour(self, row: RunRow) -> Colour:
        return rgb(row.colour, self.theme)

    def actors(self, selected: int | None) -> list[Actor]:
        made = []
        for row, arm, tip in zip(self.shown, self.arms, self.tips, strict=True):
            pose = arm.pose(self.t)
            if row.pinned:
                opacity = GHOST_OPACITY * self._apart(tip)
                made.append(Actor(arm.ghost_shape(self.t), pose, self.colour(row), opacity, name=row.label))
            else:
                made.append(Actor(arm.shape(self.t), pose, selected=selected, name=row.label))
        return made

    def _apart(self, tip: Array | None) -> float:
        """From 0.2 for a ghost on top of the current arm, which it would only stain, to 1 for one further away."""
        if tip is None or self.tips[0] is None:
            return 1.0
        return 0.2 + 0.8 * min(float(np.linalg.norm(tip - self.tips[0])) / (0.05 * self.size), 1.0)

    def reference_ghost(self) -> list[Actor]:
        run, exact = self.shown[0].run, self.shown[0].reference_run
        if not self.view.reference_ghost or run is None or exact is None or self.t > exact.trusted_until:
            return []
        pose = self.arms[0].exact_pose(self.t, exact)
        shape = self.arms[0].ghost_shape(self.t)
        return [Actor(shape, pose, rgb(NEUTRAL, self.theme), REFERENCE_OPACITY, name="Reference")]

    def earlier(self, poses: Sequence[float] | Array) -> list[Actor]:
        """The arms at the times `poses`, fading into the past."""
        if not len(poses):
            return []
        return [
            actor
            for row, arm in zip(self.shown, self.arms, strict=True)
            for actor in strobe.ghosts(arm, poses, self.colour(row) if len(self.shown) > 1 else None)
        ]

    def trails(self) -> list[Ribbon]:
        if not self.view.trail:
            return []
        ribbons = []
        for row, arm, tip in reversed(list(zip(self.shown, self.arms, self.tips, strict=True))):
            if tip is None:
                continue
            points = arm.past(self.t, self.view.trail_seconds)
            if arm.leaves_trail(self.t):
                points = np.vstack([points, tip])
            if len(points) > 1:
                width = 2.4 if row.pinned else 3.2
                ribbons.append(Ribbon(points, self.colour(row), width, fade=True, dash=row.dash != "solid"))
        return ribbons

    def tip_dots(self) -> list[Dots]:
        if not self.view.trail:
            return []
        pairs = [(row, tip) for row, tip in zip(self.shown, self.tips, strict=True) if tip is not None]
        return [Dots(tip[None, :], self.colour(row), 8.0) for row, tip in reversed(pairs)]

    def pulls(self) -> tuple[list[Ribbon], list[Dots]]:
        """The springs of pulls, from the arm to the mouse."""
        springs = [points for arm in self.arms if (points := arm.pull(self.t)) is not None]
        return [Ribbon(p, PULL_COLOUR, 3.0, dash=True) for p in springs], [Dots(p, PULL_COLOUR, 9.0) for p in springs]

    def desired_path(self) -> list[Ribbon]:
        return task_overlays.desired_path(self.arms[0], self.theme) if self.view.desired_path else []

    def targets(self) -> list[Dots]:
        return task_overlays.target(self.arms[0], self.t, self.theme) if self.view.desired_path else []

    def ellipsoids(self) -> list[Ellipsoid]:
        return task_overlays.ellipsoid(self.arms[0], self.t) if self.view.ellipsoid else []

    def errors(self, camera: Camera) -> tuple[list[Arrow], list[Label]]:
        """Arrows from where each tip should be towards where it is, all lengthened by the same power of ten."""
        judged = self.judged()
        scale = self.error_scale(judged)
        if not scale:
            return [], []
        arrows, labels = [], []
        for index in judged:
            row, tip = self.shown[index], self.tips[index]
            exact = self.arms[index].exact_tip(self.t, row.reference_run)
            if tip is None:
                continue
            end = exact + scale * (tip - exact)
            if 0.01 * self.size < np.linalg.norm(end - exact) < 1e3 * self.size:
                arrows.append(Arrow(exact, end, self.colour(row), 3.0))
                side = _beyond(end - exact, camera)
                labels = labels or [Label(_said(scale), end, self.colour(row), side, 14.0)]
        return arrows, labels

    def error_scale(self, judged: Sequence[int]) -> float:
        """How much the arrows are lengthened; 0 if there is only round-off."""
        worst = max((self.arms[i].worst_at(self.t, self.shown[i].reference_run) for i in judged), default=0.0)
        if not NO_ERROR * self.size < worst < math.inf:
            return 0.0
        return self.view.error_scale or 10.0 ** max(0, math.floor(math.log10(0.5 * self.size / worst)))

    def judged(self) -> list[int]:
        """The runs whose error is known now."""
        return [index for index in range(len(self.shown)) if self._is_judged(index)]

    def _is_judged(self, index: int) -> bool:
        row = self.shown[index]
        if row.frozen_at(self.t) or self.tips[index] is None:
            return False
        if row.reference_run is not None:
            return self.t <= row.reference_run.trusted_until
        return self.arms[index].desired is not None

    def stops(self, camera: Camera) -> list[Label]:
        """Where and when runs stopped, on the side away from the arm; the legend says why."""
        made = []
        for row, arm, tip in zip(self.shown, self.arms, self.tips, strict=True):
            if tip is not None and stopped(row, self.t):
                side = _beyond(tip - np.asarray(arm.shape(self.t).centre), camera)
                made.append(Label(f"stopped at {arm.end:.3f} s", tip, self.colour(row), side, 14.0))
        return made

    def frames(self, actor: Actor) -> list[Frame]:
        if not self.view.frames:
            return []
        return [Frame(transform, 0.16 * self.size) for transform in actor.pose.world_from_link]

    def names(self, actor: Actor) -> list[Label]:
        if not self.view.labels:
            return []
        made: list[Label] = []
        for name, transform in zip(actor.shape.links, actor.pose.world_from_link, strict=True):
            place = transform[:3, 3].copy()
            same = next((i for i, m in enumerate(made) if np.linalg.norm(m.position - place) < 0.02 * self.size), None)
            if same is None:
                made.append(Label(name, place, None, "right", 13.0))
            else:
                made[same] = replace(made[same], text=f"{made[same].text}, {name}")
        return made

    def axes(self, actor: Actor) -> list[Ribbon]:
        if not self.view.axes:
            return []
        ribbons = []
        for link, point, axis in actor.shape.drives:
            frame = actor.pose.world_from_link[link] if link >= 0 else np.eye(4)
            centre = frame[:3, :3] @ np.asarray(point) + frame[:3, 3]
            half = 0.22 * self.size * (frame[:3, :3] @ np.asarray(axis, dtype=float))
            line = np.array([centre - half, centre + half])
            ribbons.append(Ribbon(line, rgb(NEUTRAL, self.theme), 1.8, dash=True))
        return ribbons

    def velocities(self) -> list[Arrow]:
        if not self.view.velocities:
            return []
        arrows = []
        for row, arm, tip in zip(self.shown, self.arms, self.tips, strict=True):
            if tip is None or row.frozen_at(self.t):
                continue
            ahead = VELOCITY_SECONDS * arm.tip_velocity(self.t)
            if np.linalg.norm(ahead) > 1e-3 * self.size:
                arrows.append(Arrow(tip, tip + ahead, self.colour(row), 3.0))
        return arrows


def _beyond(way: Array, camera: Camera) -> Anchor:
    """The side of an arrow's head along `way` on which its name does not cover it."""
    right, up, _ = cameras.axes(camera)
    across, upwards = float(way @ right), float(way @ up)
    if abs(across) > abs(upwards):
        return "right" if across > 0 else "left"
    return "above" if upwards > 0 else "below"


def _said(scale: float) -> str:
    """How much an error arrow is lengthened, in words."""
    if scale == 1.0:
        return "error"
    exponent = round(math.log10(scale))
    exact = exponent > 3 and math.isclose(scale, 10.0**exponent)
    return f"error × {power_text(exponent) if exact else f'{scale:.4g}'}"
