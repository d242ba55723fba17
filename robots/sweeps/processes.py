"""Processes that compute runs for this one, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assets.errors import ArmstepError

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

T = TypeVar("T")
POLL = 0.05
REAPED = 1.0
"""How long a process that ended may take until its exit code is known [s]."""

FROM_OUTSIDE = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT")
EVENTS = Path("/proc/vmstat")
_stopped: Callable[[], bool] = bool


class JobLost(ArmstepError):
    """The worker of a job is gone; nothing else is wrong."""


class Processes:
    """A pool of processes with freshly loaded code; a context manager, at whose end running work stops.

    Args:
        count: how many.
        losses: takes how jobs were lost, as what follows "a process .."; those of one that ended are one loss.

    Attributes:
        broken: whether a process has ended that should not have: nothing more can be computed here.
    """

    def __init__(self, count: int = 1, losses: list[str] | None = None) -> None:
        self.count, self.broken = count, False
        self._losses, self._killed = [] if losses is None else losses, killed_for_memory()
        self._context = context = _Remembering()
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(count, context, _begin, (self._stop,))
        # A thread starts the processes. An interrupt comes to the main thread, and so leaves nothing half-started.
        self._starter = ThreadPoolExecutor(1, initializer=_shield)

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()  # cancelled or interrupted: do not wait for the current run
        self._starter.shutdown()
        self._pool.shutdown(cancel_futures=True)

    def submit(self, function: Callable[..., T], *args: object) -> Future[T]:
        """Call a function of a module in one of the processes. The result may raise `JobLost`."""
        found = Future[T]()

        def arrived(done: Future[T]) -> None:
            if done.cancelled():
                found.cancel()
            elif isinstance(problem := done.exception(), BrokenProcessPool):
                found.set_exception(self._lost(self._ended(), ends=True))
            elif isinstance(problem, MemoryError):
                found.set_exception(self._lost("needed more memory than there is", ends=False))
            elif problem is not None:
                found.set_exception(problem)
            else:
                found.set_result(done.result())

        try:
            there = self._starter.submit(self._pool.submit, function, *args).result()
        except BrokenProcessPool:
            found.set_exception(self._lost(self._ended(), ends=True))
        else:
            there.add_done_callback(arrived)
        return found

    def _lost(self, how: str, *, ends: bool) -> JobLost:
        if not self.broken:
            self._losses.append(how)
            self.broken = ends
        return JobLost(f"A computing process {self._losses[-1]}.")

    def _ended(self) -> str:
        """How the first process ended; the pool asks the others to end."""
        begun = [one for one in self._context.made if one.pid is not None]
        gone = wait([one.sentinel for one in begun], 0.0)
        for one in begun:
            if one.sentinel in gone:
                one.join(REAPED)
        codes = sorted((code for one in begun if (code := one.exitcode)), key=lambda code: code == -signal.SIGTERM)
        starved = None if self._killed is None else killed_for_memory() != self._killed
        return how_it_ended(codes[0] if codes else None, starved)


def finished(future: Future[Any], timeout: float = POLL) -> bool:
    """Wait at most `timeout` [s]; returns whether the result is ready."""
    try:
        future.result(timeout)
    except NotYet:
        return False
    return True


def how_it_ended(code: int | None, starved: bool | None) -> str:
    """How a process ended that should not have, as what follows "a process ..".

    Args:
        code: its exit code, below 0 the signal that ended it; None if it is not known.
        starved: whether the system has ended processes for lack of memory meanwhile; None if it does not say.
    """
    if code is None:
        return "was lost"
    if code > 0:
        return f"ended by itself with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if name not in FROM_OUTSIDE:
        return f"crashed ({name})"
    if name == "SIGKILL" and starved:
        return "was ended by the system for lack of memory"
    perhaps = ", perhaps by the system for lack of memory" if name == "SIGKILL" and starved is None else ""
    return f"was ended from outside ({name}){perhaps}"


def killed_for_memory() -> int | None:
    """How many processes the system has ended for lack of memory since it started; None where it does not say."""
    with suppress(OSError, ValueError):
        for line in EVENTS.read_text("ascii").splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return None


def stopped() -> bool:
    """In one of the processes: whether its work is no longer wanted."""
    return _stopped()


class _Remembering(SpawnContext):
    """Starts processes with freshly loaded code, and keeps them: how one ended is known of it alone."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[SpawnProcess] = []

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]
        """A process that has not started."""
        self.made.append(SpawnProcess(*args, **options))
        return self.made[-1]


def _begin(stop: Event) -> None:
    """The process starts."""
    global _stopped
    _stopped = stop.is_set
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the program that started it is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _shield() -> None:
    """Ignore Ctrl+C in processes that this thread starts; this process stops them."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
