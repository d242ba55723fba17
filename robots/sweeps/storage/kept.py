"""Results of sweeps on disk, by scenario, ranges and version: the map of yesterday is there at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from robots.simulation.disk_cache import DiskCache, program
from robots.sweeps.sweep import FAILED, NO_MEMORY, STATUSES, Sweep, SweepResult

CACHE = DiskCache("sweeps", most_files=256, most_bytes=512 * 2**20, largest=256 * 2**20)


def read_result(sweep: Sweep, folder: Path | None = None) -> SweepResult:
    """What was computed of a sweep before, with this version of Armstep; nothing of it otherwise.

    Args:
        sweep: its name and its look do not matter.
        folder: where results are kept; None is the person's cache folder.
    """
    data, found = CACHE.read(_file(sweep, folder)), SweepResult.empty(sweep)
    if data is None or {*data} != {"status", "numbers"}:
        return found
    status, numbers = data["status"], data["numbers"]
    same = (status.shape, status.dtype, numbers.shape, numbers.dtype) == (
        (found.status.shape, found.status.dtype, found.numbers.shape, found.numbers.dtype)
    )
    if not same or status.min() < -1 or status.max() >= len(STATUSES):
        return found
    return SweepResult(sweep, status, numbers)


def write_result(result: SweepResult, folder: Path | None = None) -> bool:
    """Keep what was computed; returns whether it is kept. Runs that lacked memory may succeed another time."""
    again = np.isin(result.status, [STATUSES.index(FAILED), STATUSES.index(NO_MEMORY)])
    status = np.where(again, -1, result.status).astype(result.status.dtype)
    arrays = {"status": status, "numbers": np.array(result.numbers)}
    return CACHE.write(_file(result.sweep, folder), arrays)


def _file(sweep: Sweep, folder: Path | None) -> Path:
    facts = sweep.to_data()
    del facts["scenario"]
    return CACHE.file([program(), sweep.scenario.hash(), facts], folder)
