"""Joints that follow others: `<mimic>` of a URDF file, resolved to a leader that is free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from robots.files.report import Notes
from robots.files.values import Values
from robots.files.xml import Element
from robots.model.tree import Joint


def with_leaders(
    joints: tuple[Joint, ...], mimics: Mapping[str, Element], values: Values, notes: Notes
) -> tuple[Joint, ...]:
    """The joints with the leader of each, and the free joints numbered in the order of the file.

    A joint stays free, with a remark, if it follows itself, a missing joint or one that does not move.

    Args:
        joints: in the order of the tree; their numbers are those of all moving joints.
        mimics: the `<mimic>` of each joint that has one, by the joint's name.
        values: reads numbers.
        notes: takes the remarks.
    """
    places = {joint.name: k for k, joint in enumerate(joints)}
    found = []
    for joint in joints:
        name, ratio, shift, seen = joint.name, 1.0, 0.0, {joint.name}
        while name in mimics and (leader := mimics[name].attributes.get("joint", "none")) in places.keys() - seen:
            ratio, shift = (
                ratio * values.number(mimics[name], "multiplier", 1.0),
                shift + ratio * values.number(mimics[name], "offset", 0.0),
            )
            name = leader
            seen.add(name)
        last = mimics[name].attributes.get("joint", "none") if name in mimics else ""
        if name != joint.name and last not in seen:
            found.append(replace(joint, leader=places[name], ratio=ratio, shift=shift))
            continue
        if joint.name in mimics:
            notes.add("ignored", mimics[joint.name], f"joint {joint.name} moves freely: it does not follow {last}")
        found.append(joint)
    order = sorted(joint.number for joint in found if joint.leader < 0)
    return tuple(replace(joint, number=-1 if joint.leader >= 0 else order.index(joint.number)) for joint in found)
