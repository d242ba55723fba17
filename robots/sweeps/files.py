"""The result of a sweep as arrays (NPZ) and as a table (CSV)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from assets.errors import BadInput
from robots.sweeps.run_numbers import STATUS
from robots.sweeps.sweep import SweepResult


def to_npz(result: SweepResult) -> bytes:
    """`axis_0`, `axis_1`, one array for each readout, `status`, and the `scenario` as JSON.

    Where methods are an axis, `methods` has their keys and each array one layer for each of them, in front.
    """
    sweep = result.sweep
    arrays = {f"axis_{k}": axis.values for k, axis in enumerate(sweep.axes)}
    arrays["fields"] = np.array([axis.field for axis in sweep.axes])
    if sweep.methods:
        arrays["methods"] = np.array([base.method for base in sweep.bases])
    arrays |= result.readings() | {STATUS: result.statuses(), "scenario": np.array(sweep.scenario.alone().to_json())}
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def to_csv(result: SweepResult) -> bytes:
    """One row for each run: the method if methods are an axis, the fields, the status and the readouts."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    readings = {name: values.ravel().tolist() for name, values in result.readings().items()}
    names, columns = _places(result)
    writer.writerow([*names, STATUS, *readings])
    places = zip(*columns, strict=True)
    rows = zip(places, result.statuses().ravel().tolist(), *readings.values(), strict=True)
    writer.writerows([*place, status, *map(_cell, values)] for place, status, *values in rows)
    return text.getvalue().encode()


WRITERS: Mapping[str, Callable[[SweepResult], bytes]] = {".npz": to_npz, ".csv": to_csv}


def writer_for(file: Path) -> Callable[[SweepResult], bytes]:
    """What makes the file's content.

    Raises:
        BadInput: another suffix, or a folder that does not exist.
    """
    if file.suffix.lower() not in WRITERS:
        raise BadInput("--out", str(file), "a file that ends in " + " or ".join(WRITERS))
    if not file.parent.is_dir():
        raise BadInput("--out", str(file), "in an existing folder")
    return WRITERS[file.suffix.lower()]


def _places(result: SweepResult) -> tuple[list[str], Iterator[list[object]]]:
    """The columns that say where each run lies, and their values."""
    sweep = result.sweep
    axes = {axis.field: axis.values.tolist() for axis in sweep.axes}
    named = {**({"method": [base.method for base in sweep.bases]} if sweep.methods else {}), **axes}
    grid = np.indices(sweep.shape).reshape(len(named), -1)
    columns = ([values[k] for k in row] for values, row in zip(named.values(), grid.tolist(), strict=True))
    return list(named), columns


def _cell(value: float) -> float | str:
    return value if np.isfinite(value) else ""
