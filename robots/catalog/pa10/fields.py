"""The fields of the PA-10's task."""

from __future__ import annotations

from math import pi

from assets.fields import Field
from robots.dynamics.path.fields import CLAMP, NULL_TASKS, PLANES, path_fields
from robots.model.quantities import choice, signed

TASK = (
    *path_fields(0.5, 0.1, tuple(PLANES), tuple(NULL_TASKS), "pinv"),
    signed(
        "elbow", "elbow angle S3", "rad", 0.0, pi, (-pi, pi), "Angle of axis S3 that the elbow posture holds.",
        when=("null_task", ("elbow",)),
    ),
    CLAMP,
    choice(
        "posture", "start from", {"given": "the initial angles", "near-singular": "near singular"},
        "The initial angles, or a posture from which the elbow passes close to full stretch.",
    ),
    Field(
        "delta", "distance from full stretch", "m", 1e-4, -0.1, 0.5, slider=(-0.01, 0.01),
        when=("posture", ("near-singular",)),
        help="The wrist's furthest point lies this much within reach; a negative value puts it out of reach.",
    ),
)  # fmt: skip
