"""CSV: a run's table for spreadsheets; a header row, `t` first, and every digit of every number.

Units, scenario and version are in a second file, FILE.csv.json, so that every program reads the first as it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import ArmstepError
from gui.qt.export.format import COLUMNS, DataFormat

if TYPE_CHECKING:
    from robots.export.table import RunData


def as_csv(data: RunData) -> bytes:
    """The table."""
    columns = data.columns()
    rows = np.stack(list(columns.values()), axis=1).tolist()
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode("ascii")


def csv_texts(path: Path) -> dict[str, str]:
    """The texts in the file beside the table."""
    from gui.qt.export.results import results_of_table

    beside = path.with_name(f"{path.name}.json")
    if not beside.exists():
        raise ArmstepError(f"its scenario is in {beside.name}, which must be in the same folder")
    found = json.loads(beside.read_text(encoding="utf-8"))
    texts = {key: one if isinstance(one, str) else json.dumps(one) for key, one in found.items() if key != "columns"}
    return {**texts, **results_of_table(path, found)}


FORMAT = DataFormat(
    suffix=".csv",
    label="CSV table",
    place=50,
    settings=COLUMNS,
    write=as_csv,
    beside=lambda data: data.description().encode(),
    table=lambda table: table.to_csv().encode(),
    reader=csv_texts,
)
