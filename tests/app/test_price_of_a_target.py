"""The answer to a target: what is known of each method's cost, and what is only bounded, measured otherwise."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from gui.app.desks.work_precision import WorkPrecisionDesk, halved, steps_around, tightened
from gui.app.session.session import Session
from gui.charts.work_precision import WorkView, work_chart
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from robots.sweeps.work_curves import price_of
from robots.sweeps.work_precision import TOLERANCE, work_precision
from tests.inline_jobs import InlineJobs

ERROR, COST = "reference_q_rad", "rhs_evaluations"
QUICKLY = partial(work_precision, budget=0.0)


@pytest.fixture
def measured_desk(session: Session) -> WorkPrecisionDesk:
    """*The arm falls* with the steps that the sheet proposes."""
    session.edit("duration", 10.0)
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, QUICKLY)
    desk.begin(["rk1", "rk4", "rk8"], halved(*steps_around(session.scenario)), [])
    return desk


def measured(scenario: Scenario) -> tuple[float, int]:
    """The largest error and the evaluations of a run, by the engine itself."""
    run, exact = simulate(scenario, repeat=False), reference(scenario)
    assert exact is not None
    return compare_with_reference(run, exact).max[ERROR], run.counts.rhs_evaluations


def test_a_cost_without_a_longer_step_is_a_bound(measured_desk: WorkPrecisionDesk) -> None:
    """Runge-Kutta 8 "needed 1 375 evaluations" for 5e-5 rad, the longest step's; 792 are enough."""
    desk = measured_desk
    said = desk.answer(desk.judged(COST), 5e-5, COST)
    named = re.search(r"Runge-Kutta 8 [^;]*, at most 1\u202f375 evaluations", said)
    assert named, said
    assert "Longer steps were not measured." in said
    assert "Not reached by what was measured: Runge-Kutta 1 (explicit Euler)." in said
    error, calls = measured(desk.scenario_with("rk8").with_value("step", 10.0 / 72.0))
    assert error < 5e-5
    assert calls < 1375
    classical = re.search(r"Runge-Kutta 4 \(classical\), ([\d\u202f]+) evaluations", said)
    assert classical, "its steps are on both sides"
    price = int(classical[1].replace("\u202f", ""))
    base = desk.scenario_with("rk4")
    above, below = (measured(base.with_value("step", 10.0 / round(price / 4 * by)))[0] for by in (0.9, 1.1))
    assert below < 5e-5 < above


def test_where_every_step_is_short_enough_all_methods_are_named(measured_desk: WorkPrecisionDesk) -> None:
    desk = measured_desk
    found = desk.judged(COST)
    extra = [replace(one, method="rk7", scenario=one.scenario.with_value("method", "rk7")) for one in found.points[-7:]]
    desk.points = [*desk.points, *(replace(one, counts={COST: 2 * one.counts[COST]}) for one in extra)]
    target = 1.001 * max(one.error(ERROR) or 0.0 for one in desk.points)
    found = desk.judged(COST)
    said = desk.answer(found, target, COST)
    assert said.count("at most") == len(found.by_method()) == 4
    assert "; perhaps less: Runge-Kutta 7 (Butcher), at most" in said
    assert "Not reached" not in said
    end = max(found.by_method()["rk8"], key=lambda one: one.step or 0.0)
    price = price_of(found.by_method()["rk8"], ERROR, COST, end.error(ERROR) or 0.0)
    assert price is not None
    assert not price.at_most, "its own error is the target: the step is just short enough"


def test_every_method_that_reaches_the_target_is_named(measured_desk: WorkPrecisionDesk) -> None:
    """Of five that did, the fifth was in no list."""
    desk = measured_desk
    classical = [one for one in desk.points if one.method == "rk4"]
    for place, key in enumerate(("rk3", "rk5", "rk6", "rk7")):
        for one in classical:
            scenario = one.scenario.with_value("method", key)
            counts = {COST: (place + 2) * one.counts[COST]}
            desk.points.append(replace(one, method=key, scenario=scenario, counts=counts))
    found = desk.judged(COST)
    said = desk.answer(found, 5e-5, COST)
    first, _, rest = said.partition(" evaluations; more: ")
    assert first.count("; then ") == 2, said
    listed = rest.partition(".")[0]
    assert listed.endswith(" and 1 more"), said
    assert "Not reached by what was measured: Runge-Kutta 1 (explicit Euler)." in said


def test_a_longer_step_that_failed_was_measured(measured_desk: WorkPrecisionDesk) -> None:
    desk = measured_desk
    last = max((one for one in desk.points if one.method == "rk8"), key=lambda one: one.step or 0.0)
    desk.points = [replace(one, status="diverged") if one is last else one for one in desk.points]
    said = desk.answer(desk.judged(COST), 5e-5, COST)
    assert "at most 2\u202f750 evaluations" in said
    assert "Longer steps were not measured or did not finish." in said


def test_a_tolerance_that_suffices_at_once_is_said_to_be_the_tightest_of_those(session: Session) -> None:
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, QUICKLY)
    desk.begin(["dopri5", "dop853"], [], tightened(1e-7, 1e-11))
    found = desk.judged(COST)
    said = desk.answer(found, 1e-2, TOLERANCE)
    assert said.count("tolerance 1e-7 or looser") == 2, said
    assert "Looser tolerances were not measured." in said
    error, calls = measured(desk.scenario_with("dopri5").with_values({"rtol": 1e-6, "atol": 1e-6}))
    bound = price_of(found.by_method()["dopri5"], ERROR, COST, 1e-2)
    assert bound is not None
    assert bound.at_most
    assert error < 1e-2
    assert calls < bound.cost


def test_what_is_reached_does_not_depend_on_the_axes(session: Session) -> None:
    """With tolerances across, Runge-Kutta 4 was "not reached": it has none, and its fixed steps came to 1e-7 rad."""
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, QUICKLY)
    session.edit("duration", 1.0)
    desk.begin(["rk1", "rk4", "dopri5"], halved(0.02, 0.001), tightened(1e-3, 1e-9))
    missing = "Not reached by what was measured: Runge-Kutta 1 (explicit Euler)."
    for error in desk.errors():
        found = desk.judged(COST, error)
        said = {cost: desk.answer(found, 1e-6, cost) for cost in (COST, "seconds", "steps", TOLERANCE)}
        assert len({missing in one for one in said.values()}) == 1, said
        assert len({one.count("Not reached") for one in said.values()}) == 1, said
        if error == ERROR:
            assert missing in said[COST]
            assert "Reached with fixed steps alone: Runge-Kutta 4 (classical)." in said[TOLERANCE]
    desk.points = [one for one in desk.points if one.method == "rk4"]
    said = desk.answer(desk.judged(COST), 1e-6, TOLERANCE)
    assert "no measured tolerance reaches it. Reached with fixed steps alone: Runge-Kutta 4" in said


def test_an_error_of_zero_reaches_every_target(measured_desk: WorkPrecisionDesk) -> None:
    desk = measured_desk
    finest = min((one for one in desk.points if one.method == "rk1"), key=lambda one: one.step or 0.0)
    desk.points = [replace(one, max_error={ERROR: 0.0}) if one is finest else one for one in desk.points]
    price = price_of(desk.judged(COST).by_method()["rk1"], ERROR, COST, 1e-6)
    assert price is not None
    assert price.cost == finest.counts[COST]


def test_an_error_follows_the_tolerances_with_one_power_or_none_is_named(session: Session) -> None:
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, QUICKLY)
    session.edit("duration", 1.0)
    desk.begin(["dopri5"], [], [1e-4, 1e-6, 1e-8])
    points = desk.judged(COST).points
    level = dict.fromkeys(points[0].level, 0.0)

    def said_of(errors: list[float]) -> str:
        pairs = zip(points, errors, strict=False)
        desk.points = [replace(one, max_error={ERROR: error}, level=level) for one, error in pairs]
        return desk.proportionality(desk.judged(COST))

    assert said_of([2e-4, 2e-6, 2e-8]).endswith("to the power of: Runge-Kutta-Dormand-Prince 5(4) 1.0.")
    assert said_of([2e-4, 2e-5, 2e-8]) == "No error falls with the same power of the tolerance all along."
    assert said_of([2e-4, 2e-6]) == "Measure a method with three tolerances or more to see how its error follows them."


def test_nothing_is_said_while_measuring_that_later_points_take_back(session: Session) -> None:
    """An order stood beside Dormand-Prince 8(5,3) from its first points on, and then went."""
    session.edit("duration", 10.0)
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, QUICKLY)
    seen: list[tuple[list[str], set[str], set[str]]] = []

    def look() -> None:
        found = desk.judged(COST)
        view = WorkView(found.points, list(dict.fromkeys(one.label for one in found.points)), found.error, COST)
        orders = [sign.text for sign in work_chart(replace(view, awaited=found.awaited)).labels]
        marks = {f"{one.label} {one.setting()}" for one in found.points if one.pareto}
        best = {f"{one.label} {one.setting()} in its family" for one in found.points if one.best_of_family}
        answer = desk.answer(found, 1e-6, COST) if found.points else ""
        seen.append((orders, marks | best, set(re.findall(r"(?:: |; then )([^;]*evaluations)", answer))))

    desk.changed.connect(look)
    desk.begin(["rk4", "dop853", "rk1"], halved(*steps_around(session.scenario)), tightened(1e-3, 1e-9))
    assert not desk.measuring
    orders, marks, prices = seen[-1]
    assert orders
    assert marks
    assert len(prices) == 2, "Euler does not reach it"
    assert {len(one[2]) for one in seen} == {0, 1, 2}, "a method has its price once its own points are complete"
    for so_far in seen:
        assert orders[: len(so_far[0])] == so_far[0]
        assert so_far[1] <= marks
        assert so_far[2] <= prices
