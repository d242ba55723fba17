"""The axes of a sweep: a field of the scenario over a range."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from assets.errors import BadInput
from assets.expressions import TURNS, quantity
from assets.fields import Value
from robots.scenario.scenario import Scenario

TOLERANCE = "tolerance"
MOST_VALUES = 100_000
DEGREE = TURNS["deg"]
DIGITS, ROUNDING = 10, 4e-15
"""Whatever differs by rounding alone, relative to its scale, from a number of at most so many digits is that number."""

_FORM = "FIELD=FROM:TO:COUNT or FIELD=FROM:TO:COUNT:log, such as step=0.001:0.1:20:log"


@dataclass(frozen=True, slots=True)
class SweepAxis:
    """A field over a range.

    Attributes:
        field: its path (`robot.m1`, `step`), or `tolerance` for rtol and atol alike.
        low, high: the first and the last value, SI.
        count: how many values there are.
        log: whether their logarithms are evenly spaced.
    """

    field: str
    low: float
    high: float
    count: int
    log: bool = False

    @property
    def values(self) -> np.ndarray:
        """The values, (count,), each as a person would type it, angles in degrees; the ends are exact."""
        ends = np.array((self.low, self.high))
        turned = _is_round(ends / DEGREE).all() and not _is_round(ends).all()
        unit = DEGREE if turned else 1.0
        low, high = _rounded(ends / unit).tolist()
        evenly = (np.geomspace if self.log else np.linspace)(low, high, self.count)
        values = _rounded(evenly, None if self.log else max(abs(low), abs(high))) * unit
        values[0], values[-1] = ends
        return values

    @property
    def physical(self) -> bool:
        """Whether it is a number of the robot, its task or its initial state."""
        return self.field.startswith(("robot.", "task.", "initial."))

    def changes(self, value: float) -> dict[str, Value]:
        """The edit that sets the field."""
        return {"rtol": value, "atol": value} if self.field == TOLERANCE else {self.field: value}

    def between(self, low: float, high: float, scenario: Scenario) -> SweepAxis:
        """The axis over other values, as far as its field accepts them; whole numbers stay whole.

        Raises:
            BadInput: the values are so close together that numbers cannot tell them apart.
        """
        declared = scenario.fields()["rtol" if self.field == TOLERANCE else self.field]
        low, high = max(low, declared.minimum), min(high, declared.maximum)
        if declared.exclusive_minimum and low <= declared.minimum:
            low = 1e-3 * high
        count = self.count
        if declared.type is int:
            low, high = math.ceil(low), max(math.floor(high), math.ceil(low) + 1)
            apart = math.ceil((high - low) / (count - 1))
            count = (high - low) // apart + 1
            high = low + apart * (count - 1)
        found = replace(self, low=float(low), high=float(high), count=count)
        if high - low <= 1e-9 * max(abs(low), abs(high)) or np.diff(found.values).min() <= 0.0:
            raise BadInput(declared.label, f"{low:g} to {high:g}", "over values that differ in the first nine digits")
        found.check(scenario)
        return found

    def check(self, scenario: Scenario) -> None:
        """Refuse a field that is not a number, and values that the field refuses.

        Raises:
            BadInput: naming the field.
        """
        declared = scenario.fields()
        if self.field in declared and declared[self.field].type not in (int, float):
            raise BadInput("--over", self.field, "a field that is a number")
        values = self.values
        whole = self.field in declared and declared[self.field].type is int
        between = values[values != np.round(values)] if whole else values[:0]
        for value in (self.low, self.high, *between[:1].tolist()):
            scenario.with_values(self.changes(value))


def axis(text: str, scenario: Scenario) -> SweepAxis:
    """The axis that is written as `FIELD=FROM:TO:COUNT[:log]`; numbers may be expressions (`pi/2`, `5 ms`).

    Raises:
        BadInput: for another form, an empty or backward range, or a value that the field refuses.
    """
    name, equals, rest = text.partition("=")
    parts = [part.strip() for part in rest.split(":")]
    if not equals or not name.strip() or len(parts) not in (3, 4) or parts[3:] not in ([], ["log"], ["linear"]):
        raise BadInput("--over", text, _FORM)
    field, log = name.strip(), parts[3:] == ["log"]
    item = scenario.fields().get("rtol" if field == TOLERANCE else field)
    low, high = (_number(text, part, item.unit if item else "") for part in parts[:2])
    count = int(parts[2]) if parts[2].isascii() and parts[2].isdigit() and len(parts[2]) < 12 else 0
    return checked("--over", text, SweepAxis(field, low, high, count, log), scenario)


def checked(what: str, given: str, found: SweepAxis, scenario: Scenario) -> SweepAxis:
    """The axis, if it is one.

    Args:
        what, given: what the person filled in, and how: for messages.
        found: the axis.
        scenario: whose field it is.

    Raises:
        BadInput: a range that is empty or runs backwards, a wrong count, or a value that the field refuses.
    """
    if not 2 <= found.count <= MOST_VALUES:
        raise BadInput(what, given, f"a range with a count from 2 to {MOST_VALUES}")
    if not found.low < found.high:
        raise BadInput(what, given, "a range whose first number is below its second")
    if found.log and found.low <= 0.0:
        raise BadInput(what, given, "a range above 0 for a logarithmic axis")
    found.check(scenario)
    return found


def _rounded(values: np.ndarray, scale: float | None = None) -> np.ndarray:
    """Numbers without what the rounding of a computation at that scale, or their own, has left in their last digits."""
    short = _short(values)
    near = np.abs(short - values) <= ROUNDING * (np.abs(values) if scale is None else scale)
    return np.where(near, short, values)


def _is_round(values: np.ndarray) -> np.ndarray:
    """Whether numbers are ones of few digits, but for the rounding of a computation."""
    return np.abs(_short(values) - values) <= ROUNDING * np.abs(values)


def _short(values: np.ndarray) -> np.ndarray:
    """Numbers to so many digits as a person types at most."""
    return np.array([float(f"{value:.{DIGITS}g}") for value in values.tolist()])


def _number(text: str, part: str, unit: str) -> float:
    try:
        number = float(quantity(part, unit))
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise BadInput("--over", text, "a range of finite numbers, " + _FORM)
    return number
