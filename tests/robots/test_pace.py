"""How long a preparation takes is learned from what it has measured."""

from __future__ import annotations

import pytest

from robots.preparation.batches import Batch
from robots.preparation.pace import ASSUMED, SECONDS_PER_EFFORT, Pace

FIRST, SECOND = Batch("rr", "bdf"), Batch("rr", "adams")


def test_what_an_effort_costs_is_assumed_and_then_learned() -> None:
    pace = Pace()
    assert pace.seconds(50.0) == pytest.approx(50.0 * SECONDS_PER_EFFORT)
    pace.begin(FIRST, 10 * ASSUMED, 0.0)
    slow = 10 * ASSUMED * 3 * SECONDS_PER_EFFORT
    pace.note(FIRST, slow, slow)
    pace.end(FIRST)
    assert 2.5 < pace.seconds(50.0) / (50.0 * SECONDS_PER_EFFORT) < 3.0


def test_a_busy_machine_is_noticed_while_the_first_batch_is_compiled() -> None:
    pace = Pace()
    pace.begin(FIRST, 100.0, 7.0)
    assert not pace.measured
    alone = pace.seconds_left(FIRST)
    assert alone == pytest.approx(100.0 * SECONDS_PER_EFFORT)
    pace.note(FIRST, 1.0, 11.0)  # a quarter of the processor
    assert pace.measured
    assert 2.9 < pace.seconds_left(FIRST) / (alone - 1.0) < 4.0
    assert 2.9 < pace.seconds(100.0) / alone < 4.0
    pace.begin(SECOND, 100.0, 11.0)
    assert pace.seconds_left(SECOND) == pytest.approx(pace.seconds(100.0)), "as the one before, until it has its own"
    pace.note(SECOND, 3.0, 14.0)  # alone again
    assert pace.seconds_left(SECOND) < 1.5 * (alone - 3.0)


def test_what_takes_longer_than_expected_is_not_nearly_done() -> None:
    pace = Pace()
    pace.begin(FIRST, 10.0, 0.0)
    left = []
    for worked in (20.0, 40.0):
        pace.note(FIRST, worked, worked)
        left.append(pace.seconds_left(FIRST))
    assert 1.0 < left[0] < left[1] < 10.0
