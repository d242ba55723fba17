"""Which batches are ready: a file that is valid as long as neither the program nor what was compiled has changed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

from assets.errors import ArmstepError
from assets.writing import write_atomically
from robots.preparation.batches import Batch

ROOT = Path(__file__).parents[2]
SOURCES = ("solvers/**/*.py", "robots/**/*.py", "assets/tableaux/*.json", "assets/scenarios/*.json")


@cache
def fingerprint() -> str:
    """A hash of everything that decides what is compiled: Armstep's code, Python, numba and the processor."""
    from llvmlite.binding import get_host_cpu_name

    found = hashlib.sha256(f"{sys.version} {version('numba')} {get_host_cpu_name()}".encode())
    for file in sorted(file for pattern in SOURCES for file in ROOT.glob(pattern)):
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


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
        self._files: dict[Batch, list[str]] = self._read()

    def ready(self) -> set[Batch]:
        """The batches that are ready."""
        there = {name: Path(name).exists() for name in {name for names in self._files.values() for name in names}}
        return {batch for batch, names in self._files.items() if all(there[name] for name in names)}

    def add(self, batch: Batch, files: Iterable[str]) -> None:
        """Record that the batch is ready and needs these files; if writing fails, only for this process."""
        self._files[batch] = sorted(files)
        names = sorted({name for names in self._files.values() for name in names})
        number = {name: k for k, name in enumerate(names)}
        done = [{**asdict(one), "files": [number[name] for name in used]} for one, used in self._files.items()]
        content = {"fingerprint": fingerprint(), "files": names, "batches": done}
        with suppress(OSError, ArmstepError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.file, json.dumps(content).encode())

    def _read(self) -> dict[Batch, list[str]]:
        with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
            content = json.loads(self.file.read_text(encoding="utf-8"))
            if content["fingerprint"] == fingerprint():
                names = content["files"]
                return {
                    Batch(one["robot"], one["family"]): [names[k] for k in one["files"]] for one in content["batches"]
                }
        return {}
