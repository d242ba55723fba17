"""The front door: what `import armstep` gives, says and refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import armstep
from gui.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run():
    return armstep.simulate("rr-swing", method="dopri5", rtol=1e-6, atol=1e-9, duration=2, **{"robot.m1": 2})


def test_importing_it_imports_nothing_that_is_slow() -> None:
    code = "import sys, time; t = time.process_time(); import armstep; dt = time.process_time() - t; print(dt)"
    code += "; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, names = done.stdout.splitlines()
    assert float(seconds) < 0.05
    assert not {"numpy", "numba", "scipy", "PySide6", "robots", "solvers", "gui"} & set(names.split())


def test_every_public_name_is_there_and_no_other() -> None:
    assert set(dir(armstep)) == set(armstep.__all__)
    for name in armstep.__all__:
        assert getattr(armstep, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = armstep.simulat  # type: ignore[attr-defined]
    assert issubclass(armstep.BadInput, armstep.ArmstepError)
    assert issubclass(armstep.BadInput, ValueError)
    assert armstep.__version__.count(".") == 2


def test_a_run_has_the_numbers_of_the_command(run, capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["method=dopri5", "rtol=1e-6", "atol=1e-9", "duration=2", "robot.m1=2"]
    assert main(["run", "rr-swing", "--json", *(f"--set={change}" for change in changes)]) == 0
    printed = json.loads(capsys.readouterr().out)
    for name in ("final", "max_error", "final_error", "message"):
        assert getattr(run, name) == printed[name]
    assert run.status.value == printed["status"]
    assert run.counts.rhs_evaluations == printed["rhs_evaluations"]
    assert run.t.shape == (run.counts.steps + 1,)
    assert run.y.shape == (len(run.t), 4)
    assert list(run.columns()) == ["q1", "q2", "v1", "v2"]
    assert run.columns(1.0)["q1"].shape == (1,)
    assert run.sample([0.0, 2.0])[1] == pytest.approx(run.y[-1])
    assert run.trusted_until is None


def test_a_reference_adds_its_errors() -> None:
    run = armstep.simulate("rr-swing", reference=True, duration=1)
    assert {"energy_J", "reference_q_rad"} <= set(run.max_error)
    assert run.trusted_until == 1.0
    exact = armstep.reference("rr-swing", duration=1)
    missed = np.abs(exact.sample(run.t)[:, :2] - run.y[:, :2]).max()
    assert missed == pytest.approx(run.max_error["reference_q_rad"])
    assert repr(exact) == "<Reference rr-swing: to t = 1 s, trusted until 1 s>"


def test_what_a_person_reads(run) -> None:
    assert repr(run).startswith("<Run rr-swing, dopri5: finished at t = 2 s, ")
    assert "\n" not in repr(run)
    shown = run._repr_html_()
    assert "<td>dopri5</td>" in shown
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert repr(run.scenario) == "<Scenario rr-swing: rr, dopri5, rtol 1e-06, atol 1e-09, 2 s>"
    assert repr(armstep.scenario("rr-swing")) == "<Scenario rr-swing: rr, rk4, step 0.01 s, 10 s>"
    assert "rk4" in repr(armstep.methods())
    assert repr(armstep.presets()).startswith("<")


def test_facts_by_key() -> None:
    assert armstep.methods()["dopri5"]["order"] == 5
    assert next(field["path"] for field in armstep.robots()["rr"]["fields"]) == "robot.m1"
    assert armstep.presets()["rr-swing"]["robot"] == "rr"


def test_a_comparison_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = armstep.compare("rr-swing", ["rk4", "dopri5"], step=0.01, duration=1)
    assert [row["method"] for row in table.rows] == ["rk4", "dopri5"]
    assert table.to_dict() == {"scenario": "rr-swing", "robot": "rr", "runs": table.rows}
    assert repr(table) == "<Comparison rr-swing: rk4, dopri5>"
    assert str(table).splitlines()[0].split()[:2] == ["method", "status"]
    assert len(str(table).splitlines()) == len(table) + 1 == 3
    assert table._repr_html_().count("<tr>") == 3
    assert table[1].scenario.method == "dopri5"
    assert main(["compare", "rr-swing", "--methods=rk4,dopri5", "--set=step=0.01", "--set=duration=1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["final"] for row in printed["runs"]] == [row["final"] for row in table.rows]
    with pytest.raises(armstep.BadInput, match="methods"):
        armstep.compare("rr-swing", [])


def test_scenarios_come_from_keys_files_and_exports(run, tmp_path: Path) -> None:
    preset = armstep.scenario("rr-swing")
    assert armstep.scenario(preset) is preset
    assert armstep.Scenario.from_json(preset.to_json()) == preset
    heavier = preset.with_values({"robot.m1": 3})
    assert armstep.simulate(heavier, duration=1).scenario.get("robot.m1") == 3.0
    for name in ("swing.json", "swing.svg", "swing.npz"):
        assert armstep.scenario(run.save(tmp_path / name)) == run.scenario
        assert armstep.scenario(os.fspath(tmp_path / name)).hash() == run.scenario.hash()


def test_files_of_every_kind(run, tmp_path: Path) -> None:
    for name in ("a.csv", "a.npz", "a.py", "a.json", "a.svg", "a.pdf"):
        assert run.save(tmp_path / name).stat().st_size > 100
    still = run.save(tmp_path / "a.png", size="160x120", at=1.0, quality="low")
    assert still.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    both = armstep.compare("rr-swing", ["rk4", "euler"], duration=0.2)
    film = both.save(tmp_path / "a.gif", size=(96, 64), fps=10, quality="low")
    assert film.read_bytes()[:4] == b"GIF8"


def test_figures_need_no_display(tmp_path: Path) -> None:
    """In a process of its own, without one."""
    code = "import armstep, sys; f = armstep.simulate('rr-swing', duration=1).plot(); s = f._repr_svg_()"
    code += "; assert '<svg' in s and 'Energy error' in s; assert f._repr_png_()[:4] == b'\\x89PNG'; print(f)"
    code += f"; f.save({str(tmp_path / 'figure.pdf')!r})"
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "<Figure The arm falls: rk4>\n"
    assert (tmp_path / "figure.pdf").read_bytes()[:4] == b"%PDF"


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"m1": 2}, "did you mean 'robot.m1'"),
        ({"method": "dopri"}, "did you mean 'dopri5'"),
        ({"step": float("nan")}, "step must be"),
        ({"duration": "long"}, "duration must be"),
        ({"robot.m1": None}, "robot.m1 must be"),
        ({"robot.m1": -1}, "robot.m1 must be above 0 kg, got -1"),
        ({"robot.m1": [1.0]}, "robot.m1 must be"),
        ({"duration": True}, "duration must be"),
        ({"step": 0.1, "rtol": 1e-3}, "rtol"),
        ({"nothing": 1}, "field must be one of"),
        ({"method": 3}, "method must be"),
    ],
)
def test_values_that_are_refused(values: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match) as refusal:
        armstep.simulate("rr-swing", **values)
    assert isinstance(refusal.value, armstep.BadInput)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) <= 600


@pytest.mark.parametrize("source", [3, None, ["rr-swing"], "rr-swin", "nowhere.json"])
def test_scenarios_that_are_refused(source) -> None:
    with pytest.raises(armstep.BadInput, match="scenario"):
        armstep.simulate(source)


def test_files_that_are_refused(run, tmp_path: Path) -> None:
    for path, settings, match in [
        ("film.avi", {}, r"\.mp4"),
        ("film.mp4", {"fbs": 25}, "'fps'"),
        ("table.csv", {"fps": 25}, "fps"),
        ("film.mp4", {"size": "large"}, "size"),
        ("no/such/folder.csv", {}, "folder"),
    ]:
        with pytest.raises(armstep.BadInput, match=match):
            run.save(tmp_path / path, **settings)
    with pytest.raises(armstep.BadInput, match="path"):
        run.save(3)
    with pytest.raises(armstep.BadInput, match="theme"):
        run.plot(theme="pink")


def test_numbers_of_numpy_are_numbers() -> None:
    run = armstep.simulate("rr-swing", duration=np.int64(1), **{"robot.m1": np.float32(2.0)})
    assert run.scenario.get("robot.m1") == 2.0


def test_a_failed_run_is_data() -> None:
    run = armstep.simulate("rr-stiff", method="euler", step=0.5)
    assert run.status.value == "diverged"
    assert "diverged at t = " in repr(run)
