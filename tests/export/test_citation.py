"""What to cite: the program, the method and the robot, for every preset, in a form that BibTeX reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assets.version import version
from gui.cli import main
from gui.qt.export.format import DataFormat, formats
from gui.qt.export.inside import read_texts
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
        program, *sources = bibtex([preset]).strip().split("\n\n")
        assert program.startswith("@software{armstep,")
        assert fields(program)["version"] == version()
        assert len(sources) == 1 + bool(robot_of(preset).source)
        assert all(fields(source)["note"] for source in sources)


def test_a_source_is_whole_and_its_year_is_found() -> None:
    text = bibtex([find_preset("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "step": None})])
    method = fields(text.split("\n\n")[1])
    assert "Dormand" in method["note"]
    assert method["year"] == "1980"
    robot = fields(text.split("\n\n")[2])
    assert r"Tenreiro Machado \& Galhano" in robot["note"]
    assert robot["year"] == "1994"


def test_runs_of_several_methods_cite_each_once() -> None:
    first = find_preset("rr-swing")
    text = bibtex([first, first.with_value("method", "rk1"), first])
    keys = re.findall(r"^@\w+\{(\S+),$", text, re.MULTILINE)
    assert keys == ["armstep", "armstep-method-rk4", "armstep-method-rk1", "armstep-robot-rr"]


ITSELF = ("armstep", "json")
"""Files that are the scenario, whose sources its reader knows."""

NUMBERS = [key for key, one in formats().items() if isinstance(one, DataFormat) and key not in ITSELF]


@pytest.mark.parametrize("key", [*NUMBERS, "svg", "pdf", "png", "html", "glb"])
def test_an_exported_file_says_what_to_cite(key: str, tmp_path: Path) -> None:
    if key == "parquet":
        pytest.importorskip("pyarrow")
    file, scenario = tmp_path / f"swing.{key}", find_preset("rr-swing").with_value("duration", 0.1)
    quick = ["--size", "64x36"] if key == "png" else []
    assert main(["render", "rr-swing", "--set", "duration=0.1", "--out", str(file), *quick]) == 0
    assert read_texts(file)["citation"] == bibtex([scenario])


@pytest.mark.parametrize("suffix", ["csv", "npz"])
@pytest.mark.parametrize("command", ["sweep", "compare"])
def test_a_measured_table_cites_all_of_its_methods(command: str, suffix: str, tmp_path: Path) -> None:
    file, scenario = tmp_path / f"found.{suffix}", find_preset("rr-swing")
    how = ["--over", "step=0.01:0.02:2", "--show", "rejected"] if command == "sweep" else ["--steps", "0.01,0.02"]
    assert main([command, "rr-swing", *how, "--methods", "rk4,rk1", "--set", "duration=0.1", "--out", str(file)]) == 0
    cited = read_texts(file)["citation"]
    assert cited == bibtex([scenario, scenario.with_value("method", "rk1")])
