"""Work-precision diagram: a scenario with many methods and steps or tolerances, the cost and the error of each.

Counts are exact and the same every time. Times are fair: the least of repeated runs, in a separate process, one run
after another, with kernels already loaded.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np

from assets.errors import BadInput
from assets.fields import Data, Values
from assets.json_values import finite_json
from robots.export.citation import provenance
from robots.export.rows import PlainTable
from robots.export.table import npz_bytes
from robots.scenario.method_selection import label_of, method_of
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import Cancel, Progress
from robots.sweeps.observed import sure_order
from robots.sweeps.processes import Processes, finished
from robots.sweeps.work_precision_process import measure
from solvers.method_registry import find_method

COSTS = ("rhs_evaluations", "seconds")
MOSTLY = 2.0
"""Of an error of less than so many times rounding, half or more may be rounding."""
TOLERANCE = "tolerance"
ONCE_AT_MOST = 5.0
"""How long a run that is integrated once may take [s]."""

_MEASURED = ("status", "message", "counts", "seconds", "repeats", "max_error", "final_error", "trusted_until", "spread")


@dataclass(frozen=True, slots=True)
class Point:
    """One run of a work-precision diagram.

    Attributes:
        scenario: what was run; opening it shows this very run.
        method, family: key and heading of its method.
        step: the fixed step [s]; None with step control.
        tolerance: rtol, and atol with it; None with a fixed step.
        status, message: how it ended; `timed-out` if it took too long.
        counts: steps, rejected, rhs_evaluations and the other counts of a run.
        seconds: least computing time of the integration; None when it did not finish.
        repeats: how many runs it is the least of.
        spread: the quartiles of the times, with their median between [s].
        level: what rounding and the reference's own error come to in an error, by name.
        max_error, final_error: errors by name with unit.
        trusted_until: from here on errors against the reference mean nothing [s]; None without a reference.
        order: the observed order, from the error at the method's next longer step; None where rounding shifts it.
        pareto: whether no other run is both cheaper and more accurate; never where rounding decides.
        best_of_family: whether no other run of its family is.
    """

    scenario: Scenario
    method: str
    family: str
    step: float | None
    tolerance: float | None
    status: str
    message: str
    counts: Mapping[str, float]
    seconds: float | None
    repeats: int
    max_error: Mapping[str, float]
    final_error: Mapping[str, float]
    trusted_until: float | None = None
    spread: tuple[float, float, float] | None = None
    level: Mapping[str, float] = field(default_factory=dict)
    order: float | None = None
    pareto: bool = False
    best_of_family: bool = False

    @property
    def label(self) -> str:
        """The method's key, with the settings that are not the defaults: `taylor order=8`."""
        return label_of(self.scenario)

    @property
    def finished(self) -> bool:
        """Whether it reached the end."""
        return self.status == "finished"

    def cost(self, kind: str) -> float | None:
        """Its cost, `kind` being one of `COSTS` or another count; None when it did not finish.

        For `TOLERANCE` what was asked for takes the place of a cost; None with a fixed step.
        """
        if not self.finished:
            return None
        if kind == TOLERANCE:
            return self.tolerance
        return self.seconds if kind == "seconds" else float(self.counts[kind])

    def error(self, name: str) -> float | None:
        """The largest error called `name`; None if it did not finish or the number means nothing."""
        value = self.max_error.get(name) if self.finished else None
        return value if value is not None and math.isfinite(value) else None

    def rounded(self, name: str) -> bool:
        """Whether its error called `name` is chance: half of it or more may be rounding, and not the method's."""
        return (error := self.error(name)) is not None and error < MOSTLY * self.level.get(name, 0.0)

    def order_after(self, before: Point, name: str) -> float | None:
        """The power of its step, or tolerance, with which its error fell from that of a coarser one.

        None where rounding may shift it.
        """
        now, then = self.error(name), before.error(name)
        if not (now and then and (self.step is None) is (before.step is None)):
            return None
        levels = (one.level.get(name, 0.0) for one in (before, self))
        return sure_order(then, now, before.setting() / self.setting(), *levels)

    def known_error(self, name: str) -> float | None:
        """The error called `name` as far as it is known: where rounding decides, it may be as large as that."""
        return self.error_for(name, 0.0)

    def error_for(self, name: str, target: float) -> float | None:
        """The error called `name`; for a target below what rounding can make of it, as large as that."""
        error, level = self.error(name), self.level.get(name, 0.0)
        return None if error is None else max(error, level) if target < level else error

    def setting(self) -> float:
        """Its step, or its tolerance."""
        return self.step or self.tolerance or math.nan

    def with_setting(self, value: float) -> Scenario:
        """Its scenario with another step, or another tolerance.

        Raises:
            BadInput: for a value that is refused.
        """
        return self.scenario.with_values({"step": value} if self.step else {"rtol": value, "atol": value})


@dataclass(frozen=True, slots=True)
class WorkPrecision:
    """The measured points, method by method as they were asked for, from coarse to fine.

    Attributes:
        points: all runs.
        error: name of the error that marks and orders are judged by.
        cost: the cost that they are judged by, one of `COSTS`.
        awaited: the labels of methods with points still to come.
    """

    points: tuple[Point, ...]
    error: str
    cost: str
    awaited: frozenset[str] = frozenset()

    def by_method(self) -> dict[str, list[Point]]:
        """The points of each method that has all of them, by its label."""
        found: dict[str, list[Point]] = {}
        for point in self.points:
            if point.label not in self.awaited:
                found.setdefault(point.label, []).append(point)
        return found

    def rows(self) -> list[Data]:
        """One plain row per point, all with the same columns; a number that does not exist is None."""
        errors = error_keys(self.points)
        return [_row(point, errors) for point in self.points]

    def to_csv(self) -> str:
        """The rows as comma-separated text with a header."""
        return PlainTable(tuple(self.rows())).to_csv()

    def to_npz(self) -> bytes:
        """The columns as NumPy arrays in one file, nan for a number that does not exist; the scenario, what to cite."""
        scenario, measured = self.points[0].scenario.alone().to_json(), json.dumps(data_of(self.points))
        texts = {**self._provenance(), "scenario": scenario, "measured": measured}
        return npz_bytes({**PlainTable(tuple(self.rows())).columns(), **{key: np.array(t) for key, t in texts.items()}})

    def description(self) -> str:
        """What the table shows, as JSON with the scenario: for a file beside one that holds numbers only."""
        return json.dumps({**self._provenance(), **data_of(self.points)}, indent=1)

    def _provenance(self) -> dict[str, str]:
        return provenance([point.scenario for point in self.points])

    def to_json(self) -> str:
        """Rows and what they are judged by, as a JSON object."""
        return json.dumps({"error": self.error, "cost": self.cost, "points": self.rows()}, allow_nan=False, indent=1)


def cases(
    scenario: Scenario, methods: Iterable[str], steps: Sequence[float] = (), tolerances: Sequence[float] = ()
) -> list[Scenario]:
    """The scenarios to run: every method with every step and tolerance that it can have, from coarse to fine.

    A tolerance is rtol and atol alike. Without steps and tolerances every method runs as the scenario says.

    Raises:
        BadInput: for a value that is refused, or a method that can have none of them.
    """
    found: list[Scenario] = []
    for key in dict.fromkeys(find_method(key).key for key in methods):
        base = scenario.with_value("method", key)
        method = method_of(base)
        if not steps and not tolerances:
            found.append(base)
            continue
        mine = [base.with_value("step", h) for h in sorted(steps, reverse=True)] if method.fixed_step else []
        if method.adaptive:
            mine += [base.with_values({"rtol": r, "atol": r}) for r in sorted(tolerances, reverse=True)]
        if not mine:
            must = "with tolerances: it has no fixed step" if steps else "with steps: it has no step control"
            raise BadInput("method", key, f"compared {must}")
        found += mine
    return found


def work_precision(
    scenarios: Sequence[Scenario],
    *,
    error: str | None = None,
    cost: str = "rhs_evaluations",
    timeout: float = 30.0,
    budget: float = 0.3,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    on_point: Callable[[Point], None] | None = None,
) -> WorkPrecision:
    """Run every scenario and measure it.

    Args:
        scenarios: as `cases` makes them; they should differ only in how they are integrated.
        error: the error that decides the marks; None is the first one, preferably against the reference.
        cost: the cost that decides the marks.
        timeout: seconds after which a run is stopped.
        budget: about how many seconds the repetitions of one run may take together beyond the first few; with 0 there
            are none [s].
        cancel: asked all the time; when it returns True, the result is what was measured so far.
        progress: called with the fraction done, 0 to 1.
        on_point: called with each point as soon as it is measured, without its marks.

    Raises:
        ArmstepError: when the measuring process was killed.
    """
    if cost not in COSTS:
        raise BadInput("cost", cost, choices=COSTS)
    points: list[Point] = []
    with Processes() as processes:
        for k, scenario in enumerate(scenarios):
            future = processes.submit(measure, scenario.to_json(), timeout, budget)
            while not finished(future):
                if cancel and cancel():
                    return judged(points, error, cost)
            points.append(_point(scenario, future.result()))
            if on_point:
                on_point(points[-1])
            if progress:
                progress((k + 1) / len(scenarios))
    return judged(points, error, cost)


def data_of(points: Sequence[Point]) -> Data:
    """The points as JSON values, for a file; `points_of` reads them. The scenario is written once."""
    return {
        "scenario": json.loads(points[0].scenario.alone().to_json()),
        "points": [
            finite_json(
                {
                    **{name: getattr(point, name) for name in ("method", *_MEASURED, "level")},
                    "options": dict(point.scenario.options),
                    **{name: getattr(point.scenario, name) for name in ("step", "rtol", "atol")},
                }
            )
            for point in points
        ],
    }


def points_of(data: Values) -> list[Point]:
    """The points that `data_of` wrote.

    Raises:
        BadInput, KeyError, TypeError, ValueError: for anything else.
    """
    base, found = Scenario.from_json(json.dumps(data["scenario"])), []
    for entry in data["points"]:
        changes = {"method": entry["method"], **{f"options.{key}": value for key, value in entry["options"].items()}}
        mode = ("step",) if entry["step"] is not None else ("rtol", "atol")
        level = entry.get("level") or {}
        measured = {name: entry[name] for name in _MEASURED} | {
            "level": {key: value for key, value in level.items() if value is not None and math.isfinite(value)}
        }
        for name in ("counts", "max_error", "final_error"):
            measured[name] = {key: math.nan if value is None else value for key, value in measured[name].items()}
        found.append(_point(base.with_values(changes | {path: entry[path] for path in mode}), measured))
    return found


def error_keys(points: Sequence[Point]) -> list[str]:
    """The errors that are known of any of the points, in the order in which they come."""
    return list(dict.fromkeys(name for point in points for name in point.max_error))


def judged(
    points: Sequence[Point],
    error: str | None = None,
    cost: str = "rhs_evaluations",
    awaited: Sequence[Scenario] = (),
) -> WorkPrecision:
    """The points with their marks and observed orders; a mark that a run still `awaited` may take away is not given."""
    names = error_keys(points)
    if error is None:
        error = next((name for name in names if name.startswith("reference_")), names[0] if names else "")
    elif names and error not in names:
        raise BadInput("error", error, choices=names)
    marked, unfinished = [], {find_method(scenario.method).family for scenario in awaited}
    for point in points:
        family = [other for other in points if other.family == point.family]
        marked.append(
            replace(
                point,
                pareto=not awaited and _undominated(point, points, error, cost),
                best_of_family=point.family not in unfinished and _undominated(point, family, error, cost),
                order=_observed_order(point, points, error),
            )
        )
    return WorkPrecision(tuple(marked), error, cost, frozenset(map(label_of, awaited)))


def measured_once(scenario: Scenario) -> Point:
    """The point of a scenario, whose run is integrated once, in this process: its time is no fair one."""
    return _point(scenario, measure(scenario.to_json(), ONCE_AT_MOST, 0.0))


def _undominated(point: Point, others: Sequence[Point], error: str, cost: str) -> bool:
    """Whether none of `others` is better in one respect and no worse in the other."""
    mine = point.known_error(error), point.cost(cost)
    if mine[0] is None or mine[1] is None or point.rounded(error):
        return False
    for other in others:
        wrong, price = other.known_error(error), other.cost(cost)
        if wrong is None or price is None or other is point:
            continue
        if wrong <= mine[0] and price <= mine[1] and (wrong < mine[0] or price < mine[1]):
            return False
    return True


def _observed_order(point: Point, points: Sequence[Point], error: str) -> float | None:
    if point.step is None:
        return None
    longer = [one for one in points if one.label == point.label and one.step is not None and one.step > point.step]
    if not longer:
        return None
    before = min(longer, key=lambda one: one.step or 0.0)
    return point.order_after(before, error)


def _point(scenario: Scenario, measured: Values) -> Point:
    method = find_method(scenario.method)
    return Point(
        scenario=scenario,
        method=method.key,
        family=method.family,
        step=scenario.step,
        tolerance=scenario.rtol,
        **{item.name: measured[item.name] for item in fields(Point) if item.name in measured},
    )


def _row(point: Point, errors: Sequence[str]) -> Data:
    row: Data = {
        "method": point.method,
        "label": point.label,
        "name": method_of(point.scenario).name,
        "family": point.family,
        "step": point.step,
        "rtol": point.scenario.rtol,
        "atol": point.scenario.atol,
        "status": point.status,
        **{name: number if math.isfinite(number) else None for name, number in point.counts.items()},
        "seconds": point.seconds,
        "repeats": point.repeats,
    }
    for kind, values in (("max", point.max_error), ("final", point.final_error), ("level", point.level)):
        for name in errors:
            value = values.get(name)
            row[f"{kind}_{name}"] = value if value is not None and math.isfinite(value) else None
    return {
        **row,
        "trusted_until": point.trusted_until,
        "order": point.order,
        "pareto": point.pareto,
        "best_of_family": point.best_of_family,
    }
