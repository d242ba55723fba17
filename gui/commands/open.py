"""`armstep` and `armstep open FILE`: the window."""

from __future__ import annotations

import argparse
from pathlib import Path

SUMMARY = "open the window, on a scenario file if one is given"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", nargs="?", type=Path, help="a scenario file, or anything that Armstep exported")


def execute(args: argparse.Namespace) -> int:
    """Open the window; the exit status."""
    from gui.qt.application import run

    return run(args.file)
