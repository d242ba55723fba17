"""What the PA-10 can be asked to do: the task's fields.

Source of the damping's defaults: the facts worked out for paper 3 (see docs/papers).
"""

from __future__ import annotations

from math import cos, pi, radians, sin

from robots.fields import Field

PATHS = ("circle", "line", "rounded-square", "figure-eight", "helix", "way-points")
LAWS = ("constant", "trapezoid", "quintic")
TURNS = ("constant", "turning", "swinging", "tangent")
INVERSES = ("pinv", "dls", "dls-constant", "svd", "weighted")
CLAMPS = ("none", "speeds", "angles", "both")
NULL_TASKS = ("none", "limits", "manipulability", "elbow")
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
RAY = (sin(radians(60.0)), 0.0, cos(radians(60.0)))
PLANES = {
    "xy": (AXES["x"], AXES["y"]),
    "yz": (AXES["y"], AXES["z"]),
    "xz": (AXES["x"], AXES["z"]),
    "ray": (RAY, AXES["y"]),
}

_GAIN_HELP = "0 is the open loop: errors stay. The scheme is stable only while gain x step is below the method's limit."
_DAMPED = ("inverse", ("dls", "dls-constant"))

TASK = (
    Field("path", "path", default="circle", choices=PATHS, help="The curve that the tool should follow."),
    Field(
        "size",
        "radius or half size",
        "m",
        0.5,
        0.0,
        5.0,
        exclusive_minimum=True,
        slider=(0.02, 0.6),
        help="Radius of the circle and the helix, or half the length of the square, the eight, the line.",
    ),
    Field(
        "speed",
        "linear speed",
        "m/s",
        0.1,
        0.0,
        20.0,
        exclusive_minimum=True,
        slider=(0.01, 1.0),
        log=True,
        help="Speed along the path (of the figure eight: its mean).",
    ),
    Field(
        "plane",
        "plane",
        default="xy",
        choices=tuple(PLANES),
        help="ray: the plane of the ray 60 degrees from the vertical and y.",
    ),
    Field(
        "phase",
        "starting phase",
        "rad",
        0.25,
        -2 * pi,
        2 * pi,
        slider=(-pi, pi),
        when=("path", ("circle", "helix", "figure-eight")),
        help="Where on the curve the tool starts.",
    ),
    Field(
        "corner",
        "corner radius",
        "m",
        0.05,
        0.0,
        5.0,
        exclusive_minimum=True,
        slider=(0.005, 0.2),
        when=("path", ("rounded-square",)),
        help="Radius of the rounded corners.",
    ),
    Field(
        "pitch",
        "pitch per turn",
        "m",
        0.1,
        -5.0,
        5.0,
        slider=(-0.4, 0.4),
        when=("path", ("helix",)),
        help="How far the helix rises in one turn.",
    ),
    Field(
        "points",
        "way-points",
        "m",
        "0 0 0; 0.1 0.1 0; 0.2 0 0.05",
        when=("path", ("way-points",)),
        table=("x", "y", "z"),
        help="Points x y z from the tool's start, separated by semicolons; a smooth curve runs through all of them.",
    ),
    Field(
        "law",
        "time law",
        default="constant",
        choices=LAWS,
        help="How the path is run through: at once at full speed, or with ramps.",
    ),
    Field("orientation", "orientation", default="constant", choices=TURNS, help="How the tool turns on its way."),
    Field(
        "axis",
        "turning axis",
        default="x",
        choices=tuple(AXES),
        when=("orientation", ("turning", "swinging")),
        help="Axis in the world about which the tool turns.",
    ),
    Field(
        "angular_speed",
        "angular speed",
        "rad/s",
        0.2,
        -50.0,
        50.0,
        slider=(-2.0, 2.0),
        when=("orientation", ("turning", "swinging")),
        help="Rate of the turn, or angular frequency of the swing.",
    ),
    Field(
        "amplitude",
        "swing",
        "rad",
        0.4,
        -pi,
        pi,
        slider=(0.0, 1.5),
        when=("orientation", ("swinging",)),
        help="Largest angle of the swing.",
    ),
    Field("gain", "gain K", "1/s", 1.0, 0.0, 1e6, slider=(0.0, 20.0), help=_GAIN_HELP),
    Field(
        "gain_orientation",
        "gain K of the orientation",
        "1/s",
        None,
        0.0,
        1e6,
        optional=True,
        kind=float,
        help="none: the same K.",
    ),
    Field(
        "feedback",
        "feedback",
        default="stage",
        choices=("stage", "held"),
        help="stage: the error enters at each stage; held: once a step.",
    ),
    Field("inverse", "inverse", default="pinv", choices=INVERSES, help="How the Jacobian is inverted."),
    Field(
        "damping",
        "damping k0",
        "",
        1e-3,
        0.0,
        10.0,
        slider=(1e-6, 1e-1),
        log=True,
        when=_DAMPED,
        help="Added to J J' (for dls times (1 - w/w0)^2).",
    ),
    Field(
        "threshold",
        "damped below manipulability",
        "",
        0.02,
        0.0,
        10.0,
        exclusive_minimum=True,
        slider=(1e-3, 0.2),
        when=("inverse", ("dls",)),
        help="Manipulability w0 below which variable damping begins.",
    ),
    Field(
        "cut_off",
        "singular values dropped below",
        "",
        1e-3,
        0.0,
        1.0,
        slider=(1e-6, 0.1),
        log=True,
        when=("inverse", ("svd",)),
        help="Singular values at or below it are left out.",
    ),
    Field(
        "null_task", "null-space task", default="none", choices=NULL_TASKS, help="What the seventh axis is used for."
    ),
    Field(
        "null_gain",
        "null-space gain",
        "1/s",
        1.0,
        -1e4,
        1e4,
        slider=(0.0, 10.0),
        when=("null_task", NULL_TASKS[1:]),
        help="How strongly the seventh axis follows its own task.",
    ),
    Field(
        "elbow",
        "elbow angle S3",
        "rad",
        0.0,
        -pi,
        pi,
        slider=(-pi, pi),
        when=("null_task", ("elbow",)),
        help="Angle of axis S3 that the elbow posture holds.",
    ),
    Field(
        "clamp",
        "respect limits",
        default="none",
        choices=CLAMPS,
        help="speeds: all joints slow down together when one would be too fast; angles: a joint stops at its limit.",
    ),
    Field(
        "posture",
        "start from",
        default="given",
        choices=("given", "near-singular"),
        help="near-singular: the elbow passes its stretch by delta.",
    ),
    Field(
        "delta",
        "distance from the stretch",
        "m",
        1e-4,
        -0.1,
        0.5,
        slider=(-0.01, 0.01),
        when=("posture", ("near-singular",)),
        help="The wrist's furthest point lies this much within reach; a negative value asks for more than the arm has.",
    ),
)
