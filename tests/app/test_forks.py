"""Changes on the way: "from here on" and the hand that pulls."""

from __future__ import annotations

import math

import pytest

from assets.errors import BadInput
from gui.app import forks, formatting
from gui.app.session.session import Session
from tests.inline_jobs import InlineJobs


def changes_of(session: Session) -> list[tuple[float, dict]]:
    return [(segment.at, dict(segment.changes)) for segment in session.scenario.segments]


def edit_from_here(session: Session, changes: dict) -> bool:
    """Edit from the playhead on, whatever edits apply to otherwise."""
    before = session.from_here.on
    session.from_here.set(True)
    accepted = session.edit_many(changes)
    session.from_here.set(before)
    return accepted


def test_from_here_on_the_past_stays(session):
    session.playback.seek(0.5)
    assert edit_from_here(session, {"method": "rk2"})
    assert changes_of(session) == [(0.5, {"method": "rk2"})]
    assert session.scenario.method == "rk4"
    assert "0.500\u00a0s" in session.history.undo_text
    session.history.undo()
    assert session.scenario.segments == ()


def test_a_second_change_at_the_same_time_joins_the_first(session):
    session.playback.seek(0.5)
    edit_from_here(session, {"method": "rk2"})
    edit_from_here(session, {"step": 0.02})
    edit_from_here(session, {"step": 0.04})
    assert changes_of(session) == [(0.5, {"method": "rk2", "step": 0.04})]


def test_another_method_at_the_same_time_keeps_the_steps_that_it_can_have(session):
    session.playback.seek(0.5)
    edit_from_here(session, {"step": 0.02})
    edit_from_here(session, {"method": "dopri5"})
    assert changes_of(session) == [(0.5, {"step": 0.02, "method": "dopri5"})]
    edit_from_here(session, {"rtol": 1e-5})
    edit_from_here(session, {"method": "rk2"})
    assert changes_of(session) == [(0.5, {"method": "rk2"})], "it has no tolerance"


def test_a_change_at_the_end_is_refused_until_the_playhead_moves(session):
    session.from_here.set(True)
    session.playback.to_end()
    assert not session.edit("step", 0.02)
    assert session.messages.notice.startswith("From here on is possible only before ")
    assert "where the run ends; the playhead is at" in session.messages.notice
    session.playback.seek(0.5)
    assert not session.messages.problems
    assert "From here on" not in session.messages.notice


def test_a_change_after_the_run_has_ended_by_itself_is_refused(session, desk):
    """It was listed among the changes, and the run stayed as it was."""
    desk.outcome = {"status": "diverged", "t_end": 1.0}
    session.edit("robot.m1", 2.0)
    session.from_here.set(True)
    session.playback.seek(1.5)
    assert session.runs.current.state == "failed"
    assert not session.edit("step", 0.02)
    said = "From here on is possible only before 1 s, where the run ended; the playhead is at 1.5 s"
    assert session.messages.notice == said
    assert session.messages.problems == {"step": said}, "and not that a step of 0.02 s is wrong"
    assert session.scenario.segments == ()
    assert not session.drag_force.begin(1, (0.3, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert session.messages.notice.startswith("The run ends here.")
    session.playback.seek(1.4)
    assert session.messages.problems, "still too late"
    session.playback.seek(1.2)
    assert not session.messages.problems
    assert session.edit("step", 0.02), "the step that failed would be a shorter one"
    session.from_here.set(False)
    assert session.edit("robot.m1", 3.0), "of the whole run"
    desk.outcome = {"status": "cancelled", "t_end": 1.0}
    session.edit("robot.m1", 2.5)
    session.from_here.set(True)
    session.playback.seek(1.5)
    assert session.edit("step", 0.03), "a person has stopped it, and the next run may come further"


@pytest.mark.parametrize("at", [0.1, 1.0, 1.5])
def test_a_pull_outside_the_part_that_is_played_says_so(session: Session, at: float) -> None:
    """To play, the playhead jumped into that part, and the pull was over."""
    playback = session.playback
    playback.pause()
    playback.set_range(0.5, 1.0)
    playback.seek(at)
    assert not session.drag_force.begin(1, (0.0, 0.0, 0.0), (1.0, 0.0, 1.0))
    assert session.messages.notice.startswith("Only a part of the run is played.")
    assert playback.t == at
    assert not session.scenario.segments
    playback.seek(0.75)
    assert session.drag_force.begin(1, (0.0, 0.0, 0.0), (1.0, 0.0, 1.0))


def test_from_here_on_means_from_here_on(session):
    for t, changes in ((1.0, {"step": 0.02}), (1.5, {"robot.g": 1.0}), (0.5, {"method": "rkf45", "rtol": 1e-5})):
        session.playback.seek(t)
        assert edit_from_here(session, changes)
    assert changes_of(session) == [(0.5, {"method": "rkf45", "rtol": 1e-5}), (1.5, {"robot.g": 1.0})]


def test_refusals_on_the_way(session):
    session.playback.seek(0.5)
    before = session.scenario
    assert not edit_from_here(session, {"robot.m1": -1.0})
    assert "robot.m1" in session.messages.problems
    with pytest.raises(BadInput, match="initial"):
        forks.continued(before, 0.5, {"initial.q1": 1.0})
    session.playback.to_end()
    assert not edit_from_here(session, {"robot.m1": 2.0})
    assert session.scenario is before


def test_the_mode_from_here_on_sends_edits_to_the_playhead(session):
    session.from_here.set(True)
    session.playback.seek(0.5)
    session.edit("robot.m1", 2.0)
    assert changes_of(session) == [(0.5, {"robot.m1": 2.0})]
    assert session.from_here.in_force().get("robot.m1") == 2.0
    session.playback.seek(0.25)
    assert session.from_here.in_force().get("robot.m1") == 1.0
    session.edit("initial.q1", 0.75)
    assert session.scenario.get("initial.q1") == 0.75
    session.from_here.set(False)
    session.playback.seek(1.0)
    assert session.from_here.in_force().get("robot.m1") == 1.0


def test_a_slider_dragged_while_it_plays_is_one_change(session):
    session.from_here.set(True)
    session.playback.seek(0.5)
    session.playback.play()
    with session.gesture():
        for k in range(5):
            session.edit("robot.m1", 2.0 + k)
            session.playback.advance(1 / 60)
    assert changes_of(session) == [(0.5, {"robot.m1": 6.0})]
    session.history.undo()
    assert changes_of(session) == []


def test_segments_can_be_taken_out(session):
    for t in (0.5, 1.0, 1.5):
        session.playback.seek(t)
        edit_from_here(session, {"robot.g": t})
    session.from_here.remove(1)
    assert [at for at, _ in changes_of(session)] == [0.5, 1.5]
    session.from_here.remove(7)
    session.history.undo()
    session.from_here.remove(1)
    assert len(changes_of(session)) == 2


def pull(session: Session, frames: int = 5) -> None:
    assert session.drag_force.begin(1, (0.5, 0.0, 0.0), (1.0, 0.0, 0.5))
    for k in range(frames):
        session.playback.advance(1 / 60)
        session.drag_force.move((1.0, 0.0, 0.5 + 0.1 * k))


def test_a_pull_grows_with_the_playhead_and_is_one_step(session, desk):
    session.playback.seek(0.5)
    count = len(desk.simulated)
    pull(session)
    assert session.drag_force.active
    assert session.playback.playing
    assert len(desk.simulated) == count + 6
    held = session.scenario.segments[0].pull
    assert held.end == pytest.approx(session.playback.t + forks.HOLD)
    session.drag_force.end()
    (segment,) = session.scenario.segments
    assert (segment.at, segment.pull.start) == (0.5, 0.5)
    assert ", pulled from 0.500" in formatting.setting(session.scenario), "legends say it"
    assert segment.pull.end == session.playback.t
    assert len(segment.pull.track) == 6
    assert session.history.undo_text == "pull"
    session.history.undo()
    assert session.scenario.segments == ()
    assert not session.history.can_undo
    session.history.redo()
    assert session.scenario.segments == (segment,)


def test_a_touch_without_time_leaves_nothing(session):
    session.playback.seek(0.5)
    pull(session, frames=0)
    session.drag_force.move((1.2, 0.0, 0.5))
    session.drag_force.end()
    assert session.scenario.segments == ()
    assert not session.history.can_undo
    assert not session.files.dirty


def test_the_hand_lets_go_when_the_playhead_goes_back(session):
    session.playback.seek(0.5)
    pull(session)
    session.playback.seek(0.1)
    session.drag_force.move((0.0, 0.0, 0.0))
    assert not session.drag_force.active
    assert len(session.scenario.segments[0].pull.track) == 6


def test_a_second_pull_replaces_what_it_overlaps(session):
    session.playback.seek(0.5)
    pull(session, 30)
    session.drag_force.end()
    session.playback.seek(0.75)
    pull(session, 30)
    session.drag_force.end()
    first, second = session.scenario.segments
    assert first.pull.end < second.pull.start == 0.75 < second.pull.end


def test_what_cannot_be_pulled_says_why(session):
    assert not session.drag_force.begin(7, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert "link" in session.messages.notice
    assert not session.drag_force.active
    assert not session.history.can_undo
    assert not session.drag_force.begin(1, (math.nan, 0.0, 0.0), (1.0, 0.0, 0.0))
    session.playback.to_end()
    assert not session.drag_force.begin(1, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert session.scenario.segments == ()
    session.drag_force.move((0.0, 0.0, 0.0))
    session.drag_force.end()


def test_another_edit_or_undo_lets_go_first(session):
    session.playback.seek(0.5)
    pull(session)
    session.edit("robot.m1", 2.0)
    assert not session.drag_force.active
    assert session.scenario.segments[0].pull
    pull(session)
    session.history.undo()
    assert not session.drag_force.active
    assert session.scenario.get("robot.m1") == 2.0


def test_the_arm_really_answers(settings, scenario):
    session = Session(InlineJobs(), settings, scenario)
    session.start()
    free = session.runs.current.run
    session.playback.seek(0.5)
    pull(session, 20)
    session.drag_force.end()
    run = session.runs.current.run
    assert session.runs.current.state == "done"
    assert run.t_end == 2.0
    assert run.sample([0.4]) == pytest.approx(free.sample([0.4]), abs=1e-9)
    assert abs(run.sample([1.0]) - free.sample([1.0])).max() > 1e-2
    session.playback.seek(1.0)
    edit_from_here(session, {"method": "rk1"})
    forked = session.runs.current.run
    assert forked.sample([0.9]) == pytest.approx(run.sample([0.9]), abs=1e-9)
    assert abs(forked.sample([2.0]) - run.sample([2.0])).max() > 1e-4
