"""The command line: `armstep COMMAND ...`; without a command the window opens, on a file if one is named."""

from __future__ import annotations

import argparse
import errno
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from assets.counting import words_of
from assets.errors import ArmstepError, BadInput
from assets.memory import collect_rarely
from assets.plugins import culprit, failure_of
from assets.registry import failures, unknown
from assets.version import version
from gui.command import COMMANDS, Parser

DEFAULT = "open"
BAD_INPUT = 2
OPTIONS = ("--help", "-h", "--version")
SAME_AS = {"out": ["file"], "methods": ["method"], "compare": ["method"]}
"""What messages call the value of an option, where that is not the option's own name."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the words after `armstep`; None takes them from the process.

    Returns:
        0 when all went well, 1 when a run failed numerically, 2 for bad input, with one line on stderr.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    stopped: list[int] = []
    args = argparse.Namespace(known=[])
    try:
        args = _parsed([DEFAULT, *words] if _opens(words) else words)
        if args.command != DEFAULT:
            collect_rarely()
            stop_politely(stopped)
        status = COMMANDS.find(args.command).execute(args)
        sys.stdout.flush()
        for text in failures.values():
            print(f"armstep: {text}", file=sys.stderr)
        return status
    except ArmstepError as problem:
        print(f"armstep: {' '.join(_sentence(problem, args).split())}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("armstep: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it; nothing more may be written at exit.
        _write_no_more()
        return 0
    except OSError as problem:
        if problem.errno not in FULL:
            raise
        _write_no_more()
        print(f"armstep: the output cannot be written: {problem.strerror}", file=sys.stderr)
        return BAD_INPUT
    except Exception as problem:
        if stopped and isinstance(problem, RuntimeError):
            # Stopped while a kernel was compiled: the compiler swallows the interrupt and fails later.
            print("armstep: stopped", file=sys.stderr)
            return 130
        if culprit(problem) is None:
            raise
        print(f"armstep: {failure_of(problem)}", file=sys.stderr)
        return BAD_INPUT


def _opens(words: Sequence[str]) -> bool:
    """Whether no command is named, but nothing or a file: the window opens."""
    if words[:1] in ([], ["--safe"]):
        return True
    return not words[0].startswith("-") and words[0] not in COMMANDS and Path(words[0]).exists()


def _sentence(problem: ArmstepError, args: argparse.Namespace) -> str:
    """The message; a value that was typed after an option is named as the option is: `--fps`, not `fps`."""
    if not isinstance(problem, BadInput):
        return str(problem)
    for option in args.known:
        typed = getattr(args, option.dest, None)
        values = [typed, *words_of(typed)] if isinstance(typed, str) else [typed]
        names = [name.lstrip("-") for name in option.option_strings] + SAME_AS.get(option.dest, [])
        if option.option_strings and problem.what in names and problem.value in [*values, *map(str, values)]:
            return problem.sentence(option.option_strings[0])
    return str(problem)


def stop_politely(stopped: list[int]) -> None:
    """Make Ctrl+C, SIGTERM and SIGHUP end a command alike: nothing half-written, no process left behind.

    A signal that the caller ignores, as `nohup` and background jobs do, stays ignored.

    Args:
        stopped: collects the number of each signal that came.
    """

    def stop(number: int, _: object) -> None:
        stopped.append(number)
        raise KeyboardInterrupt

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and (name == "SIGTERM" or signal.getsignal(number) is not signal.SIG_IGN):
            signal.signal(number, stop)


def _write_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """The parsed arguments; an unknown one is refused with the nearest known one."""
    parser = _parser(words)
    args, rest = parser.parse_known_args(words)
    if rest:
        options = sorted({word for option in args.known for word in option.option_strings if word.startswith("--")})
        if not rest[0].startswith("-"):
            taken = [option.metavar or option.dest for option in args.known if not option.option_strings]
            takes = f"one {' and one '.join(map(str, taken))}" if taken else "only options"
            raise ArmstepError(f"{args.command} takes {takes} ({', '.join(options)}), got also {rest[0]!r}")
        raise BadInput("argument", rest[0], "", options)
    return args


SENTENCES = {
    r"^argument (\S+): invalid float value: (.*)$": r"\1 must be a number, got \2",
    r"^argument (\S+): invalid int value: (.*)$": r"\1 must be a whole number, got \2",
    r"^argument (\S+): expected one argument$": r"\1 must be followed by a value",
    r"^the following arguments are required: (.*)$": r"\1 must be given",
}
"""argparse's messages, as patterns, in our own form."""


class _Parser(Parser):
    """A parser that raises instead of printing its usage and exiting."""

    def error(self, message: str) -> NoReturn:
        for said, ours in SENTENCES.items():
            message = re.sub(said, ours, message)
        raise ArmstepError(f"{message} (see `{self.prog} --help`)")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser; only the requested command declares its arguments."""
    known = COMMANDS.keys()
    wanted = words[0] if words else DEFAULT
    if wanted.startswith("-") and wanted not in OPTIONS:
        raise BadInput("argument", wanted, f"a command ({', '.join(known)}) or one of {', '.join(OPTIONS)}", OPTIONS)
    if not wanted.startswith("-") and wanted not in known:
        raise unknown("command", wanted, known)
    text = "A desktop laboratory that shows what a numerical integrator does to a robot."
    parser = _Parser(
        prog="armstep",
        description=text,
        epilog="Without a command the window opens, on a file if one is named.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"armstep {version()}")
    places = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)
    for name in known:
        if wanted.startswith("-") or name == wanted:
            command = COMMANDS.find(name)
            place = places.add_parser(name, help=command.summary, description=command.description, allow_abbrev=False)
            command.add_arguments(place)
            place.set_defaults(known=place.arguments)
    return parser


if __name__ == "__main__":
    sys.exit(main())
