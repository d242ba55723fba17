"""What to cite: the program, the method and the robot, for every preset, in a form that BibTeX reads."""

from __future__ import annotations

import re

from robots.export.citation import bibtex
from robots.model.registry import robot_of
from robots.scenario.presets import find_preset, presets


def fields(entry: str) -> dict[str, str]:
    """The fields of an entry; each value's braces balance."""
    found = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
    for value in found.values():
        bare = value.replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}")
    return found


def test_every_preset_names_program_method_and_robot() -> None:
    for preset in presets().values():
        program, *sources = bibtex(preset, "1.2.3").strip().split("\n\n")
        assert program.startswith("@software{armstep,")
        assert fields(program)["version"] == "1.2.3"
        assert len(sources) == 1 + bool(robot_of(preset).source)
        assert all(fields(source)["note"] for source in sources)


def test_a_source_is_whole_and_its_year_is_found() -> None:
    text = bibtex(find_preset("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "step": None}), "1")
    method = fields(text.split("\n\n")[1])
    assert "Dormand" in method["note"]
    assert method["year"] == "1980"
    robot = fields(text.split("\n\n")[2])
    assert r"Tenreiro Machado \& Galhano" in robot["note"]
    assert robot["year"] == "1994"
