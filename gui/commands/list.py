"""`armstep list`: the keys of everything available."""

from __future__ import annotations

import argparse
import json

from assets.errors import BadInput
from gui.command import Command
from gui.front.listing import KINDS, listed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The kind, and `--json`."""
    parser.add_argument("kind", nargs="?", metavar="KIND", help="one of " + ", ".join(KINDS) + "; default: everything")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the lists; always 0."""
    if args.kind and args.kind not in KINDS:
        raise BadInput("kind", args.kind, choices=KINDS)
    found = {kind: listed(kind) for kind in ([args.kind] if args.kind else KINDS)}
    if args.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return 0
    for kind, entries in found.items():
        if len(found) > 1:
            print(f"{kind}:")
        width = max((len(entry["key"]) for entry in entries), default=0)
        for entry in entries:
            other = f"  ({', '.join(entry['aliases'])})" if entry["aliases"] else ""
            print(f"  {entry['key']:<{width}}  {entry['title']}{other}")
            if entry.get("figures"):
                print(f"  {'':<{width}}    {', '.join(entry['figures'])}")
        if not entries:
            print("  none")
    return 0


COMMAND = Command("list robots, methods, presets, plugins and the rest", __doc__, add_arguments, execute)
