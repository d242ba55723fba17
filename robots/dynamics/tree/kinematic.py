"""An arm with impossible masses or inertias: it moves as commanded, without forces and energies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assets.errors import BadInput
from robots.dynamics.tree import layout as at
from robots.dynamics.tree.robot import TreeRobot, tree_robot
from robots.model.robot import Array, Series
from robots.model.tree import Joint, Link, Tree

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup

_MOVE = "computed"
_COMMANDED = (_MOVE, "log-motion")


class KinematicRobot(TreeRobot):
    """An arm that moves exactly as commanded, whatever its bodies weigh."""

    def check(self, scenario: Setup) -> None:
        """Refuse tasks that need dynamics. Raises BadInput naming the link."""
        if scenario.task["torque"] not in _COMMANDED:
            reason = f"since the arm moves by kinematics only: {self.tree.fault()}"
            raise BadInput("task.torque", scenario.task["torque"], choices=(*_COMMANDED, "path"), reason=reason)
        super().check(scenario)

    def sampling(self, scenario: Setup) -> None:
        """None: torques do not matter."""

    def _carried(self, scenario: Setup) -> list[Link]:
        """Bodies that can be: inverse dynamics and dynamics cancel, so any of them move as commanded."""
        unit = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
        return [replace(link, mass=1.0, centre=(0.0, 0.0, 0.0), inertia=unit) for link in self.tree.links]

    def _fill(self, row: Array, joint: Joint, link: Link, scenario: Setup) -> None:
        super()._fill(row, joint, link, scenario)
        row[at.FRICTION] = 0.0

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Positions and rates in the file's order."""
        return {name: column for name, column in super().columns(scenario, t, y).items() if name[0] != "u"}

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """None: energies need masses."""
        return {}

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """None: energies and torques need masses."""
        return {}


def robot_of_tree(tree: Tree, key: str) -> TreeRobot:
    """The robot that a tree describes, with dynamics where its bodies can be."""
    if not tree.fault():
        return tree_robot(tree, key)
    whole = tree_robot(tree, key, KinematicRobot)
    motion, *others = whole.task
    facts = {
        "task": (
            replace(motion, default=_MOVE, label="motion"),
            *(replace(field, when=("torque", ())) if field.key == "sampling" else field for field in others),
        ),
        "pullable": (),
        "reference_methods": None,
        "no_reference": "its motion is given, and not computed",
    }
    return type("Arm", (type(whole),), facts)()
