"""Readouts: numbers of a run by name, for maps and the command line.

A name is one of

- `steps`, `rejected`, `t_end`, `status`, `rhs_evaluations`, `jacobian_evaluations`, `newton_iterations`,
  `factorisations`;
- `final.NAME`: an output at the end, such as `final.q1`;
- `max_error.KEY`, `final_error.KEY`: an error of the run, such as `max_error.energy_J`;
- `value(NAME, t)`: an output, or one of the robot's own numbers, at the time t [s];
- `crossing(NAME, x)`: the first time at which an output or an error passes the value x [s];
- `largest(NAME)`, `smallest(NAME)`: of an output or an error over the run; `peak_time(NAME)`,
  `trough_time(NAME)`: when it is largest and smallest [s];
- `shortest_step`, `longest_step`: of the accepted steps [s]; `stable_step`: the longest that is stable [s];
- `order`: the order that is observed when the fixed step is halved twice, where that with twice the step is alike;
- `lyapunov`: the rate at which a run beside it moves away [1/s], of robots with an initial state;
- one of the robot's own numbers at the end, such as `manipulability`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from assets.errors import BadInput
from robots.model.quantities import error_parts, spelled
from robots.model.robot import Array, Robot
from robots.simulation.run import ReferenceErrors, Run
from robots.sweeps.observed import lyapunov_exponent, observed_order
from solvers.solution import Counts

STATUS, REACHED = "status", "t_end"
MORE_RUNS = {"order": observed_order, "lyapunov": lyapunov_exponent}
"""Readouts that take further runs."""

COUNTS = (*(item.name for item in fields(Counts)), REACHED)
STEPS = ("shortest_step", "longest_step", "stable_step")
IN_KEYS = ("J", "m", "rad", "Nm", "m_s", "rad_s")
"""Units as the names of errors and of a robot's own numbers end with them."""
TIMES = ("crossing", "peak_time", "trough_time")
OVER_TIME = ("largest", "smallest", *TIMES)
_CALL = re.compile(
    r"(value|crossing)\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*\)|(largest|smallest|peak_time|trough_time)\(\s*([^,()]+?)\s*\)"
)
T = TypeVar("T")
INSTANTS = 1001
LOOKS, FINER = 5, 33
"""How often an instant is looked at, each time at so many times between the two around it: to 1e-6 of the first."""
_FORM = "the name of a number of the run, such as steps, final.q1, max_error.energy_J or value(q1, 2)"


@dataclass(frozen=True, slots=True)
class RunNumber:
    """A number of a run.

    Attributes:
        name: as the person wrote it.
        kind: `final`, `max_error`, `final_error`, `value`, one of `OVER_TIME`, or empty for a name of its own.
        key: what is read.
        at: the time of a `value` [s]; the value of a `crossing`.
    """

    name: str
    kind: str
    key: str
    at: float = 0.0

    @property
    def needs_reference(self) -> bool:
        """Whether it needs a reference run."""
        return self.kind not in ("final", "value") and self.key.startswith("reference_")

    def unit(self, robot: Robot) -> str:
        """Its SI unit; empty where it has none, or none that is known."""
        if self.kind in TIMES or (not self.kind and self.name in (*STEPS, REACHED)):
            return "s"
        ending = error_parts(self.key)[1]
        return robot.unit(self.key) or (spelled(ending) if ending in IN_KEYS else "")

    def of(self, run: Run, reference: ReferenceErrors | None = None) -> float:
        """The number; nan where the run has none (it ended before, or failed).

        Raises:
            BadInput: the robot has no number of this name.
        """
        if self.name == STATUS:
            return math.nan
        if self.name in MORE_RUNS:
            return MORE_RUNS[self.name](run)
        if not self.kind and self.name in COUNTS:
            return float(run.t_end if self.name == REACHED else getattr(run.counts, self.name))
        if not self.kind and self.name in STEPS:
            return _step(run, self.name)
        if self.kind in OVER_TIME:
            return _over_time(self, times_of(run), lambda t: self._found(_series_at(run, reference, t)))
        late = self.kind == "value" and self.at > run.t_end
        number = self._found(_numbers(run, self.kind, self.at, reference))
        return math.nan if late else float(number)

    def _found(self, known: Mapping[str, T]) -> T:
        """What is known by its key.

        Raises:
            BadInput: nothing.
        """
        if self.key in known:
            return known[self.key]
        inside = self.kind in ("value", *OVER_TIME)
        group = f"the name in {self.name}" if inside else self.kind.replace("_", " ") or "readout"
        more = () if self.kind else (*COUNTS, *STEPS, STATUS, *MORE_RUNS)
        raise BadInput(group, self.key if self.kind else self.name, choices=[*known, *more])


def run_numbers(text: str) -> tuple[RunNumber, ...]:
    """The readouts in a text such as `steps,value(q1, 2)`.

    Raises:
        BadInput: for a text that is not a readout, or is given twice.
    """
    names = [word.strip() for word in re.split(r",(?![^()]*\))", text) if word.strip()]
    if not names:
        raise BadInput("readout", text, _FORM)
    for name in names:
        if names.count(name) > 1:
            raise BadInput("readout", name, "named once")
    return tuple(map(run_number, names))


def run_number(name: str) -> RunNumber:
    """The readout that is written as `name`.

    Raises:
        BadInput: for another form.
    """
    if found := _CALL.fullmatch(name):
        if found[4]:
            return RunNumber(name, found[4], found[5])
        try:
            at = float(found[3])
        except ValueError:
            at = math.nan
        if not math.isfinite(at) or (found[1] == "value" and at < 0.0):
            must = "a number of at least 0 s" if found[1] == "value" else "a number"
            raise BadInput(f"the {'time' if found[1] == 'value' else 'value'} in {name}", found[3], must)
        return RunNumber(name, found[1], found[2], at)
    kind, dot, key = name.partition(".")
    if dot and key and kind in ("final", "max_error", "final_error"):
        return RunNumber(name, kind, key)
    if not re.fullmatch(r"\w+", name):
        raise BadInput("readout", name, _FORM)
    return RunNumber(name, "", name)


def over_time(run: Run, reference: ReferenceErrors | None) -> tuple[Array, dict[str, Array]]:
    """Times (n,) and the outputs, further quantities and errors of a run there, by name, each (n,).

    Between accepted steps there are further times, at which errors are those between their neighbours.
    """
    t = times_of(run)
    return t, _series_at(run, reference, t)


def times_of(run: Run) -> Array:
    """The accepted steps of a run, and further times between them, ascending, (n,) [s]."""
    return np.union1d(run.t, np.linspace(run.t[0], run.t_end, INSTANTS))


def first_passing(t: Array, values_at: Callable[[Array], Array], level: float) -> float:
    """The first time at which values pass a level, looked at ever more closely; nan if they never do.

    Args:
        t: where to look first, ascending, (n,).
        values_at: the values at such times, (n,).
        level: what they pass.
    """
    instant = math.nan
    for _ in range(LOOKS):
        away = values_at(t) - level
        side = np.sign(away)
        found = np.flatnonzero((side[:-1] * side[1:] <= 0.0) & (side[:-1] != side[1:]))
        if not len(found):
            break
        k = found[0]
        instant = float(t[k] - away[k] / (away[k + 1] - away[k]) * (t[k + 1] - t[k]))
        t = np.linspace(t[k], t[k + 1], FINER)
    return instant


def _series_at(run: Run, reference: ReferenceErrors | None, t: Array) -> dict[str, Array]:
    further = {key: one.values for key, one in run.series(t).items() if one.values.ndim == 1}
    return {**run.columns(t), **further, **run.errors_at(t, reference)}


def _over_time(number: RunNumber, t: Array, values_at: Callable[[Array], Array]) -> float:
    """The largest or smallest value, when it is largest, or when it first passes a value; nan where there is none."""
    if number.kind == "crossing":
        return first_passing(t, values_at, number.at)
    place = np.nanargmax if number.kind in ("largest", "peak_time") else np.nanargmin
    instant = extreme = math.nan
    for _ in range(LOOKS):
        values = values_at(t)
        if np.isnan(values).all():
            break
        k = int(place(values))
        instant, extreme = float(t[k]), float(values[k])
        t = np.union1d(t[k], np.linspace(t[max(k - 1, 0)], t[min(k + 1, len(t) - 1)], FINER))
    return instant if number.kind.endswith("_time") else extreme


def _step(run: Run, name: str) -> float:
    """The shortest or longest accepted step, or the longest step that is stable all along; nan without one [s]."""
    if name == "stable_step":
        return run.stability.least if run.stability else math.nan
    steps = np.abs(run.log.h[run.log.accepted])
    return float(steps.min() if name == "shortest_step" else steps.max()) if len(steps) else math.nan


def _numbers(run: Run, kind: str, time: float, reference: ReferenceErrors | None) -> Mapping[str, float]:
    """All numbers of one kind by name."""
    if kind == "final":
        return run.final
    if kind == "max_error":
        return {**run.max_error, **(reference.max if reference else {})}
    if kind == "final_error":
        return {**run.final_error, **(reference.final if reference else {})}
    if not kind:
        return run.readings(run.t_end)
    at = np.array([min(time, run.t_end)])
    outputs = {name: float(values[0]) for name, values in run.columns(at).items()}
    return {**outputs, **run.readings(float(at[0]))}
