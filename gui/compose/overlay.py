"""What an overlay is: one file in `gui/compose/overlays` whose `OVERLAY` adds something to a picture. No Qt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from assets.registry import Registry
from gui.app.units import clock
from gui.charts.colours import on_ground
from gui.compose.kinematics import RunKinematics
from gui.compose.places import arms_of
from robots.model.endings import ending
from scene import camera as cameras
from scene.colour import hex_colour
from scene.picture import Actor, Anchor, Arrow, Camera, Colour, Dots, Ellipsoid, Frame, Label, Ribbon

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings

Array = NDArray[np.float64]

GLOW: dict[str, Colour] = {"light": (0.42, 0.30, 0.86), "dark": (0.72, 0.66, 1.0), "projector": (0.36, 0.22, 0.80)}
"""What a task asks for, in each theme."""

AMBER: Colour = (0.90, 0.62, 0.0)
"""What a hand pulls, and what is out of reach or nearly singular."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What overlays draw over.

    Attributes:
        shown: the runs that are drawn, the current one first.
        arms: what pictures need of each.
        tips: where each tip is, (3,) [m], or None.
        t: the playhead [s].
        view: what a person wants to see.
        theme: `light`, `dark` or `projector`.
        camera: from where the picture is seen.
        actor: the current run's arm.
        poses: earlier times at which the arms are shown too [s].
        held: whether a hand pulls the first arm now: who knows where the hand is draws that spring.
    """

    shown: Sequence[RunRow]
    arms: Sequence[RunKinematics]
    tips: Sequence[Array | None]
    t: float
    view: ViewSettings
    theme: str
    camera: Camera
    actor: Actor
    poses: Sequence[float] | Array = ()
    held: bool = False

    @property
    def size(self) -> float:
        """The radius of the current run's arm [m]."""
        return self.arms[0].shape(self.t).radius

    @property
    def runs(self) -> list[tuple[RunRow, RunKinematics, Array | None]]:
        """Every run with its arm and tip."""
        return list(zip(self.shown, self.arms, self.tips, strict=True))

    def colour(self, row: RunRow) -> Colour:
        """A run's colour in the picture's theme."""
        return rgb(row.colour, self.theme)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """What an overlay adds to a picture, by kind as `scene.picture.Picture` has it."""

    actors: Sequence[Actor] = ()
    ribbons: Sequence[Ribbon] = ()
    dots: Sequence[Dots] = ()
    arrows: Sequence[Arrow] = ()
    frames: Sequence[Frame] = ()
    labels: Sequence[Label] = ()
    ellipsoids: Sequence[Ellipsoid] = ()


class Overlay(ABC):
    """An overlay has no state; the same one serves the window, films and pictures.

    Class attributes:
        key, title, tip: its name in the view's `overlays`, in the menu *Show*, and one sentence about it.
        order: of what is drawn with it, the lowest first.
        setting: the field of the view that switches it, where it has one of its own.
    """

    key: ClassVar[str]
    title: ClassVar[str] = ""
    tip: ClassVar[str] = ""
    order: ClassVar[int] = 0
    setting: ClassVar[str] = ""

    def on(self, view: ViewSettings) -> bool:
        """Whether the view has it; one with neither a setting nor a title is always there."""
        if self.setting:
            return bool(getattr(view, self.setting))
        return not self.title or self.key in view.overlays

    @abstractmethod
    def draw(self, moment: Moment) -> Pieces:
        """What it adds to the picture."""


_REGISTRY: Registry[Overlay] = Registry.of_modules(
    "overlay", "gui.compose.overlays", attribute="OVERLAY", order=lambda overlay: overlay.order
)
overlays = _REGISTRY.all


def moment_of(
    shown: Sequence[RunRow],
    t: float,
    view: ViewSettings,
    theme: str,
    camera: Camera,
    actor: Actor,
    poses: Sequence[float] | Array = (),
    held: bool = False,
) -> Moment:
    """The moment of some rows that have runs; see `Moment`."""
    arms = arms_of(shown)
    return Moment(shown, arms, [arm.tip(t) for arm in arms], t, view, theme, camera, actor, poses, held)


def rgb(colour: str, theme: str) -> Colour:
    """The colour `#RRGGBB` as numbers from 0 to 1, a quarter nearer to white on a dark ground."""
    return hex_colour(on_ground(colour, dark=theme == "dark"))


def shown_rows(rows: Sequence[RunRow], view: ViewSettings) -> list[RunRow]:
    """The rows that have something to draw, in the order of the picture's first actors.

    A run that is held is drawn as it begins.
    """
    begun = (row if row.run is not None else replace(row, run=row.beginning) for row in rows)
    return [row for row in begun if row.run is not None and row.visible and (view.ghosts or not row.pinned)]


def stopped(row: RunRow, t: float) -> str:
    """Why and when the run stopped before `t`, in a few words; nothing while it goes on, or before it may be seen."""
    if row.run is None or row.state in ("computing", "held") or row.outdated or not row.frozen_at(t):
        return ""
    return f"{ending(row.run.status)} at t = {clock(row.run.t_end)}"


def beyond(way: Array, camera: Camera) -> Anchor:
    """On which side of an arrow's head that points along `way` its name does not lie upon it."""
    right, up, _ = cameras.axes(camera)
    across, upwards = float(way @ right), float(way @ up)
    if abs(across) > abs(upwards):
        return "right" if across > 0 else "left"
    return "above" if upwards > 0 else "below"
