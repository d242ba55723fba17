"""What the window says of a recorded log before it asks what the log is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.imports.logs import LogImport
from gui.app.run_texts import largest_text
from gui.app.session.session import Session
from gui.app.table.columns import COLUMNS, NOTHING, TableMoment, columns_of
from gui.app.table.distinctions import names
from gui.app.table.pairs import differences_text
from gui.charts.plots.error import PLOT as ERROR
from gui.charts.shown import Shown
from gui.compose.picture import legend
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


def test_a_recording_beside_a_run_is_no_run_and_says_how_far_runs_are_from_it(settings, tmp_path: Path):
    session = Session(InlineJobs(), settings, new_scenario("ur5e").with_value("duration", 0.4))
    session.start()
    pin = session.comparisons.pin()
    start = session.scenario.initial["q1"]
    file = tmp_path / "walk.csv"
    file.write_text("\n".join(["t, q1 [rad]", *(f"{0.1 * k:g}, {start + 0.3}" for k in range(5))]))
    logs = session.files.logs
    assert logs.open(file)
    assert logs.take("ghost")
    current, pinned, recording = session.runs.all
    assert recording.recording
    assert not pinned.recording
    assert session.messages.notice.startswith("walk.csv is loaded: it is shown beside the run")
    moment = TableMoment(session.runs.all)
    cells = {column.key: column.text(recording, moment) for column in COLUMNS}
    for key in ("error", "ratio", "order", "rhs", "rejected", "time"):
        assert cells[key] == NOTHING
    assert (cells["method"], cells["setting"], cells["status"]) == ("walk", "recording", "Recording")
    assert differences_text(recording, current).startswith("A recording has no method, no error and no cost.")
    assert not largest_text(recording)
    entries = [(entry.label, entry.setting) for entry in legend(session.runs.all, 0.0)]
    assert entries[2] == ("walk", "recording")
    assert "friction" not in str(entries)
    shown = Shown.of(session.runs.all)
    assert names(shown.rows)[2] == "walk"
    variants = ERROR.variants(shown)
    assert list(variants.values()) == ["joint angles against the reference", "joint angles against walk"]
    chart = ERROR.chart(shown, list(variants)[1])
    assert [curve.run for curve in chart.curves] == names(shown.rows)[:2]
    assert chart.curves[0].y[0] == pytest.approx(0.3, rel=1e-6)
    assert chart.note == "against walk"
    assert len(ERROR.chart(shown, next(iter(variants))).curves) == 2
    session.comparisons.remove(pin)
    assert "ratio" not in [column.key for column in columns_of(session.runs.all, None)], "one run compares with nothing"
