"""A chart as a value: curves over two axes. The painter, of a window or a file, chooses fonts and pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, nan
from typing import overload

import numpy as np
from numpy.typing import NDArray

from robots.model.shapes import Array

CurveKey = tuple[str, str, str]
"""What a curve is known by while its points change and its run's name does: colour, dash, its name without the run."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis and its scale.

    Attributes:
        title, unit: in words.
        scale: `linear`, `log`, or `asinh` (linear below 1, logarithmic beyond, on both sides of zero).
        whole: every value is shown; otherwise the axis leaves out rare dips and the last values of a diverged run.
        early, dips: so many values of a tiny beginning may be left out, too, None for any; no dips of so many decades.
        decimals, digits: after the point in readings, 0 if it counts, or else significant ones; both None for settings.
        names: of lanes, at 0.5, -0.5, -1.5 and so on, instead of numbers.
    """

    title: str = ""
    unit: str = ""
    scale: str = "linear"
    whole: bool = False
    early: int | None = 0
    dips: float = 0.0
    decimals: int | None = None
    digits: int | None = 3
    names: tuple[str, ...] = ()

    @property
    def log(self) -> bool:
        """Whether the axis is logarithmic."""
        return self.scale == "log"

    @property
    def label(self) -> str:
        """`error [rad]`."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title

    def place(self, values: Array | float) -> Array:
        """The positions of values on the axis, of the same shape (their logarithm, say); nan if they have none."""
        values = np.asarray(values, float)
        if self.scale == "log":
            with np.errstate(divide="ignore", invalid="ignore"):
                places = np.asarray(np.log10(values))
            places[np.isneginf(places)] = nan
            return places
        return np.arcsinh(values) if self.scale == "asinh" else values

    @overload
    def value(self, place: float) -> float: ...
    @overload
    def value(self, place: Array) -> Array: ...
    def value(self, place: float | Array) -> float | Array:
        """The value, or values, at a position on the axis."""
        return 10.0**place if self.log else np.sinh(place) if self.scale == "asinh" else place


FIRST = 1000
"""Of a curve of millions of points, its first ones most often answer what is asked of all."""

TIME = Axis("time", "s")
PLAIN = Axis()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Curve:
    """One curve.

    Attributes:
        x, y: its points in shown units, (n,) each; points that an axis cannot show are left out.
        name, run: what a legend calls it, and the run's label.
        colour, dash: `#rrggbb` and a name of `gui.app.colours.DASHES`; empty where the painter chooses.
        tint: what it is drawn in, if that is not the run's colour, such as crosses of rejected steps.
        bar: its line ends where its points do: a bar as long as a number.
        shade, width: how much of the text's colour is mixed in, 0 .. 1; in usual line widths.
        joined: a line joins the points.
        mark: drawn at every point: `circle`, `square`, `triangle`, `diamond`, `wedge`, `star`, `cross`, `dot`; or
            nothing. `tick` is a line upwards; where ticks are dense, their height shows how dense. `stripe` fills the
            plane between each even point and the one after it, which stands above it; see `stripe`.
        filled, listed: the marks are solid; legends name it.
        wild: it belongs to a run that failed, whose last values must not squash the others.
        faded: it cannot be trusted.
        awaited: it is of the run before, and another one is computed in its place: legends give no values.
        t: the times of its points, ascending, (n,) [s], if `x` is not time.
        steps: when its run's steps begin and end, ascending, (m,) [s]; None where no steps made it.
        alarm: at which points it is where it should not be, (n,); None for nowhere.
        remark, tag: what legends say beside its value at the playhead; which of several it is, such as `λ₁`.
        exact: its point (x, y) at a time, as the run knows it; None, also as an answer, for lines between the points.
        live: where it is at a time, whatever its points are, and if that is wrong; takes a moment. None for nowhere.
    """

    x: Array
    y: Array
    name: str = ""
    run: str = ""
    colour: str = ""
    dash: str = "solid"
    tint: str = ""
    bar: bool = False
    shade: float = 0.0
    width: float = 1.0
    joined: bool = True
    mark: str = ""
    filled: bool = False
    listed: bool = True
    wild: bool = False
    faded: bool = False
    awaited: bool = False
    t: Array | None = None
    steps: Array | None = None
    alarm: NDArray[np.bool_] | None = None
    remark: str = ""
    tag: str = ""
    exact: Callable[[float], tuple[float, float] | None] | None = field(default=None, compare=False, repr=False)
    live: Callable[[float], tuple[float, float, bool] | None] | None = field(default=None, compare=False, repr=False)

    @property
    def key(self) -> CurveKey:
        """What it is known by from one chart to the next."""
        return self.colour, self.dash, self.name.removeprefix(self.run)

    def belongs(self, key: CurveKey) -> bool:
        """Whether it is the curve called `key`, or a part of that, whose name goes on with a comma."""
        return self.key[:2] == key[:2] and f"{self.key[2]}, ".startswith(f"{key[2]}, ")

    def at(self, x: float, up: Axis = PLAIN) -> float:
        """The value at `x` (x ascending): live, exact, or on the line that `up` draws; nan outside, or without one."""
        if self.live is not None:
            return (self.live(x) or (x, nan))[1]
        if not self.joined or self.x.size == 0 or not self.x[0] <= x <= self.x[-1]:
            return nan
        if self.exact is not None and self.t is None and (known := self.exact(x)) is not None:
            return known[1]
        right = int(np.searchsorted(self.x, x))
        if right == 0 or self.x[right] == x:
            return float(self.y[right])
        low, high = self.x[right - 1 : right + 1]
        return _between(self.y[right - 1 : right + 1], (x - low) / (high - low), up)

    def when(self, t: float, across: Axis = PLAIN, up: Axis = PLAIN) -> tuple[float, float] | None:
        """The point of the curve at the time `t`, on the line as the axes draw it; loose points have the next one."""
        if self.live is not None:
            return (mark := self.live(t)) and mark[:2]
        if self.t is None:
            return (t, self.at(t, up)) if self.joined else None
        if self.t.size == 0:
            return None
        if self.exact is not None and (known := self.exact(min(max(t, self.t[0]), self.t[-1]))) is not None:
            return known
        index = min(int(np.searchsorted(self.t, t)), self.t.size - 1)
        if self.joined and index > 0 and t < self.t[index]:
            pair, share = slice(index - 1, index + 1), (t - self.t[index - 1]) / (self.t[index] - self.t[index - 1])
            return _between(self.x[pair], share, across), _between(self.y[pair], share, up)
        return float(self.x[index]), float(self.y[index])

    def alarmed(self, t: float) -> bool:
        """Whether the curve is where it should not be at the time `t`."""
        if self.live is not None:
            return (mark := self.live(t)) is not None and mark[2]
        if self.alarm is None or self.t is None or self.t.size == 0:
            return False
        return bool(self.alarm[min(int(np.searchsorted(self.t, t)), self.t.size - 1)])


def _between(ends: Array, share: float, axis: Axis) -> float:
    """What is `share` of the way along the straight line that the axis draws between two values, (2,)."""
    low, high = axis.place(ends).tolist()
    if math.isnan(low) or math.isnan(high):
        (low, high), axis = ends.tolist(), PLAIN
    return float(axis.value(low + share * (high - low)))


@dataclass(frozen=True, slots=True)
class ChartLabel:
    """Words in the middle of a place (x, y), line below line; `room` is what they have, 0 for as much as they take."""

    text: str
    x: float
    y: float
    room: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Band:
    """An upright stripe of another background from `low` to `high`.

    Attributes:
        tone: `untrusted` or `unstable`.
    """

    low: float
    high: float = inf
    tone: str = "untrusted"


Corners = tuple[float, float, float, float]
"""Left, right, low, high."""


@dataclass(frozen=True, slots=True, eq=False)
class FilledRegion:
    """A filled part of the plane.

    Attributes:
        cover: how much of each pixel it covers, (rows, columns) 0 .. 1 from the top.
        left, right, low, high: where its corners lie on the axes.
        border: the points of the lines around it, (n, 2), with nan between two lines.
        colour, dash: `#rrggbb`, empty for the theme's accent, and a key of `DASHES`.
        part, computed: the corners to compute it over where these are shown, None for its own; and the region there.
        whole: the region itself, where this is only the place of one that nobody has computed yet; takes long.
    """

    cover: Array
    left: float
    right: float
    low: float
    high: float
    border: Array
    colour: str = ""
    dash: str = "solid"
    part: Callable[[float, float, float, float], Corners | None] | None = None
    computed: Callable[[Corners], FilledRegion] | None = None
    whole: Callable[[], FilledRegion] | None = None

    def lacks(self, across: tuple[float, float], up: tuple[float, float]) -> Corners | None:
        """The corners to compute it over, to be sharp over the shown `across` and `up`; None for its own."""
        return None if self.part is None else self.part(*across, *up)

    def holds(self, across: tuple[float, float], up: tuple[float, float]) -> bool:
        """Whether all that is shown lies between its corners."""
        return self.left <= across[0] and across[1] <= self.right and self.low <= up[0] and up[1] <= self.high

    def over(self, across: tuple[float, float], up: tuple[float, float]) -> FilledRegion:
        """The region over all that is shown of it: `across` and `up` are the shown part of both axes."""
        known = self.whole() if self.whole else self
        corners = known.lacks(across, up)
        return known if corners is None or known.computed is None else known.computed(corners)


ALIKE = 1e-6
"""Numbers that differ by less than this share of themselves are one number."""

HATCHES = "▨▧▤▥▦"
"""Patterns of cells, in the order in which they are used."""


@dataclass(frozen=True, eq=False)
class ColourField:
    """Numbers over the plane as colours, with a bar that says which is which.

    Attributes:
        values: (rows, columns) from the bottom; nan where there is none.
        hatched: the pattern of each cell, one of `HATCHES` by its place counted from 1, or 0 for none, (rows, columns).
        left, right, low, high: where its corners lie, in positions on the axes.
        axis: title, unit and scale of the numbers; with `names`, they are those of lanes.
        judged: whether numbers of hatched cells are of the scale, too; those of lanes always are.
        contours, border: straight lines over the colours, solid and dashed: both ends (x, y) as positions, (n, 2, 2).
    """

    values: Array
    hatched: NDArray[np.int8]
    left: float
    right: float
    low: float
    high: float
    axis: Axis
    judged: bool = False
    contours: Array = field(default_factory=lambda: np.zeros((0, 2, 2)))
    border: Array = field(default_factory=lambda: np.zeros((0, 2, 2)))

    @cached_property
    def places(self) -> Array:
        """The positions of the numbers on their axis, nan where there is none, (rows, columns)."""
        return self.axis.place(self.values)

    @cached_property
    def span(self) -> tuple[float, float]:
        """The positions of the smallest and the largest number; one alone has zero, or a decade below, beside it."""
        if self.axis.names:
            return 1.0 - len(self.axis.names), 1.0
        if self.known.size == 0:
            return 0.0, 1.0
        low, high = float(self.known.min()), float(self.known.max())
        if high - low > ALIKE * max(abs(low), abs(high)):
            return low, high
        return (high - 1.0, high) if self.axis.log else (min(low, 0.0), max(high, 0.0) or float(low == 0.0))

    @cached_property
    def known(self) -> Array:
        """The positions of the numbers that colours stand for, (n,)."""
        return self.places[np.isfinite(self.places) & ((self.hatched == 0) | bool(self.axis.names) | self.judged)]


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """What one chart shows.

    Attributes:
        title: its name.
        x, y: the axes.
        curves: the current run's first, drawn last.
        note: one phrase that says exactly what is shown (what an error is measured against).
        details: what its marks stand for, or how many there are: said aloud and below an enlarged plot, not in files.
        empty: why there is no curve, as a sentence.
        variants, variant: the views that the plot switches between, key to name, and the one that this is.
        allowed: where the values should stay; painters draw finite ends as lines and warn beyond them.
        asked: values that are asked about: the vertical axis reaches them, however far they are from the curves.
        bands: stripes of another background.
        regions: filled parts of the plane.
        colours: numbers over the plane, below everything else.
        view: the part of the plane (left, right, low, high) that is shown at first; None for all of the curves.
        equal: both axes have one scale.
        bare: a drawing without axes and numbers.
        labels: words on the plane.
        cells: its table's rows, the header first; empty for the points of its curves.
        key: of the plot that made it.
    """

    title: str = ""
    x: Axis = TIME
    y: Axis = PLAIN
    curves: tuple[Curve, ...] = ()
    note: str = ""
    details: str = ""
    empty: str = ""
    variants: Mapping[str, str] = field(default_factory=dict)
    variant: str = ""
    allowed: tuple[float, float] = (-inf, inf)
    asked: tuple[float, ...] = ()
    bands: tuple[Band, ...] = ()
    regions: tuple[FilledRegion, ...] = ()
    colours: ColourField | None = None
    view: tuple[float, float, float, float] | None = None
    equal: bool = False
    bare: bool = False
    labels: tuple[ChartLabel, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    key: str = ""

    @property
    def listed(self) -> tuple[Curve, ...]:
        """The curves that legends name."""
        return tuple(curve for curve in self.curves if curve.listed)

    @property
    def in_full(self) -> str:
        """Its note and its details."""
        return "; ".join(filter(None, (self.note.rstrip("."), self.details)))

    @property
    def subtitle(self) -> str:
        """The name of the chosen variant, if there are several and the title does not say it."""
        name = self.variants.get(self.variant, "")
        return name if len(self.variants) > 1 and name != self.title else ""

    def without(self, hidden: Collection[CurveKey]) -> Chart:
        """The chart without the curves that a person hid."""
        if not hidden:
            return self
        kept = tuple(curve for curve in self.curves if not any(curve.belongs(key) for key in hidden))
        return replace(self, curves=kept, empty="Every curve is hidden" if not kept else self.empty)

    @property
    def scalable(self) -> bool:
        """Whether the vertical axis can be logarithmic as well as linear: some of its values are positive."""
        numbers = self.y.scale in ("linear", "log") and not (self.equal or self.y.names)
        parts = (part for curve in self.curves for part in (curve.y[:FIRST], curve.y[FIRST:]))
        return numbers and any((part > 0.0).any() for part in parts)

    def scaled(self, scale: str) -> Chart:
        """The chart with a vertical axis that is `log` or `linear`; unchanged if its axis is not `scalable`."""
        return replace(self, y=replace(self.y, scale=scale)) if scale and self.scalable else self

    def with_lone_points(self) -> Chart:
        """The chart with a mark on each curve of which the axes can show one point only: no line would show it."""
        return replace(self, curves=tuple(replace(c, mark="circle") if self._lone(c) else c for c in self.curves))

    def _lone(self, curve: Curve) -> bool:
        few = 1 <= curve.x.size <= 2 and curve.joined and not curve.mark
        return few and int(np.isfinite(self.x.place(curve.x) + self.y.place(curve.y)).sum()) == 1

    @property
    def blank(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.regions and self.colours is None and not any(curve.x.size for curve in self.curves)
