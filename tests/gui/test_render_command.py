"""`armstep render`: what it refuses, in one line and with status 2, and what it writes."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from gui.app.documents import Tag, side_by_side, tagged
from gui.cli import main
from gui.commands._progress import ProgressBar
from gui.qt.export import exporter
from gui.qt.export.exporter import Progress
from gui.qt.export.format import suffixes
from gui.qt.export.inside import read_scenarios
from robots.scenario.file import save_scenario
from robots.scenario.presets import find_preset

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--size", "12x"], "size"),
        (["--size", "0x0"], "size"),
        (["--fps", "0"], "fps"),
        (["--fps", "nan"], "fps"),
        (["--fps", "many"], "--fps"),
        (["--speed", "-1"], "speed"),
        (["--from", "3", "--to", "2"], "to"),
        (["--to", "99"], "to"),
        (["--quality", "best"], "quality"),
        (["--camera", "isoo"], "'iso'"),
        (["--layout", "scene-plot"], "'scene-plots'"),
        (["--theme", "pink"], "theme"),
        (["--transparent"], "transparent"),
        (["--set", "robot.m1=-1"], "robot.m1"),
        (["--set", "colour=blue"], "colour"),
        (["--compare", "rk99"], "rk99"),
        (["--loop", "-1"], "loop"),
        (["--time", "1"], "left out for .mp4; it is for .png"),
    ],
)
def test_bad_values_are_refused_in_one_line(
    words: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = ["--set", "duration=10", "--set", "step=0.1"]
    status = main(["render", "rr-swing", "--out", str(tmp_path / "x.mp4"), *short, *words])
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert named in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.bmp", "nowhere/x.mp4", "nowhere/x.svg"])
def test_files_that_cannot_be_written_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "rr-swing", "--out", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert name.split("/")[0] in err


def test_an_unknown_suffix_is_refused_with_all_suffixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "rr-swing", "--out", str(tmp_path / "x.glbb")]) == 2
    allowed = set(capsys.readouterr().err.split("ends in ")[1].split(", got ")[0].split(", "))
    assert {ending.removesuffix(" (a folder)") for ending in allowed} == set(suffixes())
    assert {".mp4", ".png", "/ (a folder)", ".svg", ".glb", ".csv", ".json"} <= allowed


def test_an_odd_size_is_made_even_and_said(tmp_path: Path) -> None:
    file = tmp_path / "x.mp4"
    words = ["--set", "duration=0.2", "--set", "step=0.1", "--size", "65x48", "--fps", "10"]
    command = [sys.executable, "-m", "gui", "render", "rr-swing", "--out", str(file), *words]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert "66x48" in run.stderr
    import av

    with av.open(str(file)) as film:
        assert (film.streams.video[0].width, film.streams.video[0].height) == (66, 48)


def test_a_run_that_blew_up_is_drawn_without_a_warning(tmp_path: Path) -> None:
    """Its poses are beyond what the graphics card's numbers hold; in a process of its own, as people run it."""
    out = tmp_path / "beam.png"
    words = [
        "beam",
        "--out",
        str(out),
        "--time",
        "1",
        "--size",
        "160x90",
        "--no-caption",
        "--set",
        "method=rk4",
        "--set",
        "step=0.02",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "gui.cli", "render", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    # On a slow machine lines of progress come before.
    said = [line for line in done.stderr.splitlines() if not re.match(r"\w+ +\[[#.]+\]", line)]
    assert len(said) == 1
    assert said[0].startswith("armstep: The solution grew without bound")
    with Image.open(out) as image:
        assert image.size == (160, 90)


def test_still_with_another_method_beside_it(tmp_path: Path) -> None:
    """In a process of its own, as people run it, without a display."""
    out = tmp_path / "arm.png"
    words = [
        "rr-swing",
        "--out",
        str(out),
        "--time",
        "0.5",
        "--size",
        "160x90",
        "--set",
        "duration=1",
        "--compare",
        "euler",
    ]
    surroundings = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-m", "gui.cli", "render", *words],
        cwd=ROOT,
        env={**surroundings, "QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    with Image.open(out) as image:
        assert image.size == (160, 90)
        assert len(image.convert("RGB").getcolors(100_000) or []) > 100
    assert [scenario.method for scenario in read_scenarios(out)] == ["rk4", "rk1"]


def test_pinned_runs_of_a_file_are_drawn_as_the_window_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(
        exporter, "render_rows", lambda rows, *_, **__: seen.append([row.scenario.method for row in rows])
    )
    one = find_preset("rr-swing").with_value("duration", 0.2)
    others = [tagged(one.with_value("method", key), Tag(name=key)) for key in ("rk1", "rk2")]
    file, out = tmp_path / "three.armstep", tmp_path / "arm.png"

    def drawn(hidden: list[int], *options: str) -> list[str]:
        together = side_by_side(one, *others)
        save_scenario(replace(together, view={**together.view, "hidden": hidden}), file)
        assert main(["render", str(file), "--out", str(out), *options]) == 0
        return seen.pop()

    assert drawn([]) == ["rk4", "rk1", "rk2"]
    assert drawn([1], "--compare", "rk3") == ["rk4", "rk2", "rk3"]
    assert drawn([], "--alone") == ["rk4"]


def test_bar_is_one_line_on_a_terminal_and_quiet_in_a_log() -> None:
    terminal = SimpleNamespace(isatty=lambda: True, text=io.StringIO())
    terminal.write, terminal.flush = terminal.text.write, terminal.text.flush
    bar = ProgressBar(terminal)
    bar.every = 0.0
    for done in range(1, 5):
        bar.draw(Progress(done, 4, 4.0 - done))
    bar.end()
    shown = terminal.text.getvalue()
    assert shown.count("\n") == 1
    assert "2/4 frames, 2\u00a0s left" in shown
    assert "100%" in shown
    log = io.StringIO()
    quick = ProgressBar(log)
    quick.draw(Progress(1, 4, 0.3))
    quick.end()
    assert log.getvalue() == ""
