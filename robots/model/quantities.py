"""Fields of quantities that many robots have: lengths and masses, gains, angles, choices between words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import pi

from assets.fields import Field

Slider = tuple[float, float]
When = tuple[str, tuple[str, ...]]
LARGEST_ANGLE, LARGEST_RATE, LARGEST_ACCELERATION = 1e3, 1e4, 1e3


_COMPOUND = ("m_s", "rad_s")


def error_parts(key: str) -> tuple[str, str]:
    """The quantity in an error's key, and the unit as the key has it: `constraint_m_s` -> `constraint`, `m_s`."""
    ending = next((unit for unit in _COMPOUND if key.endswith(f"_{unit}")), key.rpartition("_")[2])
    quantity = key[: -len(ending) - 1]
    return quantity, ending if quantity else ""


def spelled(ending: str) -> str:
    """A unit as a key has it in the usual spelling: `m_s` -> `m/s`."""
    return {"Nm": "N m"}.get(ending, ending.replace("_", "/"))


def choice(
    key: str,
    label: str,
    words: Sequence[str] | Mapping[str, str],
    text: str,
    *,
    default: str = "",
    when: When | None = None,
) -> Field:
    """One of several words, the first one at first; with `words` as a mapping, what a person reads for each."""
    labels = {word: name for word, name in words.items() if name} if isinstance(words, Mapping) else {}
    names = tuple(words)
    return Field(key, label, default=default or names[0], choices=names, labels=labels, help=text, when=when)


def amount(
    key: str,
    label: str,
    unit: str,
    default: float,
    most: float,
    slider: Slider,
    text: str,
    *,
    above: bool = False,
    log: bool = False,
    when: When | None = None,
) -> Field:
    """A number that may be 0 (a gain, a damper, an inertia) or, if `above`, may not."""
    return Field(key, label, unit, default, 0.0, most, above, slider=slider, log=log, help=text, when=when)


positive = partial(amount, above=True)
"""A number above 0: a mass, a length, a time."""


def signed(
    key: str, label: str, unit: str, default: float, most: float, slider: Slider, text: str, *, when: When | None = None
) -> Field:
    """A number of either sign."""
    return Field(key, label, unit, default, -most, most, slider=slider, help=text, when=when)


def angle(key: str, label: str, default: float, text: str, *, turns: float = 1.0, when: When | None = None) -> Field:
    """An angle [rad]; its slider goes that many turns to each side."""
    reach = 2.0 * pi * turns
    return signed(key, label, "rad", default, LARGEST_ANGLE, (-reach, reach), text, when=when)


def rate(key: str, label: str, default: float, reach: float, text: str) -> Field:
    """An initial rate of an angle [rad/s]."""
    return signed(key, label, "rad/s", default, LARGEST_RATE, (-reach, reach), text)


def gravity(default: float = 9.81, text: str = "Acceleration of gravity, downwards.") -> Field:
    """The acceleration of gravity [m/s2]."""
    return signed("g", "gravity", "m/s2", default, LARGEST_ACCELERATION, (0.0, 25.0), text)


def each(
    stem: str,
    label: str,
    unit: str,
    values: Sequence[float],
    slider: Slider,
    text: str,
    *,
    above: bool = False,
    most: float = 1e9,
    when: When | None = None,
) -> tuple[Field, ...]:
    """One number for each body, joint or motor: `stem1`, `stem2` ..; `above` 0, or 0 too."""
    log = slider[0] > 0.0
    return tuple(
        amount(f"{stem}{k}", f"{label} {k}", unit, value, most, slider, text, above=above, log=log, when=when)
        for k, value in enumerate(values, 1)
    )


DEFLECTION = choice(
    "deflection", "deflection scale", ("1", "10", "100"), "Scales the drawn bending; the numbers do not change."
)
