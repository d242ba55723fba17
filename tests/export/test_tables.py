"""Tables of numbers, read again by other programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from assets.errors import ArmstepError
from gui.cli import main
from gui.qt.export.inside import scenario_of
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate

SHORT = ["--set", "duration=1", "--set", "step=0.05"]


WITH_UNITS = "t", "q1", "v1", "tip_x", "tip_qw", "energy_J", "energy_kinetic", "step"


def table(file: Path) -> dict[str, np.ndarray]:
    """The columns, as the standard library reads them."""
    with file.open(newline="", encoding="ascii") as text:
        head, *rows = csv.reader(text)
    return dict(zip(head, np.array(rows, dtype=float).T, strict=True))


def written(folder: Path, *words: str, name: str = "run.csv", preset: str = "rr-swing") -> Path:
    assert main(["run", preset, "--out", str(folder / name), *SHORT, *words]) == 0
    return folder / name


def test_further_columns_are_what_the_run_says(tmp_path: Path) -> None:
    found = table(written(tmp_path, "--also", "all", "--reference"))
    assert list(found)[:5] == ["t", "q1", "q2", "v1", "v2"]
    run = simulate(find_preset("rr-swing").with_values({"duration": 1.0, "step": 0.05}))
    np.testing.assert_array_equal(np.stack([found["tip_x"], found["tip_y"], found["tip_z"]], axis=1), run.tip())
    turns = np.stack([found[f"tip_q{part}"] for part in "wxyz"])
    assert np.linalg.norm(turns, axis=0) == pytest.approx(np.ones(len(run.t)))
    angle = 2.0 * np.arctan2(turns[2], turns[0])
    assert np.cos(angle - angle[0]) == pytest.approx(np.cos(run.y[:, 0] + run.y[:, 1] - run.y[0, 0] - run.y[0, 1]))
    np.testing.assert_array_equal(found["energy_J"], run.errors["energy_J"])
    assert found["reference_q_rad"].max() > 0.0
    assert found["step"] == pytest.approx(0.05)


def test_rows_are_evenly_apart_whatever_the_steps(tmp_path: Path) -> None:
    found = table(written(tmp_path, "--every", "0.125"))
    assert found["t"] == pytest.approx(np.arange(9) * 0.125)


def test_the_file_beside_says_units_version_and_scenario(tmp_path: Path) -> None:
    file = written(tmp_path, "--also", "all")
    said = json.loads((tmp_path / "run.csv.json").read_text())
    assert list(said["columns"]) == list(table(file))
    assert {name: said["columns"][name] for name in WITH_UNITS} == {
        "t": "s",
        "q1": "rad",
        "v1": "rad/s",
        "tip_x": "m",
        "tip_qw": "1",
        "energy_J": "J",
        "energy_kinetic": "J",
        "step": "s",
    }
    assert said["scenario"]["robot"] == "rr"
    assert said["armstep"]
    (tmp_path / "run.csv.json").unlink()
    with pytest.raises(ArmstepError, match=r"run\.csv\.json"):
        scenario_of(str(file))


def test_the_log_of_steps_has_a_row_for_each_attempt(tmp_path: Path) -> None:
    words = ["--set", "method=dopri5", "--set", "rtol=1e-6", "--set", "atol=1e-9", "--table", "steps"]
    assert main(["run", "rr-swing", "--out", str(tmp_path / "log.csv"), "--set", "duration=1", *words]) == 0
    run = simulate(
        find_preset("rr-swing").with_values({"duration": 1.0, "method": "dopri5", "rtol": 1e-6, "atol": 1e-9})
    )
    found = table(tmp_path / "log.csv")
    assert list(found) == ["t", "h", "error", "accepted"]
    assert found["accepted"].sum() == run.counts.steps
    assert len(found["t"]) == run.counts.steps + run.counts.rejected


def test_the_standard_output_gets_the_table_and_nothing_else(tmp_path: Path, capfdbinary) -> None:
    assert main(["run", "rr-swing", *SHORT, "--out", "-"]) == 0
    streamed = capfdbinary.readouterr().out
    assert streamed == written(tmp_path).read_bytes()
    assert next(csv.reader(io.StringIO(streamed.decode())))[0] == "t"


@pytest.mark.parametrize("name", ["run.csv", "run.npz", "run.py", "run.json", "plots.svg", "page.html"])
def test_any_file_is_a_scenario_for_every_command(name: str, tmp_path: Path, capsys) -> None:
    assert main(["render", "rr-swing", "--out", str(tmp_path / name), *SHORT]) == 0
    capsys.readouterr()
    assert main(["run", str(tmp_path / name), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == 20
    assert main(["compare", str(tmp_path / name), "--methods", "rk4,rk2", "--json"]) == 0
    assert [run["steps"] for run in json.loads(capsys.readouterr().out)["runs"]] == [20, 20]
    assert main(["render", str(tmp_path / name), "--out", str(tmp_path / "again.pdf"), "--plots", "energy"]) == 0


def test_data_frames_read_the_tables(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(written(tmp_path))
    assert frame.shape == (21, 5)
    pytest.importorskip("pyarrow")
    same = pandas.read_parquet(written(tmp_path, name="run.parquet"))
    assert frame.equals(same)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--also", "tips"], "did you mean 'tip'?"),
        (["--every", "0"], "every must be above 0 s, got 0"),
        (["--every", "1e-12"], "for at most 10000000 rows"),
        (["--table", "step"], "did you mean 'steps'?"),
        (["--table", "steps", "--every", "0.1"], "every must be left out for the table of steps"),
        (["--out", "-", "--json"], "standard output"),
    ],
)
def test_what_no_table_can_hold_is_refused(words: list[str], message: str, tmp_path: Path, capsys) -> None:
    assert main(["run", "rr-swing", "--out", str(tmp_path / "t.csv"), *SHORT, *words]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert len(said.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
