"""What the robots of a tree share, whether torques move them or a path does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.fields import Field
from robots.dynamics.tree.look import shape_of
from robots.model.repair import summary_of
from robots.model.robot import UNITS, Array, Robot, of_joint
from robots.model.shapes import ArmShape
from robots.model.tree import Tree

if TYPE_CHECKING:
    from robots.model.setup import Setup


class OfTree(Robot):
    """A robot of rigid links that a tree describes."""

    tree: ClassVar[Tree]
    group = "Robots"

    def shape(self, scenario: Setup) -> ArmShape:
        """The solids of the file, or a skeleton of links that have none."""
        return self._shape

    def unit(self, column: str) -> str:
        """Metres, metres per second and newtons for joints that slide."""
        if not of_joint(column):
            return ""
        sliding = self.tree.joints[self.tree.order[int(column[1:]) - 1]].sliding
        return {"q": "m", "v": "m/s", "u": "N"}[column[0]] if sliding else UNITS[column[0]]

    def largest_gaps(self, gaps: Array, joints: Sequence[int]) -> dict[str, Array]:
        """The largest error of an angle, and of a length where joints slide.

        Args:
            gaps: of the positions, (n, k) [rad or m].
            joints: which joints these are, as indices, (k,).
        """
        sliding = np.array([self.tree.joints[k].sliding for k in joints], dtype=bool)
        kinds = {"reference_q_rad": ~sliding, "reference_q_m": sliding}
        return {name: gaps[:, these].max(axis=1) for name, these in kinds.items() if these.any()}

    @cached_property
    def _shape(self) -> ArmShape:
        """The same object for all scenarios, so that its mesh is built once."""
        return shape_of(self.tree)


def facts_of(tree: Tree, key: str, shaping: tuple[Field, ...]) -> dict[str, object]:
    """The facts that do not depend on what moves the arm.

    Args:
        tree: its links and joints.
        key: its name in scenarios.
        shaping: the parameters that the tree was made from.
    """
    return {
        "key": key,
        "tree": tree,
        "title": tree.name or key,
        "summary": summary_of(tree),
        "source": tree.source,
        "shaping": (*(f"robot.{field.key}" for field in shaping), "task.torque"),
    }
