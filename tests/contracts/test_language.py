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


def banned() -> list[str]:
    """The left column of the glossary's last table."""
    table = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").split("## What we do not say")[1]
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE)
    return [phrase for row in rows[1:] for phrase in row.split(", ")]


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


def test_the_search_finds_what_it_looks_for(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""It tells\nall."""\nSAID = "made a mistake"\n')
    assert [text for _, text in texts(module)][:1] == ["It tells all."]
    assert any("made a mistake" in text for _, text in texts(module))
    assert len(banned()) > 10
