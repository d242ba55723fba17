"""`armstep compare`: one scenario by several methods."""

from __future__ import annotations

import argparse
import json
from typing import Any

from assets.errors import BadInput
from gui.commands.run import add_scenario, computed, configured

SUMMARY = "simulate a scenario by several methods and compare their numbers"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, the methods, and `--json`."""
    add_scenario(parser)
    parser.add_argument("--methods", required=True, metavar="A,B,C", help="keys or aliases of methods")
    parser.add_argument("--reference", action="store_true", help="compute the reference run and the errors against it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Simulate by each method and report; 0 when every run finished, 1 when one failed numerically."""
    keys = [key.strip() for key in args.methods.split(",") if key.strip()]
    if not keys:
        raise BadInput("--methods", args.methods, "methods' keys with commas between them, such as rk4,dop853")
    scenarios = [configured(args, method=key) for key in keys]
    results = []
    for scenario in scenarios:
        run, errors = computed(scenario, args.reference)
        results.append(run.to_dict(errors))
    if args.json:
        head = {"scenario": scenarios[0].name, "robot": scenarios[0].robot}
        print(json.dumps({**head, "runs": results}, allow_nan=False))
    else:
        print(table(results))
    return 0 if all(result["status"] == "finished" for result in results) else 1


def table(results: list[dict[str, Any]]) -> str:
    """One row per run, for a person."""
    names = list(dict.fromkeys(name for result in results for name in result["max_error"]))
    head = ["method", "status", "steps", "rejected", "evaluations", "time [ms]", *(f"max {name}" for name in names)]
    rows = [head]
    for result in results:
        errors = [result["max_error"].get(name) for name in names]
        counts = [str(result[name]) for name in ("steps", "rejected", "rhs_evaluations")]
        time = f"{1e3 * result['compute_seconds']:.3g}"
        rows.append(
            [result["method"], result["status"], *counts, time, *("-" if e is None else f"{e:.3g}" for e in errors)]
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
