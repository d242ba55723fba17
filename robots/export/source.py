"""The text of those functions and classes that a script uses, and of those that they use.

They are written in `robots.export.parts`, a robot's equations in its own module, and the curves of a tool in
`robots.dynamics.kernels.curves`, whose decorators a script does without.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

PARTS = Path(__file__).with_name("parts")
CURVES = PARTS.parents[1] / "dynamics" / "kernels" / "curves.py"
FILES = (
    "stepping",
    "explicit",
    "taylor",
    "implicit",
    "paths",
    "clik",
    "inverse_dynamics",
)
"""In the order in which they appear in a script."""

IMPORTS = {
    "math": "import math",
    "pi": "from math import pi",
    "SimpleNamespace": "from types import SimpleNamespace",
    "np": "import numpy as np",
    "sin": "from numpy import cos, sin",
    "solve_ivp": "from scipy.integrate import solve_ivp",
    "lu_factor": "from scipy.linalg import lu_factor",
    "lu_solve": "from scipy.linalg import lu_solve",
}


@cache
def definitions(equations: str | None = None) -> dict[str, tuple[str, frozenset[str]]]:
    """The functions, classes and constants of the parts and of the module `equations`: text, and names that it uses."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    files = [CURVES, *(PARTS / f"{name}.py" for name in FILES)]
    if equations is not None:
        files.append(Path(import_module(equations).__file__ or ""))
    for file in files:
        text = file.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[node.name] = ast.get_source_segment(text, node) or "", names_in(node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = ast.get_source_segment(text, node) or "", names_in(node.value)
    return found


def names_in(node: ast.AST) -> frozenset[str]:
    """The names that a piece of code mentions."""
    return frozenset(item.id for item in ast.walk(node) if isinstance(item, ast.Name))


def source_of(main: str, equations: str | None = None) -> str:
    """Imports and definitions for a script whose own lines are `main`; `equations` is the module of the robot's."""
    known, waiting, used = definitions(equations), set(names_in(ast.parse(main))), set()
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting |= known[name][1] if name in known else frozenset()
    imports = [line for name, line in IMPORTS.items() if name in used]
    third = sum(line.split()[1] in ("math", "types") for line in imports)
    groups = ["\n".join(group) for group in (imports[:third], imports[third:]) if group]
    return "\n\n".join(groups) + "\n\n\n" + "\n\n\n".join(text for name, (text, _) in known.items() if name in used)
