"""Run the benchmarks and print them as a table; with --json also write them to a file.

Each benchmark is a module of this folder with a docstring and a function `measure()` that returns Measurements. It runs
in a process of its own, one after the other, with no other work of ours beside it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
NOT_BENCHMARKS = {"__init__", "__main__", "measurement", "window"}


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


def main() -> int:
    """Run what was asked for; the exit status is 1 when a benchmark could not run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default all: {', '.join(names())}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write everything to this file")
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
    return 0 if all(result["measurements"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
