"""`armstep prepare`: compile what the presets and their methods need, so that no run waits for it."""

from __future__ import annotations

import argparse
import json
import time

from assets.counting import counted
from assets.errors import ArmstepError
from gui.command import Command
from gui.commands._progress import ProgressBar

LOOK = 0.5
"""How often the bar is drawn again [s]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compile on all cores; 0 when everything is ready.

    Raises:
        ArmstepError: something could not be compiled.
    """
    from gui.app.units import duration
    from robots.preparation.record import Record
    from robots.preparation.team import Team

    started = time.monotonic()
    team = Team(Record())
    team.start()
    try:
        with ProgressBar() as bar:
            while not team.wait(seconds=LOOK):
                now = team.progress()
                rest = "" if now.seconds_left is None else f"about {duration(now.seconds_left)} left"
                bar.show("preparing", now.share, rest)
    finally:
        team.close()
    found, seconds = team.progress(), time.monotonic() - started
    if found.trouble:
        raise ArmstepError(f"some kernels could not be compiled: {'; '.join(found.trouble)}")
    if args.json:
        print(json.dumps({"compiled": found.compiled, "seconds": round(seconds, 3)}))
    else:
        print(f"Everything is ready: {counted(found.compiled, 'function')} compiled in {duration(seconds)}.")
    return 0


COMMAND = Command("compile ahead what presets and methods need", __doc__, add_arguments, execute)
