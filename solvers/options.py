"""Settings that several families of methods have."""

from __future__ import annotations

from assets.fields import Field

SPECIALISED = Field(
    "specialised",
    "compiled for this arm",
    default=False,
    help="Code generated for this method and this robot alone: no loops over stages, no multiplications by 0 or 1. "
    "The same numbers, faster; the first use takes a few seconds to compile.",
)
"""The setting of every explicit method whose order and number of stages are fixed in advance."""

FORWARD_DIFFERENCES = "Without an analytic Jacobian it uses forward differences, which count as calls of f."
"""What the card of an implicit method says of its Jacobian."""

NEWTON_LEFT = (
    "With a fixed step Newton's iteration leaves up to ten times its tolerance in every step, 1e-12 as it is set: n "
    "steps may err by n times as much, and errors below that do not show the order. A smaller tolerance shows it."
)
"""What the card of an implicit method of a high order says of its iteration."""


def newton(help: str) -> tuple[Field, Field]:
    """The settings of Newton's iteration; `help` says what its tolerance means."""
    limit = Field("newton_limit", "maximum Newton iterations", default=20, minimum=1, maximum=1000, slider=(1, 50))
    tolerance = Field(
        "newton_tolerance",
        "Newton tolerance",
        default=1e-12,
        minimum=1e-15,
        maximum=1.0,
        slider=(1e-14, 1e-3),
        log=True,
        help=help,
    )
    return tolerance, limit
