"""The table of runs for other programs: plain numbers in SI units, which the headings name, and nothing where none is.

Steps and tolerances have columns of their own beside the setting, which is words. So has every other field in which
runs differ.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from assets.counting import capital
from gui.app import formatting
from gui.app.runs import RunRow
from gui.app.table.columns import LATER, NOTHING, Column, TableMoment
from gui.app.table.distinctions import CHANGES, METHOD, ROBOT, SETTING, distinctions

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario

Cells = list[str]

OTHERS = {ROBOT: "Robot", CHANGES: "Changes"}
"""What runs differ in and is no field of theirs."""

SETTINGS: dict[str, Callable[[RunRow], float | None]] = {
    "Step [s]": lambda row: row.scenario.step,
    "Relative tolerance": lambda row: row.scenario.rtol,
    "Absolute tolerance": lambda row: row.scenario.atol,
}


def plain_table(columns: Sequence[Column], moment: TableMoment) -> list[Cells]:
    """The heading and one row for each run."""
    made = [part for column in columns for part in _plain(column, moment)]
    return [[heading for heading, _ in made], *map(list, zip(*(cells for _, cells in made), strict=True))]


def table_text(columns: Sequence[Column], moment: TableMoment, between: str = "\t") -> str:
    """The same as text that the csv module, pandas and spreadsheets read; `between` separates the columns."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=between, lineterminator="\n").writerows(plain_table(columns, moment))
    return stream.getvalue()


def _plain(column: Column, moment: TableMoment) -> list[tuple[str, Cells]]:
    """A column as those of the plain table: heading and cells."""
    if column.words:
        texts = [" ".join(column.text(row, moment).split()) for row in moment.rows]
        return [(column.title, texts), *((*_settings(moment), *_differing(moment)) if column.key == "setting" else ())]
    known = [column.text(row, moment) not in (NOTHING, LATER) for row in moment.rows]
    if column.errors is None:
        heading = f"{column.title} [{column.unit}]" if column.unit else column.title
        values = [column.value(row, moment) if ok else None for row, ok in zip(moment.rows, known, strict=True)]
        return [(heading, list(map(_number, values)))]
    found = [column.errors(row, moment) if ok else {} for row, ok in zip(moment.rows, known, strict=True)]
    keys = {key: row for row, errors in zip(moment.rows, found, strict=True) for key in errors}
    return [
        (_error_heading(column.title, key, row, several=len(keys) > 1), [_number(errors.get(key)) for errors in found])
        for key, row in keys.items()
    ] or [(column.title, [""] * len(found))]


def _settings(moment: TableMoment) -> list[tuple[str, Cells]]:
    """How the step of each run is chosen, as numbers; what no run has is left out."""
    made = [
        (heading, [_number(None if row.recording else read(row)) for row in moment.rows])
        for heading, read in SETTINGS.items()
    ]
    return [(heading, cells) for heading, cells in made if any(cells)]


def _differing(moment: TableMoment) -> list[tuple[str, Cells]]:
    """What else the runs differ in, a column for each field; empty where it does not matter."""
    made = [row.scenario for row in moment.rows if not row.recording]
    found = distinctions(tuple(made), moment.degrees) if made else ()
    paths = [key for key in (found[0] if found else ()) if key not in (METHOD, SETTING)]
    fields = {path: field for one in reversed(made) for path, field in one.fields().items()}
    labels = [fields[path].label for path in paths if path in fields]

    def heading(path: str) -> str:
        if path not in fields:
            return OTHERS[path]
        label, unit = fields[path].label, fields[path].unit
        title = capital(label) if labels.count(label) == 1 else f"{capital(label)}, {path}"
        return f"{title} [{unit}]" if unit else title

    def cell(path: str, scenario: Scenario, said: str) -> str:
        value = scenario.get(path) if said and path in scenario.fields() else said
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _number(value)
        return said.removeprefix(f"{fields[path].label} = ") if path in fields else said

    cells = []
    for path in paths:
        own = iter(zip(made, found, strict=True))
        texts = ["" if row.recording else cell(path, (one := next(own))[0], one[1][path]) for row in moment.rows]
        cells.append((heading(path), texts))
    return cells


def _error_heading(title: str, key: str, row: RunRow, *, several: bool) -> str:
    what = f", {formatting.error_title(key, row.scenario)}" if several else ""
    return f"{title}{what} [{formatting.error_unit(key, row.scenario)}]"


def _number(value: object) -> str:
    """Every digit of a number, whole ones without a point; empty for what is not one."""
    if not isinstance(value, int | float) or math.isnan(value):
        return ""
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else repr(value)
