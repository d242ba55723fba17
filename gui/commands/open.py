"""`armstep` and `armstep open FILE`: the window."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from assets import stems
from assets.errors import ArmstepError, BadInput
from assets.plugins import OFF
from gui.command import Command
from gui.commands._scenario import add_robot_file, arguments_of
from robots.lessons.naming import PREFIX


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", nargs="?", help="a scenario, anything that Armstep exported, a preset or lesson:KEY")
    add_robot_file(parser)
    parser.add_argument("--new-window", action="store_true", help="open a new window")
    parser.add_argument("--safe", action="store_true", help="start with default settings and without plugins")


def execute(args: argparse.Namespace) -> int:
    """Open the window; the exit status.

    Raises:
        BadInput: there is no such file, no such preset and no such lesson.
        ArmstepError: there is no display to open a window on.
    """
    presets = stems("scenarios", ".json")
    known = args.file is None or args.file in presets or Path(args.file).exists()
    if args.file and args.file.startswith(PREFIX):
        from robots.lessons.library import LESSONS

        LESSONS.find(args.file.removeprefix(PREFIX))
    elif not known and not any(parent.is_file() for parent in Path(args.file or "").parents):  # a robot in a zip
        raise BadInput("file", args.file, "an existing file or a preset (`armstep list scenarios` shows all)", presets)
    arguments = arguments_of(args) if args.arguments else None
    if args.folder is not None or arguments:
        from robots.files.reading import is_robot_file

        if args.file is None or not is_robot_file(Path(args.file)):
            option, value = ("--folder", str(args.folder)) if args.folder is not None else ("--arg", args.arguments[0])
            raise BadInput(option, value, "used together with a robot file")
    if not _has_display():
        raise ArmstepError("no display to open a window on; `armstep render SCENARIO --out FILE.mp4` works without one")
    if args.safe:
        os.environ[OFF] = "no"
    from gui.qt.window import quick_start

    quick_start.begin()
    from gui.qt.window.application import run

    return run(args.file, args.folder, arguments, safe=args.safe, new_window=args.new_window)


def _has_display() -> bool:
    """Whether a window can be opened: on Linux Qt ends the process when it finds no display."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


COMMAND = Command("open the window, on a scenario file if one is given", __doc__, add_arguments, execute)
