"""Where arms stand in one picture: runs of one robot in the same place, different robots side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gui.compose.kinematics import RunKinematics, kinematics_of

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.scenario.scenario import Scenario


GAP = 0.25
"""Free room between two robots, in radii of the first one."""


def arms_of(rows: Sequence[RunRow]) -> list[RunKinematics]:
    """What pictures need of each row's run, where it stands; rows without a run are left out.

    The first row's robot, in all its runs, stands where its equations put it; each other robot stands beside the one
    before, on the same ground.
    """
    shown = [(row.run.scenario, row.run) for row in rows if row.run is not None]
    leaders = []
    for scenario, run in shown:
        if not any(_same_arm(scenario, other) for other, _ in leaders):
            leaders.append((scenario, run))
    if len(leaders) < 2:
        return [kinematics_of(run) for _, run in shown]
    rooms = [
        np.concatenate([kinematics_of(run).room for scenario, run in shown if _same_arm(scenario, leader)])
        for leader, _ in leaders
    ]
    arms = [kinematics_of(run) for _, run in leaders]
    shapes = [arm.shape(arm.start) for arm in arms]
    places = [np.zeros(3)]
    edge = float(rooms[0][:, 0].max())
    for room, shape in zip(rooms[1:], shapes[1:], strict=True):
        place = np.zeros(3)
        place[0] = edge + GAP * shapes[0].radius - float(room[:, 0].min())
        if shape.ground is not None and shapes[0].ground is not None:
            place[2] = shapes[0].ground - shape.ground
        edge = float(room[:, 0].max()) + place[0]
        places.append(place)
    found = [
        next(place for (leader, _), place in zip(leaders, places, strict=True) if _same_arm(scenario, leader))
        for scenario, _ in shown
    ]
    return [kinematics_of(run, tuple(place.tolist())) for (_, run), place in zip(shown, found, strict=True)]


def of_the_same_arm(rows: Sequence[RunRow], one: RunRow) -> list[RunRow]:
    """Those of the rows that have a run of the arm of `one`."""
    if one.run is None:
        return []
    return [row for row in rows if row.run is not None and _same_arm(row.run.scenario, one.run.scenario)]


def _same_arm(scenario: Scenario, other: Scenario) -> bool:
    """Whether both are about one arm with the same joints, whatever its task."""
    joints = ({name for name in one.initial if name.startswith("q")} for one in (scenario, other))
    return (scenario.robot, scenario.model) == (other.robot, other.model) and next(joints) == next(joints)
