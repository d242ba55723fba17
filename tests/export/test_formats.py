"""Every format is written from the command line, opens again, and takes the settings that it says, no others."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.view import ViewSettings
from gui.cli import main
from gui.qt.export.exporter import render_rows
from gui.qt.export.format import find_format, formats, key_of, suffixes, target_of
from gui.qt.export.inside import read_scenarios, scenario_of
from gui.qt.export.settings import ExportSettings, name_of

CHOOSABLE = {field.name for field in fields(ExportSettings)} - {"file", "format"}
OTHERWISE: dict[str, tuple[object, str]] = {
    "size": ((64, 36), "64x36"),
    "fps": (10.0, "10"),
    "speed": (2.0, "2"),
    "start": (0.1, "0.1"),
    "end": (0.3, "0.3"),
    "at": (0.2, "0.2"),
    "strobe": (0.1, "0.1"),
    "quality": ("low", "low"),
    "camera": ("top", "top"),
    "layout": ("scene-plots", "scene-plots"),
    "caption": (False, ""),
    "title": ("other", "other"),
    "transparent": (True, ""),
    "theme": ("dark", "dark"),
    "loop": (2, "2"),
    "style": ("slides", "slides"),
    "width": (85.0, "85mm"),
    "height": (60.0, "6 cm"),
    "font": ("serif 9", "serif 9"),
    "plots": ("error,energy//linear", "error,energy//linear"),
    "columns": (2, "2"),
    "show": ("legend,grid", "legend,grid"),
    "ranges": ("error=1e-9:1", "error=1e-9:1"),
    "dpi": (300.0, "300"),
    "outlines": (True, ""),
    "table": ("steps", "steps"),
    "also": ("tip", "tip"),
    "every": (0.02, "0.02"),
}
"""Another value of each setting, and how it is typed; flags have no value."""

SHORT = ["--set", "duration=0.1", "--set", "step=0.05"]


def target(folder: Path, key: str) -> str:
    """A name of that format, as a person types it."""
    suffix = find_format(key).suffix
    return f"{folder}/frames/" if suffix == "/" else f"{folder}/file{suffix}"


@pytest.mark.parametrize("key", formats())
def test_a_format_says_settings_that_exist_and_is_called_as_its_suffix(key: str) -> None:
    format = find_format(key)
    assert format.settings <= CHOOSABLE == set(OTHERWISE)
    assert format.suffix == ("/" if key == "frames" else f".{key}")
    assert format.label
    assert format.holds


@pytest.mark.parametrize("command", ["run", "render"])
@pytest.mark.parametrize("key", formats())
def test_every_format_is_written_and_its_scenario_read_again(key: str, command: str, tmp_path: Path) -> None:
    if key == "parquet":
        pytest.importorskip("pyarrow")
    quick = ["--size", "64x36"] if command == "render" and "size" in find_format(key).settings else []
    assert main([command, "rr-swing", "--out", target(tmp_path, key), *SHORT, *quick]) == 0
    written = Path(target(tmp_path, key))
    assert written.exists()
    beside = [f"{written.name}.json"] if key == "csv" else []
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [written.name, *beside]
    if find_format(key).reader is None:
        with pytest.raises(BadInput, match="scenario"):
            read_scenarios(written)
        return
    scenario = scenario_of(str(written))
    assert (scenario.duration, scenario.step) == (0.1, 0.05)
    assert main(["run", str(written)]) == 0


@pytest.mark.parametrize("setting", sorted(CHOOSABLE))
@pytest.mark.parametrize("key", formats())
def test_each_setting_is_taken_or_refused(
    key: str, setting: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind, (value, typed) = find_format(key), OTHERWISE[setting]
    out = target(tmp_path, key)
    if setting in kind.settings:
        further: dict[str, object] = {"strobe": 0.1} if key == "png" and setting in ("start", "end") else {}
        if setting == "camera" and key in ("svg", "pdf"):
            # Of a still; a figure without one refuses it.
            further = {"plots": "scene@0.1"}
        chosen = ExportSettings.chosen(out, {setting: value, **further})
        chosen.check()
        assert getattr(chosen, setting) == value
        return
    with pytest.raises(BadInput, match="left out"):
        replace(ExportSettings.chosen(out, {}), **{setting: value}).check()
    option = [f"--{name_of(setting)}", *([typed] if typed else [])]
    assert main(["render", "rr-swing", "--out", out, *SHORT, *option]) == 2
    said = capsys.readouterr().err
    assert f"{name_of(setting)} must be left out for {kind.suffix}" in said
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("stills", [], "one that ends in"),
        ("x.bmp", [], "one that ends in"),
        ("x.frames", [], "one that ends in"),
        ("fast.gif", ["--fps", "60"], "fps must be at most 50 for .gif, got 60"),
        ("wide.webp", ["--size", "16384x10"], "at most 16383 pixels for .webp"),
        ("still.png", ["--to", "0.2"], "without strobe"),
        ("plots.svg", ["--from", "9"], "from must be from 0 to 0.1 s"),
        ("plots.pdf", ["--to", "9"], "to must be from 0 to 0.1 s"),
        ("film.mp4", ["--plots", "error", "--layout", "grid"], "plots must be left out for the layout grid"),
        ("film.mp4", ["--plots", "scene@1"], "plots must be one of"),
        ("film.mp4", ["--plots", "error,energy,joints,torque,motion"], "at most 4 plots"),
        ("table.csv", ["--compare", "euler"], "holds one run"),
        ("nowhere/x.csv", [], "in an existing folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_it_is_computed(
    name: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "rr-swing", "--out", str(tmp_path / name), *SHORT, *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", ["mp4", "png", "glb", "svg", "csv"])
def test_a_write_protected_file_is_refused_before_it_is_drawn(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"mine.{key}"
    file.write_text("mine")
    file.chmod(0o444)
    assert main(["render", "rr-swing", "--out", str(file), *SHORT]) == 2
    assert "write-protected" in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert [entry.name for entry in tmp_path.iterdir()] == [file.name]


def test_charts_show_the_part_that_was_asked_for(rows, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.svg", tmp_path / "part.svg"
    render_rows(rows, ViewSettings(), ExportSettings(whole))
    render_rows(rows, ViewSettings(), ExportSettings(part, start=0.25, end=0.5))
    assert ">0.8<" in whole.read_text()
    assert ">0.8<" not in part.read_text()
    assert ">0.35<" in part.read_text()


def test_a_folder_says_so_by_its_slash() -> None:
    assert target_of("a/run.1/") == (Path("a/run.1"), "frames")
    assert target_of(" film.MP4 ") == (Path("film.MP4"), "mp4")
    with pytest.raises(BadInput) as refused:
        target_of("a/stills")
    assert refused.value.nearest == "a/stills/"
    assert key_of(Path("a/stills")) == "frames"
    assert "/" in suffixes()
