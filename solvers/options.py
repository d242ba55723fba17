"""A method's own settings, described so that forms and the command line can show and check them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assets.errors import BadInput

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
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return "one of " + ", ".join(self.choices)
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        low = "" if math.isinf(self.minimum) else f" {'above' if self.exclusive_minimum else 'from'} {self.minimum:g}"
        high = "" if math.isinf(self.maximum) else f" up to {self.maximum:g}"
        return kind + low + high

    def check(self, path: str, value: object) -> Value:
        """The value as the setting's type; raises BadInput naming `path` when it is not allowed."""
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
        elif isinstance(self.default, str):
            if isinstance(value, str) and value in self.choices:
                return value
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and self._within(value):
            if not isinstance(self.default, int):
                return float(value)
            if value == int(value):
                return int(value)
        raise BadInput(path, value, self.allowed, self.choices)

    def _within(self, value: float) -> bool:
        if not math.isfinite(value) or (self.exclusive_minimum and value == self.minimum):
            return False
        return self.minimum <= value <= self.maximum


CUSTOMISED = Option(
    "customised",
    "customised kernel",
    False,
    help="Code made for this method and this robot alone: no loops over stages, no zeros, no ones. The same numbers, "
    "sooner; its first use takes some seconds to compile.",
)
"""The setting of every explicit method whose steps follow a plan that is known beforehand."""
