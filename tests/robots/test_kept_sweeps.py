"""In which order maps are computed, and how their results are kept on disk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from robots.scenario.presets import find_preset
from robots.simulation.disk_cache import DiskCache
from robots.sweeps.axes import SweepAxis
from robots.sweeps.order import BordersFirst, InOrder
from robots.sweeps.storage import kept
from robots.sweeps.storage.kept import read_result, write_later, write_result
from robots.sweeps.sweep import FAILED, STATUSES, Sweep, SweepResult

SWING = find_preset("rr-swing").with_value("duration", 0.5)


def grid(n: int, *, methods: tuple[str, ...] = (), start: float = -3.0) -> Sweep:
    axes = SweepAxis("initial.q1", start, 3.0, n), SweepAxis("robot.m1", 0.5, 2.0, n)
    return Sweep(SWING, axes[: 1 if methods else 2], ("final.q1", "steps"), methods)


@pytest.mark.parametrize("late", [0, 3])
def test_borders_are_computed_long_before_the_rest(late: int):
    """Inside a circle runs fail; jobs come back at once, or three jobs later."""
    n = 200
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    bad, values = x**2 + y**2 < 0.4, (x + 0.3 * y).ravel()
    result = SweepResult.empty(grid(n))
    upcoming, taken, waiting = BordersFirst(result), list[int](), deque[list[int]]()
    while len(upcoming):
        part = upcoming.take(200)
        assert part
        taken += part
        waiting.append(part)
        if len(waiting) > late:
            done = waiting.popleft()
            result.status[done] = np.where(bad.ravel()[done], 3, 0)
            result.numbers[done, 0] = values[done]
    assert sorted(taken) == list(range(n * n)), "each run once"
    edge = np.zeros_like(bad)
    for one, other in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        edge[one] |= bad[one] != bad[other]
        edge[other] |= bad[one] != bad[other]
    place = np.argsort(taken)[edge.ravel()]
    assert place.max() < (0.1 if late == 0 else 0.35) * n * n, "without it, the last of them comes at the end"


def test_runs_that_were_lost_or_computed_before_are_taken_once():
    result = SweepResult.empty(grid(8, methods=("rk1", "rk4")))
    result.status[:10] = 0
    for upcoming in (BordersFirst(result), InOrder(result.missing)):
        assert len(upcoming) == 6
        first = upcoming.take(4)
        upcoming.put_back(first)
        assert len(upcoming) == 6
        assert sorted(upcoming.take(100) + upcoming.take(100)) == list(range(10, 16))
        assert upcoming.take(1) == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's cache folder, empty."""
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path)
    return tmp_path


def test_a_result_is_read_back_to_the_last_bit_unless_anything_differs(folder: Path, monkeypatch: pytest.MonkeyPatch):
    result = SweepResult.empty(grid(4))
    result.status[3:] = 0
    result.numbers[3:] = np.random.default_rng(1).normal(size=(13, 2))
    assert write_result(result)
    renamed = Sweep(SWING.edited({"title": "Another title"})[0], result.sweep.axes, result.sweep.show)
    again = read_result(renamed)
    np.testing.assert_array_equal(again.numbers, result.numbers)
    np.testing.assert_array_equal(again.status, result.status)
    result.status[5] = STATUSES.index(FAILED)
    write_result(result)
    assert read_result(result.sweep).missing.tolist() == [0, 1, 2, 5], "one without memory is tried again"
    assert len(read_result(grid(4, start=-2.9)).missing) == 16
    (file,) = (folder / "sweeps").glob("*.npz")
    whole = file.read_bytes()
    for damaged in (whole[:-30], whole[:200] + b"x" + whole[201:], b"", b"no archive"):
        file.write_bytes(damaged)
        assert len(read_result(grid(4)).missing) == 16
    for unknown in (-2, len(STATUSES)):
        result.status[5] = unknown
        write_result(result)
        assert len(read_result(grid(4)).missing) == 16
        with pytest.raises(ValueError, match="unknown way"):
            SweepResult.from_data(result.to_data())
    file.write_bytes(whole)
    monkeypatch.setattr(kept, "program", lambda: "another version")
    assert len(read_result(grid(4)).missing) == 16


@pytest.mark.usefixtures("folder")
def test_a_result_on_its_way_to_the_disk_is_read_from_memory():
    result, later = SweepResult.empty(grid(4)), list[Callable[[], object]]()
    result.status[3:] = 0
    result.numbers[3:] = 7.0
    write_later(result, later.append)
    write_later(result, later.append)
    for write in later:
        assert read_result(result.sweep).numbers is result.numbers
        write()
    again = read_result(result.sweep)
    assert again.numbers is not result.numbers
    np.testing.assert_array_equal(again.numbers, result.numbers)
    np.testing.assert_array_equal(again.status, result.status)


def test_the_cache_is_bounded_and_keeps_what_was_used_last(tmp_path: Path):
    cache = DiskCache("test", most_files=3, most_bytes=30_000, largest=20_000)
    for k in range(3):
        assert cache.write(cache.file(k, tmp_path), {"a": np.full(100, float(k))})
    assert cache.read(cache.file(0, tmp_path)) is not None
    assert cache.write(cache.file(3, tmp_path), {"a": np.zeros(100)})
    assert cache.read(cache.file(1, tmp_path)) is None, "not used for longest"
    assert cache.read(cache.file(0, tmp_path)) is not None
    assert not cache.write(cache.file(4, tmp_path), {"a": np.zeros(2501)}), "too large"
    assert cache.write(cache.file(5, tmp_path), {"a": np.zeros(2400)})
    assert cache.write(cache.file(6, tmp_path), {"a": np.zeros(2400)})
    assert sum(file.stat().st_size for file in tmp_path.glob("*.npz")) <= 30_000
