"""Work that must not block the window: one thread per lane, the newest job of a key wins.

Everything here except the work itself happens in the thread that calls `submit`: results, errors and progress come
back through `dispatch`, which the window implements with Qt's event loop and the tests by a queue.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from typing import Any

from assets.errors import ArmstepError, BadInput
from assets.plugins import failure_of
from assets.priority import give_way, step_back

log = logging.getLogger(__name__)

Cancel = Callable[[], bool]
Progress = Callable[[float], None]
Work = Callable[[Cancel, Progress], Any]
Dispatch = Callable[[Callable[[], None]], None]

YIELDING, WRITING = "study", "disk"
LANES = ("front", "background", "forecast", YIELDING, WRITING)
"""The last one ends after the others: what they leave to be written is written."""

PROGRESS_INTERVAL = 0.05
"""The shortest time between two progress reports of one job [s]; a long one reports its end at once."""


class Abandoned(Exception):
    """Nobody waits for the work that asked whether to go on."""


def ignore(_: object) -> None:
    """Nobody waits for the result."""


class Job:
    """One piece of work. Made by `Jobs.submit`.

    A job that was *superseded* by a newer one of its key may still finish within the grace period: a slider that moves
    faster than runs are computed then still shows a stream of results. A job that was *discarded* delivers nothing.
    """

    def __init__(
        self,
        work: Work,
        key: Hashable,
        on_done: Callable[[Any], None],
        on_error: Callable[[BaseException], None],
        on_progress: Progress | None,
        grace: float,
        not_before: float,
        leaves_nothing: bool = False,
    ) -> None:
        self.key = key
        self.leaves_nothing = leaves_nothing
        self.not_before = not_before
        self.superseded = False
        self.discarded = False
        self.stopped = False
        self.behind = False
        self._work, self._on_done, self._on_error, self._on_progress = work, on_done, on_error, on_progress
        self._grace = grace
        self._started = 0.0
        self._cut_short = False
        self._reported = 0.0

    def cancelled(self) -> bool:
        """Whether the work should end now; the work itself asks, and leaves the interpreter to the window meanwhile.

        Raises:
            Abandoned: the work leaves nothing but its result, for which nobody waits.
        """
        if self.behind and not (self.stopped or self.discarded):
            give_way()
        late = self.superseded and time.monotonic() - self._started > self._grace
        self._cut_short = self._cut_short or late or self.discarded
        if self._cut_short and self.leaves_nothing:
            raise Abandoned
        return self.stopped or self._cut_short

    def execute(self, dispatch: Dispatch) -> None:
        """Do the work in the calling thread and pass its outcome to `dispatch`."""
        self._started = self._reported = time.monotonic()

        def progress(fraction: float) -> None:
            now = time.monotonic()
            late = fraction >= 1.0 and self._reported > self._started
            due = late or now - self._reported >= PROGRESS_INTERVAL
            if self._on_progress is not None and due:
                self._reported = now
                dispatch(lambda: self._deliver(self._on_progress, fraction))

        try:
            result = self._work(self.cancelled, progress)
        except Exception as error:
            if not (self._cut_short or self.discarded):
                log.exception("job %r failed", self.key)
            failure = error
            dispatch(lambda: self._deliver(self._on_error, failure))
        else:
            if not self.discarded:
                dispatch(lambda: self._deliver(self._on_done, result))

    def _deliver(self, receiver: Callable[[Any], None] | None, value: object) -> None:
        if receiver is not None and not self.discarded and not self._cut_short:
            receiver(value)


class Jobs:
    """Runs jobs on daemon threads: `front` for what a person waits for, and `background` for what may follow.

    The thread of `study`, whose jobs may take minutes on all cores, leaves the processor to the window; `disk` writes.

    Args:
        dispatch: takes a function of no arguments and calls it soon in the thread that owns the application's state.
        grace: how long a superseded job may go on [s].
    """

    def __init__(self, dispatch: Dispatch, grace: float = 0.06) -> None:
        self._closed = False
        # After the end, results of jobs in progress have no receiver.
        self.dispatch: Dispatch = lambda call: dispatch(lambda: None if self._closed else call())
        self._grace = grace
        self._latest: dict[Hashable, Job] = {}
        self._lanes: dict[str, _Lane] = {}
        self._access = threading.Lock()

    def submit(
        self,
        work: Work,
        *,
        key: Hashable,
        on_done: Callable[[Any], None] = ignore,
        on_error: Callable[[BaseException], None] = ignore,
        on_progress: Progress | None = None,
        lane: str = "front",
        delay: float = 0.0,
        leaves_nothing: bool = False,
    ) -> Job:
        """Queue `work(cancel, progress)`; an older job of the same `key` gives way.

        It begins after `delay` [s] at the earliest, so that a job that is soon replaced costs nothing.

        Exactly one of `on_done(result)` and `on_error(exception)` is called later through `dispatch`, unless the job
        gave way. An exception is logged, whoever hears of it. Where the work `leaves_nothing` but its result, `cancel`
        raises `Abandoned` once nobody waits for that: it does not make a result of what it has.
        """

        def last(receiver: Callable[[Any], None]) -> Callable[[Any], None]:
            def receive(value: object) -> None:
                if self._latest.get(key) is job:
                    del self._latest[key]
                receiver(value)

            return receive

        begins = time.monotonic() + delay
        job = Job(work, key, last(on_done), last(on_error), on_progress, self._grace, begins, leaves_nothing)
        older = self._latest.get(key)
        if older is not None:
            older.superseded = True
        self._latest[key] = job
        self.start(job, lane)
        return job

    def write(self, work: Callable[[], object]) -> None:
        """Queue work in the lane that writes, from any thread. No other job replaces it; it is done even at the end."""
        self.start(Job(lambda *_: work(), object(), ignore, ignore, None, self._grace, time.monotonic()), WRITING)

    def stop(self, key: Hashable) -> None:
        """Ask the job of `key` to end early; its result so far is delivered."""
        if job := self._latest.get(key):
            job.stopped = True

    def discard(self, key: Hashable) -> None:
        """Ask the job of `key` to end early; nothing is delivered."""
        if job := self._latest.pop(key, None):
            job.discarded = True

    def close(self, timeout: float = 2.0) -> None:
        """Discard everything and end the threads; nothing is delivered then.

        Args:
            timeout: how long to wait for all that compute, and then for what writes what they left [s].
        """
        self._closed = True
        for key in list(self._latest):
            self.discard(key)
        for together in (LANES[:-1], LANES[-1:]):
            lanes = [self._lanes[name] for name in together if name in self._lanes]
            for lane in lanes:
                lane.end()
            until = time.monotonic() + timeout
            for lane in lanes:
                lane.wait(max(until - time.monotonic(), 0.0))
        self._lanes.clear()

    def start(self, job: Job, lane: str) -> None:
        """Queue a job in its lane."""
        if lane not in LANES:
            raise BadInput("lane", lane, choices=LANES)
        job.behind = lane == YIELDING
        with self._access:
            if lane not in self._lanes:
                self._lanes[lane] = _Lane(lane, self.dispatch)
            self._lanes[lane].add(job)


def explain(error: BaseException) -> str:
    """Why a job failed, as a sentence for a person."""
    if isinstance(error, ArmstepError):
        return str(error)
    return f"{failure_of(error)} The earlier result stays on the screen."


def trouble_of(work: Callable[[], object]) -> str:
    """Do the work; returns why a person cannot have it, empty if they can."""
    try:
        work()
    except (ArmstepError, OSError) as error:
        return str(error)
    return ""


class _Lane:
    """A thread and its queue; of the waiting jobs of one key only the newest stays."""

    def __init__(self, name: str, dispatch: Dispatch) -> None:
        self._dispatch, self._yields = dispatch, name == YIELDING
        self._waiting: list[Job] = []
        self._running: Job | None = None
        self._closing = False
        self._condition = threading.Condition()
        self._thread = threading.Thread(target=self._loop, name=f"armstep-{name}", daemon=True)
        self._thread.start()

    def add(self, job: Job) -> None:
        with self._condition:
            self._waiting = [other for other in self._waiting if other.key != job.key and not other.discarded]
            self._waiting.append(job)
            self._condition.notify()

    def end(self) -> None:
        """Discard what is being done and go no further than what waits for no one."""
        with self._condition:
            self._closing = True
            self._waiting = [job for job in self._waiting if not job.discarded]
            if self._running is not None:
                self._running.discarded = True
            self._condition.notify()

    def wait(self, timeout: float) -> None:
        """Wait for the thread's end, at most `timeout` [s]."""
        self._thread.join(timeout)

    def _loop(self) -> None:
        if self._yields:
            step_back()
        while (job := self._next()) is not None:
            if not job.discarded:
                job.execute(self._dispatch)
            # While the lane waits for the next job, nothing holds what this one has made.
            del job

    def _next(self) -> Job | None:
        """Wait for a job that may begin; None when the lane is closing."""
        with self._condition:
            self._running = None
            while self._waiting or not self._closing:
                now = time.monotonic()
                for job in self._waiting:
                    if job.not_before <= now:
                        self._waiting.remove(job)
                        self._running = job
                        return job
                self._condition.wait(min((job.not_before - now for job in self._waiting), default=None))
            return None
