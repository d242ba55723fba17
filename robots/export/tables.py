"""A run as a file: its states over time as CSV for spreadsheets or NPZ for numpy, or the script that computes it."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np

from assets.errors import BadInput
from robots.export.as_python import as_python
from robots.scenario.file import write_atomically
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run

SUFFIXES = (".csv", ".npz", ".py")


def check_target(path: Path, scenario: Scenario | None = None) -> Path:
    """`path`, when a table or a script can be written there; asked before the run, so that no work is lost.

    Raises:
        BadInput: for another suffix, a folder that is not there or cannot be written to, a scenario without a script.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise BadInput("--out", str(path), "a file that ends in .csv, .npz or .py")
    if not path.parent.is_dir():
        raise BadInput("--out", str(path), "in an existing folder")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadInput("--out", str(path), "in a place where files can be written")
    if scenario is not None and path.suffix.lower() == ".py":
        as_python(scenario)
    return path


def write_table(run: Run, path: Path) -> None:
    """Write the run's table to `path`, as its suffix says.

    A CSV has a header row, `t` first, and every digit of every number. An NPZ has one array for each column, and the
    scenario's JSON text as `scenario`. A `.py` is the script of `robots.export.as_python`.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    if path.suffix.lower() == ".py":
        write_atomically(path, as_python(run.scenario).encode("utf-8"))
        return
    columns = run.table()
    if path.suffix.lower() == ".npz":
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **columns, scenario=np.array(run.scenario.to_json()))
        write_atomically(path, content.getvalue())
        return
    rows = np.stack(list(columns.values()), axis=1).tolist()
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
    write_atomically(path, ("\n".join(lines) + "\n").encode("ascii"))
