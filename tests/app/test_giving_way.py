"""What follows a run gives way to the next one: a knob waited a tenth of a second for the verdict before."""

from __future__ import annotations

from dataclasses import replace

from gui.app.runs import CURRENT


def with_judge(stepwise) -> list[float]:
    """Let the session's engine note the masses [kg] of the runs that it judges."""
    judged: list[float] = []
    computing = stepwise.computing
    computing._engine = replace(computing._engine, judge=lambda run: judged.append(run.scenario.get("robot.m1")))
    return judged


def test_the_verdict_on_an_earlier_run_gives_way(stepwise):
    judged = with_judge(stepwise)
    stepwise.jobs.go()
    stepwise.edit("robot.m1", 2.0)
    stepwise.jobs.go_all()
    assert judged == [2.0]
    assert stepwise.runs.current.judged


def test_the_run_that_stays_on_the_screen_is_judged_after_all(stepwise, desk):
    judged = with_judge(stepwise)
    stepwise.jobs.go()
    shown = stepwise.runs.current.run
    desk.outcome = ZeroDivisionError("nought")
    stepwise.edit("robot.m1", 2.0)
    stepwise.jobs.go_all()
    row = stepwise.runs.current
    assert (row.state, row.run, row.judged) == ("failed", shown, True)
    assert judged == [1.0]
    assert row.reference_state == "done", "its reference is not awaited for ever"
    assert row.reference.run is shown


def test_a_reference_of_the_same_equations_goes_on(stepwise, desk):
    stepwise.jobs.go()
    stepwise.edit("step", 0.02)
    stepwise.jobs.go_all()
    assert len(desk.referenced) == 1
    assert stepwise.runs.current.reference_state == "done"


def begun(stepwise):
    """The job of the current run, which waits to be done."""
    return next(job for job in stepwise.jobs.waiting if job.key == ("run", CURRENT))


def test_the_run_of_the_document_before_goes_when_the_next_one_takes_long(stepwise):
    stepwise.jobs.go_all()
    before = stepwise.runs.current.run
    stepwise.files.new("rr-chaos")
    assert stepwise.runs.current.run is before, "it stays for the moment that most runs take"
    begun(stepwise)._on_progress(0.1)
    assert stepwise.runs.current.run is None
    stepwise.jobs.go_all()
    assert stepwise.runs.current.run.scenario.name == "rr-chaos"
    shown = stepwise.runs.current.run
    assert stepwise.edit("duration", 3.0)
    begun(stepwise)._on_progress(0.1)
    assert stepwise.runs.current.run is shown, "an edit keeps it until the next one is there"


def test_the_run_of_the_document_before_goes_when_the_next_one_s_kernels_are_compiled(stepwise):
    """As soon as that is known: compiling reports no progress of the run."""
    stepwise.jobs.go_all()
    before, heard = stepwise.runs.current.run, []
    stepwise.files.new("rr-chaos")
    stepwise.runs.updated.connect(lambda row_id: heard.append((row_id, stepwise.runs.current.run)))
    stepwise.preparing.progress = "Preparing all robots: 10%"
    stepwise.preparing.changed.emit()
    assert stepwise.runs.current.run is before, "other kernels are compiled, which it does not wait for"
    assert heard == []
    stepwise.preparing.awaited = "RR arm: about 5 s"
    stepwise.preparing.changed.emit()
    assert stepwise.runs.current.run is None
    assert (CURRENT, None) in heard, "who draws it hears of that"
    stepwise.preparing.awaited = ""
    stepwise.preparing.changed.emit()
    stepwise.jobs.go_all()
    shown = stepwise.runs.current.run
    assert shown.scenario.name == "rr-chaos"
    assert stepwise.edit("method", "rk1")
    stepwise.preparing.awaited = "RR arm: about 5 s"
    stepwise.preparing.changed.emit()
    assert stepwise.runs.current.run is shown, "an edit keeps it, pale, until the next one is there"


def test_an_older_job_that_ends_late_does_not_leave_the_row_computing(stepwise):
    """Undo finds its result in another row, while the job of the edit that is undone is still at work."""
    stepwise.jobs.go_all()
    stepwise.comparisons.pin()
    stepwise.edit("robot.m1", 2.0)
    late = begun(stepwise)
    stepwise.jobs.waiting.remove(late)
    stepwise.edit("robot.m1", 3.0)
    stepwise.history.undo()
    stepwise.history.undo()
    assert stepwise.runs.current.state == "done"
    late.execute(stepwise.jobs.dispatch)
    row = stepwise.runs.current
    assert (row.state, row.run.scenario.get("robot.m1")) == ("done", 1.0)


def test_an_edit_of_a_document_whose_run_was_there_keeps_it_until_the_next_one_is_there(stepwise):
    """The scenario that was opened had its result already: what is drawn is its own."""
    stepwise.jobs.go_all()
    stepwise.files.new("rr-swing")
    stepwise.jobs.go_all()
    stepwise.files.new("rr-swing")
    stepwise.jobs.go_all()
    shown = stepwise.runs.current.run
    stepwise.edit("duration", 3.0)
    begun(stepwise)._on_progress(0.1)
    assert stepwise.runs.current.run is shown
