"""Calls and numbers as readable lines of Python."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

LINE = 100


class Code(str):
    """Text that is already Python, not a value."""

    __slots__ = ()


def value(item: object) -> str:
    """A number, a text or an array as Python."""
    if isinstance(item, Code):
        return str(item)
    if isinstance(item, np.ndarray | np.generic):
        item = item.tolist()
    text = repr(item)
    return text if '"' in text else text.replace("'", '"')


def call(name: str, *first: object, **named: object) -> Code:
    """A call, on one line if it is short enough."""
    entries = [value(item) for item in first] + [f"{key}={value(item)}" for key, item in named.items()]
    short = f"{name}({', '.join(entries)})"
    if len(short) <= LINE - 20 and "\n" not in short:
        return Code(short)
    return Code("\n".join([f"{name}(", *_listed(entries), ")"]))


def constant(name: str, entries: Mapping[str, object]) -> str:
    """A dictionary of numbers with a name."""
    return "\n".join([f"{name} = {{", *_listed([f'"{key}": {value(item)}' for key, item in entries.items()]), "}"])


def _listed(entries: list[str]) -> list[str]:
    """Entries of a call or a dictionary, one a line; long lists of lists one row a line."""
    lines = []
    for entry in entries:
        start, opening, rest = entry.partition("[[")
        if opening and len(entry) > LINE and rest.endswith("]]"):
            lines += [f"    {start}[", *(f"        [{row}]," for row in rest[:-2].split("], [")), "    ],"]
        else:
            lines.append("    " + entry.replace("\n", "\n    ") + ",")
    return lines
