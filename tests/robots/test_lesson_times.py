"""When things happen in lessons: outcomes that are times have every digit that is shown, whatever the steps are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from robots.lessons.computing import SceneResults, compute
from robots.lessons.lesson import Kind
from robots.lessons.library import find_lesson
from robots.lessons.outcomes import outcome
from robots.model.robot import Array
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run

Values = Callable[[float], float]


def of_step(lesson: str, number: int) -> tuple[SceneResults, float, str]:
    """The runs of a lesson's step, its time, and the sentence that says it."""
    step = find_lesson(lesson).steps[number - 1]
    results = compute(step.scene)
    assert results
    found = outcome(next(one for one in step.predictions if one.kind is Kind.TIME), results)
    assert isinstance(found.answer, float)
    return results, found.answer, found.sentence


def pendulum(scenario: Scenario) -> Callable[[float], Array]:
    """The angles of a double pendulum over time, by scipy: masses at the links' ends, rotors of inertia J."""
    m1, m2, r1, r2, j1, j2, g = numbers(
        scenario, *(f"robot.{name}" for name in ["m1", "m2", "r1", "r2", "J1", "J2", "g"])
    )

    def slope(_: float, y: Array) -> Array:
        q1, q2, v1, v2 = y
        bend, turn = m2 * r1 * r2 * np.cos(q2), m2 * r1 * r2 * np.sin(q2)
        inner = m2 * r2**2
        mass = [[j1 + (m1 + m2) * r1**2 + inner + 2.0 * bend, inner + bend], [inner + bend, j2 + inner]]
        weight = m2 * g * r2 * np.cos(q1 + q2)
        force = [turn * (2.0 * v1 * v2 + v2**2) - (m1 + m2) * g * r1 * np.cos(q1) - weight, -turn * v1**2 - weight]
        return np.array([v1, v2, *np.linalg.solve(mass, force)])

    begin = numbers(scenario, *(f"initial.{name}" for name in ("q1", "q2", "v1", "v2")))
    found = solve_ivp(slope, (0.0, 9.0), begin, "DOP853", rtol=1e-12, atol=1e-13, dense_output=True)
    return lambda t: found.sol(t)[:2]


def numbers(scenario: Scenario, *names: str) -> list[float]:
    values = [scenario.get(name) for name in names]
    return [value for value in values if isinstance(value, float)]


def tip(scenario: Scenario, angles: Array) -> Array:
    r1, r2 = numbers(scenario, "robot.r1", "robot.r2")
    first, second = angles[0], angles[0] + angles[1]
    return np.array([r1 * np.cos(first) + r2 * np.cos(second), r1 * np.sin(first) + r2 * np.sin(second)])


def first_root(values: Values, end: float) -> float:
    """The first sign change of a function over time, from 0 to an end, in looks of a millisecond."""
    times = np.linspace(0.0, end, round(1000.0 * end) + 1)
    signs = np.sign([values(t) for t in times])
    k = int(np.flatnonzero(signs[:-1] * signs[1:] < 0.0)[0])
    return float(brentq(values, times[k], times[k + 1], xtol=1e-12))


def test_two_tips_part_in_the_lesson_on_chaos_when_they_do_by_scipy() -> None:
    results, instant, said = of_step("chaos", 1)
    one, other = results.runs["first"].scenario, results.runs["second"].scenario
    first, second = pendulum(one), pendulum(other)
    exact = first_root(lambda t: float(np.linalg.norm(tip(one, first(t)) - tip(other, second(t)))) - 0.1, 6.0)
    assert instant == pytest.approx(exact, abs=1e-4)
    assert said == "It happens at 4.9 s."


def test_the_arm_of_five_minutes_passes_the_lowest_point_when_it_does_by_scipy() -> None:
    results, instant, _ = of_step("five-minutes", 1)
    angles = pendulum(results.runs["arm"].scenario)
    assert instant == pytest.approx(first_root(lambda t: float(angles(t)[0]) + 1.5708, 2.0), abs=1e-6)


def column(run: Run, name: str) -> Values:
    return lambda t: float(run.columns(np.array([t]))[name][0])


def gap(one: Run, other: Run, apart: float) -> Values:
    return lambda t: float(np.linalg.norm(one.tip(np.array([t])) - other.tip(np.array([t])))) - apart


@pytest.mark.parametrize(
    ("lesson", "number", "of"),
    [
        ("events", 1, lambda runs: gap(runs["exact"], runs["late"], 0.001)),
        ("chaos", 2, lambda runs: gap(runs["ten"], runs["eleven"], 0.1)),
        ("stability", 2, lambda runs: lambda t: column(runs["h4"], "q1")(t) - 6.2832),
        ("sampling", 3, lambda runs: lambda t: abs(column(runs["late"], "q1")(t) - 1.5708) - 0.5),
    ],
)
def test_a_time_is_that_of_the_dense_output(lesson: str, number: int, of: Callable[[dict[str, Run]], Values]) -> None:
    """By another way: a change of sign a few milliseconds about it, closed in on by Brent's method."""
    results, instant, _ = of_step(lesson, number)
    values = of(dict(results.runs))
    exact = brentq(values, instant - 2e-3, instant + 2e-3, xtol=1e-12)
    assert instant == pytest.approx(exact, abs=1e-6)


def test_the_lowest_manipulability_is_when_the_posture_is_nearest_to_singular() -> None:
    results, instant, said = of_step("singular-postures", 1)
    near = results.runs["near"]
    times = np.arange(-0.02, 0.02, 1e-5) + instant
    found = near.series(times)["manipulability"].values
    assert instant == pytest.approx(times[found.argmin()], abs=2e-5)
    assert said == "It happens at 6.28 s."


@pytest.mark.parametrize(
    ("lesson", "number", "item", "reading"),
    [("stability", 4, "adams", "12.3 ms"), ("stability", 4, "dop", "78.7 ms"), ("stiffness", 1, "dp5", "1289")],
)
def test_an_order_has_the_units_of_its_readout(lesson: str, number: int, item: str, reading: str) -> None:
    step = find_lesson(lesson).steps[number - 1]
    results = compute(step.scene)
    assert results
    assert outcome(step.predictions[0], results).readings[item] == reading


def test_the_30_ms_run_of_stability_is_beyond_the_limit_at_the_start_and_at_rest_and_goes_in_and_out() -> None:
    results = compute(find_lesson("stability").steps[2].scene)
    assert results
    calm, swinging = results.runs["h2"], results.runs["h3"]

    def inside(products: Array) -> bool:
        return bool((np.abs(1.0 + products) <= 1.0).all())

    at_rest = calm.eigenvalues_at(calm.t_end)
    assert [inside(step * at_rest) for step in (0.02, 0.03)] == [True, False]
    assert [inside(run.steps_times_modes(0.0)) for run in (calm, swinging)] == [True, False]
    steps, between = 4.8 + 0.03 * np.arange(5), 4.815 + 0.03 * np.arange(5)
    assert all(inside(swinging.steps_times_modes(t)) for t in steps)
    assert not any(inside(swinging.steps_times_modes(t)) for t in between)
