"""How the columns of the table of runs share the room that there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from PySide6.QtGui import QFont, QFontMetrics

WHOLE, BARE, BRIEF = range(3)
"""Names and settings in full; narrow settings, and names without what stands in brackets; names as initials."""

NARROW = ((0.8, 0), (0.6, 0), (0.6, 1), (0.6, 2), (0.6, 3), (0.6, 4), (0.6, 5), (0.5, 5))
TIGHTER = (
    *((tight, 0, WHOLE) for tight in (1.0, 0.8, 0.6)),
    *((tight, fewer, BARE) for tight, fewer in NARROW),
    (*NARROW[-1], BRIEF),
)
"""How the columns of numbers shrink where there is little room, how many are left out at most, and what is said of
names and settings. Where even that is too wide the table scrolls sideways.
"""

FEW, SPARE, ONE, MARGIN, LESS = 0.6, ("duplicate", "edit"), 0.5, 20, 6
"""In a table that shrinks so far rows lack these buttons; then one opens their menu. Air beside them, and beside it
[px].
"""

SILENT = ("rejected", "condition", "time", "ratio", "rhs", "order")
"""The columns that are left out first where no run has a number but zero."""

DERIVED = ("condition", "ratio", "order")
"""The columns that are left out next, as they follow from others or from the method."""

MORE = "more"
"""The button for a row's menu."""

FRAME = 2
"""Above and below the lines of a cell [px]."""

LINE_END = "\u2028"
"""What ends a line within a cell."""

LEAST_SMALL = 0.65
"""Type that is smaller, so that a row has two lines, has at least this share of its usual size."""


def lent(widths: Mapping[str, int], least: Mapping[str, int], room: float) -> dict[str, int]:
    """The columns of numbers within a room: where texts need theirs, each gives the same share of its air at most."""
    air = {key: max(width - least[key], 0) for key, width in widths.items()}
    share = min(max(sum(widths.values()) - room, 0.0) / max(sum(air.values()), 1), 1.0)
    return {key: width - math.ceil(share * air[key]) for key, width in widths.items()}


def shared_words(wanted: Mapping[str, float], brief: Mapping[str, float], room: float) -> dict[str, float]:
    """Room for the columns of text: what distinguishes runs comes before the status, whose colour says the most.

    Without room for full names, brief ones and whole settings are worth more than parts of both.
    """
    names, short = ({key: width for key, width in one.items() if key != "status"} for one in (wanted, brief))
    if len(names) == len(wanted):
        return shared(wanted, room)
    status = max(brief["status"], room - sum(names.values()))
    spare = room - status - sum(short.values())
    if sum(names.values()) > room - status:
        # Names get what is left over as far as they want it, then settings.
        more = min(max(spare, 0.0), max(names["method"] - short["method"], 0.0))
        names = {**short, "method": short["method"] + more}
        names[[*names][-1]] += max(spare, 0.0) - more
    return {**shared(names, room - status), "status": status}


def shared(wanted: Mapping[str, float], room: float) -> dict[str, float]:
    """Room for each: whoever wants less than an equal share gets what it wants, the last one what is left over."""
    widths: dict[str, float] = {}
    for key in sorted(wanted, key=lambda key: wanted[key]):
        widths[key] = min(wanted[key], (room - sum(widths.values())) / (len(wanted) - len(widths)))
    return {key: widths[key] + (room - sum(widths.values())) * (key == [*wanted][-1]) for key in wanted}


def ways_of(forms: Sequence[str], font: QFont, high: int) -> Iterator[tuple[str, QFont, float]]:
    """How a row may say each of the forms: its text, the font, and how wide that is [px].

    Args:
        forms: ever briefer ones.
        font: of the table.
        high: how high a row is [px].
    """
    whole, small = QFontMetrics(font), QFont(font)
    size = font.pixelSize()
    small.setPixelSize(min(size, max(1, size * (high - 2 * FRAME) // (2 * whole.height()))))
    smaller = QFontMetrics(small)
    for text in forms:
        yield text, font, whole.horizontalAdvance(text)
        if small.pixelSize() >= LEAST_SMALL * size:
            lines = two_lines(text, smaller.horizontalAdvance)
            yield LINE_END.join(lines), small, max(map(smaller.horizontalAdvance, lines))


def two_lines(text: str, measure: Callable[[str], float]) -> list[str]:
    """A text on two lines: the longer one as short as can be, the first up to a comma rather than within a part."""
    for parted, kept in ((", ", ","), (" ", "")):
        parts = text.split(parted)
        ways = [[parted.join(parts[:end]) + kept, parted.join(parts[end:])] for end in range(1, len(parts))]
        if ways:
            return min(ways, key=lambda lines: max(map(measure, lines)))
    return [text]
