"""Rooms stay small and modules lead one way: no crowded folder, and no import that leads back to where it began."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = ["assets", "solvers", "robots", "scene", "gui"]
MODULES_IN_A_FOLDER = 16

ONE_FILE_EACH = {
    "gui/charts/plots",
    "gui/compose/overlays",
    "solvers/methods",
    "gui/commands",
    "scene/formats",
    "gui/qt/export/formats",
}
"""Folders in which each file is one addition: they grow with what Armstep can do."""


def product_files() -> list[Path]:
    files = [file for layer in LAYERS for file in sorted((ROOT / layer).rglob("*.py"))]
    return [*files, *ROOT.glob("armstep.py")]


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(source: str) -> Iterator[str]:
    """Every dotted name that may be a module and is imported anywhere in a source: lazily and for types, too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
                yield node.module


def import_graph(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Which of the modules in `sources` (name to text) each of them imports.

    `from package import module` counts as an import of the module alone.
    """
    graph: dict[str, set[str]] = {}
    for name, source in sources.items():
        found = {other for other in imported(source) if other in sources}
        packages = {other for other in found if any(inner.startswith(f"{other}.") for inner in found)}
        graph[name] = found - packages - {name}
    return graph


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Every module that `start` leads to; `start` itself only if some way leads back."""
    seen: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in seen:
            seen.add(name)
            ahead += graph[name]
    return seen


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules each of which leads to all others of its group."""
    ahead = {name: reachable(graph, name) for name in graph}
    groups = {tuple(sorted(other for other in ahead[name] if name in ahead[other])) for name in graph}
    return [list(group) for group in sorted(groups) if group]


def test_no_folder_is_crowded():
    crowd = Counter(file.parent for file in product_files() if file.name != "__init__.py")
    folders = {str(folder.relative_to(ROOT)): count for folder, count in crowd.items()}
    assert set(folders) >= ONE_FILE_EACH, "a folder that is named here is gone"
    assert not {
        folder: count
        for folder, count in folders.items()
        if count > MODULES_IN_A_FOLDER and folder not in ONE_FILE_EACH
    }


def test_no_import_leads_back_to_where_it_began():
    graph = import_graph({module_of(file): file.read_text("utf-8") for file in product_files()})
    assert cycles(graph) == []


def test_cycles_are_found_through_typing_and_lazy_imports():
    sources = {
        "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from b import C",
        "b": "def f():\n    import c.d",
        "c": '"""A package."""',
        "c.d": "from c import e",
        "c.e": "import a",
        "f": "import a",
    }
    assert cycles(import_graph(sources)) == [["a", "b", "c.d", "c.e"]]
    assert cycles(import_graph({**sources, "c.e": ""})) == []


def test_a_module_that_imports_its_own_package_is_in_no_cycle():
    sources = {"c": "", "c.d": "from c import e", "c.e": "import json"}
    assert cycles(import_graph(sources)) == []
