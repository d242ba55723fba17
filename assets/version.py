"""Armstep's version."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def version() -> str:
    """The version: of the source tree if there is one, otherwise of the installed package."""
    project = Path(__file__).resolve().parent.parent / "pyproject.toml"
    if project.is_file():
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    # Importing this takes longer than the rest of a short command.
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed_version

    try:
        return installed_version("armstep")
    except PackageNotFoundError:
        return "unknown"
