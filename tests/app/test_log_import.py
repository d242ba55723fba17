"""What the window says of a recorded log before it asks what the log is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.imports.logs import LogImport
from gui.app.session.session import Session
from robots.model.registry import find_robot
from robots.scenario.logs import joints_for_log
from robots.scenario.presets import PRESETS, find_scenario
from robots.scenario.scenario import new_scenario
from tests.inline_jobs import InlineJobs

JOINTS = ", ".join(f"q{k}" for k in range(1, 7))


@pytest.fixture
def logs(settings, desk, clock) -> LogImport:
    session = Session(InlineJobs(), settings, new_scenario("ur5e"), desk.engine, clock)
    session.start()
    return session.files.logs


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (JOINTS, "3 rows, 0.4\u00a0s. Positions of 6 of 6 joints."),
        (JOINTS.removesuffix(", q6"), "Positions of 5 of 6 joints; {6} stays where it starts."),
        (JOINTS.removesuffix(", q5, q6"), "Positions of 4 of 6 joints; {5}, {6} stay where they start."),
        (f"{JOINTS}, u1, u2, u3, u4, u5", "Positions of 6 of 6 joints. Torques of 5 of 6 joints; {6} has no torque."),
        (f"{JOINTS}, current, voltage", "Positions of 6 of 6 joints. Left out: current, voltage."),
    ],
)
def test_a_log_in_sentences(logs: LogImport, tmp_path: Path, header: str, said: str):
    names = ["", *(joint.name for joint in find_robot("ur5e").tree.joints)]
    rows = [", ".join([f"{0.2 * k:g}"] + ["0"] * len(header.split(","))) for k in range(3)]
    file = tmp_path / "log.csv"
    file.write_text("\n".join([f"t, {header}", *rows]))
    assert logs.open(file)
    assert logs.summary().endswith(said.format(*names))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_robots_that_take_logs_are_those_whose_joints_a_log_may_name(settings, desk, clock, preset: str):
    scenario = find_scenario(preset)
    logs = Session(InlineJobs(), settings, scenario, desk.engine, clock).files.logs
    try:
        joints = joints_for_log(scenario)
    except BadInput:
        joints = ()
    assert logs.able == bool(joints)
