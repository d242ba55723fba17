"""Builds one folder with Armstep, Python and every library, for Linux without Python: `python bundle/build.py`.

Writes `build/bundle/armstep`; its program is `armstep/armstep`. It needs the packages that `./test --setup` installs.
The system must bring what a desktop has: OpenGL, fonts, and a C library as old as that of the machine that built it.
Kernels are compiled in the background at the first start.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(words: list[str] | None = None) -> int:
    """Build the bundle; PyInstaller's exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bundle", help="the folder to write")
    out = parser.parse_args(words).out.resolve()
    tool = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    folders = ["--distpath", str(out), "--workpath", str(out / "work")]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [*tool, *folders, str(ROOT / "bundle" / "armstep.spec")], env={**os.environ, "PYTHONPATH": path}, check=False
    )
    if done.returncode == 0:
        print(out / "armstep" / "armstep")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
