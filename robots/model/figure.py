"""A study's figure as data: curves over one axis, on one or more panels; who draws it chooses colours and fonts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from robots.model.finding import Finding
    from robots.scenario.scenario import Scenario
    from robots.simulation.run import Run

Array = NDArray[np.float64]

MOST_POINTS = 1200
"""A longer line is thinned to its lowest and highest values."""

_NUMBERS = re.compile(r"(\d+)[a-z]?(?:\s*(?:-|to)\s*(\d+))?")


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One curve, with a dot at every point if `marks`: `x` and `y` are (n,)."""

    label: str
    x: Array
    y: Array
    marks: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One quantity with its axis: logarithmic if `log`."""

    title: str
    unit: str
    lines: tuple[Line, ...]
    log: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Panels one below the other over the same horizontal axis.

    Attributes:
        name: where it is in the paper, as in the findings about it: `figure 9`.
        title: what it shows.
        across: what the horizontal axis counts, with its unit.
        log_across: whether that axis is logarithmic.
        equal: whether both axes have the same scale (a path seen from above).
        opens: what to show in the window, where it is not the study's scenario of that figure.
    """

    name: str
    title: str
    panels: tuple[Panel, ...]
    across: str = "time [s]"
    log_across: bool = False
    equal: bool = False
    opens: Scenario | None = None

    @property
    def stem(self) -> str:
        """The name of its files, without suffix."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def labels(self) -> tuple[str, ...]:
        """The lines' labels, each once, in order."""
        return tuple(dict.fromkeys(line.label for panel in self.panels for line in panel.lines))

    def notes(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings about this figure: those that name its number, or the same place."""
        mine = numbers(self.name)
        return tuple(one for one in findings if one.figure == self.name or mine & numbers(one.figure))

    def to_csv(self) -> str:
        """Comma-separated text: panel, line, x, y."""
        rows = [
            (panel.title, line.label, x, y)
            for panel in self.panels
            for line in panel.lines
            for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True)
        ]
        return csv_text([("panel", "line", "x", "y"), *rows])


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as comma-separated text; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def numbers(name: str) -> frozenset[int]:
    """The figures that `figure 9a`, `figures 4-6`, `figures 7 to 9` or `figures 15, 16` name; none for other places."""
    found: set[int] = set()
    if not name.startswith("figure"):
        return frozenset()
    for first, last in _NUMBERS.findall(name.split(":")[0]):
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def line(label: str, x: Iterable[float], y: Iterable[float], *, marks: bool = False) -> Line:
    """A line through the points, thinned where there are far more than a drawing shows."""
    xs, ys = (np.fromiter(values, float) for values in (x, y))
    if len(xs) > MOST_POINTS:
        edges = np.linspace(0, len(xs), MOST_POINTS // 2 + 1).astype(int)
        bins = [slice(*ends) for ends in pairwise(edges)]
        low, high = ([part.start + int(pick(ys[part])) for part in bins] for pick in (np.argmin, np.argmax))
        kept = sorted({0, len(xs) - 1, *low, *high})
        xs, ys = xs[kept], ys[kept]
    return Line(label, xs, ys, marks)


def error_panels(runs: Mapping[str, Run], errors: Mapping[str, str]) -> tuple[Panel, ...]:
    """A panel for each error of `errors` (key to title) with a line for each labelled run, without its start."""
    return tuple(
        Panel(
            title,
            key.rpartition("_")[2],
            tuple(line(label, run.t[1:], run.errors[key][1:]) for label, run in runs.items()),
        )
        for key, title in errors.items()
    )


def column_panel(run: Run, title: str, unit: str, columns: Mapping[str, str], factor: float = 1.0) -> Panel:
    """A panel of a run's outputs: `columns` is name to label."""
    values = run.columns()
    return Panel(
        title,
        unit,
        tuple(line(label, run.t, factor * values[name]) for name, label in columns.items()),
        log=False,
    )


def points(label: str, pairs: Sequence[tuple[float | None, float | None]]) -> Line:
    """A line with a dot at each pair that is known and positive, as doubly logarithmic paper can show them."""
    known = [(x, y) for x, y in pairs if x and y and x > 0.0 and y > 0.0]
    return line(label, (x for x, _ in known), (y for _, y in known), marks=True)
