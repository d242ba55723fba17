"""What a benchmark hands back, and fair ways to obtain it."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

Setting = TypeVar("Setting")
ONCE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Measurement:
    """One quantity, measured several times.

    Attributes:
        name: what was measured, as a phrase.
        unit: unit of the samples; `x` for a ratio.
        samples: the values, in the order they were measured; none if it could not be measured, and `note` says why.
        goal: the limit that the project aims for, compared with `value`; None when there is none.
        at_least: the goal is a lower limit, not an upper one.
        percentile: which percentile of the samples is the value; 50 is the median.
        note: what a reader must know to judge the value.
    """

    name: str
    unit: str
    samples: Sequence[float]
    goal: float | None = None
    at_least: bool = False
    percentile: float = 50.0
    note: str = ""

    @property
    def value(self) -> float:
        """The percentile of the samples that is compared with the goal; NaN if it was not measured."""
        return percentile(self.samples, self.percentile) if self.samples else math.nan

    @property
    def spread(self) -> float:
        """Distance between the quartiles."""
        return percentile(self.samples, 75) - percentile(self.samples, 25)

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None when there is no goal, or no measurement."""
        if self.goal is None or not self.samples:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    def to_dict(self) -> dict[str, Any]:
        """The measurement for JSON; numbers that were not measured are None."""
        known = bool(self.samples)
        return {
            "name": self.name,
            "unit": self.unit,
            "value": self.value if known else None,
            "median": statistics.median(self.samples) if known else None,
            "spread": self.spread if known else None,
            "minimum": min(self.samples) if known else None,
            "maximum": max(self.samples) if known else None,
            "percentile": self.percentile,
            "samples": len(self.samples),
            "goal": self.goal,
            "at_least": self.at_least,
            "reached": self.reached,
            "note": self.note,
        }


def percentile(samples: Sequence[float], percent: float) -> float:
    """The given percentile, by linear interpolation between the sorted samples."""
    ordered = sorted(samples)
    place = (len(ordered) - 1) * percent / 100.0
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def seconds(function: Callable[[], object], clock: Callable[[], float] = time.perf_counter, calls: int = 1) -> float:
    """How long one call takes [s]: the mean of so many in a row."""
    start = clock()
    for _ in range(calls):
        function()
    return (clock() - start) / calls


def alternate(
    functions: Mapping[str, Callable[[], object]],
    repeats: int = 11,
    warmups: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    calls: Mapping[str, int] = ONCE,
) -> dict[str, list[float]]:
    """Time several functions in turn, so that whatever else the machine does falls on all of them alike.

    Args:
        functions: what to time, by name.
        repeats: rounds that count.
        warmups: rounds before them that do not.
        clock: `time.process_time` leaves out what other processes take, which falls on long calls alone.
        calls: how often a short function is called in a row for one entry, by its name.

    Returns:
        Seconds of each counted call, by name; entry k of every list belongs to round k.
    """
    times: dict[str, list[float]] = {name: [] for name in functions}
    for turn in range(warmups + repeats):
        for name, function in functions.items():
            taken = seconds(function, clock, calls.get(name, 1))
            if turn >= warmups:
                times[name].append(taken)
    return times


def ratio(
    name: str, above: Sequence[float], below: Sequence[float], *, goal: float | None = None, at_least: bool = False,
    note: str = "",
) -> Measurement:  # fmt: skip
    """The quotient of two alternated series, round by round."""
    samples = [a / b for a, b in zip(above, below, strict=True)]
    return Measurement(name, "x", samples, goal=goal, at_least=at_least, note=note)


def loosest(
    name: str,
    settings: Iterable[Setting],
    error: Callable[[Setting], float],
    limit: float,
    *,
    and_next: bool = False,
) -> Setting:
    """The loosest setting that is good enough.

    Args:
        name: what is set, for the message.
        settings: tolerances or steps, from loose to tight.
        error: of what is computed with a setting.
        limit: the largest error that is good enough.
        and_next: the next tighter setting must be good enough too: an error may be small by chance.

    Raises:
        ValueError: no setting is.
    """
    good: list[Setting] = []
    for setting in settings:
        good = [*good, setting] if error(setting) <= limit else []
        if len(good) == 1 + and_next:
            return good[0]
    raise ValueError(f"{name} does not reach an error of {limit:g}")


@dataclass(slots=True)
class Stopwatch:
    """Collects durations of something that begins and ends in different places."""

    samples: list[float] = field(default_factory=list)
    started: float | None = None

    def start(self) -> None:
        """Begin one duration."""
        self.started = time.perf_counter()

    def stop(self) -> None:
        """End it, if one was begun."""
        if self.started is not None:
            self.samples.append(time.perf_counter() - self.started)
            self.started = None
