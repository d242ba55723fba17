"""The border of stability over a sweep, from the linearised equations and the method's stability region alone.

Linearised are the equations along the motion, of which the worst point counts, or at its start alone where that would
take too long; and a sampled control at the rest that it aims at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
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
from robots.simulation.stability import GROWS, longest_step
from robots.sweeps.sweep import Sweep
from solvers.problem import OdeProblem

STEP, PERIOD = "step", "task.sampling_period"
ALONG, START, REST = "along", "start", "rest"
"""Where equations are linearised."""
SECONDS = 2.0
"""About how much time of a processor it takes to look for a border [s]."""
FINE, COARSE, LEAST = 97, 41, 5
"""How many values of a field are examined."""
ENOUGH = 15
"""Equations are linearised along the motion where the time is enough for so many values of each field."""
CALM, TRIES, MOST_STEPS = 8.0, 4, 10_000
"""The steps of a run that shows the motion are the longest stable one divided by this; so often that is looked for, and
so many steps it has at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """Where runs become unstable, as a line through values of the fields, (n,) each; nan between its parts.

    Attributes:
        x, y: values of the first field and the second one, SI; of a sweep over one field `y` is empty.
        where: the equations are linearised: `ALONG` the motion, at its `START`, at `REST`.
    """

    x: Array
    y: Array
    where: str = START

    def to_data(self) -> Data:
        """The line as JSON values; `from_data` reads it."""
        return {"x": finite_json(self.x), "y": finite_json(self.y), "where": self.where}

    @classmethod
    def from_data(cls, data: Values) -> Border:
        """The line that `to_data` described.

        Raises:
            KeyError, TypeError, ValueError: for anything else.
        """
        return cls(array_of(data["x"]), array_of(data["y"]), str(data.get("where", START)))


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
    if paced is None and len(axes) < 2:
        return None
    where, count = _affordable(sweep, *((COARSE, 2) if paced is None else (FINE, 1)))
    if paced is None:
        return _level(sweep, where, count, cancel)
    if len(axes) == 1:
        limit = _limit(sweep.scenario_at(0), {}, where)
        return Border(np.array([limit]), np.zeros(0), where) if axes[0].low <= limit <= axes[0].high else None
    other = axes[1 - paced]
    place = (other.low, other.high) if not other.log else (math.log(other.low), math.log(other.high))
    values = np.linspace(*place, count)
    values = np.exp(values) if other.log else values
    limits = np.array([_limit(sweep.scenario, other.changes(float(one)), where) for one in values if not cancel()])
    if len(limits) < len(values):
        return None
    limits[(limits < axes[paced].low) | (limits > axes[paced].high)] = math.nan
    if np.isnan(limits).all():
        return None
    return Border(limits, values, where) if paced == 0 else Border(values, limits, where)


def stable_limit(scenario: Scenario, where: str = START) -> tuple[str, float] | None:
    """The field that decides how far apart steps or samples are, and its longest stable value [s]; None without one.

    Args:
        scenario: whose step or period does not matter.
        where: the equations are linearised; a loop always is at rest.
    """
    robot = robot_of(scenario)
    if _at_rest(scenario):
        field = PERIOD if robot.sampling(scenario) is not None else STEP
        spacing = float(scenario.get(field) or scenario.duration)
        short = scenario.with_value("duration", max(min(scenario.duration, spacing), scenario.step or 0.0))
        loop = sampled_loop(simulate(short, repeat=False))
        return None if loop is None else (field, loop.longest())
    problem, stability = robot.problem(scenario), method_of(scenario).stability
    if scenario.step is None or stability is None or not isinstance(problem, OdeProblem):
        return None
    modes = modes_of(slope_matrix(problem, problem.t0, problem.initial))
    limit = float(longest_step(stability, modes[np.newaxis])[0])
    return STEP, limit if where == START or stability.a_stable else _least_along(scenario, limit)


def _at_rest(scenario: Scenario) -> bool:
    """Whether its loop decides: it samples, or holds what it feeds back."""
    robot = robot_of(scenario)
    return robot.sampling(scenario) is not None or robot.held_gain(scenario) is not None


def _least_along(scenario: Scenario, limit: float) -> float:
    """The longest stable step at the worst point of the motion [s], that at the start being `limit`; nan if unknown.

    The motion is that of a run with steps far below it.
    """
    step = (limit if math.isfinite(limit) else scenario.step or math.nan) / CALM
    for _ in range(TRIES):
        if not scenario.duration <= MOST_STEPS * step:
            break
        short = scenario.with_value("step", min(step, scenario.duration))
        found = simulate(short, repeat=False).stability
        if found is None or step <= 2.0 * found.least / CALM or found.least == 0.0:
            return math.nan if found is None else found.least
        step = found.least / CALM
    return 0.0 if limit == 0.0 else math.nan


def _possible(sweep: Sweep) -> bool:
    """Whether the first run can be posed, and has no changes on the way."""
    try:
        return not sweep.scenario_at(0).segments
    except ArmstepError:
        return False


def _limit(base: Scenario, changes: Mapping[str, Value], where: str) -> float:
    try:
        found = stable_limit(base.with_values(changes), where)
    except ArmstepError:
        return math.nan
    return math.nan if found is None else found[1]


def _affordable(sweep: Sweep, most: int, power: int) -> tuple[str, int]:
    """Where to linearise, and how many values of each field to examine."""
    first, *others = _places(sweep.scenario_at(0))
    if others and math.isnan(_limit(sweep.scenario_at(0), {}, first)):  # the first time it may load kernels, too
        return others[0], _count(sweep, others[0], most, power)
    count = _count(sweep, first, most, power)
    return (first, count) if count >= ENOUGH or not others else (others[0], _count(sweep, others[0], most, power))


def _count(sweep: Sweep, where: str, most: int, power: int) -> int:
    """How many values of each field can be examined in time."""
    started = thread_time()
    _limit(sweep.scenario_at(0), {}, where)
    each = thread_time() - started
    return max(LEAST, min(most, int((SECONDS / max(each, 1e-6)) ** (1.0 / power))))


def _places(scenario: Scenario) -> tuple[str, ...]:
    """Where its equations may be linearised, the best place first.

    A method that neither damps nor lengthens an undamped mode is stable on the imaginary axis alone. Where an arm
    moves, modes leave it by chance, as rates turn them a little; that says nothing of the run.
    """
    if _at_rest(scenario):
        return (REST,)
    stability = method_of(scenario).stability
    if stability is not None and 0.0 < (limit := stability.imaginary_limit) < math.inf:
        neutral = float(stability.modulus(np.array([0.5j * limit]))[0]) > 1.0 - GROWS
        return (START,) if neutral else (ALONG, START)
    return (ALONG, START)


def _level(sweep: Sweep, where: str, n: int, cancel: Cancel) -> Border | None:
    """The border over two fields that leave step and period alone: where the longest stable one is the scenario's."""
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
            margin[i, j] = _margin(sweep.scenario, changes, where)
    lines = level_lines(margin, 0.0)
    if not lines.size:
        return None
    gaps = np.full((len(lines), 1, 2), math.nan)
    columns = np.concatenate([lines, gaps], axis=1).reshape(-1, 2).T
    at = [np.interp(column, np.arange(n), place) for column, place in zip(columns, places, strict=True)]
    first, second = (np.exp(one) if axis.log else one for axis, one in zip(sweep.axes, at, strict=True))
    return Border(first, second, where)


def _margin(base: Scenario, changes: Mapping[str, Value], where: str) -> float:
    """The logarithm of the longest stable step or period over the scenario's own."""
    try:
        scenario = base.with_values(changes)
        found = stable_limit(scenario, where)
    except ArmstepError:
        return math.nan
    if found is None or math.isnan(found[1]):
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
