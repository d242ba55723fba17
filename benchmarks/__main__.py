"""Run the benchmarks and print them as a table; with --json also write them to a file, with --pages into pages.

Each benchmark is a module of this folder with a docstring and a function `measure()` that returns Measurements. It runs
in a process of its own, one after the other, with no other work of ours beside it.

A page has the medians of the measurements of one unit between `<!-- benchmark: NAME, in UNIT -->` and `<!-- end -->`.
They are those of `RECORDED` beside it, which `--pages` brings up to date.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RECORDED = "benchmarks.json"
BLOCK = re.compile(r"(?P<head><!-- benchmark: (?P<name>\w+), in (?P<unit>\S+) -->)\n.*?<!-- end -->", re.DOTALL)
NOT_BENCHMARKS = {"__init__", "__main__", "c_programs", "measurement", "problems", "window"}


def names() -> list[str]:
    """Every benchmark in the folder."""
    return sorted(file.stem for file in FOLDER.glob("*.py") if file.stem not in NOT_BENCHMARKS)


def measure_here(name: str) -> dict[str, Any]:
    """Run one benchmark in this process."""
    module = importlib.import_module(f"benchmarks.{name}")
    title = (module.__doc__ or name).strip().splitlines()[0]
    return {"benchmark": name, "title": title, "measurements": [entry.to_dict() for entry in module.measure()]}


def measure_apart(name: str) -> dict[str, Any]:
    """Run one benchmark in a process of its own; what it prints goes to stderr, its result is the last line."""
    command = [sys.executable, "-m", "benchmarks", "--here", name]
    run = subprocess.run(command, cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        return {"benchmark": name, "title": f"failed with exit status {run.returncode}", "measurements": []}
    return json.loads(run.stdout.splitlines()[-1])


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def number(value: float) -> str:
    """Four significant figures."""
    return f"{value:.4g}"


def print_table(result: dict[str, Any]) -> None:
    """One benchmark as lines of a table."""
    print(f"\n{result['benchmark']}: {result['title']}")
    for entry in result["measurements"]:
        goal = "" if entry["goal"] is None else f"{'>=' if entry['at_least'] else '<='} {number(entry['goal'])}"
        verdict = {None: "", True: "reached", False: "NOT REACHED"}[entry["reached"]]
        which = "" if entry["percentile"] == 50 else f", {entry['percentile']:g}th percentile"
        if entry["samples"]:
            value, spread = f"{number(entry['value'])} {entry['unit']}", f"spread {number(entry['spread']):>9}"
        else:
            value, spread = "not measured", ""
        print(f"  {entry['name'] + which:<58} {value:>14}  {spread:<16}  {goal:>9}  {verdict}")
        if entry["note"]:
            print(f"      {entry['note']}")


def updated(page: str, recorded: Mapping[str, Any]) -> str:
    """The page with what is recorded of the benchmarks that it names."""
    results = {one["benchmark"]: one["measurements"] for one in recorded["results"]}
    machines = {one["benchmark"]: one["machine"] for one in recorded["results"]}

    def block(match: re.Match[str]) -> str:
        chosen = [one for one in results.get(match["name"], ()) if one["unit"] == match["unit"] and one["samples"]]
        rows = [
            " | ".join((one["name"], *(f"{one[key]:.3g}" for key in ("median", "minimum", "maximum"))))
            for one in chosen
        ]
        lines = [f"measured, in {match['unit']} | median | least | most", "---|---|---|---", *rows]
        text = "\n".join(f"| {line} |" if line[0] != "-" else f"|{line}|" for line in lines)
        where = machines.get(match["name"], {})
        measured_on = "{processor}, {cores} cores, load {load:.1f}, Python {python}.".format(**where) if where else ""
        return f"{match['head']}\n{text}\n\n{measured_on}\n<!-- end -->" if chosen else match[0]

    return BLOCK.sub(block, page)


def record(folder: Path, where: dict[str, Any], results: list[dict[str, Any]]) -> None:
    """Replace what is recorded beside the pages of a folder by these results, and write them into the pages."""
    file = folder / RECORDED
    before = json.loads(file.read_text("utf-8"))["results"] if file.exists() else []
    kept = {one["benchmark"]: one for one in before} | {
        one["benchmark"]: {**one, "machine": where} for one in results if one["measurements"]
    }
    recorded = {"results": [kept[name] for name in sorted(kept)]}
    file.write_text(json.dumps(recorded, indent=1) + "\n", "utf-8")
    for page in folder.glob("*.md"):
        page.write_text(updated(page.read_text("utf-8"), recorded), "utf-8")


def main() -> int:
    """Run what was asked for; the exit status is 1 when a benchmark could not run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default all: {', '.join(names())}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write everything to this file")
    parser.add_argument("--pages", type=Path, metavar="DIR", help="also write it into the pages of this folder")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(names())
    if unknown:
        parser.error(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    if arguments.here:
        print(json.dumps(measure_here(arguments.names[0])))
        return 0
    where = machine()
    print(f"{where['processor']}, {where['cores']} cores, load {where['load']}")
    print(f"{where['system']}, Python {where['python']}")
    results = []
    for name in arguments.names or names():
        results.append(measure_apart(name))
        print_table(results[-1])
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": where, "results": results}, indent=1) + "\n", "utf-8")
    if arguments.pages:
        record(arguments.pages, where, results)
    return 0 if all(result["measurements"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
