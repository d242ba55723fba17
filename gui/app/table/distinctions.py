"""How runs differ, for legends: nothing that all runs have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from assets.fields import matters
from gui.app import formatting

if TYPE_CHECKING:
    from assets.fields import Field
    from gui.app.runs import RunRow
    from robots.scenario.scenario import Scenario

ROBOT, METHOD, SETTING, CHANGES = "robot", "method", "setting", "segments"
TABLEAU = "options.tableau"
PARTED, CHANGING = ", ", ", then "
"""Between the parts of a setting, and before what changes on the way."""

REMARK = re.compile(r" \((?=[^)\d])[^)]*\)")
"""What a method's name says in brackets besides its orders."""

MOST_DIGITS = 15
"""Of a number: what a double holds."""
COMPARED = ("robot.", "task.", "initial.", "options.")


@lru_cache(maxsize=64)
def distinctions(scenarios: tuple[Scenario, ...], degrees: bool) -> tuple[Mapping[str, str], ...]:
    """For each scenario, phrases about the fields in which they differ, by field; empty where a field does not matter.

    Robot, method and setting come first. The values of one robot say nothing beside those of another: they set apart
    the scenarios of that robot alone.
    """
    found = _varying(scenarios, degrees)
    for first in scenarios:
        mine = tuple(one for one in scenarios if one.same_robot(first))
        if mine[0] is first and 1 < len(mine) < len(scenarios):
            within = dict(zip(map(id, mine), _varying(mine, degrees), strict=True))
            found = [own | within.get(id(one), {}) for one, own in zip(scenarios, found, strict=True)]
    keys = dict.fromkeys(key for own in found for key in own)
    return tuple({key: own.get(key, "") for key in keys} for own in found)


def _varying(scenarios: Sequence[Scenario], degrees: bool) -> list[dict[str, str]]:
    """The fields in which any two of the scenarios differ, and of each what it says there."""
    alike = all(scenario.same_robot(scenarios[0]) for scenario in scenarios)
    tables = [_phrases(scenario, values=alike, degrees=degrees) for scenario in scenarios]
    silent = [_silent(scenario) for scenario in scenarios]
    common = [key for key in tables[0] if all(key in table for table in tables)]
    for path in (key for key in common if key not in (ROBOT, METHOD, SETTING, CHANGES)):
        if len({repr(scenario.get(path)) for scenario in scenarios}) > len({table[path] for table in tables}):
            _say_exactly(scenarios, tables, path, degrees)
    if len({repr(scenario.segments) for scenario in scenarios}) > len({table[CHANGES] for table in tables}):
        apart = formatting.tableaux_apart(scenarios)
        for scenario, table in zip(scenarios, tables, strict=True):
            table[CHANGES] = formatting.segments(scenario, degrees, apart)
    varying = [key for key in common if len({table[key] for table in tables}) > 1]
    settings = {(table[SETTING], table[CHANGES]) for table in tables}
    if SETTING in varying and len(settings) == len({setting for setting, _ in settings}):
        # The setting says what changes on the way, as far as that is short enough.
        varying = [key for key in varying if key != CHANGES]
    if TABLEAU in varying and len({(table[METHOD], table[TABLEAU]) for table in tables}) == len(
        {table[METHOD] for table in tables}
    ):
        # The names of the methods say which coefficients they have.
        varying.remove(TABLEAU)
    varying = [key for key in varying if not all(key in hidden for hidden in silent)]
    return [
        {key: "" if key in hidden else table[key] for key in varying}
        for table, hidden in zip(tables, silent, strict=True)
    ]


def _say_exactly(scenarios: Sequence[Scenario], tables: Sequence[dict[str, str]], path: str, degrees: bool) -> None:
    """Give a value as many digits as set the scenarios apart: a millionth parts the paths of a chaotic arm.

    A text in brief words becomes exact.
    """
    count = len({repr(scenario.get(path)) for scenario in scenarios})
    for digits in range(5, MOST_DIGITS + 1):
        for scenario, table in zip(scenarios, tables, strict=True):
            table[path] = _phrase(scenario.fields()[path], scenario.get(path), degrees, digits)
        if len({table[path] for table in tables}) == count:
            break


def _phrases(scenario: Scenario, *, values: bool, degrees: bool) -> dict[str, str]:
    from robots.model.registry import robot_of

    found = {
        ROBOT: robot_of(scenario).title,
        METHOD: formatting.one_name(formatting.method_name(scenario)),
        SETTING: formatting.setting(scenario, degrees),
        CHANGES: formatting.segments(scenario, degrees),
    }
    for path, field in scenario.fields().items():
        if values and (path.startswith(COMPARED) or path == "duration"):
            found[path] = _phrase(field, scenario.get(path), degrees)
    return found


def _phrase(field: Field, value: object, degrees: bool, digits: int | None = None) -> str:
    return f"{field.label} = {formatting.field_value(field, value, degrees, digits)}"


def _silent(scenario: Scenario) -> frozenset[str]:
    """The fields that do not matter with the scenario's other values."""
    fields = scenario.fields()
    return frozenset(path for path in fields if not matters(path, fields, scenario.get))


def details(rows: Sequence[RunRow], current: RunRow | None = None) -> list[str]:
    """The text beside each run's label: its setting, and how else it differs from the others.

    The setting is left out where all have the same one and they differ in something else.

    Args:
        rows: the runs.
        current: the current run, whose values the fields show: what differs from them is said even if it is hidden.
    """
    made = [row for row in rows if not row.recording]
    known = distinctions(tuple(row.scenario for row in made), made[0].degrees) if made else ()
    found = {row.id: own for row, own in zip(made, known, strict=True)}
    more: dict[int, list[str]] = {}
    if made and current is not None and all(row.id != current.id for row in rows):
        beside = distinctions((*(row.scenario for row in made), current.scenario), current.degrees)
        said = {key for own in known for key in own} | {ROBOT, METHOD, SETTING, CHANGES}
        for row, own in zip(made, beside[:-1], strict=True):
            more[row.id] = [text for key, text in own.items() if text and key not in said]
    texts = []
    for row in rows:
        own = found.get(row.id, {})
        others = [text for key, text in own.items() if text and key not in (ROBOT, METHOD, SETTING)]
        set_apart = SETTING in own or (METHOD in own and bool(row.tag.name))
        arm = [own[ROBOT]] if ROBOT in own else []
        parts = [*arm, row.setting, *others] if set_apart or not others else [*arm, *others]
        texts.append(" · ".join([*parts, *more.get(row.id, ())]))
    return texts


def in_brief(texts: Sequence[str]) -> list[str]:
    """The texts with initials of people and without remarks, as far as they stay different: `RK1, step 10 ms`."""
    count, whole = len(set(texts)), list(map(formatting.initials, texts))
    bare = [REMARK.sub("", text) for text in whole]
    return next((forms for forms in (bare, whole) if len(set(forms)) == count), list(texts))


def briefer(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """For each of the settings beside each other ever briefer words, for a column with little room.

    First methods have their initials. Then what all settings have in common goes; where they are all the same, what is
    left is what changes on the way: `then RK4 from 3.000 s`, `RK4 from 3.000 s`, `RK4, …`.
    """
    short = in_brief(texts)
    if len(set(texts)) > 1:
        return [tuple(dict.fromkeys(forms)) for forms in zip(texts, short, _own_parts(short), strict=True)]
    found = []
    for text, less in zip(texts, short, strict=True):
        change = less.partition(CHANGING)[2]
        what = change.partition(" from ")[0]
        forms = (text, less, f"then {change}", change, f"{what}, …") if change else (text, less)
        found.append(tuple(dict.fromkeys(forms)))
    return found


def _own_parts(texts: Sequence[str]) -> list[str]:
    """The texts without the parts at their beginnings and ends that all of them have."""
    parts = [text.split(PARTED) for text in texts]
    first = _alike(parts)
    last = _alike([part[first:][::-1] for part in parts])
    found = []
    for text, part in zip(texts, parts, strict=True):
        own = part[first : len(part) - last]
        found.append(PARTED.join(["…"] * bool(first) + own + ["…"] * bool(last)) if own else text)
    return found


def _alike(lists: Sequence[Sequence[str]]) -> int:
    """With how many same items all lists begin."""
    return sum(1 for _ in takewhile(lambda items: len(set(items)) == 1, zip(*lists, strict=False)))


def names(rows: Sequence[RunRow], method: Callable[[Scenario], str] = formatting.method_name) -> list[str]:
    """Each run's name in a legend: its own, otherwise how it differs, as briefly as possible, otherwise its method.

    Where methods differ, also from that of a run with a name, they are named, even if something else sets the runs
    apart, too.

    Args:
        rows: the runs.
        method: how a method is called.
    """
    unnamed = [row for row in rows if not row.called]
    found = distinctions(tuple(row.scenario for row in unnamed), rows[0].degrees) if unnamed else ()
    keys, several = enough(found), len({row.scenario.method for row in rows if not row.recording}) > 1
    short: dict[int, str] = {}
    for row, own in zip(unnamed, found, strict=True):
        words = [method(row.scenario)] if several and METHOD not in keys else []
        words += [method(row.scenario) if key == METHOD else own[key] for key in keys]
        short[row.id] = ", ".join(filter(None, words)) or method(row.scenario)
    return [row.called or short[row.id] for row in rows]


def enough(found: Sequence[Mapping[str, str]]) -> list[str]:
    """The varying method, if it is one, and the first field that separates as many runs as all fields do, else all."""
    every = list(found[0]) if found else []
    most = len({tuple(own.values()) for own in found})
    method = [key for key in every if key == METHOD]
    choices = [method, *([*method, key] for key in every if key != METHOD)]
    return next((keys for keys in choices if len({tuple(own[key] for key in keys) for own in found}) == most), every)
