"""Maps of the open scenario: a readout of the run over one or two fields, computed in the background."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assets.errors import ArmstepError, BadInput
from assets.fields import Field, Values
from gui.app import formatting
from gui.app.computing.compute import explain
from gui.app.desks.desk import ResultDesk
from gui.app.documents import Document
from gui.app.history import History
from gui.app.jobs import Jobs
from gui.app.session.results import MAP, KeptResults
from gui.app.units import Unit
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.sweeps.axes import SweepAxis
    from robots.sweeps.sweep import Sweep, SweepResult

MOST_RUNS = 40_000
"""The most runs in one map of the window; the command line takes more."""

NO_AXES = ("sampling", "first_step", "max_step")
"""Fields that only change how a run is written or starts: a map over them shows nothing."""

STEADY = ("steps", "rhs_evaluations", "t_end", "order", "lyapunov")
"""Readouts of every robot, besides its errors and its own quantities."""

ENDS = "status"
"""How runs ended: every map has it."""

Compute = Callable[..., Any]
"""`robots.sweeps.run_sweep.run_sweep`, or a replacement in tests."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The axes and the readout of a map."""

    axes: tuple[SweepAxis, ...]
    show: str


class MapDesk(ResultDesk):
    """A sweep of the scenario.

    Args:
        jobs, history, results: see `ResultDesk`.
        compute: computes a sweep; `run_sweep` if None.

    Attributes:
        result: the runs computed so far; None before the first map.
        border: where theory says that runs become unstable, if it does.
    """

    kind = MAP

    def __init__(
        self, jobs: Jobs, history: History[Document], results: KeptResults, compute: Compute | None = None
    ) -> None:
        self._compute, self._by_itself = compute, False
        super().__init__(jobs, history, results)

    def begin(self, axes: Sequence[SweepAxis], show: Sequence[str], by_itself: bool = False) -> None:
        """Compute the present scenario over these axes; `by_itself`: because a preset that was opened proposes it."""
        from robots.sweeps.sweep import Sweep, SweepResult

        self._by_itself = by_itself
        self.scenario, self.kept, self.result, self.border = self._present(), None, None, None
        try:
            sweep = Sweep(self.scenario, tuple(axes), tuple(show))
            if sweep.size > MOST_RUNS:
                raise BadInput("Count", sweep.size, f"at most {MOST_RUNS} runs in all")
        except ArmstepError as refusal:
            self._end(str(refusal))
            return
        self.result = SweepResult.empty(sweep)
        self.measuring, self.progress, self.trouble = True, 0.0, ""
        self._jobs.submit(
            lambda cancel, progress: self._work(sweep, cancel, progress),
            key=MAP,
            on_done=self._done,
            on_error=lambda problem: self._end(explain(problem)),
            on_progress=self._report,
            lane="study",
        )
        self.changed.emit()

    def scenario_at(self, number: int) -> Scenario | None:
        """The scenario of run `number`; None if its values do not go together."""
        assert self.result is not None
        try:
            return self.result.sweep.scenario_at(number)
        except ArmstepError:
            return None

    def _work(self, sweep: Sweep, cancel: Any, progress: Any) -> SweepResult:
        from robots.sweeps.borders import stability_border
        from robots.sweeps.run_sweep import coarse_first, run_sweep
        from robots.sweeps.sweep import SweepResult

        sweep = replace(sweep, show=_known(sweep, cancel))
        result = self.result = SweepResult.empty(sweep)
        self.border = stability_border(sweep)
        return (self._compute or run_sweep)(
            sweep,
            into=result,
            order=coarse_first(sweep.shape),
            cancel=cancel,
            progress=progress,
        )

    def _report(self, share: float) -> None:
        self.progress = share
        self.changed.emit()

    def _done(self, result: SweepResult) -> None:
        self.result = result
        if len(result.missing) < result.sweep.size:
            names = " and ".join(label_of(self.scenario, axis.field) for axis in result.sweep.axes)
            title = number_name(result.sweep.show[0], self.scenario)
            line = {} if self.border is None else {"border": self.border.to_data()}
            keep = self._results.note if self._by_itself else self._results.keep
            self.kept = keep(MAP, f"{title} over {names}", result.to_data() | line)
        self._end()

    def _read(self, data: Values | None) -> Scenario:
        from robots.sweeps.borders import Border
        from robots.sweeps.sweep import SweepResult

        self.result: SweepResult | None = None if data is None else SweepResult.from_data(data)
        line = None if data is None else data.get("border")
        self.border: Border | None = None if line is None else Border.from_data(line)
        return self.result.sweep.scenario if self.result else self._present()


def proposal(scenario: Scenario) -> Proposal | None:
    """The map that a scenario proposes as `view.map`: `AXIS; AXIS; READOUT`; None without one.

    Raises:
        BadInput: for an axis or a readout that it cannot have.
    """
    from robots.sweeps.axes import axis
    from robots.sweeps.run_numbers import run_numbers

    text = scenario.view.get("map")
    if not isinstance(text, str):
        return None
    *axes, show = (part.strip() for part in text.split(";"))
    return Proposal(tuple(axis(one, scenario) for one in axes), run_numbers(show)[0].name)


def _known(sweep: Sweep, cancel: Any) -> tuple[str, ...]:
    """The readouts that a run of the scenario has; the first one was chosen, and is kept to be refused by name."""
    from robots.simulation.simulate import simulate

    run, found = simulate(sweep.scenario, cancel=cancel, repeat=False), list(sweep.show[:1])
    for one in sweep.shown[1:]:
        with suppress(BadInput):
            one.of(run)
            found.append(one.name)
    return tuple(found)


def numeric_fields(scenario: Scenario) -> dict[str, Field]:
    """The fields that can be an axis, by path: numeric fields that affect the run, and both tolerances together."""
    from robots.sweeps.axes import TOLERANCE

    every = {} if scenario.step is not None else {TOLERANCE: scenario.fields()["rtol"]}
    return every | {
        path: field
        for path, field in scenario.fields().items()
        if field.type in (int, float) and not path.startswith("view.") and path not in NO_AXES
    }


def first_range(scenario: Scenario, path: str) -> tuple[float, float]:
    """The first range offered for a field: its slider's, otherwise half to twice its value, in SI units."""
    if path in ("rtol", "atol", "tolerance"):
        return 1e-9, 1e-3
    field, value = scenario.fields()[path], scenario.get(path)
    if path == "step":
        middle = scenario.step or scenario.duration / 1000.0
        return middle / 10.0, min(10.0 * middle, scenario.duration)
    if field.slider and field.slider[0] >= field.minimum:
        low, high = field.slider
        return (max(low, 1e-3 * high) if field.exclusive_minimum and low <= field.minimum else low), high
    middle = float(value) if isinstance(value, int | float) and value else 1.0
    low, high = sorted((0.5 * middle, 2.0 * middle))
    if field.type is int:
        low, high = math.floor(low), math.ceil(high)
    return max(low, field.minimum), min(high, field.maximum)


def run_numbers_of(scenario: Scenario, final: Sequence[str], errors: Sequence[str]) -> dict[str, str]:
    """The readouts that a map can show, each with its name on the screen.

    Args:
        scenario: of the run.
        final, errors: the names of its outputs and errors.
    """
    names = [*(f"max_error.{name}" for name in errors), *STEADY, ENDS, *(f"final.{name}" for name in final)]
    return {name: number_name(name, scenario) for name in names}


def number_name(name: str, scenario: Scenario) -> str:
    """A readout in words: `largest error, energy`."""
    kind, _, key = name.partition(".")
    if kind in ("max_error", "final_error"):
        size = "largest" if kind == "max_error" else "final"
        return f"{size} error, {formatting.error_name(key, scenario)}"
    if kind == "final":
        return f"final {key}"
    return WORDS.get(name, name)


def number_unit(name: str, scenario: Scenario) -> str:
    """The unit of a readout; empty for a pure number."""
    kind, _, key = name.partition(".")
    return formatting.error_unit(key, scenario) if kind.endswith("error") else UNITS.get(name, "")


def label_of(scenario: Scenario, path: str) -> str:
    """The name of a field on the screen."""
    return scenario.fields()[path].label if path in scenario.fields() else path


def unit_of(scenario: Scenario, path: str) -> Unit:
    """The unit in which a field's values are shown."""
    declared = scenario.fields().get(path)
    return Unit.of(declared.unit if declared else "")


def spread(values: np.ndarray) -> str:
    """The scale that suits `values`: `log` if they are positive and span more than a factor of 100."""
    known = values[np.isfinite(values)]
    if known.size and known.min() > 0.0 and math.log10(known.max() / known.min()) > 2.0:
        return "log"
    return "linear"


WORDS = {
    "steps": "steps",
    "rhs_evaluations": "evaluations",
    "t_end": "time reached",
    "order": "observed order",
    "lyapunov": "Lyapunov exponent",
    ENDS: "how it ended",
}

UNITS = {"t_end": "s", "lyapunov": "1/s"}
