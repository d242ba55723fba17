"""The table of runs: orders and ratios of errors, values at the playhead, sorting, two runs in words."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from gui.app import run_texts
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.table.columns import (
    COLUMNS,
    LATER,
    TableMoment,
    columns_of,
    live_columns,
    offered_columns,
    sorted_ids,
)
from gui.app.table.pairs import differences_text, error_ratio, observed_order
from gui.app.table.plain import table_text
from gui.app.verdict import verdict
from gui.charts.choice import PlotChoice
from gui.charts.registry import plots
from gui.charts.shown import Shown
from robots.scenario.presets import find_scenario
from tests.inline_jobs import InlineJobs

TEXTS = {column.key: column for column in COLUMNS}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Runs of rr-swing at 5, 10 and 20 ms, by Heun, by Dormand and Prince with step control, and with another mass."""
    folder: Path = tmp_path_factory.mktemp("table")
    made = Session(InlineJobs(), Settings(folder), find_scenario("rr-swing").with_value("duration", 1.0))
    made.start()
    for changes in (
        {"step": 0.02},
        {"step": 0.01},
        {"method": "rk2", "step": 0.01},
        {"method": "dopri5", "rtol": 1e-8, "atol": 1e-8},
        {"method": "rk4", "step": 0.01, "robot.m1": 2.0},
    ):
        made.edit_many(changes)
        made.comparisons.pin()
    made.edit_many({"step": 0.005, "robot.m1": 1.0})
    return made


def moment(session: Session, t: float = 0.0) -> TableMoment:
    return TableMoment(session.runs.all, t)


def test_the_observed_order_is_the_method_s_and_compares_like_with_like(session):
    current, coarse, middle, heun, controlled, heavy = session.runs.all
    rows = session.runs.all
    assert observed_order(current, rows) == pytest.approx(4.0, abs=0.2)
    assert observed_order(middle, rows) == pytest.approx(4.0, abs=0.2)
    for row in (coarse, heun, controlled, heavy):
        assert observed_order(row, rows) is None
    assert TEXTS["order"].text(coarse, moment(session)) == "–"


def test_runs_that_solve_other_equations_of_the_same_motion_have_no_order(tmp_path: Path) -> None:
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("pendulum-drift").with_value("duration", 1.0))
    made.start()
    made.comparisons.pin()
    made.edit("step", 0.01)
    made.comparisons.pin()
    made.edit_many({"step": 0.005, "task.constraints": "baumgarte", "task.alpha": 7.0})
    current = made.runs.current
    (finer,) = (row for row in made.runs.all if row.scenario.step == 0.01 and row is not current)
    assert observed_order(finer, made.runs.all) is not None
    assert observed_order(current, made.runs.all) is None


def test_a_run_that_its_steps_made_unstable_has_no_order(tmp_path: Path) -> None:
    made = Session(
        InlineJobs(), Settings(tmp_path), find_scenario("rr-stiff").with_values({"duration": 2.0, "step": 0.03})
    )
    made.start()
    for step in (0.02, 0.01):
        made.comparisons.pin()
        made.edit("step", step)
    current, unstable, stable = made.runs.all
    assert verdict(unstable).unstable
    assert observed_order(stable, made.runs.all) is None
    assert observed_order(unstable, made.runs.all) is None
    assert observed_order(current, made.runs.all) == pytest.approx(1.0, abs=0.5)


def test_the_ratio_is_that_of_the_largest_errors(session, monkeypatch):
    current, coarse, *_ = session.runs.all
    errors = [row.reference.max["reference_q_rad"] for row in (coarse, current)]
    assert error_ratio(coarse, session.runs.current) == pytest.approx(errors[0] / errors[1])
    assert TEXTS["ratio"].text(current, moment(session)) == "1×"
    monkeypatch.setattr(type(current.scenario), "same_robot", lambda *_: False)
    tracking = [replace(row, reference=None, run=FakeRun()) for row in (coarse, current)]
    assert error_ratio(*tracking) is None, "errors of different robots do not compare"


class FakeRun:
    """A run along a path."""

    max_error: ClassVar = {run_texts.TRACKING: 1e-3}


@pytest.mark.parametrize("changes", [{"initial.q1": 0.7}, {"robot.m1": 2.0}, {"initial.v2": 1.0}], ids=str)
def test_errors_of_different_motions_do_not_compare(tmp_path: Path, changes: dict[str, float]) -> None:
    """An arm let go elsewhere had "0.018 times" the error, and one with another pose "242 times"."""
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 1.0))
    made.start()
    made.comparisons.pin()
    made.edit_many(changes)
    current, pinned = made.runs.all
    assert error_ratio(pinned, current) is None
    assert TEXTS["ratio"].text(pinned, moment(made)) == "–"
    assert "error" not in differences_text(current, pinned).lower()
    made.edit("step", 0.005)
    made.comparisons.pin()
    made.edit("step", 0.01)
    alike = made.runs.all[-1] if made.runs.all[-1].id != pinned.id else made.runs.all[1]
    assert error_ratio(alike, made.runs.current) is not None


def test_errors_that_are_known_for_different_times_do_not_compare(session):
    """A ratio over the shorter time would contradict the errors beside it."""
    current = session.runs.current
    early = 0.2 * current.reference.trusted_until
    until_then = replace(current.reference, trusted_until=early, max=current.reference.largest(early))
    other = replace(current, reference=until_then)
    assert run_texts.max_error(other)[1] < 0.5 * run_texts.max_error(current)[1], "it grows"
    assert error_ratio(current, other) is None
    assert error_ratio(other, current) is None


def test_while_a_reference_is_awaited_no_other_error_is_compared(session):
    rows = list(session.runs.all)
    rows[1] = replace(rows[1], reference=None, reference_state="computing")
    now = TableMoment(tuple(rows))
    assert {TEXTS[key].text(rows[1], now) for key in ("error", "ratio", "order")} == {"…"}
    assert TEXTS["ratio"].text(rows[2], now).endswith("×")
    # Nor that of the run before, beside which the order was 0.0.
    rows[1] = replace(session.runs.all[1], reference_state="computing")
    assert {TEXTS[key].text(rows[1], TableMoment(tuple(rows))) for key in ("error", "ratio", "order")} == {"…"}


def test_columns_that_say_nothing_are_not_shown(session):
    shown = [column.key for column in columns_of(session.runs.all, None)]
    assert {"order", "ratio"} <= set(shown)
    assert "condition" not in shown
    alone = [column.key for column in columns_of(session.runs.all[:1], None)]
    assert not {"order", "ratio", "condition"} & set(alone)
    chosen = [column.key for column in columns_of(session.runs.all, ("at.q1", "time", "nonsense"))]
    assert chosen == ["method", "at.q1", "time"]


def test_values_at_the_playhead_are_those_of_each_run(session):
    live = {column.key: column for column in live_columns(session.runs.all)}
    assert {"at.error", "at.q1", "at.v2", "at.x", "at.z"} <= set(live)
    for row in session.runs.all:
        index = int(row.run.t.searchsorted(0.4))
        now = TableMoment(session.runs.all, float(row.run.t[index]))
        assert live["at.q1"].value(row, now) == pytest.approx(row.run.columns()["q1"][index], abs=1e-9)
        assert live["at.x"].value(row, now) == pytest.approx(row.run.tip()[index][0], abs=1e-9)
        assert live["at.error"].value(row, now) == pytest.approx(row.reference.errors["reference_q_rad"][index])
    current = session.runs.current
    degrees, radians = (TableMoment(session.runs.all, 0.4, unit) for unit in (True, False))
    assert live["at.q1"].text(current, degrees).endswith("°")
    assert live["at.q1"].text(current, radians).endswith("\u00a0rad")
    late = TableMoment(session.runs.all, 99.0)
    assert live["at.error"].text(current, late) == "–"
    assert live["at.q1"].value(current, late) == pytest.approx(current.run.columns()["q1"][-1])


def test_pinned_runs_are_sorted_and_what_has_no_value_comes_last(session):
    rows = session.runs.all
    by_error = sorted_ids(TEXTS["error"], moment(session))
    errors = [TEXTS["error"].value(session.runs.find(one), moment(session)) for one in by_error]
    assert errors == sorted(errors)
    assert sorted_ids(TEXTS["error"], moment(session), downwards=True) == by_error[::-1]
    assert sorted_ids(TEXTS["order"], moment(session))[0] == rows[2].id
    assert len(sorted_ids(TEXTS["order"], moment(session), downwards=True)) == 5
    names = [session.runs.find(one).label for one in sorted_ids(TEXTS["method"], moment(session))]
    assert names == sorted(names, key=str.lower)


def test_two_runs_are_compared_in_words(session):
    current, coarse, _, heun, _, heavy = session.runs.all
    text = differences_text(coarse, current)
    assert text.startswith("step 20\u00a0ms instead of 5\u00a0ms. Error ")
    assert "times larger, cost 4 times lower (right-hand sides)" in text
    assert "Runge-Kutta 2 (Heun)" in differences_text(heun, current)
    assert "mass 1 = 2\u00a0kg instead of 1\u00a0kg" in differences_text(heavy, current)
    same = differences_text(current, current)
    assert same == "the same arm, values, method and step. Error the same, cost the same (right-hand sides)."


def test_the_energy_error_has_its_sign_on_a_linear_axis(session):
    plot = plots()["energy"]
    shown = Shown.of(session.runs.all)
    size, signed = (plot.drawn(shown, PlotChoice("energy", variant)) for variant in ("", "signed"))
    assert (size.y.scale, signed.y.scale, signed.title) == ("log", "linear", size.title)
    for one, other in zip(size.curves, signed.curves, strict=True):
        assert np.array_equal(one.y, np.abs(other.y))
    assert min(curve.y.min() for curve in signed.curves) < 0.0


def test_energy_that_impacts_take_is_no_error_and_the_plot_says_so(tmp_path):
    stops = {"task.stops": "hard", "task.restitution": 0.4, "task.stop_low1": -1.0, "duration": 2.0}
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_values(stops))
    made.start()
    run = made.runs.current.run
    energy = sum(run.robot.energies(run.scenario, run.y))
    assert run.impacts
    assert np.ptp(energy) > 1.0
    assert run.max_error["energy_J"] < 1e-3
    note = plots()["energy"].drawn(Shown.of(made.runs.all)).note
    assert note == "energy lost in impacts is not counted; against its initial value"


def test_the_table_as_text_has_the_shown_columns(session):
    lines = table_text(columns_of(session.runs.all, ("order",)), moment(session)).splitlines()
    assert lines[0] == "Method\tOrder"
    assert len(lines) == 7
    assert math.isclose(float(lines[1].split("\t")[1]), 4.0, abs_tol=0.2)


def test_each_field_in_which_runs_differ_has_a_column(tmp_path: Path) -> None:
    """Only the words of the setting said so; steps and tolerances alone had columns."""
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 0.2))
    made.start()

    def rows() -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(table_text(columns_of(made.runs.all, None), moment(made), ","))))

    made.comparisons.pin()
    usual = list(rows()[0])
    assert usual[:4] == ["Method", "Setting", "Step [s]", "Max error [rad]"], "alike: nothing to say"
    made.edit_many({"robot.m2": 2.5, "initial.q1": 0.25})
    made.comparisons.pin()
    made.edit_many({"task.stops": "hard", "task.restitution": 0.4})
    found = rows()
    assert [name for name in found[0] if name not in usual] == [
        "Angle 1 [rad]",
        "Mass 2 [kg]",
        "Joint stops",
        "Restitution",
    ]
    assert [row["Mass 2 [kg]"] for row in found] == ["2.5", "1", "2.5"]
    assert [row["Angle 1 [rad]"] for row in found] == ["0.25", "0", "0.25"]
    assert [row["Joint stops"] for row in found] == ["hard stops", "none", "none"]
    assert [row["Restitution"] for row in found] == ["0.4", "", ""], "without stops it does not matter"


def test_beside_another_robot_a_field_is_filled_for_the_runs_of_its_own(tmp_path: Path) -> None:
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 0.2))
    made.start()
    made.comparisons.pin()
    made.edit("robot.m1", 3.0)
    made.comparisons.pin_scenario(find_scenario("pendulum-drift").with_value("duration", 0.2))
    text = table_text(columns_of(made.runs.all, None), moment(made), ",")
    found = {row["Robot"]: row["Mass 1 [kg]"] for row in csv.DictReader(io.StringIO(text)) if row["Mass 1 [kg]"] != "1"}
    assert found == {"RR arm": "3", "Stiff double pendulum": ""}


@pytest.mark.parametrize("between", ["\t", ","])
def test_other_programs_read_every_number_of_the_table(session: Session, between: str) -> None:
    """As pandas does: a column is of numbers where each cell is one or empty. Texts were "9.3·10⁻⁶ rad" and "2 000"."""
    keys = ("setting", "error", "ratio", "order", "rhs", "rejected", "time", "at.q1", "at.error", "status")
    text = table_text(columns_of(session.runs.all, keys), moment(session, 0.5), between)
    rows = list(csv.DictReader(io.StringIO(text), delimiter=between))
    words = ("Method", "Setting", "Status")
    numbers = {name: [float(row[name]) if row[name] else None for row in rows] for name in rows[0] if name not in words}
    assert list(numbers) == [
        "Step [s]",
        "Relative tolerance",
        "Absolute tolerance",
        "Mass 1 [kg]",
        "Max error [rad]",
        "Error now [rad]",
        "q₁ [rad]",
        "Error ratio",
        "Order",
        "Right-hand sides",
        "Rejected",
        "Time [s]",
    ]
    for row, error, step, cost in zip(
        session.runs.all, numbers["Max error [rad]"], numbers["Step [s]"], numbers["Right-hand sides"], strict=True
    ):
        assert row.run is not None
        found = run_texts.max_error(row)
        assert found is not None
        assert error == found[1], "every digit"
        assert step == row.scenario.step
        assert cost == row.run.counts.rhs_evaluations
    assert not set("–…\u00a0\u202f\u2009") & set(text)
    assert "" in [row["Step [s]"] for row in rows], "nothing where there is none"


def test_pinned_runs_last_as_long_as_the_current_one(tmp_path):
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 1.0))
    made.start()
    follows = made.comparisons.pin()
    made.edit("duration", 2.0)
    assert made.runs.find(follows).scenario.duration == 2.0
    assert made.runs.find(follows).run.t_end == 2.0
    made.history.undo()
    assert made.runs.find(follows).run.t_end == made.scenario.duration == 1.0
    other = made.comparisons.pin()
    made.comparisons.edit(other)
    made.history.record(made.history.present.with_pin(made.scenario.with_value("duration", 0.5), 77), "add")
    made.edit("duration", 3.0)
    assert made.runs.find(77).scenario.duration == 0.5
    made.comparisons.take_duration(77)
    assert made.runs.find(77).run.t_end == 3.0
    made.edit("robot", "pa10")
    assert made.runs.find(77).scenario.duration == 3.0


def test_the_condition_number_stands_beside_each_formulation(tmp_path):
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("e12").with_value("duration", 0.02))
    made.start()
    made.comparisons.compare_choices("task.formulation")
    assert len(made.runs.all) == 4
    columns = columns_of(made.runs.all, None)
    condition = next(column for column in columns if column.key == "condition")
    values = {row.scenario.get("task.formulation"): condition.value(row, moment(made)) for row in made.runs.all}
    assert values["I3"] > values["I2"] > values["I1"] > 1.0
    assert all("formulation = " in text for text in (TEXTS["setting"].text(row, moment(made)) for row in made.runs.all))
    made.history.undo()
    assert len(made.runs.all) == 1


def test_the_cost_of_a_run_that_ended_early_is_not_compared(tmp_path: Path) -> None:
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_values({"duration": 1.0}))
    made.start()
    whole = made.runs.current
    made.edit("duration", 0.5)
    text = differences_text(made.runs.current, whole)
    assert "cost" not in text.lower()
    assert text.endswith("It ended at t = 0.500\u00a0s, the other one at t = 1.000\u00a0s.")


def test_errors_that_are_measured_against_nothing_have_their_name(session: Session, tmp_path: Path) -> None:
    """Where no reference is known the residual of the constraints is no error of the motion: a car's is 1e-16."""

    def heading(made: Session) -> tuple[str, str]:
        (found,) = (column for column in columns_of(made.runs.all, None) if column.key == "error")
        assert table_text([found], moment(made)).startswith(found.title)
        (offered,) = (column for column in offered_columns(made.runs.all) if column.key == "error")
        assert (offered.title, offered.tip) == (found.title, found.tip), (
            "the menu of columns names it as the table does"
        )
        return found.title, found.tip

    assert heading(session)[0] == "Max error"
    car = Session(InlineJobs(), Settings(tmp_path / "car"), find_scenario("hmmwv").with_value("duration", 0.05))
    assert heading(car)[0] == "Max error", "nothing is known yet"
    car.start()
    title, tip = heading(car)
    assert title == "Constraint residual"
    assert "no reference" in tip
    car.comparisons.pin_scenario(session.scenario)
    assert heading(car)[0] == "Max error", "one of the runs has an error against its reference"


def test_a_row_that_is_computed_shows_no_numbers_of_the_document_before(stepwise):
    stepwise.jobs.go_all()
    count, other = next(one for one in COLUMNS if one.key == "rhs"), stepwise.scenario.with_value("robot.m1", 2.0)

    def shown() -> str:
        return count.text(stepwise.runs.current, TableMoment(stepwise.runs.all))

    stepwise.edit("robot.m1", 1.5)
    assert shown() == "16", "an edit keeps the numbers for the moment that the next run takes"
    late = stepwise.jobs.waiting[0]
    stepwise.files.adopt(other)
    assert (stepwise.runs.current.state, shown()) == ("computing", LATER)
    late.execute(stepwise.jobs.dispatch)
    assert (stepwise.runs.current.state, shown()) == ("computing", LATER), "a run of before that ends late, neither"
    stepwise.edit("robot.m1", 3.0)
    assert shown() == LATER, "nor after an edit: what is there is still a run of before"
    stepwise.jobs.go_all()
    assert shown() == "16"
    stepwise.edit("robot.m1", 4.0)
    assert shown() == "16"
    assert stepwise.runs.current.run.scenario.get("robot.m1") == 3.0
