"""The command line's contract: JSON keys, files, exit statuses, and one line for everything refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gui.cli import main
from gui.command import COMMANDS
from robots.model.segments import Segment
from robots.scenario.effect import without_effect
from robots.scenario.presets import find_preset
from tests.robots.test_urdf import ARM
from tests.waiting import until

KEYS = {
    "scenario",
    "robot",
    "method",
    "status",
    "message",
    "t_end",
    "steps",
    "rejected",
    "rhs_evaluations",
    "jacobian_evaluations",
    "newton_iterations",
    "compute_seconds",
    "final",
    "max_error",
    "final_error",
}


def armstep(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gui.cli", *words], capture_output=True, text=True, timeout=120, check=False
    )


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_run_in_a_process_of_its_own() -> None:
    done = armstep("run", "rr-swing", "--set", "duration=2", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert set(result) >= KEYS
    assert (result["scenario"], result["robot"], result["method"], result["status"]) == (
        "rr-swing",
        "rr",
        "rk4",
        "finished",
    )
    assert (result["t_end"], result["steps"], result["rejected"], result["rhs_evaluations"]) == (2.0, 200, 0, 800)
    assert set(result["final"]) == {"q1", "q2", "v1", "v2"}
    assert set(result["max_error"]) == set(result["final_error"]) == {"energy_J"}


def test_bad_input_in_a_process_of_its_own() -> None:
    done = armstep("run", "rr-swing", "--set", "robot.mass=2", "--json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "robot.m1" in done.stderr


@pytest.mark.parametrize("words", [["--foo"], ["--versio"], ["-x", "run"]])
def test_an_unknown_option_before_any_command_is_named(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert err.startswith("armstep: argument must be ")
    assert f"got '{words[0]}'" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_said_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gui.cli", "list", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be written" in done.stderr


def measurers(process: subprocess.Popen[str]) -> list[Path]:
    """The processes that it started to measure."""
    tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
    children = [child for task in tasks for child in task.read_text().split()]
    places = [Path(f"/proc/{child}/cmdline") for child in children]
    return [place.parent for place in places if b"spawn_main" in place.read_bytes()]


@pytest.mark.skipif(sys.platform != "linux", reason="POSIX signals and /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_measuring_stops_at_once_and_leaves_nobody_behind(how: signal.Signals) -> None:
    words = ["compare", "rr-swing", "--set", "duration=1", "--methods", "rk1,rk4", "--steps", "2e-6,1e-6", "--json"]
    command = [sys.executable, "-m", "gui.cli", *words]
    # A script's background jobs ignore SIGINT, and so would their children.
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(how, signal.SIG_DFL),
    )
    started = until(lambda: measurers(process))
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    *progress, last = err.splitlines()
    # On a busy machine it has had the time to say how far it is.
    assert last == "armstep: stopped"
    assert all(line.startswith("rr-swing, work-precision [") for line in progress)
    assert not any(place.exists() for place in started)


@pytest.mark.parametrize("words", [["--out", "no/such/folder/t.csv", "--steps", "0.1"], ["--timeout", "3"]])
def test_compare_refuses_before_it_computes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "rr-swing", "--methods", "rk4", *words]) == 2
    assert words[0] in capsys.readouterr().err


def test_a_study_is_not_computed_for_a_folder_that_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["study", "--all", "--out", str(tmp_path / "file" / "report")]) == 2
    assert "--out" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out.startswith("armstep ")


KINDS = ["robots", "methods", "scenarios", "studies", "lessons", "formats", "plots", "plugins"]


@pytest.mark.parametrize("kind", KINDS)
def test_list(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_json(capsys, "list", kind)
    assert list(listed) == [kind]
    for entry in listed[kind]:
        assert entry["key"]
        assert isinstance(entry["aliases"], list)
    if kind == "methods":
        rk1 = next(entry for entry in listed[kind] if entry["key"] == "rk1")
        assert "euler" in rk1["aliases"]
    if kind == "scenarios":
        assert listed[kind][0]["key"] == "rr-swing"


def test_list_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(run_json(capsys, "list")) == KINDS


def test_reference_only_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    plain = run_json(capsys, "run", "rr-swing", "--set", "duration=2")
    judged = run_json(capsys, "run", "rr-swing", "--set", "duration=2", "--reference")
    assert set(judged["max_error"]) == {"energy_J", "reference_q_rad"}
    assert judged["max_error"]["reference_q_rad"] < 1e-7
    assert judged["final"] == plain["final"]


def test_a_robot_without_a_reference_says_so_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    said = "There is no reference for this robot: two accurate runs of its stiff equations would take too long."
    short = ("run", "hmmwv", "--set", "duration=0.01")
    assert said in run_json(capsys, *short, "--reference")["message"]
    assert "reference" not in run_json(capsys, *short)["message"]


def test_every_field_of_the_contract_can_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["method=rkdp54", "rtol=1e-7", "atol=1e-10", "duration=1.5", "sampling=0.1"]
    changes += [f"initial.{key}=0.25" for key in ("q1", "q2", "v1", "v2")]
    changes += [f"robot.{key}=1.5" for key in ("m1", "m2", "r1", "r2", "J1", "J2", "g")]
    result = run_json(capsys, "run", "rr-swing", *(word for change in changes for word in ("--set", change)))
    assert result["method"] == "dopri5"
    assert result["t_end"] == 1.5


def test_what_an_edit_decided_is_in_the_message(capsys: pytest.CaptureFixture[str]) -> None:
    changes = [word for change in ("method=dop853", "rtol=1e-8", "duration=1") for word in ("--set", change)]
    assert "no step control" not in run_json(capsys, "run", "rr-swing", *changes)["message"]
    switched = run_json(capsys, "run", "pa10-circle", "--set", "method=cvode-adams", "--set", "duration=1")
    assert "no fixed step" in switched["message"]


def test_a_table_as_csv_and_npz(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    csv, npz = tmp_path / "run.csv", tmp_path / "run.npz"
    for file in (csv, npz):
        assert main(["run", "rr-swing", "--set", "duration=1", "--set", "sampling=0.25", "--out", str(file)]) == 0
    capsys.readouterr()
    head, *rows = csv.read_text().splitlines()
    assert head == "t,q1,q2,v1,v2"
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    assert table[:, 0] == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    with np.load(npz, allow_pickle=False) as kept:
        assert set(kept.files) == {"t", "q1", "q2", "v1", "v2", "scenario", "armstep", "title", "citation"}
        assert np.array_equal(kept["q1"], table[:, 1])
        assert json.loads(str(kept["scenario"]))["robot"] == "rr"


def test_a_run_as_a_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.py"
    assert main(["run", "rr-swing", "--set", "duration=1", "--out", str(file)]) == 0
    capsys.readouterr()
    exec(compile(file.read_text(encoding="utf-8"), file.name, "exec"), {"__name__": "script"})
    assert "steps = 100" in capsys.readouterr().out


def test_a_failed_run_is_printed_and_exits_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "rr-stiff", "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["status"] == "diverged"
    assert result["t_end"] < 5.0


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    result = run_json(
        capsys, "compare", "rr-swing", "--methods", "euler, rk4,dop853", "--set", "duration=1", "--reference"
    )
    assert [run["method"] for run in result["runs"]] == ["rk1", "rk4", "dop853"]
    errors = [run["max_error"]["reference_q_rad"] for run in result["runs"]]
    assert errors[0] > errors[1] > errors[2]
    assert main(["compare", "rr-stiff", "--methods", "euler,rk8", "--set", "step=0.06"]) == 1


def test_a_person_can_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "rr-swing", "--set", "duration=1"]) == 0
    text = capsys.readouterr().out
    assert "finished" in text
    assert "energy_J" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rnu"], "'run'"),
        (["run"], "SCENARIO"),
        (["run", "rr-swimg"], "rr-swing"),
        (["run", "missing.json"], "missing.json"),
        (["run", "rr-swing", "--set", "step"], "KEY=VALUE"),
        (["run", "rr-swing", "--set", "stp=1"], "'step'"),
        (["run", "rr-swing", "--set", "step=abc"], "abc"),
        (["run", "rr-swing", "--set", "step=nan"], "step"),
        (["run", "rr-swing", "--set", "step=0"], "step"),
        (["run", "rr-swing", "--set", "step=20"], "step"),
        (["run", "rr-swing", "--set", "step=1e-9"], "1e8"),
        (["run", "rr-swing", "--set", "robot.m1=-1"], "robot.m1"),
        (["run", "rr-swing", "--set", "robot.r2=0"], "robot.r2"),
        (["run", "rr-swing", "--set", "method=rk44"], "'rk4'"),
        (["run", "rr-swing", "--set", "rtol=1e-6"], "dop853"),
        (["run", "rr-swing", "--set", "method=dop853", "--set", "rtol=1e-6", "--set", "step=0.1"], "not both"),
        (["run", "rr-swing", "--set", "method=dop853", "--set", "rtol=1e-40"], "rtol"),
        (["run", "rr-swing", "--set", "duration=inf"], "duration"),
        (["run", "rr-swing", "--set", "duration=1e-3"], "step"),
        (["run", "rr-swing", "--out", "table.txt"], ".csv"),
        (["run", "rr-swing", "--out", "no/such/folder/table.csv"], "folder"),
        (["run", "hmmwv", "--out", "script.py"], "98 coordinates"),
        (["run", "rr-swing", "--jsn"], "--json"),
        (["compare", "rr-swing", "--methods", ","], "--methods"),
        (["compare", "rr-swing", "--methods", "rk4,rk55"], "rk55"),
        (["list", "robotz"], "'robots'"),
        (["run", "missing.json"], "scenario must be a preset (`armstep list scenarios` shows all) or an existing file"),
        (["run"], "SCENARIO must be given"),
        (["run", "rr-swing", "rr-chaos"], "run takes one SCENARIO (--also, "),
        (["compare", "rr-swing", "--methods", "rk4,rk55"], "--methods must be the key or an alias of a method"),
        (["compare", "rr-swing", "--methods", "rk4", "--timeout", "5"], "--timeout must be used together with --steps"),
        (["render", "rr-swing", "--out", "film"], "--out must be one that ends in"),
        (["render", "rr-swing", "--out", "no/such/film.mp4"], "--out must be in an existing folder, got 'no/such"),
        (["render", "rr-swing", "--out", "x.mp4", "--fps", "0"], "--fps must be above 0 and at most 1000, got 0"),
        (["render", "rr-swing", "--out", "x.mp4", "--fps", "abc"], "--fps must be a number, got 'abc'"),
        (["render", "rr-swing", "--out", "x.mp4", "--fps"], "--fps must be followed by a value"),
        (["render", "rr-swing", "--out", "x.gif", "--loop", "1.5"], "--loop must be a whole number, got '1.5'"),
        (["render", "rr-swing", "--out", "x.mp4", "--size", "0x0"], "--size must be two whole numbers from 1 to 16384"),
        (["render", "rr-swing", "--out", "x.mp4", "--from", "50"], "--from must be from 0 to 10 s, got 50"),
        (["render", "rr-swing", "--out", "x.mp4", "--camera", "nose"], "--camera must be one of iso, front"),
        (["render", "rr-swing", "--out", "x.mp4", "--compare", "rk2,nose"], "--compare must be the key or an alias"),
        (["render", "rr-swing", "--out", "x.svg", "--transparent"], "--transparent must be left out for .svg"),
        (["render", "rr-swing", "--out", "x.csv", "--size", "480x270"], ".png, got '480x270'"),
        (["render", "rr-swing", "--out", "x.mp4", "--set", "method=nose"], "armstep: method must be the key or an"),
        (["study"], "STUDY or --all must be given"),
        (["study", "rr-methods", "--all"], "STUDY must be left out beside --all, got 'rr-methods'"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert len(err) <= 600
    assert says in err


def test_commands_load_nothing_heavy() -> None:
    """The command line itself costs no numba, scipy or Qt."""
    look = "print([m for m in ('numba', 'scipy', 'PySide6') if m in sys.modules])"
    code = f"import sys; from gui.cli import _parser; _parser(['--help']); {look}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_a_robot_file_is_a_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    assert main(["run", str(file), "--set", "duration=0.5", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result) >= KEYS
    assert (result["robot"], result["method"], result["joints"]) == ("file", "dopri5", ["shoulder", "slide"])
    assert set(result["final"]) == {"q1", "q2", "v1", "v2"}
    assert main(["robot", str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["joints"] == ["shoulder", "slide"]
    assert report["moves"] == "dynamics"
    assert report["merged"] == [{"line": 24, "what": "link tool is one body with lower (fixed joint mount)"}]
    assert main(["robot", str(file)]) == 0
    assert "line 24: link tool is one body with lower" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["run"], ["robot"]])
def test_a_robot_file_that_is_refused_is_one_line(words: list[str], tmp_path: Path, capsys) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.replace('izz="0.04"', 'izz="four"'))
    assert main([*words, str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "line 7: izz of <inertia> must be a number from -1e9 to 1e9, got 'four'" in err


def test_a_file_alone_opens_the_window_and_a_word_is_no_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    window = replace(COMMANDS.find("open"), execute=lambda args: opened.append(args.file) or 0)
    find = COMMANDS.find
    monkeypatch.setattr(COMMANDS, "find", lambda key: window if key == "open" else find(key))
    file = tmp_path / "mine.json"
    file.write_text("{}")
    assert main([str(file)]) == 0
    assert opened == [str(file)]
    assert main(["opne"]) == 2
    assert "open" in capsys.readouterr().err


def test_a_field_that_has_no_effect_is_said_to_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    said = "armstep: gain P 1 (task.kp1) has no effect while joint torque (task.torque) is none.\n"
    short = ("--set", "duration=0.1", "--json")
    assert main(["run", "rr-swing", "--set", "task.kp1=50", *short]) == 0
    out, err = capsys.readouterr()
    assert said in err
    assert set(json.loads(out)) >= KEYS
    assert main(["sweep", "rr-swing", "--over", "task.kp1=0:1000:3", "--show", "steps", *short]) == 0
    out, err = capsys.readouterr()
    assert said in err
    assert json.loads(out)["readouts"]["steps"] == [10.0] * 3
    for words in (("--set", "task.torque=pd", "--set", "task.kp1=50"), ("--set", "robot.m1=2")):
        assert main(["run", "rr-swing", *words, *short]) == 0
        assert "no effect" not in capsys.readouterr().err
    assert main(["run", "rr-swing", "--spread", "task.restitution=0.1", "--members", "2", *short]) == 0
    assert "restitution (task.restitution) has no effect while joint stops" in capsys.readouterr().err
    assert main(["compare", "rr-swing", "--methods", "rk4,rk1", "--set", "task.sampling_period=0.1", *short]) == 0
    err = capsys.readouterr().err
    assert err.count("has no effect while joint torque (task.torque) is none.") == 1


def test_a_field_that_has_an_effect_later_in_the_run_has_one() -> None:
    swing = find_preset("rr-swing")
    later = swing.with_segments(Segment(1.0, changes={"task.torque": "pd"}))
    assert len(without_effect(swing, ["task.kp1", "robot.m1"])) == 1
    assert without_effect(later, ["task.kp1"]) == []
