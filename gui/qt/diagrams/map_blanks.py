"""Why cells of a map are blank, in words."""

from __future__ import annotations

import numpy as np

from gui.app import units
from gui.app.desks.readout_words import why_absent
from gui.charts.map import FINISHED, MapGrid, cell_numbers
from robots.sweeps.run_numbers import STATUS
from robots.sweeps.sweep import SweepResult


def blanks(result: SweepResult, name: str) -> str:
    """Why cells are blank: the runs that have no number, or one that its scale does not have; empty without any."""
    if name == STATUS or not result.begun:
        return ""
    grid = MapGrid(result)
    values, number = cell_numbers(grid, name, "")
    done = grid.cells(result.status == FINISHED)
    none = int(np.count_nonzero(done & np.isnan(values)))
    off = int(np.count_nonzero(done & ~np.isnan(values) & ~np.isfinite(number.place(values))))
    texts = []
    if none:
        why = why_absent(name)
        texts.append(f"Blank: no value in {units.count(none, 'run')}{f', {why}' if why else ''}.")
    if off:
        texts.append(f"Blank: {units.count(off, 'run')} with 0 or less, which a logarithmic scale cannot show.")
    return " ".join(texts)
