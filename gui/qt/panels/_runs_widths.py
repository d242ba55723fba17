"""How the columns of the table of runs share the room that there is."""

from __future__ import annotations

import math
from collections.abc import Mapping

WHOLE = tuple((tight, 0, True) for tight in (1.0, 0.8, 0.6))
BRIEF = ((0.8, 0), (0.6, 0), (0.6, 1), (0.6, 2), (0.6, 3), (0.6, 4), (0.6, 5), (0.5, 5))
TIGHTER = (*WHOLE, *((tight, fewer, False) for tight, fewer in BRIEF))
"""How the columns of numbers shrink where there is little room, how many are left out, and if names and settings are
whole."""

FEW, SPARE, ONE, MARGIN = 0.6, ("duplicate", "edit"), 0.5, 20
"""In a table that shrinks so far rows lack these buttons; then one opens their menu. Air beside them [px]."""

LESS = ("rejected", "condition", "time", "ratio", "rhs", "order")
"""The columns that are left out first, after those in which no run has a number but zero."""

MORE = "more"
"""The button for a row's menu."""


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
