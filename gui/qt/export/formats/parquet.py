"""Parquet: a run's table for data frames, through pyarrow; units and scenario are in its metadata."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from gui.qt.export.format import COLUMNS, DataFormat, needed

if TYPE_CHECKING:
    from robots.export.table import RunData


def as_parquet(data: RunData) -> bytes:
    """The table as one file."""
    arrow, parquet = needed("pyarrow", "parquet"), needed("pyarrow.parquet", "parquet")
    columns = data.columns()
    units = data.units(columns)
    fields = [arrow.field(name, arrow.float64(), metadata={"unit": units[name]}) for name in columns]
    schema = arrow.schema(fields, metadata=dict(data.texts))
    content = io.BytesIO()
    parquet.write_table(arrow.table(list(columns.values()), schema=schema), content)
    return content.getvalue()


def parquet_texts(path: Path) -> dict[str, str]:
    """The texts in the file's metadata."""
    found = needed("pyarrow.parquet", "parquet").read_schema(path).metadata or {}
    return {key.decode(): text.decode() for key, text in found.items() if not key.startswith(b"ARROW:")}


FORMAT = DataFormat(
    suffix=".parquet",
    label="Parquet table, for data frames",
    place=55,
    settings=COLUMNS,
    write=as_parquet,
    reader=parquet_texts,
    check=lambda _: needed("pyarrow", "parquet"),
)
