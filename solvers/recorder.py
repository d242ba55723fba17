"""Keeping what happened in bounded memory."""

from __future__ import annotations

import numpy as np

from solvers.method import Rows
from solvers.problem import Array
from solvers.solution import StepLog

# Kept rows of one run; beyond this every second one is dropped, again and again.
MOST_ROWS = 2_000_000
MOST_BYTES = 128 * 2**20


class Thinning:
    """A growing table that keeps every `stride`-th row once it has become too long."""

    def __init__(self, width: int) -> None:
        self.most = max(1000, min(MOST_ROWS, MOST_BYTES // (8 * width)))
        self.stride, self.rows = 1, 0
        self.seen = 0
        self.chunks: list[Array] = []

    def add(self, chunk: Array) -> None:
        """Append a copy of the rows of `chunk` that are kept."""
        first = -self.seen % self.stride
        self.seen += len(chunk)
        kept = chunk[first :: self.stride].copy()
        self.chunks.append(kept)
        self.rows += len(kept)
        while self.rows > self.most:
            merged = np.concatenate(self.chunks)[::2].copy()
            self.chunks, self.rows, self.stride = [merged], len(merged), 2 * self.stride

    def table(self) -> Array:
        """All kept rows."""
        if len(self.chunks) != 1:
            self.chunks = [np.concatenate(self.chunks)]
        return self.chunks[0]


class Recorder:
    """The states and the step log of a run so far."""

    def __init__(self, t: float, y: Array) -> None:
        self.states, self.log, self.work = Thinning(len(y) + 1), Thinning(4), Thinning(3)
        self.last = np.concatenate([[t], y])
        self.states.add(self.last[np.newaxis])
        self.steps = self.rejected = 0

    def add(self, rows: Rows, accepted: int, tried: int) -> None:
        """Append the first rows of a slice."""
        if accepted:
            chunk = np.column_stack([rows.t[:accepted], rows.y[:accepted]])
            self.states.add(chunk)
            self.last = chunk[-1].copy()
        self.log.add(rows.log[:tried])
        self.work.add(rows.work[:tried])
        succeeded = int(np.count_nonzero(rows.log[:tried, 3]))
        self.steps += succeeded
        self.rejected += tried - succeeded

    def arrays(self) -> tuple[Array, Array]:
        """t (n,) and y (n, d); the last state is always there."""
        table = self.states.table()
        if table[-1, 0] != self.last[0]:
            table = np.vstack([table, self.last])
        return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1:])

    def step_log(self) -> StepLog:
        """The log so far."""
        if not self.log.chunks:
            self.log.add(np.empty((0, 4)))
            self.work.add(np.empty((0, 3)))
        log, work = self.log.table(), self.work.table()
        return StepLog(
            t=np.ascontiguousarray(log[:, 0]),
            h=np.ascontiguousarray(log[:, 1]),
            error=np.ascontiguousarray(log[:, 2]),
            accepted=log[:, 3] == 1.0,
            newton=work[:, 0].astype(np.int64),
            factorisations=work[:, 1].astype(np.int64),
            condition=np.ascontiguousarray(work[:, 2]),
        )
