"""What a file of numbers holds besides a scenario: the results of tools, as a scenario keeps them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assets.fields import Values
from gui.app.desks.maps import map_title
from gui.app.desks.work_precision import measured_title
from gui.app.documents import Result
from gui.app.session.results import MAP, WORK_PRECISION
from gui.qt.export.inside import RESULTS
from robots.sweeps.files import SweepTable
from robots.sweeps.work_precision import points_of


def results_of_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> dict[str, str]:
    """The results in an NPZ file, as one of the texts inside; nothing in the file of a run."""
    if "axis_0" in arrays:
        return _text(_map(SweepTable.from_npz(arrays)))
    return _text(_measured(json.loads(str(arrays["measured"])))) if "measured" in arrays else {}


def results_of_table(file: Path, description: Values) -> dict[str, str]:
    """The same for a CSV file and the description beside it."""
    if "axes" in description:
        return _text(_map(SweepTable.from_csv(file.read_text(encoding="utf-8"), description)))
    return _text(_measured(description)) if "points" in description else {}


def _map(table: SweepTable) -> Result:
    return Result(MAP, map_title(table.result.sweep), table.result.to_data())


def _measured(data: Values) -> Result:
    return Result(WORK_PRECISION, measured_title(points_of(data)), {key: data[key] for key in ("scenario", "points")})


def _text(result: Result) -> dict[str, str]:
    return {RESULTS: json.dumps([result.to_data()])}
