"""Films of the RR arm as `armstep render` makes them: drawing, layout, words and encoding together, no window."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measurement import Measurement
from gui.app.view import ViewSettings
from gui.qt.export.exporter import render_rows
from gui.qt.export.request import ExportRequest, computed_rows
from gui.qt.export.settings import ExportSettings
from robots.scenario.presets import find_scenario
from scene.offscreen import Offscreen

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 2.0
ROUNDS = 3
FILMS = {
    "1280x720, low": ({"size": (1280, 720), "quality": "low"}, 1.0),
    "1280x720, medium": ({"size": (1280, 720), "quality": "medium"}, 0.2),
    "1920x1080 with plots, low": ({"size": (1920, 1080), "quality": "low", "layout": "scene-plots"}, 0.1),
}
"""What is filmed, and the goal in seconds of film per second of work on two cores without a GPU."""

ON_A_CARD = 10.0
"""The same goal on a graphics card."""

MEMORY = 600.0
"""Goal of the largest memory of the whole process [MiB]."""

CHILD = """
import sys
from gui.cli import main
if main(sys.argv[1:]) == 0:
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
"""Makes a film and prints the process's largest memory [KiB]; the kernel counts the parent too."""


def measure() -> list[Measurement]:
    """How fast films are made, and how much memory a short and a long one need."""
    scenario = find_scenario("rr-swing")
    view = ViewSettings().with_mapping(scenario.view)
    rows = computed_rows(ExportRequest((scenario,), (0,), view, ExportSettings(Path("arm.mp4"))))
    found = []
    with Offscreen((16, 16), None) as stage:
        driver, software = stage.driver.renderer, stage.quality == "low"
    with tempfile.TemporaryDirectory() as folder:
        for name, (choices, goal) in FILMS.items():
            settings = ExportSettings(Path(folder) / "arm.mp4", end=SECONDS, **choices)  # type: ignore[arg-type]
            samples = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                render_rows(rows, view, settings)
                samples.append(SECONDS / (time.perf_counter() - began))
            kept = samples if software else []
            found.append(Measurement(f"film per second of work, {name}", "x", kept, goal, at_least=True, note=driver))
            why = "software rendering: no graphics card here" if software else driver
            name = f"film per second of work on a graphics card, {name}"
            found.append(Measurement(name, "x", [] if software else samples, ON_A_CARD, at_least=True, note=why))
        if sys.platform == "linux":
            films = (
                ("1280x720", 1.0, "low"),
                ("1280x720", 10.0, "low"),
                ("1920x1080", 2.0, "low"),
                ("1920x1080", 2.0, "high"),
            )
            found += [_memory(Path(folder), *film) for film in films]
    return found


def _memory(folder: Path, size: str, seconds: float, quality: str) -> Measurement:
    """The largest memory of a whole `armstep render` of so many seconds of film, as its own process reports."""
    words = ["render", "rr-swing", "--out", str(folder / "memory.mp4"), "--quality", quality]
    words += ["--size", size, "--to", str(seconds)]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return Measurement(
        f"memory of a film of {seconds:g} s, {size}, {quality}", "MiB", [float(done.stdout) / 1024], MEMORY
    )
