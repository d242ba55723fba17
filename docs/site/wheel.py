"""Puts the documentation site into the wheel, if it has been built; hatchling calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SiteHook(BuildHookInterface):
    """Adds `build/site` as `share/doc/armstep`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See hatchling."""
        site = Path(self.root) / "build" / "site"
        if version == "standard" and (site / "index.html").is_file():
            build_data["shared_data"][str(site)] = "share/doc/armstep"
