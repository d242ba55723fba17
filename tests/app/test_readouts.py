"""Numbers and runs in words."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.app import forks, formatting, run_texts, units
from gui.app.desks.readout_words import number_reading
from gui.app.runs import RunRow
from gui.app.table.distinctions import distinctions, names
from gui.app.table.pairs import differences_text
from gui.app.units import with_unit
from robots.scenario.presets import find_preset
from robots.scenario.scenario import new_scenario
from tests.numbers import typed


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.01, "s", "10\u00a0ms"),
        (1e-3, "s", "1\u00a0ms"),
        (2.5e-5, "s", "25\u00a0\u00b5s"),
        (1.0, "s", "1\u00a0s"),
        (6000.0, "s", "6\u202f000\u00a0s"),
        (0.0, "s", "0\u00a0s"),
        (9.81, "m/s2", "9.81\u00a0m/s2"),
        (0.5, "m", "0.5\u00a0m"),
        (12345.0, "", "12\u202f345"),
        (1e-9, "s", "1\u00a0ns"),
        (0.9999, "s", "1\u00a0s"),
        (-0.02, "s", "\u221220\u00a0ms"),
        (-1.5, "rad", "\u22121.5\u00a0rad"),
        (-3.0, "m", "\u22123\u00a0m"),
        (math.nan, "rad", "not finite\u00a0rad"),
    ],
)
def test_quantities(value, unit, text):
    assert units.quantity(value, unit) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e-6, "10⁻⁶"), (3.21e-5, "3.2·10⁻⁵"), (0.0, "0"), (1.0, "1"), (0.02, "2·10⁻²"), (math.inf, "\u221e")],
)
def test_scientific(value, text):
    assert units.scientific(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.nan, "–"),
        (0.0, "0 rad"),
        (-0.5, "−0.5 rad"),
        (1234.5, "1230 rad"),
        (9999.6, "10000 rad"),
        (1.25e-4, "1.25·10⁻⁴ rad"),
    ],
)
def test_readings_have_three_digits(value, text):
    assert units.reading(value, "rad") == text.replace(" ", "\u00a0")


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (-0.25, "−0.25"), (1e-6, "10⁻⁶"), (2e7, "2·10⁷")])
def test_ticks_are_short(value, text):
    assert units.tick_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [("pi", "pi"), (True, "True"), (3, "3"), (1e-6, "1e-6"), (0.1 + 0.2, "0.3")]
)
def test_numbers_can_be_typed_as_they_are_shown(value, text):
    assert units.number_text(value) == text


@given(st.floats(), st.sampled_from(["s", "m", "rad", "", "kg m2"]))
def test_every_number_has_a_text_near_its_value(value, unit):
    text = units.quantity(value, unit)
    assert text
    if unit == "rad" and math.isfinite(value) and abs(value) > 1e-300:
        # As a decimal: rounded to three digits, the largest doubles are no doubles.
        number = Decimal(typed(text.split("\u00a0")[0].replace("\u202f", "")))
        assert abs(number / Decimal(value) - 1) <= Decimal("6e-3")


def test_times_have_no_exponent():
    assert units.quantity(8.8e-4, "s", 2) == "880\u00a0\u00b5s"
    assert units.quantity(0.1234567, "s") == "123\u00a0ms"


def test_speeds_and_times():
    assert [units.factor(speed) for speed in (1 / 64, 0.5, 1.0, 64.0)] == [
        "1/64\u00d7",
        "1/2\u00d7",
        "1\u00d7",
        "64\u00d7",
    ]
    assert units.clock(2.13) == "2.130\u00a0s"


def test_settings_in_words():
    scenario = new_scenario("rr")
    assert formatting.setting(scenario) == "step 10\u00a0ms"
    adaptive = scenario.with_values({"method": "rkf45", "rtol": 1e-6, "atol": 1e-9})
    assert formatting.setting(adaptive) == "rtol 1e-6, atol 1e-9"
    assert formatting.setting(adaptive.with_value("controller", "paper")).endswith(", Tenreiro Machado and Galhano")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("25.5 ms/2", "12.75\u00a0ms"),
        ("10 ms", "10\u00a0ms"),
        ("1/60 s", "16.7\u00a0ms"),
        ("12.345 ms", "12.345\u00a0ms"),
        ("12.3456 ms", "12.3\u00a0ms"),
        ("1.2345 s", "1.2345\u00a0s"),
    ],
)
def test_a_setting_is_shown_exactly_where_few_digits_do_that(typed, shown):
    step = units.Unit.of("s").read(typed)
    assert formatting.setting(new_scenario("rr").with_values({"duration": 5.0, "step": step})) == f"step {shown}"


@pytest.mark.parametrize(
    ("at", "shown"), [(0.0125, "0.0125"), (2.0, "2.000"), (1 / 3, "0.333"), (12.3456, "12.346"), (0.5, "0.500")]
)
def test_the_time_of_a_change_is_shown_exactly_where_few_digits_do_that(at, shown):
    assert units.instant(at) == f"{shown}\u00a0s"


def test_differences_name_what_differs():
    scenario = new_scenario("rr")
    assert formatting.differences(scenario, scenario) == ()
    assert formatting.differences(scenario.with_value("robot.m1", 2.0), scenario) == ("mass 1 = 2\u00a0kg",)
    assert formatting.differences(replace(scenario, duration=5.0), scenario) == ("duration = 5\u00a0s",)
    assert formatting.differences(scenario.with_value("task.torque", "pd"), scenario)[0] == "joint torque = PD control"
    assert formatting.differences(new_scenario("beam"), scenario) == ("Flexible beam",)


def test_a_switch_of_method_is_said_once_and_by_name():
    switch = find_preset("rr-switch")
    plain = replace(switch, segments=())
    assert formatting.setting(switch).endswith(", then Runge-Kutta 4 (classical) from 3.000\u00a0s")
    assert formatting.differences(switch, plain) == ()


def test_texts_about_runs_show_angles_as_their_fields_do(session):
    session.edit("initial.q1", math.radians(30.0))
    session.comparisons.pin()
    session.edit("initial.q1", math.radians(45.5))
    first, second = session.runs.all
    assert names([first, second]) == ["angle 1 = 45.5°", "angle 1 = 30°"]
    session.view.set(degrees=False)
    assert names(session.runs.all) == ["angle 1 = 0.7941\u00a0rad", "angle 1 = 0.5236\u00a0rad"]
    assert differences_text(*session.runs.all).startswith("angle 1 = 0.7941\u00a0rad instead of 0.5236\u00a0rad.")
    session.comparisons.pin()
    assert not any(row.degrees for row in session.runs.all), "a new pin as well"
    session.view.set(degrees=True)
    assert "angle 1 = 30°" in " ".join(names(session.runs.all))


def test_a_rate_has_its_unit_once():
    assert units.quantity(1.0, "1/s") == "1\u00a0/s"
    assert with_unit("1", "1/s") == "1\u00a0/s"


def test_errors_have_names_and_units():
    assert formatting.error_text("reference_q_rad", 3.2e-5) == "3.2·10⁻⁵\u00a0rad"
    assert formatting.error_text("energy_J", 0.0) == "0\u00a0J"
    assert formatting.error_text("energy_J", 2.79) == "2.8\u00a0J"
    assert formatting.error_text("reference_q_rad", 123.4) == "123\u00a0rad"
    assert formatting.error_text("reference_q_rad", 3.2e-5, new_scenario("rr")) == "3.2·10⁻⁵\u00a0rad"
    assert formatting.error_text("reference_q_rad", 3.2e-5, new_scenario("beam")) == "3.2·10⁻⁵"
    assert formatting.error_text("reference_q_rad", 2e14) == "2·10¹⁴\u00a0rad"
    assert formatting.error_title("energy_J") == "energy against its initial value"
    assert formatting.error_title("tip_drift_m") == "tip drift"
    assert formatting.error_title("reference_q_rad", new_scenario("rr")) == "joint angles against the reference"
    assert (
        formatting.error_title("reference_q_rad", new_scenario("beam")) == "swing and amplitudes against the reference"
    )
    assert formatting.error_title("energy_J", new_scenario("beam")) == "energy against its initial value"


def test_segments_in_words(session):
    assert formatting.segments(session.scenario) == "no changes during the run"
    session.playback.seek(0.5)
    session.from_here.set(True)
    session.edit_many({"method": "rk2", "robot.m1": 2.0})
    assert formatting.segments(session.scenario) == "from 0.500\u00a0s: Runge-Kutta 2 (Heun), mass 1 = 2\u00a0kg"
    assert (
        formatting.setting(session.scenario)
        == "step 10\u00a0ms, then Runge-Kutta 2 (Heun), mass 1 = 2\u00a0kg from 0.500\u00a0s"
    )
    session.playback.seek(1.0)
    session.drag_force.begin(1, (0.0, 0.0, 0.0), (1.0, 0.0, 1.0))
    session.playback.advance(0.1)
    session.drag_force.move((1.0, 0.0, 1.0))
    session.drag_force.end()
    assert formatting.segment_text(session.scenario, 1) == "from 1.000\u00a0s: pulled until 1.100\u00a0s"


def test_ones_own_method_from_a_time_on_has_its_name_and_what_its_tableau_changes(session):
    session.playback.seek(0.5)
    session.from_here.set(True)

    def said(tableau: str) -> str:
        assert session.edit_many({"method": "own", "options.tableau": f"tableau 1; {tableau}"})
        return formatting.setting(session.scenario)

    start = "step 10\u00a0ms, then"
    first = said("name My third-order; A 1/3; A 0, 2/3; b 1/4, 0, 3/4")
    assert first == f"{start} My third-order from 0.500\u00a0s"
    assert formatting.segments(session.scenario) == "from 0.500\u00a0s: My third-order"
    assert said("A 1/2; b 0, 1") == f"{start} Your own method from 0.500\u00a0s"


def test_of_a_tableau_that_changes_during_the_run_what_changes_is_said():
    mine = "tableau 1; name Mine; "
    base = new_scenario("rr").with_values({"method": "own", "options.tableau": f"{mine}A 1/2; b 0, 1"})

    def said(tableau: str) -> str:
        changed = forks.continued(base, 0.5, {"options.tableau": tableau})
        return formatting.segments(changed).removeprefix("from 0.500\u00a0s: ")

    assert said(f"{mine}A 1/2; b 0, 1; b_error 1, 0") == "Mine with comparison weight 1 = 1, comparison weight 2 = 0"
    assert said(f"{mine}A 1; b 1/2, 1/2") == "Mine with 3 other coefficients"
    assert said(f"{mine}A 1/3; b 0, 1") == "Mine with row 2, column 1 of A = 1/3"
    assert said(f"{mine}A 1/3; A 0, 2/3; b 1/4, 0, 3/4") == "Mine with 3 stages"
    assert said("tableau 1; name Other; A 1/3; b 0, 1") == "Other"


def test_tables_of_numbers_are_not_written_out_unless_they_have_to_be_told_apart():
    weld = find_preset("pa10-weld").with_value("task.points", "0 0 0; 0.1 0.1 0")
    other = weld.with_value("task.points", "0 0 0; 0.1 0.2 0")
    field = weld.fields()["task.points"]
    assert formatting.field_value(field, weld.task["points"]) == "2 rows"
    assert "way-points = 2 rows" in formatting.differences(weld, find_preset("pa10-weld"))
    assert [one["task.points"].rpartition("; ")[2] for one in distinctions((weld, other), True)] == [
        "0.1 0.1 0",
        "0.1 0.2 0",
    ]


def test_the_status_sentence_has_cost_and_error(session):
    text = run_texts.status(session.runs.current)
    assert text.startswith("Runge-Kutta 4")
    assert "step 10\u00a0ms: 4 steps, 16 evaluations" in text
    assert "largest error 2·10⁻⁵\u00a0rad (joint angles against the reference)." in text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1\u00a0s"),
        (42.3, "42\u00a0s"),
        (89.0, "89\u00a0s"),
        (100.0, "2\u00a0min"),
        (3000.0, "50\u00a0min"),
        (9e3, "2\u00a0h"),
    ],
)
def test_rough_lengths_of_time(seconds, text):
    assert run_texts.about(seconds) == text


def test_a_long_computation_says_how_far_it_is():
    row = RunRow(0, new_scenario("rr"), 0, pinned=False, state="computing")
    assert run_texts.computing(row) == "computing"
    assert run_texts.computing(replace(row, progress=0.004)) == "computing, 0.4%"
    assert run_texts.computing(replace(row, progress=0.999)) == "computing, 99%"
    assert run_texts.computing(replace(row, progress=1.0)) == "computed, the plots are being prepared"
    late = replace(row, progress=0.25, seconds_left=540.0, message="It creeps.")
    assert run_texts.computing(late) == "computing, 25%, about 9\u00a0min left"
    assert run_texts.status(late).endswith(": computing, 25%, about 9\u00a0min left. It creeps.")


def test_a_value_that_is_never_passed_is_said_so():
    scenario = new_scenario("rr")
    assert number_reading("crossing(q2, 1.4)", math.nan, scenario) == "angle 2 never passes 80.2°"
    assert number_reading("crossing(q2, 1.4)", 2.5, scenario) == "when angle 2 first passes 80.2° 2.5\u00a0s"
    assert number_reading("final.u1", 2.5, scenario) == "torque 1 at the end 2.5\u00a0N\u00a0m"
    assert number_reading("steps", 1000.0, scenario) == "steps 1\u202f000"
    assert (
        number_reading("value(q1, 2)", math.nan, scenario)
        == "angle 1 at 2\u00a0s: no value, the run did not reach 2\u00a0s"
    )
    assert number_reading("final.q1", math.nan, scenario) == "angle 1 at the end: no value"
    assert number_reading("order", math.nan, scenario, finished=False) == (
        "observed order: no value, it takes a fixed step, "
        "and errors that fall with one order from twice that step to a quarter"
    )
    gone = number_reading("max_error.energy_J", math.nan, scenario, finished=False)
    assert gone == "largest error, energy: no value, the run ended early"


def test_several_changes_on_the_way_are_counted(session):
    for at, step in ((0.25, 0.04), (0.5, 0.02), (0.75, 0.03)):
        session.playback.seek(at)
        session.from_here.set(True)
        session.edit_many({"robot.m1": 1.0 + step})
    assert formatting.setting(session.scenario) == "step 10\u00a0ms, then 3 changes from 0.250\u00a0s"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (2.000001, "kg", "2.000001"),
        (123.456789, "kg", "123.456789"),
        (0.1 + 0.2, "kg", "0.3"),
        (1.0 / 3.0, "kg", "0.333333…"),
        (math.pi / 3.0, "rad", "60"),
        (math.radians(12.34567), "rad", "12.34567"),
        (1.0, "rad", "57.29577…"),
        (1.0000000001, "kg", "1.000000…"),
    ],
)
def test_a_field_shows_what_was_typed_and_the_first_digits_of_a_longer_number(value, unit, text):
    assert units.Unit.of(unit).text(value) == text
    assert units.Unit.of("kg").text(2.000001, lambda written: len(written) < 6) == "2.00…"
