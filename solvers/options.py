"""A method's own settings, described so that forms and the command line can show and check them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assets.errors import BadInput, Range, one_of

Value = float | int | bool | str


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a method, `options.KEY`.

    The type of `default` is the type of the setting. Numbers lie in [minimum, maximum], or in (minimum, maximum] when
    the minimum is exclusive; a text is one of `choices`.
    """

    key: str
    label: str
    default: Value
    unit: str = ""
    minimum: float = -math.inf
    maximum: float = math.inf
    exclusive_minimum: bool = False
    choices: tuple[str, ...] = ()
    slider: tuple[float, float] | None = None
    log: bool = False
    help: str = ""

    @property
    def allowed(self) -> str:
        """What is accepted, as a phrase."""
        must = self._must()
        return must.phrase(noun=True) if isinstance(must, Range) else must

    def check(self, path: str, value: object) -> Value:
        """The value as the setting's type; raises BadInput naming `path` when it is not allowed."""
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
        elif isinstance(self.default, str):
            if isinstance(value, str) and value in self.choices:
                return value
        elif (number := self._range().number(value)) is not None:
            return number
        raise BadInput(path, value, self._must(), self.choices)

    def _must(self) -> str | Range:
        """What a value must be."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return one_of(self.choices) if self.choices else "text"
        return self._range()

    def _range(self) -> Range:
        whole = isinstance(self.default, int)
        return Range(self.minimum, self.maximum, self.exclusive_minimum, whole, self.unit)


CUSTOMISED = Option(
    "customised",
    "customised kernel",
    False,
    help="Code made for this method and this robot alone: no loops over stages, no zeros, no ones. The same numbers, "
    "sooner; its first use takes some seconds to compile.",
)
"""The setting of every explicit method whose steps follow a plan that is known beforehand."""
