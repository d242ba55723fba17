"""How the step is chosen: a person's settings, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from assets.counting import short
from assets.errors import BadInput, Range

CONTROLLERS: dict[str, str] = {
    "pi": "Proportional-integral (PI) control: uses the last two error estimates, so the step changes smoothly.",
    "elementary": "Elementary: uses the last error estimate alone; the step never changes more than fivefold.",
    "paper": "Tenreiro Machado and Galhano's rule (1994): h 0.9 (TOL / LTE)^(1/(max(p, q) + 1)), rejected when "
    "LTE > TOL; TOL = atol, max norm.",
}
CONTROLLER_LABELS = {"pi": "PI", "paper": "Tenreiro Machado and Galhano"}


def _check_step(what: str, value: object) -> None:
    positive = Range(0.0, above=True, unit="s")
    if positive.number(value) is None:
        raise BadInput(what, value, positive)


def _check_tolerance(what: str, value: object, least: float, most: float) -> None:
    number = Range(0.0, most).number(value)
    if number is None or 0.0 < number < least:
        raise BadInput(what, value, f"0, or from {short(least)} to {short(most)}")


@dataclass(frozen=True, slots=True)
class FixedStep:
    """A constant step.

    Attributes:
        step: its length, positive also for an integration backwards in time [s].
    """

    step: float

    def __post_init__(self) -> None:
        _check_step("step", self.step)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Step control: a step is accepted when its error estimate is within the tolerance.

    The norm is rms((y - yhat) / (atol + rtol max(|y_n|, |y_n+1|))) <= 1 over all components; with the controller
    `paper` it is max |y - yhat| <= atol.

    Attributes:
        rtol, atol: relative and absolute tolerance; not both zero.
        controller: a key of `CONTROLLERS`.
        first_step: the first step tried [s]; None lets the solution's own derivatives choose it.
        max_step: the longest step allowed [s]; None is the whole span.
    """

    rtol: float = 1e-6
    atol: float = 1e-9
    controller: str = "pi"
    first_step: float | None = None
    max_step: float | None = None

    def __post_init__(self) -> None:
        _check_tolerance("rtol", self.rtol, 1e-15, 1.0)
        _check_tolerance("atol", self.atol, 1e-30, 1e6)
        if self.rtol == 0.0 and self.atol == 0.0:
            raise BadInput("atol", self.atol, "above 0 when rtol is 0")
        if self.controller not in CONTROLLERS:
            raise BadInput("controller", self.controller, choices=CONTROLLERS)
        if self.controller == "paper" and self.atol == 0.0:
            raise BadInput("atol", self.atol, "above 0 with the controller `paper`, which uses it as TOL")
        if self.first_step is not None:
            _check_step("first_step", self.first_step)
        if self.max_step is not None:
            _check_step("max_step", self.max_step)


Control = FixedStep | Tolerance
