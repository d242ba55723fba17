"""What to cite for a scenario, as BibTeX: Armstep, and where its method and its robot come from."""

from __future__ import annotations

import re

from robots.model.registry import robot_of
from robots.scenario.method_selection import method_of
from robots.scenario.scenario import Scenario

SPECIAL = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "{": r"\{", "}": r"\}"}


def bibtex(scenario: Scenario, version: str) -> str:
    """Entries for the program of this version, the scenario's method and its robot, where these have a source."""
    method, robot = method_of(scenario), robot_of(scenario)
    entries = [
        _entry(
            "software",
            "armstep",
            title="Armstep: what a numerical integrator does to a robot",
            author="{Armstep contributors}",
            version=version,
        )
    ]
    for kind, key, title, source in (
        ("method", scenario.method, method.name, method.source),
        ("robot", scenario.robot, robot.title, robot.source),
    ):
        if source:
            years = re.findall(r"\b(1[89]\d\d|20\d\d)\b", source)
            year = {"year": years[-1]} if years else {}
            entries.append(_entry("misc", f"armstep-{kind}-{key}", title=_plain(title), note=_plain(source), **year))
    return "\n\n".join(entries) + "\n"


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _plain(text: str) -> str:
    """A text without characters that mean something to TeX."""
    return "".join(SPECIAL.get(character, character) for character in text)
