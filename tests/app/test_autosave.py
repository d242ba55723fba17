"""Unsaved work is written now and then, survives a crash, and is offered once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gui.app.session import autosave
from gui.app.session.autosave import Autosave
from gui.app.session.session import Session
from gui.app.settings import Settings
from robots.scenario.file import load_scenario
from robots.scenario.presets import find_preset
from robots.scenario.scenario import new_scenario
from tests.inline_jobs import InlineJobs


def autosaved(session: Session) -> list[Path]:
    return list(session.settings.folder.glob("autosave-*.json"))


def test_unsaved_edits_are_kept_when_the_hand_rests(session):
    session.files.autosave_if_due(0.0)
    assert autosaved(session) == []
    session.edit("robot.m1", 2.0)
    session.files.autosave_if_due(10.0)
    assert autosaved(session) == []
    session.files.autosave_if_due(10.0 + autosave.QUIET_SECONDS)
    (file,) = autosaved(session)
    assert load_scenario(file).get("robot.m1") == 2.0


def test_edits_without_a_pause_are_kept_too(session):
    for k in range(20):
        session.edit("robot.m1", 1.5 + 0.1 * k)
        session.files.autosave_if_due(float(k))
    assert len(autosaved(session)) == 1


def test_saving_undoing_and_closing_leave_nothing_to_recover(session, tmp_path, clock):
    def keep() -> None:
        session.files.autosave_if_due()
        clock.now += 60
        session.files.autosave_if_due()

    session.edit("robot.m1", 2.0)
    keep()
    assert autosaved(session)
    session.files.save(tmp_path / "arm.json")
    assert not autosaved(session)
    session.edit("robot.m1", 3.0)
    keep()
    session.history.undo()
    keep()
    assert not autosaved(session)
    session.edit("robot.m1", 4.0)
    keep()
    session.close()
    assert [entry.name for entry in session.settings.folder.iterdir() if entry.name.startswith("autosave")] == []


CRASH = """
import os, sys
from dataclasses import replace
from pathlib import Path
from tests.inline_jobs import InlineJobs
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.settings import Settings
from robots.scenario.scenario import Scenario, new_scenario
session = Session(InlineJobs(), Settings(Path(sys.argv[1])), new_scenario("rr"))
session.files.path = Path(sys.argv[2])
session.computing.refresh = lambda row_id, scenario: session.runs.update(row_id, scenario=scenario)
session.edit("robot.m1", 7.0)
session.comparisons.pin()
session.files.autosave_if_due(0.0)
session.files.autosave_if_due(60.0)
os._exit(9)
"""


def test_what_a_crashed_window_left_is_offered_once(session, tmp_path, desk):
    file = tmp_path / "arm.json"
    crashed = subprocess.run([sys.executable, "-c", CRASH, str(session.settings.folder), str(file)], check=False)
    assert crashed.returncode == 9
    (left,) = session.files.recoverable()
    assert left.file == file
    assert "arm.json" in left.text
    session.files.recover(left)
    assert session.scenario.get("robot.m1") == 7.0
    assert len(session.runs.all) == 2
    assert session.files.path == file
    assert session.files.dirty
    assert session.files.recoverable() == []
    assert "Recovered" in session.messages.notice


KEPT = CRASH.replace(
    "os._exit(9)",
    """
session.files.keep_changes()
session.files.new("pa10-drift")
session.edit("step", 0.05)
session.files.keep_changes()
session.files.new("rr-swing")
os._exit(9)
""",
)


def test_changes_that_a_presentation_kept_survive_a_crash(session, tmp_path):
    file = tmp_path / "arm.json"
    crashed = subprocess.run([sys.executable, "-c", KEPT, str(session.settings.folder), str(file)], check=False)
    assert crashed.returncode == 9
    left = session.files.recoverable()
    assert {one.title for one in left} == {"arm.json", find_preset("pa10-drift").title}
    session.files.recover(*left)
    (kept,) = session.files.kept
    assert {session.files.title, kept.title} == {one.title for one in left}
    assert session.files.recoverable() == []
    assert len(autosaved(session)) == 1
    assert kept.text.startswith(f"{kept.title}, recovered work of ")
    assert session.files.loss == "This is recovered work: it will be lost if you don't save it."
    session.files.return_to(kept)
    assert session.files.dirty
    assert session.files.kept == ()
    assert session.scenario == kept.changed.scenario
    assert autosaved(session) == []


def test_changes_that_were_put_aside_leave_nothing_behind_at_a_clean_end(session):
    session.edit("robot.m1", 2.0)
    kept = session.files.keep_changes()
    session.files.new("rr-swing")
    assert len(autosaved(session)) == 1
    session.files.return_to(kept)
    assert autosaved(session) == []
    session.files.keep_changes()
    session.close()
    assert [entry.name for entry in session.settings.folder.iterdir() if entry.name.startswith("autosave")] == []


def test_a_declined_recovery_is_gone(session, tmp_path):
    subprocess.run([sys.executable, "-c", CRASH, str(session.settings.folder), str(tmp_path / "a")], check=False)
    (left,) = session.files.recoverable()
    session.files.decline(left)
    assert session.files.recoverable() == []
    assert session.scenario.get("robot.m1") == 1.0


def test_a_window_that_still_runs_is_not_robbed(session, desk):
    session.edit("robot.m1", 2.0)
    session.files.autosave_if_due(0.0)
    session.files.autosave_if_due(60.0)
    other = Session(InlineJobs(), Settings(session.settings.folder), new_scenario("rr"), desk.engine)
    other.start()
    assert other.files.recoverable() == []


def test_a_broken_autosave_is_skipped(session):
    session.settings.folder.mkdir(exist_ok=True)
    (session.settings.folder / "autosave-0.json").write_text("{")
    assert session.files.recoverable() == []


def test_an_autosave_that_fails_is_reported_and_tried_again(session, monkeypatch):
    session.edit("robot.m1", 2.0)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        session.files.autosave_if_due(0.0)
        session.files.autosave_if_due(60.0)
    assert "the disk is full" in session.messages.notice
    session.files.autosave_if_due(61.0)
    session.files.autosave_if_due(120.0)
    assert len(autosaved(session)) == 1


def test_the_window_does_not_wait_for_the_disk(session, monkeypatch):
    lanes = []
    monkeypatch.setattr(session.jobs, "start", lambda job, lane: lanes.append(lane))
    session.edit("robot.m1", 2.0)
    session.files.autosave_if_due(0.0)
    session.files.autosave_if_due(60.0)
    assert lanes[-1] == "disk"
    assert autosaved(session) == []


def test_what_was_saved_meanwhile_is_not_written(session, tmp_path):
    kept = Autosave(tmp_path / "kept")
    late, last = kept.writing(session.scenario, None), kept.writing(session.scenario, None)
    late()
    assert not kept.file.exists(), "a newer one follows"
    last()
    assert kept.file.exists()
    late = kept.writing(session.scenario, None)
    kept.clear()
    late()
    assert not kept.file.exists()
    kept.close()


def test_two_autosaves_never_share_a_file(tmp_path):
    assert Autosave(tmp_path).file != Autosave(tmp_path).file
