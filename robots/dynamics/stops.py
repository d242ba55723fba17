"""Hard stops of joints: where they are, and how a joint bounces there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from assets.errors import BadInput, Range
from assets.fields import Field, Values
from robots.model.quantities import When, amount, choice
from robots.model.shapes import Array

NUMERICAL = ("stops_found",)
"""The fields that decide nothing of the exact motion."""

IMMOVABLE = 1e15
"""The inertia of the rotor of a joint that rests against its stop [kg m2 or kg]."""

_HARD: When = ("stops", ("hard",))
_LOWEST, _HIGHEST = (
    "The joint goes no lower than this; empty: no stop.",
    "The joint goes no higher than this; empty: no stop.",
)


@dataclass(frozen=True, slots=True)
class StopFacts:
    """The stops of one joint as the fields have them: unit, defaults (None for no stop), slider, and its name."""

    unit: str
    low: float | None = None
    high: float | None = None
    slider: tuple[float, float] | None = (-np.pi, np.pi)
    name: str = ""


def stop_fields(joints: Sequence[StopFacts]) -> tuple[Field, ...]:
    """The fields of stops, for joints q1, q2 and so on."""
    ends = []
    for k, facts in enumerate(joints, start=1):
        named = f"of {facts.name}" if facts.name else str(k)
        for end, label, default, text in (
            ("low", "lower", facts.low, _LOWEST),
            ("high", "upper", facts.high, _HIGHEST),
        ):
            ends.append(
                Field(
                    f"stop_{end}{k}", f"{label} stop {named}", facts.unit, default, -1e3, 1e3, slider=facts.slider,
                    optional=True, kind=float, when=_HARD, help=text,
                )
            )  # fmt: skip
    return (
        choice("stops", "joint stops", {"off": "none", "hard": "hard stops"}, "Joints bounce at their stops."),
        amount(
            "restitution", "restitution", "", 0.5, 1.0, (0.0, 1.0),
            "The share of the joint's rate that is left after a bounce.", when=_HARD,
        ),
        choice(
            "stops_found",
            "time of impact",
            {"located": "from dense output", "late": "end of the step"},
            "From dense output each method keeps its order; at the end of the step every method has order 1.",
            when=_HARD,
        ),
        *ends,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Stops:
    """Stops in the order of the state.

    Attributes:
        low, high: of each joint, (n,) [rad or m]; infinite where there is none.
        restitution: what a bounce leaves of the joint's rate, 0 .. 1.
        located: whether impacts are found on the dense output.
        numbers: of each joint, the number in q1, q2 and so on, (n,).
        kinetic: the kinetic energies (m,) of states (m, 2 n) [J].
    """

    low: Array
    high: Array
    restitution: float
    located: bool
    numbers: tuple[int, ...]
    kinetic: Callable[[Array], Array]

    @classmethod
    def of(cls, task: Values, order: Sequence[int], kinetic: Callable[[Array], Array]) -> Stops | None:
        """The stops of a task; None without any. `order` has the number in its fields of each joint of the state."""
        if task.get("stops") != "hard":
            return None
        low, high = (
            np.array([otherwise if (end := task[f"{key}{k}"]) is None else float(end) for k in order])
            for key, otherwise in (("stop_low", -inf), ("stop_high", inf))
        )
        located = task["stops_found"] == "located"
        return cls(low, high, float(task["restitution"]), located, tuple(order), kinetic)

    def check(self, initial: Values) -> None:
        """Refuse stops without room between them, and a start beyond them.

        Raises:
            BadInput: naming the field.
        """
        for k, low, high in zip(self.numbers, self.low.tolist(), self.high.tolist(), strict=True):
            if not low < high:
                raise BadInput(f"task.stop_high{k}", high, Range(low, above=True, reason="the lower stop"))
            if not low <= float(initial[f"q{k}"]) <= high:
                must = Range(low, high, reason=f"between the stops of joint {k}")
                raise BadInput(f"initial.q{k}", float(initial[f"q{k}"]), must)
