"""The errors that Armstep reports to a person, and the one form of a refusal: "NAME must be ..., got VALUE"."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any

from assets.counting import apart, grouped, short

LONGEST_VALUE, LONGEST_MESSAGE, LONGEST_QUOTE = 120, 600, 60
FAR = 1e4
HUGE = 1e300
NEAR = 0.7
"""Names that share less of their letters are not suggested."""

MOST_NAMED, FEWEST_HIDDEN = 12, 5
"""Longer lists of names are not read: a message gives the first few, where it leaves out at least so many names."""


class ArmstepError(Exception):
    """Something a person can correct. The message says what went wrong and, where useful, how to fix it."""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that are accepted.

    Attributes:
        low, high: limits, both allowed themselves unless `above`.
        above: `low` itself is not allowed.
        whole: whole numbers only.
        unit: SI unit, empty for a pure number.
        reason: where the limits come from, for people: `the lower stop`.
    """

    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    whole: bool = False
    unit: str = ""
    reason: str = ""

    def number(self, value: object) -> float | int | None:
        """`value` as an int where whole numbers are asked for, else as a float; None when it is not in the range."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        try:
            number = float(value)
        except OverflowError:
            return None
        if not math.isfinite(number) or not self.low <= number <= self.high or (self.above and number == self.low):
            return None
        if self.whole:
            return int(number) if number == int(number) else None
        return number + 0.0  # minus zero is zero

    def without_far_limit(self, value: float) -> Range:
        """Without the limit that `value` keeps: for -1 kg, that of 10000 kg does not matter; a count keeps both."""
        if self.whole:
            return self
        return replace(
            self,
            low=-math.inf if -FAR >= self.low <= value else self.low,
            high=math.inf if FAR <= self.high >= value else self.high,
        )

    def phrase(
        self, *, noun: bool = False, unit: str | None = None, per_si: float = 1.0, beside: float = math.nan
    ) -> str:
        """What follows "must be": `above 0 kg`, `from 0 to 90°`, `a whole number from 1 to 5`.

        Args:
            noun: also say "a number", for a value that is not one.
            unit, per_si: the unit that the person sees in a window, and how many of them make one SI unit.
            beside: the number that the same sentence refuses, in that unit: no limit looks like it.
        """
        low, high = (self._limit(limit * per_si, beside, unit is not None) for limit in (self.low, self.high))
        bounded_below, bounded_above = self.low > -math.inf, self.high < math.inf
        if self.above and bounded_below:
            limits = f"above {low}" + (f" and at most {high}" if bounded_above else "")
        elif bounded_below and bounded_above:
            limits = f"from {low} to {high}"
        else:
            limits = f"at least {low}" if bounded_below else f"at most {high}" if bounded_above else ""
        symbol = self.unit if unit is None else unit
        if limits and symbol:
            limits += symbol if symbol == "°" else f" {symbol.removeprefix('1')}"
        if limits and self.reason:
            limits += f", {self.reason}"
        kind = "a whole number" if self.whole else "a number" if limits else "a finite number"
        if not limits or not (noun or self.whole):
            return limits or kind
        return f"{kind}{' of' if limits.startswith('at') else ''} {limits}"

    def _limit(self, limit: float, beside: float, seen: bool) -> str:
        """A limit, of whole numbers with all its digits; `seen` in a window, they are in groups of three."""
        if self.whole and math.isfinite(limit):
            return grouped(int(limit)) if seen else str(int(limit))
        return _unlike(limit, beside)


@dataclass(frozen=True)
class Examples:
    """A few of many valid names, and the command that shows all of them, if there is one."""

    names: tuple[str, ...]
    command: str = ""

    def phrase(self, name_of: Callable[[str], str] | None = None) -> str:
        """`such as rk4, dopri5 or dop853 (`armstep list methods` shows all)`; a window has its own names and lists."""
        names = [name_of(name) if name_of else name for name in self.names]
        listed = [", ".join(names[:3]), *names[3:4]]
        return f"such as {' or '.join(listed)}{'' if name_of or not self.command else f' (`{self.command}` shows all)'}"


class BadInput(ArmstepError, ValueError):
    """A value that is refused: "NAME must be ..., got VALUE".

    Args:
        what: the field's name as the person wrote it (`robot.m1`, `method`).
        value: what was given; None for nothing.
        must: what follows "must be", as a phrase ("a file that ends in .csv") or as the range of a number; empty
            when it is one of `choices`.
        choices: the valid names, if there are finitely many; the one nearest to a text is suggested.
        reason: why there are no other choices, for people: `since the arm has no masses`.
        such_as: a few of the valid names, where there are many.
    """

    def __init__(
        self,
        what: str,
        value: object,
        must: str | Range = "",
        choices: Iterable[str] = (),
        reason: str = "",
        such_as: Examples | None = None,
    ) -> None:
        self.what, self.value, self.choices, self.reason, self.such_as = what, value, tuple(choices), reason, such_as
        self.must = must or one_of(self.choices)
        self.nearest = nearest(value, self.choices)
        super().__init__(self.sentence())

    def to_data(self) -> dict[str, object]:
        """As another process reads it, as JSON values."""
        must = asdict(self.must) if isinstance(self.must, Range) else self.must
        value = self.value if isinstance(self.value, str | int | float | None) else str(self.value)
        such_as = None if self.such_as is None else asdict(self.such_as)
        given = {"what": self.what, "value": value, "must": must, "choices": self.choices, "reason": self.reason}
        return {**given, "such_as": such_as}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> BadInput:
        """The refusal that `to_data` gave."""
        must, such_as = data["must"], data["such_as"]
        must = Range(**must) if isinstance(must, Mapping) else must
        examples = None if such_as is None else Examples(tuple(such_as["names"]), such_as["command"])
        return cls(data["what"], data["value"], must, data["choices"], data["reason"], examples)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.what, self.value, self.must, self.choices, self.reason, self.such_as)

    def sentence(
        self,
        label: str = "",
        unit: str | None = None,
        per_si: float = 1.0,
        name_of: Callable[[str], str] | None = None,
    ) -> str:
        """The refusal; a window has the field's `label`, the `unit` that it shows and its names of choices."""
        value, must, near = self.value, self.must, self.nearest
        if self.such_as is not None:
            must = f"{must}, {self.such_as.phrase(name_of)}"
            value, near = (name_of(text) if name_of and isinstance(text, str) else text for text in (value, near))
        elif name_of and self.choices and must == one_of(self.choices):
            must = one_of(map(name_of, self.choices))
            value, near = (name_of(text) if isinstance(text, str) else text for text in (value, near))
        if isinstance(must, Range):
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
            if isinstance(value, int | float) and is_number:
                must = must.without_far_limit(value)
            value = float(f"{value * per_si:.12g}") if isinstance(value, float) and per_si != 1.0 else value
            beside = float(value) if isinstance(value, int | float) and is_number and abs(value) < HUGE else math.nan
            must = must.phrase(noun=not is_number, unit=unit, per_si=per_si, beside=beside)
        hint = f"; did you mean {near!r}?" if near else ""
        end = f", got {'nothing' if isinstance(value, str) and not value else shown(value)}{hint}"
        start = f"{label or shortened(self.what)} must be {must}{f', {self.reason}' if self.reason else ''}"
        return shortened(start, LONGEST_MESSAGE - len(end)) + end


def _unlike(limit: float, beside: float) -> str:
    """A limit with six digits; with as many more as tell it from a number that has these."""
    near = abs(beside - limit) < 1e-5 * abs(limit)
    return apart(limit, beside, short, 6)[0] if near else short(limit, 6)


def one_of(names: Iterable[str]) -> str:
    """`one of a, b, c`; of a long list the first few: `one of a, b, c, ... (70 in all)`; a single name as a value.

    A few names more than those are shorter than the remark that they are missing.
    """
    known = list(names)
    if len(known) == 1:
        return shown(known[0])
    if len(known) < MOST_NAMED + FEWEST_HIDDEN:
        return "one of " + ", ".join(known)
    return f"one of {', '.join(known[:MOST_NAMED])}, ... ({len(known)} in all)"


def nearest(value: object, names: Iterable[str]) -> str | None:
    """The name that a person most likely meant: `robot.m1` for `m1`, `dopri5` for `dopri`. None if nothing is near."""
    if not isinstance(value, str) or not value:
        return None
    known = list(names)
    ends = [name for name in known if name.endswith(f".{value}")]
    last, cutoff = value.rpartition(".")[2], NEAR if len(value) > 3 else 0.5
    close = [
        name
        for written in dict.fromkeys((value, value.lower()))
        for name in get_close_matches(written, known, n=3, cutoff=cutoff)
        # A common `options.` brings nothing closer.
        if get_close_matches(last.lower(), [name.rpartition(".")[2].lower()], cutoff=0.5)
    ]
    begun = [name for name in known if len(value) > 2 and name.startswith(value)]
    return next(iter(ends or close or begun), None)


def shown(value: object) -> str:
    """A value as a message shows it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")  # numpy's own say np.float64(...)
    if isinstance(value, int) and value.bit_length() > 400:
        return f"a number of about {round(value.bit_length() * math.log10(2.0))} digits"
    if isinstance(value, str) and any(mark in value for mark in "\n\r\t"):
        value = " ".join(value.split()) or " "  # on a screen `\n` is no line's end
    return shortened(" ".join(line.strip() for line in repr(value).splitlines()))


def beginning(text: str) -> str:
    """The beginning of a file's text or line, as refusals quote it: on one line, without blanks around it."""
    line = " ".join(text[: 4 * LONGEST_QUOTE].split())
    whole = len(text) <= 4 * LONGEST_QUOTE and len(line) <= LONGEST_QUOTE
    return line if whole else f"{line[:LONGEST_QUOTE].rstrip()}..."


def shortened(text: str, most: int = LONGEST_VALUE) -> str:
    """A text, its middle left out if it is long."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 4 :]}"
