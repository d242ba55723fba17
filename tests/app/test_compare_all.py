"""Several runs side by side at one request, and the papers' studies."""

from __future__ import annotations

import numpy as np

from gui.app.documents import MOST_SLOTS
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.studies import StudyDesk
from robots.papers.study import find_study
from robots.scenario.presets import find_scenario
from tests.app.conftest import StepwiseJobs
from tests.inline_jobs import InlineJobs


def steps(session):
    return [row.scenario.step for row in session.runs.all]


def test_all_are_pinned_in_one_undo_step(session):
    said: list[str] = []
    session.messages.said.connect(lambda sentence, _: said.append(sentence))
    session.edit("step", 0.1)
    session.comparisons.pin()
    assert session.comparisons.compare_all([{"step": step} for step in (1.0, 0.1, 0.01)])
    assert steps(session) == [0.1, 0.1, 1.0, 0.01], "what a person has pinned stays"
    assert not any("removed" in sentence for sentence in said)
    assert all(row.state == "done" for row in session.runs.all)
    session.history.undo()
    assert steps(session) == [0.1, 0.1]
    session.history.redo()
    assert steps(session) == [0.1, 0.1, 1.0, 0.01]
    session.comparisons.compare_all([{"step": 0.001 * k} for k in range(1, 31)])
    assert len(session.runs.all) == MOST_SLOTS
    assert len({(row.colour, row.dash) for row in session.runs.all}) == MOST_SLOTS
    assert said[-1] == "13 runs left out: the table takes 20."


def test_a_run_with_another_method_says_why(tmp_path):
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("pendulum-index").with_value("duration", 0.01))
    made.start()
    before = len(made.runs.all)
    made.comparisons.compare_choices("task.constraints")
    assert len(made.runs.all) > before
    (other,) = (row for row in made.runs.all if row.scenario.method != "bdf2")
    assert other.scenario.task["constraints"] == "projected"
    assert made.messages.notice.endswith(f"Index 1, projected runs with {other.label}: BDF 2 does not suit it.")
    made.comparisons.compare_choices("task.constraints")
    assert made.messages.notice.startswith("These runs are all there already.")


def test_colours_begin_again(session):
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
    assert entry.result.findings[0].figure == "figures 15 and 16"


def test_what_a_study_found_is_named_saved_and_opened(session, desk, tmp_path):
    key, studies = "pa10-singularity", session.studies
    studies.compute(key)
    (kept,) = studies.kept(key)
    assert kept.name == find_study(key).title
    assert session.history.undo_text == ""
    studies.rename(key, "On Monday")
    found = studies.entry(key).result
    session.files.save(tmp_path / "arm.json")
    session.files.new("rr-swing")
    assert studies.kept(key) == []
    assert studies.entry(key).kept is None
    assert studies.entry(key).result is found
    other = Session(InlineJobs(), session.settings, engine=desk.engine)
    other.files.open(tmp_path / "arm.json")
    assert other.studies.entry(key).state == "idle"
    other.studies.look(key)
    entry = other.studies.entry(key)
    assert entry.kept.name == "On Monday"
    assert (entry.result.tables, entry.result.findings) == (found.tables, found.findings)
    for figure, before in zip(entry.result.figures, found.figures, strict=True):
        assert (figure.name, figure.title, figure.opens) == (before.name, before.title, before.opens)
        for chart, was in zip(figure.charts, before.charts, strict=True):
            assert (chart.title, chart.x, chart.y, chart.equal) == (was.title, was.x, was.y, was.equal)
            for curve, old in zip(chart.curves, was.curves, strict=True):
                assert curve.key == old.key
                assert (curve.mark, curve.filled, curve.joined) == (old.mark, old.filled, old.joined)
                assert np.allclose(curve.y, old.y, rtol=1e-6, equal_nan=True)
    other.studies.remove(key)
    assert other.studies.entry(key).result is None
    other.history.undo()
    other.studies.look(key)
    assert other.studies.entry(key).kept.name == "On Monday"


def test_opening_a_scenario_of_the_desk_brings_its_results_along(session):
    key, files = "pa10-singularity", session.files
    assert not files.loses_by_opening("study")
    session.studies.compute(key)
    assert not files.dirty, "a study says nothing of the scenario, and the desk still has it beside another one"
    assert files.loses_by_quitting
    assert files.loss == f"New results will be lost if you don't save them: {session.studies.kept(key)[0].name}."
    session.studies.rename(key, "On Monday")
    assert files.dirty
    assert files.loss == "New results will be lost if you don't save them: On Monday."
    assert not files.loses_by_opening("study")
    files.adopt_from_study(find_study(key).scenarios[0][1])
    session.studies.look(key)
    assert len(session.studies.kept(key)) == 1
    assert session.studies.entry(key).kept is not None
    assert files.dirty
    files.adopt_from_study(find_study(key).scenarios[1][1])
    assert len(session.studies.kept(key)) == 1
    session.edit("step", 0.05)
    assert files.loses_by_opening("study")
    assert files.loss == "Your changes will be lost if you don't save them."


def test_reading_a_paper_changes_no_file(session, tmp_path):
    key, files = "pa10-singularity", session.files
    files.save(tmp_path / "arm.armstep")
    session.studies.compute(key)
    assert not files.dirty
    assert not files.must_ask()
    assert session.history.undo_text == ""
    assert files.loses_by_quitting, "unlike another scenario, the end leaves nothing on the desk"
    found = session.studies.entry(key).result
    files.adopt_from_study(find_study(key).scenarios[0][1])
    assert not files.dirty
    assert session.history.undo_text == ""
    assert len(session.studies.kept(key)) == 1
    files.open(tmp_path / "arm.armstep")
    session.studies.look(key)
    assert session.studies.entry(key).result is found


def test_a_study_s_result_of_another_time_is_left_out_with_a_word(session):
    session.results.keep("study", "Broken", {"study": "pa10-singularity", "tables": 7})
    session.studies.look("pa10-singularity")
    entry = session.studies.entry("pa10-singularity")
    assert entry.result is None
    assert entry.message.startswith("Broken cannot be read: ")


def test_a_study_can_be_stopped_and_begun_again(session, heard):
    jobs = StepwiseJobs()
    desk = StudyDesk(jobs, session.results)
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
