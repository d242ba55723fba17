"""A run's states over time as a file: CSV for spreadsheets, NPZ for numpy."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np

from assets.errors import BadInput
from robots.run import Run
from robots.scenario_file import write_atomically

SUFFIXES = (".csv", ".npz")


def check_target(path: Path) -> Path:
    """`path`, when a table can be written there; asked before the run, so that no work is lost.

    Raises:
        BadInput: for another suffix, or a folder that is not there or cannot be written to.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise BadInput("--out", str(path), "a file that ends in .csv or .npz")
    if not path.parent.is_dir():
        raise BadInput("--out", str(path), f"a file in a folder that exists; {path.parent} does not")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadInput("--out", str(path), "a place that can be written to")
    return path


def write_table(run: Run, path: Path) -> None:
    """Write the run's table to `path`, as its suffix says.

    A CSV has a header row, `t` first, and every digit of every number. An NPZ has one array for each column, and the
    scenario's JSON text as `scenario`.

    Raises:
        ArmstepError: naming the path and the reason.
    """
    columns = run.table()
    if path.suffix.lower() == ".npz":
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **columns, scenario=np.array(run.scenario.to_json()))
        write_atomically(path, content.getvalue())
        return
    rows = np.stack(list(columns.values()), axis=1).tolist()
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
    write_atomically(path, ("\n".join(lines) + "\n").encode("ascii"))
