"""Rows: current and pinned runs, their results, references and failures."""

from __future__ import annotations

import queue
import threading

import pytest

from assets.errors import ArmstepError
from gui.app.jobs import Jobs
from gui.app.session.session import Session
from gui.app.table.columns import COLUMNS, LATER, TableMoment
from gui.compose.picture import legend
from solvers.solution import Counts
from tests.inline_jobs import InlineJobs


def test_nothing_is_computed_before_the_window_shows(desk, settings, scenario, tmp_path):
    session = Session(InlineJobs(), settings, scenario, desk.engine)
    session.comparisons.pin()
    session.edit("robot.m1", 2.0)
    session.files.save(tmp_path / "arm.json")
    session.files.open(tmp_path / "arm.json")
    assert desk.simulated == []
    assert [row.state for row in session.runs.all] == ["waiting", "waiting"]
    session.start()
    assert [row.run.scenario.get("robot.m1") for row in session.runs.all] == [2.0, 1.0]


def test_before_the_first_result_it_is_preparing(stepwise):
    assert stepwise.computing.preparing
    assert stepwise.runs.current.state == "computing"
    assert stepwise.runs.current.run is None
    assert "Preparing" in stepwise.messages.notice
    stepwise.jobs.go()
    assert not stepwise.computing.preparing
    assert stepwise.runs.current.state == "done"


def test_the_arm_begins_to_move_when_it_is_there(stepwise):
    stepwise.start(play=True)
    assert not stepwise.playback.playing
    stepwise.jobs.go()
    assert stepwise.playback.playing
    stepwise.playback.pause()
    stepwise.jobs.go_all()
    assert not stepwise.playback.playing
    stepwise.playback.seek(1.0)
    stepwise.files.new("rr-swing")
    assert not stepwise.playback.playing
    stepwise.jobs.go_all()
    assert stepwise.playback.playing
    assert stepwise.playback.t == 0.0


def test_the_last_result_stays_while_the_next_is_computed(stepwise):
    stepwise.jobs.go_all()
    first = stepwise.runs.current.run
    stepwise.edit("robot.m1", 2.0)
    row = stepwise.runs.current
    assert row.state == "computing"
    assert row.run is first
    assert row.scenario is stepwise.scenario
    stepwise.jobs.go_all()
    assert stepwise.runs.current.run.scenario is stepwise.scenario


def test_no_run_of_another_robot_stays(stepwise):
    stepwise.jobs.go_all()
    stepwise.comparisons.pin()
    stepwise.jobs.go_all()
    stepwise.edit("robot", "beam")
    stepwise.edit("duration", 0.5)
    assert [row.run is None for row in stepwise.runs.all] == [True, False], "the pinned run is what it was"
    older = stepwise.jobs.waiting[0]
    stepwise.edit("robot", "rr")
    older.execute(stepwise.jobs.dispatch)
    assert stepwise.runs.current.run is None, "a job of the beam that comes too late"
    stepwise.jobs.go_all()
    assert stepwise.runs.current.run.scenario is stepwise.scenario


def test_a_quick_run_is_shown_once_and_a_slow_one_is_announced(stepwise, desk, heard):
    stepwise.jobs.go_all()
    reported = heard(stepwise.runs.updated)
    stepwise.edit("robot.m1", 2.0)
    assert reported == []
    stepwise.jobs.go()
    assert reported == [(0,)]
    stepwise.jobs.go_all()
    reported.clear()
    stepwise.edit("method", "rk2")
    assert reported == [(0,)]
    desk.outcome = {"compute_seconds": 2.0}
    stepwise.jobs.go_all()
    reported.clear()
    stepwise.edit("robot.m1", 3.0)
    assert reported == [(0,)]


def test_of_several_quick_edits_only_the_newest_is_computed(stepwise, desk):
    stepwise.jobs.go_all()
    for mass in (2.0, 3.0, 4.0):
        stepwise.edit("robot.m1", mass)
    stepwise.jobs.go_all()
    assert [scenario.get("robot.m1") for scenario in desk.simulated] == [1.0, 4.0]


def test_the_reference_follows_the_run_and_is_computed_once_for_the_same_physics(stepwise, desk):
    stepwise.jobs.go()
    assert stepwise.runs.current.reference_state == "computing"
    assert "reference is being computed" in stepwise.messages.notice
    stepwise.jobs.go_all()
    assert stepwise.runs.current.reference_state == "done"
    assert stepwise.runs.current.reference_run == "reference"
    assert stepwise.runs.current.reference.run is stepwise.runs.current.run
    assert "2·10⁻⁵\u00a0rad" in stepwise.messages.notice
    stepwise.edit("step", 0.02)
    stepwise.jobs.go_all()
    assert len(desk.referenced) == 1
    assert stepwise.runs.current.reference.run is stepwise.runs.current.run
    stepwise.edit("robot.m1", 2.0)
    stepwise.jobs.go_all()
    assert len(desk.referenced) == 2


def test_a_run_is_never_measured_against_the_reference_of_other_equations(stepwise):
    stepwise.jobs.go_all()
    stepwise.edit("robot.m1", 2.0)
    stepwise.jobs.go()
    row = stepwise.runs.current
    assert row.run.scenario.get("robot.m1") == 2.0
    assert (row.reference_state, row.reference, row.reference_run) == ("computing", None, None)
    stepwise.jobs.go_all()
    assert stepwise.runs.current.reference_run == "reference"


def test_no_run_has_the_errors_of_another_method(stepwise):
    """The plot of errors showed those of RK4, 6·10⁻⁷ rad, under Euler's name until Euler's own were there."""
    stepwise.jobs.go_all()
    stepwise.edit("step", 0.02)
    stepwise.jobs.go()
    row = stepwise.runs.current
    assert (row.run.scenario.step, row.reference_state) == (0.02, "computing")
    assert row.reference is not None, "of the same method: no curve flickers while a slider is dragged"
    assert row.own_errors is None, "a number is shown only with the run that it was computed for"
    stepwise.jobs.go_all()
    stepwise.edit("method", "rk1")
    stepwise.jobs.go()
    row = stepwise.runs.current
    assert (row.run.scenario.method, row.reference_state) == ("rk1", "computing")
    assert (row.reference, row.reference_run) == (None, "reference")
    stepwise.jobs.go_all()
    assert stepwise.runs.current.reference.run is stepwise.runs.current.run


def test_a_reference_that_nobody_wants_any_more_is_not_computed(stepwise, desk):
    stepwise.jobs.go()
    stepwise.edit("robot.m1", 2.0)
    stepwise.jobs.go_all()
    assert [scenario.get("robot.m1") for scenario in desk.referenced] == [2.0]
    assert stepwise.runs.current.reference.run is stepwise.runs.current.run


def test_a_robot_without_reference_says_so(session, desk):
    desk.reference_outcome = None
    session.edit("robot.m1", 2.0)
    row = session.runs.current
    assert (row.reference_state, row.reference) == ("unavailable", None)
    assert row.reference_message
    assert row.state == "done"


def test_a_failing_reference_leaves_the_run_alone(session, desk):
    desk.reference_outcome = ZeroDivisionError("nought")
    session.edit("robot.m1", 2.0)
    row = session.runs.current
    assert (row.state, row.reference_state) == ("done", "failed")
    assert "nought" in row.reference_message


def test_a_numerical_failure_is_a_state_with_a_sentence_and_the_arm_freezes(session, desk):
    desk.outcome = {"status": "diverged", "message": "The solution grew without bound.", "t_end": 0.5}
    session.edit("step", 0.5)
    row = session.runs.current
    assert row.state == "failed"
    assert row.message == "The solution grew without bound."
    assert "grew without bound" in session.messages.notice
    assert row.time_shown(1.7) == 0.5
    assert row.frozen_at(0.6)
    assert not row.frozen_at(0.5)
    desk.outcome = None
    session.history.undo()
    assert session.runs.current.state == "done"
    assert not session.runs.current.message.startswith("The solution")


@pytest.mark.parametrize("error", [ZeroDivisionError("nought"), ArmstepError("the arm is in pieces"), MemoryError()])
def test_an_exception_becomes_the_row_s_error_and_the_old_result_stays(session, desk, error):
    before = session.runs.current.run
    desk.outcome = error
    session.edit("robot.m1", 2.0)
    row = session.runs.current
    assert row.state == "failed"
    assert row.run is before
    assert str(error) in row.message
    assert row.message in session.messages.notice
    desk.outcome = None
    session.edit("robot.m1", 3.0)
    assert session.runs.current.state == "done"


def test_a_pinned_run_stays_while_the_current_one_changes(session, desk):
    first = session.runs.current.run
    pin = session.comparisons.pin()
    count = len(desk.simulated)
    assert session.runs.find(pin).run is first
    assert count == 1
    session.edit("method", "rk2")
    assert [row.scenario.method for row in session.runs.all] == ["rk2", "rk4"]
    assert session.runs.find(pin).run is first
    assert session.runs.current.run is not first
    assert session.runs.find(pin).reference_state == "done"


def test_removing_a_run_can_be_undone(session, desk):
    pin = session.comparisons.pin()
    session.edit("robot.m1", 2.0)
    session.comparisons.remove(pin)
    assert session.runs.find(pin) is None
    session.history.undo()
    assert session.runs.find(pin).state == "done"
    assert session.runs.find(pin).run.scenario.get("robot.m1") == 1.0


def test_the_current_run_cannot_be_removed(session):
    session.comparisons.remove(0)
    assert len(session.runs.all) == 1
    assert "cannot be removed" in session.messages.notice


def test_duplicate_and_edit_row(session):
    pin = session.comparisons.pin()
    session.edit("robot.m1", 2.0)
    copy = session.comparisons.duplicate(pin)
    assert session.runs.find(copy).scenario == session.runs.find(pin).scenario
    session.comparisons.edit(pin)
    assert session.scenario.get("robot.m1") == 1.0
    assert session.runs.current.run is session.runs.find(pin).run
    session.history.undo()
    assert session.scenario.get("robot.m1") == 2.0
    assert session.comparisons.duplicate(99) is None


def test_hiding_is_announced_and_kept(session, heard):
    reported = heard(session.runs.changed)
    session.runs.show(0, False)
    session.runs.show(0, False)
    assert reported == [()]
    session.edit("robot.m1", 2.0)
    assert not session.runs.current.visible


def test_cancel_keeps_what_there_is(stepwise, desk):
    stepwise.jobs.go_all()
    desk.outcome = {"status": "cancelled", "message": "Stopped by you at 0.5 s.", "t_end": 0.5}
    stepwise.edit("robot.m1", 2.0)
    stepwise.computing.cancel()
    stepwise.jobs.go()
    assert stepwise.runs.current.state == "done"
    assert stepwise.runs.current.run.t_end == 0.5
    assert stepwise.messages.notice.endswith("; stopped by you at 0.5 s.")
    (entry,) = legend(stepwise.runs.all, 1.0)
    assert entry.note.startswith("stopped by you at t = 0.5")
    stepwise.computing.cancel()
    stepwise.jobs.go_all()
    assert stepwise.runs.current.reference_state == "none"


def test_solver_steps_and_frames(session):
    assert list(session.navigation.step_times()) == [0.0, 0.5, 1.0, 1.5, 2.0]
    session.playback.play()
    session.navigation.next_step()
    assert (session.playback.t, session.playback.playing) == (0.5, False)
    session.navigation.next_step()
    session.playback.seek(1.2)
    session.navigation.next_step()
    assert session.playback.t == 1.5
    session.navigation.previous_step()
    session.navigation.previous_step()
    assert session.playback.t == 0.5
    for _ in range(5):
        session.navigation.previous_step()
    assert session.playback.t == 0.0
    session.navigation.next_frame()
    assert session.playback.t == pytest.approx(1 / 30)
    session.navigation.previous_frame()
    assert session.playback.t == pytest.approx(0.0)
    session.playback.to_end()
    session.navigation.next_step()
    assert session.playback.t == 2.0


def test_before_a_result_there_are_no_steps(stepwise):
    stepwise.navigation.next_step()
    stepwise.navigation.previous_step()
    assert len(stepwise.navigation.step_times()) == 0


def test_close_discards_what_is_under_way(stepwise, desk, heard):
    updated = heard(stepwise.runs.updated)
    stepwise.close()
    stepwise.jobs.go_all()
    assert updated == []


def test_with_threads_and_the_real_engine(settings, scenario):
    calls: queue.Queue = queue.Queue()
    session = Session(Jobs(calls.put), settings, scenario)
    owner, threads = threading.get_ident(), set()
    session.runs.updated.connect(lambda row_id: threads.add(threading.get_ident()))
    session.start()
    pin = session.comparisons.pin()
    session.edit("method", "dop853")
    for step in (0.01, 0.02, 0.04):
        session.edit("step", step)
    while any(row.state == "computing" or row.reference_state != "done" for row in session.runs.all):
        calls.get(timeout=120)()
    session.close()
    assert threads == {owner}
    assert session.runs.current.run.scenario == session.scenario
    assert session.scenario.step == 0.04
    assert session.runs.find(pin).run.scenario.method == "rk4"
    assert session.runs.current.reference.max["reference_q_rad"] < 1e-4


def test_another_methods_numbers_are_not_those_of_the_row(stepwise):
    stepwise.jobs.go_all()
    assert not stepwise.runs.current.outdated
    stepwise.edit("step", 0.02)
    assert not stepwise.runs.current.outdated  # a moment later the new ones are there: nothing flickers
    stepwise.edit("method", "dop853")
    assert stepwise.runs.current.state == "computing"
    assert stepwise.runs.current.outdated
    assert stepwise.messages.notice == "Dormand-Prince 8(5,3), step 20\u00a0ms: computing."
    stepwise.jobs.go_all()
    assert not stepwise.runs.current.outdated


def test_numbers_of_an_earlier_run_are_none_while_a_long_one_is_computed(session):
    session.runs.update(0, state="computing", seconds_left=40.0, scenario=session.scenario.with_value("step", 0.004))
    assert session.runs.current.outdated
    session.runs.update(0, state="failed", message="It broke.")
    assert session.runs.current.outdated


def test_a_run_is_shown_before_its_time_is_measured(stepwise, desk):
    stepwise.jobs.go_all()
    assert stepwise.runs.current.seconds == 0.001
    stepwise.edit("robot.m1", 2.0)
    assert stepwise.computing.awaited, "a quick run: the window's next frame waits for it"
    stepwise.jobs.go()
    assert not stepwise.computing.awaited
    assert stepwise.runs.current.state == "done"
    assert stepwise.runs.current.seconds is None, "no time is better than one that was measured cold"
    stepwise.jobs.go_all()
    assert stepwise.runs.current.seconds == 0.001
    desk.outcome = {"status": "diverged"}
    stepwise.edit("robot.m1", 3.0)
    stepwise.jobs.go_all()
    assert stepwise.runs.current.seconds is None, "it did not come to its end"


def test_after_a_stop_no_edit_shows_the_counts_of_the_run_that_was_stopped(stepwise, desk, heard):
    """Neither the run that ends after the edit nor the one that ended before it says anything of the new scenario."""
    stepwise.jobs.go_all()
    moment, count = TableMoment(stepwise.runs.all), next(one for one in COLUMNS if one.key == "rhs")
    assert count.text(stepwise.runs.current, moment) == "16"
    before = stepwise.runs.current.run
    desk.outcome = {"status": "cancelled", "t_end": 0.1, "counts": Counts(steps=1, rhs_evaluations=4)}
    stepwise.edit("robot.m1", 2.0)
    late = stepwise.jobs.waiting[0]
    stepwise.stop_computing()
    stepwise.edit("robot.m1", 3.0)
    late.execute(stepwise.jobs.dispatch)
    assert stepwise.runs.current.run is before, "it was stopped, and another one is wanted"
    stepwise.jobs.go_all()
    assert stepwise.runs.current.run.status == "cancelled"
    reported = heard(stepwise.runs.updated)
    stepwise.edit("robot.m1", 4.0)
    assert reported == [(0,)], "how long a part took does not say how long the whole takes"
    assert stepwise.runs.current.outdated
    assert count.text(stepwise.runs.current, moment) == LATER
    desk.outcome = None
    stepwise.jobs.go_all()
    assert count.text(stepwise.runs.current, moment) == "16"
