"""Readouts: numbers of a run by name, for maps and the command line.

A name is one of

- `steps`, `rejected`, `t_end`, `status`, `rhs_evaluations`, `jacobian_evaluations`, `newton_iterations`,
  `factorisations`;
- `final.NAME`: an output at the end, such as `final.q1`;
- `max_error.KEY`, `final_error.KEY`: an error of the run, such as `max_error.energy_J`;
- `value(NAME, t)`: an output, or one of the robot's own numbers, at the time t [s];
- `order`: the order that is observed when the fixed step is halved twice;
- one of the robot's own numbers at the end, such as `manipulability`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from assets.errors import BadInput
from robots.scenario.scenario import Scenario
from robots.simulation.run import ReferenceErrors, Run
from robots.simulation.simulate import simulate
from solvers.solution import Counts

STATUS = "status"
ORDER = "order"
COUNTS = (*(item.name for item in fields(Counts)), "t_end")
_VALUE = re.compile(r"value\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*\)")
_FORM = "the name of a number of the run, such as steps, final.q1, max_error.energy_J or value(q1, 2)"


@dataclass(frozen=True, slots=True)
class RunNumber:
    """A number of a run.

    Attributes:
        name: as the person wrote it.
        kind: `final`, `max_error`, `final_error`, `value`, or empty for a name of its own.
        key: what is read.
        time: when, for a `value` [s].
    """

    name: str
    kind: str
    key: str
    time: float = 0.0

    @property
    def needs_reference(self) -> bool:
        """Whether it needs a reference run."""
        return self.kind.endswith("error") and self.key.startswith("reference_")

    def of(self, run: Run, reference: ReferenceErrors | None = None) -> float:
        """The number; nan where the run has none (it ended before, or failed).

        Raises:
            BadInput: the robot has no number of this name.
        """
        if self.name == STATUS:
            return math.nan
        if self.name == ORDER:
            return observed_order(run.scenario)
        if not self.kind and self.name in COUNTS:
            return float(run.t_end if self.name == "t_end" else getattr(run.counts, self.name))
        known = _numbers(run, self.kind, self.time, reference)
        if self.key not in known:
            raise BadInput(self._group, self.key if self.kind else self.name, choices=self._names(known))
        late = self.kind == "value" and self.time > run.t_end
        return math.nan if late else float(known[self.key])

    @property
    def _group(self) -> str:
        return f"the name in {self.name}" if self.kind == "value" else self.kind.replace("_", " ") or "readout"

    def _names(self, known: Mapping[str, float]) -> list[str]:
        return [*known] if self.kind else [*known, *COUNTS, STATUS, ORDER]


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
    if found := _VALUE.fullmatch(name):
        try:
            time = float(found[2])
        except ValueError:
            time = math.nan
        if not (math.isfinite(time) and time >= 0.0):
            raise BadInput(f"the time in {name}", found[2], "a number of at least 0 s")
        return RunNumber(name, "value", found[1], time)
    kind, dot, key = name.partition(".")
    if dot and key and kind in ("final", "max_error", "final_error"):
        return RunNumber(name, kind, key)
    if not re.fullmatch(r"\w+", name):
        raise BadInput("readout", name, _FORM)
    return RunNumber(name, "", name)


def observed_order(scenario: Scenario) -> float:
    """The order of convergence at this step, from the final coordinates with h, h/2 and h/4; nan with step control.

    Source: Richardson (1911); the differences of neighbours fall by the factor 2^p.
    """
    if scenario.step is None:
        return math.nan
    ends = []
    for divisor in (1.0, 2.0, 4.0):
        run = simulate(scenario.with_value("step", scenario.step / divisor), repeat=False)
        if not run.status.ok:
            return math.nan
        ends.append(np.array([value for name, value in run.final.items() if name[0] == "q"]))
    coarse, fine = (float(np.linalg.norm(b - a)) for a, b in pairwise(ends))
    return math.log2(coarse / fine) if coarse > 0.0 and fine > 0.0 else math.nan


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
