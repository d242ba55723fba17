"""docs/architecture.md names files that exist, and every file of the application model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`((?:assets|solvers|robots|scene|gui)/[\w/.-]+)`", PAGE)))
PATTERNS = {name for name in NAMED if Path(name).stem in ("name", "NAME")}


@pytest.mark.parametrize("name", [name for name in NAMED if name not in PATTERNS])
def test_what_the_page_names_exists(name):
    assert (ROOT / name).exists()


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_the_folders_for_additions_exist(name):
    assert (ROOT / name).parent.is_dir()


def test_the_page_names_every_file_of_the_application_model():
    files = {file.relative_to(ROOT).as_posix() for file in (ROOT / "gui" / "app").glob("*.py")}
    assert files - set(NAMED) == {"gui/app/__init__.py"}
