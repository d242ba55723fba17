"""URDF: links, joints, inertias and simple solids of a robot, with the line of everything that is not taken as it is.

Source: the format as `wiki.ros.org/urdf/XML` describes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from assets.errors import BadInput
from robots.files.folder import Place
from robots.files.looks import Looks, with_meshes
from robots.files.meshes.store import MeshStore
from robots.files.mimics import with_leaders
from robots.files.report import Notes, RobotFile
from robots.files.values import Values
from robots.files.xml import Element, parse
from robots.model.robot import Array
from robots.model.tree import (
    KINDS,
    MOST_JOINTS,
    Joint,
    Link,
    Tree,
    end_of_longest,
    entries,
    joined,
    matrix,
    placed,
)

MOST_NAMED = 2_000
_HELD = ("fixed", "floating", "planar")
_TYPES = (*KINDS, *_HELD)
_KNOWN = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual", "collision"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
}
_LIKELY_GRAMS = 500.0
_FRAME_MASS = 1e-6
"""A lighter body counts as a named frame without mass [kg]."""


def read_urdf(content: bytes, where: str = "robot file", place: Place | None = None) -> RobotFile:
    """The robot in the bytes of a URDF file.

    Args:
        content: the file.
        where: its name in messages.
        place: where it is, to find its meshes; None opens no other file.

    Raises:
        BadInput: it is no URDF, or no tree of links; with the line.
    """
    return read_elements(parse(content, where), place)


def read_elements(root: Element, place: Place | None) -> RobotFile:
    """The robot in a root element; as `read_urdf`."""
    if root.tag != "robot":
        raise BadInput(root.where, f"<{root.tag}>", "a <robot>, the root of a URDF file")
    values = Values(Notes(root.file))
    return _Reader(values, values.notes, Looks(values, MeshStore(place))).robot(root)


@dataclass(slots=True)
class _Raw:
    """A joint as it stands in the file."""

    element: Element
    name: str
    kind: str
    parent: str
    child: str


@dataclass(slots=True)
class _Group:
    """Links that move as one.

    Attributes:
        members: each link's name, with its frame in that of the first, (4, 4).
        raw: the joint that moves it; None of the base.
        parent: index of the group that carries it.
        place: the first link's frame in the carrier's at position 0, (4, 4).
    """

    members: list[tuple[str, Array]]
    raw: _Raw | None = None
    parent: int = -1
    place: Array = field(default_factory=lambda: np.eye(4))


@dataclass(slots=True)
class _Reader:
    values: Values
    notes: Notes
    looks: Looks

    # -- the whole -----------------------------------------------------------------------------------------------------

    def robot(self, root: Element) -> RobotFile:
        """The robot of the root element."""
        self._unknown(root)
        links = self._named(root, "link")
        if not links:
            raise root.refusal("no <link>", "a robot with links")
        raws = [self._raw(element, links) for element in self._named(root, "joint").values()]
        groups = self._groups(links, raws)
        moving = [raw for raw in raws if raw.kind in KINDS]
        if not moving:
            raise root.refusal("none", f"a robot with a joint that moves: {', '.join(KINDS)}")
        if len(moving) > MOST_JOINTS:
            raise root.refusal(f"{len(moving)} moving joints", f"a robot with at most {MOST_JOINTS}")
        colours = {name: self.looks.colour(element) for name, element in self._named(root, "material").items()}
        bodies = {name: self._link(name, element, colours) for name, element in links.items()}
        texts = self.looks.meshes.texts()
        bodies = {name: with_meshes(link, texts) for name, link in bodies.items()}
        number = {raw.name: k for k, raw in enumerate(moving)}
        tree = Tree(
            root.attributes.get("name", "robot"),
            tuple(joined(group.members[0][0], [(bodies[n], frame) for n, frame in group.members]) for group in groups),
            with_leaders(
                tuple(self._joint(group, number) for group in groups[1:]),
                {raw.name: mimic for raw in moving if (mimic := raw.element.first("mimic"))},
                self.values,
                self.notes,
            ),
            _tip(groups, bodies, set(links) - {raw.parent for raw in raws}),
        )
        self._judge(tree, groups, links, bodies)
        return self.notes.robot_file(tree, self.looks.meshes.lost)

    def _groups(self, links: Mapping[str, Element], raws: list[_Raw]) -> list[_Group]:
        """The links in groups that move as one, each after the group that carries it; the first stands still."""
        carried: dict[str, _Raw] = {}
        children: dict[str, list[_Raw]] = {name: [] for name in links}
        for raw in raws:
            if raw.child in carried:
                other = carried[raw.child].element.where
                raise raw.element.refusal(f"a second parent of link {raw.child!r} (see {other})", "part of a tree")
            carried[raw.child] = raw
            children[raw.parent].append(raw)
        roots = [name for name in links if name not in carried]
        if len(roots) > 1:
            raise links[roots[1]].refusal(f"two roots, {roots[0]!r} and {roots[1]!r}", "one tree of links")
        groups = [_Group([(roots[0], np.eye(4))])] if roots else []
        waiting = [(roots[0], 0, np.eye(4))] if roots else []
        for name, index, frame in waiting:
            for raw in children[name]:
                place = frame @ self.values.origin(raw.element)
                if raw.kind in KINDS:
                    groups.append(_Group([(raw.child, np.eye(4))], raw, index, place))
                    waiting.append((raw.child, len(groups) - 1, np.eye(4)))
                else:
                    self._hold(raw, groups[index].members[0][0])
                    groups[index].members.append((raw.child, place))
                    waiting.append((raw.child, index, place))
        if len(waiting) < len(links):
            reached = {name for name, _, _ in waiting}
            lost = next(name for name in links if name not in reached)
            raise links[lost].refusal(f"a loop through link {lost!r}", "one tree of links")
        return groups

    def _hold(self, raw: _Raw, carrier: str) -> None:
        element, kind = raw.element, raw.kind
        if kind == "fixed":
            self.notes.add("merged", element, f"link {raw.child} is one body with {carrier} (fixed joint {raw.name})")
        else:
            self.notes.add("ignored", element, f"joint {raw.name} is {kind}: it is held still")

    # -- elements ------------------------------------------------------------------------------------------------------

    def _raw(self, element: Element, links: Mapping[str, Element]) -> _Raw:
        self._unknown(element)
        kind = element.attributes.get("type", "")
        if kind not in _TYPES:
            raise element.refusal(kind or "no type", f"a joint of type {', '.join(_TYPES)}", _TYPES)
        ends = []
        for tag in ("parent", "child"):
            end = element.first(tag)
            link = end.attributes.get("link", "") if end else ""
            if link not in links:
                must = f"a joint whose <{tag}> names a link of this file"
                raise (end or element).refusal(link or "none", must, links if link else ())
            ends.append(link)
        return _Raw(element, element.attributes["name"], kind, *ends)

    def _joint(self, group: _Group, number: Mapping[str, int]) -> Joint:
        raw = group.raw
        assert raw is not None
        element = raw.element
        given = element.first("axis")
        axis = self.values.vector(given, "xyz", (1.0, 0.0, 0.0)) if given else np.array([1.0, 0.0, 0.0])
        length = float(np.linalg.norm(axis))
        if length < 1e-9:
            raise (given or element).refusal("a zero axis", f"an axis of joint {raw.name} with a direction")
        if abs(length - 1.0) > 1e-3:
            self.notes.add("suspicious", given or element, f"the axis of joint {raw.name} has length {length:.4g}")
        joint = Joint(
            raw.name,
            raw.kind,
            group.parent,
            placed(group.place),
            tuple((axis / length).tolist()),
            number[raw.name],
        )
        return self._damped(self._limited(joint, element), element)

    def _limited(self, joint: Joint, element: Element) -> Joint:
        limit = element.first("limit")
        if limit is None:
            if joint.kind != "continuous":
                self.notes.add("suspicious", element, f"joint {joint.name} is {joint.kind} and has no <limit>")
            return joint
        speed, effort = self.values.limit(limit, "velocity", math.inf), self.values.limit(limit, "effort", math.inf)
        joint = replace(joint, speed=speed if speed > 0.0 else math.inf, effort=effort if effort > 0.0 else math.inf)
        if joint.kind == "continuous":
            return joint
        lower, upper = self.values.limit(limit, "lower", 0.0), self.values.limit(limit, "upper", 0.0)
        if not lower < upper:
            text = f"joint {joint.name} has the limits {lower:g} and {upper:g}: they are left out"
            self.notes.add("suspicious", limit, text)
            return joint
        return replace(joint, lower=lower, upper=upper)

    def _damped(self, joint: Joint, element: Element) -> Joint:
        dynamics = element.first("dynamics")
        if dynamics is None:
            return joint
        friction, damping = self.values.number(dynamics, "friction", 0.0), self.values.number(dynamics, "damping", 0.0)
        if friction:
            self.notes.add("ignored", dynamics, f"Coulomb friction {friction:g} of joint {joint.name}")
        if damping < 0.0:
            raise dynamics.refusal(f"{damping:g}", f"a damping of joint {joint.name} of at least 0")
        return replace(joint, damping=damping)

    def _link(self, name: str, element: Element, colours: Mapping[str, tuple[float, ...]]) -> Link:
        self._unknown(element)
        link = Link(name, visuals=self.looks.visuals(name, element, colours))
        inertial = element.first("inertial")
        if inertial is None:
            return link
        frame = self.values.origin(inertial)
        mass = self.values.number(inertial.first("mass"), "value", 0.0)
        given = inertial.first("inertia")
        numbers = [self.values.number(given, key, 0.0) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
        turn = frame[:3, :3]
        inertia = entries(turn @ matrix(numbers) @ turn.T)
        if mass > _LIKELY_GRAMS:
            self.notes.add("suspicious", inertial, f"link {name} has {mass:g} kg: are these grams?")
        return replace(link, mass=mass, centre=tuple(frame[:3, 3].tolist()), inertia=inertia)

    # -- judging -------------------------------------------------------------------------------------------------------

    def _judge(
        self, tree: Tree, groups: list[_Group], links: Mapping[str, Element], bodies: Mapping[str, Link]
    ) -> None:
        """Note masses and inertias that no body has; they matter where they move."""
        for body, group in zip(tree.links, groups, strict=True):
            moves = group.raw is not None
            for name, _ in group.members:
                link = bodies[name]
                empty = link.mass == 0.0 and not any(link.inertia)
                if not empty and (fault := link.fault()):
                    topic = "impossible" if moves else "suspicious"
                    self.notes.add(topic, links[name], f"link {name} must {fault}")
            if moves and body.mass == 0.0 and not any(body.inertia):
                self.notes.add("impossible", links[body.name], f"link {body.name} moves and has no mass")

    def _named(self, root: Element, tag: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for element in root.all(tag):
            name = element.attributes.get("name", "").strip()
            if not name:
                raise element.refusal("no name", f"a <{tag}> with a name")
            if name in found:
                other = found[name].where
                raise element.refusal(f"a second {tag} {name!r} (see {other})", "a name used once")
            found[name] = element
            if len(found) > MOST_NAMED:
                raise element.refusal(f"more than {MOST_NAMED} of <{tag}>", "a smaller robot")
        return found

    def _unknown(self, element: Element) -> None:
        for child in element.children:
            if child.tag not in _KNOWN[element.tag]:
                owner = element.attributes.get("name", "")
                of = f" of {element.tag} {owner}" if element.tag != "robot" else ""
                self.notes.add("ignored", child, f"<{child.tag}>{of}")


def _tip(groups: list[_Group], bodies: Mapping[str, Link], leaves: set[str]) -> tuple[int, tuple[float, ...]]:
    """The end of the longest chain: its last link and there the frame that was joined to it last.

    A frame without mass and solids, put at the end of the link before the last (which is then a finger), is the tip.
    """
    last = end_of_longest([group.parent for group in groups[1:]])
    for near in (last, groups[last].parent):
        name, frame = groups[near].members[-1]
        if near and bodies[name].mass < _FRAME_MASS and not bodies[name].visuals and name in leaves:
            return near, tuple(frame[:3, 3].tolist())
    return last, tuple(groups[last].members[-1][1][:3, 3].tolist())
