"""`armstep robot`: what a robot file describes, and everything in it that is not taken as it is."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from assets.counting import counted
from gui.command import Command
from gui.commands._scenario import add_robot_file, arguments_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, the folder of its meshes, and what to do with the robot."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a robot file, or a folder or zip with one")
    add_robot_file(parser)
    parser.add_argument("--out", metavar="FILE.json", type=Path, help="write the robot as a scenario")
    parser.add_argument(
        "--repair", action="store_true", help="replace impossible masses and inertias, and list the changes"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the report and, with --out, write the scenario."""
    from robots.files.reading import read_robot, scenario_from
    from robots.model.repair import repaired
    from robots.scenario.file import save_scenario

    found = read_robot(args.file, args.folder, arguments_of(args))
    tree = repaired(found.tree) if args.repair and found.tree.fault() else found.tree
    if args.out:
        save_scenario(scenario_from(replace(found, tree=tree), args.file.name), args.out)
    if args.json:
        repairs = {"repairs": list(tree.repairs)} if args.repair else {}
        print(json.dumps(found.to_data() | repairs))
        return 0
    print(f"{found.tree.name}: {counted(len(found.joints), 'joint')}, moves by {found.moves}")
    print(f"  joints   {', '.join(found.joints)}")
    if found.tip:
        print(f"  tip      {found.tree.tip_joint}: the file has no tool frame")
    for rule in found.followers:
        print(f"  follows  {rule}")
    for topic, remark in found.remarks():
        print(f"  {topic:<10} {f'line {remark.place}: ' if remark.place else ''}{remark.what}")
    for change in tree.repairs:
        print(f"  repaired   {change}")
    return 0


COMMAND = Command("report what a robot file describes", __doc__, add_arguments, execute)
