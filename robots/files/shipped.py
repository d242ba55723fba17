"""The arms that come with Armstep: URDF files whose first comment says what they are and where they come from."""

from __future__ import annotations

from dataclasses import replace

from assets.errors import ArmstepError
from robots.dynamics.tree.robot import tree_robot
from robots.files.urdf import read_urdf
from robots.model.robot import Robot


def shipped_robot(key: str, text: str) -> Robot:
    """The robot in the text of `assets/robots/KEY.urdf`.

    The first paragraph of the comment is its summary, the second its source and licence.

    Raises:
        ArmstepError: the text describes no robot, or has no such comment.
    """
    comment = text.partition("<!--")[2].partition("-->")[0]
    paragraphs = [" ".join(paragraph.split()) for paragraph in comment.strip().split("\n\n")]
    if len(paragraphs) != 2:
        raise ArmstepError("its first comment must have two paragraphs: a summary, and source and licence")
    tree = read_urdf(text.encode(), f"{key}.urdf").tree
    return tree_robot(replace(tree, summary=paragraphs[0], source=paragraphs[1]), key)
