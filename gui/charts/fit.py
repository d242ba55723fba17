"""How curves fit into a chart: their positions on the axes, and the axes' ranges. The same for every painter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from assets.polylines import steps_before
from gui.app.units import count, reading, with_unit
from robots.model.chart import ALIKE, TIME, Array, Axis, Chart, Curve

DECADES = 14
"""The most decades of a logarithmic axis: what lies lower is round-off compared with what lies higher."""

AIR = 0.06
FLAT_LOG, FLAT_LINEAR, FLAT_SHARE = 1.0, 1e-12, 0.2
"""The least range: of logarithms; of values; and of values that differ by rounding at most, as a share of them."""

WIDEST = 1e307
"""No range reaches further from zero, so that its width is a number."""

ROUNDED = 1e-9
"""Values that differ by less, as a share of them, do so by rounding."""

SUNK = -400.0
"""Where a curve over time is on a logarithmic axis while it is negative: below every number, as a position."""

BRIEF = 0.05
"""What is over in this share of the shown time, at the beginning, is left out below: errors of the first steps are
round-off, and the first step is a cautious guess; their decades squash the rest."""

FEW = 50
ENOUGH = 20_000
"""So many values show how all are distributed."""

NEAR = 0.02
"""Marks at the edge of a picture lie on each other where they are so near, as a share of its width and height."""

SOME, WITHOUT_BOUND = 10, 1e6
"""A diverged run of some values, most of them so many times those of its calmest tenth, grows from its beginning."""

Points = tuple[Array, Array]
Range = tuple[float, float]


def placed(chart: Chart, curve: Curve) -> Points:
    """The positions of the curve's points on both axes, (n,) each; points that an axis cannot show are left out.

    A line over time dives where it becomes negative on a logarithmic axis, and comes back where it is positive again:
    a line across would show values that it never had. Where it has no values in between, one nan parts it.
    """
    x, y = chart.x.place(curve.x), chart.y.place(curve.y)
    line = chart.x == TIME and curve.joined and curve.mark not in ("stripe", "tick")
    if chart.y.log and line:
        y = np.where(curve.y < 0.0, SUNK, y)
    kept = np.isfinite(x) & np.isfinite(y)
    if line and not kept.all():
        kept |= _gaps(kept, np.isnan(curve.y))
    if curve.mark == "stripe":
        kept = np.repeat(kept.reshape(-1, 2).all(axis=1), 2)
    return (x, y) if kept.all() else (x[kept], y[kept])


def steps_along(curve: Curve, count: int) -> Array:
    """How many steps the run had made at each of the `count` points of its curve in a plane; nan where some lack."""
    whole = curve.t is not None and curve.t.size == count
    return steps_before(curve.t if curve.t is not None and whole else np.full(count, math.nan), curve.steps)


def _gaps(kept: NDArray[np.bool_], missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The first of the missing points of each gap between points that are kept, (n,)."""
    last = np.flatnonzero(kept)[-1:].max(initial=0)
    there = np.flatnonzero((kept | missing)[:last])
    gaps = np.zeros_like(kept)
    gaps[there[1:][missing[there[1:]] & kept[there[:-1]]]] = True
    return gaps


def visible(x: Array, start: float, end: float) -> slice:
    """The part of ascending `x` in [start, end], one point wider on both sides so that curves reach the edge."""
    first = int(np.searchsorted(x, start, side="left"))
    last = int(np.searchsorted(x, end, side="right"))
    return slice(max(0, first - 1), min(x.size, last + 1))


def value_range(chart: Chart, points: Sequence[Points], start: float, end: float) -> Range:
    """The range of the vertical axis for the points over [start, end], in positions on the axis.

    A diverged run must not squash the others, but decades have room for both.
    """
    if chart.view is not None:
        return chart.view[2], chart.view[3]
    calm, wild = [], []
    for curve, (x, y) in zip(chart.curves, points, strict=True):
        whole = x.size > 0 and start <= x.min() and x.max() <= end
        inside = y if whole else y[(x >= start) & (x <= end)]
        seen, at = (inside, x if whole else x[(x >= start) & (x <= end)]) if inside.size else (y, x)
        kept = seen > SUNK if chart.y.log else np.isfinite(seen)
        seen, at = (seen, at) if kept.all() else (seen[kept], at[kept])
        if seen.size and curve.wild:
            wild.append(_ends(tamed(seen, chart.y.log), chart.y))
        elif seen.size:
            low, high = _ends(seen, chart.y)
            if chart.y.log and chart.y.early != 0 and at[0] <= x.min():
                low = max(low, _ends(_after_the_first_steps(at, seen, chart.y.early), chart.y)[0])
            if curve.joined and at[-1] == x[-1]:
                low = min(low, float(seen[-1]))  # legends read it at the end, as of a last step that is cut short
            calm.append((low, high))
    if not (calm or wild):
        return aired(0.0, 1.0, chart.y)
    low, high = min(low for low, _ in calm or wild), max(high for _, high in calm or wild)
    if chart.y.log and calm and wild:
        high = max(high, min(low + DECADES, max(high for _, high in wild)))
    ends = [end for end in (*limits(chart), *chart.y.place(np.array(chart.asked))) if math.isfinite(end)]
    return aired(min([low, *ends]), max([high, *ends]), chart.y)


def plane_range(chart: Chart, points: Sequence[Points]) -> tuple[Range, Range]:
    """The ranges of both axes for all points, in positions; runs that failed count only if there are no others."""
    if chart.view is not None:
        (left, right), (low, high) = (axis.place(np.array(ends)) for axis, ends in _sides(chart))
        return (float(left), float(right)), (float(low), float(high))
    pairs = [pair for curve, pair in zip(chart.curves, points, strict=True) if pair[0].size and not curve.wild]
    pairs = pairs or [pair for pair in points if pair[0].size]
    if not pairs:
        return (0.0, 1.0), (0.0, 1.0)
    spans = []
    for axis, values in zip((chart.x, chart.y), zip(*pairs, strict=True), strict=True):
        low, high = min(float(np.nanmin(one)) for one in values), max(float(np.nanmax(one)) for one in values)
        spans.append(aired(low, high, axis))
    return spans[0], spans[1]


def held(place: Range, across: Range, up: Range, inset: Range = (0.0, 0.0)) -> tuple[Range, str]:
    """Where a mark stands, and as which arrow: at the edge where its own place is beyond it; nothing if it is inside.

    Args:
        place: of the mark, in positions on both axes, as all that follows.
        across, up: what is shown.
        inset: how far from the edge the arrow stands.
    """
    beyond_by: dict[str, float] = {}
    for at, (low, high), names in zip(place, (across, up), (("left", "right"), ("wedge", "triangle")), strict=True):
        beyond_by |= {name: away / (high - low) for name, away in zip(names, (low - at, at - high), strict=True)}
    arrow = max(beyond_by, key=lambda name: beyond_by[name])
    if not beyond_by[arrow] > 0.0:
        return place, ""
    spots = zip(place, (across, up), inset, strict=True)
    x, y = (min(max(at, low + off), high - off) for at, (low, high), off in spots)
    return (x, y), arrow


def marks_at(chart: Chart, t: float) -> list[tuple[Curve, Range]]:
    """The curves of a plane that are somewhere at the time `t`, with their positions there."""
    found = []
    for curve in chart.curves:
        if curve.t is not None and (at := curve.when(t, chart.x, chart.y)) is not None:
            place = float(chart.x.place(at[0])), float(chart.y.place(at[1]))
            if not (math.isnan(place[0]) or math.isnan(place[1])):
                found.append((curve, place))
    return found


def tag_near(chart: Chart, spot: Range, sides: tuple[Range, Range], size: Range, reach: float) -> str:
    """What the drawing of a bare chart stands for that is nearest to a spot, if one is near; empty otherwise.

    Args:
        chart: a drawing whose curves have tags.
        spot: in positions on both axes.
        sides: the shown part of both axes, in positions on them.
        size: how wide and how high it is [px].
        reach: how near it must be [px].
    """
    unit = [(high - low) / max(length, 1.0) for (low, high), length in zip(sides, size, strict=True)]
    found = [
        (float(np.hypot((curve.x - spot[0]) / unit[0], (curve.y - spot[1]) / unit[1]).min()), curve.tag)
        for curve in (chart.curves if chart.bare else ())
        if curve.tag and curve.x.size
    ]
    distance, tag = min(found, default=(math.inf, ""))
    return tag if distance <= reach else ""


def outside_text(chart: Chart, t: float, across: Range, up: Range) -> str:
    """Which marks of a plane lie outside the shown part of it, in words; empty if none does.

    Args:
        chart: with curves in a plane.
        t: the playhead [s].
        across, up: what is shown, in positions on the axes.
    """
    marks = marks_at(chart, t)
    arrows = [found for _, place in marks if (found := held(place, across, up))[1]]
    if arrows:
        whose = "the mark" if len(marks) == 1 else f"{len(arrows)} of {len(marks)} marks"
        where = "where the arrow points" if _as_one(arrows, across, up) else "in the arrows' directions"
        return f"{whose} outside the picture, {where}"
    left = 0
    for curve in chart.curves:
        if curve.mark == "dot" and not curve.joined:
            x, y = chart.x.place(curve.x), chart.y.place(curve.y)
            left += int(((x < across[0]) | (x > across[1]) | (y < up[0]) | (y > up[1])).sum())
    return f"{count(left, 'point')} at other times outside the picture" if left else ""


def _as_one(arrows: Sequence[tuple[Range, str]], across: Range, up: Range) -> bool:
    """Whether arrows of marks beyond the picture lie on each other: no more than one is seen."""
    (x, y), way = arrows[0]
    wide, high = NEAR * (across[1] - across[0]), NEAR * (up[1] - up[0])
    return all(one == way and abs(at[0] - x) <= wide and abs(at[1] - y) <= high for at, one in arrows)


def _sides(chart: Chart) -> tuple[tuple[Axis, Range], tuple[Axis, Range]]:
    left, right, low, high = chart.view or (0.0, 1.0, 0.0, 1.0)
    return (chart.x, (left, right)), (chart.y, (low, high))


def pointed(chart: Chart) -> bool:
    """Whether it is a plane whose marks are points of their own, so that no others may stand on it."""
    return chart.x != TIME and any(curve.mark for curve in chart.curves)


def limits(chart: Chart) -> Range:
    """The range in which the values should stay, in positions; an end without a limit is infinite."""
    low, high = chart.allowed
    if chart.y.log:
        return (math.log10(low) if low > 0.0 else -math.inf), (math.log10(high) if 0.0 < high < math.inf else math.inf)
    return low, high


def beyond(chart: Chart, t: float) -> bool:
    """Whether one of the listed curves is outside its limits at the time `t`."""
    low, high = chart.allowed
    if math.isinf(low) and math.isinf(high):
        return False
    return any(value < low or value > high for value in (curve.at(t, chart.y) for curve in chart.listed))


def aired(low: float, high: float, axis: Axis) -> Range:
    """A range with some air around it, not too flat and not too deep, nor too wide for a number."""
    low, high = min(max(low, -WIDEST), WIDEST), min(max(high, -WIDEST), WIDEST)
    if axis.log and not axis.whole:
        low = max(low, high - DECADES)
    most = max(abs(low), abs(high))
    least = FLAT_LOG if axis.log else max(FLAT_LINEAR, ALIKE * most)
    if high - low < least:
        if not axis.log and high - low <= ROUNDED * most:
            least = max(FLAT_LINEAR, FLAT_SHARE * most) if most else 1.0
        low, high = (low + high - least) / 2.0, (low + high + least) / 2.0
    pad = AIR * (high - low)
    return low - pad, high + pad


def equalised(across: Range, up: Range, width: float, height: float) -> tuple[Range, Range]:
    """Both ranges, one of them wider, so that a unit is as long upwards as across."""
    width, height = max(width, 1.0), max(height, 1.0)  # a layout in the making may leave no room
    unit = max((across[1] - across[0]) / width, (up[1] - up[0]) / height)
    spare = 0.5 * (unit * width - (across[1] - across[0]))
    rise = 0.5 * (unit * height - (up[1] - up[0]))
    return (across[0] - spare, across[1] + spare), (up[0] - rise, up[1] + rise)


def share_of(places: Array, low: float, high: float) -> Array:
    """How far along a range places are: 0 at its low end, 1 at its high one."""
    with np.errstate(over="ignore"):
        return (places - low) / (high - low)


def tamed(values: Array, logarithmic: bool) -> Array:
    """The part of a diverged run worth seeing: values within reach of the usual ones, at least the nearest one.

    Where it grows all the time there are no usual ones: then it is the beginning.
    """
    usual = sampled(values)
    middle = float(np.median(usual))
    calm = np.quantile(usual, 1.0 / FEW) if logarithmic else np.quantile(np.abs(usual), 1.0 / SOME)
    early = float(calm) if values.size >= SOME else middle
    reach = 3.0 if logarithmic else 4.0 * float(np.median(np.abs(usual - middle))) or 1.0
    if logarithmic:
        middle = min(middle, early + reach)
    elif float(np.median(np.abs(usual))) > WITHOUT_BOUND * early > 0.0:
        middle, reach = 0.0, 30.0 * early
    away = np.abs(values - middle)
    return values[away <= max(reach, float(away.min()))]


def _ends(values: Array, axis: Axis) -> Range:
    """The ends of the shown range: an error that passes through zero must not stretch a logarithmic axis."""
    if not axis.log or axis.whole or values.size < FEW:
        return float(values.min()), float(values.max())
    usual = sampled(values)
    low = float(np.partition(usual, usual.size // FEW)[usual.size // FEW])
    return max(float(values.min()), low - axis.dips), float(values.max())


def _after_the_first_steps(at: Array, values: Array, most: int | None) -> Array:
    """The values of a curve over ascending `at` without those, at most `most`, that are over soon after it begins."""
    until = np.append(at[1:], np.inf)
    soon = int(np.searchsorted(until, at[0] + BRIEF * (at[-1] - at[0]), side="right"))
    return values[soon if most is None else min(soon, most) :]


def sampled(values: Array) -> Array:
    """Of very many values every k-th: their quantiles are those of all, as far as a drawing shows."""
    return values[:: max(1, values.size // ENOUGH)]


def longest_text(axis: Axis, curve: Curve | None = None) -> str:
    """As long as what legends write of any value of the curve, or without one of any on the axis, usually is."""
    sizes = None if curve is None else _sizes(curve)
    return _longest(axis, -88, 2, not axis.log) if sizes is None else _longest(axis, *sizes)


def _sizes(curve: Curve) -> tuple[int, int, bool] | None:
    """The least and the greatest power of ten of its values, and whether any is negative; None without values.

    They are found once for each curve: legends ask at every frame.
    """
    if curve not in _found:
        known = curve.y[np.isfinite(curve.y) & (curve.y != 0.0)]
        ends = (float(known.min()), float(known.max()), float(np.abs(known).min())) if known.size else None
        _found[curve] = ends and (
            math.floor(math.log10(ends[2])),
            math.floor(math.log10(max(-ends[0], ends[1]))),
            ends[0] < 0.0,
        )
    return _found[curve]


_found: WeakKeyDictionary[Curve, tuple[int, int, bool] | None] = WeakKeyDictionary()


@lru_cache(maxsize=1024)
def _longest(axis: Axis, least: int, most: int, signed: bool) -> str:
    """The longest text of values with powers of ten from `least` to `most`."""
    powers = {power for power in (*range(-4, 7), least, most) if least <= power <= most}
    texts = (value_text(axis, (-1.0 if signed else 1.0) * 8.88 * 10.0**power) for power in powers)
    return max(texts, key=len)


def value_text(axis: Axis, value: float) -> str:
    """A value as legends write it."""
    if axis.decimals is None or not abs(value) < 1e5:
        return reading(value, axis.unit, axis.digits)
    rounded = round(value, axis.decimals) + 0.0  # What rounds to zero has no sign.
    return with_unit(f"{rounded:.{axis.decimals}f}".replace("-", "−"), axis.unit)
