"""A plot is one file: in a scratch copy it is then in the window's list, in a film's layout and in an exported SVG."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("assets", "solvers", "robots", "scene", "gui")

ASK = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from dataclasses import replace
from pathlib import Path
from PySide6.QtWidgets import QApplication
application = QApplication([])
from gui.app.jobs import Jobs
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.qt.drawing.canvas import FramePlan
from gui.qt.drawing.style import style_of
from gui.app.view import USUAL
from gui.qt.export.exporter import render_rows
from gui.qt.export.settings import ExportSettings
from gui.qt.export.layouts.scene_plots import ScenePlotsLayout
from gui.qt.panels.plots import PlotsPanel
from robots.scenario.presets import find_scenario

class InlineJobs(Jobs):
    def start(self, job, lane):
        job.execute(self.dispatch)

folder = Path(sys.argv[1])
swing = find_scenario("rr-swing").with_value("duration", 0.2)
session = Session(InlineJobs(lambda call: call()), Settings(folder), swing)
session.start()
panel = PlotsPanel(session)
panel.build()
print("window", [action.text() for action in panel.chooser.menu().actions()], list(panel.plots))
plan = FramePlan((1280, 720), session.runs.all, session.view.settings, (0.0, 0.2), style_of("light"), None)
print("film", [painter.chart.title for painter in ScenePlotsLayout(plan).charts])
render_rows(session.runs.all, USUAL, ExportSettings(folder / "charts.svg"))
print("svg", "Liveliness" in (folder / "charts.svg").read_text("utf-8"))
"""


def recipe() -> str:
    """The plot that the recipe shows."""
    found = re.search(r"```python\n(\"\"\".*?)```", (ROOT / "docs" / "add-a-plot.md").read_text("utf-8"), re.S)
    assert found is not None
    return found[1]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The house without its tests."""
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, tmp_path / layer, copy_function=shutil.copy2)
    return tmp_path


def test_the_recipes_plot_is_everywhere_at_once(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (copy / "gui" / "charts" / "plots" / "liveliness.py").write_text(recipe().replace(", 32,", ", 15,"), "utf-8")
    out = tmp_path_factory.mktemp("out")
    run = subprocess.run([sys.executable, "-c", ASK, str(out)], cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-3000:]
    window, film, svg = run.stdout.strip().splitlines()[-3:]
    assert "'Liveliness'" in window
    assert "'liveliness'" in window, "shown at first"
    assert "'Liveliness'" in film
    assert svg == "svg True"
