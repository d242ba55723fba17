"""What to cite for scenarios, as BibTeX: Armstep, and where their methods and robots come from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assets.version import version
from robots.model.registry import robot_of
from robots.scenario.method_selection import method_of
from robots.scenario.scenario import Scenario

SPECIAL = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "{": r"\{", "}": r"\}"}


def bibtex(scenarios: Sequence[Scenario]) -> str:
    """Entries for this version of the program, then for each method and each robot that has a source."""
    title = "Armstep: what a numerical integrator does to a robot"
    program = _entry("software", "armstep", title=title, author="{Armstep contributors}", version=version())
    methods = [(one.method, method_of(one)) for one in scenarios]
    robots = [(one.robot, robot_of(one)) for one in scenarios]
    cited = [
        *(_cited("method", key, method.name, method.source) for key, method in methods if method.source),
        *(_cited("robot", key, robot.title, robot.source) for key, robot in robots if robot.source),
    ]
    return "\n\n".join(dict.fromkeys([program, *cited])) + "\n"


def provenance(scenarios: Sequence[Scenario]) -> dict[str, str]:
    """What every exported file says of where it comes from: the version, and what to cite for these scenarios."""
    return {"armstep": version(), "citation": bibtex(scenarios)}


def _cited(kind: str, key: str, title: str, source: str) -> str:
    years = re.findall(r"\b(1[89]\d\d|20\d\d)\b", source)
    year = {"year": years[-1]} if years else {}
    return _entry("misc", f"armstep-{kind}-{key}", title=_plain(title), note=_plain(source), **year)


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _plain(text: str) -> str:
    """A text without characters that mean something to TeX."""
    return "".join(SPECIAL.get(character, character) for character in text)
