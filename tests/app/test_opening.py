"""A scenario's look and numbers depend on the scenario and on personal settings alone, not on what was open before."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.view import LISTS, UNSAVED, USUAL, ViewSettings
from robots.scenario.ensemble import Spread
from robots.scenario.presets import presets
from tests.inline_jobs import InlineJobs


def whole_state(session: Session) -> dict[str, object]:
    """Everything that a person can see or change, except the ids of rows."""
    playback = session.playback
    return {
        "scenario": session.scenario,
        "in force": session.from_here.in_force(),
        "from here": (session.from_here.on, session.from_here.time),
        "pins": [(pin.scenario, pin.slot) for pin in session.history.present.pins],
        "rows": [(row.scenario, row.slot, row.visible, row.state, row.message) for row in session.runs.all],
        "view": session.view.settings,
        "playback": (playback.t, playback.playing, playback.play_when_ready, playback.to_mapping()),
        "span": (playback.start, playback.end),
        "problems": dict(session.messages.problems),
        "notice": session.messages.notice,
        "file": (session.files.path, session.files.dirty, session.files.title),
        "undo": (session.history.can_undo, session.history.can_redo, session.drag_force.active),
        "saved": session.files.as_saved(),
        "times": (session.time_range.bounds(), session.time_range.follow, session.time_range.mark),
        "links": session.links.others("robot.m1"),
        "results": session.results.all,
        "tags": [row.tag for row in session.runs.all],
        "ensembles": [(row.ensemble_state, row.ensemble_message) for row in session.runs.all],
    }


def other(name: str, value: object) -> object:
    """Another value of a setting of the view than `value`."""
    if name in LISTS:
        return ["energy//linear"]
    if name == "camera_keys":
        return [{"t": 0.1, "camera": {}}]
    if isinstance(value, bool):
        return not value
    return {float: 7.0, str: "energy"}.get(type(value), {"distance": 3.0})


VIEW = {
    field.name: getattr(USUAL, field.name) for field in fields(ViewSettings) if field.name not in (*UNSAVED, "plots")
}
"""The settings of the view that belong to a scenario alone."""

MESSES: list[Callable[[Session], object]] = [
    lambda session: session.edit("method", "rk1"),
    lambda session: session.edit("duration", 3.3),
    lambda session: session.edit("step", -1.0),
    lambda session: session.choose_mode(fixed=False),
    lambda session: session.edit_many({"method": "dopri5", "rtol": 1e-3, "atol": 1e-3}),
    lambda session: session.comparisons.pin(),
    lambda session: session.runs.show(0, False),
    lambda session: session.playback.seek(0.21),
    lambda session: session.playback.set_speed(0.25),
    lambda session: session.playback.set_loop(True),
    lambda session: session.playback.set_range(0.1, 0.2),
    lambda session: session.playback.play(),
    lambda session: session.from_here.set(True),
    lambda session: session.edit("robot.m1", 3.0),
    lambda session: session.view.set(**{name: other(name, value) for name, value in VIEW.items()}),
    lambda session: session.edit("robot", "beam"),
    lambda session: session.begin_gesture(),
    lambda session: session.history.undo(),
    lambda session: session.drag_force.begin(1, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    lambda session: session.time_range.show(0.1, 0.2),
    lambda session: session.time_range.set_mark(0.15),
    lambda session: setattr(session.time_range, "follow", False),
    lambda session: session.links.link("robot.m1", "robot.m2"),
    lambda session: session.results.note("tableau", "Mine", {"text": "1"}),
    lambda session: session.results.keep("map", "Kept", {"text": "2"}),
    lambda session: session.comparisons.rename(0, "Coarse"),
    lambda session: session.ensembles.spread("robot.m1", Spread("normal", 0.1)),
    lambda session: session.edit("notes", "Mine."),
]


@pytest.mark.parametrize("seed", range(6))
def test_the_order_in_which_presets_are_opened_leaves_no_trace(
    desk: object, fresh_desk: type, settings: object, clock: object, seed: int
) -> None:
    chance = random.Random(seed)
    keys = chance.sample(list(presets()), 8)

    def fresh(key: str) -> dict[str, object]:
        first = Session(InlineJobs(), settings, None, fresh_desk().engine, clock)  # type: ignore[arg-type]
        first.start()
        first.files.new(key)
        return whole_state(first)

    session = Session(InlineJobs(), settings, None, fresh_desk().engine, clock)  # type: ignore[arg-type]
    session.start()
    for key in keys:
        for mess in chance.sample(MESSES, 9):
            mess(session)
        session.files.new(key)
        assert whole_state(session) == fresh(key), key


def test_what_is_hidden_and_the_playhead_come_back_with_the_file(session: Session, tmp_path: Path) -> None:
    session.comparisons.pin()
    pinned = session.comparisons.pin()
    session.runs.show(pinned, False)
    session.runs.show(0, False)
    session.playback.set_range(0.5, 1.5)
    session.playback.seek(0.75)
    session.playback.set_speed(0.125)
    session.playback.set_loop(True)
    session.files.save(tmp_path / "kept.json")
    kept = whole_state(session)
    session.files.new("rr-pd")
    assert session.runs.hidden == []
    assert (session.playback.t, session.playback.speed, session.playback.loop) == (0.0, 1.0, False)
    assert session.files.open(tmp_path / "kept.json")
    again = whole_state(session)
    assert {name: again[name] for name in ("rows", "view", "pins", "saved")} == {
        name: kept[name] for name in ("rows", "view", "pins", "saved")
    }
    assert session.runs.hidden == [0, 2]
    assert (session.playback.t, session.playback.range) == (0.75, (0.5, 1.5))
    assert not session.playback.playing


@pytest.mark.parametrize(
    "kept", [None, 3, {"time": "x", "speed": True, "range": [1]}, {"range": ["a", None], "time": float("nan")}]
)
def test_a_playhead_that_makes_no_sense_is_that_of_a_new_scenario(session: Session, kept: object) -> None:
    session.playback.set_speed(4.0)
    session.playback.seek(1.0)
    session.playback.take(kept)
    assert session.playback.to_mapping() == {"time": 0.0, "speed": 1.0, "loop": False, "range": None}


@pytest.mark.parametrize("playing", [True, False])
def test_a_file_saved_in_motion_or_at_its_end_plays_from_the_beginning(
    session: Session, tmp_path: Path, playing: bool
) -> None:
    session.playback.set_range(0.5, 1.5)
    session.playback.seek(0.75 if playing else 1.5)
    if playing:
        session.playback.play()
    session.files.save(tmp_path / "moving.json")
    session.playback.pause()
    assert session.files.open(tmp_path / "moving.json")
    assert (session.playback.t, session.playback.playing) == (0.5, True)


def test_every_scenario_that_is_opened_plays_even_one_that_fails(session: Session, tmp_path: Path, desk) -> None:
    session.playback.pause()
    session.files.save(tmp_path / "here.json")
    assert session.files.open(tmp_path / "here.json")
    assert session.playback.playing
    desk.outcome = {"status": "diverged", "t_end": 0.1}
    session.files.new("rr-stiff")
    assert session.runs.current.state == "failed"
    assert session.playback.playing


def test_a_preset_brings_its_speed_and_its_runs(session: Session) -> None:
    session.files.new("e1")
    assert (session.playback.speed, session.playback.loop) == (1 / 16, True)
    session.files.new("rr-chaos")
    assert (session.playback.speed, session.playback.loop) == (1.0, False)
    assert [(row.scenario.rtol, row.scenario.method) for row in session.runs.all] == [
        (1e-10, "dop853"),
        (1e-11, "dop853"),
    ]
    session.files.new("pa10-drift")
    assert [row.scenario.method for row in session.runs.all] == ["rk4", "rk1", "pc-trapezoid"]


def test_a_detour_over_another_method_loses_no_tolerance_and_no_step(session: Session) -> None:
    session.edit_many({"method": "dopri5", "rtol": 1e-3, "atol": 1e-4})
    session.edit("method", "rk1")
    assert session.scenario.step == 0.01
    session.edit("step", 0.02)
    session.edit("method", "bs32")
    session.choose_mode(fixed=False)
    assert (session.scenario.rtol, session.scenario.atol) == (1e-3, 1e-4)
    session.edit("method", "rk2")
    assert session.scenario.step == 0.02
    session.history.undo()
    session.choose_mode(fixed=True)
    assert session.scenario.step == 0.02


def test_a_detour_over_another_task_loses_no_value(session: Session) -> None:
    session.files.new("panda-circle")
    before = session.scenario
    for torque in before.fields()["task.torque"].choices:
        session.edit("task.torque", torque)
        session.edit("task.torque", before.get("task.torque"))
        assert session.scenario == before, torque


def test_a_detour_takes_nothing_from_another_scenario_or_robot(session: Session) -> None:
    session.edit_many({"method": "dopri5", "rtol": 1e-3, "atol": 1e-4})
    session.files.new("rr-swing")
    session.edit("method", "dopri5")
    session.choose_mode(fixed=False)
    assert (session.scenario.rtol, session.scenario.atol) == (1e-6, 1e-9)
    session.edit_many({"rtol": 1e-4, "atol": 1e-4})
    session.edit("robot", "pa10")
    session.edit("method", "dopri5")
    session.choose_mode(fixed=False)
    assert (session.scenario.rtol, session.scenario.atol) == (1e-6, 1e-9)


def test_a_change_in_a_fresh_preset_is_no_segment(session: Session) -> None:
    session.playback.seek(1.0)
    session.from_here.set(True)
    session.files.new("rr-swing")
    session.edit("robot.m1", 2.0)
    assert session.scenario.segments == ()
    assert session.scenario.get("robot.m1") == 2.0


def test_which_plots_are_shown_stays_but_not_what_they_show(session: Session, settings: Settings) -> None:
    session.view.set(plots=["energy//linear", "joints/positions"])
    session.files.new("e1")
    assert session.view.settings.plots == ("energy", "joints")
    later = Session(InlineJobs(), settings)
    assert later.view.settings.plots == ("energy", "joints")


def test_plots_that_are_chosen_beside_those_of_a_preset_stay_with_it(session: Session, settings: Settings) -> None:
    session.files.new("rr-sampled")
    own = session.view.settings.plots
    assert own is not None
    session.view.set(plots=[*own, "phase"])
    session.view.show_usual_plots()
    assert session.view.settings.plots == own
    session.view.set(plots=[*own, "phase"])
    session.files.new("rr-swing")
    assert session.view.settings.plots is None
    assert Session(InlineJobs(), settings).view.settings.plots is None
    session.view.set(plots=["energy"])
    session.view.show_usual_plots()
    assert session.view.settings.plots is None


def test_a_scenario_file_may_end_in_armstep(session, tmp_path):
    for name in ("swing.armstep", "swing.ARMSTEP", "swing.json"):
        session.edit("robot.m1", 2.5)
        assert session.files.save(tmp_path / name)
        session.files.new("rr-swing")
        assert session.files.open(tmp_path / name)
        assert session.scenario.get("robot.m1") == 2.5
        assert session.files.path == tmp_path / name
    (tmp_path / "broken.armstep").write_text("not JSON")
    assert not session.files.open(tmp_path / "broken.armstep")
    assert "broken.armstep" in session.messages.problems["file"]


def test_playing_ends_where_the_longest_run_ends(session: Session, desk) -> None:
    desk.outcome = {"status": "diverged", "t_end": 0.65}
    session.files.new("rr-stiff")
    assert session.playback.reach == 0.65
    session.comparisons.pin()
    desk.outcome = None
    session.edit("step", 0.01)
    assert session.playback.reach == 5.0, "the other run goes on"
    session.runs.show(session.runs.current.id, False)
    assert session.playback.reach == 0.65, "it is out of sight"
