"""`armstep sweep`: run a scenario over ranges of one or two fields and keep some readouts of each run.

A run that fails keeps its status. With --out, results survive an interruption, and --resume continues. What was
computed before with the same version, by a sweep or a map, is read from the disk.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from assets.clock import TimeLeft
from assets.errors import BadInput
from gui.command import Command
from gui.commands._progress import ProgressBar
from gui.commands._scenario import add_scenario, configured, methods_of, say_idle

if TYPE_CHECKING:
    from robots.sweeps.sweep import Sweep, SweepResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, the ranges, the readouts and the file."""
    add_scenario(parser)
    parser.add_argument(
        "--over",
        action="append",
        required=True,
        metavar="FIELD=FROM:TO:COUNT[:log]",
        help="an axis: step=0.001:0.1:20:log, robot.m1=0.5:2:16, tolerance=1e-9:1e-3:7:log ...; once or twice",
    )
    parser.add_argument(
        "--show",
        required=True,
        metavar="READOUT,READOUT",
        help="readouts to keep: max_error.KEY, final_error.KEY, final.q1, steps, t_end, order, value(q1,2) ...",
    )
    parser.add_argument("--methods", metavar="A,B", help="keys or aliases of methods: one more axis")
    parser.add_argument("--reference", action="store_true", help="compute reference runs for errors against them")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result to FILE.npz, FILE.csv or FILE.json")
    parser.add_argument("--workers", type=int, metavar="N", help="how many processes compute (one per core)")
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="let the workers of a running Dask cluster compute too"
    )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted sweep to the same file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compute, write and report; returns 0 even if runs fail, since a failed run is a result too."""
    from gui.app.desks.readout_words import parted
    from gui.app.units import duration
    from gui.qt.export.tables import check_table, write_table
    from robots.sweeps.cluster import warning_about
    from robots.sweeps.files import SweepTable
    from robots.sweeps.run_sweep import run_sweep
    from robots.sweeps.storage.journal import Journal, journal_of
    from robots.sweeps.storage.kept import read_result, write_result

    if args.out:
        check_table("--out", args.out)
    if args.resume and not args.out:
        raise BadInput("--resume", None, "used together with --out")
    sweep = _sweep(args)
    if warning := warning_about(args.scheduler):
        print(warning, file=sys.stderr)
    before, left = read_result(sweep), TimeLeft()
    missing = len(before.missing)
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(journal_of(args.out), sweep, resume=args.resume)) if args.out else None
        bar = stack.enter_context(ProgressBar())

        def show(share: float) -> None:
            left.advance(share)
            rest = "" if left.seconds is None else f", {duration(left.seconds)} left"
            bar.show("sweep", share, f"{round(share * sweep.size)} of {sweep.size} runs{rest}")

        result = run_sweep(
            sweep,
            workers=args.workers,
            scheduler=args.scheduler,
            known=journal.parts if journal else (),
            into=before,
            progress=show,
            on_part=journal.add if journal else None,
        )
        if missing:
            write_result(result)
        if journal:
            write_table(SweepTable(result), args.out)
            journal.remove()
    if remark := parted(result):
        print(f"armstep: {remark}", file=sys.stderr)
    print(json.dumps(_plain(result), allow_nan=False) if args.json else _report(result, args.out))
    return 0


def _sweep(args: argparse.Namespace) -> Sweep:
    """The sweep that the arguments describe."""
    from robots.sweeps.axes import axis
    from robots.sweeps.run_numbers import run_numbers
    from robots.sweeps.sweep import Sweep

    scenario = configured(args)
    keys = () if args.methods is None else methods_of(args)
    # A tolerance suits the methods that are asked for, if not the scenario's own.
    first = scenario.with_value("method", keys[0]) if keys else scenario
    axes = tuple(axis(text, first) for text in args.over)
    say_idle(scenario, (axis.field for axis in axes))
    return Sweep(scenario, axes, tuple(one.name for one in run_numbers(args.show)), keys, args.reference)


def _plain(result: SweepResult) -> dict[str, object]:
    """The result as the values of a JSON object."""
    from assets.json_values import finite_json

    sweep = result.sweep
    return finite_json(
        {
            "scenario": sweep.scenario.name,
            "robot": sweep.scenario.robot,
            "axes": [{"field": axis.field, "values": axis.values} for axis in sweep.axes],
            "methods": [base.method for base in sweep.bases],
            "status": result.statuses().tolist(),
            "readouts": {name: values.tolist() for name, values in result.readings().items()},
        }
    )


def _report(result: SweepResult, file: Path | None) -> str:
    """How many runs ended in each status, and the range of each readout, as text."""
    import numpy as np

    ends = Counter(result.statuses().ravel().tolist())
    lines = [f"{result.sweep.size} runs: " + ", ".join(f"{count} {status}" for status, count in ends.most_common())]
    for name, values in result.readings().items():
        known = values[np.isfinite(values)]
        lines.append(
            f"  {name}: " + (f"{known.min():.6g} to {known.max():.6g}" if known.size else "no run has a value")
        )
    return "\n".join(lines + ([f"written to {file}"] if file else []))


COMMAND = Command("run a scenario over ranges of one or two fields", __doc__, add_arguments, execute)
