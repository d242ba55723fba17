"""How long batches will take, from what this preparation has measured."""

from __future__ import annotations

from dataclasses import dataclass

from robots.preparation.batches import Batch

SECONDS_PER_EFFORT = 0.04
"""Of the processor's time; assumed at first [s]."""

ASSUMED = 100.0
"""The assumption counts as much as batches of this effort that are done."""

SETTLED = 0.5
"""After this much of the processor's time a batch's own delay counts as much as that of the batches before [s]."""

LEAST_LEFT = 0.15
"""Of the time that has passed: what takes longer than expected, or waits for another batch, is not nearly done."""


@dataclass(slots=True)
class _Going:
    """A batch in progress: when it began, and how much of the processor's and of the clock's time it had [s]."""

    effort: float
    begun: float
    worked: float = 0.0
    passed: float = 0.0


class Pace:
    """Learns what an effort costs, and how long a busy machine takes to give it.

    Batches cost the processor's time in proportion to their efforts, whatever else the machine does; how much longer it
    takes by the clock is measured while they are in progress. Instants are the caller's [s].
    """

    def __init__(self) -> None:
        self._effort, self._cost = ASSUMED, ASSUMED * SECONDS_PER_EFFORT
        self._worked = self._passed = 0.0
        self._going: dict[Batch, _Going] = {}

    def begin(self, batch: Batch, effort: float, now: float) -> None:
        """The batch is in progress."""
        self._going[batch] = _Going(effort, now)

    def note(self, batch: Batch, worked: float, now: float) -> None:
        """The batch has had that much of the processor's time [s]."""
        going = self._going[batch]
        going.worked, going.passed = worked, now - going.begun

    def end(self, batch: Batch) -> None:
        """The batch is done."""
        going = self._going.pop(batch)
        self._effort, self._cost = self._effort + going.effort, self._cost + going.worked
        self._worked, self._passed = self._worked + going.worked, self._passed + going.passed

    @property
    def measured(self) -> bool:
        """Whether there is more than an assumption to go by."""
        return self._worked + sum(going.worked for going in self._going.values()) >= SETTLED

    def seconds(self, effort: float) -> float:
        """How long a batch of this effort will take by the clock [s]."""
        return self._expected(effort) * self._delay()

    def seconds_left(self, batch: Batch) -> float:
        """How long the batch in progress will still take by the clock [s]."""
        going = self._going[batch]
        left = max(self._expected(going.effort) - going.worked, 0.0)
        delay = (SETTLED * self._delay() + going.passed) / (SETTLED + going.worked)
        return max(left * delay, LEAST_LEFT * going.passed)

    def _expected(self, effort: float) -> float:
        return effort * self._cost / self._effort

    def _delay(self) -> float:
        """Of the clock's time for each second of the processor's."""
        others = self._going.values()
        worked = self._worked + sum(going.worked for going in others)
        passed = self._passed + sum(going.passed for going in others)
        return (SETTLED + passed) / (SETTLED + worked)
