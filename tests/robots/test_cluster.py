"""Sweeps beyond this machine: jobs that are lost come back, nothing arrives twice, and every bit is the same."""

from __future__ import annotations

import importlib.util
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest

from assets.errors import ArmstepError, BadInput
from assets.version import version
from gui.cli import main
from robots.scenario.presets import find_preset
from robots.sweeps import cluster
from robots.sweeps import run_sweep as here
from robots.sweeps.axes import SweepAxis
from robots.sweeps.processes import JobLost
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Part, Sweep
from tests.waiting import until

SWING = find_preset("rr-swing").with_value("duration", 0.5)
SWEEP = Sweep(SWING, (SweepAxis("initial.q1", -1.0, 1.0, 120),), ("max_error.energy_J", "final.q1"))
installed = importlib.util.find_spec("distributed") is not None


class Unreliable:
    """Workers that lose every second job, and are away for a while."""

    count = 2

    def __init__(self, sweep: Sweep, address: str) -> None:
        self.runner, self.jobs, self.asked = Runner(sweep), 0, 0

    def __enter__(self) -> Unreliable:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def ready(self) -> bool:
        self.asked += 1
        return self.asked % 3 != 0

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        future: Future[Part] = Future()
        self.jobs += 1
        if self.jobs % 2:
            future.set_exception(JobLost("lost"))
        else:
            future.set_result(self.runner.rows(numbers))
        return future


def test_lost_jobs_are_computed_again_and_nothing_arrives_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here, "ClusterWorkers", Unreliable)
    monkeypatch.setattr(here, "JOB_SECONDS", 0.002)
    parts: list[Part] = []
    result = run_sweep(SWEEP, scheduler="tls://nowhere:1", on_part=parts.append)
    numbers = [row.number for part in parts for row in part]
    assert sorted(numbers) == list(range(SWEEP.size))
    np.testing.assert_array_equal(result.numbers, run_sweep(SWEEP, workers=1).numbers)


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("tcp://10.0.0.7:8786", True),
        ("cluster:8786", True),
        ("tls://10.0.0.7:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("localhost:8786", False),
        ("", False),
    ],
)
def test_addresses_beyond_this_machine_should_be_encrypted(address: str, warned: bool) -> None:
    sentence = cluster.warning_about(address)
    assert bool(sentence) == warned
    assert not warned or "tls://" in sentence


@pytest.mark.skipif(installed, reason="distributed is installed")
def test_without_the_extra_it_says_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sweep", "rr-swing", "--set", "duration=0.1", "--over", "step=0.01:0.02:2", "--show", "steps"]
    assert main([*words, "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "pip install armstep[dask]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "problem",
    [TypeError("TLS expects an `ssl_context`"), MemoryError("Unable to allocate 3.07 EiB"), OSError("timed out")],
)
def test_what_is_no_scheduler_is_refused(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def client(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    with pytest.raises(BadInput, match="--scheduler must be the address of a running Dask scheduler") as caught:
        run_sweep(SWEEP, scheduler="tls://127.0.0.1:1")
    assert str(problem) in str(caught.value)


def test_a_scheduler_that_comes_back_late_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client gives up after ten seconds."""
    made: list[SimpleNamespace] = []
    theirs = {"one": version()}

    def client(*_: object, **__: object) -> SimpleNamespace:
        if len(made) == 1 and not started:
            started.append(True)
            raise OSError("timed out")
        ways = {"run": lambda *_, **__: theirs, "sync": lambda *_, **__: {"one": 2}, "close": lambda: None}
        made.append(SimpleNamespace(status="running", scheduler=SimpleNamespace(ncores=None), **ways))
        return made[-1]

    started: list[bool] = []
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    with cluster.ClusterWorkers(SWEEP, "tls://nowhere:1") as pool:
        assert pool.ready
        made[0].status = "closed"
        assert not pool.ready
        until(lambda: pool.ready)
        assert started
        made[1].status, theirs["one"] = "closed", "0.0.0"

        def refused() -> bool:
            try:
                assert not pool.ready
            except ArmstepError as refusal:
                return "got 0.0.0" in str(refusal)
            return False

        until(refused)


def test_a_lost_scheduler_prints_no_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Dask's client logs one when it cannot reconnect."""
    client = SimpleNamespace(run=lambda *_, **__: {}, close=lambda: None)
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=lambda *_, **__: client))
    log = logging.getLogger("distributed.client")
    before = log.level
    with cluster.ClusterWorkers(SWEEP, "tls://nowhere:1"):
        log.error("Traceback (most recent call last)")
    assert not caplog.records
    assert log.level == before, "what a person's own scripts say of their clusters stays"
    log.error("of a script")
    assert [record.message for record in caplog.records] == ["of a script"]


def _cluster_of(theirs: dict[str, object] | Exception, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let a cluster's workers answer so when they are asked for their version; returns what its clients do."""
    done: list[str] = []

    def run(*_: object, on_error: str = "raise") -> dict[str, object]:
        problems = [theirs] if isinstance(theirs, Exception) else [v for v in theirs.values() if on_error == "raise"]
        for problem in problems:
            if isinstance(problem, Exception):
                raise problem
        assert isinstance(theirs, dict)
        return theirs

    client = SimpleNamespace(run=run, close=lambda: done.append("closed"))
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=lambda *_, **__: client))
    return done


def test_a_worker_that_is_lost_while_it_is_asked_for_its_version_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    _cluster_of({"one": version(), "two": OSError("in <TCP>: Connection reset by peer")}, monkeypatch)
    with cluster.ClusterWorkers(SWEEP, "tls://nowhere:1") as pool:
        assert pool.count == 1


@pytest.mark.parametrize(
    ("theirs", "sentence"),
    [
        ({"one": version(), "two": "0.0.0"}, rf"The worker two must have Armstep {version()}, got 0\.0\.0"),
        ({"two": ModuleNotFoundError("No module named 'robots'")}, "The worker two cannot load Armstep: No module"),
        (OSError("lost"), r"--scheduler must be the address of a running Dask scheduler, .* \(lost\)"),
    ],
    ids=["another version", "without Armstep", "a scheduler that goes away"],
)
def test_what_workers_lack_is_said(
    theirs: dict[str, object] | Exception, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _cluster_of(theirs, monkeypatch)
    with pytest.raises(ArmstepError, match=sentence):
        cluster.ClusterWorkers(SWEEP, "tls://nowhere:1").__enter__()
    assert done == ["closed"]


def test_another_version_is_refused() -> None:
    with pytest.raises(ArmstepError, match=r"must have Armstep"):
        cluster.compute_there("0.0.0", Sweep.from_data, "", [0])


@pytest.fixture
def scheduler() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    address, quiet = f"tcp://127.0.0.1:{port}", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    tool = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port]
    running = [subprocess.Popen([*tool, "--no-dashboard"], **quiet)]  # type: ignore[call-overload]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    running += [subprocess.Popen(worker, **quiet) for _ in range(2)]  # type: ignore[call-overload]
    yield address, running
    for process in running:
        process.kill()
        process.wait()


@pytest.mark.long
def test_a_real_cluster_loses_a_worker_and_gives_the_same_bits(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, running = scheduler
    sweep = Sweep(SWING.with_value("step", 1e-4), SWEEP.axes, SWEEP.show)

    def both_are_there() -> bool:
        with suppress(BadInput), cluster.ClusterWorkers(sweep, address) as pool:
            return pool.ready and pool.count == 2
        return False

    until(both_are_there)
    killer = threading.Timer(0.5, running[1].kill)
    killer.start()
    parts: list[Part] = []
    result = run_sweep(sweep, scheduler=address, on_part=parts.append)
    killer.join()
    assert sorted(row.number for part in parts for row in part) == list(range(sweep.size))
    np.testing.assert_array_equal(result.numbers, run_sweep(sweep, workers=1).numbers)
