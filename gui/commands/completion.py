"""`armstep completion`: print a script that completes commands in a shell, or a manual page."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from assets.counting import capital
from assets.errors import BadInput
from assets.version import version
from gui.command import COMMANDS, Command, Parser

PANELS = "--plots"


@dataclass(frozen=True, slots=True)
class Words:
    """The words that can follow a command.

    Attributes:
        name, summary: of the command.
        options: option to its help.
        values: option to the name of its value, if it takes one.
        keys: possible values of its first argument, besides files.
        lists: option to the words of which its value is a list with commas.
    """

    name: str
    summary: str
    options: dict[str, str]
    values: dict[str, str]
    keys: tuple[str, ...]
    lists: dict[str, tuple[str, ...]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The shell, or `man`."""
    parser.add_argument("kind", metavar="SHELL", help="bash, zsh, fish or man")


def execute(args: argparse.Namespace) -> int:
    """Print the script or the page."""
    if args.kind not in MADE:
        raise BadInput("shell", args.kind, choices=MADE)
    print(MADE[args.kind]([command_words(name, command) for name, command in COMMANDS.all().items()]), end="")
    return 0


def command_words(name: str, command: Command) -> Words:
    """The words of a command, from its own parser."""
    parser = Parser(prog=f"armstep {name}")
    command.add_arguments(parser)
    known = {name: one for one in parser.arguments for name in one.option_strings if name.startswith("--")}
    options = {name: (action.help or "").replace("%%", "%") for name, action in known.items()}
    values = {name: str(action.metavar) for name, action in known.items() if action.metavar}
    first = next((str(action.metavar) for action in parser.arguments if not action.option_strings), "")
    lists = {PANELS: panel_words()} if PANELS in options else {}
    return Words(name, command.summary, options, values, _keys(first), lists)


def panel_words() -> tuple[str, ...]:
    """What can be a panel of a figure: plots, stills, kinds of results, and the figures of studies."""
    from gui.front.listing import listed

    entries = listed("plots")
    figures = [f"{entry['key']}/{stem}" for entry in entries for stem in entry.get("figures", ())]
    return *(entry["key"] for entry in entries), *figures


def _keys(first: str) -> tuple[str, ...]:
    """The keys that an argument with this name can be."""
    from gui.front.listing import KINDS
    from robots.papers.study import studies
    from robots.scenario.presets import PRESETS

    if first == "STUDY":
        return tuple(studies())
    if first in ("KIND", "SHELL"):
        return tuple(KINDS if first == "KIND" else MADE)
    return tuple(PRESETS.keys()) if first in ("SCENARIO", "FILE") else ()


def bash(commands: list[Words]) -> str:
    """For `source <(armstep completion bash)`."""
    cases = "".join(f'        {one.name}) words="{" ".join((*one.options, *one.keys))}" ;;\n' for one in commands)
    names = " ".join(one.name for one in commands)
    lists = "".join(
        f'        {one.name},{option}) words="{" ".join(words)}" ;;\n'
        for one in commands
        for option, words in one.lists.items()
    )
    return f"""_armstep() {{
    # Bash takes : and = for words of their own; "typed" has the words as a person sees them.
    local index one option words current last owner
    local -a typed=()
    for ((index = 0; index <= COMP_CWORD; index++)); do
        one="${{COMP_WORDS[index]}}"
        if ((index > 1)) && [[ "$one" == [:=]* || "${{COMP_WORDS[index - 1]}}" == *[:=] ]]; then
            typed[${{#typed[@]}} - 1]+="$one"
        else
            typed+=("$one")
        fi
    done
    current="${{typed[${{#typed[@]}} - 1]}}"
    option="${{typed[${{#typed[@]}} - 2]}}"
    if [[ "$current" == --*=* ]]; then
        option="${{current%%=*}}"
        current="${{current#*=}}"
    fi
    case "${{typed[1]}},$option" in
{lists}        *) words="" ;;
    esac
    if [ -n "$words" ]; then
        last="${{current##*,}}"
        COMPREPLY=($(compgen -P "${{current%"$last"}}" -W "$words" -- "$last"))
        if [[ "$last" == *:* ]]; then
            owner="${{last%:*}}:"
            COMPREPLY+=($(compgen -P "${{current%"$last"}}$owner" -W "$words" -- "${{last##*:}}"))
        fi
        # What is completed begins after the last : or =.
        last="${{current##*[:=]}}"
        COMPREPLY=("${{COMPREPLY[@]#"${{current%"$last"}}"}}")
        return
    fi
    words="{names}"
    if [ "${{#typed[@]}}" -gt 2 ]; then
        words=""
        case "${{typed[1]}}" in
{cases}        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _armstep armstep
"""


def zsh(commands: list[Words]) -> str:
    """For a file `_armstep` in a folder of `fpath`."""

    def entry(name: str, text: str) -> str:
        quoted = text.replace("'", "'\\''").replace(":", "\\:")
        return f"'{name}:{quoted}'"

    names = " ".join(entry(one.name, one.summary) for one in commands)
    cases = "".join(
        f"    {one.name}) options=({' '.join(entry(name, text) for name, text in one.options.items())}) "
        f"keys=({' '.join(one.keys)}) ;;\n"
        for one in commands
    )
    lists = "".join(
        f"    {one.name},{option}) panels=({' '.join(words)}) ;;\n"
        for one in commands
        for option, words in one.lists.items()
    )
    return f"""#compdef armstep
local -a commands options keys panels
commands=({names})
if (( CURRENT == 2 )); then
    _describe command commands
    return
fi
local option=$words[CURRENT-1]
if [[ $words[CURRENT] == --*=* ]]; then
    option=${{words[CURRENT]%%=*}}
    compset -P '*='
fi
case $words[2],$option in
{lists}esac
if (( $#panels )); then
    compset -P '*,'
    compadd -q -S , -a panels
    compset -P '*:' && compadd -q -S , -a panels
    return
fi
case $words[2] in
{cases}esac
_describe option options
compadd -a keys
_files
"""


def fish(commands: list[Words]) -> str:
    """For `~/.config/fish/completions/armstep.fish`."""

    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = []
    for one in commands:
        lines.append(f"complete -c armstep -n __fish_use_subcommand -a {one.name} -d {quoted(one.summary)}")
        after = f"complete -c armstep -n '__fish_seen_subcommand_from {one.name}'"
        lines += [f"{after} -l {name[2:]} -d {quoted(text)}" for name, text in one.options.items()]
        for option, words in one.lists.items():
            before = "commandline -ct | string replace -r '^--[a-z]*=' '' | string replace -r '[^,:]*$' ''"
            lines.append(f"{after} -l {option[2:]} -x -a " + quoted(f"({before}){{{','.join(words)}}}"))
        lines += [f"{after} -a {quoted(' '.join(one.keys))}"] if one.keys else []
    return "\n".join(lines) + "\n"


def man(commands: list[Words]) -> str:
    """A manual page, for `man -l`."""

    def plain(text: str) -> str:
        return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")

    lines = [
        f'.TH ARMSTEP 1 "" "Armstep {version()}"',
        ".SH NAME",
        "armstep \\- shows what an integrator does to a robot",
    ]
    lines += [".SH SYNOPSIS", ".B armstep", "[COMMAND ...]", ".PP", "Without a command the window opens."]
    lines.append(".SH COMMANDS")
    for one in commands:
        lines += [f".SS {one.name}", plain(capital(one.summary)) + "."]
        for name, text in one.options.items():
            value = f" \\fI{plain(one.values[name])}\\fR" if name in one.values else ""
            lines += [".TP", f"\\fB{plain(name)}\\fR{value}", plain(text) or plain(name[2:])]
    return "\n".join(lines) + "\n"


MADE: dict[str, Callable[[list[Words]], str]] = {"bash": bash, "zsh": zsh, "fish": fish, "man": man}

COMMAND = Command("print a completion script for a shell, or a manual page", __doc__, add_arguments, execute)
