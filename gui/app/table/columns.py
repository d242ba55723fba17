"""The columns of the table of runs: the cells of each, and which columns are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gui.app import formatting, run_texts, units
from gui.app.table.distinctions import details
from gui.app.table.pairs import error_ratio, observed_order
from gui.app.units import Unit
from gui.app.verdict import verdict
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from gui.app.runs import RunRow

NOTHING, LATER = "–", "…"
Number = float | str | None


@dataclass(frozen=True, slots=True)
class TableMoment:
    """What the table shows.

    Attributes:
        rows: every run, the current one first.
        t: the playhead [s].
        degrees: whether angles are shown in degrees.
    """

    rows: tuple[RunRow, ...]
    t: float = 0.0
    degrees: bool = True


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        key, title, tip: its name in files, its heading, and what it means.
        text: of (row, moment), its cell.
        value: of (row, moment), by which runs are sorted; None comes last.
        words: whether it holds words instead of numbers.
        live: whether it follows the playhead.
        asked: whether it is shown only if it has something to compare, or if the user chose it.
        unit: of its value.
        errors: of (row, moment), its values by their keys, where these say the unit.
    """

    key: str
    title: str
    tip: str
    text: Callable[[RunRow, TableMoment], str]
    value: Callable[[RunRow, TableMoment], Number]
    words: bool = False
    live: bool = False
    asked: bool = False
    unit: str = ""
    errors: Callable[[RunRow, TableMoment], Mapping[str, float]] | None = None


_Text = Callable[["RunRow", TableMoment], str]
_Read = Callable[["RunRow", TableMoment], float | None]


def _number(read: _Read, write: Callable[[float], str]) -> _Text:
    """The cell of a number that belongs to the run of the row."""

    def text(row: RunRow, moment: TableMoment) -> str:
        if row.run is None:
            return NOTHING
        if row.outdated:
            return LATER if row.state == "computing" else NOTHING
        value = read(row, moment)
        return NOTHING if value is None else write(value)

    return text


def _error(row: RunRow, moment: TableMoment) -> float | None:
    found = run_texts.max_error(row)
    return None if found is None else found[1]


def _error_text(row: RunRow, moment: TableMoment) -> str:
    return LATER if _waits(row) else _number(_error, lambda _: run_texts.largest_text(row))(row, moment)


def _waits(row: RunRow) -> bool:
    """Whether the error that counts is not there yet: another one, as of the energy, is not compared in its place."""
    if row.recording or row.run is None or row.outdated or run_texts.TRACKING in row.run.max_error:
        return False
    return row.reference_state == "computing"


def _compared(read: _Read, write: Callable[[float], str]) -> _Text:
    """The cell of a number that compares the largest errors of runs."""
    number = _number(read, write)
    return lambda row, moment: LATER if _waits(row) or _waits(moment.rows[0]) else number(row, moment)


def _condition(row: RunRow, moment: TableMoment) -> float | None:
    """The largest condition number of an iteration matrix in the run."""
    if row.run is None or row.recording:
        return None
    values = np.asarray(row.run.log.condition, dtype=float)
    known = values[np.isfinite(values) & (values > 0.0)]
    return float(known.max()) if known.size else None


def _count(name: str) -> _Read:
    return lambda row, _: None if row.run is None or row.recording else float(getattr(row.run.counts, name))


def _counted(value: float) -> str:
    return units.count(int(value))


def _order(row: RunRow, moment: TableMoment) -> float | None:
    return observed_order(row, moment.rows)


def _ratio(row: RunRow, moment: TableMoment) -> float | None:
    compared = [other for other in moment.rows if not other.recording]
    return error_ratio(row, moment.rows[0]) if len(compared) > 1 else None


def setting_text(row: RunRow, moment: TableMoment) -> str:
    """Step or tolerances, or how the run differs from the others if those are alike, as in legends."""
    texts = zip(moment.rows, details(moment.rows), strict=True)
    return next((text for other, text in texts if other.id == row.id), row.setting)


def status_text(row: RunRow, moment: TableMoment) -> str:
    """How the run ended, in brief; the tooltip says the rest."""
    found = verdict(row)
    return found.said if row.state == "done" else found.text


def _step(row: RunRow, moment: TableMoment) -> Number:
    return None if row.recording else row.scenario.step or row.scenario.rtol or row.scenario.atol


def _agrees(row: RunRow, moment: TableMoment) -> float | None:
    """Until when the row's ensemble agrees: a number that says so for one that agrees to the end, too [s]."""
    if row.ensemble is None:
        return None
    return row.scenario.duration if row.ensemble.agrees_until is None else row.ensemble.agrees_until


def _agrees_text(row: RunRow, moment: TableMoment) -> str:
    if row.ensemble_state == "computing":
        return LATER
    if (found := row.ensemble) is None or row.outdated:
        return _number(_agrees, str)(row, moment)
    until = "to the end" if found.agrees_until is None else units.quantity(found.agrees_until, "s")
    missing, count = len(found.missing), found.runs.size
    return f"{until}, {units.count(count - missing)} of {units.count(count)}" if missing else until


def _seconds(row: RunRow, moment: TableMoment) -> float | None:
    return None if row.recording else row.seconds


COLUMNS: tuple[Column, ...] = (
    Column("method", "Method", "", lambda row, _: row.label, lambda row, _: row.label.lower(), words=True),
    Column("setting", "Setting", "", setting_text, _step, words=True),
    Column(
        "error",
        "Max error",
        "Largest error at the accepted steps: against the path if one is followed, otherwise against the reference run "
        "if there is one",
        _error_text,
        _error,
        errors=lambda row, _: run_texts.largest_errors(row),
    ),
    Column(
        "ratio",
        "Error ratio",
        "Largest error of this run, divided by that of the current run",
        _compared(_ratio, lambda value: f"{units.number(value, 2 if value < 1.0 else 3)}×"),
        _ratio,
        asked=True,
    ),
    Column(
        "order",
        "Order",
        "Observed order: how fast the error fell from the run with the next longer step, all else being equal",
        _compared(_order, lambda value: f"{value:.1f}"),
        _order,
        asked=True,
    ),
    Column(
        "condition",
        "Condition",
        "Largest condition number of the matrix in the linear systems of a step",
        _number(_condition, units.scientific),
        _condition,
        asked=True,
    ),
    Column(
        "agrees",
        "Agrees until",
        "Until then, nine in ten members of the run's ensemble are within a tenth of the arm's size of their median",
        _agrees_text,
        _agrees,
        asked=True,
        unit="s",
    ),
    Column(
        "rhs",
        "Right-hand sides",
        "Evaluations of the equations of motion, including rejected and start-up steps",
        _number(_count("rhs_evaluations"), _counted),
        _count("rhs_evaluations"),
    ),
    Column(
        "rejected",
        "Rejected",
        "Steps rejected because their estimated error was too large. A fixed step has no estimate, so none is rejected:"
        " one that fails ends the run, and has a square in the lane of steps",
        _number(_count("rejected"), _counted),
        _count("rejected"),
    ),
    Column(
        "time",
        "Time",
        "How long the processor worked on the integration alone, with everything loaded; drawing does not count. "
        "A short run is repeated, and the least time counts. It depends on the machine: compare counts first",
        _number(_seconds, lambda value: units.quantity(value, "s", 2)),
        _seconds,
        unit="s",
    ),
    Column("status", "Status", "", status_text, status_text, words=True),
)

LIVE = 3
"""How many columns come before those that follow the playhead."""

AT = "at."
"""Before the key of a quantity at the playhead."""


def live_columns(rows: Sequence[RunRow]) -> tuple[Column, ...]:
    """The quantities at the playhead that the current run has: its error, joint angles and rates, torques, the tip."""
    run = rows[0].run
    if run is None:
        return ()
    start = run.t[:1]
    found = [_live("error", "Error now", "The leading error at the playhead", _error_now, _error_now_text)]
    found[0] = replace(found[0], errors=_errors_now)
    for name in run.columns(start):
        found.append(_quantity(name, units.subscripted(name), run.robot.unit(name), _output(name)))
    if run.tip(start).size:
        found += [_quantity(axis, f"{axis} of the tip", "m", _tip(place)) for place, axis in enumerate("xyz")]
    return tuple(found)


def offered_columns(rows: Sequence[RunRow]) -> tuple[Column, ...]:
    """All columns that do not follow the playhead, with the names that they have in the table of these runs."""
    return tuple(_error_as_it_is(column, rows) for column in COLUMNS)


def columns_of(rows: Sequence[RunRow], chosen: Sequence[str] | None) -> tuple[Column, ...]:
    """The columns to show: the chosen ones, otherwise the usual ones and those that compare two runs."""
    return tuple(_error_as_it_is(column, rows) for column in _columns_of(rows, chosen))


def _error_as_it_is(column: Column, rows: Sequence[RunRow]) -> Column:
    """The column of errors under the name of what must be zero, where all that the runs have is how far it is not."""
    if column.key != "error":
        return column
    kept = set()
    for row in rows:
        if row.recording:
            continue
        compared = robot_of(row.scenario).reference_methods is not None
        if _waits(row) or (compared and row.state == "computing"):
            return column  # what its error will be is not known yet
        if (error := run_texts.max_error(row)) is not None:
            kept.add(formatting.kept_name(error[0], row.scenario))
    if len(kept) != 1 or "" in kept:
        return column
    name = kept.pop()
    tip = (
        f"{name} at the accepted steps, at most. It is zero in the true motion; with no reference run nothing says how "
        "far the run is from that"
    )
    return replace(column, title=name, tip=tip)


def _columns_of(rows: Sequence[RunRow], chosen: Sequence[str] | None) -> tuple[Column, ...]:
    if chosen is not None:
        offered = (*COLUMNS[:LIVE], *live_columns(rows), *COLUMNS[LIVE:])
        return tuple(column for column in offered if column.key in {"method", *chosen})
    moment = TableMoment(tuple(rows))
    several = len(rows) > 1

    def usual(column: Column) -> bool:
        compares = several or column.key == "agrees"
        return not column.asked or (compares and any(column.value(row, moment) is not None for row in rows))

    return tuple(column for column in COLUMNS if usual(column))


def sorted_ids(column: Column, moment: TableMoment, *, downwards: bool = False) -> list[int]:
    """The ids of the pinned runs in the order of a column, smallest first, or largest; those without a value last."""
    keyed = [(column.value(row, moment), row.id) for row in moment.rows[1:]]
    known = [(value, row_id) for value, row_id in keyed if not _missing(value)]
    known.sort(key=lambda pair: (isinstance(pair[0], str), pair[0]), reverse=downwards)
    return [row_id for _, row_id in known] + [row_id for value, row_id in keyed if _missing(value)]


def _missing(value: Number) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _live(key: str, title: str, tip: str, read: _Read, text: _Text) -> Column:
    return Column(f"{AT}{key}", title, tip, text, read, live=True, asked=True)


def _quantity(key: str, title: str, unit: str, read: _Read) -> Column:
    def text(row: RunRow, moment: TableMoment) -> str:
        shown = Unit.of(unit, moment.degrees)
        return _number(read, lambda value: units.reading(value * shown.per_si, shown.symbol, 4))(row, moment)

    return replace(_live(key, title, f"{title} at the playhead", read, text), unit=unit)


def _output(name: str) -> _Read:
    def read(row: RunRow, moment: TableMoment) -> float | None:
        found = None if row.run is None else row.run.columns(np.array([row.time_shown(moment.t)])).get(name)
        return None if found is None else float(found[0])

    return read


def _tip(place: int) -> _Read:
    def read(row: RunRow, moment: TableMoment) -> float | None:
        tips = np.empty((0, 3)) if row.run is None else row.run.tip(np.array([row.time_shown(moment.t)]))
        return float(tips[0][place]) if len(tips) else None

    return read


def _error_now(row: RunRow, moment: TableMoment) -> float | None:
    """The leading error at the playhead; none where the reference cannot be trusted, or after the run's end."""
    found = run_texts.leading_error(row)
    if found is None or row.frozen_at(moment.t):
        return None
    key, times, values = found
    judged = row.own_errors
    if judged is not None and key in judged.errors and moment.t > judged.trusted_until:
        return None
    return float(np.interp(moment.t, times, values))


def _errors_now(row: RunRow, moment: TableMoment) -> dict[str, float]:
    found, value = run_texts.leading_error(row), _error_now(row, moment)
    return {} if found is None or value is None else {found[0]: value}


def _error_now_text(row: RunRow, moment: TableMoment) -> str:
    found = run_texts.leading_error(row)
    write = (lambda value: formatting.error_text(found[0], value, row.scenario)) if found else str
    return _number(_error_now, write)(row, moment)
