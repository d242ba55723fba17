"""A process that prepares batches: `python -m robots.preparation.worker [low]`, with `low` at a low priority.

One JSON object per line: in come batches, out go the number of functions compiled and the files that were used. It ends
with its input, at once: what is compiled so far is on the disk.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import sys
import threading
from typing import Any

OBJECTS = 200_000
"""Compiling makes so many that looking for garbage as often as usual would take a sixth of its time."""


def work() -> None:
    """Prepare batches until the input ends."""
    if "low" in sys.argv and hasattr(os, "nice"):
        os.nice(19)
    incoming: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(incoming,), daemon=True).start()
    gc.set_threshold(OBJECTS)
    from robots.preparation.batches import Batch, prepare
    from solvers.kernels.storage.shared_cache import Count, used

    while True:
        batch = Batch(**incoming.get())
        before, trouble = Count.compiled, ""
        try:
            prepare(batch)
        except Exception as error:  # the window says what is wrong when somebody uses it
            trouble = f"{type(error).__name__}: {error}"
        answer = {"compiled": Count.compiled - before, "files": sorted(used), "trouble": trouble}
        print(json.dumps(answer), flush=True)


def _read(incoming: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin:
        incoming.put(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    work()
