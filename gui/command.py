"""A command, and all commands: each file in `gui/commands` is one."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assets.registry import Registry


class Parser(ArgumentParser):
    """A parser that knows its arguments.

    Attributes:
        arguments: what was declared, in its order; the first is `--help`.
    """

    def __init__(self, **options: Any) -> None:
        self.arguments: list[Action] = []
        super().__init__(**options)

    def add_argument(self, *names: Any, **options: Any) -> Action:
        """Declare an argument, as `argparse` does."""
        action = super().add_argument(*names, **options)
        self.arguments.append(action)
        return action


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line: the `COMMAND` of a file in `gui/commands`.

    Attributes:
        summary: its line in `armstep --help`, without a capital or a full stop.
        description: the text of `armstep COMMAND --help` above its arguments.
        add_arguments: declares the arguments.
        execute: does it; returns the exit status: 0 done, 1 the run failed numerically. Bad input is raised.
    """

    summary: str
    description: str | None
    add_arguments: Callable[[ArgumentParser], None]
    execute: Callable[[Namespace], int]


COMMANDS: Registry[Command] = Registry.of_modules("command", "gui.commands", attribute="COMMAND")
