"""`armstep run`: simulate one scenario and report its numbers."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import BadInput
from gui.command import Command

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario
    from robots.simulation.run import ReferenceErrors, Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, its settings, and what to write."""
    add_scenario(parser)
    parser.add_argument("--reference", action="store_true", help="compute the reference run and the errors against it")
    parser.add_argument("--out", metavar="FILE", help="the states over time: .csv or .npz; the script: .py")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Simulate and report; 0 when the run finished, 1 when it failed numerically."""
    from robots.export.tables import check_target, write_table

    scenario, remark = edited(args)
    target = check_target(Path(args.out), scenario) if args.out else None
    run, errors = computed(scenario, args.reference, remark)
    if target:
        write_table(run, target)
    if args.json:
        print(json.dumps(run.to_dict(errors), allow_nan=False))
    else:
        print(report(run, errors))
        if target:
            print(f"written to {target}")
    return 0 if run.status.ok else 1


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """SCENARIO and `--set`, as several commands take them."""
    parser.add_argument(
        "scenario", metavar="SCENARIO", help="a preset's key (`armstep list scenarios`) or a scenario file"
    )
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a field: method=rk4, step=0.01, rtol=1e-6, robot.m1=2 ...; may be repeated",
    )


def settings_of(texts: Sequence[str]) -> dict[str, str]:
    """`KEY=VALUE` texts as a mapping; a later one wins.

    Raises:
        BadInput: for a text without a key or `=`.
    """
    settings = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise BadInput("--set", text, "KEY=VALUE, such as step=0.01")
        settings[key.strip()] = value
    return settings


def configured(args: argparse.Namespace, **more: str) -> Scenario:
    """The scenario that the arguments name, with their `--set` values (and `more`) in place.

    Raises:
        BadInput: for an unknown scenario or field, or a value that is refused.
    """
    return edited(args, **more)[0]


def edited(args: argparse.Namespace, **more: str) -> tuple[Scenario, str]:
    """The same, with what `Scenario.edited` remarks."""
    from robots.scenario.presets import find_scenario

    return find_scenario(args.scenario).edited({**settings_of(args.settings), **more})


def computed(scenario: Scenario, reference: bool, remark: str = "") -> tuple[Run, ReferenceErrors | None]:
    """The run, and its errors against the reference if that is wanted and exists; a terminal sees the progress.

    The run's message ends with the `remark` on how the scenario came about.
    """
    from dataclasses import replace

    from robots.simulation.reference import compare_with_reference
    from robots.simulation.reference import reference as reference_run
    from robots.simulation.simulate import simulate

    with Bar(f"{scenario.name or scenario.robot}, {scenario.method}") as progress:
        run = simulate(scenario, progress=progress)
    run = replace(run, message=" ".join(filter(None, (run.message, remark))))
    if not reference:
        return run, None
    with Bar("reference") as progress:
        exact = reference_run(scenario, progress=progress)
    return run, compare_with_reference(run, exact) if exact else None


class Bar:
    """A progress line on stderr, where that is a terminal; wiped when done."""

    def __init__(self, label: str) -> None:
        self.label, self.shown = label, -1

    def __enter__(self) -> Callable[[float], None]:
        return self.show

    def __exit__(self, *_: object) -> None:
        if self.shown >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def show(self, share: float) -> None:
        """Draw the line when the whole percentage has changed."""
        percent = int(100 * share)
        if percent == self.shown or not sys.stderr.isatty():
            return
        self.shown = percent
        filled = "#" * (percent // 4)
        print(f"\r{self.label}  [{filled:<25}] {percent:3d} %", end="", file=sys.stderr, flush=True)


def report(run: Run, errors: ReferenceErrors | None) -> str:
    """The run's numbers for a person."""
    result = run.to_dict(errors)
    counts = f"{result['steps']} steps, {result['rejected']} rejected, {result['rhs_evaluations']} evaluations"
    final = ", ".join(f"{name} = {_number(value)}" for name, value in result["final"].items())
    lines = [
        f"{result['scenario'] or run.scenario.robot}: {run.status}. {result['message']}",
        f"  method   {result['method']}: {counts}, {1e3 * result['compute_seconds']:.3g} ms",
        f"  final    t = {result['t_end']:g} s: {final}",
    ]
    for name, value in result["max_error"].items():
        last = result["final_error"].get(name)
        lines.append(
            f"  error    {name}: at most {_number(value)}"
            + (f", {_number(last)} at the end" if last is not None else "")
        )
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.6g}"


COMMAND = Command("simulate a scenario and print its numbers", __doc__, add_arguments, execute)
