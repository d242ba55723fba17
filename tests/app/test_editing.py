"""Editing a scenario: what is refused changes nothing, what is accepted can be undone."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.app.session.session import Session
from gui.app.settings import Settings
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import new_scenario
from tests.inline_jobs import InlineJobs


def test_an_edit_makes_another_scenario_and_another_run(session, desk, heard):
    changed, updated = heard(session.scenario_changed), heard(session.runs.updated)
    assert session.edit("robot.m1", 2.5)
    assert session.scenario.get("robot.m1") == 2.5
    assert session.runs.current.run.scenario is session.scenario is desk.simulated[-1]
    assert session.runs.current.state == "done"
    assert changed == [()]
    assert (0,) in updated


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("robot.m1", -1.0),
        ("robot.m1", float("nan")),
        ("robot.r2", 0.0),
        ("step", 0.0),
        ("step", 5.0),
        ("rtol", 50.0),
        ("duration", float("inf")),
        ("method", "rk44"),
        ("robot", "rrr"),
        ("initial.q9", 1.0),
    ],
)
def test_a_refused_value_leaves_everything_as_it_was(session, desk, path, value, heard):
    before, count, reported = session.scenario, len(desk.simulated), heard(session.messages.problems_changed)
    assert not session.edit(path, value)
    assert session.scenario is before
    assert len(desk.simulated) == count
    assert path in session.messages.problems
    assert session.messages.problems[path] == session.messages.notice
    field = session.scenario.fields().get(path)
    name = f"{field.label[:1].upper()}{field.label[1:]}" if field else "field"
    assert session.messages.problems[path].startswith(f"{name} must be ")
    assert reported
    assert not session.history.can_undo
    assert not session.files.dirty


def test_a_good_edit_clears_the_problem_of_its_field_only(session):
    session.edit("robot.m1", -1.0)
    session.edit("robot.m2", -1.0)
    session.edit("robot.m1", 3.0)
    assert list(session.messages.problems) == ["robot.m2"]


def test_the_same_value_again_is_no_edit(session, desk):
    session.messages.say_quietly("the status of the run")
    session.edit("robot.m1", -1.0)
    session.messages.say_quietly("its status now")
    session.edit("robot.m2", -1.0)
    assert session.edit("robot.m1", session.scenario.get("robot.m1"))
    assert session.messages.notice == session.messages.problems["robot.m2"], "the other refusal still shows"
    assert session.edit("robot.m2", session.scenario.get("robot.m2"))
    assert session.messages.notice == "its status now"
    session.messages.say_quietly("It diverged.", urgent=True)
    session.edit("robot.m1", -1.0)
    session.messages.solved("robot.m1")
    assert session.messages.notice == "It diverged.", "a status that is urgent is what stands there again"
    assert not session.history.can_undo
    assert len(desk.simulated) == 1
    assert not session.messages.problems


def test_several_fields_are_one_step_or_none(session):
    assert session.edit_many({"initial.q1": 0.3, "initial.q2": 0.4})
    assert not session.edit_many({"initial.q1": 0.9, "initial.q2": float("nan")})
    assert session.scenario.get("initial.q1") == 0.3
    session.history.undo()
    assert not session.history.can_undo


def test_a_drag_is_one_step_and_a_return_is_none(session):
    with session.gesture():
        for k in range(30):
            session.edit("robot.m1", 1.0 + 0.1 * k)
    assert session.scenario.get("robot.m1") == pytest.approx(3.9)
    session.history.undo()
    assert session.scenario.get("robot.m1") == 1.0
    assert not session.history.can_undo
    with session.gesture():
        session.edit("robot.m1", 2.0)
        session.edit("robot.m1", 1.0)
    assert not session.history.can_undo
    assert not session.files.dirty


def test_undo_says_what_it_takes_back(session):
    session.edit("robot.m1", 2.0)
    assert session.history.undo_text == "mass 1"
    session.history.undo()
    assert (session.history.undo_text, session.history.redo_text) == ("", "mass 1")


def test_the_playhead_stays_and_goes_on_playing(session):
    session.playback.play()
    session.playback.seek(1.25)
    session.edit("robot.m1", 2.0)
    session.history.undo()
    assert (session.playback.t, session.playback.playing) == (1.25, True)
    session.edit("duration", 1.0)
    assert (session.playback.t, session.playback.end) == (1.0, 1.0)


def test_a_remark_on_an_edit_is_shown_until_the_next_one(session):
    session.edit("method", "rkf45")
    session.edit("rtol", 1e-7)
    assert session.edit("method", "rk4")
    assert "no step control" in session.messages.notice
    session.edit("robot.m1", 2.0)
    assert "no step control" not in session.messages.notice


def test_text_that_is_no_value_is_a_problem_of_its_field(session):
    session.messages.refuse("Step must be a number, got 'abc'", "step")
    assert "abc" in session.messages.problems["step"]
    assert "abc" in session.messages.notice
    session.edit("step", 0.02)
    assert not session.messages.problems


EDITS = st.one_of(
    st.tuples(st.just("robot.m1"), st.floats(allow_nan=True, allow_infinity=True)),
    st.tuples(st.just("initial.q1"), st.floats(-4, 4)),
    st.tuples(st.just("step"), st.sampled_from([0.01, 0.02, 0.0, 9.0, 0.5])),
    st.tuples(st.just("rtol"), st.sampled_from([1e-3, 1e-6, -1.0])),
    st.tuples(st.just("method"), st.sampled_from(["rk4", "rkf45", "euler", "nothing"])),
    st.tuples(st.just("duration"), st.floats(0.1, 3.0)),
)
VERBS = st.one_of(
    EDITS.map(lambda edit: ("edit", *edit)),
    st.tuples(st.just("playback.seek"), st.floats(0, 3)),
    st.tuples(st.just("from_here.set"), st.booleans()),
    st.just(("comparisons.pin",)),
    st.tuples(st.just("from_here.remove"), st.integers(0, 2)),
    st.tuples(st.just("comparisons.remove"), st.integers(0, 4)),
    st.tuples(st.just("comparisons.duplicate"), st.integers(0, 4)),
    st.tuples(st.just("comparisons.edit"), st.integers(0, 4)),
    st.tuples(st.just("drag_force.begin"), st.just(1), st.just((0.0, 0.0, 0.0)), st.just((1.0, 0.0, 1.0))),
    st.tuples(st.just("drag_force.move"), st.tuples(*[st.floats(-2, 2)] * 3)),
    st.just(("drag_force.end",)),
    st.just(("begin_gesture",)),
    st.just(("end_gesture",)),
)


@given(verbs=st.lists(VERBS, max_size=14))
def test_undoing_everything_comes_back_to_the_start_and_redoing_to_the_end(tmp_path_factory, fresh_desk, verbs):
    start = replace(new_scenario("rr"), duration=2.0)
    session = Session(InlineJobs(), Settings(tmp_path_factory.mktemp("s")), start, fresh_desk().engine, lambda: 0.0)
    session.start()
    first = session.history.present
    for name, *arguments in verbs:
        attrgetter(name)(session)(*arguments)
        assert session.runs.current.scenario == session.scenario
        assert [row.id for row in session.runs.all[1:]] == [pin.id for pin in session.history.present.pins]
    session.drag_force.end()
    session.end_gesture()
    last = session.history.present
    while session.history.can_undo:
        session.history.undo()
    assert session.history.present == first
    assert not session.files.dirty
    while session.history.can_redo:
        session.history.redo()
    assert session.history.present == last
    assert all(row.state == "done" and row.run and row.run.scenario == row.scenario for row in session.runs.all)


@pytest.mark.parametrize(("velocity", "kept"), [(7, 4), (8, 5), (0, 0)])
def test_the_degrees_of_a_taylor_series_move_together(session, velocity, kept):
    assert session.edit_many({"method": "taylor", "options.order": 8, "options.velocity_order": velocity})
    assert session.edit("options.order", 5)
    assert session.scenario.options["order"] == 5
    assert session.scenario.options["velocity_order"] == kept
    session.history.undo()
    assert session.scenario.options["velocity_order"] == velocity


def test_two_degrees_that_contradict_each_other_are_refused_when_both_are_given(session):
    before = session.scenario
    assert not session.edit_many({"method": "taylor", "options.order": 5, "options.velocity_order": 3})
    assert "4 or 5" in session.messages.problems["options.velocity_order"]
    assert session.scenario is before


def test_a_degree_that_is_refused_changes_neither(session):
    session.edit_many({"method": "taylor", "options.order": 8, "options.velocity_order": 7})
    for wrong in (31, 0, 5.5, "many"):
        assert not session.edit("options.order", wrong)
        assert "options.order" in session.messages.problems
    assert (session.scenario.options["order"], session.scenario.options["velocity_order"]) == (8, 7)


def test_the_status_line_goes_on_after_a_refusal_when_something_else_is_done(session):
    session.edit("robot.m1", -1.0)
    assert session.messages.notice.startswith("Mass 1 must be ")
    session.edit("step", 0.02)
    assert "step 20\u00a0ms" in session.messages.notice
    assert "robot.m1" in session.messages.problems
    session.edit("robot.m1", -2.0)
    session.history.undo()
    assert "step 10\u00a0ms" in session.messages.notice


def test_a_change_that_came_too_late_is_forgotten_with_the_wish_to_change_from_here(session):
    session.playback.seek(session.playback.end)
    session.from_here.set(True)
    assert not session.edit("step", 0.02)
    assert "where the run ends" in session.messages.problems["step"]
    session.from_here.set(False)
    assert not session.messages.problems


def test_words_and_looks_are_shown_without_another_integration(session, desk):
    session.files.adopt(find_scenario("hmmwv"))
    computed = list(desk.simulated)
    assert session.edit("view.body", "frame")
    assert session.edit("notes", "Look at the suspension.")
    assert desk.simulated == computed
    assert session.runs.current.state == "done"
    assert session.runs.current.run.scenario == session.runs.current.scenario == session.scenario
    assert session.runs.current.run.scenario.view["body"] == "frame"
    session.history.undo()
    session.history.undo()
    assert desk.simulated == computed
    assert session.runs.current.run.scenario.view["body"] == "full"
    session.edit("robot.bump", 0.1)
    assert len(desk.simulated) == len(computed) + 1


def test_a_refusal_goes_once_the_scenario_would_take_the_value(session):
    session.files.new("rr-sampled")
    period = session.scenario.get("task.sampling_period")
    assert not session.edit("task.sampling_jitter", 1.5 * period)
    assert not session.edit("robot.m1", -1.0)
    session.edit("task.sampling_period", 1.1 * period)
    assert set(session.messages.problems) == {"task.sampling_jitter", "robot.m1"}
    session.edit("task.sampling_period", 2.0 * period)
    assert set(session.messages.problems) == {"robot.m1"}
    assert session.scenario.get("task.sampling_jitter") == 0.0, "nothing is taken that nobody entered"


def test_links_are_saved_with_the_scenario(session, tmp_path):
    session.files.save(tmp_path / "linked.armstep")
    session.links.link("robot.m1", "robot.m2")
    assert session.files.dirty
    session.files.save(tmp_path / "linked.armstep")
    assert not session.files.dirty
    session.files.new("rr-swing")
    assert not session.links.others("robot.m1")
    session.files.open(tmp_path / "linked.armstep")
    assert session.links.others("robot.m1") == {"robot.m2"}
    session.edit("robot.m2", 1.75)
    assert session.scenario.get("robot.m1") == 1.75


def test_links_of_fields_that_are_not_there_do_nothing(session):
    session.view.set(links=["robot.m1 robot.m9", "nothing", ""])
    assert session.edit("robot.m1", 1.5)
    assert session.edit("robot.m2", 2.5)
    assert session.scenario.get("robot.m1") == 1.5


def test_a_choice_of_steps_has_its_own_name_in_the_menu(session):
    session.edit("method", "rkf45")
    session.choose_mode(fixed=False)
    assert session.history.undo_text == "step control"
    session.choose_mode(fixed=True)
    assert session.history.undo_text == "fixed step"


def test_a_run_whose_notes_change_keeps_its_time(session):
    session.edit("step", 0.02)
    timed = session.runs.current.seconds
    assert timed is not None
    again = []
    session.computing._engine = replace(session.computing._engine, clock=lambda run, cancel: again.append(run) or 7.0)
    session.edit("notes", "Look at the second joint.")
    assert session.runs.current.run.scenario.notes == "Look at the second joint."
    assert session.runs.current.seconds == timed
    session.history.undo()
    assert session.runs.current.seconds == timed
    assert not again
    session.edit("step", 0.01)
    assert session.runs.current.seconds == 7.0, "another run is timed"
