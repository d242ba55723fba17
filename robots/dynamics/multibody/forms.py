"""The ways to treat the constraints of a system of bodies, by name."""

from __future__ import annotations

FORMS = {
    "partitioned": "Partitioned coordinates",
    "projected": "Index 1, projected",
    "index1": "Index 1",
    "index2": "Index 2",
    "index3": "Index 3 (original)",
    "baumgarte": "Baumgarte",
    "ggl": "Index 2, stabilised (GGL)",
}
ALGEBRAIC = ("index2", "index3", "ggl")
"""The forms that are differential-algebraic problems."""


def kinds_of(form: str) -> frozenset[str]:
    """What the equations of a form are, in the words of `Method.problems`."""
    return frozenset({"dae"}) if form in ALGEBRAIC else frozenset({"ode", "second-order"})
