"""`armstep desktop install|remove`: Armstep's menu entry, icons and file type on the desktop."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import assets
from assets.errors import ArmstepError, BadInput
from assets.writing import make_folder, write_atomically
from gui.command import Command

VERBS = ("install", "remove")
MIME = "application/x-armstep"
ICONS = "icons/hicolor/scalable"
RESERVED = re.compile(r"""[\s"'\\><~|&;$*?#()`]""")
"""A word of a command line with one of these stands in quotes."""

MADE = {
    "mime": ("packages/*.xml", ("XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic",
                                "mime.cache", "subclasses", "treemagic", "types", "version")),
    "applications": ("*.desktop", ("mimeinfo.cache",)),
}  # fmt: skip
"""By folder, what the desktop's own programs make there of which files."""

ENTRY = """[Desktop Entry]
Type=Application
Version=1.4
Name=Armstep
GenericName=Integrator laboratory
Comment=See what a numerical integrator does to a robot
Exec={command} open %f
Icon=armstep
Terminal=false
Categories=Education;Physics;
Keywords=integrator;robot;simulation;differential equation;
MimeType={mime};
StartupNotify=true
StartupWMClass=armstep
"""

KIND = """<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{mime}">
    <comment>Armstep scenario</comment>
    <sub-class-of type="application/json"/>
    <glob pattern="*.armstep"/>
  </mime-type>
</mime-info>
"""

LAUNCHER = "armstep/start"
"""Starts Armstep where its own path needs quotes: xdg-open without a desktop takes them as a part of the program."""

ELSEWHERE = {
    "darwin": "the Finder's Get Info > Open with",
    "win32": "the file's Properties > Opens with",
}
"""Where other systems choose the program that opens a file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb: install or remove."""
    parser.add_argument("verb", metavar="|".join(VERBS), help="add Armstep to the desktop, or remove it")


def execute(args: argparse.Namespace) -> int:
    """Write or remove the files, and print which.

    Raises:
        BadInput: for another verb.
        ArmstepError: the system is not Linux, or a file cannot be written.
    """
    if args.verb not in VERBS:
        raise BadInput("verb", args.verb, choices=VERBS)
    if sys.platform in ELSEWHERE:
        raise ArmstepError(
            f"`armstep desktop` is for Linux; on this system, choose {starter()[0]} in {ELSEWHERE[sys.platform]}"
        )
    folder = data_folder()
    wanted = files(folder)
    for name in wanted.keys() | {LAUNCHER} if args.verb == "remove" else wanted:
        file = folder / name
        if args.verb == "install":
            make_folder(file.parent)
            write_atomically(file, wanted[name].encode())
            file.chmod(0o755 if name == LAUNCHER else 0o644)
            print(f"written: {file}")
        elif file.exists():
            file.unlink()
            print(f"removed: {file}")
    _refresh(folder)
    if args.verb == "remove":
        _tidy(folder)
    elif re.search(r"\s", str(folder)):
        print(f"without a desktop, xdg-open finds nothing in {folder}: the space ends its name", file=sys.stderr)
    return 0


def data_folder() -> Path:
    """The folder of the user's menu entries, icons and file types."""
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def files(folder: Path) -> dict[str, str]:
    """The content of each file, by its name in the data folder."""
    icon, command, launcher = assets.read_text("icons/armstep.svg"), starter(), dict[str, str]()
    if any(map(RESERVED.search, command)):
        launcher[LAUNCHER] = f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'
        command = [str(folder / LAUNCHER)]
    return launcher | {
        "applications/armstep.desktop": ENTRY.format(command=" ".join(map(quoted, command)), mime=MIME),
        "mime/packages/armstep.xml": KIND.format(mime=MIME),
        f"{ICONS}/apps/armstep.svg": icon,
        f"{ICONS}/mimetypes/{MIME.replace('/', '-')}.svg": icon,
    }


def starter() -> list[str]:
    """The command that starts this Armstep."""
    script = Path(sys.executable).parent / "armstep"
    return [str(script)] if script.exists() else [sys.executable, "-m", "gui"]


def quoted(word: str) -> str:
    """A word of an entry's command line, by the rules of desktop entries, in quotes only where it needs them."""
    if not RESERVED.search(word):
        return word.replace("%", "%%")
    for special in ("\\", '"', "`", "$"):
        word = word.replace(special, "\\" + special)
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'


def _refresh(folder: Path) -> None:
    """Make the desktop read the changes now, where it has programs for that."""
    for program, place in (("update-mime-database", "mime"), ("update-desktop-database", "applications")):
        found = shutil.which(program)
        if found and (folder / place).is_dir():
            subprocess.run([found, str(folder / place)], capture_output=True, check=False)


def _tidy(folder: Path) -> None:
    """Remove what the desktop's programs have made for our files alone, and folders that are empty now."""
    for place, (sources, made) in MADE.items():
        if not any((folder / place).glob(sources)):
            for name in made:
                (folder / place / name).unlink(missing_ok=True)
    last = Path.home() if folder.is_relative_to(Path.home()) else folder.parent
    for name in (*files(folder), LAUNCHER, f"mime/{MIME}.xml"):
        for place in (folder / name).parents:
            if place == last:
                break
            if place.is_dir() and not any(place.iterdir()):
                place.rmdir()


COMMAND = Command("add Armstep to the desktop's menu and files, or remove it", __doc__, add_arguments, execute)
