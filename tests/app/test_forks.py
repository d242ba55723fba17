"""Changes on the way: "from here on" and the hand that pulls."""

from __future__ import annotations

import math

import pytest

from gui.app import forks
from gui.app.jobs import InlineJobs
from gui.app.session.session import Session


def changes_of(session: Session) -> list[tuple[float, dict]]:
    return [(segment.at, dict(segment.changes)) for segment in session.scenario.segments]


def test_from_here_on_the_past_stays(session):
    session.seek(0.5)
    assert session.continue_from_here({"method": "rk2"})
    assert changes_of(session) == [(0.5, {"method": "rk2"})]
    assert session.scenario.method == "rk4"
    assert "0.500 s" in session.undo_text
    session.undo()
    assert session.scenario.segments == ()


def test_a_second_change_at_the_same_time_joins_the_first(session):
    session.seek(0.5)
    session.continue_from_here({"method": "rk2"})
    session.continue_from_here({"step": 0.02})
    session.continue_from_here({"step": 0.04})
    assert changes_of(session) == [(0.5, {"method": "rk2", "step": 0.04})]


def test_from_here_on_means_from_here_on(session):
    for t, changes in ((1.0, {"step": 0.02}), (1.5, {"robot.g": 1.0}), (0.5, {"method": "rkf45", "rtol": 1e-5})):
        session.seek(t)
        assert session.continue_from_here(changes)
    assert changes_of(session) == [(0.5, {"method": "rkf45", "rtol": 1e-5}), (1.5, {"robot.g": 1.0})]


def test_refusals_on_the_way(session):
    session.seek(0.5)
    before = session.scenario
    assert not session.continue_from_here({"robot.m1": -1.0})
    assert "robot.m1" in session.problems
    assert not session.continue_from_here({"initial.q1": 1.0})
    assert "initial.q1" in session.problems
    session.playback.to_end()
    assert not session.continue_from_here({"robot.m1": 2.0})
    assert session.scenario is before


def test_the_mode_from_here_on_sends_edits_to_the_playhead(session):
    session.set_from_here(True)
    session.seek(0.5)
    session.edit("robot.m1", 2.0)
    assert changes_of(session) == [(0.5, {"robot.m1": 2.0})]
    assert session.value("robot.m1") == 2.0
    session.seek(0.25)
    assert session.value("robot.m1") == 1.0
    session.edit("initial.q1", 0.75)
    assert session.scenario.get("initial.q1") == 0.75
    session.set_from_here(False)
    session.seek(1.0)
    assert session.value("robot.m1") == 1.0


def test_a_slider_dragged_while_it_plays_is_one_change(session):
    session.set_from_here(True)
    session.seek(0.5)
    session.playback.play()
    with session.gesture():
        for k in range(5):
            session.edit("robot.m1", 2.0 + k)
            session.playback.advance(1 / 60)
    assert changes_of(session) == [(0.5, {"robot.m1": 6.0})]
    session.undo()
    assert changes_of(session) == []


def test_segments_can_be_taken_out(session):
    for t in (0.5, 1.0, 1.5):
        session.seek(t)
        session.continue_from_here({"robot.g": t})
    session.remove_segment(1)
    assert [at for at, _ in changes_of(session)] == [0.5, 1.5]
    session.remove_segment(7)
    session.clear_segments()
    assert changes_of(session) == []
    session.undo()
    assert len(changes_of(session)) == 2


def pull(session: Session, frames: int = 5) -> None:
    assert session.pull_begin(1, (0.5, 0.0, 0.0), (1.0, 0.0, 0.5))
    for k in range(frames):
        session.playback.advance(1 / 60)
        session.pull_move((1.0, 0.0, 0.5 + 0.1 * k))


def test_a_pull_grows_with_the_playhead_and_is_one_step(session, desk):
    session.seek(0.5)
    count = len(desk.simulated)
    pull(session)
    assert session.pulling
    assert session.playback.playing
    assert len(desk.simulated) == count + 6
    held = session.scenario.segments[0].pull
    assert held.end == pytest.approx(session.playback.t + forks.HOLD)
    session.pull_end()
    (segment,) = session.scenario.segments
    assert (segment.at, segment.pull.start) == (0.5, 0.5)
    assert segment.pull.end == session.playback.t
    assert len(segment.pull.track) == 6
    assert session.undo_text == "pull"
    session.undo()
    assert session.scenario.segments == ()
    assert not session.can_undo
    session.redo()
    assert session.scenario.segments == (segment,)


def test_a_touch_without_time_leaves_nothing(session):
    session.seek(0.5)
    pull(session, frames=0)
    session.pull_move((1.2, 0.0, 0.5))
    session.pull_end()
    assert session.scenario.segments == ()
    assert not session.can_undo
    assert not session.dirty


def test_the_hand_lets_go_when_the_playhead_goes_back(session):
    session.seek(0.5)
    pull(session)
    session.seek(0.1)
    session.pull_move((0.0, 0.0, 0.0))
    assert not session.pulling
    assert len(session.scenario.segments[0].pull.track) == 6


def test_a_second_pull_replaces_what_it_overlaps(session):
    session.seek(0.5)
    pull(session, 30)
    session.pull_end()
    session.seek(0.75)
    pull(session, 30)
    session.pull_end()
    first, second = session.scenario.segments
    assert first.pull.end < second.pull.start == 0.75 < second.pull.end


def test_what_cannot_be_pulled_says_why(session):
    assert not session.pull_begin(7, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert "link" in session.notice
    assert not session.pulling
    assert not session.can_undo
    assert not session.pull_begin(1, (math.nan, 0.0, 0.0), (1.0, 0.0, 0.0))
    session.playback.to_end()
    assert not session.pull_begin(1, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert session.scenario.segments == ()
    session.pull_move((0.0, 0.0, 0.0))
    session.pull_end()


def test_another_edit_or_undo_lets_go_first(session):
    session.seek(0.5)
    pull(session)
    session.edit("robot.m1", 2.0)
    assert not session.pulling
    assert session.scenario.segments[0].pull
    pull(session)
    session.undo()
    assert not session.pulling
    assert session.scenario.get("robot.m1") == 2.0


def test_the_arm_really_answers(settings, scenario):
    session = Session(InlineJobs(), settings, scenario)
    session.start()
    free = session.current.run
    session.seek(0.5)
    pull(session, 20)
    session.pull_end()
    run = session.current.run
    assert session.current.state == "done"
    assert run.t_end == 2.0
    assert run.sample([0.4]) == pytest.approx(free.sample([0.4]), abs=1e-9)
    assert abs(run.sample([1.0]) - free.sample([1.0])).max() > 1e-2
    session.seek(1.0)
    session.continue_from_here({"method": "rk1"})
    forked = session.current.run
    assert forked.sample([0.9]) == pytest.approx(run.sample([0.9]), abs=1e-9)
    assert abs(forked.sample([2.0]) - run.sample([2.0])).max() > 1e-4
