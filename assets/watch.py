"""A look at a result while it is still being computed, from another thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Generic, TypeVar

Seen = TypeVar("Seen")
Inner = TypeVar("Inner")

PATIENCE = 0.05
"""How often a waiting `Glimpse` asks whether its look is still wanted [s]."""


@dataclass(frozen=True, slots=True)
class Watch(Generic[Seen]):
    """The computation's end of a look at its result so far.

    Attributes:
        wanted: whether somebody wants to look; asked between slices of about 12 ms.
        give: takes a function that makes the result. The looking thread calls it: the computation itself only copies
            what it will write to.
    """

    wanted: Callable[[], bool]
    give: Callable[[Callable[[], Seen]], None]


def through(watch: Watch[Seen] | None, change: Callable[[Inner], Seen]) -> Watch[Inner] | None:
    """The watch for an inner computation, whose result `change` turns into the outer one's; None if nobody looks."""
    if watch is None:
        return None
    wanted, give = watch.wanted, watch.give
    return Watch(wanted, lambda make: give(lambda: change(make())))


class Glimpse(Generic[Seen]):
    """The looking end: the computation gets `watch`, and calls `end` when it is over."""

    def __init__(self) -> None:
        self._wanted, self._given, self._ended = Event(), Event(), Event()
        self._make: Callable[[], Seen] | None = None
        self.watch: Watch[Seen] = Watch(self._wanted.is_set, self._give)

    def _give(self, make: Callable[[], Seen]) -> None:
        self._wanted.clear()
        self._make = make
        self._given.set()

    def end(self) -> None:
        """The computation is over: stop waiting for it."""
        self._ended.set()

    def take(self, cancelled: Callable[[], bool]) -> Seen | None:
        """The result so far; None if the computation is over, or nobody wants to see it any more."""
        self._wanted.set()
        while not self._given.wait(PATIENCE):
            if self._ended.is_set() or cancelled():
                return None
        self._given.clear()
        make, self._make = self._make, None
        return make() if make is not None else None
