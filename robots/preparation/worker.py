"""A process that prepares batches: `python -m robots.preparation.worker [low]`, with `low` at a low priority.

One JSON object per line: in come batches, out go the number of functions compiled and the files that were used, and
until then how much of the processor's time the batch had. It ends with its input, at once: what is compiled so far is
on the disk.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from typing import Any, TextIO

from assets.memory import collect_rarely

PAUSE = 0.5
"""Between two lines that say how much of the processor's time a batch had [s]."""


class WorkerAnswers:
    """What this process says, from two threads.

    Args:
        stream: where it says it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._turn = stream, threading.Lock()
        self._before, self._busy = 0.0, False

    def begin(self) -> None:
        """A batch is in progress; the first one has also had the time in which this process started."""
        self._busy = True

    def keep_saying(self) -> None:
        """Say now and then how much of the processor's time the batch in progress had."""
        while True:
            time.sleep(PAUSE)
            with self._turn:
                if self._busy:
                    self._say()

    def end(self, **answer: object) -> None:
        """The batch is done."""
        with self._turn:
            self._say(**answer)
            self._before, self._busy = time.process_time(), False

    def _say(self, **answer: object) -> None:
        print(json.dumps({"worked": time.process_time() - self._before, **answer}), file=self._stream, flush=True)


def work() -> None:
    """Prepare batches until the input ends."""
    if "low" in sys.argv and hasattr(os, "nice"):
        os.nice(19)
    incoming: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(incoming,), daemon=True).start()
    # What a plugin prints is no answer.
    answers, sys.stdout = WorkerAnswers(sys.stdout), sys.stderr
    threading.Thread(target=answers.keep_saying, daemon=True).start()
    collect_rarely()
    from robots.preparation.batches import Batch, prepare
    from solvers.kernels.storage.shared_cache import Count, used

    while True:
        batch = Batch(**incoming.get())
        answers.begin()
        before, trouble = Count.compiled, ""
        try:
            prepare(batch)
        except Exception as error:  # the window says what is wrong when somebody uses it
            trouble = f"{type(error).__name__}: {error}"
        answers.end(compiled=Count.compiled - before, files=sorted(used), trouble=trouble)


def _read(incoming: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin:
        incoming.put(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    work()
