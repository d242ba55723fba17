"""Generated modules: written to the cache folder, compiled and kept there."""

from __future__ import annotations

import atexit
import hashlib
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from assets.errors import ArmstepError
from assets.writing import write_atomically
from solvers.codegen.tape import Tape, recorded
from solvers.problem import OdeProblem

VERSION = 9
# Beyond this number of operations writing f out would take longer to compile than it ever saves.
MOST_OPERATIONS = 6000
_MOST_FILES = 400


def closed_form(problem: OdeProblem) -> Tape | None:
    """The right-hand side's operations, if they are known and few enough to be written out, else None."""
    if problem.begin_step is not None:
        return None
    tape = recorded(problem.source or problem.taylor)
    return tape if tape is not None and len(tape.operations) <= MOST_OPERATIONS else None


@cache
def module(source: str) -> ModuleType:
    """The module with this text, from the cache folder, where its machine code is kept as well."""
    name = "armstep_kernel_" + hashlib.sha256(f"{VERSION}\n{source}".encode()).hexdigest()[:20]
    file = written(name, source)
    specification = spec_from_file_location(name, file)
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def folder() -> Path:
    """Where specialised kernels are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("armstep") / "kernels"


def written(name: str, source: str) -> Path:
    """The file with this text. A file that somebody changed is replaced; without a cache folder it is temporary."""
    file = folder() / f"{name}.py"
    with suppress(OSError, UnicodeDecodeError):
        if file.read_text(encoding="utf-8") == source:
            return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, source.encode())
        _sweep(file.parent)
    except (OSError, ArmstepError):
        file = _temporary_folder() / f"{name}.py"
        file.write_text(source, encoding="utf-8")
    return file


@cache
def _temporary_folder() -> Path:
    """The folder of this process's kernels if the cache folder cannot be written."""
    place = tempfile.TemporaryDirectory(prefix="armstep-")
    atexit.register(place.cleanup)
    return Path(place.name)


def _sweep(place: Path) -> None:
    """Remove the oldest kernels when there are very many."""
    with suppress(OSError):
        kept = sorted(place.glob("armstep_kernel_*.py"), key=lambda file: file.stat().st_mtime)
        for old in kept[:-_MOST_FILES]:
            old.unlink(missing_ok=True)
            for compiled in (place / "__pycache__").glob(f"{old.stem}.*"):
                compiled.unlink(missing_ok=True)
