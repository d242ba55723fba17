"""A pendulum of 1 to 32 links: one chain of 1.2 m and 1.2 kg, cut into equal rods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from assets.fields import Field
from robots.dynamics.tree.robot import TreeRobot, tree_robot
from robots.model.robot import Robot
from robots.model.shapes import ALONG_X, ALONG_Y, translation
from robots.model.tree import Joint, Link, Tree, Visual, placed

if TYPE_CHECKING:
    from robots.model.setup import Setup

_LENGTH, _MASS, _RADIUS = 1.2, 1.2, 0.018
_LINKS = Field(
    "links",
    "links",
    default=3,
    minimum=1,
    maximum=32,
    slider=(1, 32),
    help="Rods of equal length; all together are 1.2 m long and weigh 1.2 kg. From two on the motion is chaotic.",
)
_GREY, _BRIGHT = (0.45, 0.46, 0.48), (0.9, 0.9, 0.92)


class Pendulum(TreeRobot):
    """A planar chain that swings beside its column; joint k is the angle between rods k - 1 and k."""

    def shaped(self, setup: Setup) -> Robot:
        """The pendulum with its number of links."""
        given = setup.parameters if isinstance(setup.parameters, Mapping) else {}
        links = _LINKS.check("robot.links", given.get("links", _LINKS.default))
        return TreeRobot.shaped(_pendulum(int(links)), setup)  # type: ignore[arg-type]


def pendulum_tree(links: int) -> Tree:
    """Rods along x at angle 0, which turn upwards about axes along -y.

    A rod weighs as the thin cylinder that is drawn.
    """
    length, mass = _LENGTH / links, _MASS / links
    along, across = 0.5 * mass * _RADIUS**2, mass * (3.0 * _RADIUS**2 + length**2) / 12.0
    lying = ALONG_X.copy()
    lying[0, 3] = 0.5 * length
    rod = Visual("capsule", (_RADIUS, length), placed(lying), _BRIGHT)
    drum = Visual("cylinder", (1.4 * _RADIUS, 2.6 * _RADIUS), placed(ALONG_Y), _GREY)
    axle = ALONG_Y.copy()
    axle[1, 3] = -0.05
    bodies = [Link("base", visuals=(Visual("cylinder", (_RADIUS, 0.1), placed(axle), _GREY, "axle"),))]
    joints = []
    for k in range(links):
        centre, inertia = (0.5 * length, 0.0, 0.0), (along, 0.0, 0.0, across, 0.0, across)
        bodies.append(Link(f"rod {k + 1}", mass, centre, inertia, (rod, drum)))
        place = translation(length, 0.0, 0.0) if k else translation(0.0, -0.12, 0.0)
        joints.append(Joint(f"joint {k + 1}", "continuous", k, placed(place), (0.0, -1.0, 0.0), k))
    return Tree(
        "Pendulum",
        tuple(bodies),
        tuple(joints),
        tip=(links, (length, 0.0, 0.0)),
        source="Our own: a chain of uniform rods.",
        summary=(
            "A chain cut into 1 to 32 rods. Each rod makes a step cost more, and from two rods on neighbouring motions "
            "part exponentially: every method loses them after a while."
        ),
    )


@lru_cache(maxsize=32)
def _pendulum(links: int) -> TreeRobot:
    return tree_robot(pendulum_tree(links), "pendulum", Pendulum, (_LINKS,))


ROBOT = _pendulum(_LINKS.default)
