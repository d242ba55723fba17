"""What a command is, and all that there are: each file in `gui/commands` is one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass

from assets.registry import Registry


@dataclass(frozen=True, slots=True)
class Command:
    """A word of the command line: the `COMMAND` of a file in `gui/commands`.

    Attributes:
        summary: what `armstep --help` says, without a capital or a full stop.
        description: what `armstep COMMAND --help` says above its arguments.
        add_arguments: declares the arguments.
        execute: does it; returns the exit status: 0 done, 1 the run failed numerically. Bad input is raised.
    """

    summary: str
    description: str | None
    add_arguments: Callable[[ArgumentParser], None]
    execute: Callable[[Namespace], int]


COMMANDS: Registry[Command] = Registry.of_modules("command", "gui.commands", attribute="COMMAND")
