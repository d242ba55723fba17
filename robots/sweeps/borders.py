"""The border of stability over a sweep, from the linearised equations and the method's stability region alone.

Linearised are the equations at the start of each run, and a sampled control at the rest that it aims at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from time import thread_time

import numpy as np

from assets.errors import ArmstepError
from assets.fields import Data, Value, Values
from assets.json_values import array_of, finite_json
from robots.model.registry import robot_of
from robots.model.robot import Array
from robots.scenario.method_selection import method_of
from robots.scenario.scenario import Scenario
from robots.simulation.linearisation import modes_of, slope_matrix
from robots.simulation.sampled_loop import sampled_loop
from robots.simulation.simulate import Cancel, simulate
from robots.simulation.stability import longest_step
from robots.sweeps.sweep import Sweep
from solvers.problem import OdeProblem

STEP, PERIOD = "step", "task.sampling_period"
SECONDS = 0.5
"""About how much time of a processor it takes to look for a border [s]."""
FINE, COARSE, LEAST = 97, 41, 5
"""How many values of a field are examined."""


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """Where runs become unstable, as a line through values of the fields, (n,) each; nan between its parts.

    Attributes:
        x, y: values of the first field and the second one, SI; of a sweep over one field `y` is empty.
    """

    x: Array
    y: Array

    def to_data(self) -> Data:
        """The line as JSON values; `from_data` reads it."""
        return {"x": finite_json(self.x), "y": finite_json(self.y)}

    @classmethod
    def from_data(cls, data: Values) -> Border:
        """The line that `to_data` described.

        Raises:
            KeyError, TypeError, ValueError: for anything else.
        """
        return cls(*(array_of(data[name]) for name in "xy"))


def stability_border(sweep: Sweep, cancel: Cancel = lambda: False) -> Border | None:
    """The border of a sweep with one method; None where theory has none, or none within the ranges, or if cancelled."""
    if len(sweep.bases) != 1:
        return None
    axes = sweep.axes
    names = [axis.field for axis in axes]
    found = stable_limit(sweep.scenario_at(0)) if _possible(sweep) else None
    if found is None:
        return None
    paced = names.index(found[0]) if found[0] in names else None
    if paced is None:
        return _level(sweep, cancel) if len(axes) == 2 else None
    if len(axes) == 1:
        inside = axes[0].low <= found[1] <= axes[0].high
        return Border(np.array([found[1]]), np.zeros(0)) if inside else None
    other = axes[1 - paced]
    place = (other.low, other.high) if not other.log else (math.log(other.low), math.log(other.high))
    values = np.linspace(*place, _affordable(lambda: stable_limit(sweep.scenario_at(0)), FINE, 1))
    values = np.exp(values) if other.log else values
    limits = np.array([_limit(sweep.scenario, other.changes(float(one))) for one in values if not cancel()])
    if len(limits) < len(values):
        return None
    limits[(limits < axes[paced].low) | (limits > axes[paced].high)] = math.nan
    if np.isnan(limits).all():
        return None
    return Border(limits, values) if paced == 0 else Border(values, limits)


def stable_limit(scenario: Scenario) -> tuple[str, float] | None:
    """The field that decides how far apart steps or samples are, and its longest stable value [s]; None without one."""
    robot = robot_of(scenario)
    if robot.sampling(scenario) is not None or robot.held_gain(scenario) is not None:
        field = PERIOD if robot.sampling(scenario) is not None else STEP
        spacing = float(scenario.get(field) or scenario.duration)
        short = scenario.with_value("duration", max(min(scenario.duration, spacing), scenario.step or 0.0))
        loop = sampled_loop(simulate(short, repeat=False))
        return None if loop is None else (field, loop.longest())
    problem, stability = robot.problem(scenario), method_of(scenario).stability
    if scenario.step is None or stability is None or not isinstance(problem, OdeProblem):
        return None
    modes = modes_of(slope_matrix(problem, problem.t0, problem.initial))
    return STEP, float(longest_step(stability, modes[np.newaxis])[0])


def _possible(sweep: Sweep) -> bool:
    """Whether the first run can be posed, and has no changes on the way."""
    try:
        return not sweep.scenario_at(0).segments
    except ArmstepError:
        return False


def _limit(base: Scenario, changes: Mapping[str, Value]) -> float:
    try:
        found = stable_limit(base.with_values(changes))
    except ArmstepError:
        return math.nan
    return math.nan if found is None else found[1]


def _affordable(work: Callable[[], object], most: int, power: int) -> int:
    """How many values of each field can be examined in time."""
    started = thread_time()
    work()
    each = thread_time() - started
    return max(LEAST, min(most, int((SECONDS / max(each, 1e-6)) ** (1.0 / power))))


def _level(sweep: Sweep, cancel: Cancel) -> Border | None:
    """The border over two fields that leave step and period alone: where the longest stable one is the scenario's."""
    n = _affordable(lambda: stable_limit(sweep.scenario_at(0)), COARSE, 2)
    places = []
    for axis in sweep.axes:
        ends = (math.log(axis.low), math.log(axis.high)) if axis.log else (axis.low, axis.high)
        places.append(np.linspace(*ends, n))
    x, y = (np.exp(place) if axis.log else place for axis, place in zip(sweep.axes, places, strict=True))
    margin = np.empty((n, n))
    for i, first in enumerate(x.tolist()):
        for j, second in enumerate(y.tolist()):
            if cancel():
                return None
            changes = sweep.axes[0].changes(first) | sweep.axes[1].changes(second)
            margin[i, j] = _margin(sweep.scenario, changes)
    lines = level_lines(margin, 0.0)
    if not lines.size:
        return None
    gaps = np.full((len(lines), 1, 2), math.nan)
    columns = np.concatenate([lines, gaps], axis=1).reshape(-1, 2).T
    at = [np.interp(column, np.arange(n), place) for column, place in zip(columns, places, strict=True)]
    return Border(*(np.exp(one) if axis.log else one for axis, one in zip(sweep.axes, at, strict=True)))


def _margin(base: Scenario, changes: Mapping[str, Value]) -> float:
    """The logarithm of the longest stable step or period over the scenario's own."""
    try:
        scenario = base.with_values(changes)
        found = stable_limit(scenario)
    except ArmstepError:
        return math.nan
    if found is None:
        return math.nan
    # A limit of 0, or none, is far away, but on which side is known.
    own = float(scenario.get(found[0]) or math.nan)
    return float(np.clip(math.log(max(found[1], 1e-12) / own) if math.isfinite(found[1]) else 9.0, -9.0, 9.0))


def level_lines(values: Array, level: float) -> Array:
    """Where a grid of numbers (n, m) passes a level: pieces between two places in rows and columns, (k, 2, 2).

    Each triangle of a cell has at most one piece (marching triangles); cells with nan have none.
    """
    around = values[:-1, :-1], values[1:, :-1], values[1:, 1:], values[:-1, 1:]
    rows, columns = np.nonzero((reduce(np.fmin, around) < level) & (reduce(np.fmax, around) >= level))
    corners = {
        name: (np.stack([rows + i, columns + j], axis=1).astype(float), values[rows + i, columns + j] - level)
        for name, (i, j) in {"a": (0, 0), "b": (1, 0), "c": (1, 1), "d": (0, 1)}.items()
    }
    pieces = []
    for triangle in ("abc", "acd"):
        crossings = []
        for one, other in (triangle[:2], triangle[1:], triangle[::2]):
            (place, size), (next_place, next_size) = corners[one], corners[other]
            with np.errstate(invalid="ignore", divide="ignore"):
                passes = (size < 0.0) != (next_size < 0.0)
                share = np.where(passes & np.isfinite(size + next_size), size / (size - next_size), math.nan)
            crossings.append(place + share[:, np.newaxis] * (next_place - place))
        points = np.stack(crossings, axis=1)
        known = np.isfinite(points[..., 0])
        whole = known.sum(axis=1) == 2
        pieces.append(points[whole][known[whole]].reshape(-1, 2, 2))
    return np.concatenate(pieces)


def joined(pieces: Array) -> Array:
    """Pieces (k, 2, 2) joined at their common ends: the points of lines (n, 2), with nan between two lines.

    A closed line ends where it begins.
    """
    ends = np.unique(np.rint(1e6 * pieces).reshape(-1, 2), axis=0, return_inverse=True)[1].reshape(-1, 2).tolist()
    meeting: dict[int, list[int]] = {}
    for number, both in enumerate(ends):
        for end in both:
            meeting.setdefault(end, []).append(number)
    left, lines = set(range(len(ends))), [np.empty((0, 2))]
    # Open lines are followed from an end of theirs, the closed ones that remain from anywhere.
    for here in [*(end for end, those in meeting.items() if len(those) == 1), *(first for first, _ in ends)]:
        line, following = list[Array](), here
        while (number := next((one for one in meeting[following] if one in left), None)) is not None:
            left.remove(number)
            far = 0 if ends[number][1] == following else 1
            line += [] if line else [pieces[number, 1 - far]]
            line.append(pieces[number, far])
            following = ends[number][far]
        if line:
            lines.append(np.array([*line, (math.nan, math.nan)]))
    return np.concatenate(lines)
