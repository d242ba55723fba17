"""Draws the pictures of README, tour and maps with Armstep itself: `python docs/make_pictures.py [NAME ...]`.

Writes `docs/images`. Run it after a visible change. Screenshots of the window need a display of at least 1920 x 1080
pixels (`xvfb-run -s "-screen 0 1920x1080x24"` will do); films and pictures of arms need OpenGL only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from gui.app.settings import Settings
from gui.charts.map import failures
from gui.qt.dialogs.map import MapSheet
from gui.qt.window.application import make_application, open_window
from gui.qt.window.main_window import MainWindow

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
SWING = ("rr-swing", "--set", "step=0.05")
OTHERS = "euler,rk2,rk3,heun3,rkf45"
RENDERED: dict[str, tuple[str, ...]] = {
    "comparison.webp": (
        *(*SWING, "--compare", "euler,rk2", "--layout", "scene-plots"),
        *("--size", "800x450", "--fps", "15", "--to", "5"),
    ),
    "strobe.webp": ("rr-swing", "--strobe", "0.1", "--to", "1.5", "--size", "1280x720"),
    "six.webp": (
        *(*SWING, "--set", "title=The same fall by six methods", "--compare", OTHERS),
        *("--layout", "grid", "--size", "1280x720", "--time", "2.5"),
    ),
}
"""What `armstep render` makes, and from what; a picture of one moment has no film around it."""


def main(names: list[str]) -> None:
    """Make the pictures of these names, or all."""
    for name, arguments in RENDERED.items():
        if not names or name in names:
            render(name, arguments)
    windows: dict[str, Callable[[MainWindow], None]] = {
        "window.png": three_runs,
        "presentation.webp": lecture,
        "export.png": export,
        "map-chaos.png": partial(explored, "map-chaos"),
        "map-euler.png": partial(explored, "map-euler"),
    }
    for name, act in windows.items():
        if not names or name in names:
            photograph(name, act)


def render(name: str, arguments: tuple[str, ...]) -> None:
    """Write one picture or film."""
    still = "--fps" not in arguments
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / (f"{Path(name).stem}.png" if still else name)
        command = [sys.executable, "-m", "gui.cli", "render", *arguments, "--out", str(made)]
        subprocess.run(command, check=True, cwd=ROOT)
        if still:
            from PIL import Image

            Image.open(made).save(IMAGES / name, quality=88, method=6)
        else:
            (IMAGES / name).write_bytes(made.read_bytes())


def photograph(name: str, act: Callable[[MainWindow], None]) -> None:
    """Take a picture of a fresh window in which something was done."""
    settings = Settings(Path(tempfile.mkdtemp(prefix="armstep-pictures-")))
    settings.set("started", True)
    settings.set("view.theme", "light")
    window = open_window(settings, "rr-swing", gallery=False)
    window.resize(QSize(1600, 1000))
    wait(lambda: all(dock.panel is not None for dock in window.docks))
    window.arrangement.usual()
    act(window)
    wait_done(window)
    wait(lambda: False, 2.0)
    picture = window.sheet.card.grab() if window.sheet is not None else window.grab()
    picture.save(str(IMAGES / name), quality=88)
    window.hide()
    window.deleteLater()


def three_runs(window: MainWindow) -> None:
    """Fehlberg's pair beside Euler and Runge-Kutta 4."""
    session = window.session
    session.edit_many({"method": "rk1", "step": 0.05})
    session.comparisons.pin()
    session.edit_many({"method": "rk4", "step": 0.05})
    session.comparisons.pin()
    session.edit_many({"method": "rkf45", "rtol": 1e-4, "atol": 1e-6})
    wait_done(window)
    session.playback.pause()
    session.playback.seek(2.2)


def lecture(window: MainWindow) -> None:
    """The same before an audience."""
    three_runs(window)
    window.actions_by_key["view.present"].trigger()


def export(window: MainWindow) -> None:
    """The sheet of an animation with two runs side by side."""
    session = window.session
    session.edit("step", 0.05)
    session.comparisons.pin()
    session.edit("method", "rk2")
    wait_done(window)
    session.playback.pause()
    session.playback.seek(2.5)
    window.actions_by_key["export.animation"].trigger()
    wait(lambda: False, 6.0)


def explored(preset: str, window: MainWindow) -> None:
    """The map that a preset proposes; the pointer is at one of its runs where none failed."""
    window.files.open_preset(preset)
    sheet = window.sheet
    assert isinstance(sheet, MapSheet)
    wait(lambda: not sheet.desk.measuring, 300.0)
    assert sheet.desk.result is not None
    if not failures(sheet.desk.result):
        sheet.diagram.point(sheet.desk.result.sweep.size // 5 * 3)
        wait(lambda: bool(sheet.arm.rows))


def wait_done(window: MainWindow) -> None:
    """Until every run and its reference are there."""
    wait(lambda: all(row.state == "done" and row.reference_state == "done" for row in window.session.runs.all))


def wait(done: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let the window live until something is so, or for so long."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


if __name__ == "__main__":
    os.environ["HOME"] = tempfile.gettempdir()
    make_application(["armstep"])
    main(sys.argv[1:])
