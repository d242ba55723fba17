"""The colours and dashes of runs, in the window, in pictures and in files."""

from __future__ import annotations

from functools import lru_cache

COLOURS = ("#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#D55E00")
"""Okabe and Ito's colours without black (the reference) and yellow (invisible on white). The current run has the first.
Those like the arms' own orange come last.

Source: M. Okabe, K. Ito, Color Universal Design (2008).
"""

COLOUR_NAMES = ("blue", "green", "pink", "sky blue", "orange", "vermilion")
"""The same in words."""

WARNING, UNSTABLE, NEUTRAL = "#E69F00", "#D55E00", "#78808c"

METHODS = (*COLOURS, "#332288", "#882255", "#999933", "#7F7F7F")
"""Of methods, whose lines lie together in one diagram: after the colours of runs three of Tol's muted ones, and grey.

Source: P. Tol, Colour Schemes (2021).
"""

MEMBERS = (*COLOURS, "#882255")
"""Of the curves of one run, such as its joints: after the colours of runs Tol's wine. Colour-blind people see grey as
the pink among them.
"""

CATEGORIES = (*(COLOURS[k] for k in (3, 5, 4, 2, 1, 0)), "#F0E442", "#999999")
"""Of the ways in which a map's runs can end: they fill areas, so yellow is visible."""

REJECTED = "#C4501B"
"""Crosses of rejected steps in a lane of steps, whatever the run's colour."""

DASHES: dict[str, tuple[float, ...]] = {
    "solid": (),
    "dash": (5.0, 2.6),
    "dot": (1.4, 2.2),
    "dash-dot": (5.0, 2.2, 1.4, 2.2),
    "sparse-dash": (5.0, 6.4),
    "dash-dot-dot": (5.0, 2.2, 1.4, 2.2, 1.4, 2.2),
    "sparse-dot": (1.4, 5.2),
}
"""Lengths of line and gap in line widths; the second cue beside the colour, for as many lines as `MEMBERS` has
colours. A solid line has none. Two runs of one colour have neighbours of this list, so those that only differ in their
gaps are apart in it.
"""

LONGEST = sum(DASHES["dash-dot-dot"])
"""A sample of a line shorter than this, in line widths, cannot show its dash."""


def colour_of(slot: int) -> str:
    """The colour of the place `slot`, as `#RRGGBB`: 0 is the current run, pinned runs have 1, 2, ..."""
    return COLOURS[0] if slot == 0 else COLOURS[1 + (slot - 1) % (len(COLOURS) - 1)]


def dash_of(slot: int) -> str:
    """The dash of the place `slot`; unique for the first 6 pinned runs, and with the colour for the first 30."""
    names = list(DASHES)
    return names[0] if slot == 0 else names[1 + (slot - 1) % (len(names) - 1)]


@lru_cache(maxsize=4096)
def mixed(first: str, second: str, share: float) -> str:
    """The colour `share` (0 to 1) of the way from `first` to `second`, each `#rrggbb`."""
    pairs = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def on_ground(colour: str, *, dark: bool) -> str:
    """A run's colour as it stands out from the ground: a quarter nearer to white in the dark."""
    return mixed(colour, "#ffffff", 0.25) if dark else colour
