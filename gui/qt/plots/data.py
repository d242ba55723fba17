"""What plots take from runs: columns at times that a curve can be drawn through, names and units of quantities."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gui.app.units import SUBSCRIPTS
from robots.model.registry import find_robot
from robots.scenario.scenario import Scenario

Array = NDArray[np.float64]
KEPT = 48
FEW_STEPS = 600

ERROR_NAMES = {
    "reference_q": "joint angles",
    "reference_motor": "motor angles",
    "reference_u": "motor torques",
    "position": "position",
    "orientation": "orientation, sine of the angle",
    "orientation_angle": "orientation, angle",
    "tool": "tool position",
    "energy": "energy",
}
UNITS = ("rad", "m", "J", "Nm", "N", "s", "kg")

_kept: OrderedDict[tuple[int, str], tuple[Any, Any]] = OrderedDict()
_keeping = Lock()
"""New runs are made ready in a thread of their own while the window draws others."""


def remembered(run: Any, name: str, make: Callable[[], Any]) -> Any:
    """`make()`, computed once per run and name; the latest few are kept."""
    key = (id(run), name)
    with _keeping:
        if key in _kept and _kept[key][0] is run:
            _kept.move_to_end(key)
            return _kept[key][1]
    value = make()
    with _keeping:
        _kept[key] = (run, value)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return value


def split_unit(key: str) -> tuple[str, str]:
    """`reference_q_rad` as (`reference_q`, `rad`); the unit is empty when the key ends in none."""
    name, _, unit = key.rpartition("_")
    return (name, unit) if name and unit in UNITS else (key, "")


def error_name(key: str, scenario: Scenario | None = None) -> str:
    """What a person reads for an error's key, in the words of the scenario's robot where it has some."""
    name, _ = split_unit(key)
    own = find_robot(scenario.robot).error_names if scenario is not None else {}
    return own.get(name) or ERROR_NAMES.get(name, name.replace("_", " "))


def subscripted(name: str) -> str:
    """`q1` as q₁; names of other kinds as they are."""
    return name[0] + name[1:].translate(SUBSCRIPTS) if re.fullmatch(r"[A-Za-z]\d+", name) else name


def drawing_times(run: Any) -> Array | None:
    """Where to draw a smooth run whose own points are few: there and at times between; None for its own points."""
    t = np.asarray(run.t)
    if t.size < 2 or t.size > FEW_STEPS or failed(run) or not smooth(run):
        return None
    return np.union1d(t, np.linspace(t[0], t[-1], 2 * FEW_STEPS))


def failed(run: Any) -> bool:
    """Whether the run broke off or lost its path: neither axes nor smooth curves are made for what it did then."""
    return broke_off(run) or remembered(run, "lost", lambda: _lost(run))


def broke_off(run: Any) -> bool:
    """Whether the run ended early because it could not go on."""
    return str(run.status) not in ("finished", "cancelled")


def _lost(run: Any) -> bool:
    """Whether the tool was further from the path that it should track than a quarter of the arm's size."""
    return run.max_error.get("position_m", 0.0) > 0.25 * run.shape(0.0).radius


def smooth(run: Any) -> bool:
    """Whether the run's interpolant has at least its method's order; else the points are joined by lines."""
    from robots.scenario.method_selection import method_of

    return all(phase.solution.dense_order >= method_of(phase.scenario).order for phase in run.phases)


def columns(run: Any) -> tuple[Array, dict[str, Array]]:
    """Times and the robot's named outputs (`q1..`, `v1..`, SI) along a run, (n,) each."""
    return remembered(run, "columns", lambda: _along(run, run.columns))


def series(run: Any) -> tuple[Array, dict[str, Any]]:
    """Times and the robot's further quantities along a run."""
    return remembered(run, "series", lambda: _along(run, run.series))


def tip(run: Any) -> tuple[Array, Array]:
    """Times and where the tip is along a run, (n,) and (n, 3) [m]; (0, 3) for an arm without a tip."""
    return remembered(run, "tip", lambda: _along(run, run.tip))


def _along(run: Any, view: Callable[[Array | None], Any]) -> tuple[Array, Any]:
    times = drawing_times(run)
    return (run.t if times is None else times), view(times)
