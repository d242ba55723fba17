"""`armstep robot`: what a robot file describes, and everything in it that is not taken as it is."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from gui.command import Command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and where its meshes are."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a robot file, or a folder or zip with one")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where its meshes are, if not beside it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Read and report."""
    from robots.files.reading import read_robot

    found = read_robot(args.file, args.folder)
    if args.json:
        print(json.dumps(found.to_data()))
        return 0
    print(f"{found.tree.name}: {len(found.joints)} joints, moves by {found.moves}")
    print(f"  joints   {', '.join(found.joints)}")
    for topic, remark in found.remarks():
        print(f"  {topic:<10} line {remark.line}: {remark.what}")
    return 0


COMMAND = Command("report what a robot file describes", __doc__, add_arguments, execute)
