"""How far a motion reaches, by unit: what errors are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from robots.model.robot import Array, Robot, of_joint

if TYPE_CHECKING:
    from robots.simulation.phases import Phase

LETTERS = {"rad": "q", "Nm": "u"}
"""The columns of joints, by the unit that stands for them."""


def reach(
    robot: Robot,
    parts: Sequence[tuple[Phase, Array, Array]],
    outputs: Callable[[Phase, Array, Array], Mapping[str, Array]],
) -> dict[str, float]:
    """Joint angles `rad` and torques `Nm`, of the joint with the widest range, and the tip `m`.

    Where the tip should follow a path that goes somewhere, it is that path.

    Args:
        robot: whose motion it is.
        parts: phases with times (m,) [s] and the states there, (m, d).
        outputs: the named columns of a phase.
    """
    asked = (robot.desired_path(phase.scenario, t) for phase, t, _ in parts)
    path = _range(one for one in asked if one is not None)
    spans = {"m": path or _range(robot.tip_path(phase.scenario, t, y) for phase, t, y in parts)}
    named = [outputs(phase, t, y) for phase, t, y in parts]
    for unit, letter in LETTERS.items():
        names = {name for columns in named for name in columns if of_joint(name, letter)}
        own = (_range(columns[name][:, None] for columns in named if name in columns) for name in names)
        spans[unit] = max(own, default=0.0)
    return spans


def _range(parts: Iterable[Array]) -> float:
    """The widest range of the columns of these pieces, (m, k) each; 0 without any."""
    rows = [part for part in parts if len(part)]
    return float(np.ptp(np.concatenate(rows), axis=0).max()) if rows else 0.0
