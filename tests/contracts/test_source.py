"""The house's rules for its own source: sizes that a person can read, and no address that only one place knows."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = ["assets", "solvers", "robots", "scene", "gui", "benchmarks"]
SOURCES = [file for folder in [*PRODUCT, "tests"] for file in sorted((ROOT / folder).rglob("*.py"))]
MODULE_LINES = 400
FUNCTION_LINES = 60
KERNEL_LINES = 100
"""A kernel keeps its loop in one piece, since numba does not inline everything."""


def committed_files() -> list[Path]:
    if shutil.which("git") is None:
        pytest.skip("no git here")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring: a long explanation is no fault."""
    first = function.body[0]
    explained = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    end = function.end_lineno or function.lineno
    return end - (first.end_lineno if explained and first.end_lineno else function.lineno)


def test_modules_can_be_read_in_one_sitting():
    long = {str(file.relative_to(ROOT)): len(file.read_text("utf-8").splitlines()) for file in SOURCES}
    assert not {name: lines for name, lines in long.items() if lines > MODULE_LINES}


def test_functions_fit_on_a_page():
    long = {}
    for file in SOURCES:
        limit = KERNEL_LINES if "kernels" in file.parts else FUNCTION_LINES
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > limit:
                long[f"{file.relative_to(ROOT)}:{node.lineno} {node.name}"] = body_lines(node)
    assert not long


def test_no_unfinished_business():
    marks = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    assert not [str(file) for file in SOURCES if marks.search(file.read_text("utf-8"))]


def test_nothing_is_unpickled_or_evaluated():
    """Scenario files come from strangers."""
    bad = re.compile(r"(^|[^.\w])(eval|exec)\(|\bimport (pickle|marshal|shelve)\b|allow_pickle=True")
    product = [file for file in SOURCES if file.relative_to(ROOT).parts[0] in PRODUCT]
    assert not [str(file) for file in product if bad.search(file.read_text("utf-8"))]


def test_no_committed_file_names_a_registry():
    """The machine's own settings say where packages come from."""
    hosts = re.compile(
        r"py" + r"pi\.(org|python)|python" + r"hosted\.org|registry\.npm" + r"js|deb\.deb" + r"ian\.org"
        r"|arti" + r"factory|artifact" + r"-?registry|/sim" + r"ple/|--(extra-)?ind" + r"ex-url"
    )
    found = []
    for file in committed_files():
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{file.relative_to(ROOT)}: {match.group()}" for match in hosts.finditer(text)]
    assert not found


def test_every_locked_package_has_its_hashes():
    for lock in ["app", "dev"]:
        entries = re.split(r"\n(?=\S)", (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8"))
        packages = [entry for entry in entries if "==" in entry.splitlines()[0]]
        assert len(packages) > 10
        assert all("--hash=sha256:" in entry for entry in packages)
