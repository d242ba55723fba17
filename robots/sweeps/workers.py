"""Where runs of a sweep are computed besides this thread: threads, or processes of this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Protocol

from assets.priority import step_back
from robots.sweeps.processes import Processes, finished, stopped
from robots.sweeps.runner import ManyRuns, Reader, Runner
from robots.sweeps.sweep import Part


class JobLost(Exception):
    """The worker of a job is gone; nothing else is wrong."""


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
            ArmstepError: nothing can be computed there any more.
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
    """

    ready = True

    def __init__(self, runner: Runner, count: int) -> None:
        self.runner, self.count = runner, count
        self._pool = ThreadPoolExecutor(count, initializer=step_back)

    def __enter__(self) -> ThreadWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        """See `Workers`."""
        return self._pool.submit(self.runner.rows, numbers)


class ProcessWorkers:
    """Processes of this machine.

    Args:
        sweep: whose runs they compute.
        count: how many processes.
    """

    def __init__(self, sweep: ManyRuns[object], count: int) -> None:
        self.reader, self.text, self.count = type(sweep).from_data, json.dumps(sweep.to_data()), count

    def __enter__(self) -> ProcessWorkers:
        self._processes = Processes(self.count)
        self._first = self.submit([0])
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.__exit__()

    @property
    def ready(self) -> bool:
        """See `Workers`: a first run is computed to load the code."""
        return finished(self._first, 0.0)

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        """See `Workers`."""
        return self._processes.submit(compute, self.reader, self.text, numbers)


def compute(reader: Reader, text: str, numbers: Sequence[int]) -> Part:
    """In another process: the rows of these runs that `reader` finds in `text`."""
    return _runner(reader, text).rows(numbers)


@lru_cache(1)
def _runner(reader: Reader, text: str) -> Runner:
    return Runner(reader(json.loads(text)), stopped)
