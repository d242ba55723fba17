"""A quantity that a person can edit: its name, unit, default, and what is allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assets.errors import BadInput

Value = float | int | bool | str | None

_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Field:
    """One editable quantity; forms, `--set` and scenario files all use it.

    The type of `default` is the type of the value (`float`, `int`, `bool` or `str`); an optional field may be None.

    Attributes:
        key: name inside its group (`m1`).
        label: what a person reads ("mass 1").
        unit: SI unit, empty for a pure number.
        default: the value of a new scenario.
        minimum, maximum: limits, both allowed themselves unless `exclusive_minimum`.
        choices: the allowed words of a `str` field; empty means free text.
        slider: (low, high) of a comfortable slider, None for no slider.
        log: the slider is logarithmic.
        help: one or two sentences for a tooltip.
        when: (key, values): the field matters only while that field of the same group has one of these values.
        optional: None is allowed and means "not chosen".
        kind: overrides the type that the default has, for optional fields whose default is None.
        table: the columns' names of a `str` field whose text is a table: rows end in semicolons, numbers in blanks.
    """

    key: str
    label: str
    unit: str = ""
    default: Value = 0.0
    minimum: float = -math.inf
    maximum: float = math.inf
    exclusive_minimum: bool = False
    choices: tuple[str, ...] = ()
    slider: tuple[float, float] | None = None
    log: bool = False
    help: str = ""
    when: tuple[str, tuple[str, ...]] | None = None
    optional: bool = False
    kind: type | None = None
    table: tuple[str, ...] = ()

    @property
    def type(self) -> type:
        """The type of the values: `float`, `int`, `bool` or `str`."""
        return self.kind or type(self.default)

    @property
    def allowed(self) -> str:
        """What is accepted, as a phrase."""
        if self.type is bool:
            phrase = "true or false"
        elif self.type is str:
            phrase = "one of " + ", ".join(self.choices) if self.choices else "a text"
        else:
            phrase = self._range()
        return phrase + (" or none" if self.optional else "")

    def check(self, path: str, value: object) -> Value:
        """`value` in the field's type.

        Raises:
            BadInput: naming `path`: a wrong type, a number that is not finite or out of range, an unknown word.
        """
        if value is None and self.optional:
            return None
        if self.type is bool:
            accepted = isinstance(value, bool)
        elif self.type is str:
            accepted = isinstance(value, str) and (not self.choices or value in self.choices)
        else:
            number = self._number(value)
            accepted, value = number is not None, number if number is not None else value
        if not accepted:
            raise BadInput(path, value, self.allowed, self.choices)
        return value  # type: ignore[return-value]

    def parse(self, path: str, text: str) -> Value:
        """The value that a person wrote as `text` on the command line or in a form.

        Raises:
            BadInput: as `check`.
        """
        word = text.strip()
        if self.optional and word.lower() in ("", "none"):
            return None
        if self.type is bool:
            return self.check(path, _WORDS.get(word.lower(), text))
        if self.type is str:
            return self.check(path, text if not self.choices else word)
        try:
            number: float = int(word) if self.type is int else float(word)
        except ValueError:
            raise BadInput(path, text, self.allowed) from None
        return self.check(path, number)

    def _number(self, value: object) -> float | int | None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        try:
            number = float(value)
        except OverflowError:
            return None
        if not math.isfinite(number) or not self.minimum <= number <= self.maximum:
            return None
        if self.exclusive_minimum and number == self.minimum:
            return None
        if self.type is int:
            return int(number) if number == int(number) else None
        # Minus zero is zero.
        return number + 0.0

    def _range(self) -> str:
        noun = "a whole number" if self.type is int else "a number"
        low, high = self.minimum > -math.inf, self.maximum < math.inf
        above = f"above {self.minimum:g}" if self.exclusive_minimum else f"from {self.minimum:g}"
        unit = f" {self.unit}" if self.unit else ""
        if low and high:
            return f"{noun} {above} {'and at most' if self.exclusive_minimum else 'to'} {self.maximum:g}{unit}"
        if low:
            return f"{noun} {above if self.exclusive_minimum else f'of at least {self.minimum:g}'}{unit}"
        if high:
            return f"{noun} of at most {self.maximum:g}{unit}"
        return f"a finite {noun.removeprefix('a ')}"
