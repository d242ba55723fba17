"""NPZ: a run's table for numpy; one array for each column, and the scenario's JSON text as `scenario`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gui.qt.export.format import COLUMNS, DataFormat
from robots.export.table import RunData, npz_bytes


def as_npz(data: RunData) -> bytes:
    """The arrays in one file."""
    return npz_bytes({**data.columns(), "scenario": np.array(data.run.scenario.to_json())})


def npz_texts(path: Path) -> dict[str, str]:
    """The texts among the arrays."""
    with np.load(path, allow_pickle=False) as arrays:
        return {key: str(arrays[key]) for key in arrays.files if arrays[key].dtype.kind == "U"}


FORMAT = DataFormat(
    suffix=".npz",
    label="NumPy arrays",
    place=51,
    settings=COLUMNS,
    write=as_npz,
    table=lambda table: table.to_npz(),
    reader=npz_texts,
)
