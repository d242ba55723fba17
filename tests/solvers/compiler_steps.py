"""What numba's compiler makes of functions: `python -m tests.solvers.compiler_steps FILE`, or with `plain` at the end.

`plain` leaves the compiler as numba has it. FILE gets a JSON list: each step's name, its function and what it has made.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from numba.core.typed_passes import PreLowerStripPhis
from numba.core.untyped_passes import ReconstructSSA

from robots.scenario.presets import find_preset
from robots.simulation.simulate import load

KERNELS = ("solvers.kernels.parts.controllers", "solvers.kernels.parts.newton", "solvers.kernels.symplectic")
SERIES = {"method": "taylor", "options.order": 3, "options.specialised": True}


def swapped(n: int) -> int:
    """Values that blocks pass on in a circle."""
    a, b, c = 1, 2, 3
    for k in range(n):
        a, b, c = b, c, a
        if k % 3:
            a, b = b, a
    return a + 10 * b + 100 * c


def once(n: int) -> int:
    """A variable that only one way defines."""
    if n > 2:
        size = n
    while n > 5:
        n -= 1
        if n == 7:
            continue
        size = n + size
    else:
        n = 0
    return size + n if n < 4 else n


def often(x: float) -> float:
    """Many definitions in a block, of variables that depend on each other."""
    y = x
    y = y * x
    x = x + y
    y = y - x
    for _ in range(3):
        x = x * y
        y = x
        x = y + x
        for j in range(4):
            if j > x:
                break
            x = x - j
            y = x
    return y if x > 0 else x


def left(n: int) -> int:
    """Ways out of a block."""
    total = 0
    for k in range(n):
        total += k
        if total > 100:
            raise ValueError(total)
        if total == 77:
            return k
    assert total
    return total


def inner(n: int) -> int:
    """A function that is put into its callers."""
    found = 0
    while n:
        found, n = n, n - found - 1
        if n < 3:
            n = 0
    return found


INLINED = numba.njit(inline="always")(inner)


def outer(n: int) -> int:
    """Has a function in a loop."""
    found = n
    for k in range(n):
        found += INLINED(k) + INLINED(found)
    return found


HAND_MADE: tuple[tuple[Callable[..., Any], str], ...] = (
    (swapped, "int64(int64)"),
    (once, "int64(int64)"),
    (often, "float64(float64)"),
    (left, "int64(int64)"),
    (outer, "int64(int64)"),
)

made: list[tuple[str, str, str]] = []


def place(one: Any) -> tuple[int, int] | None:
    """Where in the source a part of a function is."""
    loc = getattr(one, "loc", None)
    return None if loc is None else (loc.line, loc.col)


def text(function: Any) -> str:
    """All of a function that the steps may change, without addresses and the numbers of what it has inlined."""
    lines = list[str]()
    for label, block in function.blocks.items():
        lines.append(f"{label}: {place(block)}")
        for one in block.body:
            lines.append(
                f"{one!s} {place(one)} {place(getattr(one, 'value', None))} {list(map(place, one.list_vars()))}"
            )
        versions = {name: sorted(some) for name, some in block.scope.var_redefinitions.items()}
        lines.append(f"{versions} {dict(block.scope.redefined)}")
    inlined = dict[str, str]()
    whole = re.sub("0x[0-9a-f]+", "", "\n".join(lines))
    return re.sub("(?<!_)_v[0-9]+_", lambda found: inlined.setdefault(found[0], f"_v[{len(inlined)}]_"), whole)


def noted(step: Any, name: str, function_of: Callable[..., Any]) -> None:
    """Write down what a method of a step has made, each time."""
    method = getattr(step, name)

    def run(self: Any, given: Any) -> Any:
        result = method(self, given)
        function = function_of(given, result)
        made.append((name, function.func_id.func_qualname, text(function)))
        return result

    setattr(step, name, run)


def main() -> None:
    """Compile, and write what each step has made."""
    strip: Any = PreLowerStripPhis
    own, count = strip._strip_phi_nodes, [0]

    def counted(self: Any, function: Any) -> Any:
        count[0] += 1
        return own(self, function)

    strip._strip_phi_nodes = counted
    if sys.argv[-1] == "plain":
        numba.__version__ = "another"
    import_module("solvers.kernels")
    noted(ReconstructSSA, "run_pass", lambda state, _: state.func_ir)
    noted(PreLowerStripPhis, "_strip_phi_nodes", lambda _, function: function)
    for function, signature in HAND_MADE:
        numba.njit(signature)(function)
    for name in KERNELS:
        import_module(name)
    load(find_preset("rr-swing").with_values(SERIES))
    Path(sys.argv[1]).write_text(json.dumps({"made": made, "by numba": count[0]}))


if __name__ == "__main__":
    main()
