"""Plain rows, all with the same columns, as files."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets.fields import Data
from assets.writing import csv_text
from robots.export.table import npz_bytes


@dataclass(frozen=True, slots=True)
class PlainTable:
    """What a tool has measured, a row for each case; a number that does not exist is None."""

    rows: tuple[Data, ...]

    def to_csv(self) -> str:
        """The rows as comma-separated text with a header."""
        names = list(self.rows[0]) if self.rows else []
        return csv_text([names, *([row[name] for name in names] for row in self.rows)])

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """The columns as NumPy arrays; a number that does not exist is nan."""
        columns = {name: [row[name] for row in self.rows] for name in (self.rows[0] if self.rows else ())}
        texts = {name for name, values in columns.items() if any(isinstance(value, str) for value in values)}
        return {name: np.array(values, str if name in texts else float) for name, values in columns.items()}

    def to_npz(self) -> bytes:
        """The columns in one file."""
        return npz_bytes(self.columns())

    def to_json(self) -> str:
        """The rows as a JSON array of objects."""
        return json.dumps(self.rows, allow_nan=False, indent=1)
