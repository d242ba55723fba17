"""The wheel holds the front door and the five folders with their data, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTENT = {"armstep.py", "assets", "solvers", "robots", "scene", "gui"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("armstep-*-py3-none-any.whl"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_has_the_front_door_the_five_folders_and_no_tests(names: list[str]):
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == CONTENT
    assert not [name for name in names if "test" in Path(name).stem.split("_") or name.endswith((".nbi", ".nbc"))]


def test_every_data_file_travels(names: list[str]):
    ignored = {"__pycache__"}
    here = {str(file.relative_to(ROOT)) for file in (ROOT / "assets").rglob("*") if file.is_file()}
    here = {name for name in here if not ignored & set(Path(name).parts)}
    assert here <= set(names)


def test_the_wheel_runs_from_elsewhere(wheel: Path, tmp_path: Path):
    """Unpacked, away from the checkout: no module may need a file that is not in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = "import sys; sys.path.insert(0, '.'); import gui.cli; assert gui.cli.__file__.startswith(sys.argv[1])"
    code += "; raise SystemExit(gui.cli.main(['list', 'methods']))"
    command = [sys.executable, "-c", code, str(tmp_path)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "rk4" in run.stdout


def test_scripts_run_from_elsewhere(wheel: Path, tmp_path: Path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = "import sys; sys.path.insert(0, '.'); import armstep; assert armstep.__file__.startswith(sys.argv[1])"
    code += "; run = armstep.simulate('rr-swing', duration=1); print(run, armstep.__version__)"
    command = [sys.executable, "-c", code, str(tmp_path)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("<Run rr-swing, rk4: finished at t = 1 s, 100 steps")


def test_the_metadata_names_the_command(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        entry_points = archive.read("armstep-0.1.0.dist-info/entry_points.txt").decode()
        metadata = archive.read("armstep-0.1.0.dist-info/METADATA").decode()
    assert "armstep = gui.cli:main" in entry_points
    assert "License-Expression: MIT" in metadata
