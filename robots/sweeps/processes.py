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
from typing import Any, TypeVar

from assets.errors import ArmstepError

T = TypeVar("T")
POLL = 0.05
_stopped: Callable[[], bool] = bool


class Processes:
    """A pool of processes with freshly loaded code; a context manager, at whose end running work stops.

    Args:
        count: how many.
    """

    def __init__(self, count: int = 1) -> None:
        self.count = count
        context = multiprocessing.get_context("spawn")
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

    def submit(self, function: Callable[..., T], *args: Any) -> Future[T]:
        """Call a function of a module in one of the processes."""
        return self._starter.submit(self._pool.submit, function, *args).result()


def finished(future: Future[Any], timeout: float = POLL) -> bool:
    """Wait at most `timeout` [s]; returns whether the result is ready.

    Raises:
        ArmstepError: the process was killed.
    """
    try:
        future.result(timeout)
    except NotYet:
        return False
    except BrokenProcessPool:
        raise ArmstepError("A computing process was killed, perhaps for lack of memory.") from None
    return True


def stopped() -> bool:
    """In one of the processes: whether its work is no longer wanted."""
    return _stopped()


def _begin(stop: Any) -> None:
    """The process starts; `stop` is an Event."""
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
