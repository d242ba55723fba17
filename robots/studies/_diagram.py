"""Boxes and the lines between them as a chart: block diagrams and graphs of a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from robots.model.chart import Array, Axis, Chart, ChartLabel, Curve

WIDE, HIGH = 2.0, 0.8
HEAD, EDGE = 0.16, 0.1
"""Width and height of a box, the length of an arrow's head, and the margin, in the units of its place."""
LETTER, LINE = 0.1, 0.26
"""Half the width of a letter, and of the height of a line, in the same units."""

Place = tuple[float, float]
ACROSS = Axis("across")
"""Not the time, so that the plane stays whole."""


@dataclass(frozen=True, slots=True)
class Way:
    """A line from one box to another, or from or to a place, around corners.

    Attributes:
        start, end: the name of a box, or a place.
        via: the corners between.
        text: what it carries, written in the middle of its longest piece.
        arrow: it has a head.
    """

    start: str | Place
    end: str | Place
    via: tuple[Place, ...] = ()
    text: str = ""
    arrow: bool = True


def diagram(
    boxes: Mapping[str, Place], ways: Iterable[Way], named: tuple[str, str], *, wide: float = WIDE, high: float = HIGH
) -> Chart:
    """The drawing.

    Args:
        boxes: the middle of each box by its words.
        ways: the lines.
        named: what boxes and lines are called in the legend.
        wide, high: the size of the boxes.
    """
    size = 0.5 * np.array([wide, high])
    frames = [_frame(np.array(place), size) for place in boxes.values()]
    labels = [ChartLabel(words, *place, (wide, high)) for words, place in boxes.items()]
    lines: list[Array] = []
    for way in ways:
        points = _line(way, boxes, size)
        lines += [points, *([_head(points)] if way.arrow else [])]
        if way.text:
            labels.append(_label(way.text, points))
    drawn = [(frames, named[0]), (lines, named[1])]
    curves = tuple(_curve(points, name) for some, name in drawn for points in some)
    x, y = np.concatenate([*frames, *lines]).T
    view = (float(x.min()) - EDGE, float(x.max()) + EDGE, float(y.min()) - EDGE, float(y.max()) + EDGE)
    return Chart(x=ACROSS, y=ACROSS, curves=curves, view=view, labels=tuple(labels), equal=True, bare=True)


def _frame(middle: Array, size: Array) -> Array:
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]])
    return middle + size * corners


def _line(way: Way, boxes: Mapping[str, Place], size: Array) -> Array:
    """The corners of a line, which ends at the frames of its boxes, (k, 2)."""
    ends = [np.array(boxes[end] if isinstance(end, str) else end) for end in (way.start, way.end)]
    points = np.array([ends[0], *way.via, ends[1]])
    inner = points.copy()
    if isinstance(way.start, str):
        points[0] = _border(inner[0], inner[1], size)
    if isinstance(way.end, str):
        points[-1] = _border(inner[-1], inner[-2], size)
    return points


def _border(middle: Array, towards: Array, size: Array) -> Array:
    """Where the line from the middle of a box leaves it."""
    way = towards - middle
    with np.errstate(divide="ignore"):
        return middle + way * min(1.0, float(np.min(size / np.abs(way))))


def _head(points: Array) -> Array:
    way = points[-1] - points[-2]
    back = way / max(float(np.hypot(*way)), 1e-12) * HEAD
    side = 0.4 * np.array([-back[1], back[0]])
    return points[-1] + np.array([-back + side, [0.0, 0.0], -back - side])


def _label(text: str, points: Array) -> ChartLabel:
    """Beside the middle of the longest piece of a line: above a level one, to the right of an upright one."""
    pieces = np.diff(points, axis=0)
    longest = int(np.argmax(np.hypot(*pieces.T)))
    along = pieces[longest] / np.hypot(*pieces[longest])
    aside = np.array([-along[1], along[0]])
    aside *= np.sign(aside[np.argmax(np.abs(aside))])
    size = np.array([LETTER * len(text), LINE])
    x, y = points[longest] + 0.5 * pieces[longest] + aside * float(np.abs(aside) @ size)
    return ChartLabel(text, float(x), float(y), (2.0 * float(size[0]), 2.0 * LINE))


def _curve(points: Array, name: str) -> Curve:
    """A line; its points are no function of x, so it counts them as times."""
    return Curve(*points.T, name=name, t=np.arange(len(points), dtype=float))
