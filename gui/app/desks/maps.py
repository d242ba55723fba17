"""Maps of the open scenario: a readout of the run over one or two fields, computed in the background."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from assets.fields import Data, Values
from gui.app import units
from gui.app.computing.engine import WaitFor
from gui.app.desks.desk import ResultDesk
from gui.app.documents import Document, Result
from gui.app.formatting import label_of
from gui.app.history import History
from gui.app.jobs import Cancel, Jobs, Progress, explain
from gui.app.session.results import MAP, KeptResults
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.sweeps.axes import SweepAxis
    from robots.sweeps.borders import Border
    from robots.sweeps.sweep import Sweep, SweepResult

MOST_IN_FILES = 40_000
"""The most runs of a map whose numbers the document keeps; those of larger ones are on disk, in the cache."""

MOST_KNOWN = 8
"""How many maps are remembered beside the document, besides those on the way into a zoom."""

MOST_BYTES = 64 * 2**20
"""How much memory the readouts of one map take, and those of the other maps that are remembered."""

PICTURES = 0.05, 0.5
"""The shortest and the longest time between two pictures while a map is computed [s]."""

SAVES = 60.0
"""How often a long computation is kept on disk on the way [s]."""


@dataclass(eq=False, slots=True)
class _Begun:
    """A map that is being computed, or is done.

    Attributes:
        sweep, border: as in `MapDesk`.
        result: None before the first run.
        data: the result for the document, once nothing more is computed.
        trouble: why computing ended early, as a sentence; empty if it did not.
    """

    sweep: Sweep
    result: SweepResult | None = None
    border: Border | None = None
    data: Data = field(default_factory=dict)
    trouble: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Wider:
    """A map from which a person zoomed in, and as what the document keeps it."""

    map: _Begun
    kept: Result | None


Written = tuple[str, bool, tuple[str, ...]]
"""An axis as it was typed: field, whether it is logarithmic; ends, number of values, keys of methods."""


class MapDesk(ResultDesk):
    """A sweep of the scenario. The last maps stay in memory: to see one again, or to go on with it, costs nothing.

    Args:
        jobs, history, results: see `ResultDesk`.
        wait_for: returns, in the worker's thread, once the kernels of a scenario's robot and of methods are compiled.

    Attributes:
        result: the runs computed so far; None before the first map.
        border: where theory says that runs become unstable, if it does.
        left: what was chosen in the sheet when it was closed before a map was computed; None if nothing was.
    """

    kind, title = MAP, "Map"

    def __init__(
        self, jobs: Jobs, history: History[Document], results: KeptResults, wait_for: WaitFor = lambda *_: None
    ) -> None:
        self._wait_for, self._by_itself = wait_for, False
        self._wider: list[_Wider] = []
        self._detail: Result | None = None
        self.left: tuple[Written, Written, str, bool] | None = None
        self._known: OrderedDict[str, _Begun] = OrderedDict()
        super().__init__(jobs, history, results)

    @property
    def unfinished(self) -> str:
        """How far the shown map is that was stopped, in words; empty while it is computed and when it is whole."""
        return "" if self.measuring else _unfinished(self.result)

    @property
    def zoomed(self) -> bool:
        """Whether `back` leads to a wider map."""
        return bool(self._wider)

    def differs(self, degrees: bool) -> tuple[str, ...]:
        """How the mapped scenario differs from the current one, apart from what the map varies."""
        from gui.app.desks.map_choices import differences_of

        return () if self.result is None else differences_of(self.result.sweep, self._present(), degrees)

    def forget(self) -> None:
        """Stop, and forget the maps of the previous document."""
        self._known.clear()
        self.left = None
        super().forget()

    def begin(
        self, axes: Sequence[SweepAxis], show: Sequence[str], methods: Sequence[str] = (), by_itself: bool = False
    ) -> None:
        """Compute the present scenario over these axes; `by_itself`: because a preset that was opened proposes it."""
        from robots.sweeps.run_numbers import run_number
        from robots.sweeps.sweep import MOST_RUNS, Sweep

        self._by_itself, self._wider, self._detail = by_itself, [], None
        self.scenario, self.kept, self.result, self.border = self._present(), None, None, None
        try:
            if (size := math.prod(axis.count for axis in axes) * max(len(methods), 1)) > MOST_RUNS:
                raise BadInput("Count", size, f"at most {MOST_RUNS} runs in all")
            if len(axes) == 2 and axes[0].field == axes[1].field:
                raise BadInput("The two axes", label_of(self.scenario, axes[0].field), "different fields")
            exact = any(run_number(name).needs_reference for name in show)
            sweep = Sweep(self.scenario, tuple(axes), tuple(show), tuple(methods), exact)
        except ArmstepError as refusal:
            self._refuse(refusal)
            return
        self._resume(self._find(sweep))

    def go_on(self) -> None:
        """Compute what is missing of the shown map, which keeps its name."""
        if self._begun is not None:
            self._resume(self._begun, self.kept)

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
        self._release(begun)
        return begun

    def _release(self, shown: _Begun) -> None:
        """Give the memory of other maps back, the newest stay as long as there is room; the disk has what they had."""
        room = MOST_BYTES
        others = dict.fromkeys([*reversed(self._known.values()), *(one.map for one in reversed(self._wider))])
        for one in others:
            if one is not shown and one.result is not None and one.data:
                room -= one.result.numbers.nbytes
                if room < 0:
                    one.result, one.data = None, {}

    def _resume(self, begun: _Begun, kept: Result | None = None) -> None:
        """Compute what is missing of a map."""
        from robots.sweeps.sweep import SweepResult

        self._begun, self.kept, self.border = begun, kept, begun.border
        self.result = begun.result or SweepResult.blank(begun.sweep)
        self._start()
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
        from robots.sweeps.order import BordersFirst
        from robots.sweeps.run_sweep import as_far_as_possible, run_sweep
        from robots.sweeps.storage.kept import read_result, write_later

        self._wait_for(begun.sweep.scenario, [base.method for base in begun.sweep.bases], cancel)
        if begun.result is None:
            begun.sweep = replace(begun.sweep, show=_known(begun.sweep, cancel))
            begun.result = read_result(begun.sweep)
        result, missing = begun.result, len(begun.result.missing)
        watch = _Watch(begun, cancel, progress, lambda: write_later(result, self._jobs.write))
        try:
            begun.trouble = as_far_as_possible(
                lambda: run_sweep(
                    begun.sweep,
                    into=result,
                    behind=True,
                    upcoming=BordersFirst(result),
                    cancel=cancel,
                    progress=watch.report,
                    on_part=lambda _: watch.look(),
                )
            )
            watch.end()
        finally:
            if len(result.missing) < missing:
                write_later(result, self._jobs.write)
        line = {} if begun.border is None else {"border": begun.border.to_data()}
        small = result.sweep.size <= MOST_IN_FILES
        begun.data = (result.to_data() if small else {"sweep": result.sweep.to_data()}) | line
        return begun

    def _report(self, begun: _Begun, share: float) -> None:
        if begun is self._begun and begun.result is not None:
            self.result, self.border = begun.result, begun.border
            self._advance(share)

    def _done(self, begun: _Begun) -> None:
        if begun is not self._begun or begun.result is None:
            return
        self.result, self.border = begun.result, begun.border
        result = begun.result
        if self.kept is None and len(result.missing) < result.sweep.size:
            title = map_title(result.sweep)
            if self._wider:
                self.kept = self._detail = self._results.keep(MAP, f"{title}, zoomed", begun.data, self._detail)
            else:
                keep = self._results.note if self._by_itself else self._results.keep
                self.kept = keep(MAP, title, begun.data)
        elif self.kept is not None and begun.data:
            whole = self._results.complete(self.kept, begun.data)
            if whole not in self._results.of(MAP):
                whole = self._results.keep(MAP, whole.name, begun.data)  # it was removed, or undone, meanwhile
            self._detail = whole if self.kept is self._detail else self._detail
            self.kept = whole
        left = _unfinished(result)
        self._end(begun.trouble, f"stopped, {left}." if left else "finished.")

    def _read(self, data: Values | None) -> Scenario:
        from robots.sweeps.borders import Border
        from robots.sweeps.sweep import Sweep, SweepResult

        self._wider, self._detail, self._begun = [], None, None
        self.result: SweepResult | None = None
        line = None if data is None else data.get("border")
        self.border: Border | None = None if line is None else Border.from_data(line)
        if data is None:
            return self._present()
        if "numbers" in data:
            self.result = SweepResult.from_data(data)
            self._begun = _Begun(self.result.sweep, self.result, self.border)
        else:
            self.result = SweepResult.blank(Sweep.from_data(data["sweep"]))
            self._begun = _Begun(self.result.sweep, None, self.border)
            self._recall(self.result.sweep)
        return self.result.sweep.scenario

    def _recall(self, sweep: Sweep) -> None:
        """Read the numbers of a large map from the disk."""

        def read(cancel: Cancel, progress: Progress) -> SweepResult:
            from robots.sweeps.storage.kept import read_result

            return read_result(sweep)

        def take(found: SweepResult) -> None:
            from gui.app.desks.readout_words import GONE

            if self.result is not None and self.result.sweep is sweep and not self.measuring:
                self.result, self._begun = found, _Begun(sweep, found, self.border)
                self._end(GONE if len(found.missing) == sweep.size else "")

        self._jobs.submit(read, key="map-read", on_done=take, on_error=lambda problem: self._end(explain(problem)))


def _unfinished(result: SweepResult | None) -> str:
    """How far a map is, in words; empty before its first run and when it is whole."""
    if result is None or not result.begun or not len(result.missing):
        return ""
    size = result.sweep.size
    return f"{units.count(size - len(result.missing))} of {units.count(size, 'run')} computed"


def map_title(sweep: Sweep) -> str:
    """The name of a map until a person gives it one."""
    from gui.app.desks.readout_words import number_name

    axes = [label_of(sweep.scenario, axis.field) for axis in sweep.axes]
    names = " and ".join([*axes, *(["method"] if sweep.methods else [])])
    return f"{number_name(sweep.show[0], sweep.scenario)} over {names}"


class _Watch:
    """Follows the computation of a map, in the worker's thread. The border is looked for in a thread beside it.

    Args:
        begun: the map.
        cancel: asks whether to stop.
        progress: shows the fraction done, with a picture.
        save: keeps what is there.
    """

    def __init__(self, begun: _Begun, cancel: Cancel, progress: Progress, save: Callable[[], object]) -> None:
        self.begun, self.cancel, self.progress, self.save = begun, cancel, progress, save
        self.started = self.shown = self.saved = monotonic()
        self._border = threading.Thread(target=self._find_border, daemon=True)
        self._looked = begun.border is not None

    def report(self, share: float) -> None:
        """Show the fraction done: often at first, then as often as pictures that are drawn anyway cost little."""
        now = monotonic()
        if now - self.shown >= min(max(0.1 * (now - self.started), PICTURES[0]), PICTURES[1]):
            self.shown = now
            self.progress(share)

    def look(self) -> None:
        """Another part is there. The first picture comes before the border."""
        if self.shown > self.started:
            self._look_for_border()
        if monotonic() - self.saved > SAVES:
            self.save()
            self.saved = monotonic()

    def end(self) -> None:
        """All runs are there, or no more are wanted."""
        self._look_for_border()
        if self._border.ident is not None:
            self._border.join()

    def _look_for_border(self) -> None:
        if not self._looked and not self.cancel():
            self._looked = True
            self._border.start()

    def _find_border(self) -> None:
        from robots.sweeps.borders import stability_border

        self.begun.border = stability_border(self.begun.sweep, self.cancel)


def _known(sweep: Sweep, cancel: Cancel) -> tuple[str, ...]:
    """The readouts that a run of the scenario has; the first one was chosen, and is kept to be refused by name.

    Of a large map only the first few are kept.
    """
    from robots.simulation.simulate import simulate

    run, found = simulate(sweep.scenario, cancel=cancel, repeat=False), list(sweep.show[:1])
    most = max(1, MOST_BYTES // (8 * sweep.size))
    for one in sweep.shown[1:most]:
        with suppress(BadInput):
            one.of(run)
            found.append(one.name)
    return tuple(found)
