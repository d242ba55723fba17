"""Tinted icons for what takes files only: kept in the person's cache, whole, and nothing stays anywhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
KILLED = """
import os
from gui.qt.style.icons import tinted_file
print(tinted_file("close", "#112233"), tinted_file("close", "#445566"), flush=True)
os.kill(os.getpid(), 9)
"""
STYLED = """
from PySide6.QtWidgets import QApplication, QComboBox
from gui.qt.style.icons import tinted_file
from gui.qt.style.theme import load, style_sheet
application = QApplication(["armstep"])
style_sheet(load("light"))
print(tinted_file("down", load("light").colours["muted"]))
application.setStyleSheet(style_sheet(load("light")))
box = QComboBox()
box.addItem("x")
box.resize(120, 32)
picture = box.grab().toImage()
ground = picture.pixel(60, 6)
print(sum(picture.pixel(x, y) != ground for x in range(94, 114) for y in range(10, 22)))
"""


def run(code: str, cache: Path, temporary: Path) -> tuple[str, str]:
    temporary.mkdir(exist_ok=True)
    around = {**os.environ, "XDG_CACHE_HOME": str(cache), "TMPDIR": str(temporary), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=around, capture_output=True, text=True)
    return done.stdout, done.stderr


def test_a_killed_start_leaves_nothing_but_its_cache(tmp_path: Path) -> None:
    cache, temporary = tmp_path / "cache", tmp_path / "tmp"
    first, _ = run(KILLED, cache, temporary)
    files = sorted((cache / "armstep" / "icons").iterdir())
    assert sorted(first.split()) == [file.as_posix() for file in files]
    assert len(files) == 2, "one for each colour, and none in parts"
    assert not list(temporary.iterdir())
    times = [file.stat().st_mtime_ns for file in files]
    files[0].write_text("<svg")
    again, _ = run(KILLED, cache, temporary)
    assert again == first
    assert "</svg>" in files[0].read_text(), "a broken one is written again"
    assert files[1].stat().st_mtime_ns == times[1], "a whole one is not"


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    blocked, temporary = tmp_path / "blocked", tmp_path / "tmp"
    blocked.write_text("no folder")
    out, trouble = run(STYLED, blocked, temporary)
    path, drawn = out.split()
    assert path.startswith(str(temporary)), trouble
    assert int(drawn) > 5
    assert not list(temporary.glob("armstep-icons-*")), "it went with the process"


def test_a_person_s_name_may_have_spaces(tmp_path: Path) -> None:
    """The style sheet's pictures are drawn from a folder with spaces and brackets in its name."""
    cache, temporary = tmp_path / "Ada Ann (home)", tmp_path / "tmp"
    out, trouble = run(STYLED, cache, temporary)
    path, drawn = out.rsplit(maxsplit=1)
    assert path.startswith(str(cache)), trouble
    assert "Could not" not in trouble
    assert int(drawn) > 5, "the arrow of the choice is drawn"
