"""Settings that several families of methods have."""

from __future__ import annotations

from assets.fields import Field

CUSTOMISED = Field(
    "customised",
    "customised kernel",
    default=False,
    help="Code made for this method and this robot alone: no loops over stages, no zeros, no ones. The same numbers, "
    "sooner; its first use takes some seconds to compile.",
)
"""The setting of every explicit method whose steps follow a plan that is known beforehand."""
