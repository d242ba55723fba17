"""Several runs side by side at one request, and the papers' studies."""

from __future__ import annotations

from gui.app.studies import StudyDesk
from robots.model.study import find_study
from tests.app.conftest import StepwiseJobs


def steps(session):
    return [row.scenario.step for row in session.runs.all]


def test_all_are_pinned_in_one_undo_step(session):
    session.edit("step", 0.1)
    session.comparisons.pin()
    assert session.comparisons.compare_all([{"step": step} for step in (1.0, 0.1, 0.01)])
    assert steps(session) == [0.1, 1.0, 0.01]
    assert all(row.state == "done" for row in session.runs.all)
    session.history.undo()
    assert steps(session) == [0.1, 0.1]
    session.history.redo()
    assert steps(session) == [0.1, 1.0, 0.01]


def test_colours_begin_anew(session):
    session.edit("step", 0.1)
    for _ in range(2):
        session.comparisons.compare_all([{"step": step} for step in (1.0, 0.2, 0.01)])
        assert [row.slot for row in session.runs.all] == [0, 1, 2, 3]


def test_a_refused_setting_changes_nothing(session):
    session.edit("step", 0.1)
    session.comparisons.pin()
    assert not session.comparisons.compare_all([{"step": 0.2}, {"step": -1.0}])
    assert steps(session) == [0.1, 0.1]
    assert "step" in session.messages.notice


def test_methods_under_two_names_are_one_run(session):
    session.edit_many({"method": "rk4", "step": 0.1})
    session.comparisons.compare_all([{"method": "euler"}, {"method": "rk1"}])
    assert [row.scenario.method for row in session.runs.all] == ["rk4", "rk1"]


def test_a_study_is_computed_and_kept(session):
    desk = session.studies
    assert desk is session.studies
    desk.compute("pa10-singularity")
    entry = desk.entry("pa10-singularity")
    assert entry.state == "done"
    assert entry.result is not None
    assert entry.result.findings[0].figure == "figures 15, 16"


def test_a_study_can_be_stopped_and_begun_again(heard):
    jobs = StepwiseJobs()
    desk = StudyDesk(jobs)
    calls = heard(desk.changed)
    desk.compute("pa10-singularity")
    desk.compute("pa10-singularity")
    assert len(jobs.waiting) == 1
    assert desk.entry("pa10-singularity").state == "computing"
    desk.stop("pa10-singularity")
    jobs.go_all()
    assert desk.entry("pa10-singularity").state == "stopped"
    assert calls[-1] == ("pa10-singularity",)
    desk.compute("pa10-singularity")
    jobs.go_all()
    assert desk.entry("pa10-singularity").state == "done"


def test_every_scenario_of_the_pa10s_studies_opens_with_its_runs(session):
    for key, counts in (("pa10-accuracy", [1, 4, 4, 4, 4, 4, 4, 6, 6]), ("pa10-singularity", [6, 6, 6, 6])):
        for (_, scenario), count in zip(find_study(key).scenarios, counts, strict=True):
            session.files.adopt(scenario)
            assert len(session.runs.all) == count
            assert "not understood" not in session.messages.notice
