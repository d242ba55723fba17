"""What is prepared is not compiled again: by a later preparation, by a run, by another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets.errors import BadInput
from assets.imports import ROOT
from robots.model.registry import FROM_FILE, robot_of
from robots.preparation import record as preparation_record
from robots.preparation import team as preparation_team
from robots.preparation.batches import Batch, batch_of, batches, efforts, scenarios, sources
from robots.preparation.first_pose import first_pose
from robots.preparation.record import Record, fingerprint
from robots.preparation.team import Team
from robots.scenario.method_selection import suitable_methods
from robots.scenario.posing import first_state
from robots.scenario.presets import FIRST, find_preset, presets
from tests.waiting import until

SMALL = Batch("two-springs", "bdf")


RUN = """
import sys
from gui.cli import main
status = main(sys.argv[1:])
from solvers.kernels.storage.shared_cache import Count
print(Count.compiled, file=sys.stderr)
sys.exit(status)
"""


def compiled_by_run(preset: str, method: str) -> int:
    """How many functions `armstep run` compiles, in a process of its own."""
    command = [sys.executable, "-c", RUN, "run", preset, "--set", f"method={method}", "--json"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode in (0, 1), found.stderr
    assert json.loads(found.stdout)["method"] == method
    return int(found.stderr.split()[-1])


def prepared(folder: Path, wanted: list[Batch], seconds: float = 300.0) -> int:
    """How many functions a preparation compiles; it may take so long [s]."""
    team = Team(Record(folder), wanted, processes=1)
    team.start()
    assert team.wait(seconds=seconds)
    progress = team.progress()
    assert progress.trouble == ()
    assert progress.share == 1.0
    return progress.compiled


def test_the_first_preset_is_prepared_first_and_nothing_is_left_out() -> None:
    first = presets()[FIRST]
    assert batches()[0] == batch_of(first.robot, first.method)
    wanted = {batch_of(preset.robot, key) for preset in presets().values() for key in suitable_methods(preset)}
    assert wanted == set(batches())
    assert efforts(batches())[batches()[0]] > efforts(batches())[batches()[-1]]


def test_each_choice_of_a_task_is_prepared() -> None:
    """A formulation or a companion may need kernels of its own; each is among the runs of the robot's batches."""
    for robot in ("e1", "two-springs"):
        offered = [preset for preset in presets().values() if preset.robot == robot]
        runs = [scenario for batch in batches() if batch.robot == robot for scenario in scenarios(batch)]
        for field in robot_of(offered[0]).task:
            for choice in set(field.choices) - {scenario.task[field.key] for scenario in runs}:
                for preset in offered:
                    with pytest.raises(BadInput):
                        preset.with_value(f"task.{field.key}", choice)


def test_a_prepared_pair_compiles_nothing_in_a_run(tmp_path: Path) -> None:
    prepared(tmp_path, [SMALL])
    assert [compiled_by_run("two-springs", method) for method in ("bdf2", "bdf6")] == [0, 0]
    ready = {Path(file).name.partition("-")[0] for file in json.loads(Record(tmp_path).file.read_text())["files"]}
    assert {"callbacks.slope", "callbacks.slopes"} <= ready, "a function of `armstep.solve_ivp` waits for the compiler"


def test_a_preparation_goes_on_where_an_earlier_one_was_ended(tmp_path: Path) -> None:
    other = Batch("two-springs", "rosenbrock")
    prepared(tmp_path, [SMALL])
    team = Team(Record(tmp_path), [SMALL, other], processes=1)
    assert not team.lacks(SMALL)
    assert team.lacks(other)
    team.start()
    team.close()  # killed on the way
    assert not team.lacks(other)
    assert prepared(tmp_path, [SMALL]) == 0


def test_a_batch_whose_files_are_gone_is_not_ready(tmp_path: Path) -> None:
    gone = tmp_path / "gone.nbi"
    gone.touch()
    record = Record(tmp_path)
    record.add(SMALL, [str(gone)])
    assert Record(tmp_path).ready() == {SMALL}
    gone.unlink()
    assert Record(tmp_path).ready() == set()


@pytest.mark.parametrize(
    "content", ["", "[]", '{"files": [], "batches": [{"robot": "two-springs", "family": "bdf", "files": []}]}']
)
def test_a_record_that_says_nothing_is_an_empty_one(tmp_path: Path, content: str) -> None:
    record = Record(tmp_path)
    record.file.write_text(content)
    assert Record(tmp_path).ready() == set()


def test_a_batch_is_ready_as_long_as_its_own_sources_stay() -> None:
    """A kernel's file belongs to the batches that use it, whoever imports it, and to no others."""
    used = {batch: {file.relative_to(ROOT).as_posix() for file in sources(batch)} for batch in batches()}
    of_family = {batch for batch in batches() if "solvers/kernels/rosenbrock.py" in used[batch]}
    assert of_family == {batch for batch in batches() if batch.family == "rosenbrock"}
    assert {batch.robot for batch in batches() if "robots/catalog/rr/kernels.py" in used[batch]} == {"rr"}
    of_all = {"solvers/kernels/loop.py", "solvers/kernels/parts/controllers.py", "solvers/kernels/callbacks.py"}
    assert all({*of_all, "solvers/batch/kernels.py"} <= files for files in used.values())
    assert {batch.robot for batch in batches() if "assets/scenarios/rr-swing.json" in used[batch]} == {"rr"}
    prints = [fingerprint(batch) for batch in batches()]
    assert len(set(prints)) == len(prints)


def test_a_changed_source_is_prepared_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, other = tmp_path / "source.py", Batch("two-springs", "rosenbrock")
    source.write_text("FACTOR = 2.0")
    now: list[Path] = [source]
    monkeypatch.setattr(preparation_record, "sources", lambda batch: frozenset(now) if batch == SMALL else frozenset())
    preparation_record.fingerprint.cache_clear()
    record = Record(tmp_path)
    for batch in (SMALL, other):
        record.add(batch, [])
    assert Record(tmp_path).ready() == {SMALL, other}
    # Sources are read once in a process, so a change is another file here.
    now[0] = tmp_path / "changed.py"
    now[0].write_text("FACTOR = 3.0")
    preparation_record.fingerprint.cache_clear()
    assert Record(tmp_path).ready() == {other}
    assert Record(tmp_path).ready([SMALL]) == set()
    preparation_record.fingerprint.cache_clear()


def test_a_batch_that_is_wanted_is_done_at_once(tmp_path: Path) -> None:
    others = batches()[:3]
    team = Team(Record(tmp_path), [*others, SMALL], processes=1)
    assert team.seconds_left(SMALL) > 0.0
    team.hurry(SMALL)
    assert team.waiting == others
    assert team.seconds_left(SMALL) > 0.0
    assert team.wait(SMALL, seconds=300)
    assert team.seconds_left(SMALL) == 0.0
    assert all(team.lacks(batch) for batch in others)
    team.close()


SLOW_TO_THE_END = """
import json, sys
low = sys.argv[1:] == ["low"]
for line in sys.stdin:
    print(json.dumps({"worked": 0.0}), flush=True)
    if low and "bdf" in line:
        sys.stdin.readline()
    print(json.dumps({"worked": 0.0, "compiled": 1, "files": [], "trouble": ""}), flush=True)
"""


def test_what_is_wanted_does_not_wait_for_a_process_of_low_priority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first robot's batch has begun in the background when its run asks for it: that process has to give it up."""
    start, started, heard = subprocess.Popen, list[subprocess.Popen[str]](), threading.Event()

    def fake(command: list[str], **options: Any) -> subprocess.Popen[str]:
        started.append(start([sys.executable, "-Sc", SLOW_TO_THE_END, *command[3:]], **options))
        return started[-1]

    monkeypatch.setattr(preparation_team.subprocess, "Popen", fake)
    other = Batch("two-springs", "rosenbrock")
    team = Team(Record(tmp_path), [SMALL, other], processes=1, low=True, report=lambda _: heard.set())
    team.start()
    assert heard.wait(60)
    assert team.lacks(SMALL)
    team.hurry(SMALL)
    team.hurry(SMALL)
    assert team.wait(seconds=60)
    assert team.progress().trouble == ()
    assert Record(tmp_path).ready() == {SMALL, other}
    assert ["low" in process.args for process in started].count(False) == 1
    assert started[0].poll() is not None


def test_what_cannot_be_prepared_is_said_and_the_rest_is_done(tmp_path: Path) -> None:
    team = Team(Record(tmp_path), [Batch("rr", "no_such_family"), SMALL], processes=1)
    team.start()
    assert team.wait(seconds=300)
    assert "no_such_family" in team.progress().trouble[0]
    assert Record(tmp_path).ready() == {SMALL}


WILLING = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"worked": 0.0, "compiled": 1, "files": [], "trouble": ""}), flush=True)
"""


@pytest.mark.parametrize("possible", [0, 1])
def test_processes_that_cannot_be_started_leave_nothing_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, possible: int
) -> None:
    """Where the system allows one process only, it does everything; where it allows none, nothing can be waited for."""
    start, started = subprocess.Popen, list[object]()

    def limited(command: list[str], **options: Any) -> subprocess.Popen[str]:
        started.append(command)
        if len(started) > possible:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return start([sys.executable, "-Sc", WILLING], **options)

    monkeypatch.setattr(preparation_team.subprocess, "Popen", limited)
    team = Team(Record(tmp_path), batches()[:3], processes=2)
    team.start()
    assert team.wait(seconds=60)
    until(lambda: len(started) == 2)
    why = "rr, explicit_runge_kutta and 2 more: no process can be started (Resource temporarily unavailable)"
    assert team.progress().trouble == (() if possible else (why,))
    assert team.progress().share == 1.0
    hasty = Team(Record(tmp_path / "empty"), batches()[:2], processes=1)
    hasty.hurry(batches()[1])
    assert hasty.wait(batches()[1], seconds=60)
    assert hasty.waiting == batches()[:1]


def test_threads_that_cannot_be_started_leave_nothing_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    team = Team(Record(tmp_path), batches()[:3], processes=2)
    team.hurry(batches()[0])
    assert not team.lacks(batches()[0])
    team.start()
    assert team.done
    why = "rr, explicit_runge_kutta and 2 more: no process can be started (can't start new thread)"
    assert team.progress().trouble == (why,)


NOISY = """
from robots.preparation import batches, worker
batches.prepare = lambda batch: print("noise")
worker.work()
"""


def test_what_a_plugin_prints_is_no_answer() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", NOISY], cwd=ROOT, text=True, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"robot": "rr", "family": "bdf"}\n')
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline())]
        while "files" not in answers[-1]:
            answers.append(json.loads(process.stdout.readline()))
    worked = [answer["worked"] for answer in answers]
    assert worked == sorted(worked)
    assert worked[0] > 0.0


@pytest.mark.parametrize("preset", ["pa10-circle", pytest.param("hmmwv", marks=pytest.mark.long)])
def test_an_arm_stands_before_its_kernels_are_compiled(preset: str) -> None:
    scenario = find_preset(preset)
    found = first_pose(scenario)
    assert found is not None
    compiled = robot_of(scenario).pose(scenario, 0.0, first_state(scenario))
    np.testing.assert_allclose(found.world_from_link, compiled.world_from_link, rtol=0, atol=1e-9)


def test_blocks_of_numbers_are_the_same_where_nothing_is_compiled() -> None:
    script = """
import numpy as np
from solvers.kernels import signatures
signatures.separate = signatures.compiled
from robots.dynamics.multibody.kernels.blocks import numbers, table, whole_numbers
p = np.arange(8.0)
p[6:8] = np.array([3, -4]).view(float)
table(p, 1, 2, 2)[1, 0] = 9.0
print(numbers(p, 2, 3).tolist(), whole_numbers(p, 6, 2).tolist())
"""
    command, env = [sys.executable, "-c", script], {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    found = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert found.stdout == "[2.0, 9.0, 4.0] [3, -4]\n"


def test_a_first_pose_that_is_not_wanted_any_more_ends_at_once(caplog: pytest.LogCaptureFixture) -> None:
    began = time.perf_counter()
    assert first_pose(find_preset("hmmwv"), lambda: True) is None
    assert time.perf_counter() - began < 1.0
    assert not caplog.records


def test_the_log_says_why_there_is_no_first_pose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os\nos._exit(3)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert first_pose(find_preset("rr-swing")) is None
    assert [record.getMessage() for record in caplog.records] == [
        "RR arm has no first pose: its process ended with status 3"
    ]


def test_a_first_pose_ends_with_the_window_that_waits_for_it(tmp_path: Path) -> None:
    """Whatever ends the window: the process ends when nobody holds its input any more."""
    command = [sys.executable, "-m", "robots.preparation.first_pose"]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write(json.dumps(find_preset("hmmwv").to_json()) + "\n")
    process.stdin.close()
    assert process.wait(20.0) == 1


def test_arms_from_files_are_ready_with_those_that_come_along() -> None:
    arm = find_preset("panda-circle")
    assert {batch_of(FROM_FILE, key) for key in suitable_methods(arm)} <= set(batches())
    assert batch_of(FROM_FILE, arm.method) == batch_of(arm.robot, arm.method)


FUNCTION = """
from numba import njit

@njit("f8(f8)", cache=True)
def f(x):
    return x * x + 1.0
"""

SLOW = """
import sys
import solvers.kernels
from solvers.kernels.storage.shared_cache import Count
sys.path.insert(0, sys.argv[1])
import slow
print(Count.compiled)
"""


def test_two_processes_compile_a_function_once(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(FUNCTION)
    command = [sys.executable, "-c", SLOW, str(tmp_path)]
    both = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(int(one.communicate(timeout=120)[0]) for one in both) == [0, 1]


EVERY_PAIR = """
from armstep import solve_ivp
from assets.errors import BadInput
from robots.scenario.method_selection import suitable_methods
from robots.scenario.presets import presets
from robots.simulation.simulate import load
from solvers.kernels.storage.shared_cache import Count
for preset in presets().values():
    for key in suitable_methods(preset):
        scenario = preset.edited({"method": key})[0]
        try:
            load(scenario)
        except BadInput:
            pass
for method, jac in ("dopri5", None), ("radau5", lambda t, y: [[-1.0]]):
    solve_ivp(lambda t, y: [-y[0]], (0.0, 1.0), [1.0], method, jac=jac)
print(Count.compiled)
"""


@pytest.mark.long
def test_no_pair_compiles_anything_after_a_preparation(tmp_path: Path) -> None:
    """One process loads the kernels of all pairs; each preset runs as a person runs it."""
    prepared(tmp_path, list(batches()), seconds=3600.0)
    found = subprocess.run([sys.executable, "-c", EVERY_PAIR], cwd=ROOT, check=True, capture_output=True, text=True)
    assert int(found.stdout) == 0
    for preset in presets().values():
        assert compiled_by_run(preset.name, preset.method) == 0, preset.name
