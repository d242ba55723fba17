"""What to draw, as frozen values: no OpenGL, no Qt, no state.

A `Picture` is one frame. The renderer turns it into pixels, the same ones in the window and in a file. Lengths are
metres, angles radians, Z points up, colours are display (sRGB) values from 0 to 1, and sizes in pixels are logical: the
renderer multiplies them by the screen's scale.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from robots.model.shapes import ArmShape, Pose

Array = NDArray[np.float64]
Colour = tuple[float, float, float]
Point = tuple[float, float, float]
Quality = Literal["low", "medium", "high"]
QUALITIES: tuple[Quality, ...] = get_args(Quality)
Theme = Literal["light", "dark", "projector"]
Anchor = Literal["left", "right", "centre", "above", "below"]

ARROW_WIDTH = 3.0
"""The width of an arrow's shaft [px]."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Where we look from: a turntable about `target`.

    Attributes:
        target: the point in the middle of the picture [m].
        distance: from the eye to the target [m].
        azimuth: of the eye about Z, from +X towards +Y [rad]; -pi/2 looks along +Y, with X to the right.
        elevation: of the eye above the horizontal plane, -pi/2 to pi/2 [rad].
        field_of_view: vertical opening angle [rad]; an orthographic camera shows the same height at the target.
        orthographic: parallel instead of central projection.
        roll: of the picture about the line of sight, to the left [rad]; 0 keeps Z upright.
    """

    target: Point = (0.0, 0.0, 0.0)
    distance: float = 5.0
    azimuth: float = -1.0
    elevation: float = 0.35
    field_of_view: float = 0.55
    orthographic: bool = False
    roll: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Actor:
    """An arm in a pose.

    Attributes:
        shape, pose: what it looks like and where its links are.
        colour: a tint over all of it (a ghost), or None for the theme's materials.
        opacity: 1 is solid and casts a shadow; less is a ghost.
        selected: index of the link that is outlined, or None.
        name: its name on the screen when picked.
        apart: it stands in a place of its own, so its base is drawn even if it is a ghost.
    """

    shape: ArmShape
    pose: Pose
    colour: Colour | None = None
    opacity: float = 1.0
    selected: int | None = None
    name: str = ""
    apart: bool = False


DASHED = (7.84, 6.16)
"""The dash of lines that no run has drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Ribbon:
    """A line through `points` (k, 3) [m], of constant width on the screen.

    Attributes:
        fade: the line grows from transparent at its first point to full at its last.
        dash: lengths of up to three strokes, each with the gap after it [logical px]; empty for a full line.
        colours: (k, 4) red, green, blue, opacity at each point; overrides `colour` and `fade`.
        times: (k,) when the line was at each point, for its fading [s]; None where they are equally far apart.
    """

    points: Array
    colour: Colour = (0.0, 0.0, 0.0)
    width_px: float = 2.5
    fade: bool = False
    dash: tuple[float, ...] = ()
    colours: Array | None = None
    times: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """Round marks of constant size on the screen at `points` (k, 3) [m].

    Attributes:
        depth: how deep inside a solid they lie [m]: they are drawn that much nearer to the eye, and so whole.
    """

    points: Array
    colour: Colour = (0.0, 0.0, 0.0)
    size_px: float = 6.0
    opacity: float = 1.0
    depth: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Arrow:
    """An arrow from `start` to `end` (3,) [m], of constant width on the screen."""

    start: Array | Point
    end: Array | Point
    colour: Colour = (0.0, 0.0, 0.0)
    width_px: float = ARROW_WIDTH


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Axes x, y, z in red, green, blue along the columns of `transform` (4, 4), each `length` long [m]."""

    transform: Array
    length: float


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """Text at `position` (3,) [m], upright on the screen and readable over anything.

    Attributes:
        colour: None takes the theme's text colour.
        anchor: the side of the position on which the text is.
        size_px: height of the type.
        start: where a line begins whose end has this label (3,) [m], beyond the end whatever the anchor is. If only the
            end is outside the picture, the label stands where the line leaves the picture.
    """

    text: str
    position: Array | Point
    colour: Colour | None = None
    anchor: Anchor = "right"
    size_px: float = 15.0
    start: Array | Point | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Ellipsoid:
    """A transparent ellipsoid: `transform` (4, 4) maps the unit sphere to it [m]."""

    transform: Array
    colour: Colour = (0.3, 0.5, 0.9)
    opacity: float = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One frame.

    Attributes:
        theme: the palette of materials, ground and background.
        grid: whether the ground carries a grid.
        transparent: no background: the picture has an alpha channel, and of the ground only shadow and grid remain.
        ground: height of the ground [m], or None for an arm that floats.
    """

    camera: Camera = field(default_factory=Camera)
    actors: tuple[Actor, ...] = ()
    ribbons: tuple[Ribbon, ...] = ()
    dots: tuple[Dots, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    frames: tuple[Frame, ...] = ()
    labels: tuple[Label, ...] = ()
    ellipsoids: tuple[Ellipsoid, ...] = ()
    theme: Theme = "light"
    grid: bool = True
    transparent: bool = False
    ground: float | None = 0.0
