"""Importing one part never drags in another that it must not know. import-linter reads the source; this asks Python."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BELOW_QT = ["assets", "solvers", "robots", "scene", "gui/app", "gui/charts", "gui/compose"]
NOT_BEFORE_THE_WINDOW = {"numba", "scipy", "sksundae", "av", "sympy", "decimal"}
NOT_OURS_EITHER = ("robots.simulation", "robots.sweeps", "robots.lessons.lesson", "robots.studies", "solvers.methods.")
"""Each of these would let everyone wait for what few open at once."""


def modules_of(folder: str) -> list[str]:
    """Every module in a folder, as dotted names."""
    files = sorted((ROOT / folder).rglob("*.py"))
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    return [name.removesuffix(".__init__") for name in names]


def loaded_after(imports: list[str]) -> set[str]:
    """Names in sys.modules of a fresh process that imported the given modules."""
    code = f"import importlib, json, sys\nfor name in {imports!r}: importlib.import_module(name)\n"
    code += "print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_everything_below_the_window_imports_without_qt():
    names = [name for folder in BELOW_QT for name in modules_of(folder) if not name.startswith("scene.gl")]
    loaded = loaded_after(names)
    assert not {name for name in loaded if name.split(".")[0] in {"PySide6", "shiboken6", "pyqtgraph", "OpenGL"}}


def test_opengl_modules_import_without_qt():
    loaded = loaded_after([*modules_of("scene")])
    assert not {name for name in loaded if name.split(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}}


def test_scene_loads_nothing_of_the_robots_but_their_shapes():
    loaded = loaded_after(modules_of("scene"))
    ours = {name for name in loaded if name.split(".")[0] == "robots"}
    assert ours <= {"robots", "robots.model", "robots.model.shapes", "robots.model.chart"}
    assert not {name for name in loaded if name.split(".")[0] in {"solvers", "gui"}}


@pytest.mark.parametrize("first", ["gui.cli", "gui.qt.window.main_window"])
def test_nothing_slow_is_imported_before_the_window(first: str):
    assert importlib.util.find_spec(first), f"{first} is missing"
    names = loaded_after([first])
    loaded = {name.split(".")[0] for name in names}
    assert not loaded & NOT_BEFORE_THE_WINDOW
    assert not [name for name in names if name.startswith(NOT_OURS_EITHER)]
    if first == "gui.cli":
        assert not loaded & {"PySide6", "OpenGL", "numpy"}


def test_formats_say_what_they_are_without_what_writes_them():
    """The palette finds each by its words, at the first key: what writes and reads files is imported with the first."""
    names = loaded_after([*modules_of("scene/formats"), *modules_of("gui/qt/export/formats")])
    assert not {name.split(".")[0] for name in names} & {"PIL", "av", "pyarrow", "concurrent"}
    slow = ("robots.export", "robots.sweeps", "robots.simulation", "gui.qt.export.results")
    assert not [name for name in names if name.startswith(slow)]


def test_a_preset_reads_only_families_up_to_that_of_its_method():
    code = "import json, sys\nfrom robots.scenario.presets import find_scenario\nscenario = find_scenario('rr-swing')\n"
    code += "scenario.get('step')\nfound = [name for name in sys.modules if name.startswith('solvers.methods.')]\n"
    code += "print(json.dumps([found, len(scenario.fields()['method'].choices)]))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    found, choices = json.loads(run.stdout)
    assert found == ["solvers.methods.explicit_runge_kutta"]
    assert choices > 50


def test_packages_hold_only_a_docstring():
    """But those of kernels say, before the first of them is compiled, when one that is kept on disk still holds."""
    others = {
        ROOT / folder / "__init__.py"
        for folder in (
            *("assets", "solvers/kernels", "robots/dynamics/kernels"),
            *("robots/dynamics/flexible/kernels", "robots/dynamics/multibody/kernels"),
        )
    }
    for folder in ["assets", "solvers", "robots", "scene", "gui"]:
        for file in (ROOT / folder).rglob("__init__.py"):
            if file in others:
                continue
            code = compile(file.read_text("utf-8"), str(file), "exec", flags=0x400)
            assert len(code.body) <= 1, f"{file} does more than describe its folder"


@pytest.mark.parametrize("preset", ["rr-swing", "e1", "ur5e-seam"])
def test_a_run_on_the_command_line_imports_only_what_it_needs(preset: str):
    code = "import json, sys\nfrom gui.cli import main\n"
    code += f"main(['run', {preset!r}, '--set', 'duration=0.1', '--json'])\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    names = set(json.loads(run.stdout.splitlines()[-1]))
    loaded = {name.split(".")[0] for name in names}
    assert "numba" in loaded
    assert not loaded & {"PySide6", "pyqtgraph", "OpenGL", "av", "PIL", "sksundae"}
    assert not names & {"scipy.interpolate", "scipy.linalg", "urllib.request"}
