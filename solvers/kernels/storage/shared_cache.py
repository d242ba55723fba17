"""Processes that compile at the same time share their work: each function is compiled by one of them.

The others wait for it and load it from the disk. `used` and `Count` say what this process has loaded and compiled;
`solvers.kernels` installs this before the first kernel is compiled.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from numba.core import dispatcher
from numba.core.caching import FunctionCache

used: set[str] = set()
"""The index files on disk of every function that was loaded or compiled."""

PLACES = 2**30
PAUSE, PATIENCE = 0.02, 120.0
"""How often a process checks whether another one has finished a function, and how long it waits at most [s]."""


class Count:
    """How many functions this process has compiled."""

    compiled = 0


@cache
def _locks() -> IO[bytes] | None:
    """The file whose bytes are locked, one for each function; None where there are no such locks."""
    with suppress(OSError, ImportError):
        import fcntl  # noqa: F401

        from solvers.codegen.generated import folder

        folder().mkdir(parents=True, exist_ok=True)
        return Path(folder(), "compiling.lock").open("ab")
    return None


class SharedCache(FunctionCache):
    """A function's compiled forms on disk. A missing one stays locked until this process has written it."""

    _cache_file: Any
    _locked = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function; None if this process has to compile it."""
        found = self._kept(sig, target_context)
        if found is None and self._lock(True):
            # Another process may have compiled it meanwhile.
            found = self._kept(sig, target_context)
            if found is not None:
                self._lock(False)
        used.add(self._cache_file._index_path)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled."""
        Count.compiled += 1
        try:
            super().save_overload(sig, data)
        finally:
            self._lock(False)

    def _kept(self, sig: Any, target_context: Any) -> Any:
        """The function as it is on disk; None if it is not there. What cannot be read is forgotten."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            # A file that is damaged, or names a class that is gone, can raise anything; compiling writes it again.
            self.flush()
            return None

    def _lock(self, wanted: bool) -> bool:
        """Lock this function for this process, waiting for others, or let it go; whether it is locked."""
        file = _locks()
        if file is None or self._locked == wanted:
            return self._locked
        import fcntl

        name = hashlib.sha256(self._cache_file._index_path.encode()).digest()
        place = int.from_bytes(name[:4]) % PLACES
        operation = fcntl.LOCK_EX | fcntl.LOCK_NB if wanted else fcntl.LOCK_UN
        for _ in range(int(PATIENCE / PAUSE)):
            with suppress(OSError):
                fcntl.lockf(file, operation, 1, place, os.SEEK_SET)
                self._locked = wanted
                break
            time.sleep(PAUSE)
        return self._locked


def use() -> None:
    """From now on numba keeps compiled functions in this way."""
    dispatcher.FunctionCache = SharedCache  # pyright: ignore[reportPrivateImportUsage]
