"""The window in use keeps no more from round to round: nothing that it makes grows each time the same is done."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from itertools import pairwise
from pathlib import Path

import pytest
from pyqtgraph import GraphicsItem
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from assets.memory import LARGE_BLOCK, give_back
from gui.app.settings import Settings
from gui.qt.window.application import open_window
from gui.qt.window.main_window import MainWindow
from scene.gl import buffers
from tests.window.conftest import close, wait_until_ready
from tests.window.hands import PATIENCE, wait_done

OURS = ("assets.", "gui.", "robots.", "run.", "scene.", "solvers.", "pyqtgraph.")
WARM, ROUNDS = 2, 4
"""What is made once is there after the first rounds; the others are compared."""

MOST_SHOWN, MOST_LEFT = 450.0, 100.0
"""What 10^7 steps of the RR arm may take while they are shown, and leave behind [MiB]: see docs/architecture.md."""


@pytest.fixture(autouse=True)
def caches() -> Iterator[list[_lru_cache_wrapper[object]]]:
    """The caches that there are before; what else earlier tests have left is set aside, and not looked through."""
    gc.collect()
    found = [one for one in gc.get_objects() if issubclass(type(one), _lru_cache_wrapper)]
    gc.freeze()
    yield found
    gc.unfreeze()


def compared(qtbot: QtBot, window: MainWindow) -> None:
    """Until every run is done, judged, and compared with its reference, and nothing waits to be drawn."""
    wait_done(qtbot, window)
    rows = window.session.runs
    qtbot.waitUntil(
        lambda: all(row.judged and row.reference_state != "computing" for row in rows.all), timeout=PATIENCE
    )
    for _ in range(3):
        QApplication.processEvents()


def living(caches: list[_lru_cache_wrapper[object]]) -> Counter[str]:
    """How many objects of the program's own types and widgets there are, and how much each cache holds."""
    # Points of a hundred ranges at most, whichever plots showed: not a cache of functools.
    GraphicsItem._pixelVectorGlobalCache.clear()
    gc.collect()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    found = Counter({"widgets": len(QApplication.allWidgets())})
    for one in [*caches, *gc.get_objects()]:
        kind = type(one)
        if issubclass(kind, _lru_cache_wrapper):  # isinstance asks a weak reference for its class
            name = getattr(one, "__qualname__", repr(one))  # one around a partial has no name
            found[f"cache {one.__module__}.{name}"] = one.cache_info().currsize
        elif isinstance(kind.__module__, str) and kind.__module__.startswith(OURS):
            found[f"{kind.__module__}.{kind.__qualname__}"] += 1
    return found


def always_more(rounds: list[Counter[str]]) -> dict[str, list[int]]:
    """What there was more of after each round than after the one before."""
    counts = {name: [one[name] for one in rounds] for name in rounds[-1]}
    return {name: each for name, each in counts.items() if all(a < b for a, b in pairwise(each))}


def preset_by_preset(qtbot: QtBot, window: MainWindow, number: int) -> None:
    for name in ("rr-swing", "rr-pd"):
        window.session.files.new(name)
        compared(qtbot, window)


def edited_pinned_and_removed(qtbot: QtBot, window: MainWindow, number: int) -> None:
    session = window.session
    session.files.new("rr-swing")
    session.edit("robot.m1", 1.5)
    compared(qtbot, window)
    pinned = session.comparisons.pin()
    session.edit("method", "heun" if session.scenario.method != "heun" else "rk4")
    compared(qtbot, window)
    window.resize(1280 + 20 * (number % 2), 800)
    session.comparisons.remove(pinned)
    compared(qtbot, window)


@pytest.mark.parametrize("use", [preset_by_preset, edited_pinned_and_removed])
def test_what_is_done_again_keeps_nothing_more(
    use: Callable[[QtBot, MainWindow, int], None],
    caches: list[_lru_cache_wrapper[object]],
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buffers, "REMEMBERED_SHAPES", 4)  # full at once
    rounds = []
    for number in range(WARM + ROUNDS):
        use(qtbot, window, number)
        if number >= WARM:
            rounds.append(living(caches))
    assert len({one["robots.simulation.run.Run"] for one in rounds}) == 1
    assert len({one["widgets"] for one in rounds}) == 1
    assert not always_more(rounds)


def test_a_closed_window_leaves_nothing(
    caches: list[_lru_cache_wrapper[object]], settings: Settings, qtbot: QtBot
) -> None:
    left = []
    for _ in range(2):
        window = open_window(settings, None, gallery=False)
        wait_until_ready(qtbot, window)
        compared(qtbot, window)
        close(window)
        del window
        left.append(living(caches))
    first, second = left
    more = {name: n - first[name] for name, n in second.items() if n > first[name] and not name.startswith("cache")}
    # A few empty objects.
    small = {"gui.qt.access.spoken.Spoken", "gui.qt.window.bridge.Dispatcher"}
    assert more.keys() <= small, more
    assert not {name for name in second if name.startswith("gui.qt.plots.")}


class Heap(ctypes.Structure):
    """What glibc's `mallinfo2` says; `free` is what its heap holds and nobody uses [bytes]."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in ("arena", "pieces", "few", "mapped", "hblkhd", "usmblks", "fsmblks", "used", "free", "keepcost")
    )


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="asks glibc")
def test_large_blocks_that_are_free_do_not_stay_in_the_heap() -> None:
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = Heap
    gc.collect()
    give_back()
    before = ask().free
    # The first that is freed teaches glibc to put others of its size between smaller ones that stay.
    first = bytearray(3 * LARGE_BLOCK)
    del first
    large, small = [], []
    for _ in range(40):
        large.append(bytearray(2 * LARGE_BLOCK))
        small.append(bytearray(LARGE_BLOCK // 8))
    large.clear()
    assert ask().free - before < 8 * LARGE_BLOCK


def private_memory() -> float:
    """What the process has for itself [MiB], once it has given back what is free."""
    gc.collect()
    give_back()
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("RssAnon:"))
    return int(line.split()[1]) / 1024


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_run_of_ten_million_steps_keeps_to_its_bound_and_gives_its_memory_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    session = window.session
    compared(qtbot, window)
    before, shown, left = private_memory(), [], []
    for _ in range(2):
        session.edit("step", 1e-6)
        compared(qtbot, window)
        for key in ("error", "steps", ""):
            session.view.set(enlarged=key)
            QTest.qWait(100)
        shown.append(private_memory() - before)
        session.edit("step", 0.01)
        compared(qtbot, window)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        left.append(private_memory() - before)
    assert max(shown) < MOST_SHOWN, shown
    assert max(left) < MOST_LEFT, left


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_stays_when_presets_are_opened_again_and_again(window: MainWindow, qtbot: QtBot) -> None:
    after = []
    for number in range(24):
        preset_by_preset(qtbot, window, number)
        after.append(private_memory())
    # Six for the card's 24 shapes, and room for what the system's memory does by itself.
    assert after[-1] < after[0] + 20.0, after
