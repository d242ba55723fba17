"""NPZ: a run's table for numpy; one array for each column, and texts: `scenario` (JSON), `armstep`, `citation`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gui.qt.export.format import COLUMNS, DataFormat

if TYPE_CHECKING:
    from robots.export.table import RunData


def as_npz(data: RunData) -> bytes:
    """The arrays in one file."""
    from robots.export.table import npz_bytes

    return npz_bytes({**data.columns(), **{key: np.array(text) for key, text in data.texts.items()}})


def npz_texts(path: Path) -> dict[str, str]:
    """The texts among the arrays, and the results that they are."""
    from gui.qt.export.results import results_of_arrays

    with np.load(path, allow_pickle=False) as file:
        arrays = {key: file[key] for key in file.files}
    texts = {key: str(one) for key, one in arrays.items() if one.dtype.kind == "U" and one.ndim == 0}
    return {**texts, **results_of_arrays(arrays)}


FORMAT = DataFormat(
    suffix=".npz",
    label="NumPy arrays",
    place=51,
    settings=COLUMNS,
    write=as_npz,
    table=lambda table: table.to_npz(),
    reader=npz_texts,
)
