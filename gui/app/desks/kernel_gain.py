"""The speed-ups of specialised kernels that a document keeps, as a chart and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from gui.app.documents import Result
from gui.charts.colours import COLOURS
from robots.model.chart import Axis, Chart, Curve

if TYPE_CHECKING:
    from robots.export.rows import PlainTable
    from solvers.codegen.gain import Gain

TITLE = "Compiled for this arm"


def gain_of(result: Result) -> Gain | None:
    """The speed-up that a document has kept; None if the result has none."""
    from solvers.codegen.gain import Gain

    data = result.data
    try:
        found = Gain(float(data["generic"]), float(data["specialised"]), bool(data["written_out"]))
    except (KeyError, TypeError, ValueError):
        return None
    return found if found.generic > 0.0 and found.specialised > 0.0 else None


def gain_table(results: Sequence[Result]) -> PlainTable:
    """Name, both times in seconds and their ratio, a row for each result."""
    from robots.export.rows import PlainTable

    return PlainTable(tuple({"name": name, **asdict(gain), "ratio": gain.ratio} for name, gain in _known(results)))


def gain_chart(results: Sequence[Result]) -> Chart:
    """The time of a run with either kernel, a lane for each result."""
    known = _known(results)
    lanes = 0.5 - np.arange(len(known), dtype=float)
    times = {
        "any arm": np.array([gain.generic for _, gain in known]),
        "this arm": np.array([gain.specialised for _, gain in known]),
    }
    curves = tuple(
        Curve(1e3 * values, lanes, f"compiled for {name}", colour=COLOURS[k], joined=False, mark=mark, filled=True)
        for k, ((name, values), mark) in enumerate(zip(times.items(), ("square", "circle"), strict=True))
    )
    return Chart(
        TITLE,
        Axis("computing time", "ms", whole=True),
        Axis(names=tuple(name for name, _ in known)),
        curves,
        view=(0.0, 1.1e3 * max(times["any arm"].max(), times["this arm"].max()), -float(len(known) - 1), 1.0),
    )


def _known(results: Sequence[Result]) -> list[tuple[str, Gain]]:
    """The names and speed-ups of the results that have one."""
    return [(result.name, gain) for result in results if (gain := gain_of(result)) is not None]
