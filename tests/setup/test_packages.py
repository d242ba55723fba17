"""The wheel and the source distribution, built and used in an environment with nothing of this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words: object, cwd: Path) -> str:
    """What a program prints; its own environment knows nothing of the source tree."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(list(map(str, words)), cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.browser
def test_wheel_and_source_distribution_work_in_a_fresh_environment(tmp_path: Path):
    built, unpacked, again = (tmp_path / name for name in ("built", "unpacked", "again"))
    run(sys.executable, "-m", "hatchling", "build", "-d", built, cwd=ROOT)
    [wheel], [source] = built.glob("*.whl"), built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(unpacked, filter="data")
    [folder] = unpacked.iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", again, cwd=folder)
    [from_source] = again.glob("*.whl")
    names = [sorted(zipfile.ZipFile(file).namelist()) for file in (wheel, from_source)]
    shared = [[name for name in those if ".data/" not in name] for those in names]
    assert shared[0] == shared[1]
    run(sys.executable, "-m", "venv", "fresh", cwd=tmp_path)
    program = tmp_path / "fresh" / "bin"
    pip = (program / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "app.txt", cwd=tmp_path)
    run(*pip, "--no-deps", from_source, cwd=tmp_path)
    assert run(program / "armstep", "--version", cwd=tmp_path).startswith("armstep ")
    ran = json.loads(run(program / "armstep", "run", "rr-swing", "--json", "--set", "duration=1", cwd=tmp_path))
    assert ran["status"] == "finished"
    run(program / "armstep", "render", "rr-swing", "--out", "still.png", "--size", "64x36", cwd=tmp_path)
    assert (tmp_path / "still.png").stat().st_size > 500
