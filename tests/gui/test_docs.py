"""The pages say what is true: links lead somewhere, every option is described, pictures are small enough to load."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from gui.command import COMMANDS
from robots.scenario.presets import presets

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


def test_every_preset_is_described() -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    assert [key for key in presets() if f"`{key}`" not in text] == []


@pytest.mark.parametrize("name", COMMANDS.keys())
def test_every_command_and_option_is_described(name: str) -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    parser = argparse.ArgumentParser()
    COMMANDS.find(name).add_arguments(parser)
    options = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", parser.format_help())) - {"--help"}
    assert f"armstep {name}" in text
    assert [option for option in sorted(options) if option not in text] == []


def test_pictures_are_small() -> None:
    large = [file.name for file in (ROOT / "docs" / "images").iterdir() if file.stat().st_size > 2_000_000]
    assert large == []
