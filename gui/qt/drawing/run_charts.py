"""Which charts a set of runs deserves: errors first, then the motion, then what the integrator did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gui.app.formatting import error_unit
from gui.qt.drawing.chart import Chart, Curve

JOINTS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")

TITLES = {
    "energy_J": "Energy error",
    "constraint_m": "Constraint violation",
    "position_m": "Position error",
    "orientation_angle_rad": "Orientation error",
    "tool_m": "Tool error",
    "reference_q_rad": "Error against the reference",
    "reference_motor_rad": "Motor error against the reference",
    "reference_u_Nm": "Torque error against the reference",
}

TRACKING = ("position_m", "orientation_angle_rad")


def charts_of(rows: Sequence[Any], *, degrees: bool = True) -> list[Chart]:
    """The charts of `rows` (the current run first), the most telling one first.

    A chart that none of the runs has data for is left out.
    """
    shown = [row for row in rows if row.run is not None]
    if not shown:
        return []
    named: dict[str, list[Curve]] = {}
    trusted = math.inf
    for row in reversed(shown):
        if row.reference is not None:
            trusted = min(trusted, float(row.reference.trusted_until))
            for name, values in row.reference.errors.items():
                named.setdefault(name, []).append(Curve(row.reference.t, np.asarray(values), row.colour, row.dash))
        for name, values in row.run.errors.items():
            named.setdefault(name, []).append(Curve(row.run.t, np.asarray(values), row.colour, row.dash))
    order = sorted(named, key=_rank)
    errors = [_error_chart(name, named[name], trusted, shown[0].scenario) for name in order]
    own = "motion" in shown[0].run.robot.plots
    told = own_chart(shown[0], degrees) if own else angles_chart(shown[0], degrees=degrees, alone=len(shown) == 1)
    motion = [] if told is None else [told]
    return [*errors[:1], *motion, *errors[1:2], steps_chart(shown), *errors[2:]]


def _rank(name: str) -> tuple[bool, bool, int]:
    """Errors against a path that is tracked come first, then those against the reference."""
    place = list(TITLES).index(name) if name in TITLES else len(TITLES)
    return name not in TRACKING, not name.startswith("reference"), place


def title_of(name: str) -> str:
    """What a chart of this error is called."""
    return TITLES.get(name, name.rpartition("_")[0].replace("_", " ").capitalize())


def _error_chart(name: str, curves: list[Curve], trusted: float, scenario: Any) -> Chart:
    title, unit = title_of(name), error_unit(name, scenario)
    return Chart(
        title, unit, tuple(curves), log=True, trusted_until=trusted if name.startswith("reference") else math.inf
    )


def own_chart(row: Any, degrees: bool) -> Chart:
    """The series that tells most of a machine without joint angles: a car's height, a beam's swing."""
    series = next(iter(row.run.series().values()))
    factor, unit = (180.0 / math.pi, "°") if degrees and series.unit == "rad" else (1.0, series.unit)
    title = series.label[:1].upper() + series.label[1:]
    return Chart(title, unit, (Curve(row.run.t, factor * np.asarray(series.values), row.colour),))


def angles_chart(row: Any, *, degrees: bool = True, alone: bool = False) -> Chart | None:
    """The joint coordinates of one run; angles in degrees if asked.

    Shades of the run's colour, or a colour for each joint when it is the only run, `alone`.
    """
    columns = row.run.columns()
    joints = [name for name in columns if name[0] == "q" and name[1:].isdigit()]
    if not joints:
        return None
    factor = 180.0 / math.pi if degrees else 1.0
    most = max(len(joints) - 1, 1)
    curves = [
        Curve(
            row.run.t,
            factor * np.asarray(columns[name]),
            JOINTS[index % len(JOINTS)] if alone else row.colour,
            label=name.translate(_LOWERED),
            shade=0.0 if alone else 0.7 * index / most,
        )
        for index, name in enumerate(joints)
    ]
    return Chart("Joint angles", "°" if degrees else "rad", tuple(reversed(curves)))


_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def steps_chart(rows: Sequence[Any]) -> Chart:
    """The step size over time, held from each step's start to its end; the current run's rejected steps as crosses."""
    curves = []
    for row in reversed(rows):
        log = row.run.log
        kept = np.asarray(log.accepted, bool)
        times, sizes = np.asarray(log.t)[kept], np.abs(np.asarray(log.h)[kept])
        ends = np.append(times, times[-1] + sizes[-1]) if times.size else times
        curves.append(Curve(ends, np.append(sizes, sizes[-1:]), row.colour, row.dash, staircase=True))
    log = rows[0].run.log
    lost = ~np.asarray(log.accepted, bool)
    crosses = (np.asarray(log.t)[lost], np.abs(np.asarray(log.h)[lost])) if lost.any() else None
    return Chart("Step size", "s", tuple(curves), log=True, crosses=crosses)
