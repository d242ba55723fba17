"""Maps of the open scenario: a readout of the run over one or two fields, computed in the background."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from assets.errors import ArmstepError, BadInput
from assets.fields import Data, Field, Values
from gui.app.computing.compute import explain
from gui.app.desks.desk import ResultDesk
from gui.app.desks.readout_words import number_name
from gui.app.documents import Document, Result
from gui.app.formatting import label_of
from gui.app.history import History
from gui.app.jobs import Cancel, Jobs, Progress
from gui.app.session.results import MAP, KeptResults
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.sweeps.axes import SweepAxis
    from robots.sweeps.borders import Border
    from robots.sweeps.sweep import Part, Sweep, SweepResult

MOST_RUNS = 40_000
"""The most runs in one map of the window; the command line takes more."""

MOST_KNOWN = 8
"""How many maps stay in memory beside the document: those on the way into a zoom among them."""

NO_AXES = ("sampling", "first_step", "max_step")
"""Fields that only change how a run is written or starts: a map over them shows nothing."""

STEADY = ("steps", "rhs_evaluations", "t_end", "order", "lyapunov")
"""Readouts of every robot, besides its errors and its own quantities."""

ENDS = "status"
"""How runs ended: every map has it."""

METHODS = "method"
"""The axis that is no field: several methods side by side."""

FIRST_METHODS = ("rk1", "rk2", "rk4", "dopri5", "dop853")

Compute = Callable[..., Any]
"""`robots.sweeps.run_sweep.run_sweep`, or a replacement in tests."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The axes and the readout of a map."""

    axes: tuple[SweepAxis, ...]
    show: str


@dataclass(eq=False, slots=True)
class _Begun:
    """A map that is being computed, or is done.

    Attributes:
        sweep, border: as in `MapDesk`.
        result: None before the first run.
        data: the result for the document, once nothing more is computed.
    """

    sweep: Sweep
    result: SweepResult | None = None
    border: Border | None = None
    data: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _Wider:
    """A map from which a person zoomed in, and as what the document keeps it."""

    map: _Begun
    kept: Result | None


class MapDesk(ResultDesk):
    """A sweep of the scenario. The last maps stay in memory: to see one again, or to go on with it, costs nothing.

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
        self._wider: list[_Wider] = []
        self._detail: Result | None = None
        self._known: OrderedDict[str, _Begun] = OrderedDict()
        super().__init__(jobs, history, results)

    @property
    def zoomed(self) -> bool:
        """Whether `back` leads to a wider map."""
        return bool(self._wider)

    def forget(self) -> None:
        """Stop, and forget the maps of the previous document."""
        self._known.clear()
        super().forget()

    def begin(
        self, axes: Sequence[SweepAxis], show: Sequence[str], methods: Sequence[str] = (), by_itself: bool = False
    ) -> None:
        """Compute the present scenario over these axes; `by_itself`: because a preset that was opened proposes it."""
        from robots.sweeps.sweep import Sweep

        self._by_itself, self._wider, self._detail = by_itself, [], None
        self.scenario, self.kept, self.result, self.border = self._present(), None, None, None
        try:
            sweep = Sweep(self.scenario, tuple(axes), tuple(show), tuple(methods))
            if sweep.size > MOST_RUNS:
                raise BadInput("Count", sweep.size, f"at most {MOST_RUNS} runs in all")
        except ArmstepError as refusal:
            self._end(str(refusal))
            return
        self._resume(self._find(sweep))

    def zoom(self, ranges: Sequence[tuple[float, float]]) -> None:
        """Compute the map again between these values (SI) of its axes, one pair for each; `back` returns.

        A zoomed map that is left before it is done is not on the way back: a wheel turns quickly.
        """
        assert self.result is not None
        sweep = self.result.sweep
        pairs = zip(sweep.axes, ranges, strict=True)
        try:
            axes = tuple(axis.between(*pair, sweep.scenario) for axis, pair in pairs)
        except ArmstepError as refusal:
            self.trouble = str(refusal)
            self.changed.emit()
            return
        if axes != sweep.axes:
            assert self._begun is not None
            if not (self.measuring and self._wider):
                self._wider.append(_Wider(self._begun, self.kept))
            self._resume(self._find(replace(sweep, axes=axes)))

    def back(self) -> None:
        """Show the map from which a person zoomed in, and compute what is missing in it."""
        if self._wider:
            wider = self._wider.pop()
            self._resume(wider.map, wider.kept if not self._wider else None)

    def scenario_at(self, number: int) -> Scenario | None:
        """The scenario of run `number`; None if its values do not go together."""
        assert self.result is not None
        try:
            return self.result.sweep.scenario_at(number)
        except ArmstepError:
            return None

    def _find(self, sweep: Sweep) -> _Begun:
        """The map of a sweep, as far as it was computed before."""
        begun = self._known.pop(sweep.key, None) or _Begun(sweep)
        self._known[sweep.key] = begun
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return begun

    def _resume(self, begun: _Begun, kept: Result | None = None) -> None:
        """Compute what is missing of a map."""
        from robots.sweeps.sweep import SweepResult

        self._begun, self.kept, self.border = begun, kept, begun.border
        self.result = begun.result or SweepResult.empty(begun.sweep)
        self.measuring, self.progress, self.trouble = True, 0.0, ""
        if begun.result is not None and not len(begun.result.missing):
            self._jobs.discard(MAP)
            self._done(begun)
            return
        self._jobs.submit(
            lambda cancel, progress: self._work(begun, cancel, progress),
            key=MAP,
            on_done=self._done,
            on_error=lambda problem: self._end(explain(problem)),
            on_progress=lambda share: self._report(begun, share),
            lane="study",
        )
        self.changed.emit()

    def _work(self, begun: _Begun, cancel: Cancel, progress: Progress) -> _Begun:
        from robots.sweeps.borders import stability_border
        from robots.sweeps.order import BordersFirst
        from robots.sweeps.run_sweep import run_sweep
        from robots.sweeps.sweep import SweepResult

        if begun.result is None:
            begun.sweep = replace(begun.sweep, show=_known(begun.sweep, cancel))
            begun.result = SweepResult.empty(begun.sweep)

        def look(_: Part) -> None:
            # The coarse picture comes before the border.
            if begun.border is None and not looked:
                looked.append(True)
                begun.border = stability_border(begun.sweep)

        looked: list[bool] = []
        (self._compute or run_sweep)(
            begun.sweep,
            into=begun.result,
            upcoming=BordersFirst(begun.result),
            cancel=cancel,
            progress=progress,
            on_part=look,
        )
        line = {} if begun.border is None else {"border": begun.border.to_data()}
        begun.data = begun.result.to_data() | line
        return begun

    def _report(self, begun: _Begun, share: float) -> None:
        if begun is self._begun and begun.result is not None:
            self.progress, self.result, self.border = share, begun.result, begun.border
            self.changed.emit()

    def _done(self, begun: _Begun) -> None:
        if begun is not self._begun or begun.result is None:
            return
        self.result, self.border = begun.result, begun.border
        result = begun.result
        if self.kept is None and len(result.missing) < result.sweep.size:
            axes = [label_of(self.scenario, axis.field) for axis in result.sweep.axes]
            names = " and ".join([*axes, *(["method"] if result.sweep.methods else [])])
            title = f"{number_name(result.sweep.show[0], self.scenario)} over {names}"
            if self._wider:
                self.kept = self._detail = self._results.keep(MAP, f"{title}, zoomed", begun.data, self._detail)
            else:
                keep = self._results.note if self._by_itself else self._results.keep
                self.kept = keep(MAP, title, begun.data)
        self._end()

    def _read(self, data: Values | None) -> Scenario:
        from robots.sweeps.borders import Border
        from robots.sweeps.sweep import SweepResult

        self._wider, self._detail = [], None
        self.result: SweepResult | None = None if data is None else SweepResult.from_data(data)
        line = None if data is None else data.get("border")
        self.border: Border | None = None if line is None else Border.from_data(line)
        scenario = self.result.sweep.scenario if self.result else self._present()
        self._begun = None if self.result is None else _Begun(self.result.sweep, self.result, self.border)
        return scenario


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
