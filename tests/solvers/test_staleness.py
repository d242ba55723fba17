"""Kernels kept on disk are compiled again when anything that they are made from has changed, and only then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numba
import pytest
from numba import njit
from numba.core.compiler import Flags

from assets.imports import imported
from solvers.kernels import PRIVATE_PARTS

ROOT = Path(__file__).parents[2]
NUMBERS = "from typing import NamedTuple\nclass {name}(NamedTuple):\n    factor: float\nNUMBERS = {name}({factor})\n"
KERNEL = "from numba import f8, njit, typeof\n@njit({signature}, cache=True)\n"
TAKEN = KERNEL.format(signature="(typeof(NUMBERS), f8)")
LOW = (
    f"from solvers.kernels.numbers_of_low import NUMBERS\n{TAKEN}def low(numbers, x):\n    return numbers.factor * x\n"
)
HIGH = (
    "from solvers.kernels.numbers_of_low import NUMBERS\nfrom solvers.kernels.low import low\n"
    + KERNEL.format(signature="'f8(f8)'")
    + "def high(x):\n    return low(NUMBERS, x) + 1.0\n"
)
ASK = "from solvers.kernels.high import high; print(high(10.0), sum(high.stats.cache_hits.values()))"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A copy of the solvers with two kernels more: one calls the other, which takes a number from a third file."""
    for package in ("assets", "solvers"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    kernels = tmp_path / "solvers" / "kernels"
    (kernels / "numbers_of_low.py").write_text(NUMBERS.format(name="Numbers", factor=2.0))
    (kernels / "low.py").write_text(LOW)
    (kernels / "high.py").write_text(HIGH)
    return tmp_path


def ask(program: Path) -> tuple[float, int]:
    """What `high` says in a process of its own, and how often it came from the disk."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    reported = subprocess.run(
        [sys.executable, "-c", ASK], cwd=program, env=environment, capture_output=True, text=True, check=True
    )
    value, hits = reported.stdout.split()
    return float(value), int(hits)


def test_a_change_elsewhere_is_seen(program: Path) -> None:
    assert ask(program) == (21.0, 0)
    assert ask(program) == (21.0, 1)
    # What is kept on disk of `low` refers to the class by its old name.
    (program / "solvers" / "kernels" / "numbers_of_low.py").write_text(NUMBERS.format(name="Renamed", factor=3.0))
    assert ask(program) == (31.0, 0)
    (program / "solvers" / "kernels" / "unrelated.py").write_text("FACTOR = 3.0\n")
    assert ask(program) == (31.0, 1)


def test_what_a_kernel_is_made_from() -> None:
    """Modules, members of packages, and names over several lines are all followed."""
    found = imported(ROOT / "robots" / "dynamics" / "multibody" / "kernels" / "reduced.py")
    multibody = ROOT / "robots" / "dynamics" / "multibody"
    assert {multibody / "layout.py", multibody / "kernels" / "blocks.py"} <= found
    assert multibody / "kernels" / "primitives.py" in imported(multibody / "kernels" / "constraints.py")
    assert ROOT / "solvers" / "kernels" / "parts" / "dense_linear.py" in found


def test_every_kernel_is_watched() -> None:
    """Kernels of robots too, whichever is imported first. Nothing is compiled for it."""
    ask_all = (
        "import importlib, sys\n"
        "from numba.core.registry import CPUDispatcher\n"
        "CPUDispatcher.compile = CPUDispatcher.disable_compile = lambda *_: None\n"
        "for name in sys.argv[1:]:\n"
        "    for value in vars(importlib.import_module(name)).values():\n"
        "        if isinstance(value, CPUDispatcher) and hasattr(value._cache, '_impl'):\n"
        "            print(name, type(value._cache._impl.locator).__module__)\n"
    )
    files = [*ROOT.glob("robots/**/kernels*.py"), *ROOT.glob("robots/**/kernels/[a-z]*.py")]
    names = sorted(".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)
    assert len(names) > 15
    reported = subprocess.run(
        [sys.executable, "-c", ask_all, *names], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    assert {line.split()[1] for line in reported if line} == {"solvers.kernels.storage.staleness"}
    assert {line.split()[0] for line in reported if line} >= {
        "robots.catalog.rr.kernels",
        "robots.dynamics.multibody.kernels.blocks",
    }


def test_a_faster_compiler_answers_as_numba_does() -> None:
    one, other = cast(Any, Flags()), cast(Any, Flags())
    assert one == other
    assert hash(one) == hash(other)
    other.release_gil = True
    assert one != other
    other.release_gil = False
    assert one == other, "set to what it was"
    assert one != "flags"
    both = njit(lambda x, y: x / y + x * y - x // y)
    for x, y in ((7, 2), (7.5, 2), (7, 2.5), (7.5, 2.5), (7.5, 2.5)):
        assert both(x, y) == both.py_func(x, y)
        assert type(both(x, y)) is type(both.py_func(x, y))
    assert njit(lambda x, y: x - y)(7, 2) == 5
    assert isinstance(njit(lambda x, y: x - y)(7, 2), int)


INLINED = """
from numba import njit

@njit(inline="always")
def bounded(x, low):
    found = x
    if x < low:
        found = low
    return found

@njit
def half(x):
    return bounded(x / 2, -1.0), not x

def redefined(n, low):
    # The same name in branches, loops and functions that become part of this one.
    found, count, last = 0.0, 0, -1.0
    for i in range(n):
        x = bounded(i - 3.0, low)
        if i % 2:
            found += bounded(x, 1.0) ** 2
        else:
            for _ in range(i):
                last = found
                count += 1
        if count > 7 or half(found)[1]:
            found, count, last = last, 0, half(last)[0]
    return found, count, last
"""

COMPARED = r"""
import re, sys

def code():
    made = {}
    exec(sys.argv[1], made)
    redefined, compiled = made["redefined"], made["njit"]("Tuple((f8, i8, f8))(i8, f8)")(made["redefined"])
    assert [compiled(n, -1.0) for n in range(9)] == [redefined(n, -1.0) for n in range(9)]
    text = compiled.inspect_asm(compiled.signatures[0])
    # The running numbers of functions and the addresses of strings differ.
    return re.sub(r"B\d+v\d+|v\d+B\d+|\d{9,}", "", text)

before = code()
import solvers.kernels
print(len(before) > 1000, code() == before)
"""


def test_a_faster_compiler_makes_the_same_machine_code() -> None:
    """In functions that are inlined, too, whose variables stay apart."""
    assert numba.__version__ == PRIVATE_PARTS, "its replaced functions have to be compared again"
    command = [sys.executable, "-c", COMPARED, INLINED]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout.split() == ["True", "True"], found.stderr


OTHER_VERSION = """
import sys
import numba
from numba.core.base import BaseContext
from numba.core.cpu import CPUContext
numba.__version__ = "0.0.0"
found = BaseContext.get_function, CPUContext.get_executable
import solvers.kernels
print((BaseContext.get_function, CPUContext.get_executable) == found)
print([name for name in sys.modules if name.startswith("solvers.kernels.storage.quick_") and "import" not in name])
"""


def test_another_version_of_numba_compiles_as_it_does_and_may_lack_private_parts() -> None:
    found = subprocess.run([sys.executable, "-c", OTHER_VERSION], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout.splitlines() == ["True", "[]"], found.stderr


ELEMENTS = """
def elements(v, m, cube, whole, strided, turned, z, flags, i):
    # Indices known and unknown, from both ends; rows; what numba itself has to do: strides, slices, complex numbers.
    row, plane, unsigned = m[-1], cube[i - 2], np.uint8(2)
    row[i], plane[0, -1], v[-2], whole[i], whole[-1] = v[0], m[i, -i], whole[1] / 4, 2.75, True
    strided[i], turned[0, i], z[i], flags[-1] = m[unsigned, 0], v[unsigned], 2, i > 0
    for k in range(-1, 2):
        v[k] += cube[k, i, k] + plane[k][k] - turned[k, k]
    return row.size, row[-1], plane.shape, plane.strides, m[1:][0, 0], cube[1].sum(), z[-2], len(cube[0][1]), row.nbytes
"""

ELEMENTS_COMPARED = r"""
import sys
import numpy as np
import solvers.kernels
from numba import njit

def arguments():
    v, m, cube = np.arange(5.0), np.arange(12.0).reshape(3, 4), np.arange(24.0).reshape(2, 3, 4)
    return v, m, cube, np.arange(4), np.arange(8.0)[::2], np.arange(6.0).reshape(2, 3).T, v * 1j, np.zeros(2, bool), 1

exec(sys.argv[1])
one, other = arguments(), arguments()
assert njit(elements)(*one) == elements(*other)
assert all(np.array_equal(a, b) for a, b in zip(one, other))
from robots.dynamics.tree.kernels.dynamics import factorise
try:
    factorise(np.eye(2), np.eye(2))
except SystemError:
    print("refused")
"""


def test_elements_and_rows_of_arrays_are_what_numpy_makes_of_them() -> None:
    """A function that only kernels call is refused in Python: it has no way in."""
    command = [sys.executable, "-c", ELEMENTS_COMPARED, ELEMENTS]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout.split() == ["refused"], found.stderr
