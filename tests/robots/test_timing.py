"""Times are measured warm, and what is short is computed again: the median counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from robots.scenario.presets import find_preset
from robots.simulation import simulate as module
from robots.simulation.simulate import simulate
from robots.simulation.timing import LEAST, SHORT, measured
from solvers.status import Status


@pytest.mark.parametrize(
    ("first", "others", "seconds", "repeats"),
    [
        (0.002, [0.004, 0.003], 0.003, 3),
        (0.009, [0.001, 0.002], 0.002, 3),
        (2 * SHORT, [], 2 * SHORT, 1),
    ],
)
def test_what_is_short_is_measured_three_times(first: float, others: list[float], seconds: float, repeats: int) -> None:
    left = iter(others)
    timing = measured(first, lambda: next(left))
    assert (timing.seconds, timing.repeats) == (seconds, repeats)
    assert list(left) == []


def test_a_busy_machine_is_measured_until_the_usual_time_prevails() -> None:
    left = iter([0.005, 0.0001, 0.0001, 0.00012, 0.00011, 0.1])
    timing = measured(0.0025, lambda: next(left))
    assert timing.seconds == pytest.approx(0.00012)
    assert next(left) == pytest.approx(0.00011)
    slow = iter([0.0001] + 20 * [0.009])
    assert measured(0.009, lambda: next(slow)).repeats == 9


def test_more_measurements_while_the_budget_lasts() -> None:
    assert measured(0.1, lambda: 0.1, budget=0.55, most=25).repeats == 6
    assert measured(0.001, lambda: 0.001, budget=1.0, most=25).repeats == 25
    assert measured(0.5, lambda: 0.5, budget=0.55, most=25).repeats == LEAST


def test_whoever_stops_keeps_what_was_measured() -> None:
    assert measured(0.001, lambda: 0.001, stop=lambda: True).repeats == 1


class Clock:
    """Runs whose durations are known: each integration takes the next of them."""

    def __init__(self, *seconds: float) -> None:
        self.seconds, self.now, self.calls = list(seconds), 0.0, 0

    def __call__(self) -> float:
        self.calls += 1
        if self.calls % 2 == 0:
            self.now += self.seconds.pop(0)
        return self.now


def test_the_first_run_of_a_method_is_as_quick_as_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of three measurements was disturbed: the median is not."""
    monkeypatch.setattr(module, "perf_counter", Clock(0.008, 0.0003, 0.0004))
    run = simulate(replace(find_preset("rr-swing"), duration=0.1))
    assert run.compute_seconds == pytest.approx(0.0004)
    assert run.counts.steps == 10


def test_repeats_are_not_counted_and_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = replace(find_preset("rr-swing"), duration=0.1)
    monkeypatch.setattr(module, "perf_counter", Clock(0.002))
    run = simulate(scenario, repeat=False)
    assert run.compute_seconds == pytest.approx(0.002)
    assert run.status is Status.FINISHED
