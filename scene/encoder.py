"""The thread that writes an export's frames while the next ones are drawn."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scene.writer import Writer

IN_FLIGHT = 1
"""The most frames that wait, besides those being drawn and encoded: a long film needs no more memory than a short
one."""


class Encoder:
    """Writes frames on its own thread while the next one is drawn; a context manager.

    The writer is opened, used and closed on that thread. An exception in the context discards the file.
    """

    def __init__(self, open_file: Callable[[], Writer]) -> None:
        self._queue: queue.Queue[NDArray[np.uint8] | None] = queue.Queue(IN_FLIGHT)
        self._failure: BaseException | None = None
        self._wanted = True
        self._open = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(open_file,), name="encoder", daemon=True)

    def __enter__(self) -> Encoder:
        self._thread.start()
        self._open.wait()
        self._check()
        return self

    def add(self, frame: NDArray[np.uint8]) -> None:
        """Pass on a frame, waiting while too many are queued; raises what the writer raised."""
        self._check()
        self._pass_on(frame)
        self._check()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._wanted = kind is None
        self._pass_on(None)
        self._thread.join()
        if kind is None:
            self._check()

    def _pass_on(self, frame: NDArray[np.uint8] | None) -> None:
        """Put a frame, or the end, into the queue, if the thread still takes it."""
        while self._thread.is_alive():
            with suppress(queue.Full):
                self._queue.put(frame, timeout=0.2)
                return

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _work(self, open_file: Callable[[], Writer]) -> None:
        try:
            writer = open_file()
        except BaseException as failure:
            self._failure = failure
            return
        finally:
            self._open.set()
        try:
            while (frame := self._queue.get()) is not None:
                if self._wanted:
                    writer.add(frame)
                del frame
            if self._wanted:
                writer.close()
            else:
                writer.abort()
        except BaseException as failure:
            self._failure = failure
            writer.abort()
