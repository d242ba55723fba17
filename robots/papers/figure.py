"""A study's figure as data: charts below each other; the painter chooses colours and fonts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assets.polylines import decimate
from assets.writing import csv_text
from robots.model.chart import TIME, Axis, Chart, Curve
from robots.model.quantities import error_parts, spelled
from robots.papers.finding import Finding
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run

MOST_COLUMNS = 600
"""A longer curve is thinned to the lowest and the highest values of this many parts."""

_NUMBERS = re.compile(r"(\d+)[a-z]?(?:\s*to\s*(\d+))?")


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Charts one below the other over the same horizontal axis.

    Attributes:
        name: where it is in the paper, as in the findings about it: `figure 9`.
        title: what it shows.
        charts: what it consists of, as `panel` makes them.
        opens: what to show in the window, if it is not the study's scenario of that figure.
        which: which of its runs that shows, if the figure draws too many of them: `at 20 ms`.
    """

    name: str
    title: str
    charts: tuple[Chart, ...]
    opens: Scenario | None = None
    which: str = ""

    @property
    def stem(self) -> str:
        """The name of its files, without suffix."""
        return stem_of(self.name)

    @property
    def labels(self) -> tuple[str, ...]:
        """The curves' names, each once, in order."""
        return tuple(dict.fromkeys(curve.name for chart in self.charts for curve in chart.curves))

    def notes(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings about this figure: those that name its number, or the same place."""
        mine = numbers(self.name)
        return tuple(one for one in findings if one.figure == self.name or mine & numbers(one.figure))

    def to_csv(self) -> str:
        """Comma-separated text: panel, line, x, y."""
        rows = [
            (chart.title, curve.name, x, y)
            for chart in self.charts
            for curve in chart.curves
            for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True)
        ]
        return csv_text([("panel", "line", "x", "y"), *rows])


def stem_of(name: str) -> str:
    """A name as a file or a command has it, in any alphabet: `Figure 9, torque` is `figure-9-torque`."""
    return re.sub(r"[\W_]+", "-", name.lower()).strip("-")


def numbers(name: str) -> frozenset[int]:
    """The figures named by `figure 9a`, `figures 7 to 9` or `figures 15 and 16`; none for other places."""
    found: set[int] = set()
    if not name.startswith("figure"):
        return frozenset()
    for first, last in _NUMBERS.findall(name.split(":")[0]):
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def panel(
    title: str, unit: str, curves: Iterable[Curve], *, log: bool = True, across: Axis = TIME, equal: bool = False
) -> Chart:
    """One quantity over `across`, its axis logarithmic if `log`; `equal` scales for a path seen from above."""
    axis = Axis(title, unit, "log" if log else "linear", whole=True)
    return Chart(title, across, axis, tuple(curves), equal=equal)


def line(label: str, x: Iterable[float], y: Iterable[float], *, marks: bool = False) -> Curve:
    """A curve through the points, thinned if there are far more than a drawing shows, with dots if `marks`."""
    xs, ys = (np.fromiter(values, float) for values in (x, y))
    return Curve(*decimate(xs, ys, MOST_COLUMNS), name=label, mark="circle" if marks else "", filled=marks)


def error_panels(runs: Mapping[str, Run], errors: Mapping[str, str]) -> tuple[Chart, ...]:
    """A panel for each error of `errors` (key to title) with a curve for each labelled run, without its start."""
    return tuple(
        panel(
            title,
            spelled(error_parts(key)[1]),
            [line(label, run.t[1:], run.errors[key][1:]) for label, run in runs.items()],
        )
        for key, title in errors.items()
    )


def column_panel(run: Run, title: str, unit: str, columns: Mapping[str, str]) -> Chart:
    """A panel of a run's outputs: `columns` is name to label."""
    values = run.columns()
    curves = [line(label, run.t, values[name]) for name, label in columns.items()]
    return panel(title, unit, curves, log=False)


def points(label: str, pairs: Sequence[tuple[float | None, float | None]]) -> Curve:
    """A curve with a dot at each pair that is known and positive, for doubly logarithmic axes."""
    known = [(x, y) for x, y in pairs if x and y and x > 0.0 and y > 0.0]
    return line(label, (x for x, _ in known), (y for _, y in known), marks=True)
