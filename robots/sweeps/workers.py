"""Where runs of a sweep are computed besides this thread: threads, or processes of this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Protocol

from assets.errors import ArmstepError
from assets.priority import step_back
from robots.sweeps.processes import Processes, stopped
from robots.sweeps.runner import ManyRuns, Reader, Runner
from robots.sweeps.sweep import Part

MOST_LOSSES = 5
"""How often processes may be lost before the sweep gives up."""


class WorkersLost(ArmstepError):
    """Nothing can be computed there any more."""


class Workers(Protocol):
    """Where jobs are computed; a context manager, at whose end they stop.

    Attributes:
        count: how many jobs run at once.
    """

    count: int

    def __enter__(self) -> Workers:
        """Start."""
        ...

    def __exit__(self, *_: object) -> None:
        """Stop."""
        ...

    @property
    def ready(self) -> bool:
        """Whether jobs begin at once. Before, nothing should wait here that could be computed elsewhere.

        Raises:
            WorkersLost: too many jobs were lost.
        """
        ...

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        """Compute these runs there. The result may raise `JobLost`."""
        ...


class ThreadWorkers:
    """Threads of this process, for runs in compiled code that lets other threads work.

    Args:
        runner: computes the runs.
        count: how many threads.
        behind: whether they leave the processor to others that want it.
    """

    ready = True

    def __init__(self, runner: Runner, count: int, behind: bool = False) -> None:
        self.runner, self.count = runner, count
        self._pool = ThreadPoolExecutor(count, initializer=step_back if behind else None)

    def __enter__(self) -> ThreadWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        """See `Workers`."""
        return self._pool.submit(self.runner.rows, numbers)


class ProcessWorkers:
    """Processes of this machine. If one is killed, new ones are started.

    Args:
        sweep: whose runs they compute.
        count: how many processes.
    """

    def __init__(self, sweep: ManyRuns[object], count: int) -> None:
        self.reader, self.text, self.count = type(sweep).from_data, json.dumps(sweep.to_data()), count
        self._losses: list[str] = []

    def __enter__(self) -> ProcessWorkers:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.__exit__()

    @property
    def ready(self) -> bool:
        """See `Workers`: a first run is computed to load the code."""
        if (count := len(self._losses)) > MOST_LOSSES:
            raise WorkersLost(f"Computing processes were lost {count} times; the last one {self._losses[-1]}.")
        if self._processes.broken:
            self._processes.__exit__()
            self._start()
        return self._first.done() and not self._processes.broken

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        """See `Workers`."""
        return self._processes.submit(compute, self.reader, self.text, numbers)

    def _start(self) -> None:
        self._processes = Processes(self.count, self._losses)
        self._first = self.submit([0])


def compute(reader: Reader, text: str, numbers: Sequence[int]) -> Part:
    """In another process: the rows of these runs that `reader` finds in `text`."""
    return _runner(reader, text).rows(numbers)


@lru_cache(1)
def _runner(reader: Reader, text: str) -> Runner:
    return Runner(reader(json.loads(text)), stopped)
