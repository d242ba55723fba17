"""Files: what is saved comes back, what fails loses nothing, a crash is recovered from."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.runs import CURRENT
from gui.app.session.session import Session
from gui.app.settings import Settings
from robots.scenario.file import load_scenario
from robots.scenario.scenario import Scenario, new_scenario
from tests.inline_jobs import InlineJobs


def another(session: Session, desk) -> Session:
    """A second window of the same person."""
    other = Session(InlineJobs(), Settings(session.settings.folder), new_scenario("rr"), desk.engine)
    other.start()
    return other


def test_another_robot_is_not_seen_from_where_the_first_one_was(session):
    """The camera, its path and the link that it rides on belong to a robot; overlays do not."""
    from_left = {"azimuth": 3.1}
    session.view.set(camera=from_left, camera_keys=({"t": 0.0, "camera": {}},), ride_on="link 2", trail=False)
    session.edit("step", 0.02)
    assert session.view.settings.camera == from_left
    session.edit("robot", "beam")
    view = session.view.settings
    assert (view.camera, view.camera_keys, view.camera_path, view.ride_on) == (None, (), False, "")
    assert not view.trail
    seen = new_scenario("rr").with_values({"name": "x"})
    seen = replace(seen, view={"camera": from_left, "trail": False})
    assert dict(seen.with_value("step", 0.02).view) == {"camera": from_left, "trail": False}
    assert dict(seen.with_value("robot", "pa10").view) == {"trail": False}


def test_what_is_saved_comes_back_with_pins_and_view(session, desk, tmp_path):
    file = tmp_path / "arm.json"
    session.comparisons.pin()
    session.edit("method", "rk2")
    session.view.set(trail=False, camera={"azimuth": 30.0})
    assert session.files.dirty
    assert session.files.save(file)
    assert not session.files.dirty
    assert session.files.title == "arm.json"
    assert session.settings.recent == (file,)

    other = another(session, desk)
    assert other.files.open(file)
    assert other.scenario == session.scenario
    assert not other.files.dirty
    assert not other.history.can_undo
    assert [(row.scenario, row.slot) for row in other.runs.all] == [
        (row.scenario, row.slot) for row in session.runs.all
    ]
    assert all(row.state == "done" for row in other.runs.all)
    assert other.view.settings.camera == {"azimuth": 30.0}
    assert not other.view.settings.trail


def test_the_saved_file_is_a_plain_scenario_that_the_command_line_reads(session, tmp_path):
    session.edit("robot.m1", 2.0)
    session.files.save(tmp_path / "arm.json")
    assert load_scenario(tmp_path / "arm.json").hash() == session.scenario.hash()


def test_dirty_is_about_values_not_about_history(session, tmp_path):
    session.files.save(tmp_path / "arm.json")
    session.edit("robot.m1", 2.0)
    assert session.files.dirty
    session.history.undo()
    assert not session.files.dirty
    session.edit("robot.m1", 3.0)
    session.edit("robot.m1", 1.0)
    assert not session.files.dirty


def test_save_without_a_file_asks_for_one(session):
    assert not session.files.save()
    assert "file" in session.messages.problems


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "gif"}', "\x00\x01", '{"robot": "rr", "wings": 2}'])
def test_a_foreign_file_changes_nothing(session, tmp_path, content):
    session.edit("robot.m1", 2.0)
    file = tmp_path / "foreign.json"
    file.write_text(content)
    before = session.scenario
    assert not session.files.open(file)
    assert session.scenario is before
    assert session.files.dirty
    assert session.files.path is None
    assert session.history.can_undo
    assert session.messages.problems["file"]
    assert session.settings.recent == ()


def test_a_binary_or_missing_file_and_a_folder_are_refused(session, tmp_path):
    binary = tmp_path / "binary.json"
    binary.write_bytes(bytes(range(256)))
    for file in (binary, tmp_path / "missing.json", tmp_path):
        assert not session.files.open(file)
        assert str(file) in session.messages.problems["file"]


def test_what_is_inside_an_exported_film_is_opened_as_a_new_document(session, desk, tmp_path):
    film = tmp_path / "arm.mp4"
    film.write_bytes(b"\x00\x00\x00 ftypisom")
    scenarios = [replace(session.scenario, title="from a film"), session.scenario.with_value("method", "rk2")]

    def inside(file):
        if not scenarios:
            raise BadInput("file", str(file), "something that Armstep exported")
        return scenarios

    other = Session(InlineJobs(), session.settings, engine=desk.engine, inside=inside)
    other.start()
    assert other.files.open(film)
    assert [row.scenario.method for row in other.runs.all] == ["rk4", "rk2"]
    assert other.messages.notice == "Opened arm.mp4.", "as of any other file"
    assert other.files.title == "from a film"
    assert other.files.path is None
    other.files.save(tmp_path / "arm.json")
    assert other.files.open(tmp_path / "arm.json")
    assert other.files.path == tmp_path / "arm.json"
    assert other.messages.notice == "Opened arm.json."

    scenarios.clear()
    assert not other.files.open(film)
    assert "exported" in other.messages.problems["file"]
    assert film.read_bytes().endswith(b"isom")


def test_an_unknown_preset_is_refused(session):
    assert not session.files.new("rr-swingg")
    assert "rr-swing" in session.messages.problems["file"]


def test_a_save_that_fails_keeps_the_old_file_and_the_edits(session, tmp_path, monkeypatch):
    file = tmp_path / "arm.json"
    session.files.save(file)
    before = file.read_bytes()
    session.edit("robot.m1", 2.0)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert not session.files.save()
    assert file.read_bytes() == before
    assert session.files.dirty
    assert "the disk is full" in session.messages.problems["file"]
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["arm.json"]
    monkeypatch.undo()
    assert session.files.save()
    assert not session.files.dirty
    assert "file" not in session.messages.problems


def test_a_place_that_cannot_be_written_is_named(session, tmp_path):
    assert not session.files.save(tmp_path / "no" / "such" / "folder.json")
    assert "folder.json" in session.messages.problems["file"]
    assert session.files.path is None


def test_pins_of_another_time_are_left_out_with_a_word(session, tmp_path, desk):
    file = tmp_path / "arm.json"
    session.comparisons.pin()
    session.files.save(file)
    data = json.loads(file.read_text())
    data["pins"] += [{"slot": 2}, "nonsense", {"scenario": {"robot": "unicycle"}}]
    data["view"] |= {"trail": "yes", "aura": True}
    file.write_text(json.dumps(data))
    other = another(session, desk)
    assert other.files.open(file)
    assert len(other.runs.all) == 2
    assert "left out" in other.messages.notice
    assert other.view.settings.trail is True


def test_pins_of_an_older_file_which_its_view_held_are_there(session, tmp_path, desk):
    file = tmp_path / "arm.json"
    session.edit("step", 0.02)
    session.comparisons.pin()
    session.edit("step", 0.01)
    session.files.save(file)
    data = json.loads(file.read_text())
    data["view"]["pins"] = data.pop("pins")
    file.write_text(json.dumps(data))
    other = another(session, desk)
    assert other.files.open(file)
    assert [row.scenario.step for row in other.runs.all] == [0.01, 0.02]
    assert "pins" not in other.scenario.view
    assert not other.messages.problems


def test_pins_decide_no_number_and_must_be_a_list(session):
    alone = session.scenario
    beside = alone.with_pins([alone.with_value("step", 0.02)])
    assert beside.hash() == alone.hash()
    assert beside.alone() == alone.alone()
    assert Scenario.from_json(beside.to_json()) == beside
    with pytest.raises(BadInput, match="pins must be a list"):
        replace(alone, pins="rk4")


def test_new_begins_afresh(session):
    session.comparisons.pin()
    session.edit("robot.m1", 2.0)
    session.playback.seek(1.0)
    assert session.files.new("rr-swing")
    assert session.files.path is None
    assert not session.files.dirty
    assert len(session.runs.all) == 1
    assert session.playback.t == 0.0


def test_a_key_frame_of_the_camera_is_a_change(session, tmp_path):
    session.files.save(tmp_path / "one.armstep")
    session.view.set(camera={"azimuth": 0.3})
    assert not session.files.dirty, "where one looks from is none"
    camera = {
        "target": [0, 0, 0],
        "distance": 3,
        "azimuth": 0,
        "elevation": 0,
        "field_of_view": 0.7,
        "orthographic": False,
    }
    session.view.set(camera_keys=({"t": 0.5, "camera": camera},))
    assert session.files.dirty
    session.files.save()
    assert not session.files.dirty
    session.files.new("rr-chaos")
    assert not session.files.dirty
    session.files.open(tmp_path / "one.armstep")
    assert not session.files.dirty
    assert len(session.view.settings.camera_keys) == 1


@pytest.mark.parametrize(
    ("origin", "extra", "said"),
    [
        ("0 0 0.3", "", "Opened arm.urdf."),
        ("0 0 0", "", "Opened arm.urdf. Its tip is at joint elbow: no frame lies beyond it."),
        (
            "0 0 0",
            "<transmission name='motor'/>",
            "Opened arm.urdf. 1 entry of its file is left out: see File > Robot report. "
            "Its tip is at joint elbow: no frame lies beyond it.",
        ),
    ],
)
def test_the_notice_of_a_robot_file_says_what_it_lacks(
    session: Session, tmp_path: Path, origin: str, extra: str, said: str
) -> None:
    body = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
    file = tmp_path / "arm.urdf"
    file.write_text(
        f"<robot name='arm'><link name='base'/><link name='lower'>{body}</link><link name='tool'/>{extra}"
        "<joint name='elbow' type='continuous'><parent link='base'/><child link='lower'/><axis xyz='0 1 0'/></joint>"
        "<joint name='mount' type='fixed'><parent link='lower'/><child link='tool'/>"
        f"<origin xyz='{origin}'/></joint></robot>",
        encoding="utf-8",
    )
    assert session.files.open(file)
    assert session.messages.notice == said
    more = said.removeprefix("Opened arm.urdf.").strip()
    session.runs.updated.emit(CURRENT)
    assert session.messages.notice.startswith(more), "the status of its run does not replace it"
    assert session.messages.notice != more
    session.edit("duration", 3.0)
    session.runs.updated.emit(CURRENT)
    assert "tip" not in session.messages.notice
    session.files.open(file)
    session.files.new("panda-drop")
    assert "tip" not in session.messages.notice


def test_what_a_presentation_has_borrowed_is_not_saved(session, tmp_path: Path):
    own = session.view.settings.plots
    session.view.lend(theme="projector", plots=("energy",))
    assert session.files.save(tmp_path / "one.armstep")
    assert session.view.settings.plots == ("energy",)
    session.view.end_loan()
    session.files.open(tmp_path / "one.armstep")
    assert session.view.settings.plots == own
