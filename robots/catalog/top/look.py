"""How the top looks: the uniform brick with its mass and inertia, on a ball joint."""

from __future__ import annotations

import math

import numpy as np

from assets.fields import Values
from robots.model.robot import Array
from robots.model.shapes import ArmShape, Part, translation

_HEIGHT, _THIN = 0.45, 0.012


def sides(parameters: Values) -> tuple[float, float, float]:
    """The sides of the brick with these inertias about its centre, three [m]; thin where no body has such inertias."""
    m, l = float(parameters["m"]), float(parameters["l"])
    J1, J2, J3 = (float(parameters[name]) for name in ("J1", "J2", "J3"))
    J1, J2 = J1 - m * l * l, J2 - m * l * l
    squares = (J2 + J3 - J1, J3 + J1 - J2, J1 + J2 - J3)
    a, b, c = (min(2.0, max(_THIN, math.sqrt(max(0.0, 6.0 * square / m)))) for square in squares)
    return a, b, c


def _reach(parameters: Values) -> float:
    """How far the brick's corners are from the ball joint [m]."""
    a, b, c = sides(parameters)
    return math.hypot(0.5 * a, 0.5 * b, float(parameters["l"]) + 0.5 * c)


def _height(parameters: Values) -> float:
    """The height of the ball joint above the ground, which the brick never reaches [m]."""
    return max(_HEIGHT, 1.1 * _reach(parameters))


def shape(parameters: Values) -> ArmShape:
    """A post with a ball, and the brick, whose faces differ so that a flip shows."""
    (a, b, c), height, reach = sides(parameters), _height(parameters), _reach(parameters)
    l, plate = float(parameters["l"]), 0.12 * min(a, b, c)
    foot = np.array(
        [(0.0, 0.0), (0.12, 0.0), (0.12, 0.01), (0.03, 0.03), (0.008, 0.08), (0.008, height), (0.0, height)]
    )
    parts = [
        Part(0, "lathe", (), np.eye(4), "dark", "post", outline=foot),
        Part(0, "sphere", (0.016,), translation(0.0, 0.0, height), "steel", "ball joint"),
        Part(1, "box", (a, b, c), translation(0.0, 0.0, l), "body", "body", bevel=0.1 * min(a, b, c)),
        *(
            Part(1, "box", (0.7 * a, 0.7 * b, plate), translation(0.0, 0.0, l + sign * 0.5 * c), material, "third axis")
            for sign, material in ((1.0, "accent"), (-1.0, "paint"))
        ),
        Part(1, "box", (plate, 0.5 * b, 0.5 * c), translation(0.5 * a, 0.0, l), "joint", "first axis"),
    ]
    if l > 0.5 * c:
        rod = translation(0.0, 0.0, 0.5 * l)
        parts.append(Part(1, "cylinder", (0.007, l), rod, "steel", "axle"))
    return ArmShape(
        links=("post", "body"),
        parts=tuple(parts),
        tip=(1, (0.0, 0.0, l + 0.5 * c)),
        centre=(0.0, 0.0, 0.5 * (height + reach)),
        radius=0.55 * (height + reach),
        parents=(-1, 0),
    )


def poses(parameters: Values, rotations: Array) -> Array:
    """Frames of the post and of the body with these frames (m, 4, 4) about the point, (m, 2, 4, 4)."""
    world = np.zeros((len(rotations), 2, 4, 4))
    world[:, 0] = np.eye(4)
    world[:, 1] = rotations
    world[:, 1, 2, 3] = _height(parameters)
    return world
