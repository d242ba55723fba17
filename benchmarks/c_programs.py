"""C programs, compiled by gcc with -O3 and called from Python, for the benchmarks that compare with C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

SOURCES = Path(__file__).parent / "c"
NO_GCC = "no gcc here: nothing to compare with"


def has_gcc() -> bool:
    """Whether C programs can be compiled."""
    return shutil.which("gcc") is not None


def program(name: str) -> ctypes.CDLL:
    """A program of the folder `c`, by the name of its file."""
    return compiled((SOURCES / name).read_text("utf-8"))


def compiled(source: str) -> ctypes.CDLL:
    """The functions of a C program, which may include those of the folder `c`."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library = Path(folder) / "program.so"
        command = ["gcc", "-O3", "-shared", "-fPIC", "-o", str(library), "-x", "c", "-", "-lm"]
        subprocess.run(command, input=source, text=True, cwd=SOURCES, check=True)
        return ctypes.CDLL(str(library))


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """Where an array's numbers are; keeps the array."""
    return array.ctypes.data_as(ctypes.c_void_p)
