"""`armstep doctor`: what this machine has, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

from assets.version import version
from gui.command import Command
from gui.version import LIBRARIES

SYSTEM_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libEGL.so.1": "libegl1",
    "libGLX_mesa.so.0": "libglx-mesa0",
    "libEGL_mesa.so.0": "libegl-mesa0",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""The libraries that Qt and OpenGL load on Linux, and their Debian packages."""

PROBE_SECONDS = 30

GRAPHICS_REMEDY = (
    "Install or update the graphics driver; on Debian and Ubuntu: "
    "sudo apt-get install -y libgl1-mesa-dri libegl-mesa0 libglx-mesa0"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report.

    Attributes:
        topic: what was checked.
        state: `good`, `note` (works, but a person should know) or `missing`.
        text: what was found.
        remedy: how to get what is missing.
    """

    topic: str
    state: str
    text: str
    remedy: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the report; 0 when nothing is missing, else 1."""
    findings = list(examine())
    missing = [finding for finding in findings if finding.state == "missing"]
    if args.json:
        print(json.dumps({"ok": not missing, "findings": [asdict(finding) for finding in findings]}, indent=2))
        return 1 if missing else 0
    marks = {"good": "ok", "note": "--", "missing": "!!"}
    for finding in findings:
        print(f" {marks[finding.state]}  {finding.topic:<18} {finding.text}")
    notes = [finding for finding in findings if finding.state == "note"]
    for heading, group in (("What to do:", missing), ("Worth knowing:", notes)):
        remedies = list(dict.fromkeys(finding.remedy for finding in group if finding.remedy))
        if remedies:
            print("\n" + "\n  ".join([heading, *remedies]))
    if not missing:
        print("\nNothing is missing.")
    return 1 if missing else 0


def examine() -> Iterator[Check]:
    """Every finding, the simple ones first."""
    yield Check("Armstep", "good", version())
    yield Check("Python", "good", f"{platform.python_version()} at {sys.executable}")
    yield Check("system", "good", f"{platform.platform()}, {os.cpu_count()} cores")
    yield from libraries()
    if sys.platform == "linux":
        yield system_libraries()
    yield from graphics()
    yield from encoders()
    yield from folders()


def libraries() -> Iterator[Check]:
    """The Python packages, asked for their version without being loaded."""
    for name in LIBRARIES:
        try:
            yield Check(name, "good", installed_version(name))
        except PackageNotFoundError:
            yield Check(
                name, "missing", "not installed", f"./run --setup    (or: {sys.executable} -m pip install {name})"
            )


def system_libraries() -> Check:
    """The shared libraries that come with the system."""
    lacking = [package for library, package in SYSTEM_LIBRARIES.items() if not _loads(library)]
    if not lacking:
        return Check("system libraries", "good", f"all {len(SYSTEM_LIBRARIES)} found")
    command = "sudo apt-get update && sudo apt-get install -y --no-install-recommends " + " ".join(lacking)
    return Check("system libraries", "missing", "not found: " + " ".join(lacking), command)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def graphics() -> Iterator[Check]:
    """The display and OpenGL, in a window and without one."""
    shown = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    if sys.platform == "linux" and not shown:
        advice = "No display: the window cannot open here. `armstep render` and ./run draw to a file instead."
        yield Check("display", "note", "none (DISPLAY and WAYLAND_DISPLAY are not set)", advice)
    else:
        yield Check("display", "good", shown or "the desktop")
        yield opengl_check("OpenGL, window", "window")
    yield opengl_check("OpenGL, export", "offscreen")


def opengl_check(topic: str, probe: str) -> Check:
    """Whether OpenGL works, tried in a separate process."""
    remedy = GRAPHICS_REMEDY
    command = [sys.executable, "-m", "gui.qt.window.probe", probe]
    root = Path(__file__).resolve().parents[2]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, cwd=root, check=False)
    except subprocess.TimeoutExpired:
        return Check(topic, "missing", f"no answer within {PROBE_SECONDS} s", remedy)
    try:
        found = json.loads(answer.stdout.strip().splitlines()[-1])
    except (json.JSONDecodeError, IndexError):
        last = (answer.stderr.strip().splitlines() or [f"ended with status {answer.returncode}"])[-1]
        return Check(topic, "missing", last, remedy)
    if "failure" in found:
        return Check(topic, "missing", found["failure"], remedy)
    text = f"{found.get('renderer', '?')}, OpenGL {found.get('version', '?')}"
    if any(name in text.lower() for name in ("llvmpipe", "softpipe", "swiftshader")):
        return Check(topic, "note", text, "OpenGL runs on the processor: pictures are the same, High quality is slow.")
    return Check(topic, "good", text)


def encoders() -> Iterator[Check]:
    """Whether films can be written."""
    try:
        from av.codec import Codec

        Codec("libx264", "w")
    except Exception as trouble:  # av raises its own error classes, and ImportError if its library is broken
        yield Check("H.264 encoder", "missing", str(trouble), f"{sys.executable} -m pip install --force-reinstall av")
    else:
        yield Check("H.264 encoder", "good", "libx264")


def folders() -> Iterator[Check]:
    """The folders of settings and caches, their sizes, and whether they are writable."""
    from gui.app.settings import Settings

    settings = Settings()
    kept = {"settings": settings.folder, "references": settings.cache_folder}
    compiled = os.environ.get("NUMBA_CACHE_DIR")
    if compiled:
        kept["compiled kernels"] = Path(compiled)
    for topic, folder in kept.items():
        yield folder_check(topic, folder)


def folder_check(topic: str, folder: Path) -> Check:
    """Whether a folder can be written."""
    there = folder
    while not there.exists():
        there = there.parent
    if not os.access(there, os.W_OK):
        return Check(topic, "missing", f"{folder} is not writable", f"Make {there} writable for {_user()}.")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.exists() else 0
    free = shutil.disk_usage(there).free
    text = f"{folder} ({size / 2**20:.1f} MiB, {free / 2**30:.0f} GiB free)"
    if free < 200 * 2**20:
        return Check(topic, "note", text, f"The disk with {folder} is almost full: exports and caches may fail.")
    return Check(topic, "good", text)


def _user() -> str:
    import getpass

    return getpass.getuser()


COMMAND = Command("report versions, display and graphics, and what is missing", __doc__, add_arguments, execute)
