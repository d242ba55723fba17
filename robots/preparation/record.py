"""Which batches are ready: each as long as neither its own sources nor what was compiled of them has changed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from assets.errors import ArmstepError
from assets.imports import ROOT, stamp
from assets.writing import write_atomically
from robots.preparation.batches import Batch, sources


@cache
def _machine() -> bytes:
    from llvmlite.binding import get_host_cpu_name

    return f"{sys.version} {version('numba')} {get_host_cpu_name()}".encode()


@cache
def fingerprint(batch: Batch) -> str:
    """A hash of everything that decides what a batch compiles: its sources and runs, Python, numba, the processor."""
    runs = Path(__file__).with_name("batches.py")
    return hashlib.sha256(_machine() + stamp({*sources(batch), runs})).hexdigest()


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """A batch that was prepared.

    Attributes:
        fingerprint: of what it was prepared from.
        files: compiled functions on disk that it needs.
    """

    fingerprint: str
    files: tuple[str, ...]


class Record:
    """The batches that are ready, with the files that they need.

    Args:
        folder: where it is kept; the user's cache folder if None.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("armstep")
        place = hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
        self.file = folder / f"prepared-{place}.json"
        self._entries: dict[Batch, PreparedBatch] = self._read()

    def ready(self, wanted: Iterable[Batch] | None = None) -> set[Batch]:
        """Those of the wanted batches, all if None, that are ready."""
        found = {batch: self._entries[batch] for batch in wanted or self._entries if batch in self._entries}
        there = {name: Path(name).exists() for name in {name for entry in found.values() for name in entry.files}}
        known = {batch: entry for batch, entry in found.items() if all(there[name] for name in entry.files)}
        return {batch for batch, entry in known.items() if entry.fingerprint == fingerprint(batch)}

    def add(self, batch: Batch, files: Iterable[str]) -> None:
        """Record that the batch is ready and needs these files; if writing fails, only for this process."""
        self._entries[batch] = PreparedBatch(fingerprint(batch), tuple(sorted(files)))
        names = sorted({name for entry in self._entries.values() for name in entry.files})
        number = {name: k for k, name in enumerate(names)}
        done = [
            {**asdict(one), "fingerprint": entry.fingerprint, "files": [number[name] for name in entry.files]}
            for one, entry in self._entries.items()
        ]
        with suppress(OSError, ArmstepError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.file, json.dumps({"files": names, "batches": done}).encode())

    def _read(self) -> dict[Batch, PreparedBatch]:
        with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
            content = json.loads(self.file.read_text(encoding="utf-8"))
            names = content["files"]
            return {
                Batch(one["robot"], one["family"]): PreparedBatch(
                    one["fingerprint"], tuple(names[k] for k in one["files"])
                )
                for one in content["batches"]
            }
        return {}
