"""A quantity that a person can edit: its name, unit, default, and what it must be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.counting import counted
from assets.errors import BadInput, Range, one_of
from assets.expressions import quantity

Value = float | int | bool | str
Values = Mapping[str, Any]
"""Values by the key of their Field, which knows their type."""
Data = dict[str, Any]
"""A JSON object: what `json.loads` returns."""

SETTING = "KEY=VALUE, such as step=0.01"
"""How a person writes a field with its value."""

_WITH_UNIT = re.compile(r"(.*[\d.)])\s*[a-zµμ°][\w/^²³°]*", re.IGNORECASE)
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Field:
    """One editable quantity of a robot, a scenario or a method; forms, `--set` and scenario files all use it.

    The type of `default` is the type of the value (`float`, `int`, `bool` or `str`); an optional field may be None.

    Attributes:
        key: name inside its group (`m1`).
        label: its name on the screen ("mass 1").
        unit: SI unit, empty for a pure number.
        default: the value of a new scenario.
        minimum, maximum: limits, both allowed themselves unless `exclusive_minimum`.
        choices: the allowed words of a `str` field; empty means free text.
        labels: the name of each choice on the screen; a choice without one is its own label.
        slider: (low, high) of a comfortable slider, None for no slider.
        log: the slider is logarithmic.
        help: one or two sentences for a tooltip.
        when: (key, values): the field matters only while that field of the same group has one of these values.
        optional: None is allowed and means "not chosen".
        kind: the type of the values, for optional fields whose default is None.
        table: the columns' names of a `str` field whose text is a table: rows end in semicolons, numbers in blanks.
        file: the text of a `str` field is that of a file, which a form loads and does not show.
    """

    key: str
    label: str
    unit: str = ""
    default: Value | None = 0.0
    minimum: float = -math.inf
    maximum: float = math.inf
    exclusive_minimum: bool = False
    choices: Sequence[str] = ()
    slider: tuple[float, float] | None = None
    log: bool = False
    help: str = ""
    when: tuple[str, tuple[str, ...]] | None = None
    optional: bool = False
    kind: type | None = None
    table: tuple[str, ...] = ()
    file: bool = False
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)

    def label_of(self, choice: str) -> str:
        """The name of one of the choices on the screen."""
        return self.labels.get(choice) or choice.replace("-", " ")

    def in_words(self, text: str, *, exactly: bool = False) -> str:
        """A text value as a sentence has it: the name of a choice, of a file or a table how many rows it has.

        Args:
            text: the value.
            exactly: two values with the same words have to be set apart: a table is written out.
        """
        if self.choices:
            return self.label_of(text)
        if self.file:
            return counted(text.strip().count("\n"), "row") if text else "none"
        if self.table and not exactly:
            return counted(sum(bool(row.strip()) for row in text.split(";")), "row")
        return text

    @property
    def type(self) -> type:
        """The type of the values: `float`, `int`, `bool` or `str`."""
        return self.kind or type(self.default)

    @property
    def must(self) -> str | Range:
        """What a value must be."""
        if self.type is bool:
            return "true or false"
        if self.type is str:
            return one_of(self.choices) if self.choices else "text"
        return self.range

    @property
    def range(self) -> Range:
        """The range of accepted numbers."""
        return Range(self.minimum, self.maximum, self.exclusive_minimum, self.type is int, self.unit)

    def allowed(self, unit: str | None = None, per_si: float = 1.0) -> str:
        """What is accepted, as a phrase; in `unit`, of which `per_si` make one SI unit, if that is shown."""
        must = self.must
        phrase = must.phrase(noun=True, unit=unit, per_si=per_si) if isinstance(must, Range) else must
        return phrase + (", or none" if self.optional else "")

    def check(self, path: str, value: object) -> Value | None:
        """`value` in the field's type; a number may be written as text: `2*pi/3`, `5 ms`.

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
            number = self.range.number(self._read(value) if isinstance(value, str) else value)
            accepted, value = number is not None, number if number is not None else value
        if not accepted:
            raise BadInput(path, value, self.must, self.choices, self._units(value))
        return value  # type: ignore[return-value]

    def parse(self, path: str, text: str) -> Value | None:
        """The value that a person wrote as `text` on the command line or in a form.

        Raises:
            BadInput: as `check`.
        """
        return self.check(path, self.read(text))

    def read(self, text: str) -> Value | None:
        """The value that a person wrote as `text`, not checked yet; the text itself if it is no such value."""
        word = text.strip()
        if self.optional and word.lower() in ("", "none"):
            return None
        if self.type is bool:
            return _WORDS.get(word.lower(), text)
        if self.type is str:
            return text if not self.choices else word
        number = self._read(word)
        return text if number is None else number

    def _units(self, value: object) -> str:
        """What to say of a number with a unit where there is none; empty for anything else."""
        if not isinstance(value, str) or self.type not in (int, float) or self._read(value) is not None:
            return ""
        found = _WITH_UNIT.fullmatch(value.strip())
        if found is None or self._read(found[1]) is None:
            return ""
        return "" if self.unit else "without a unit"

    def _read(self, text: str) -> float | int | None:
        try:
            return quantity(text, self.unit)
        except ValueError:
            return None


def matters(path: str, fields: Mapping[str, Field], value_of: Callable[[str], object]) -> bool:
    """Whether the condition `when` of the field at `path` holds, on another field of its group that matters.

    Args:
        path: `group.key`, or the key alone outside groups.
        fields: by path; a condition on a field that is not among them counts by its value alone.
        value_of: the value at a path.
    """
    condition = condition_of(path, fields)
    if condition is None:
        return True
    other, values = condition
    return str(value_of(other)) in values and (other not in fields or matters(other, fields, value_of))


def condition_of(path: str, fields: Mapping[str, Field]) -> tuple[str, tuple[str, ...]] | None:
    """The path of the field on which the one at `path` depends, and with which values it matters; None if always."""
    condition = fields[path].when
    if condition is None:
        return None
    key, values = condition
    group, dot, _ = path.rpartition(".")
    return f"{group}{dot}{key}", values


def complete(group: str, declared: Iterable[Field], given: Mapping[str, object]) -> Data:
    """The values of all `declared` fields by key: checked where they are `given`, else their defaults.

    Raises:
        BadInput: as `Field.check`, naming `group.key`.
    """
    return {
        item.key: item.check(f"{group}.{item.key}", given[item.key]) if item.key in given else item.default
        for item in declared
    }
