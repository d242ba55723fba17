"""A recorded log: positions and torques of joints over time, read from the text of a CSV file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from assets.counting import counted
from assets.errors import BadInput, Range
from robots.model.shapes import Array

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

Joints = tuple[tuple[str, bool], ...]
"""The names of the joints q1, q2 and so on, and whether each slides."""

MOST_ROWS, FEWEST_ROWS = 100_000, 2
_MOST_NAMED = 6
_TIMES = ("t", "time", "timestamp", "__time")
_SCALES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_ANGLES = {"rad": 1.0, "deg": np.pi / 180.0, "°": np.pi / 180.0}
ANGLES = ("rad", "deg")
_LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}
_TORQUES = {"Nm": 1.0, "N m": 1.0, "N·m": 1.0}
_FORCES = {"N": 1.0}
_LAST = {"position": "q", "pos": "q", "effort": "u", "torque": "u"}
_LIMITS = {"t": Range(unit="s"), "q": Range(-1e3, 1e3), "u": Range(-1e6, 1e6)}


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """What joints did, as it was recorded.

    Attributes:
        times: of the rows, from 0 on, (m,) [s].
        columns: positions `q1`.. [rad or m] and torques `u1`.. [N m or N] by name, (m,) each.
        ignored: the columns of the file that nothing reads.
    """

    times: Array
    columns: Mapping[str, Array] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()

    def has(self, letter: str) -> bool:
        """Whether it has a position (`q`) or a torque (`u`) of any joint."""
        return any(name[0] == letter for name in self.columns)

    def text(self) -> str:
        """The log as CSV in SI units, as scenarios have it."""
        head = ",".join(("t", *self.columns))
        rows = np.column_stack([self.times, *self.columns.values()])
        return "\n".join((head, *(",".join(f"{value:.12g}" for value in row) for row in rows.tolist()))) + "\n"

    def at(self, name: str, times: Array) -> Array:
        """A position at `times` (k,), (k,); nan after the end."""
        spline = self.spline(name)
        return np.where(times <= self.times[-1], spline(np.minimum(times, self.times[-1])), np.nan)

    def spline(self, name: str) -> CubicSpline:
        """The cubic spline through a column, without jumps of the second derivative."""
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.times, self.columns[name])

    def table(self, letter: str, rest: Sequence[float]) -> Array:
        """Rows (time, values, slopes) for kernels, (m, 1 + 2 n); joints that it lacks keep the value in `rest` (n,)."""
        n = len(rest)
        rows = np.zeros((len(self.times), 1 + 2 * n))
        rows[:, 0], rows[:, 1 : 1 + n] = self.times, rest
        for k in range(n):
            if (name := f"{letter}{k + 1}") in self.columns:
                rows[:, 1 + k] = self.columns[name]
                rows[:, 1 + n + k] = self.spline(name)(self.times, 1)
        return rows


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that is read.

    Attributes:
        place: which one it is in the file.
        header: its name there.
        name: its name in the log: `t`, `q1`, `u1`.
        unit: what the header names, or empty.
        own: whether the file calls it as Armstep does.
    """

    place: int
    header: str
    name: str
    unit: str
    own: bool


def read_log(text: str, joints: Joints, angles: str = "", where: str = "log") -> Log:
    """The log in the text of a CSV file.

    The first row names the columns: a time (`t`, `time`), positions (`q1`, or a joint's name) and torques (`u1`,
    `tau1`, or a joint's name with `effort` or `torque`). A unit may follow in brackets: `q1 [deg]`. Commas, semicolons
    or tabs separate values; lines that begin with # are left out. The first time becomes 0.

    Args:
        text: of the file.
        joints: those of the arm.
        angles: `rad` or `deg`, for angles whose column names no unit; if empty, `q1` and so on are in radians.
        where: the file's name in messages.

    Raises:
        BadInput: naming the line and the column.
    """
    if angles and angles not in ANGLES:
        raise BadInput("unit of angles", angles, choices=ANGLES)
    header, rows, mark = _rows(text, where)
    columns = _columns(header, joints, where)
    scales = [_scale(column, joints, angles, where) for column in columns]
    values = np.array(list(_numbers(rows, columns, len(header), mark, where))) * scales
    times = np.round(values[:, 0] - values[0, 0], 9)
    if len(late := np.flatnonzero(~(np.diff(times) > 0.0))):
        cell = f"{where} line {rows[late[0] + 1][0]}, {columns[0].header}"
        raise BadInput(cell, float(values[late[0] + 1, 0]), f"above {values[late[0], 0]:g} s, the time before")
    for column, numbers in zip(columns, values.T, strict=True):
        if len(far := np.flatnonzero(np.abs(numbers) > _LIMITS[column.name[0]].high)):
            cell = f"{where} line {rows[far[0]][0]}, {column.header}"
            raise BadInput(cell, float(numbers[far[0]]), _LIMITS[column.name[0]])
    read = {column.place for column in columns}
    ignored = tuple(name for place, name in enumerate(header) if place not in read)
    named = {column.name: np.ascontiguousarray(values[:, k]) for k, column in enumerate(columns) if k}
    order = sorted(named, key=lambda name: (name[0], int(name[1:])))
    return Log(times, {name: named[name] for name in order}, ignored)


def unnamed_angles(text: str, joints: Joints, where: str = "log") -> bool:
    """Whether a column of angles names no unit, so that a person must say which it is."""
    for column in _columns(_rows(text, where)[0], joints, where):
        if column.name[0] == "q" and not joints[int(column.name[1:]) - 1][1] and not column.unit:
            return True
    return False


@lru_cache(maxsize=8)
def log_of(text: str, joints: Joints) -> Log:
    """The log that a scenario has; raises BadInput as `read_log`."""
    return read_log(text, joints, where="task.log")


def _rows(text: str, where: str) -> tuple[list[str], list[tuple[int, str]], str]:
    """The header, the other rows with their numbers, and what separates values."""
    lines = enumerate(text.lstrip("\ufeff").splitlines(), start=1)
    rows = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not FEWEST_ROWS <= len(rows) - 1 <= MOST_ROWS:
        must = f"a header and {FEWEST_ROWS} to {MOST_ROWS} rows"
        raise BadInput(where, counted(max(len(rows) - 1, 0), "row"), must)
    mark = next((mark for mark in ";\t" if mark in rows[0][1]), ",")
    return [cell.strip().strip('"').strip() for cell in rows[0][1].split(mark)], rows[1:], mark


def _columns(header: Sequence[str], joints: Joints, where: str) -> list[_Column]:
    """The columns that are read, the time first."""
    found: dict[str, _Column] = {}
    for place, cell in enumerate(header):
        bare, unit = _split(cell)
        name, own = _meaning(bare, joints)
        if name in found:
            raise BadInput(f"{where} column {place + 1}", cell, f"another quantity than {found[name].header!r}")
        if name:
            found[name] = _Column(place, cell, name, unit, own)
    time = found.pop("t", None)
    if time is None:
        raise BadInput(f"{where} header", _named(header), f"a row with a time column: {', '.join(_TIMES)}")
    if not found:
        known = [f"q{k}" for k in range(1, len(joints) + 1)] + [name for name, _ in joints]
        must = f"a row with columns of joints: {', '.join(known[:_MOST_NAMED])}, u1, ..."
        raise BadInput(f"{where} header", _named(header), must)
    return [time, *found.values()]


def _named(header: Sequence[str]) -> str:
    return ", ".join(header)


def _split(cell: str) -> tuple[str, str]:
    """The name in a header, and the unit in brackets behind it."""
    found = re.fullmatch(r"(.*?)\s*[\[(]\s*([^\])]*?)\s*[\])]", cell)
    return (found[1], found[2]) if found else (cell, "")


def _meaning(bare: str, joints: Joints) -> tuple[str, bool]:
    """The name of a column in the log (empty if nothing reads it), and whether the file uses that name."""
    if bare.lower() in _TIMES:
        return "t", True
    if (found := re.fullmatch(r"(q|u|tau)([1-9]\d{0,2})", bare)) and int(found[2]) <= len(joints):
        return ("u" if found[1] == "tau" else found[1]) + found[2], True
    for number, (joint, _) in enumerate(joints, start=1):
        if bare == joint:
            return f"q{number}", False
        # As recorders of ROS name them: /joint_states/elbow/position.
        found = re.fullmatch(rf"(?:.*[/.])?{re.escape(joint)}[/._ ](\w+)", bare)
        if joint and found and found[1] in _LAST:
            return f"{_LAST[found[1]]}{number}", False
    return "", False


def _scale(column: _Column, joints: Joints, angles: str, where: str) -> float:
    """What one of a column's numbers is in SI units."""
    letter, angle = column.name[0], False
    if letter == "t":
        units = _SCALES
    else:
        sliding = joints[int(column.name[1:]) - 1][1]
        angle = letter == "q" and not sliding
        units = {"q": (_ANGLES, _LENGTHS), "u": (_TORQUES, _FORCES)}[letter][sliding]
    if column.unit:
        if column.unit not in units:
            raise BadInput(f"{where} unit of {column.header}", column.unit, choices=units)
        return units[column.unit]
    if angle and angles:
        return _ANGLES[angles]
    if angle and not column.own:
        must = f"named, such as '{column.header} [deg]' or '{column.header} [rad]'"
        raise BadInput(f"{where} unit of {column.header}", None, must)
    return 1.0


def _numbers(
    rows: Sequence[tuple[int, str]], columns: Sequence[_Column], width: int, mark: str, where: str
) -> Iterator[list[float]]:
    """The numbers of the columns, row by row."""
    for number, line in rows:
        cells = line.split(mark)
        if len(cells) != width:
            raise BadInput(
                f"{where} line {number}", counted(len(cells), "value"), f"a row of {counted(width, 'value')}"
            )
        found = []
        for column in columns:
            cell = cells[column.place].strip().strip('"')
            try:
                value = float(cell.replace(",", ".") if mark == ";" else cell)
            except ValueError:
                value = np.nan
            if not np.isfinite(value):
                raise BadInput(f"{where} line {number}, {column.header}", cell, Range())
            found.append(value)
        yield found
