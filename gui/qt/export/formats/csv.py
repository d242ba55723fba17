"""CSV: a run's table for spreadsheets; a header row, `t` first, and every digit of every number."""

from __future__ import annotations

import numpy as np

from gui.qt.export.format import DataFormat
from robots.simulation.run import Run


def as_csv(run: Run) -> bytes:
    """The table."""
    columns = run.table()
    rows = np.stack(list(columns.values()), axis=1).tolist()
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode("ascii")


FORMAT = DataFormat(
    suffix=".csv", label="CSV table", place=50, write=as_csv, table=lambda table: table.to_csv().encode()
)
