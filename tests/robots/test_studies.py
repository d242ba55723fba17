"""Studies: every one computes, its verdicts follow its numbers, and the command prints them."""

from __future__ import annotations

import json

import pytest

from assets.errors import BadInput
from gui.cli import main
from robots.study import AGREES, DIFFERS, NOT_COMPARABLE, find_study, markdown, studies


@pytest.mark.parametrize("key", ["pa10-accuracy", "pa10-singularity"])
def test_a_study_has_findings_tables_and_scenarios(key):
    study = find_study(key)
    shares: list[float] = []
    result = study.compute(shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert {one.verdict for one in result.findings} <= {AGREES, DIFFERS, NOT_COMPARABLE}
    assert all(one.why for one in result.findings if one.verdict == DIFFERS)
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    assert study.scenarios
    assert study.title in markdown(study, result)
    verdicts = {one.figure: one.verdict for one in result.findings}
    if key == "pa10-accuracy":
        assert verdicts["figure 11"] == AGREES
        assert verdicts["figure 10"] == DIFFERS


def test_keys_are_file_stems():
    from pkgutil import iter_modules

    from robots import studies as folder

    assert set(studies()) == {entry.name.replace("_", "-") for entry in iter_modules(folder.__path__)}


def test_an_unknown_study_names_the_nearest():
    with pytest.raises(BadInput, match="pa10-accuracy"):
        find_study("pa10-acuracy")


def test_the_command_prints_one_object_and_writes_tables(tmp_path, capsys):
    assert main(["study", "pa10-singularity", "--json", "--out", str(tmp_path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["studies"][0]["key"] == "pa10-singularity"
    folder = tmp_path / "pa10-singularity"
    assert (folder / "README.md").read_text().startswith("# The PA-10")
    assert len(list(folder.glob("*.csv"))) == 1


@pytest.mark.parametrize("words", [["study"], ["study", "nothing"], ["study", "pa10-accuracy", "--all"]])
def test_bad_words_are_refused(words, capsys):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
