"""A tree whose tip follows a path: closed-loop inverse kinematics of the chain from its base to its tip."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.counting import counted
from assets.errors import BadInput
from assets.fields import Field, Values
from robots.dynamics.path.chain import FEWEST, Chain, chain_of, coordinates_to_tip
from robots.dynamics.path.fields import CLAMP, path_fields
from robots.dynamics.path.robot import JUDGED, PathRobot
from robots.dynamics.tree.fields import positions_of
from robots.dynamics.tree.look import reach_of
from robots.dynamics.tree.of_tree import OfTree, facts_of
from robots.dynamics.tree.poses import said_to_pass, world_from_links
from robots.model.quantities import choice
from robots.model.robot import Array
from robots.model.tree import Tree

if TYPE_CHECKING:
    from robots.model.setup import Setup
    from solvers.events import Trajectory

_PLANES = ("xy", "yz", "xz")
_TURNING = ("orientation", "axis", "angular_speed", "amplitude", "gain_orientation")
_SPARE = ("none", "limits", "manipulability")


class Follower(OfTree, PathRobot):
    """The state is the positions of the free joints that move the tip; the others keep theirs."""

    defaults: ClassVar[Values] = {"method": "rk4", "step": 0.01, "duration": 10.0}
    share = "position / limit"

    @cached_property
    def moved(self) -> tuple[int, ...]:
        """The joints whose positions are the state, as indices."""
        return coordinates_to_tip(self.tree)

    @cached_property
    def _chains(self) -> dict[int, Chain]:
        return {rows: chain_of(self.tree, rows) for rows in (3, 6)}

    def chain(self, scenario: Setup) -> Chain:
        """The chain to the tip; its orientation follows the path, too, where that is asked for."""
        return self._chains[6 if scenario.task.get("tracked") == "pose" else 3]

    def start(self, scenario: Setup) -> Array:
        """The initial positions."""
        return np.array([scenario.initial[name] for name in self.coordinates], dtype=float)

    def check(self, scenario: Setup) -> None:
        """Refuse an arm whose tip cannot follow a path: too few joints."""
        if len(self.moved) < FEWEST:
            moved = counted(len(self.moved), "joint")
            must = f"another choice: a path needs at least {FEWEST} joints that move the tip, and this arm has {moved}"
            raise BadInput("task.torque", "path", must)
        super().check(scenario)

    def reference_errors(self, scenario: Setup, t: Array, y: Array, exact: Array) -> dict[str, Array]:
        """The largest error of an angle, and of a length where joints slide."""
        return self.largest_gaps(np.abs(y - exact), self.moved)

    def remark(self, scenario: Setup, motion: Trajectory) -> str:
        """Joints beyond their limits or rates, and singular postures."""
        some, chain = motion.some(JUDGED), self.chain(scenario)
        low, high = chain.limits

        def too_fast(t: Array, y: Array) -> Array:
            return np.abs(self.rates(scenario, t, y)) - chain.speeds

        sentences = (
            said_to_pass("its limit", self.joints, motion, lambda _, y: np.maximum(low - y, y - high)),
            said_to_pass("its largest rate", self.joints, some, too_fast),
            self.said_of_singularity(scenario, some),
        )
        return " ".join(filter(None, sentences))

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the base and the links."""
        q, free = np.empty((len(y), len(self.tree.free))), self.tree.free
        for number, k in enumerate(self.tree.order, start=1):
            q[:, free.index(k)] = scenario.initial[f"q{number}"]
        q[:, [free.index(k) for k in self.moved]] = self._posture(scenario, y)
        return world_from_links(self.tree, self.tree.positions(q))


def follower_of(tree: Tree, key: str, drive: Field, shaping: tuple[Field, ...]) -> Follower:
    """The robot whose tip follows a path.

    Args:
        tree: its links and joints.
        key: its name in scenarios.
        drive: the field that chooses between torques and a path.
        shaping: the parameters that the tree was made from.
    """
    moved = coordinates_to_tip(tree)
    numbers = {k: number for number, k in enumerate(tree.order, start=1)}
    scale = float(f"{0.12 * reach_of(tree):.1g}")

    def fields() -> Iterator[Field]:
        if len(moved) >= 6:
            yield choice(
                "tracked",
                "what follows",
                {"pose": "position and orientation", "position": "position alone"},
                "Whether the tool keeps its orientation, too; its position alone leaves more joints free.",
            )
        spare = _SPARE if len(moved) > FEWEST else ()
        for field in path_fields(scale, scale, _PLANES, spare, "dls"):
            if len(moved) >= 6 or field.key not in _TURNING:
                yield field
        yield CLAMP

    facts = facts_of(tree, key, shaping) | {
        "parameters": shaping,
        "task": (drive, *fields()),
        "initial": positions_of(tree),
        "joints": tuple(tree.joints[k].name for k in moved),
        "coordinates": tuple(f"q{numbers.get(k, 0)}" for k in moved),
    }
    return type("PathArm", (Follower,), facts)()
