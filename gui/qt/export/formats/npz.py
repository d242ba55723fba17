"""NPZ: a run's table for numpy; one array for each column, and the scenario's JSON text as `scenario`."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from gui.qt.export.format import COLUMNS, DataFormat
from robots.export.table import RunData


def as_npz(data: RunData) -> bytes:
    """The arrays in one file."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **data.columns(), scenario=np.array(data.run.scenario.to_json()))
    return content.getvalue()


def npz_texts(path: Path) -> dict[str, str]:
    """The texts among the arrays."""
    with np.load(path, allow_pickle=False) as arrays:
        return {key: str(arrays[key]) for key in arrays.files if arrays[key].dtype.kind == "U"}


FORMAT = DataFormat(suffix=".npz", label="NumPy arrays", place=51, settings=COLUMNS, write=as_npz, reader=npz_texts)
