"""SCENARIO and `--set`, shared by several commands, and the run that they describe."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.counting import words_of
from assets.errors import BadInput
from assets.fields import SETTING
from gui.commands._forecast import Forecast
from gui.commands._progress import ProgressBar

if TYPE_CHECKING:
    from gui.front.runs import Run
    from robots.scenario.scenario import Scenario


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """SCENARIO, `--set` and what concerns robot files, as several commands take them."""
    parser.add_argument(
        "scenario",
        metavar="SCENARIO",
        help="a preset's key (`armstep list scenarios`), a scenario file, or anything that Armstep exported",
    )
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a field: method=rk4, step=0.01, rtol=1e-6, robot.m1=2 ...; may be repeated",
    )
    add_robot_file(parser)
    parser.add_argument(
        "--log", type=Path, metavar="FILE.csv", help="a recorded log of the joints' positions or torques over time"
    )
    parser.add_argument(
        "--log-as", metavar="USE", help="follow it, apply its torques, or show it as a ghost: follow, torques, ghost"
    )
    parser.add_argument("--log-unit", metavar="UNIT", help="rad or deg, for angles whose column names no unit")


def add_robot_file(parser: argparse.ArgumentParser) -> None:
    """The options of a robot file."""
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where a robot's meshes are, if not beside its file")
    parser.add_argument(
        "--arg", dest="arguments", metavar="NAME=VALUE", action="append", default=[], help="an argument of a xacro file"
    )


def add_ensemble(parser: argparse.ArgumentParser) -> None:
    """`--spread`, `--members` and `--seed`: the ensemble of the scenario."""
    parser.add_argument(
        "--spread",
        action="append",
        default=[],
        metavar="FIELD=WIDTH[:uniform]",
        help="draw a field of each member of an ensemble: WIDTH is the standard deviation; may be repeated",
    )
    members = "how many members the ensemble has (100); 0 leaves out the scenario's own"
    parser.add_argument("--members", type=int, metavar="N", help=members)
    parser.add_argument("--seed", type=int, metavar="S", help="of the ensemble's random numbers (1)")


def add_figure(parser: argparse.ArgumentParser) -> None:
    """Add the options of a figure; options that are not given are absent from the arguments."""
    add_style(parser)
    title = "the heading (the scenario's title)"
    parser.add_argument("--title", default=argparse.SUPPRESS, metavar="TEXT", help=title)
    outlines = "write the text of an SVG drawing as shapes, which need no font"
    parser.add_argument("--outlines", default=argparse.SUPPRESS, action="store_true", help=outlines)


def add_style(parser: argparse.ArgumentParser) -> None:
    """Add the options of a figure's style in the same way."""

    def add(option: str, text: str, **more: Any) -> None:
        parser.add_argument(option, default=argparse.SUPPRESS, help=text, **more)

    add("--theme", "light, dark, projector, for a figure also mono (light)", metavar="NAME")
    add("--style", "a figure's style: paper, slides, web or your own (paper up to 130 mm, else web)", metavar="NAME")
    add("--width", "a figure's width, such as 85mm", metavar="LENGTH")
    add("--height", "a figure's height (what the charts need)", metavar="LENGTH")
    add("--font", 'family and size in points, such as "serif 9"', metavar="FONT")
    parts = "what a figure shows: some of title,legend,names,grid,letters,caption,playhead"
    add("--show", parts, metavar="A,B")
    add("--dpi", "dots per inch of a figure's pictures", type=float, metavar="N")


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the options of a table; options that are not given are absent from the arguments."""
    also = "further columns: some of tip,orientation,errors,series,step,ensemble, or all"
    parser.add_argument("--also", default=argparse.SUPPRESS, metavar="A,B", help=also)
    every = "a row every S seconds (the run's own steps)"
    parser.add_argument("--every", default=argparse.SUPPRESS, type=float, metavar="S", help=every)
    table = "states; steps: a row for each attempted step; members: for each member of the ensemble (states)"
    parser.add_argument("--table", default=argparse.SUPPRESS, metavar="NAME", help=table)


def arguments_of(args: argparse.Namespace) -> dict[str, str]:
    """The arguments of a xacro file; raises BadInput for a text without a name or a value."""
    return settings_of(args.arguments, "--arg", "NAME=VALUE")


def settings_of(texts: Sequence[str], option: str = "--set", must: str = SETTING) -> dict[str, str]:
    """`KEY=VALUE` texts as a mapping; the last one wins.

    Raises:
        BadInput: for a text without a key or `=`.
    """
    settings = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise BadInput(option, text, must)
        settings[key.strip()] = value
    return settings


def given_settings(args: argparse.Namespace) -> dict[str, object]:
    """The settings of an export that were given, by name: those that were not are absent from the arguments."""
    from gui.qt.export.settings import ExportSettings

    return {field.name: getattr(args, field.name) for field in fields(ExportSettings) if hasattr(args, field.name)}


def methods_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The keys in `--methods`. Raises BadInput if there is none."""
    keys = words_of(args.methods)
    if not keys:
        raise BadInput("--methods", args.methods, "method keys separated by commas, such as rk4,dop853")
    return keys


def configured(args: argparse.Namespace, **more: str) -> Scenario:
    """The scenario that the arguments name, with their `--set` values (and `more`).

    Raises:
        BadInput: for an unknown scenario or field, or a value that is refused.
    """
    return edited(args, **more)[0]


def edited(args: argparse.Namespace, **more: str) -> tuple[Scenario, str]:
    """The same, with the remark of `Scenario.edited`."""
    from gui.front import simulation

    found = simulation.scenario(args.scenario, args.folder, arguments_of(args))
    if args.log is not None:
        from robots.scenario.logs import log_from, with_log

        log, use = log_from(args.log, found, args.log_unit or ""), args.log_as
        found = with_log(found, log, use, args.log.name)
    elif wrong := next((name for name in ("log_as", "log_unit") if getattr(args, name) is not None), None):
        raise BadInput(f"--{wrong.replace('_', '-')}", getattr(args, wrong), "used together with --log")
    settings = settings_of(args.settings)
    scenario, remark = found.edited({**settings, **more})
    around = _with_ensemble(scenario, args)
    if not more:
        say_idle(around, [*settings, *(around.ensemble.spread if around.ensemble else ())])
    return around, remark


def say_idle(scenario: Scenario, paths: Iterable[str]) -> None:
    """Say which of these fields have no effect on a run."""
    from robots.scenario.effect import without_effect

    for sentence in without_effect(scenario, paths):
        print(f"armstep: {sentence}", file=sys.stderr)


def _with_ensemble(scenario: Scenario, args: argparse.Namespace) -> Scenario:
    """The scenario with the ensemble that the arguments describe."""
    from robots.scenario.ensemble import MEMBERS, SEED, Ensemble, spread_of

    given = {name: getattr(args, name, None) for name in ("members", "seed")}
    spread, before = dict(map(spread_of, getattr(args, "spread", ()))), scenario.ensemble
    if given["members"] == 0:
        return replace(scenario, ensemble=None)
    asked = {name: value for name, value in given.items() if value is not None}
    if not spread and before is None:
        for name, value in asked.items():
            raise BadInput(f"--{name}", value, "used together with --spread")
        return scenario
    usual = {"members": MEMBERS.default, "seed": SEED.default} if before is None else {}
    made = replace(before, **asked) if before else Ensemble(spread, **{**usual, **asked})
    return replace(scenario, ensemble=replace(made, spread=spread) if spread else made)


def computed(
    scenario: Scenario, reference: bool, remark: str = "", workers: int | None = None, scheduler: str = ""
) -> Run:
    """The run of `gui.front.simulation.computed`, with its progress in a terminal."""
    from gui.front import simulation

    with Forecast(scenario, ProgressBar()) as bar:
        return simulation.computed(
            scenario,
            remark,
            reference=reference,
            progress=bar.show,
            watch=bar.look.watch,
            workers=workers,
            scheduler=scheduler,
        )
