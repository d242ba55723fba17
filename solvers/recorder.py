"""Recording a run in bounded memory: the kernels write straight into the arrays that the Solution will have."""

from __future__ import annotations

from copy import copy

import numpy as np

from solvers.problem import Array
from solvers.solution import StepLog
from solvers.stepper import Rows

# Kept rows of one run; beyond this every second one is dropped, repeatedly.
MOST_ROWS = 2_000_000
MOST_BYTES = 128 * 2**20
SPARE_BYTES = 2**20
"""A run that has ended keeps at most this much room for rows that never came."""

MOST_SEEN = 100_000
SEEN_BYTES = 16 * 2**20
"""A look at a run that goes on shows at most so many of its rows, more than a plot has pixels, in no more room."""


class GrowingTables:
    """Tables that grow together and keep every `stride`-th row once they have become too long.

    Args:
        widths: of each table; 0 for a vector.
        expected: the expected number of rows.
    """

    def __init__(self, widths: tuple[int, ...], expected: int) -> None:
        self.widths = widths
        self.row_bytes = 8 * (sum(widths) + widths.count(0))
        self.most = max(1000, min(MOST_ROWS, MOST_BYTES // self.row_bytes))
        self.rows, self.seen, self.stride = 0, 0, 1
        self.tables = self._empty(max(64, min(expected, self.most)))
        self.spare: list[Array] = []

    def _empty(self, rows: int) -> list[Array]:
        return [np.empty((rows, width) if width else rows) for width in self.widths]

    def room(self, rows: int) -> list[Array]:
        """Room for the next rows."""
        if self.stride > 1:
            if not self.spare or len(self.spare[0]) < rows:
                self.spare = self._empty(rows)
            return [table[:rows] for table in self.spare]
        end = self.rows + rows
        self._grow(end)
        return [table[self.rows : end] for table in self.tables]

    def keep(self, rows: int) -> None:
        """Keep the first rows of that room."""
        self.seen += rows
        if self.stride > 1:
            first = (rows - self.seen) % self.stride
            kept = len(range(first, rows, self.stride))
            self._grow(self.rows + kept)
            for table, spare in zip(self.tables, self.spare, strict=True):
                table[self.rows : self.rows + kept] = spare[first : rows : self.stride]
            rows = kept
        self.rows += rows
        while self.rows > self.most:
            for table in self.tables:
                table[: (self.rows + 1) // 2] = table[: self.rows : 2].copy()
            self.rows, self.stride = (self.rows + 1) // 2, 2 * self.stride

    def append(self, *values: float | Array) -> None:
        """One row more at the end, whatever the stride."""
        self._grow(self.rows + 1)
        for table, value in zip(self.tables, values, strict=True):
            table[self.rows] = value
        self.rows += 1

    def _grow(self, rows: int) -> None:
        if rows > len(self.tables[0]):
            larger = self._empty(max(rows, min(2 * len(self.tables[0]), self.most)))
            for table, old in zip(larger, self.tables, strict=True):
                table[: self.rows] = old[: self.rows]
            self.tables = larger

    def kept(self) -> list[Array]:
        """The rows so far."""
        return [table[: self.rows] for table in self.tables]

    def seen_by_a_look(self) -> GrowingTables:
        """The rows so far in tables of their own; of too many, as often as needed only every second one."""
        other, apart = copy(self), 1
        most = min(MOST_SEEN, SEEN_BYTES // self.row_bytes)
        while -(-self.rows // apart) > most:
            apart *= 2
        other.tables, other.spare = [rows[::apart].copy() for rows in self.kept()], []
        other.rows, other.stride = len(other.tables[0]), apart * self.stride
        return other

    def final(self) -> list[Array]:
        """The rows at the end of the run: room that they do not need is given up."""
        self.spare = []
        kept = self.kept()
        if sum(table.nbytes for table in self.tables) - sum(rows.nbytes for rows in kept) > SPARE_BYTES:
            del kept
            for index in range(len(self.tables)):  # one after the other: there are never two of all
                self.tables[index] = self.tables[index][: self.rows].copy()
        return self.kept()


class Recorder:
    """The states and the step log of a run so far.

    Args:
        t, y: where it begins.
        expected: the expected number of steps.
        works: whether the method counts work (iterations, factorisations) per step.
    """

    def __init__(self, t: float, y: Array, expected: int = 0, works: bool = False) -> None:
        self.states = GrowingTables((0, len(y)), expected + 1)
        self.log = GrowingTables((4, 3) if works else (4,), expected)
        times, states = self.states.tables
        times[0], states[0] = t, y
        self.states.keep(1)
        self.t, self.y = t, y
        self.steps = 0

    def rows(self, attempts: int) -> Rows:
        """Room for a slice of this many attempts."""
        t, y = self.states.room(attempts)
        log, *work = self.log.room(attempts)
        return Rows(t, y, log, work[0] if work else np.empty((0, 3)))

    def add(self, rows: Rows, accepted: int, tried: int) -> None:
        """Keep the first rows of the slice."""
        if accepted:
            self.t, self.y = float(rows.t[accepted - 1]), rows.y[accepted - 1].copy()
        self.states.keep(accepted)
        self.log.keep(tried)
        self.steps += accepted

    def copied(self) -> Recorder:
        """What is recorded so far, as much as a look shows, apart from what comes later."""
        other = copy(self)
        other.states, other.log = self.states.seen_by_a_look(), self.log.seen_by_a_look()
        return other

    def arrays(self) -> tuple[Array, Array]:
        """t (n,) and y (n, d) at the end of the run; the last state is always there."""
        if self.states.kept()[0][-1] != self.t:
            self.states.append(self.t, self.y)
        t, y = self.states.final()
        return t, y

    def latest(self, rows: int) -> tuple[Array, Array]:
        """The last states, up to this many, or only one if not all are kept: t (n,) and y (n, d)."""
        if self.states.stride > 1:
            return np.array([self.t]), self.y[np.newaxis]
        t, y = self.states.kept()
        return t[-rows:], y[-rows:]

    def step_log(self) -> StepLog:
        """The log at the end of the run."""
        return StepLog(*self.log.final())
