"""Times are the processor's, measured warm; what is short is computed again, and the least time counts."""

from __future__ import annotations

import itertools
import sys
import threading
from dataclasses import replace
from time import perf_counter, sleep

import pytest

from assets import clock
from robots.scenario.presets import find_preset
from robots.simulation import simulate as module
from robots.simulation import timing
from robots.simulation.simulate import simulate
from robots.simulation.timing import DOUBTFUL, LEAST, MOST, PATIENCE, PAUSE, SHORT, measured
from solvers.status import Status


@pytest.fixture
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread waits for another one."""
    monkeypatch.setattr(timing, "waits", lambda: 0)


@pytest.mark.usefixtures("nobody_else")
@pytest.mark.parametrize(
    ("first", "others", "seconds", "repeats"),
    [
        (0.0025, [0.004, 0.003, 0.002, 0.005], 0.002, LEAST),
        (0.009, [0.001, 0.002, 0.1, 0.009], 0.001, LEAST),
        (0.0001, [0.0003] * (MOST - 1), 0.0001, MOST),
        (2 * SHORT, [2.5 * SHORT], 2 * SHORT, 2),
        (0.04, [0.0003, 0.0004, 0.0002, 0.0003], 0.0002, LEAST),
        (1.01 * DOUBTFUL, [], 1.01 * DOUBTFUL, 1),
    ],
)
def test_what_is_short_is_measured_again(first: float, others: list[float], seconds: float, repeats: int) -> None:
    left = iter(others)
    timing = measured(first, lambda: next(left))
    assert (timing.seconds, timing.repeats) == (seconds, repeats)
    assert list(left) == []


@pytest.mark.usefixtures("nobody_else")
def test_more_measurements_while_the_budget_lasts() -> None:
    assert measured(0.1, lambda: 0.1, budget=0.55, most=25).repeats == 6
    assert measured(0.001, lambda: 0.001, budget=1.0, most=25).repeats == 25
    assert measured(0.5, lambda: 0.5, budget=0.55, most=25).repeats == LEAST


@pytest.mark.usefixtures("nobody_else")
@pytest.mark.parametrize("first", [1e-4, 0.5 * DOUBTFUL, 2.0 * DOUBTFUL])
def test_without_a_budget_nothing_is_measured_again(first: float) -> None:
    """A run that a person drags along its curve is integrated once."""
    assert measured(first, lambda: pytest.fail("once more"), budget=0.0).repeats == 1


@pytest.mark.usefixtures("nobody_else")
def test_a_budget_above_what_is_doubtful_asks_for_no_second_measurement_beyond_it() -> None:
    assert measured(0.4, lambda: pytest.fail("once more"), budget=0.3).repeats == 1
    assert measured(0.29, lambda: 0.29, budget=0.3).repeats == LEAST


def test_whoever_stops_keeps_what_was_measured() -> None:
    assert measured(0.001, lambda: 0.001, stop=lambda: True).repeats == 1


def test_what_had_to_wait_for_another_thread_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, left = iter([0, 3, 3, 3, 3, 8, 8, 8, 8, 8, 8, 8]), iter([0.0015, 0.004, 0.0001, 0.005, 0.006, 0.007])
    monkeypatch.setattr(timing, "waits", lambda: next(waited))
    monkeypatch.setattr(timing, "sleep", lambda seconds: None)
    found = measured(0.009, lambda: next(left))
    assert (found.seconds, found.repeats) == (0.004, LEAST)
    assert list(left) == []


def test_where_others_never_rest_the_least_counts_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, now = itertools.count(), [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(timing, "waits", lambda: next(waited))
    monkeypatch.setattr(timing, "sleep", sleep)
    monkeypatch.setattr(timing, "monotonic", lambda: now[0])
    found = measured(0.009, lambda: 0.008)
    assert (found.seconds, found.repeats) == (0.008, LEAST)
    assert now[0] == pytest.approx(PATIENCE, abs=2 * PAUSE)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts how often a thread waits")
def test_a_thread_counts_how_often_it_waits() -> None:
    before = clock.waits()
    sum(range(1000))
    assert clock.waits() == before
    sleep(0.001)
    assert clock.waits() > before


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
    """Some measurements were disturbed: the least is not."""
    monkeypatch.setattr(module, "computing_time", Clock(0.008, 0.0003, 0.0004, 0.0009, 0.0005))
    run = simulate(replace(find_preset("rr-swing"), duration=0.1))
    assert run.compute_seconds == pytest.approx(0.0003)
    assert run.counts.steps == 10


def test_a_first_run_that_was_disturbed_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Euler's 300 µs were 40 ms once, on a busy machine."""
    monkeypatch.setattr(module, "computing_time", Clock(0.04, 0.0003, 0.0004, 0.0009, 0.0005))
    assert simulate(replace(find_preset("rr-swing"), duration=0.1)).compute_seconds == pytest.approx(0.0003)


def test_repeats_are_not_counted_and_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = replace(find_preset("rr-swing"), duration=0.1)
    monkeypatch.setattr(module, "computing_time", Clock(0.002))
    run = simulate(scenario, repeat=False)
    assert run.compute_seconds == pytest.approx(0.002)
    assert run.status is Status.FINISHED


@pytest.mark.skipif(sys.platform == "win32", reason="its clock of threads has ticks of 16 ms")
def test_waiting_for_other_threads_is_no_computing_time() -> None:
    scenario, done = replace(find_preset("rr-swing"), duration=0.1), threading.Event()

    def hold_the_interpreter() -> None:
        while not done.is_set():
            sum(range(1000))

    alone = simulate(scenario).compute_seconds
    others = [threading.Thread(target=hold_the_interpreter) for _ in range(3)]
    for thread in others:
        thread.start()
    began = perf_counter()
    beside = simulate(scenario).compute_seconds
    waited = perf_counter() - began
    done.set()
    assert beside < 3.0 * alone
    assert waited > 5.0 * beside, "the interpreter was busy with others"
