"""Ensembles in the application: computed in the background for the run that is shown, drawn, and left by any member."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assets.polylines import outline, stripe
from gui.app import run_texts
from gui.app.computing.engine import default_engine
from gui.app.runs import CURRENT
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.table.columns import TableMoment, columns_of
from gui.app.view import ViewSettings
from gui.charts.fit import placed
from gui.charts.registry import plots
from gui.charts.shown import Shown
from gui.charts.summary import summary
from gui.cli import main
from gui.compose.picture import compose
from robots.ensembles.members import EnsembleRuns
from robots.model.chart import Chart, Curve
from robots.scenario.ensemble import Spread
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from tests.app.conftest import Desk, StepwiseJobs
from tests.inline_jobs import InlineJobs, run_out_of_memory

SWING = find_preset("rr-swing").with_value("duration", 1.0)
TINY = Spread("normal", 1e-3)


@pytest.fixture
def open_session(tmp_path: Path) -> Session:
    engine = replace(default_engine(), reference=lambda *_: None, clock=lambda run, _: run.compute_seconds)
    made = Session(InlineJobs(), Settings(tmp_path), SWING, engine=engine)
    made.start()
    return made


def spread(session: Session) -> None:
    assert session.ensembles.spread("initial.q1", TINY) == ""
    assert session.ensembles.set(members=12) == ""


def test_an_ensemble_follows_the_run_and_is_undone_like_every_edit(open_session: Session):
    session = open_session
    spread(session)
    row = session.runs.current
    assert row.ensemble_state == "done"
    assert row.ensemble is not None
    assert row.ensemble.runs.size == 12
    heavier = row.ensemble
    session.edit("robot.m1", 2.0)
    changed = session.runs.current.ensemble
    assert changed is not None
    assert changed is not heavier
    assert changed.runs.scenario.parameters["m1"] == 2.0
    kept = session.runs.current.ensemble
    session.edit("title", "The same numbers")
    assert session.runs.current.ensemble is kept
    session.history.undo()
    session.history.undo()
    session.history.undo()
    assert session.ensembles.present is not None
    assert session.ensembles.present.members == 100
    session.history.undo()
    assert session.ensembles.present is None
    assert session.runs.current.ensemble is None
    assert session.runs.current.ensemble_state == "none"


def test_members_that_are_there_stay_when_memory_runs_out(open_session: Session, monkeypatch: pytest.MonkeyPatch):
    session = open_session
    with monkeypatch.context() as short:
        run_out_of_memory(short, after=1)
        session.ensembles.spread("initial.q1", TINY)
    row = session.runs.current
    assert row.ensemble is not None
    left = len(row.ensemble.missing)
    assert 0 < left < 100
    said = run_texts.agreement(row)
    assert said.endswith(f" {left} members are missing. The rest needs more memory than there is.")
    session.ensembles.again()
    assert session.runs.current.ensemble is not None
    assert not len(session.runs.current.ensemble.missing)
    assert session.runs.current.ensemble_message == ""


@pytest.mark.parametrize("width", [0.0, -1.0, float("nan"), "soon"])
def test_a_width_that_is_refused_changes_nothing(open_session: Session, width: object):
    session = open_session
    assert "must be" in session.ensembles.spread("initial.q1", Spread("normal", width))  # type: ignore[arg-type]
    assert "ensemble.spread" in session.ensembles.spread("initial.q7", TINY)
    assert session.ensembles.present is None
    spread(session)
    for members in (1, 2.5, 10**9, "many"):
        said = session.ensembles.set(members=members)
        assert said.startswith("Members must be a whole number from 2 to 10\u202f000, got ")
        assert session.messages.problems["ensemble.members"] == said
    said = session.ensembles.set(seed=2**31)
    assert said == "Seed must be a whole number from 0 to 2\u202f147\u202f483\u202f647, got 2147483648"
    said = session.ensembles.spread("initial.q1", Spread("normal", -1.0))
    assert said.startswith("Angle 1 \u00b1 must be above 0\u00b0, got -57.29")
    assert session.ensembles.choose(12) == "Member must be a whole number from 0 to 11, got 12"
    assert session.ensembles.open() == session.messages.problems["member"], "what stands there is not member 0"
    assert session.ensembles.choose(11) == ""
    session.messages.solved("ensemble.spread.initial.q7")  # which no field shows
    assert set(session.messages.problems) == {"ensemble.members", "ensemble.seed", "ensemble.spread.initial.q1"}
    assert session.ensembles.set(members=4) == ""
    assert session.ensembles.member == 3
    assert session.ensembles.set(seed=5) == ""
    assert session.ensembles.set(seed=-1)
    session.history.undo()
    assert set(session.messages.problems) == {"ensemble.spread.initial.q1"}, "another seed is in force"
    assert session.ensembles.spread("initial.q1", None) == ""
    assert session.ensembles.present is None


def test_a_member_whose_field_is_impossible_is_said_and_blocks_nothing(open_session: Session):
    session = open_session
    assert session.ensembles.spread("robot.m1", Spread("normal", 5.0)) == ""
    failing = next(
        number
        for number in range(session.ensembles.present.members if session.ensembles.present else 0)
        if session.ensembles.choose(number) == "" and "Mass 1 must be above 0 kg" in session.ensembles.open()
    )
    assert session.messages.notice.startswith("Mass 1 must be above 0 kg")
    assert "member" not in session.messages.problems, "its number is all right"
    assert session.ensembles.spread("robot.m1", Spread("normal", 1e-3)) == ""
    assert session.ensembles.member == failing
    assert session.ensembles.open() == ""


def test_the_chosen_member_is_forgotten_with_the_scenario(open_session: Session):
    session = open_session
    spread(session)
    session.ensembles.choose(5)
    session.files.new("rr-chaos")
    spread(session)
    assert session.ensembles.member == 0


def test_a_member_opens_as_the_run_that_it_was_and_beside_the_current_one(open_session: Session):
    session = open_session
    spread(session)
    found = session.runs.current.ensemble
    assert found is not None
    assert session.ensembles.choose(7) == ""
    assert session.ensembles.open(pinned=True) == ""
    row = session.runs.current
    assert row.run is not None
    assert row.run.final["q1"] == found.members()["final_q1"][7]
    assert row.run.final == simulate(found.runs.scenario_at(7)).final
    assert session.ensembles.present is None
    pinned = session.runs.all[1]
    assert pinned.ensemble is not None
    np.testing.assert_array_equal(pinned.ensemble.table, found.table)


def test_it_is_computed_in_the_background_and_can_be_stopped(
    desk: Desk, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    jobs = StepwiseJobs()
    session = Session(jobs, settings, SWING, engine=desk.engine)
    session.start()
    spread(session)
    while session.runs.current.ensemble_state != "computing":
        jobs.go()
    assert run_texts.agreement(session.runs.current) == "The ensemble is being computed: 0%."
    session.stop_computing()
    jobs.go_all()
    assert session.runs.current.ensemble is None
    assert run_texts.agreement(session.runs.current) == "Stopped by you."
    session.ensembles.again()
    assert session.runs.current.ensemble_state == "computing"
    session.ensembles.set(members=60)
    monkeypatch.setattr("gui.app.jobs.PROGRESS_INTERVAL", 0.0)
    end = session.runs.updated.connect(lambda _: session.runs.current.ensemble_progress and session.ensembles.stop())
    jobs.go_all()
    end()
    begun = session.runs.current.ensemble
    assert begun is not None, "what was computed is kept"
    left = len(begun.missing)
    assert 0 < left < 60
    assert np.isfinite(begun.quantiles["q1"]).all()
    assert run_texts.agreement(session.runs.current).endswith(f" {left} members are missing. Stopped by you.")
    assert agrees_text(session) == f"to the end, {60 - left} of 60"
    session.ensembles.again()
    jobs.go_all()
    whole = session.runs.current.ensemble
    assert whole is not None
    assert not len(whole.missing)
    assert run_texts.agreement(session.runs.current).startswith("The 60 members")
    assert agrees_text(session) == "to the end"
    there = begun.status >= 0
    np.testing.assert_array_equal(whole.table[there], begun.table[there])
    assert session.runs.current.ensemble_state == "done"
    session.runs.update(CURRENT, state="held", run=None)
    assert session.runs.current.ensemble is None


def agrees_text(session: Session) -> str:
    """Until when the current run's ensemble agrees, in the table of runs."""
    column = next(one for one in columns_of(session.runs.all, None) if one.key == "agrees")
    return column.text(session.runs.current, TableMoment(session.runs.all))


def test_texts_say_how_long_it_agrees(open_session: Session):
    session = open_session
    spread(session)
    assert run_texts.agreement(session.runs.current) == "The 12 members of the ensemble agree to the end."
    titles = [column.title for column in columns_of(session.runs.all, None)]
    assert "Agrees until" in titles
    assert session.ensembles.spread("initial.q1", Spread("uniform", 2.0)) == ""
    row = session.runs.current
    assert row.ensemble is not None
    assert row.ensemble.agrees_until == 0.0
    assert agrees_text(session).startswith("0")
    assert chart_of(session, "spread").note.startswith("90% agree until")
    part = row.ensemble.copy()
    part.status[5:] = -1
    session.runs.update(CURRENT, ensemble=part)
    assert agrees_text(session).endswith("s, 5 of 12")
    assert "90% of 5 members agree until" in chart_of(session, "spread").note


# -- drawn -------------------------------------------------------------------------------------------------------------


def test_plots_have_a_fan_between_the_quantiles(open_session: Session):
    session = open_session
    assert not [one for one in chart_of(session, "joints").curves if one.mark == "stripe"]
    spread(session)
    found = session.runs.current.ensemble
    assert found is not None
    chart = chart_of(session, "joints")
    wide, narrow = [one for one in chart.curves if one.mark == "stripe"][:2]
    degrees = 180.0 / np.pi
    for curve, low, high in ((narrow, 0, 4), (wide, 1, 3)):
        np.testing.assert_allclose(curve.y[0::2], degrees * found.quantiles["q1"][low])
        np.testing.assert_allclose(curve.y[1::2], degrees * found.quantiles["q1"][high])
    own = chart.curves[0]
    assert not [one for one in chart.without({own.key}).curves if one.name.startswith(own.name)]
    assert "members: from" in summary(chart)
    assert "trusted" not in summary(chart)
    apart = chart_of(session, "spread")
    assert apart.y.log
    assert [one.mark for one in apart.curves] == ["", "stripe"]


def test_the_plot_says_why_there_is_no_ensemble_yet(open_session: Session):
    session = open_session
    assert "add a field under Ensemble" in chart_of(session, "spread").empty
    spread(session)
    coming = replace(session.runs.current, ensemble=None, ensemble_state="computing")
    assert plots()["spread"].drawn(Shown.of([coming])).empty == "The ensemble is being computed…"
    stopped = replace(coming, ensemble_state="none", ensemble_message="Stopped by you.")
    assert plots()["spread"].drawn(Shown.of([stopped])).empty == "Stopped by you."


def chart_of(session: Session, key: str) -> Chart:
    return plots()[key].drawn(Shown.of(session.runs.all))


def test_a_stripe_keeps_its_edges_however_few_pixels_there_are():
    x = np.linspace(0.0, 1.0, 1000)
    points = stripe(x, np.sin(40.0 * x) - 1.0, np.sin(40.0 * x) + 1.0)
    for part in (slice(None), slice(1, None), slice(3, 1501)):
        across, up = outline(points[0][part], points[1][part], 100)
        assert across.size <= 202
        assert up.min() == pytest.approx(points[1][part].min(), abs=1e-3)
        assert up.max() == pytest.approx(points[1][part].max(), abs=1e-3)
        half = across.size // 2
        np.testing.assert_array_equal(across[:half], across[half:][::-1])
        assert (up[:half] <= up[half:][::-1]).all()
    assert outline(*stripe(x[:0], x[:0], x[:0]), 10)[0].size == 0
    gaps = Curve(*stripe(x[:3], np.array([0.0, np.nan, 1.0]), np.ones(3)), mark="stripe")
    assert placed(Chart(), gaps)[0].tolist() == [x[0], x[0], x[2], x[2]]


def test_the_cloud_is_one_set_of_dots_where_the_members_are(open_session: Session):
    session = open_session
    spread(session)
    found = session.runs.current.ensemble
    assert found is not None
    before = len(compose([replace(session.runs.current, ensemble=None)], 0.43, ViewSettings()).dots)
    picture = compose(session.runs.all, 0.43, ViewSettings())
    assert len(picture.dots) == before + 1
    cloud = next(dots for dots in picture.dots if len(dots.points) == 12)
    tips = [simulate(found.runs.scenario_at(k)).tip(np.array([0.43]))[0] for k in range(12)]
    np.testing.assert_allclose(cloud.points, tips, atol=2e-3)
    exactly = found.times[31]
    at = next(dots for dots in compose(session.runs.all, exactly, ViewSettings()).dots if len(dots.points) == 12)
    np.testing.assert_allclose(at.points, found.tips[:, 31], atol=1e-12)


def test_exports_have_it_and_those_that_cannot_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    common = ["--set", "duration=0.5", "--spread", "initial.q1=0.05", "--members", "9"]
    plain, fan = tmp_path / "plain.svg", tmp_path / "fan.svg"
    assert main(["render", "rr-swing", *common, "--members", "0", "--plots", "joints", "--out", str(plain)]) == 0
    assert main(["render", "rr-swing", *common, "--plots", "joints", "--out", str(fan)]) == 0
    assert fan.read_text().count("fill-opacity") > plain.read_text().count("fill-opacity")
    table = tmp_path / "fan.csv"
    assert main(["render", "rr-swing", *common, "--also", "ensemble", "--out", str(table)]) == 0
    assert "q1_p95" in table.read_text().splitlines()[0]
    capsys.readouterr()
    model = tmp_path / "arm.glb"
    assert main(["render", "rr-swing", *common, "--out", str(model)]) == 0
    assert ".glb shows the runs without the members of their ensemble" in capsys.readouterr().err
    assert model.read_bytes().startswith(b"glTF")


def test_ensembles_of_pinned_runs_go_with_them(open_session: Session):
    session = open_session
    spread(session)
    session.comparisons.pin()
    session.edit("method", "dopri5")
    assert [row.ensemble is not None for row in session.runs.all] == [True, True]
    assert EnsembleRuns(session.runs.all[1].scenario).ensemble == session.ensembles.present
    session.comparisons.remove(session.runs.all[1].id)
    assert len(session.runs.all) == 1
