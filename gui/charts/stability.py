"""Stability regions of methods as a chart of the plane of z = h λ, and their limits in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.app.units import number_text, subscripted
from robots.model.chart import Array, Axis, Chart, Corners, Curve, FilledRegion
from robots.sweeps.borders import joined, level_lines

if TYPE_CHECKING:
    from solvers.tableaux.stability import Stability

Complex = NDArray[np.complex128]
POINTS, CELL, SCAN = 560, 8, 90
"""The pixels of a region on each side; it is looked for in cells of a few pixels first."""

UNBOUNDED = 5.0
GROWS = 1.0 + 1e-9
WIDEST = 2.4
"""A region covers at first a drawing that is at most this many times as wide as high."""

STRETCH = 1.5
"""Where more is shown of a region that goes on, it is computed over so many times as much, or a power of that."""

FILLED, DEEPEST = 0.75, 24
"""What is shown takes at most this part of a finer region; a region is halved at most so often."""

NOWHERE, NO_COVER, NO_BORDER = np.empty(0), np.empty((0, 0)), np.empty((0, 2))

MOST_KEPT = 16
"""How many regions of 2.5 MB stay in memory; charts that are made again have the same ones."""
MOST_PLACES = 256
"""How many places of regions do, which are small."""

COARSE = 3
"""The top of a region is looked for in every third row and column first: the window waits for it."""


def region_chart(methods: Sequence[tuple[str, str, Stability]], curves: Sequence[Curve] = ()) -> Chart:
    """The regions |R(z)| ≤ 1, one over the other.

    Args:
        methods: colour (empty for the theme's accent), dash of the border, and stability of each.
        curves: the values h λ of arms.
    """
    if not methods:
        return Chart(empty="These methods have no stability region.")
    half = max(half_height(stability) for *_, stability in methods)
    reach = max(one.real_limit if math.isfinite(one.real_limit) else half for *_, one in methods)
    view = (-1.2 * reach, 0.6 * half, -half, half)
    middle, wide = 0.5 * (view[0] + view[1]), 0.5 * (view[1] - view[0])
    wide, high = max(wide, WIDEST * half), max(half, 1.2 * wide)
    left, right, high = (float(f"{value:.4g}") for value in (middle - wide, middle + wide, high))
    regions = tuple(_region(one.modulus, colour, dash, (left, right, -high, high)) for colour, dash, one in methods)
    x, y = Axis("Re hλ", whole=True), Axis("Im hλ", whole=True)
    kept, note, details = tuple(curves), "|R(hλ)| ≤ 1", _key(curves)
    return Chart(x=x, y=y, curves=kept, note=note, details=details, regions=regions, view=view, equal=True)


@lru_cache(maxsize=MOST_PLACES)
def _region(modulus: Callable[[Complex], Array], colour: str, dash: str, sides: Corners) -> FilledRegion:
    """The place of a region: to compute it takes up to a second, for which a window does not wait."""
    whole = partial(_whole, modulus, colour, dash, sides)
    return FilledRegion(NO_COVER, *sides, NO_BORDER, colour, dash, whole=whole)


@lru_cache(maxsize=MOST_KEPT)
def _whole(modulus: Callable[[Complex], Array], colour: str, dash: str, sides: Corners) -> FilledRegion:
    cover, border = _cover(modulus, sides)
    goes_on = any(edge.any() for edge in (cover[0], cover[-1], cover[:, 0], cover[:, -1]))
    part, computed = partial(_part, sides, goes_on), partial(_computed, modulus, colour, dash, sides)
    return FilledRegion(cover, *sides, border, colour, dash, part, computed)


def _part(first: Corners, goes_on: bool, *shown: float) -> Corners | None:
    """The corners of a region for what is shown of it: finer ones where that is small, wider ones where it goes on."""
    left, right, low, high = shown
    size, seen = (first[1] - first[0], first[3] - first[2]), (right - left, high - low)
    most = min(whole / max(part, whole * 2.0**-DEEPEST) for whole, part in zip(size, seen, strict=True))
    level = math.floor(math.log2(FILLED * most))
    if level >= 1:
        wide, tall = (whole / 2.0**level for whole in size)
        x, y = _on_grid(0.5 * (left + right), wide), _on_grid(0.5 * (low + high), tall)
        return x - 0.5 * wide, x + 0.5 * wide, y - 0.5 * tall, y + 0.5 * tall
    held = first[0] <= left and right <= first[1] and first[2] <= low and high <= first[3]
    return None if held or not goes_on else _wider(first, *shown)


def _on_grid(middle: float, size: float) -> float:
    """A middle near this one: parts of one size have few places, and what is shown next is often there already."""
    grid = (1.0 - FILLED) * size
    return round(middle / grid) * grid


def _wider(first: Corners, *shown: float) -> Corners:
    """The corners of a region over `shown` too; for a picture that grows by little they are the same."""
    middle, wide, high = 0.5 * (first[0] + first[1]), 0.5 * (first[1] - first[0]), first[3]
    wide *= _stretched(max(middle - shown[0], shown[1] - middle) / wide)
    high *= _stretched(max(-shown[2], shown[3]) / high)
    return middle - wide, middle + wide, -high, high


def _computed(
    modulus: Callable[[Complex], Array], colour: str, dash: str, first: Corners, sides: Corners
) -> FilledRegion:
    cover, border = _cover(modulus, sides, first)
    return FilledRegion(cover, *sides, border, colour, dash)


def _stretched(share: float) -> float:
    return STRETCH ** max(0, math.ceil(math.log(share, STRETCH))) if share > 1.0 else 1.0


def _key(curves: Sequence[Curve]) -> str:
    """What the marks stand for, in words; empty without any."""
    if not any(curve.x.size for curve in curves):
        return ""
    parts = ["points: hλ of the modes along the run, large at the playhead", *names_of_modes(curves)]
    grows = any(curve.live is not None or (curve.alarm is not None and curve.alarm.any()) for curve in curves)
    return ", ".join([*parts, "a diamond where the method lets a mode grow"] if grows else parts)


def names_of_modes(curves: Sequence[Curve]) -> list[str]:
    """What the names beside the marks of modes mean, in words; a star is explained with the first pair there is."""
    pair = next((curve.tag for curve in curves if curve.tag.endswith("*") and curve.x.size), "")
    largest = ["λ₁ the largest"] if any(curve.tag for curve in curves) else []
    return [*largest, f"{pair} the conjugate of {pair[:-1]}"] if pair else largest


Marks = Mapping[str, tuple[float, float, bool]]
"""Where each mode is at one time, and whether the method lets it grow, by its name."""


def modes(
    points: Complex,
    stability: Stability,
    times: Array | None = None,
    now: Callable[[float], Marks | None] | None = None,
) -> list[Curve]:
    """The values h λ of each mode, (m, d), as dots; in alarm where the method lets the mode grow.

    They have the names of the plot *Eigenvalues*: a conjugate pair has one number, the largest is λ₁ at each time.

    Args:
        points: the values, one row for each of `times`.
        stability: of the method that made the steps.
        times: (m,) [s].
        now: their marks at the playhead; None takes them from the points. At the playhead a mode may be real that is
            one of a pair at all of `times`, so that there is one mode more: it has a curve without points.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        order = np.argsort(-np.abs(points), axis=-1, kind="stable")
    upper = one_of_each_pair(np.take_along_axis(points, order, axis=-1))
    lower = np.where(upper.imag > 0.0, upper.conj(), complex(np.nan, np.nan))
    each = [(k, z, star) for k in range(len(upper.T)) for z, star in ((upper.T[k], ""), (lower.T[k], "*"))]
    each = [(k, z, star) for k, z, star in each if not np.isnan(z).all()]
    with np.errstate(over="ignore", invalid="ignore"):  # a run that blew up has modes beyond all numbers
        grows = [stability.modulus(z) > GROWS for _, z, _ in each]
    dot = Curve(NOWHERE, NOWHERE, joined=False, mark="dot", filled=True, faded=True, t=times, listed=False)
    dots = {
        _named(k, star): replace(dot, x=z.real, y=z.imag, name="mode", tag=_named(k, star), alarm=grown)
        for (k, z, star), grown in zip(each, grows, strict=True)
    }
    if now is None:
        return list(dots.values())
    for tag in (_named(k, star) for k in range(points.shape[-1]) for star in ("", "*")):
        dots.setdefault(tag, replace(dot, name="mode", tag=tag, t=NOWHERE))
    return [replace(one, live=partial(_mark, now, tag)) for tag, one in dots.items()]


def marks_of(points: Complex, stability: Stability) -> Marks:
    """The modes at one time, h λ (d,), with the names and kinds that `modes` gives them."""
    found = modes(points[np.newaxis, :], stability, np.zeros(1))
    return {one.tag: (float(one.x[0]), float(one.y[0]), one.alarmed(0.0)) for one in found}


def _mark(now: Callable[[float], Marks | None], tag: str, t: float) -> tuple[float, float, bool] | None:
    return (now(t) or {}).get(tag)


def _named(k: int, star: str) -> str:
    return f"{subscripted(f'λ{k + 1}')}{star}"


def one_of_each_pair(values: Complex) -> Complex:
    """Values (m, k), one of each conjugate pair of (m, d), in the order in which they come, filled up with nan."""
    rows = [row[row.imag >= 0.0] for row in values]
    found = np.full((len(rows), max(map(len, rows), default=0)), complex(np.nan, np.nan))
    for into, row in zip(found, rows, strict=True):
        into[: len(row)] = row
    return found


@lru_cache(maxsize=256)
def half_height(stability: Stability) -> float:
    """Half the height of the window of the complex plane that shows the region well."""
    if not (math.isfinite(stability.real_limit) and math.isfinite(stability.imaginary_limit)):
        return UNBOUNDED
    size = max(stability.real_limit, stability.imaginary_limit, 1.5)
    x, y = np.linspace(-1.2 * size, 0.3 * size, SCAN), np.linspace(0.0, 2.0 * size, SCAN)

    def top(rows: Array, columns: Array) -> float:
        """The highest of the rows with a point of the region; 0 without one."""
        inside = stability.modulus(columns[np.newaxis, :] + 1j * rows[:, np.newaxis]) <= 1.0
        return float(rows[inside.any(axis=1)].max(initial=0.0))

    found = top(y[::COARSE], x[::COARSE])
    while (higher := top(y[y > found][: 2 * COARSE], x)) > found:
        found = higher
    return 1.15 * max(1.5, found)


@lru_cache(maxsize=MOST_KEPT)
def _cover(modulus: Callable[[Complex], Array], sides: Corners, within: Corners | None = None) -> tuple[Array, Array]:
    """How much of each pixel the region covers, with a soft rim one pixel wide, and its border.

    |R| takes long for multi-step methods: it is computed pixel by pixel only at the rim, and where `low` is -`high`
    in the upper half-plane.
    What is known of the rim `within` other sides is not overlooked where it is smaller than a cell.
    """
    left, right, low, high = sides
    mirrored = low == -high
    x, y = np.linspace(left, right, POINTS), np.linspace(high, low, POINTS)[: POINTS // 2 if mirrored else POINTS]
    cells = modulus(
        x.reshape(-1, CELL).mean(axis=1)[np.newaxis, :] + 1j * y.reshape(-1, CELL).mean(axis=1)[:, np.newaxis]
    )
    inside = np.nan_to_num(cells, nan=np.inf) <= 1.0
    rim = _near(inside) & _near(~inside)
    if within is not None:
        known = _cover(modulus, within)[1]
        down, along = (high - known[:, 1]) / (y[0] - y[-1]), (known[:, 0] - left) / (right - left)
        spots = np.column_stack([down, along])[(down >= 0.0) & (down <= 1.0) & (along >= 0.0) & (along <= 1.0)]
        rim[tuple(np.minimum((spots * inside.shape).astype(int), np.array(inside.shape) - 1).T)] = True
    fine, soft = (np.kron(part, np.ones((CELL, CELL), bool)) for part in (_near(rim), rim))
    moduli = np.kron(cells, np.ones((CELL, CELL)))
    moduli[fine] = modulus((x[np.newaxis, :] + 1j * y[:, np.newaxis])[fine])
    moduli = np.nan_to_num(moduli, nan=np.inf)
    if mirrored:
        moduli, soft = (np.concatenate((half, half[::-1])) for half in (moduli, soft))
    with np.errstate(over="ignore", invalid="ignore"):
        rise, across = np.gradient(moduli)
        slope = np.maximum(np.hypot(rise, across), 1e-12)
        share = np.clip(0.5 - np.nan_to_num((moduli - 1.0) / slope, nan=1.0, posinf=1.0), 0.0, 1.0)
    cover = np.where(soft, share, moduli <= 1.0)
    rows, columns = joined(level_lines(cover, 0.5)).T / (POINTS - 1)
    return cover, np.stack([left + columns * (right - left), high + rows * (low - high)], axis=1)


def _near(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells that are true or touch one that is."""
    padded = np.pad(cells, 1, mode="edge")
    rows, columns = cells.shape
    return np.any([padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)], axis=0)


def formulas_text(regions: Sequence[tuple[str, Stability]]) -> str:
    """The limits of each of a method's formulas in words; the formula's name, if any, before its own."""
    return "; ".join(f"{name}: {limits_text(one)}" if name else limits_text(one) for name, one in regions)


def limits_text(stability: Stability) -> str:
    """The limits and stability properties in words."""
    marks = [name for name, holds in (("A-stable", stability.a_stable), ("L-stable", stability.l_stable)) if holds]
    real, imaginary = (_limit(value) for value in (stability.real_limit, stability.imaginary_limit))
    return ", ".join(
        [*marks, f"real limit −{real}" if real != "0" else "no real limit", f"imaginary limit {imaginary}"]
    )


def _limit(value: float) -> str:
    return "∞" if math.isinf(value) else number_text(float(f"{value:.4g}"))
