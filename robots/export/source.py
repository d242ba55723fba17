"""The text of those functions and classes of `robots.export.parts` that a script uses, and of those that they use."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PARTS = Path(__file__).with_name("parts")
FILES = (
    "stepping",
    "explicit",
    "taylor",
    "implicit",
    "rr",
    "beam",
    "double_pendulum",
    "paths",
    "clik",
    "inverse_dynamics",
)
"""In the order in which they appear in a script."""

IMPORTS = {
    "math": "import math",
    "np": "import numpy as np",
    "solve_ivp": "from scipy.integrate import solve_ivp",
    "lu_factor": "from scipy.linalg import lu_factor",
    "lu_solve": "from scipy.linalg import lu_solve",
}


@cache
def definitions() -> dict[str, tuple[str, frozenset[str]]]:
    """Every function and class of the parts by its name: its text, and the names that it uses."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for file in FILES:
        text = (PARTS / f"{file}.py").read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[node.name] = ast.get_source_segment(text, node) or "", names_in(node)
    return found


def names_in(node: ast.AST) -> frozenset[str]:
    """The names that a piece of code mentions."""
    return frozenset(item.id for item in ast.walk(node) if isinstance(item, ast.Name))


def source_of(main: str) -> str:
    """Imports and definitions for a script whose own lines are `main`."""
    known, waiting, used = definitions(), set(names_in(ast.parse(main))), set()
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting |= known[name][1] if name in known else frozenset()
    imports = [line for name, line in IMPORTS.items() if name in used]
    third = next((k for k, line in enumerate(imports) if line != "import math"), len(imports))
    groups = ["\n".join(group) for group in (imports[:third], imports[third:]) if group]
    return "\n\n".join(groups) + "\n\n\n" + "\n\n\n".join(text for name, (text, _) in known.items() if name in used)
