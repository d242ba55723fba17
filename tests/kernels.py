"""Compiles the kernels in the folders that are named: `python -m tests.kernels solvers robots/dynamics`.

A kernel is compiled when its module is imported, so on a fresh clone each of pytest's processes would compile all of
them for itself before its first test. `./test` does it once, beside its checks, which leave a core idle.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]


def modules(folder: str) -> list[str]:
    """The modules in a folder that compile functions when they are imported."""
    files = sorted(
        file
        for file in (ROOT / folder).rglob("*.py")
        if re.search("^@(njit|kernel|compiled)[(]", file.read_text("utf-8"), re.M)
    )
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        for name in modules(folder):
            import_module(name)
