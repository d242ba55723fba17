"""Results of sweeps on disk, by scenario, ranges and version: yesterday's map opens at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from robots.simulation.disk_cache import DiskCache, program
from robots.sweeps.sweep import FAILED, NO_MEMORY, STATUSES, Sweep, SweepResult, known

CACHE = DiskCache("sweeps", most_files=256, most_bytes=512 * 2**20, largest=256 * 2**20)

_unwritten: dict[Path, SweepResult] = {}
"""Results that are about to be written."""


def read_result(sweep: Sweep) -> SweepResult:
    """What was computed of a sweep before, with this version of Armstep and whatever name and look; else nothing."""
    file = _file(sweep)
    if (waiting := _unwritten.get(file)) is not None:
        return SweepResult(sweep, waiting.status, waiting.numbers)
    data, found = CACHE.read(file), SweepResult.empty(sweep)
    if data is None or {*data} != {"status", "numbers"}:
        return found
    status, numbers = data["status"], data["numbers"]
    same = (status.shape, status.dtype, numbers.shape, numbers.dtype) == (
        (found.status.shape, found.status.dtype, found.numbers.shape, found.numbers.dtype)
    )
    return SweepResult(sweep, status, numbers) if same and known(status) else found


def write_result(result: SweepResult) -> bool:
    """Keep what was computed; returns whether it is kept. Runs that lacked memory may succeed another time."""
    # The status first: a run that another thread adds has its numbers before its status.
    status = result.status.copy()
    status[np.isin(status, [STATUSES.index(FAILED), STATUSES.index(NO_MEMORY)])] = -1
    arrays = {"status": status, "numbers": np.array(result.numbers)}
    return CACHE.write(_file(result.sweep), arrays)


def write_later(result: SweepResult, later: Callable[[Callable[[], object]], object]) -> None:
    """As `write_result`, which takes half a second for a million runs; `later` does it in another thread.

    Until it is done, `read_result` returns what is in memory.
    """
    file, waiting = _file(result.sweep), replace(result)
    _unwritten[file] = waiting

    def write() -> None:
        try:
            write_result(waiting)
        finally:
            if _unwritten.get(file) is waiting:
                del _unwritten[file]

    later(write)


def _file(sweep: Sweep) -> Path:
    facts = sweep.to_data()
    del facts["scenario"]
    return CACHE.file([program(), sweep.scenario.hash(), facts])
