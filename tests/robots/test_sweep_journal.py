"""The journal of a sweep: what was computed is never lost, neither by a kill nor by the next command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assets.errors import ArmstepError, BadInput
from gui.cli import main
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.runner import Runner
from robots.sweeps.storage.journal import Journal, journal_of
from tests.robots.test_sweep import command, sweep_of


def test_a_torn_journal_gives_back_its_complete_lines(tmp_path: Path):
    sweep, file = sweep_of("robot.m1=0.5:2:4"), tmp_path / "a.npz.journal"
    rows = Runner(sweep).rows(range(3))
    with Journal(file, sweep) as journal:
        journal.add(rows[:2])
        journal.add(rows[2:])
    file.write_text(file.read_text()[:-20] + "\n[[99, 0, [1.0, 1.0, 1.0, 1.0]]]\n[]\n{}\n[[0, 77, []]]")
    whole = file.read_text().rpartition("\n")[0] + "\n"
    with Journal(file, sweep, resume=True) as journal:
        assert journal.parts[0] == rows[:2]
        assert len([part for part in journal.parts if part]) == 1
        assert file.read_text() == whole, "it is not written again: the disk may be full, or the program killed"
        journal.add(rows[2:])
    with Journal(file, sweep, resume=True) as journal:
        assert [part for part in journal.parts if part] == [rows[:2], rows[2:]]
    with pytest.raises(BadInput, match="same scenario, ranges and readouts"):
        Journal(file, sweep_of("robot.m1=0.5:2:5"), resume=True)
    file.write_text("notes")
    with pytest.raises(BadInput, match="same scenario, ranges and readouts"):
        Journal(file, sweep, resume=True)
    assert file.read_text() == "notes"
    file.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(BadInput, match="journal of a sweep"):
        Journal(file, sweep, resume=True)


def test_a_refusal_leaves_no_empty_journal_and_keeps_one_that_has_runs(tmp_path: Path):
    sweep, file = sweep_of("robot.m1=0.5:2:4"), tmp_path / "a.npz.journal"
    with pytest.raises(BadInput, match="--workers"), Journal(file, sweep):
        run_sweep(sweep, workers=0)
    assert not file.exists()
    rows = Runner(sweep).rows(range(2))
    with Journal(file, sweep) as journal:
        journal.add(rows)
    with pytest.raises(BadInput, match="--workers"), Journal(file, sweep, resume=True) as journal:
        run_sweep(sweep, workers=0, known=journal.parts)
    with Journal(file, sweep, resume=True) as journal:
        assert journal.parts == [rows]


def test_a_journal_that_has_runs_is_never_emptied(tmp_path: Path):
    sweep, other, file = sweep_of("robot.m1=0.5:2:4"), sweep_of("robot.m1=0.5:2:5"), tmp_path / "a.npz.journal"
    with Journal(file, sweep) as journal:
        journal.add(Runner(sweep).rows(range(3)))
    kept = file.read_bytes()
    for asked, sentence in (
        (sweep, rf"--out must be given with --resume to go on with the 3 runs of this sweep in {file} \(delete that"),
        (other, rf"--out must be another file, since {file} has 3 runs of another sweep \(delete that file to begin"),
    ):
        with pytest.raises(BadInput, match=sentence):
            Journal(file, asked)
        assert file.read_bytes() == kept
    for own in (b"my notes\n", b"\xff\xfe\x00\x80"):
        file.write_bytes(own)
        with pytest.raises(BadInput, match="not the journal of a sweep"):
            Journal(file, sweep)
        assert file.read_bytes() == own


@pytest.mark.parametrize("lines", [0, 1], ids=["an empty file", "only its head"])
@pytest.mark.parametrize("torn", ["", "[[0, 0, [0.1"], ids=["complete", "a torn line"])
def test_a_journal_without_runs_is_replaced(tmp_path: Path, lines: int, torn: str):
    sweep, other, file = sweep_of("robot.m1=0.5:2:4"), sweep_of("robot.m1=0.5:2:5"), tmp_path / "a.npz.journal"
    with Journal(file, other):
        head = file.read_text()
    file.write_text(head + torn if lines else head[: len(torn)])
    rows = Runner(sweep).rows(range(2))
    with Journal(file, sweep) as journal:
        assert journal.parts == []
        journal.add(rows)
    with Journal(file, sweep, resume=True) as journal:
        assert journal.parts == [rows]


def test_the_command_begins_again_only_where_no_runs_are_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "a.npz"
    words = command("--over", "robot.m1=0.7:2:4", "--show", "final.q1", "--out", str(file))

    def full(*_: object) -> None:
        raise ArmstepError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("gui.qt.export.tables.write_table", full)
        assert main(words) == 2
    kept = journal_of(file).read_bytes()
    for more in ((), ("--workers", "0"), ("--over", "step=0.01:0.02:2")):
        capsys.readouterr()
        assert main([*words, *more]) == 2
        assert re.search(r"--out must be .* 4 runs of .* sweep .*\(delete that file", capsys.readouterr().err)
        assert journal_of(file).read_bytes() == kept
    assert main([*words, "--resume"]) == 0
    assert not journal_of(file).exists()
    assert main(words) == 0
