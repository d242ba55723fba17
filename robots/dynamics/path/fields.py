"""The fields of a task that follows a path.

Source of the damping's defaults: the facts worked out for paper 3 (see docs/papers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, radians, sin

from assets.fields import Field
from robots.model.quantities import amount, choice, positive, signed

PATHS = ("circle", "line", "rounded-square", "figure-eight", "helix", "way-points")
LAWS = {"constant": "constant speed", "trapezoid": "trapezoidal", "quintic": ""}
TURNS = ("constant", "turning", "swinging", "tangent")
INVERSES = {
    "pinv": "pseudo-inverse",
    "dls": "variable damping",
    "dls-constant": "constant damping",
    "svd": "truncated SVD",
    "weighted": "weighted by limits",
}
CLAMPS = {"none": "", "speeds": "scale speeds", "angles": "stop at angles", "both": ""}
NULL_TASKS = {"none": "", "limits": "avoid limits", "manipulability": "raise manipulability", "elbow": "hold elbow"}
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
RAY = (sin(radians(60.0)), 0.0, cos(radians(60.0)))
PLANES = {
    "xy": (AXES["x"], AXES["y"]),
    "yz": (AXES["y"], AXES["z"]),
    "xz": (AXES["x"], AXES["z"]),
    "ray": (RAY, AXES["y"]),
}

_HELP = {
    "path": "The curve that the tool should follow.",
    "size": "Radius of the circle and the helix, or half the length of the square, the eight, the line.",
    "speed": "Speed along the path; for the figure eight, the mean speed.",
    "plane": "ray: the plane of y and the ray at 60 degrees from the vertical.",
    "phase": "Where on the curve the tool starts.",
    "corner": "Radius of the rounded corners.",
    "pitch": "How far the helix rises in one turn.",
    "points": "Points x y z from the tool's start, separated by semicolons; a smooth curve runs through all of them.",
    "law": "How the tool moves along the path: at full speed at once, with speed ramps, or smoothly (quintic).",
    "orientation": "How the tool turns along the path.",
    "axis": "Axis in the world about which the tool turns.",
    "angular_speed": "Rate of the turn, or angular frequency of the swing.",
    "amplitude": "Largest angle of the swing.",
    "gain": "0 is open loop: errors remain. The scheme is stable only while gain x step is below the method's limit.",
    "gain_orientation": "Empty: the same K.",
    "feedback": "Whether the tracking error enters at every stage of the method, or once per step (held).",
    "inverse": "How the Jacobian is inverted: by the plain pseudo-inverse; with damping where manipulability is low "
    "(variable) or everywhere (constant); without small singular values; or moving joints near their limits less.",
    "damping": "Added to J J'; variable damping multiplies it by (1 - w/w0)\u00b2.",
    "threshold": "Manipulability w0 below which variable damping begins.",
    "cut_off": "Singular values at or below it are left out.",
    "null_task": "What the spare joints are used for: to avoid limits, raise manipulability, or hold the elbow.",
    "null_gain": "How strongly the spare joints follow their own task.",
    "clamp": "All joints slow down together when one would be too fast; or a joint stops at its limit; or both.",
}
_ROUND = ("path", ("circle", "helix", "figure-eight"))
_TURNING = ("orientation", ("turning", "swinging"))
_DAMPED = ("inverse", ("dls", "dls-constant"))


def _of(kind: Callable[..., Field], key: str, label: str, *numbers: object, **more: object) -> Field:
    """A field of that kind with its text."""
    return kind(key, label, *numbers, _HELP[key], **more)


def path_fields(
    size: float, speed: float, planes: Sequence[str], null_tasks: Sequence[str], inverse: str
) -> tuple[Field, ...]:
    """The fields of the path, of the tool's turn along it, and of the inverse.

    Args:
        size, speed: of the path at first [m, m/s].
        planes, null_tasks: keys that the arm can choose from; it is not redundant without null-space tasks.
        inverse: the key of the inverse at first.
    """
    labels = {plane: "60° ray and y" if plane == "ray" else "" for plane in planes}
    spare = {key: NULL_TASKS[key] for key in null_tasks}
    known = (
        _of(choice, "path", "path", {path: path if path == "way-points" else "" for path in PATHS}),
        _of(
            positive, "size", "radius or half size", "m", size, 5.0, (0.04 * size, 1.2 * size),
            when=("path", PATHS[:-1]),
        ),
        _of(positive, "speed", "linear speed", "m/s", speed, 20.0, (0.1 * speed, 10.0 * speed), log=True),
        _of(choice, "plane", "plane", labels),
        _of(signed, "phase", "starting phase", "rad", 0.25, 2 * pi, (-pi, pi), when=_ROUND),
        _of(
            positive, "corner", "corner radius", "m", 0.1 * size, 5.0, (0.01 * size, 0.4 * size),
            when=("path", ("rounded-square",)),
        ),
        _of(
            signed, "pitch", "pitch per turn", "m", 0.2 * size, 5.0, (-0.8 * size, 0.8 * size),
            when=("path", ("helix",)),
        ),
        Field(
            "points", "way-points", "m", _points(size), when=("path", ("way-points",)), table=("x", "y", "z"),
            help=_HELP["points"],
        ),
        _of(choice, "law", "time law", LAWS),
        _of(choice, "orientation", "orientation", TURNS),
        _of(choice, "axis", "turning axis", tuple(AXES), when=_TURNING),
        _of(signed, "angular_speed", "angular speed", "rad/s", 0.2, 50.0, (-2.0, 2.0), when=_TURNING),
        _of(signed, "amplitude", "swing", "rad", 0.4, pi, (0.0, 1.5), when=("orientation", ("swinging",))),
        _of(amount, "gain", "gain K", "1/s", 1.0, 1e6, (0.0, 20.0)),
        Field(
            "gain_orientation", "gain K of the orientation", "1/s", None, 0.0, 1e6, optional=True, kind=float,
            help=_HELP["gain_orientation"],
        ),
        _of(choice, "feedback", "feedback", {"stage": "at every stage", "held": "held over a step"}),
        _of(choice, "inverse", "inverse", INVERSES, default=inverse),
        _of(amount, "damping", "damping k0", "", 1e-3, 10.0, (1e-6, 1e-1), log=True, when=_DAMPED),
        _of(
            positive, "threshold", "damped below manipulability", "", 0.02, 10.0, (1e-3, 0.2),
            when=("inverse", ("dls",)),
        ),
        _of(
            amount, "cut_off", "singular values dropped below", "", 1e-3, 1.0, (1e-6, 0.1), log=True,
            when=("inverse", ("svd",)),
        ),
        _of(choice, "null_task", "null-space task", spare) if spare else None,
        _of(signed, "null_gain", "null-space gain", "1/s", 1.0, 1e4, (0.0, 10.0), when=("null_task", tuple(spare)[1:]))
        if spare
        else None,
    )  # fmt: skip
    return tuple(field for field in known if field is not None)


CLAMP = _of(choice, "clamp", "respect limits", CLAMPS)


def _points(size: float) -> str:
    """Three way-points in proportion to the path."""
    return "; ".join(" ".join(f"{0.2 * size * x:g}" for x in row) for row in ((0, 0, 0), (1, 1, 0), (2, 0, 0.5)))
