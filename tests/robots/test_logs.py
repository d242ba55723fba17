"""Recorded logs: read with their units, refused by line, followed, applied, shown as ghosts; control at samples."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assets.errors import BadInput
from gui.app.documents import from_scenario
from gui.app.formatting import differences, error_title
from gui.app.view import ViewSettings
from robots.dynamics.tree.log import read_log, unnamed_angles
from robots.export.as_python import as_python
from robots.scenario.logs import ghost_of, joints_for_log, log_from, uses_of, with_log
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate

JOINTS = (("shoulder", False), ("lift", True))
T = np.linspace(0.0, 1.0, 41)


def scara() -> Scenario:
    return find_scenario("scara-pick").with_values({"method": "dopri5", "rtol": 1e-8, "atol": 1e-10})


def table(names: str, *columns: np.ndarray) -> str:
    return "\n".join((names, *(",".join(map(repr, row)) for row in np.stack(columns, axis=1).tolist())))


def moves() -> tuple[np.ndarray, ...]:
    """Smooth positions of the four joints."""
    return 0.6 * np.sin(2.0 * T), 0.8 + 0.3 * np.cos(3.0 * T), 0.05 - 0.04 * T, T**2


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate(scara())


def recorded(run: Run, rows: int = 121) -> str:
    """The run as Armstep itself would write it."""
    times = np.linspace(0.0, run.t_end, rows)
    columns = run.columns(times)
    names = [name for name in columns if name[0] in "qu"]
    return table(",".join(("t", *names)), times, *(columns[name] for name in names))


def test_units_names_and_separators_are_understood() -> None:
    text = '\ufeff# made by a robot\n"time [ms]";shoulder [deg];/states/lift/position [mm];u1;temperature\n'
    log = read_log(text + "500;90;0,5;1;20\n750;180,0;1;2;20\n", JOINTS)
    assert log.times.tolist() == [0.0, 0.25]
    assert log.columns["q1"].tolist() == [np.pi / 2.0, np.pi]
    assert log.columns["q2"].tolist() == [0.0005, 0.001]
    assert log.columns["u1"].tolist() == [1.0, 2.0]
    assert log.ignored == ("temperature",)
    assert uses_of(log) == ("follow", "ghost", "torques")
    again = read_log(log.text(), JOINTS)
    assert list(again.columns) == ["q1", "q2", "u1"]
    assert again.columns["q1"] == pytest.approx(log.columns["q1"], rel=1e-11)


def test_the_unit_of_angles_is_asked_for_where_the_file_names_none() -> None:
    text = "t,shoulder,lift\n0,90,1\n1,45,1\n"
    assert unnamed_angles(text, JOINTS)
    assert not unnamed_angles(text.replace("shoulder", "shoulder (rad)"), JOINTS)
    with pytest.raises(BadInput, match=r"unit of shoulder must be named, such as 'shoulder \[deg\]'"):
        read_log(text, JOINTS)
    assert read_log(text, JOINTS, "deg").columns["q1"][0] == np.pi / 2.0
    assert read_log(text, JOINTS, "rad").columns["q2"][0] == 1.0
    with pytest.raises(BadInput, match="unit of angles must be one of rad, deg"):
        read_log(text, JOINTS, "grad")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "log must be a header and 2 to 100000 rows, got '0 rows'"),
        ("t,q1\n0,1\n", "got '1 row'"),
        ("x,q1\n0,1\n1,2\n", "header must be a row with a time column"),
        ("t,elbow\n0,1\n1,2\n", "header must be a row with columns of joints: q1, q2, shoulder"),
        ("t,q3\n0,1\n1,2\n", "header must be a row with columns of joints"),
        ("t,q1,q1\n0,1,1\n1,2,1\n", "column 3 must be another quantity than 'q1'"),
        ("t,q1,shoulder\n0,1,1\n1,2,1\n", "column 3 must be another quantity than 'q1'"),
        ("t,q1\n0,1\n1,2,3\n", "line 3 must be a row of 2 values, got '3 values'"),
        ("t,q1\n0,nan\n1,2\n", "line 2, q1 must be a finite number, got 'nan'"),
        ("t,q1\n0,1e999\n1,2\n", "line 2, q1 must be a finite number"),
        ("t,q1\n0,one\n1,2\n", "line 2, q1 must be a finite number, got 'one'"),
        ("# c\n\nt,q1\n0,1\n0,2\n", "line 5, t must be above 0 s, the time before, got 0"),
        ("t,q1\n1,1\n0.5,2\n", "line 3, t must be above 1 s"),
        ("t,q1\n0,1\n1,2000\n", "line 3, q1 must be from -1000 to 1000, got 2000"),
        ("t,q1 [turns]\n0,1\n1,2\n", r"unit of q1 \[turns\] must be one of rad, deg"),
        ("t,q2 [deg]\n0,1\n1,2\n", r"unit of q2 \[deg\] must be one of m, cm, mm"),
    ],
)
def test_a_bad_log_is_refused_by_its_line(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_log(text, JOINTS)


def test_an_arm_follows_a_log_and_starts_where_it_does() -> None:
    log = read_log(table("t,q1,q2,q3,q4", T, *moves()), joints_for_log(scara()))
    found = with_log(scara(), log)
    assert found.duration == 1.0
    assert "log = 41 rows" in differences(found, scara())
    assert found.initial["v1"] == pytest.approx(1.2, rel=1e-3)
    run = simulate(found)
    assert run.status.ok
    assert run.max_error["log_q_rad"] < 1e-6
    assert run.max_error["log_q_m"] < 1e-6
    assert [error_title(key) for key in ("log_q_rad", "log_q_m", "reference_q_m")] == [
        "joint angles against the log",
        "sliding joints against the log",
        "sliding joints against the reference",
    ]
    # The torques are those of inverse dynamics along the motion that was recorded.
    away = simulate(found.with_values({"initial.q1": 0.2, "duration": 2.0}))
    assert away.max_error["log_q_rad"] == pytest.approx(0.2, rel=1e-6)
    assert away.columns(np.array([2.0]))["q1"][0] == pytest.approx(moves()[0][-1], abs=1e-3)
    assert "The log ends at t = 1 s; its last row holds." in away.message


def test_recorded_torques_move_the_arm_as_it_moved(run: Run) -> None:
    logs = [read_log(recorded(run, rows), joints_for_log(scara())) for rows in (121, 241)]
    coarse, fine = (simulate(with_log(scara(), log, "torques")).max_error["log_q_rad"] for log in logs)
    # Straight lines between samples: half the period, a quarter of the error.
    assert 3.0 < coarse / fine < 5.0
    assert coarse < 5e-3
    partial = simulate(with_log(scara(), read_log("t,u3\n0,18.639\n1,18.639\n", joints_for_log(scara())), "torques"))
    assert partial.columns()["u1"].tolist() == [0.0] * len(partial.t)
    with pytest.raises(BadInput, match="use of the log must be 'torques'"):
        with_log(scara(), read_log("t,u3\n0,1\n1,2\n", joints_for_log(scara())), "follow")


def test_a_ghost_is_accurate_whatever_the_method_is(run: Run) -> None:
    rough = scara().with_values({"method": "rk1", "step": 0.05, "task.torque": "path"})
    log = read_log(recorded(run), joints_for_log(rough))
    shown = with_log(rough, log, "ghost", "walk")
    document, _, troubles = from_scenario(Scenario.from_json(shown.to_json()), ViewSettings(), iter((1, 2)).__next__)
    assert not troubles
    assert [pin.tag.name for pin in document.pins] == ["walk"]
    assert document.pins[0].scenario == ghost_of(rough, log)
    assert simulate(document.pins[0].scenario).max_error["log_q_rad"] < 1e-7
    sticky = scara().with_values({"robot.d1": 5.0, "robot.d3": 50.0})
    assert simulate(with_log(sticky, log)).max_error["log_q_rad"] > 1e-3
    errors = simulate(ghost_of(sticky, log)).max_error
    assert max(errors["log_q_rad"], errors["log_q_m"]) < 1e-7


def test_a_scenario_carries_its_log(tmp_path: Path) -> None:
    text = table("t,q1,q2,q3,q4", T, *moves())
    (tmp_path / "walk.csv").write_text(text)
    found = with_log(scara(), log_from(tmp_path / "walk.csv", scara()))
    again = Scenario.from_json(found.to_json())
    assert again == found
    assert again.hash() != scara().hash()
    (tmp_path / "walk.csv").unlink()
    assert simulate(again).status.ok
    with pytest.raises(BadInput, match="log must be an existing file"):
        log_from(tmp_path / "walk.csv", scara())
    with pytest.raises(BadInput, match="robot must be an arm from a robot file"):
        joints_for_log(find_scenario("rr-swing"))
    with pytest.raises(BadInput, match=r"task\.log line 3, t must be above 0 s"):
        found.with_value("task.log", "t,q1\n0,1\n0,1\n")
    with pytest.raises(BadInput, match=r"task\.log must be a log with columns u1, u2"):
        found.with_value("task.torque", "log-torque")
    assert "No log is loaded." in simulate(scara().with_value("task.torque", "log-motion")).message


def test_a_script_has_the_log_and_the_same_numbers(tmp_path: Path) -> None:
    log = read_log(table("t,q1,q2,q3,q4", T[::10], *(column[::10] for column in moves())), joints_for_log(scara()))
    found = with_log(scara(), log).with_values({"method": "rk4", "step": 0.05, "duration": 1.2})
    (tmp_path / "script.py").write_text(as_python(found))
    said = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    printed = dict(line.split(" = ") for line in said.splitlines() if line.count(" = ") == 1)
    final = simulate(found).final
    assert {name: float(printed[name]) for name in final} == pytest.approx(final, rel=1e-12, abs=1e-12)


def test_an_arm_from_a_file_is_controlled_at_samples() -> None:
    held = scara().with_values({"task.sampling": "held", "task.sampling_period": 0.01})
    run, smooth = simulate(held), simulate(scara())
    assert json.loads(json.dumps(run.to_dict()))["samples"] == 120
    torques = run.columns(np.linspace(0.5, 0.5099, 5))["u1"]
    assert len(set(torques.tolist())) == 1
    asked = run.robot.columns(held, np.array([0.5]), run.sample(np.array([0.5])))["u1"][0]
    assert torques[0] == pytest.approx(asked, rel=1e-9)
    assert run.series(np.array([0.505]))["torque"].values[0, 0] == torques[0]
    often = simulate(held.with_value("task.sampling_period", 0.0025))
    coarse, fine = (np.abs(one.sample(T)[:, 0] - smooth.sample(T)[:, 0]).max() for one in (run, often))
    assert 2.0 < coarse / fine < 8.0
