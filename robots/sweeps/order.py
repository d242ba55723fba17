"""The order in which the runs of a sweep are computed: as they are numbered, or a map's borders first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from robots.model.robot import Array
from robots.sweeps.run_numbers import STATUS
from robots.sweeps.sweep import SweepResult

Scalar = TypeVar("Scalar", bound=np.generic)

COARSE = 400
"""About how many runs the coarse picture of a map has."""

STRONG = 0.2
"""Neighbours differ strongly if they do by this part of the range of all."""


class Upcoming(Protocol):
    """The runs that are not computed yet."""

    def __len__(self) -> int:
        """How many are left to take."""
        ...

    def take(self, count: int) -> list[int]:
        """The numbers of the next runs, at most `count`; at least one while there are any."""
        ...

    def put_back(self, numbers: Sequence[int]) -> None:
        """These runs were lost on the way."""
        ...


class InOrder:
    """Runs as they are given.

    Args:
        numbers: of the runs, (n,).
    """

    def __init__(self, numbers: NDArray[np.int_]) -> None:
        self._numbers, self._next = numbers, 0
        self._lost: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers) - self._next + len(self._lost)

    def take(self, count: int) -> list[int]:
        """See `Upcoming`."""
        found = self._numbers[self._next : self._next + count].tolist()
        self._next += len(found)
        lost, self._lost = self._lost[: count - len(found)], self._lost[count - len(found) :]
        return found + lost

    def put_back(self, numbers: Sequence[int]) -> None:
        """See `Upcoming`."""
        self._lost.extend(numbers)


class BordersFirst:
    """A coarse picture, then the cells along its borders down to single ones, then the rest from coarse to fine.

    A border is where neighbours end differently, or where the first readout differs strongly. While the neighbours of a
    border are still being computed elsewhere, the rest goes on.

    Args:
        result: takes the runs as they come.
    """

    def __init__(self, result: SweepResult) -> None:
        sweep = result.sweep
        self.result, self.shape = result, sweep.shape
        self._left = result.status < 0
        self._count = int(self._left.sum())
        self._layered = bool(sweep.methods)
        self._spacing = 1
        while math.prod(len(places) for places in self._lattice()) > COARSE:
            self._spacing *= 2
        self._asked = self._numbers(self._lattice())
        self._due = InOrder(self._asked)

    def __len__(self) -> int:
        return self._count

    def take(self, count: int) -> list[int]:
        """See `Upcoming`."""
        found = self._from(self._due, count)
        while not found and self._spacing > 1 and self._count:
            beside = self._beside_borders()
            self._asked = np.union1d(self._asked, beside)
            self._due = InOrder(beside)
            found = self._from(self._due, count)
            if not found and not self._known():
                break
            if not found:
                self._asked, self._spacing = self._asked[:0], self._spacing // 2
        found = found or self._from(self._rest, count)
        self._count -= len(found)
        return found

    def put_back(self, numbers: Sequence[int]) -> None:
        """See `Upcoming`."""
        self._left[list(numbers)] = True
        self._count += len(numbers)
        self._rest.put_back(numbers)

    @cached_property
    def _rest(self) -> InOrder:
        """All runs; the coarse picture need not wait until a million of them are in order."""
        return InOrder(coarse_first(self.shape))

    def _from(self, queue: InOrder, count: int) -> list[int]:
        """The next runs of a queue that are not taken yet."""
        found: list[int] = []
        while len(found) < count and (some := queue.take(count - len(found))):
            found += [number for number in dict.fromkeys(some) if self._left[number]]
            self._left[some] = False
        return found

    def _lattice(self, finer: int = 1) -> list[NDArray[np.int_]]:
        """The places along each side that are examined; methods have no neighbours to leave out."""
        steps = [max(self._spacing // finer, 1)] * len(self.shape)
        if self._layered:
            steps[0] = 1
        return [np.arange(0, n, step) for n, step in zip(self.shape, steps, strict=True)]

    def _numbers(self, places: list[NDArray[np.int_]]) -> NDArray[np.int_]:
        return np.ravel_multi_index(np.ix_(*places), self.shape).ravel()

    def _known(self) -> bool:
        """Whether what was asked for to look for borders is there."""
        return bool(((self.result.status >= 0) | self._left)[self._asked].all())

    def _beside_borders(self) -> NDArray[np.int_]:
        """The places of the next finer lattice beside those that differ from a neighbour, as numbers of runs."""
        place = np.ix_(*self._lattice())
        status = self.result.status.reshape(self.shape)[place]
        values, strong = self._values(status, place)
        beside = np.zeros(status.shape, bool)
        for axis in range(1 if self._layered else 0, status.ndim):
            low, high = (_cut(axis, slice(None, -1)), _cut(axis, slice(1, None)))
            both = (status[low] >= 0) & (status[high] >= 0)
            differ = (status[low] != status[high]) | (np.abs(values[low] - values[high]) > strong)
            beside[low] |= both & differ
            beside[high] |= both & differ
        finer = self._lattice(2)
        marked = np.zeros([len(one) for one in finer], bool)
        coarse = self._lattice()
        marked[np.ix_(*(np.searchsorted(one, at) for one, at in zip(finer, coarse, strict=True)))] = beside
        for axis in range(1 if self._layered else 0, marked.ndim):
            grown = marked.copy()
            grown[_cut(axis, slice(None, -1))] |= marked[_cut(axis, slice(1, None))]
            grown[_cut(axis, slice(1, None))] |= marked[_cut(axis, slice(None, -1))]
            marked = grown
        return self._numbers(finer)[marked.ravel()]

    def _values(self, status: NDArray[np.int8], place: tuple[NDArray[np.int_], ...]) -> tuple[Array, float]:
        """The first readout on the lattice, on the scale that suits it, and what a strong difference is."""
        name = self.result.sweep.show[0]
        numbers = self.result.numbers[:, 0].reshape(self.shape)[place]
        there = (status >= 0) & np.isfinite(numbers) & (name != STATUS)
        if not there.any():
            return np.zeros(status.shape), math.inf
        places = np.zeros(status.shape)
        places[there] = np.log10(numbers[there]) if log_suits(numbers[there]) else numbers[there]
        low, high = np.quantile(places[there], [0.05, 0.95])
        return places, STRONG * float(high - low) if high > low else math.inf


def _cut(axis: int, part: slice) -> tuple[slice, ...]:
    return (*(slice(None),) * axis, part)


def log_suits(values: Array) -> bool:
    """Whether numbers are positive and span more than a factor of 100: then a logarithmic scale suits them."""
    known = values[np.isfinite(values)]
    return bool(known.size and known.min() > 0.0 and np.log10(known.max() / known.min()) > 2.0)


def coarse_first(shape: Sequence[int]) -> NDArray[np.int_]:
    """The numbers of all runs of a grid so that a coarse picture is there first, then finer ones."""
    # The largest power of two that divides all of a run's places: how coarse the first grid is that has it.
    together = np.zeros(shape, np.int32)
    for places in np.ix_(*(np.arange(n, dtype=np.int32) for n in shape)):
        together |= places
    lowest = np.where(together == 0, 1 << 30, together & -together)
    return np.argsort(-lowest.ravel(), kind="stable")


def filled(values: NDArray[Scalar], known: NDArray[np.bool_]) -> NDArray[Scalar]:
    """The values, (n, m), with cells that are not computed yet like the corner of their coarse block."""
    if known.all():
        return values
    stride = 1
    while stride < max(values.shape):
        stride *= 2
    found = values[::stride, ::stride]
    while stride > 1:
        stride //= 2
        finer = values[::stride, ::stride]
        blocks = found.repeat(2, 0).repeat(2, 1)[: len(finer), : finer.shape[1]]
        found = np.where(known[::stride, ::stride], finer, blocks)
    return found
