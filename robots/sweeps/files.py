"""The result of a sweep as arrays (NPZ) and as a table (CSV, JSON)."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from assets.fields import Values
from assets.writing import csv_text
from robots.export.citation import provenance
from robots.export.rows import PlainTable
from robots.export.table import npz_bytes
from robots.model.registry import robot_of
from robots.model.robot import Array
from robots.scenario.scenario import Scenario
from robots.sweeps.axes import SweepAxis
from robots.sweeps.run_numbers import STATUS, run_number
from robots.sweeps.sweep import STATUSES, Sweep, SweepResult


@dataclass(frozen=True, slots=True)
class SweepTable:
    """The result as a table: one row for each run, with the method if methods are an axis, the fields, the status."""

    result: SweepResult

    def to_csv(self) -> str:
        """The rows as comma-separated text with a header; a number that a run does not have is empty."""
        columns = self._columns()
        return csv_text(chain([columns], zip(*columns.values(), strict=True)))

    def to_json(self) -> str:
        """The rows as a JSON array of objects; a number that a run does not have is null."""
        columns = self._columns()
        rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        return PlainTable(tuple(rows)).to_json()

    def description(self) -> str:
        """What the table shows and the units of its columns, as JSON: for a file beside one that holds numbers only."""
        sweep = self.result.sweep
        return json.dumps({**provenance(sweep.bases), **sweep.to_data(), "columns": self._units()}, indent=1)

    def _units(self) -> dict[str, str]:
        """The units of the columns that have one."""
        scenario = self.result.sweep.scenario
        fields, robot = scenario.fields(), robot_of(scenario)
        units = {axis.field: fields[axis.field].unit for axis in self.result.sweep.axes if axis.field in fields}
        units |= {name: run_number(name).unit(robot) for name in self.result.sweep.show}
        return {name: unit for name, unit in units.items() if unit}

    def to_npz(self) -> bytes:
        """`axis_0`, `axis_1`, one array for each readout, `status`, the `scenario` as JSON, and what to cite.

        Where methods are an axis, `methods` has their keys and each array one layer for each of them, in front.
        """
        result, sweep = self.result, self.result.sweep
        arrays = {f"axis_{k}": axis.values for k, axis in enumerate(sweep.axes)}
        arrays["fields"] = np.array([axis.field for axis in sweep.axes])
        if sweep.methods:
            arrays["methods"] = np.array([base.method for base in sweep.bases])
        arrays |= result.readings() | {STATUS: result.statuses()}
        texts = {**provenance(sweep.bases), "scenario": sweep.scenario.alone().to_json()}
        return npz_bytes(arrays | {key: np.array(text) for key, text in texts.items()})

    @classmethod
    def from_npz(cls, arrays: Mapping[str, np.ndarray]) -> SweepTable:
        """The table that `to_npz` wrote, from the file's arrays.

        Raises:
            BadInput, KeyError, TypeError, ValueError: for anything else.
        """
        names = [str(name) for name in arrays["fields"]]
        axes = tuple(_axis(name, arrays[f"axis_{k}"]) for k, name in enumerate(names))
        methods = tuple(map(str, arrays["methods"])) if "methods" in arrays else ()
        own = {"fields", "methods", STATUS, *(f"axis_{k}" for k in range(len(axes)))}
        shown = {name: values for name, values in arrays.items() if name not in own and values.dtype.kind != "U"}
        numbers = {name: values.ravel() for name, values in shown.items()}
        scenario = Scenario.from_json(str(arrays["scenario"]))
        sweep = Sweep(scenario, axes, tuple(numbers) or (STATUS,), methods, reference=True)
        return cls(_result(sweep, numbers, [str(word) for word in arrays[STATUS].ravel()]))

    @classmethod
    def from_csv(cls, text: str, description: Values) -> SweepTable:
        """The table that `to_csv` wrote, with the `description` beside it.

        Raises:
            BadInput, KeyError, TypeError, ValueError: for anything else.
        """
        sweep = Sweep.from_data(description)
        rows = list(csv.DictReader(io.StringIO(text)))
        numbers = {
            name: np.array([float(row[name] or math.nan) for row in rows]) for name in sweep.show if name != STATUS
        }
        return cls(_result(sweep, numbers, [row[STATUS] for row in rows]))

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


def _axis(field: str, values: Array) -> SweepAxis:
    """The axis that has these values."""
    low, high, count = float(values[0]), float(values[-1]), len(values)
    even = SweepAxis(field, low, high, count)
    return even if np.allclose(even.values, values, rtol=1e-9, atol=0.0) else SweepAxis(field, low, high, count, True)


def _result(sweep: Sweep, numbers: Mapping[str, Array], ends: Sequence[str]) -> SweepResult:
    """The result with these numbers of each readout, (runs,), and words of how each run ended."""
    found = SweepResult.empty(sweep)
    found.status[:] = [STATUSES.index(word) if word else -1 for word in ends]
    for name, values in numbers.items():
        found.numbers[:, sweep.show.index(name)] = values
    return found
