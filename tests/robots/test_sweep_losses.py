"""What sweeps lose on the way is computed again, and what was computed is kept: kill -9, full disks, no memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets.errors import ArmstepError
from gui.cli import main
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.sweeps import processes, runner
from robots.sweeps import workers as processes_of_this_machine
from robots.sweeps.processes import JobLost, Processes, finished, how_it_ended
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.runner import Runner
from robots.sweeps.storage.journal import Journal, journal_of
from robots.sweeps.workers import ProcessWorkers
from solvers.batch.integrate import BatchIntegrator
from tests.robots.test_sweep import SWING, command, sweep_of
from tests.waiting import until


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9")
def test_a_killed_command_goes_on_where_it_was(tmp_path: Path):
    file = tmp_path / "map.npz"
    words = command("--over", "robot.m1=0.5:2:40", "--over", "initial.q2=0:3:40", "--show", "final.q1,steps")
    words += ["--set", "step=0.0005", "--workers", "2", "--out", str(file)]
    program = [sys.executable, "-c", "from gui.cli import main; raise SystemExit(main())", *words]
    journal = journal_of(file)
    with subprocess.Popen(program, stderr=subprocess.DEVNULL) as running:
        until(lambda: journal.exists() and len(journal.read_text().splitlines()) > 3)
        os.kill(running.pid, signal.SIGKILL)
    kept = len(journal.read_text().splitlines())
    assert kept > 3
    assert not file.exists()
    assert main([*words, "--resume"]) == 0
    assert not journal.exists()
    with np.load(file) as data:
        assert (data["status"] == "finished").all()
        base = SWING.with_value("step", 0.0005)
        for (i, j), mass, angle in islice(_places(data), 0, None, 397):
            run = simulate(base.with_values({"robot.m1": mass, "initial.q2": angle}), repeat=False)
            assert data["final.q1"][i, j] == run.final["q1"]


def _places(data: dict[str, np.ndarray]):
    for i, first in enumerate(data["axis_0"].tolist()):
        for j, second in enumerate(data["axis_1"].tolist()):
            yield (i, j), first, second


def test_a_full_disk_keeps_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    sweep, file = sweep_of("robot.m1=0.5:2:4"), tmp_path / "a.npz.journal"
    rows = Runner(sweep).rows(range(2))

    def full(handle: int) -> None:
        raise OSError(28, os.strerror(28))

    with Journal(file, sweep) as journal:
        journal.add(rows[:1])
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(ArmstepError, match=r"the disk is full.*--resume goes on"):
            journal.add(rows[1:])
    monkeypatch.undo()

    def killed() -> None:
        with Journal(file, sweep, resume=True) as journal:
            assert journal.parts[0] == rows[:1]
            raise ArmstepError("A computing process was ended by the system for lack of memory.")

    with pytest.raises(ArmstepError, match=r"lack of memory\. What was computed before is kept: .*--resume goes on"):
        killed()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9")
@pytest.mark.parametrize(
    ("end", "with_what", "how"),
    [
        (os._exit, 3, r"ended by itself with exit code 3\."),
        (signal.raise_signal, signal.SIGKILL, r"was ended from outside \(SIGKILL\)"),
        (signal.raise_signal, signal.SIGSEGV, r"crashed \(SIGSEGV\)\."),
        (bytearray, 2**62, r"needed more memory than there is\."),
    ],
)
def test_how_a_process_was_lost_is_a_sentence(end: Callable[..., object], with_what: int, how: str):
    with Processes() as pool:
        lost = pool.submit(end, with_what)
        with pytest.raises(JobLost, match=f"A computing process {how}"):
            finished(lost, 60.0)
        assert pool.broken == (end is not bytearray)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9")
def test_lack_of_memory_is_said_where_the_system_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    events = tmp_path / "vmstat"
    monkeypatch.setattr(processes, "EVENTS", events)
    assert processes.killed_for_memory() is None
    events.write_text("oom_kill 7\n")
    with Processes() as pool:
        running = pool.submit(until, bool)
        until(multiprocessing.active_children)
        events.write_text("oom_kill 8\n")
        kill_workers()
        assert str(running.exception(60.0)) == "A computing process was ended by the system for lack of memory."
    assert how_it_ended(-signal.SIGKILL, starved=False) == "was ended from outside (SIGKILL)"
    assert how_it_ended(-signal.SIGKILL, starved=None).endswith("perhaps by the system for lack of memory")


def kill_workers() -> None:
    """As the system does when memory runs out."""
    workers = multiprocessing.active_children()
    assert workers
    for worker in workers:
        worker.kill()


def test_a_sweep_starts_new_processes_in_place_of_killed_ones(monkeypatch: pytest.MonkeyPatch):
    sweep = sweep_of("robot.m1=0.5:2:4")
    here = Runner(sweep).rows(range(4))
    with ProcessWorkers(sweep, 1) as workers:
        lost = workers.submit([1])
        kill_workers()
        assert isinstance(lost.exception(60.0), JobLost)
        until(lambda: workers.ready)
        assert workers.submit([1, 2]).result() == here[1:3]
        monkeypatch.setattr(processes_of_this_machine, "MOST_LOSSES", 0)
        with pytest.raises(ArmstepError, match=r"were lost 1 times; the last one was ended from"):
            _ = workers.ready


def test_runs_that_lack_memory_together_are_computed_alone_and_one_that_lacks_it_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
):
    sweep = sweep_of("robot.m1=0.5:2:4")
    whole = run_sweep(sweep, workers=1)

    def exhausted(*_: object) -> None:
        raise MemoryError

    def limited(scenario: Scenario, **options: Any) -> Run:
        return exhausted() if scenario.parameters["m1"] == 2.0 else simulate(scenario, **options)  # type: ignore[return-value]

    monkeypatch.setattr(BatchIntegrator, "solve", exhausted)
    monkeypatch.setattr(runner, "simulate", limited)
    found = run_sweep(sweep, workers=1)
    assert found.statuses().tolist() == ["finished"] * 3 + ["out-of-memory"]
    np.testing.assert_array_equal(found.numbers[:3], whole.numbers[:3])
    monkeypatch.setattr(Runner, "rows", exhausted)
    with pytest.raises(ArmstepError, match="needs more memory than there is"):
        run_sweep(sweep, workers=2)
