"""Settings belong to the person, the view to the scenario; what is broken or cannot be kept is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gui.app.session.session import Session
from gui.app.settings import RECENT_LIMIT, Settings
from gui.app.view import ViewSettings
from robots.scenario.scenario import new_scenario
from tests.inline_jobs import InlineJobs


def test_recent_files_are_few_newest_first_and_unique(settings, tmp_path):
    for k in [*range(20), 5]:
        settings.add_recent(tmp_path / f"{k}.json")
    assert len(settings.recent) == RECENT_LIMIT
    assert settings.recent[0].name == "5.json"
    assert len(set(settings.recent)) == RECENT_LIMIT
    settings.forget_recent(tmp_path / "5.json")
    assert settings.recent[0].name == "19.json"
    settings.forget_recent()
    assert settings.recent == ()


@pytest.mark.parametrize("content", [b"{", b"[1, 2]", b"\xff\xfe\x00", b""])
def test_settings_that_are_broken_are_set_aside_with_a_word(tmp_path, content, desk):
    (tmp_path / "settings.json").write_bytes(content)
    settings = Settings(tmp_path)
    assert settings.get("theme", "light") == "light"
    assert "could not be read" in settings.trouble
    assert (tmp_path / "settings.json.broken").read_bytes() == content
    session = Session(InlineJobs(), settings, new_scenario("rr"), desk.engine)
    assert "could not be read" in session.messages.notice


def test_settings_come_back_and_wrong_types_do_not(tmp_path):
    Settings(tmp_path).set("window", {"width": 800})
    settings = Settings(tmp_path)
    assert settings.get("window") == {"width": 800}
    assert settings.get("window", "text") == "text"


def test_settings_that_cannot_be_kept_say_so(tmp_path):
    (tmp_path / "file").write_text("")
    settings = Settings(tmp_path / "file" / "folder")
    settings.set("a", 1)
    assert settings.get("a") == 1
    assert "could not be saved" in settings.trouble


def test_theme_and_quality_belong_to_the_person_the_rest_to_the_scenario(session, desk, tmp_path):
    session.view.set(theme="dark", quality="low", grid=False)
    session.files.save(tmp_path / "arm.json")
    assert "dark" not in (tmp_path / "arm.json").read_text()
    other = Session(InlineJobs(), Settings(session.settings.folder), new_scenario("rr"), desk.engine)
    assert (other.view.settings.theme, other.view.settings.quality, other.view.settings.grid) == ("dark", "low", True)


def test_a_view_that_there_is_not_is_refused(session, heard):
    changed = heard(session.view.changed)
    for values in ({"theme": "pink"}, {"trail": 1}, {"camera": 3}, {"trail_seconds": -1.0}, {"wings": True}):
        assert not session.view.set(**values)
    assert session.view.settings == ViewSettings()
    assert changed == []
    assert session.view.set(trail_seconds=5.0)
    assert changed == [()]


def test_the_view_is_not_undone(session):
    session.edit("robot.m1", 2.0)
    session.view.set(grid=False)
    session.history.undo()
    assert not session.view.settings.grid


def test_the_first_scenario_is_the_swinging_arm(settings, desk):
    session = Session(InlineJobs(), settings, engine=desk.engine)
    assert session.scenario.name == "rr-swing"
    assert session.playback.end == session.scenario.duration
    assert not replace(session.scenario).view
