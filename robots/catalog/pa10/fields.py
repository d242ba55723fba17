"""The fields of the PA-10's task.

Source of the damping's defaults: the facts worked out for paper 3 (see docs/papers).
"""

from __future__ import annotations

from collections.abc import Callable
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
    "speed": "Speed along the path (of the figure eight: its mean).",
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
    "inverse": "How the Jacobian is inverted: pinv is the plain pseudo-inverse; dls damps where manipulability is low, "
    "dls-constant everywhere; svd leaves small singular values out; weighted moves joints near their limits less.",
    "damping": "Added to J J' (for dls times (1 - w/w0)^2).",
    "threshold": "Manipulability w0 below which variable damping begins.",
    "cut_off": "Singular values at or below it are left out.",
    "null_task": "What the seventh axis is used for: to avoid limits, raise manipulability, or hold the elbow.",
    "null_gain": "How strongly the seventh axis follows its own task.",
    "elbow": "Angle of axis S3 that the elbow posture holds.",
    "clamp": "speeds: all joints slow down together when one would be too fast; angles: a joint stops at its limit.",
    "posture": "The initial angles, or a posture from which the elbow passes close to full stretch.",
    "delta": "The wrist's furthest point lies this much within reach; a negative value puts it out of reach.",
}
_ROUND = ("path", ("circle", "helix", "figure-eight"))
_TURNING = ("orientation", ("turning", "swinging"))
_DAMPED = ("inverse", ("dls", "dls-constant"))


def _of(kind: Callable[..., Field], key: str, label: str, *numbers: object, **more: object) -> Field:
    """A field of that kind with its text."""
    return kind(key, label, *numbers, _HELP[key], **more)


TASK = (
    _of(choice, "path", "path", PATHS),
    _of(positive, "size", "radius or half size", "m", 0.5, 5.0, (0.02, 0.6), when=("path", PATHS[:-1])),
    _of(positive, "speed", "linear speed", "m/s", 0.1, 20.0, (0.01, 1.0), log=True),
    _of(choice, "plane", "plane", {**dict.fromkeys(PLANES, ""), "ray": "60° ray and y"}),
    _of(signed, "phase", "starting phase", "rad", 0.25, 2 * pi, (-pi, pi), when=_ROUND),
    _of(positive, "corner", "corner radius", "m", 0.05, 5.0, (0.005, 0.2), when=("path", ("rounded-square",))),
    _of(signed, "pitch", "pitch per turn", "m", 0.1, 5.0, (-0.4, 0.4), when=("path", ("helix",))),
    Field(
        "points",
        "way-points",
        "m",
        "0 0 0; 0.1 0.1 0; 0.2 0 0.05",
        when=("path", ("way-points",)),
        table=("x", "y", "z"),
        help=_HELP["points"],
    ),
    _of(choice, "law", "time law", LAWS),
    _of(choice, "orientation", "orientation", TURNS),
    _of(choice, "axis", "turning axis", tuple(AXES), when=_TURNING),
    _of(signed, "angular_speed", "angular speed", "rad/s", 0.2, 50.0, (-2.0, 2.0), when=_TURNING),
    _of(signed, "amplitude", "swing", "rad", 0.4, pi, (0.0, 1.5), when=("orientation", ("swinging",))),
    _of(amount, "gain", "gain K", "1/s", 1.0, 1e6, (0.0, 20.0)),
    Field(
        "gain_orientation",
        "gain K of the orientation",
        "1/s",
        None,
        0.0,
        1e6,
        optional=True,
        kind=float,
        help=_HELP["gain_orientation"],
    ),
    _of(choice, "feedback", "feedback", {"stage": "at every stage", "held": "held over a step"}),
    _of(choice, "inverse", "inverse", INVERSES),
    _of(amount, "damping", "damping k0", "", 1e-3, 10.0, (1e-6, 1e-1), log=True, when=_DAMPED),
    _of(positive, "threshold", "damped below manipulability", "", 0.02, 10.0, (1e-3, 0.2), when=("inverse", ("dls",))),
    _of(
        amount,
        "cut_off",
        "singular values dropped below",
        "",
        1e-3,
        1.0,
        (1e-6, 0.1),
        log=True,
        when=("inverse", ("svd",)),
    ),
    _of(choice, "null_task", "null-space task", NULL_TASKS),
    _of(
        signed, "null_gain", "null-space gain", "1/s", 1.0, 1e4, (0.0, 10.0), when=("null_task", tuple(NULL_TASKS)[1:])
    ),
    _of(signed, "elbow", "elbow angle S3", "rad", 0.0, pi, (-pi, pi), when=("null_task", ("elbow",))),
    _of(choice, "clamp", "respect limits", CLAMPS),
    _of(choice, "posture", "start from", {"given": "the initial angles", "near-singular": "near singular"}),
    Field(
        "delta",
        "distance from full stretch",
        "m",
        1e-4,
        -0.1,
        0.5,
        slider=(-0.01, 0.01),
        when=("posture", ("near-singular",)),
        help=_HELP["delta"],
    ),
)
