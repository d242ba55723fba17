"""The words that `docs/glossary.md` gives up do not come back, neither on the screen nor in docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("assets", "solvers", "robots", "scene", "gui")
PAPER_TWO = ("robots/studies/rr_methods.py",)
"""Texts about paper 2 keep the paper's own word, "customised"."""


def column(heading: str, number: int) -> list[str]:
    """A column of the glossary's table below a heading, its entries one by one."""
    table = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").split(f"## {heading}")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return [entry for row in rows[1:] for entry in row[number].split(", ")]


def banned() -> list[str]:
    """What texts do not say."""
    return column("What we do not say", 0)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text in a module, docstrings too, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, " ".join(node.value.split())


@cache
def said() -> list[tuple[str, int, str]]:
    """Every text of the program: (file, line, text)."""
    paths = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    named = [(path.relative_to(ROOT).as_posix(), path) for path in paths]
    return [(name, line, text) for name, path in named if name not in PAPER_TWO for line, text in texts(path)]


@pytest.mark.parametrize("phrase", banned())
def test_no_text_says_it(phrase: str) -> None:
    wanted = re.compile(rf"\b{re.escape(phrase)}\b", re.IGNORECASE)
    found = [f"{file}:{line}: {text[:80]}" for file, line, text in said() if " " in text and wanted.search(text)]
    assert not found


def names(tree: ast.AST) -> Iterator[str]:
    """Every name that a module gives: to modules it imports from, classes, functions, arguments, variables, fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def words_of(name: str) -> list[str]:
    """`DragForce` and `drag_force` as drag, force."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


@cache
def named() -> list[tuple[str, str]]:
    """Every name in the program, and the name of each module: (file, name)."""
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            if file not in PAPER_TWO:
                found += [(file, path.stem), *((file, name) for name in names(ast.parse(path.read_text("utf-8"))))]
    return found


@pytest.mark.parametrize("word", column("What we do not name", 0))
def test_nothing_has_that_name(word: str) -> None:
    assert sorted({f"{file}: {name}" for file, name in named() if word in words_of(name)}) == []


def test_each_class_has_a_name_of_its_own() -> None:
    """But for what a script shows under the same name, and what the kernels of every family have."""
    shared = set(column("Names that several things share", 0))
    homes: dict[str, set[str]] = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            if "export/parts" in path.as_posix():
                continue  # written into scripts, where they stand for the classes of the same name
            classes = [
                node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)
            ]
            for name in classes:
                homes.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    twice = {name: files for name, files in homes.items() if len(files) > 1 and not name.startswith("_")}
    assert {name: files for name, files in twice.items() if name not in shared} == {}
    assert shared <= set(twice)


def test_the_search_finds_what_it_looks_for(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""It tells\nall."""\nSAID = "made a mistake"\n')
    assert [text for _, text in texts(module)][:1] == ["It tells all."]
    assert any("made a mistake" in text for _, text in texts(module))
    assert len(banned()) > 10
    assert [words_of(name) for name in names(ast.parse("def told(DragForce): self.told_all = 1"))] == [
        ["told"],
        ["drag", "force"],
        ["told", "all"],
    ]
