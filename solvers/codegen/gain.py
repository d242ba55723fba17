"""How much faster a specialised kernel is on one run, measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assets.clock import computing_time
from assets.fields import Value
from solvers.control import Control
from solvers.integrate import integrate
from solvers.method import Method
from solvers.options import SPECIALISED
from solvers.problem import OdeProblem


@dataclass(frozen=True, slots=True)
class Gain:
    """The time of one run with each kernel.

    Attributes:
        generic, specialised: least seconds of the integration.
        written_out: whether the right-hand side is written into the stages, or called.
    """

    generic: float
    specialised: float
    written_out: bool

    @property
    def ratio(self) -> float:
        """How many times as fast."""
        return self.generic / self.specialised


def gain(
    problem: OdeProblem,
    method: Method,
    control: Control,
    *,
    options: Mapping[str, Value] | None = None,
    repeats: int = 15,
    cancel: Callable[[], bool] = bool,
) -> Gain | None:
    """Time both kernels in turn over the whole problem; None when cancelled or when a run does not finish.

    Args:
        options: the method's other settings.
    """
    if SPECIALISED not in method.options:
        return None
    settings = dict(options or {})
    times: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(1 + repeats):
        for kind, series in times.items():
            settings[SPECIALISED.key] = kind
            began = computing_time()
            solution = integrate(problem, method, control, options=settings, cancel=cancel)
            if not solution.status.ok:
                return None
            if turn:
                series.append(computing_time() - began)
    generic, ours = (min(times[kind]) for kind in (False, True))
    stepper = method.stepper(problem, control, method.complete_options(settings))
    return Gain(generic, ours, stepper.written_out)
