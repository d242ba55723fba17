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
