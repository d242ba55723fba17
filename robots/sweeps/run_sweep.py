"""Computes a sweep: in threads where the runs are looped inside compiled code, else in processes if that is faster."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from time import perf_counter
from typing import TypeVar

from assets.errors import ArmstepError, BadInput
from robots.simulation.simulate import Cancel, Progress
from robots.sweeps.cluster import ClusterWorkers
from robots.sweeps.order import InOrder, Upcoming
from robots.sweeps.processes import POLL, JobLost, finished
from robots.sweeps.runner import ManyRuns, Runner, RunResults
from robots.sweeps.sweep import Part
from robots.sweeps.workers import ProcessWorkers, ThreadWorkers, Workers, WorkersLost

Found = TypeVar("Found", bound=RunResults)
JOB_SECONDS = 0.1
FIRST_PACE = 6e-3
"""How long a run is thought to take before the first one [s]."""
QUICK = 1.5
"""Below this many seconds new processes would take longer to start than to compute [s]."""
LAST = 1.0
"""How long jobs that have begun may take once the rest cannot be computed [s]."""
MOST_WORKERS = 256
NO_MEMORY = "The rest needs more memory than there is."


def run_sweep(
    sweep: ManyRuns[Found],
    *,
    workers: int | None = None,
    scheduler: str = "",
    known: Sequence[Part] = (),
    into: Found | None = None,
    behind: bool = False,
    upcoming: Upcoming | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    on_part: Callable[[Part], None] | None = None,
) -> Found:
    """Compute what is missing. The numbers do not depend on where or in which order runs are computed.

    Args:
        sweep: what is asked for: a `Sweep`, or the members of an ensemble.
        workers: how many threads or processes compute, with this one; None is one per core.
        scheduler: the address of a Dask cluster that computes too, instead of threads and processes here; or empty.
        known: parts that were computed before.
        into: takes the results as they come; a new result if None.
        behind: whether threads here leave the processor to others that want it: a window.
        upcoming: the runs that are missing, in the order in which they are computed; None is by their numbers.
        cancel: checked often; once it returns True, the result so far is returned.
        progress: called with the fraction done, 0 to 1.
        on_part: called with each part as soon as it is there.

    Raises:
        BadInput: the robot has no such readout.
        ArmstepError: workers or memory were lost too often; the result has what was computed.
    """
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise BadInput("--workers", workers, f"from 1 to {MOST_WORKERS}")
    result = sweep.results() if into is None else into
    for part in known:
        result.take(part)

    def take(part: Part) -> None:
        if part:
            result.take(part)
            if on_part:
                on_part(part)
        if progress:
            progress(1.0 - len(result.missing) / sweep.size)

    count = workers or os.cpu_count() or 1
    local, missing = _Local(sweep, cancel, take), InOrder(result.missing) if upcoming is None else upcoming
    threads = all(local.runner.batched)
    try:
        while missing and not local.cancelled():
            if not scheduler and (count == 1 or not (threads or local.slow(missing))):
                local.work(missing)
                continue
            here = ThreadWorkers(local.runner, count - 1, behind) if threads else ProcessWorkers(sweep, count - 1)
            with ClusterWorkers(sweep, scheduler) if scheduler else here as pool:
                _share(local, missing, pool)
    except MemoryError:
        raise ArmstepError(NO_MEMORY) from None
    return result


def as_far_as_possible(compute: Callable[[], object]) -> str:
    """Call `compute`, which keeps what it computes; returns why it ended early, empty if it did not.

    Raises:
        BadInput: nothing can be computed so.
    """
    try:
        compute()
    except BadInput:
        raise
    except ArmstepError as trouble:
        return str(trouble)
    except MemoryError:
        return NO_MEMORY
    return ""


class _Local:
    """What this process computes, and how fast it is."""

    def __init__(self, sweep: ManyRuns[object], cancel: Cancel | None, take: Callable[[Part], None]) -> None:
        self.sweep, self.cancel, self.take = sweep, cancel, take
        self.runner, self.runs, self.pace = Runner(sweep, cancel), 0, FIRST_PACE
        self.began = perf_counter()

    def cancelled(self) -> bool:
        """Whether the rest is no longer wanted."""
        return bool(self.cancel and self.cancel())

    def slow(self, missing: Upcoming) -> bool:
        """Whether new processes would gain time."""
        return self.runs > 0 and self.pace * len(missing) > QUICK

    def work(self, missing: Upcoming) -> None:
        """Compute the next job: short ones first, so that there is soon something to see."""
        started = perf_counter()
        numbers = _next(missing, self.pace, min(started - self.began, JOB_SECONDS) if self.runs else JOB_SECONDS)
        part = self.runner.rows(numbers)
        self.runs += len(numbers)
        self.pace = (perf_counter() - started) / len(numbers)
        self.take(part)


def _share(local: _Local, missing: Upcoming, pool: Workers) -> None:
    """Compute the missing runs here and in the pool. A few jobs wait there, as soon as it has loaded its code."""
    waiting: deque[tuple[list[int], Future[Part]]] = deque()
    try:
        while (missing or waiting) and not local.cancelled():
            while missing and pool.ready and len(waiting) < 2 * pool.count:
                numbers = _next(missing, local.pace, JOB_SECONDS)
                waiting.append((numbers, pool.submit(numbers)))
            for _ in range(len(waiting)):
                numbers, future = waiting.popleft()
                try:
                    if finished(future, 0.0 if missing else POLL):
                        local.take(future.result())
                    else:
                        waiting.append((numbers, future))
                except JobLost:
                    missing.put_back(numbers)
            if missing:
                local.work(missing)
    except (MemoryError, WorkersLost):
        for future in wait([future for _, future in waiting], LAST).done:
            if not future.cancelled() and future.exception() is None:
                local.take(future.result())
        raise


def _next(missing: Upcoming, pace: float, seconds: float) -> list[int]:
    """The numbers of the next job, which takes about `seconds` when one run takes `pace` of them."""
    return missing.take(max(1, round(seconds / max(pace, 1e-6))))
