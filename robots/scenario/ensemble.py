"""An ensemble: many runs of a scenario whose numbers are drawn from distributions around its own."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.fields import Data, Field
from assets.json_values import json_object
from robots.model.sampling import normal, random_numbers

NORMAL, UNIFORM = "normal", "uniform"
DISTRIBUTIONS = (NORMAL, UNIFORM)
SHARE, SEEDS = 1e-6, 1e6
"""The width that is proposed for a field: one part in a million; for a seed a million, so that each is another one."""

MOST_MEMBERS = 10_000
MEMBERS = Field("members", "members", "", 100, 2, MOST_MEMBERS, slider=(2, 1000), log=True, help="How many runs.")
SEED = Field("seed", "seed", "", 1, 0, 2**31 - 1, help="Of the random numbers: the same seed gives the same ensemble.")
MEMBER = "member"
"""How refusals name the number of a member."""

PHYSICAL = ("robot.", "task.", "initial.")
"""The groups whose fields may be spread."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How one field is spread around the scenario's value.

    Attributes:
        distribution: `normal`, or `uniform` between both ends.
        width: its standard deviation, or how far each end is away, in the field's SI unit.
    """

    distribution: str
    width: float

    def offsets(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is added to the scenario's value, from random numbers in [0, 1), (n,) each."""
        if self.distribution == UNIFORM:
            return self.width * (2.0 * numbers - 1.0)
        return self.width * normal(numbers)


@dataclass(frozen=True)
class Ensemble:
    """What is spread, in how many members. Member k is the same whoever computes it, and however many there are.

    Attributes:
        spread: by the path of a number of the robot, its task or its initial state.
        members: how many runs.
        seed: of the random numbers.

    Raises:
        BadInput: naming what cannot be used.
    """

    spread: Mapping[str, Spread]
    members: int = 100
    seed: int = 1

    def __post_init__(self) -> None:
        for item in (MEMBERS, SEED):
            object.__setattr__(self, item.key, item.check(f"ensemble.{item.key}", getattr(self, item.key)))
        if not isinstance(self.spread, Mapping) or not self.spread:
            raise BadInput("ensemble.spread", self.spread, "an object with at least one field")
        object.__setattr__(self, "spread", MappingProxyType(dict(self.spread)))

    def __reduce__(self) -> tuple[object, ...]:
        return Ensemble, (dict(self.spread), self.members, self.seed)

    def __hash__(self) -> int:
        return hash((*self.spread.items(), self.members, self.seed))

    @classmethod
    def from_data(cls, data: object) -> Ensemble:
        """The ensemble in a scenario file: `{"members": 100, "seed": 1, "spread": {"initial.q1": {"normal": 1e-6}}}`.

        Raises:
            BadInput: naming the entry that is unknown or refused.
        """
        given = json_object("ensemble", data, ("members", "seed", "spread"))
        spread = given.get("spread")
        if not isinstance(spread, Mapping):
            raise BadInput("ensemble.spread", spread, "an object with at least one field")
        return cls(
            {path: _spread_of(f"ensemble.spread.{path}", entry) for path, entry in spread.items()},
            given.get("members", MEMBERS.default),
            given.get("seed", SEED.default),
        )

    @classmethod
    def of(cls, given: object, fields: Mapping[str, Field], shaping: Collection[str]) -> Ensemble:
        """The ensemble of a scenario, given as such or as JSON values; widths become numbers in SI units.

        Args:
            given: the ensemble.
            fields: those of the scenario, by path.
            shaping: paths of those that decide which fields there are.

        Raises:
            BadInput: naming a field that cannot be spread, or its width.
        """
        read, made = given if isinstance(given, Ensemble) else cls.from_data(given), {}
        able = spreadable_fields(fields, shaping)
        for path, one in read.spread.items():
            if path not in able:
                raise BadInput("ensemble.spread", path, "a number of the robot, its task or its initial state", able)
            width, one = width_field(fields[path]), _seen_in(fields[path], one)
            made[path] = Spread(one.distribution, width.check(f"ensemble.spread.{path}", one.width))  # type: ignore[arg-type]
        return read if made == read.spread else replace(read, spread=made)

    def to_data(self) -> Data:
        """The ensemble as JSON values; `from_data` reads it."""
        spread = {path: {one.distribution: one.width} for path, one in self.spread.items()}
        return {"members": self.members, "seed": self.seed, "spread": spread}

    def kept(self, fields: Mapping[str, Field]) -> Ensemble | None:
        """The ensemble without fields that are gone; None if nothing is left."""
        left = {path: one for path, one in self.spread.items() if path in fields}
        return replace(self, spread=left) if left else None

    def offsets(self) -> dict[str, NDArray[np.float64]]:
        """What is added to each field's value in each member, (members,)."""
        return {path: one.offsets(random_numbers(self.seed, self.members, path)) for path, one in self.spread.items()}


def width_field(field: Field) -> Field:
    """The width of a spread of a field. Whole numbers are rounded: less than 1 would leave them as they are."""
    whole, label = field.type is int, f"{field.label} \u00b1"
    help = f"How far {field.label} is from its value in the members: the standard deviation, or half the range."
    return Field("width", label, field.unit, 1.0, 1.0 if whole else 0.0, exclusive_minimum=not whole, help=help)


def member_field(members: float = math.inf) -> Field:
    """The number of one of so many members."""
    return Field("member", "member", "", 0, 0, members - 1, help="Which member to open, counted from 0.")


def ensemble_fields(fields: Mapping[str, Field], members: float = math.inf) -> dict[str, Field]:
    """What can be refused of an ensemble, by the names that refusals have; of a scenario with these `fields`, by path.

    Args:
        fields: those of the scenario.
        members: how many there are.
    """
    widths = {f"ensemble.spread.{path}": width_field(item) for path, item in fields.items()}
    return {"ensemble.members": MEMBERS, "ensemble.seed": SEED, MEMBER: member_field(members), **widths}


def first_spread(field: Field, value: object) -> Spread:
    """What is proposed for a field: a millionth of its value, and for a whole number, such as a seed, another one."""
    if field.type is int:
        return Spread(UNIFORM, SEEDS if field.key.endswith("seed") else 1.0)
    size = abs(float(value)) if isinstance(value, int | float) and value else 1.0
    return Spread(NORMAL, SHARE * size)


def _seen_in(field: Field, spread: Spread) -> Spread:
    """A spread by which a whole number changes: files from before have narrower ones, without an effect."""
    narrow = field.type is int and isinstance(spread.width, int | float) and 0.0 < spread.width < 1.0
    return replace(spread, width=1.0) if narrow else spread


def spreadable_fields(fields: Mapping[str, Field], shaping: Collection[str]) -> dict[str, Field]:
    """The fields that may be spread: numbers of the robot, its task or its initial state; see `Ensemble.of`."""
    physical = {path: item for path, item in fields.items() if path.startswith(PHYSICAL) and path not in shaping}
    return {path: item for path, item in physical.items() if item.type in (int, float)}


def spread_of(text: str) -> tuple[str, Spread]:
    """A field and its spread from `FIELD=WIDTH[:normal|:uniform]`; the width may be an expression with a unit.

    Raises:
        BadInput: for another form.
    """
    path, equals, rest = (part.strip() for part in text.partition("="))
    width, _, distribution = (part.strip() for part in rest.partition(":"))
    if not (path and equals and width) or distribution not in ("", *DISTRIBUTIONS):
        raise BadInput("--spread", text, "FIELD=WIDTH or FIELD=WIDTH:uniform, such as initial.q1=1e-6")
    return path, Spread(distribution or NORMAL, width)  # type: ignore[arg-type]


def _spread_of(where: str, entry: object) -> Spread:
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise BadInput(where, entry, 'an object such as {"normal": 0.001} or {"uniform": 0.001}')
    ((name, width),) = entry.items()
    if name not in DISTRIBUTIONS:
        raise BadInput(where, name, choices=DISTRIBUTIONS)
    return Spread(name, width)
