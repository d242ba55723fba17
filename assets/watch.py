"""A look at a result while it is still being computed, from another thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Generic, TypeVar

Seen = TypeVar("Seen")
Inner = TypeVar("Inner")

PATIENCE = 0.05
"""How often who waits for a look asks whether it is still wanted [s]."""


@dataclass(frozen=True, slots=True)
class Watch(Generic[Seen]):
    """What a computation knows of those who look at it.

    Attributes:
        wanted: whether somebody wants to see its result so far; asked between slices of about 12 ms.
        give: takes a function that makes it, which is called in the thread of who looks: the computation itself only
            copies what it will write to.
    """

    wanted: Callable[[], bool]
    give: Callable[[Callable[[], Seen]], None]

    def through(self, change: Callable[[Inner], Seen]) -> Watch[Inner]:
        """That of an inner computation, of whose result `change` makes this one's."""
        return Watch(self.wanted, lambda make: self.give(lambda: change(make())))


def through(watch: Watch[Seen] | None, change: Callable[[Inner], Seen]) -> Watch[Inner] | None:
    """`Watch.through`, where somebody may look."""
    return None if watch is None else watch.through(change)


class Glimpse(Generic[Seen]):
    """Who looks. The computation gets `watch`, and says `end` when it is over."""

    def __init__(self) -> None:
        self._wanted, self._given, self._ended = Event(), Event(), Event()
        self._make: Callable[[], Seen] | None = None
        self.watch: Watch[Seen] = Watch(self._wanted.is_set, self._give)

    def _give(self, make: Callable[[], Seen]) -> None:
        self._wanted.clear()
        self._make = make
        self._given.set()

    def end(self) -> None:
        """The computation is over: nobody need wait for a look at it."""
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
