"""The input of plots: the visible runs, and their quantities at enough times for smooth curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from gui.app.run_texts import TRACKING
from gui.app.table.distinctions import names
from gui.app.units import Unit, subscripted
from gui.charts.colours import DASHES, MEMBERS
from robots.model.chart import Array, Band, Curve

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.model.robot import Series
    from robots.simulation.run import Run

Made = TypeVar("Made")
FEW_STEPS = 600

DARKER, DARKEST = 0.55, 0.7
"""How much darker each of a run's curves is than the one before, and the last at most: all keep the run's colour."""

SHADES = 2
"""Shades of a run's colour are enough for so many of its curves; of more, each has a colour of its own."""

_kept: WeakKeyDictionary[Run, dict[str, object]] = WeakKeyDictionary()
_keeping = Lock()
"""New runs are prepared in another thread while the window draws others."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The runs that a plot shows.

    Attributes:
        current: the current run's row.
        rows: the visible rows, the current one first.
        degrees: whether angles are shown in degrees.
        awaited: the rows, by `id`, that show the run before while another one is computed.
        levels: values that are asked about, by the name of the output or the error [SI]: its axis reaches them.
    """

    current: RunRow
    rows: tuple[RunRow, ...]
    degrees: bool = True
    awaited: frozenset[int] = frozenset()
    levels: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rows: Sequence[RunRow], *, degrees: bool = True, levels: Mapping[str, Sequence[float]] | None = None
    ) -> Shown:
        """The visible rows among `rows`, the current one first, each with the names of the run that it has."""
        drawn = [row.drawn for row in rows]
        awaited = frozenset(row.id for row in rows if row.visible and row.superseded)
        return cls(drawn[0], tuple(row for row in drawn if row.visible), degrees, awaited, levels or {})

    @property
    def runs(self) -> Iterator[tuple[RunRow, Run]]:
        """The visible rows that have a run of their robot: another one's says nothing of it."""
        known = ((row, row.run) for row in self.rows if row.run is not None)
        return ((row, run) for row, run in known if run.scenario.robot == row.scenario.robot)

    @property
    def integrated(self) -> Iterator[tuple[RunRow, Run]]:
        """The same without recordings, whose steps and errors are nobody's."""
        return ((row, run) for row, run in self.runs if not row.recording)

    @property
    def by_dash(self) -> bool:
        """Whether their dashes alone tell the shown runs apart."""
        return len({row.dash for row in self.rows}) == len(self.rows)

    @property
    def first(self) -> RunRow:
        """Whose curves legends name: the current run, or while that is not drawn, the first one that is."""
        return next((row for row, _ in self.runs), self.current)

    def asked(self, keys: Iterable[str], per_si: float = 1.0) -> tuple[float, ...]:
        """The values of these outputs or errors that are asked about, in shown units."""
        return tuple(per_si * value for key in keys for value in self.levels.get(key, ()))

    def unit(self, si_unit: str) -> Unit:
        """How a quantity is shown here; angles in degrees or radians, as the person prefers."""
        return Unit.of(si_unit, self.degrees)

    def curve(self, row: RunRow, x: Array, y: Array, name: str = "") -> Curve:
        """A curve of the run `row` in its colour and dash; legends name those of the first one that is drawn."""
        wild = row.run is not None and failed(row.run)
        run, listed, late = self.name_of(row), row is self.first, row.id in self.awaited
        looks = name or run, run, row.colour, row.dash
        steps = None if row.run is None else row.run.t
        return Curve(x, y, *looks, listed=listed, wild=wild, faded=late, awaited=late, steps=steps)

    def name_of(self, row: RunRow) -> str:
        """What legends call a run: how it differs from the others that are shown."""
        known = {other.id: name for other, name in zip(self.rows, names(self.rows), strict=True)}
        return known.get(row.id, row.label)

    def family(
        self, row: RunRow, x: Array, columns: Mapping[str, Array], values: Callable[[float], Array | None] | None = None
    ) -> list[Curve]:
        """Curves of one run by name; `values` are those of all of them at a time, in their order.

        Alone, each has its own colour, and each round of colours another dash. Beside other runs a few are shades of
        the run's colour. More have the same colours in every run, darker in each round of them, and the run's dash:
        as long as each run has another dash.
        """
        alone, own = len(self.rows) == 1, self.by_dash and len(columns) > SHADES
        last, dashes = len(columns) - 1, list(DASHES)
        shade = min(DARKER, DARKEST / max(last // len(MEMBERS) if own else last, 1))
        made = []
        for index, (name, y) in enumerate(columns.items()):
            curve = self.curve(row, x, y, name)
            if values is not None:
                curve = replace(curve, exact=partial(_nth, values, index))
            turn, place = divmod(index, len(MEMBERS))
            if alone:
                dash = dashes[turn % len(dashes)] if turn else curve.dash
                curve = replace(curve, colour=MEMBERS[place], dash=dash)
            elif own:
                curve = replace(curve, tint=MEMBERS[place], shade=shade * turn)
            else:
                curve = replace(curve, shade=shade * index)
            made.append(curve)
        return made


def families_of(curves: Sequence[Curve]) -> list[list[Curve]]:
    """The curves by run, where several runs have the same ones in colours of their own; nothing elsewhere."""
    found = dict[tuple[str, str, str], list[Curve]]()
    for curve in curves:
        if curve.joined:
            found.setdefault((curve.run, curve.colour, curve.dash), []).append(curve)
    families = list(found.values())
    own = all(curve.tint and curve.name for family in families for curve in family)
    alike = len({tuple((curve.name, curve.tint, curve.shade) for curve in family) for family in families}) == 1
    return families if own and alike and len(families) > 1 else []


def remembered(run: Run, name: str, make: Callable[[], Made]) -> Made:
    """`make()`, computed once per run and name; it goes with the run, so it must not hold it."""
    with _keeping:
        known = _kept.setdefault(run, {})
    if name not in known:
        known[name] = make()
    return cast(Made, known[name])


def called(run: Run, column: str) -> str:
    """What legends call a column: `q₄`, with its joint's name where the file gives it one: `q₄ elbow`."""
    if column in run.robot.joints:
        return column
    joint = run.robot.joint_of(column) if column[:1] in ("q", "v", "u") else ""
    return f"{subscripted(column)} {joint}".rstrip()


def drawing_times(run: Run) -> Array | None:
    """The times at which to draw a smooth run with few points: its own and some between; None for only its own."""
    t = np.asarray(run.t)
    if t.size < 2 or t.size > FEW_STEPS or not follows_dense_output(run):
        return None
    return np.union1d(t, np.linspace(t[0], t[-1], 2 * FEW_STEPS))


def failed(run: Run) -> bool:
    """Whether the run stopped early or lost its path: axes and smooth curves ignore what it did then."""
    return broke_off(run) or remembered(run, "lost", lambda: _lost(run))


def broke_off(run: Run) -> bool:
    """Whether the run ended early because of a failure."""
    return str(run.status) not in ("finished", "cancelled")


def _lost(run: Run) -> bool:
    """Whether the tool was further from its path than a quarter of the arm's size."""
    return run.max_error.get(TRACKING, 0.0) > 0.25 * run.shape(0.0).radius


def follows_dense_output(run: Run) -> bool:
    """Whether curves of the run are those of its dense output, to the width of a line; else lines join its points."""
    return not failed(run) and smooth(run)


def smooth(run: Run) -> bool:
    """Whether the dense output has at least the method's order; otherwise lines join the points."""
    from robots.scenario.method_selection import method_of

    return all(phase.solution.dense_order >= method_of(phase.scenario).order for phase in run.phases)


def columns(run: Run) -> tuple[Array, dict[str, Array]]:
    """Times and the robot's named outputs (`q1..`, `v1..`, SI) along a run, (n,) each."""
    return remembered(run, "columns", lambda: _along(run, run.columns))


def series(run: Run) -> tuple[Array, dict[str, Series]]:
    """Times and the robot's further quantities along a run."""
    return remembered(run, "series", lambda: _along(run, run.series))


def tip(run: Run) -> tuple[Array, Array]:
    """Times and where the tip is along a run, (n,) and (n, 3) [m]; (0, 3) for an arm without a tip."""
    return remembered(run, "tip", lambda: _along(run, run.tip))


def at_a_time(run: Run, view: Callable[[Run, Array], Made]) -> Callable[[float], Made | None] | None:
    """`view` of the run at one time [s], None once the run is gone; the latest is kept for the next one who asks.

    There is none where straight lines join the run's points, since it would give values beside the curve.
    """
    return latest(run, view) if follows_dense_output(run) else None


def latest(run: Run, view: Callable[[Run, Array], Made]) -> Callable[[float], Made | None]:
    """`view` of the run at one time [s], None once the run is gone; the latest two are kept for the next who ask."""
    there, known = ref(run), dict[float, Made]()

    def look(t: float) -> Made | None:
        if t not in known:
            if (present := there()) is None:
                return None
            _keep(known, t, view(present, np.array([t])))
        return known[t]

    return look


def eigenvalues_at(run: Run, t: float) -> NDArray[np.complex128]:
    """The run's eigenvalues at a time [s], or at its nearest end, (d,) [1/s]: found once for all who show that time."""
    t = min(max(t, float(run.t[0])), run.t_end)
    known = remembered(run, "eigenvalues", dict[float, NDArray[np.complex128]])
    if (found := known.get(t)) is None:
        found = run.eigenvalues_at(t)
        _keep(known, t, found)
    return found


def modes_at(run: Run, t: float) -> NDArray[np.complex128]:
    """h lambda of the run's modes at a time [s], or at its nearest end, (d,); empty where it took no step."""
    return run.steps_times_modes(min(max(t, float(run.t[0])), run.t_end), eigenvalues_at(run, t))


def _keep(known: dict[float, Made], t: float, found: Made) -> None:
    """Keep what was found for a time, and for the one before: those of the playhead and of the second cursor."""
    for other in list(known)[:-1]:
        del known[other]
    known[t] = found


def _nth(values: Callable[[float], Array | None], index: int, t: float) -> tuple[float, float] | None:
    return None if (known := values(t)) is None else (t, float(known[index]))


def _along(run: Run, view: Callable[[Array | None], Made]) -> tuple[Array, Made]:
    times = drawing_times(run)
    return (run.t if times is None else times), view(times)


def untrusted(trusted: Sequence[float], ends: Sequence[float]) -> tuple[Band, ...]:
    """Where no run can be judged any more: up to the end of the last one, behind which there is nothing to judge.

    Args:
        trusted: until when the reference of each run can be trusted [s].
        ends: when each run ends [s].
    """
    first = max(map(min, trusted, ends), default=0.0)
    last = max(ends, default=0.0)
    return (Band(first, last),) if first < last else ()
