"""A quicker compiler makes of functions what numba's makes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from numba.core import compiler, ir, ssa

from assets.imports import ROOT
from solvers.kernels.storage.quick_definitions import stripped
from tests.solvers.compiler_steps import swapped


def compiling(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A process that compiles all anew, in a folder of its own."""
    folder.mkdir()
    places = {"NUMBA_CACHE_DIR": str(folder), "XDG_CACHE_HOME": str(folder), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.solvers.compiler_steps", str(folder / "steps.json"), *arguments]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **places})


def test_variables_get_the_definitions_that_numba_gives_them(tmp_path: Path) -> None:
    folders = tmp_path / "quick", tmp_path / "plain"
    for process in [compiling(folders[0]), compiling(folders[1], "plain")]:
        assert process.wait(280) == 0
    quick, plain = (json.loads((folder / "steps.json").read_text()) for folder in folders)
    assert plain["by numba"] > 30
    assert quick["by numba"] == 0, "none of these functions is left to numba"
    steps: list[set[tuple[Any, ...]]] = [set(map(tuple, one["made"])) for one in (quick, plain)]
    # Not the steps themselves: a message of megabytes would take minutes.
    assert sorted(step[:2] for step in steps[0] - steps[1]) == []
    assert sorted(step[:2] for step in steps[1] - steps[0]) == []
    assert sum("phi(" in made for _, _, made in steps[0]) > 20


def test_a_function_in_which_a_block_defines_a_variable_twice_is_left_to_numba() -> None:
    function = ssa.reconstruct_ssa(compiler.run_frontend(swapped))
    left = list[Any]()
    assert stripped(lambda step, given: left.append((step, given, given.blocks)), "step", function) is function
    assert left == []
    function = ssa.reconstruct_ssa(compiler.run_frontend(swapped))
    first = next(iter(function.blocks.values()))
    first.body[:0] = [one for one in first.body if isinstance(one, ir.Assign)]
    blocks = function.blocks
    assert stripped(lambda *given: left.append(given), "step", function) is None
    assert left == [("step", function)]
    assert function.blocks is blocks
