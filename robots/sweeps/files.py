"""The result of a sweep as arrays (NPZ) and as a table (CSV, JSON)."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assets.version import version
from robots.export.table import npz_bytes
from robots.sweeps.run_numbers import STATUS
from robots.sweeps.sweep import SweepResult


@dataclass(frozen=True, slots=True)
class SweepTable:
    """The result as a table: one row for each run, with the method if methods are an axis, the fields, the status."""

    result: SweepResult

    def to_csv(self) -> str:
        """The rows as comma-separated text with a header; a number that a run does not have is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._columns())
        writer.writerows(zip(*self._columns().values(), strict=True))
        return text.getvalue()

    def to_json(self) -> str:
        """The rows as a JSON array of objects; a number that a run does not have is null."""
        columns = self._columns()
        return json.dumps(
            [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], indent=1
        )

    def description(self) -> str:
        """What the table is of, for a file beside one that has room for numbers alone: JSON with the scenario."""
        return json.dumps({"armstep": version(), **self.result.sweep.to_data()}, indent=1)

    def to_npz(self) -> bytes:
        """`axis_0`, `axis_1`, one array for each readout, `status`, and the `scenario` as JSON.

        Where methods are an axis, `methods` has their keys and each array one layer for each of them, in front.
        """
        result, sweep = self.result, self.result.sweep
        arrays = {f"axis_{k}": axis.values for k, axis in enumerate(sweep.axes)}
        arrays["fields"] = np.array([axis.field for axis in sweep.axes])
        if sweep.methods:
            arrays["methods"] = np.array([base.method for base in sweep.bases])
        arrays |= result.readings() | {STATUS: result.statuses()}
        return npz_bytes(arrays | {"scenario": np.array(sweep.scenario.alone().to_json())})

    def _columns(self) -> dict[str, Sequence[object]]:
        sweep = self.result.sweep
        axes = {axis.field: axis.values.tolist() for axis in sweep.axes}
        named = {**({"method": [base.method for base in sweep.bases]} if sweep.methods else {}), **axes}
        grid = np.indices(sweep.shape).reshape(len(named), -1).tolist()
        places = {name: [values[k] for k in row] for (name, values), row in zip(named.items(), grid, strict=True)}
        numbers = {
            name: [value if math.isfinite(value) else None for value in values.ravel().tolist()]
            for name, values in self.result.readings().items()
        }
        return {**places, STATUS: self.result.statuses().ravel().tolist(), **numbers}
