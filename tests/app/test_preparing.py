"""Runs wait for their kernels; the window hears what it waits for."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.errors import ArmstepError
from gui.app.session.preparing import Preparing
from robots.preparation import team
from robots.preparation.batches import Batch
from robots.scenario.presets import find_preset
from tests.waiting import until

SMALL = Batch("two-springs", "bdf")
SCENARIO = find_preset("two-springs")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> queue.SimpleQueue[Callable[[], None]]:
    """What comes to the window's thread. There is one batch to prepare, and nothing is ready."""
    monkeypatch.setattr(team, "batches", lambda: (SMALL,))
    return queue.SimpleQueue()


def heard(preparing: Preparing, calls: queue.SimpleQueue[Callable[[], None]]) -> list[tuple[str, str]]:
    """Each pair of sentences in turn."""
    found: list[tuple[str, str]] = []
    preparing.changed.connect(lambda: found.append((preparing.awaited, preparing.progress)))
    while not calls.empty():
        calls.get()()
    return found


def test_a_run_waits_for_its_kernels_and_says_how_long(
    calls: queue.SimpleQueue[Callable[[], None]], tmp_path: Path
) -> None:
    preparing = Preparing(calls.put, tmp_path)
    preparing.wait_for(SCENARIO, ["bdf6"], lambda: False)
    sentences = heard(preparing, calls)
    assert sentences[0][1] == "Preparing all robots: 0%", "no time left before one is measured"
    assert any(awaited.startswith("Two bending links: about ") for awaited, _ in sentences)
    assert sentences[-1] == ("", "")
    began = time.perf_counter()
    preparing.wait_for(SCENARIO, ["bdf2"], lambda: False)
    assert time.perf_counter() - began < 1.0
    assert heard(preparing, calls) == []


def test_a_run_that_is_stopped_waits_no_longer(calls: queue.SimpleQueue[Callable[[], None]], tmp_path: Path) -> None:
    preparing = Preparing(calls.put, tmp_path)
    with pytest.raises(ArmstepError, match="Stopped before"):
        preparing.wait_for(SCENARIO, ["bdf6"], lambda: True)
    preparing.close()
    preparing.wait_for(SCENARIO, ["bdf6"], lambda: False)


def test_what_is_not_prepared_is_not_waited_for(calls: queue.SimpleQueue[Callable[[], None]], tmp_path: Path) -> None:
    Preparing().wait_for(SCENARIO, ["bdf6"], lambda: True)
    preparing = Preparing(calls.put, tmp_path)
    preparing.close()
    preparing.wait_for(find_preset("rr-swing"), ["rk4"], lambda: True)
    assert heard(preparing, calls) == []


def test_a_run_compiles_itself_where_no_process_can(
    calls: queue.SimpleQueue[Callable[[], None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(command: list[str], **_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(team.subprocess, "Popen", refuse)
    preparing = Preparing(calls.put, tmp_path)
    preparing.wait_for(SCENARIO, ["bdf6"], lambda: False)
    assert heard(preparing, calls)[-1:] in ([], [("", "")])
    said = "compiled when first used: two-springs, bdf: no process can be started (Resource temporarily unavailable)"
    until(lambda: said in [record.getMessage() for record in caplog.records])
