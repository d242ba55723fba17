"""A tree of rigid links as plain data: what a robot file describes, and what a scenario embeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from assets.errors import BadInput, Range, shortened
from assets.fields import Data
from assets.json_values import finite_json, json_object, number_of, numbers_of
from robots.model.mesh import unpacked
from robots.model.shapes import Array

Numbers = tuple[float, ...]
KINDS = ("revolute", "continuous", "prismatic")
SHAPES = {"box": 3, "cylinder": 2, "sphere": 1, "capsule": 2, "mesh": 0}
"""The kinds of a visual, and how many numbers each needs."""

IDENTITY: Numbers = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
MOST_JOINTS, MOST_VISUALS = 200, 5000
MOST = 1e9
"""No number of a robot is larger: squares and products of three stay finite."""
_TEXTS = ("source", "summary", "impossible")
_ROUNDED = 1e-6
"""Moments of inertia in files are rounded: a triangle inequality may fail by this share."""


@dataclass(frozen=True, slots=True)
class Visual:
    """A simple solid fixed to a link.

    Attributes:
        kind: `box` (x, y, z), `cylinder` (radius, height along z), `sphere` (radius,), `capsule` (radius, distance of
            the centres along z), `mesh`.
        size: those numbers [m].
        place: where it is in the link's frame: a rotation by rows, then a position [m], 12 numbers.
        colour: red, green, blue from 0 to 1; empty where the file has none.
        name: what a person reads when it is picked.
        mesh: the text of a `mesh` (`robots/model/mesh.py`).
    """

    kind: str
    size: Numbers
    place: Numbers = IDENTITY
    colour: Numbers = ()
    name: str = ""
    mesh: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid body.

    Attributes:
        name: as in the file.
        mass: [kg].
        centre: centre of mass in the link's frame, (3,) [m].
        inertia: xx, xy, xz, yy, yz, zz about the centre of mass, along the link's axes [kg m2].
        visuals: how it looks.
    """

    name: str
    mass: float = 0.0
    centre: Numbers = (0.0, 0.0, 0.0)
    inertia: Numbers = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    visuals: tuple[Visual, ...] = ()

    def fault(self) -> str:
        """Why no body has this mass and inertia, as what follows "must"; empty when one can."""
        if not self.mass > 0.0:
            return f"have a mass above 0 kg, got {self.mass:g}"
        a, b, c = np.linalg.eigvalsh(matrix(self.inertia))
        if a < -_ROUNDED * max(c, 0.0) or c < 0.0:
            return f"have no negative moment of inertia, got {a:.4g} kg·m²"
        if a + b < c * (1.0 - _ROUNDED):
            must = "have moments of inertia of which any two add up to at least the third"
            return f"{must}, got {a:.4g}, {b:.4g} and {c:.4g} kg·m²"
        return ""


@dataclass(frozen=True, slots=True)
class Joint:
    """What moves a link against the one that carries it.

    Attributes:
        name: as in the file.
        kind: `revolute`, `continuous` or `prismatic`.
        parent: index of the link that carries it; 0 is the base.
        place: the moved link's frame in the parent's at position 0, 12 numbers as of a visual.
        axis: its direction in the moved link's frame, a unit vector.
        number: its place in the file, from 0: it is called q(number + 1).
        lower, upper: limits [rad or m]; infinite where there are none.
        speed, effort: limits of the rate and the torque or force; infinite where there are none.
        damping: viscous friction [N m s/rad or N s/m].
        armature: inertia of the motor's rotor, on the joint's side [kg m2 or kg].
        leader: index of the joint that it follows, which follows none; -1 of a joint that is free. One that follows has
            the number -1 and the position ratio times the leader's plus shift.
    """

    name: str
    kind: str
    parent: int
    place: Numbers
    axis: Numbers
    number: int
    lower: float = -math.inf
    upper: float = math.inf
    speed: float = math.inf
    effort: float = math.inf
    damping: float = 0.0
    armature: float = 0.0
    leader: int = -1
    ratio: float = 1.0
    shift: float = 0.0

    @property
    def sliding(self) -> bool:
        """Whether its position is a length."""
        return self.kind == "prismatic"

    @property
    def unit(self) -> str:
        """The unit of its position."""
        return "m" if self.sliding else "rad"

    @property
    def rest(self) -> float:
        """Position 0, or the limit that is nearest to it."""
        return min(max(0.0, self.lower), self.upper)


@dataclass(frozen=True)
class Tree:
    """Links and joints: joint i moves link i + 1, and link 0 stands still.

    Attributes:
        name: of the robot.
        links: the base and the moved links, (n + 1).
        joints: (n), each after the joint that moves its parent.
        tip: index of the link whose motion is the arm's trail, and a point on it [m].
        source: where it is from, for people.
        impossible: a sentence about a link with an impossible mass or inertia; the arm then moves by kinematics only.
        repairs: what a repair changed, one sentence per link.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    tip: tuple[int, Numbers] = (0, (0.0, 0.0, 0.0))
    source: str = ""
    summary: str = ""
    impossible: str = ""
    repairs: tuple[str, ...] = ()

    @cached_property
    def order(self) -> tuple[int, ...]:
        """For each coordinate q1.. qn, in the order of the file, the index of its joint."""
        return tuple(sorted(self.free, key=lambda k: self.joints[k].number))

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The joints that follow no other, as indices: the state has their positions in this order."""
        return tuple(k for k, joint in enumerate(self.joints) if joint.leader < 0)

    @property
    def tip_joint(self) -> str:
        """The last joint, if the tip is there because no frame lies beyond it: `joint elbow`; empty where one does."""
        link, point = self.tip
        lies_beyond = not link or max(map(abs, point)) > 1e-9
        return "" if lies_beyond else f"joint {shortened(self.joints[link - 1].name, 40) or link}"

    def positions(self, free: Array) -> Array:
        """Positions of all joints, (m, joints), for those of the free ones, (m, free) [rad or m]."""
        places = {k: column for column, k in enumerate(self.free)}
        columns = [places[k if joint.leader < 0 else joint.leader] for k, joint in enumerate(self.joints)]
        ratio, shift = ([getattr(joint, name) for joint in self.joints] for name in ("ratio", "shift"))
        return np.array(ratio) * free[:, columns] + np.array(shift)

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.links, self.joints, self.tip))

    def __hash__(self) -> int:
        return self._hash

    def fault(self) -> str:
        """Why it has no dynamics, as a sentence that names the link; empty when it has."""
        if self.impossible:
            return self.impossible
        for link in self.links[1:]:
            if fault := link.fault():
                return f"link {link.name!r} must {fault}"
        return ""

    # -- as data -------------------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> Data:
        """The data without what decides no motion: how the links look."""
        return replace(self, links=tuple(replace(link, visuals=()) for link in self.links)).to_data()

    def to_data(self) -> Data:
        """JSON data that `from_data` reads back to an equal tree; infinite limits are null."""
        return finite_json(asdict(self))

    @staticmethod
    def from_data(data: object) -> Tree:
        """The tree in JSON data.

        Raises:
            BadInput: naming the entry that is missing or refused.
        """
        return _read(data)


_ANY = Range(-MOST, MOST)
"""What numbers of strangers may be."""


def _read(data: object) -> Tree:
    given = json_object("model", data, ("name", "links", "joints", "tip", *_TEXTS, "repairs"))
    links = tuple(_link(item, f"model.links[{k}]") for k, item in enumerate(_list(given, "model", "links")))
    joints = tuple(_joint(item, k) for k, item in enumerate(_list(given, "model", "joints")))
    if not 1 <= len(joints) <= MOST_JOINTS:
        raise BadInput("model.joints", len(joints), f"a list of 1 to {MOST_JOINTS} joints")
    if len(links) != len(joints) + 1:
        must = f"a list of {len(joints) + 1} links: the base and one a joint"
        raise BadInput("model.links", len(links), must)
    free = [joint.number for joint in joints if joint.leader < 0]
    if sorted(free) != list(range(len(free))):
        raise BadInput("model.joints.number", free, f"each number from 0 to {len(free) - 1} once")
    for k, joint in enumerate(joints):
        if joint.leader >= len(joints) or (joint.leader >= 0 and joints[joint.leader].leader >= 0):
            must = "the index of a joint that follows no other, or -1"
            raise BadInput(f"model.joints[{k}].leader", joint.leader, must)
    tip = given.get("tip", [0, [0.0, 0.0, 0.0]])
    if not isinstance(tip, Sequence) or len(tip) != 2:
        raise BadInput("model.tip", tip, "the index of a link and a point")
    end = _whole(tip[0], "model.tip", len(links)), numbers_of("model.tip", tip[1], 3, _ANY)
    texts = {key: _text(given.get(key, ""), f"model.{key}") for key in ("name", *_TEXTS)}
    repairs = tuple(_text(one, f"model.repairs[{k}]") for k, one in enumerate(_list(given, "model", "repairs")))
    return Tree(links=links, joints=joints, tip=end, repairs=repairs, **texts)


def _link(data: object, where: str) -> Link:
    given = json_object(where, data, ("name", "mass", "centre", "inertia", "visuals"))
    visuals = _list(given, where, "visuals")
    if len(visuals) > MOST_VISUALS:
        raise BadInput(f"{where}.visuals", len(visuals), f"a list of at most {MOST_VISUALS}")
    return Link(
        _text(given.get("name", ""), f"{where}.name"),
        number_of(f"{where}.mass", given.get("mass", 0.0), Range(-MOST, MOST, unit="kg")),
        numbers_of(f"{where}.centre", given.get("centre", (0.0, 0.0, 0.0)), 3, _ANY),
        numbers_of(f"{where}.inertia", given.get("inertia", (0.0,) * 6), 6, _ANY),
        tuple(_visual(item, f"{where}.visuals[{k}]") for k, item in enumerate(visuals)),
    )


def _visual(data: object, where: str) -> Visual:
    given = json_object(where, data, ("kind", "size", "place", "colour", "name", "mesh"))
    kind = _word(given.get("kind"), f"{where}.kind", tuple(SHAPES))
    colour, mesh = given.get("colour", ()), _text(given.get("mesh", ""), f"{where}.mesh")
    if kind == "mesh":
        unpacked(mesh)
    return Visual(
        kind,
        numbers_of(f"{where}.size", given.get("size"), SHAPES[kind], _ANY),
        _place(given.get("place", IDENTITY), f"{where}.place"),
        numbers_of(f"{where}.colour", colour, 3, _ANY) if colour else (),
        _text(given.get("name", ""), f"{where}.name"),
        mesh,
    )


def _joint(data: object, k: int) -> Joint:
    where = f"model.joints[{k}]"
    names = ("name", "kind", "parent", "place", "axis", "number", "lower", "upper", "speed", "effort", "damping")
    given = json_object(where, data, (*names, "armature", "leader", "ratio", "shift"))
    axis = numbers_of(f"{where}.axis", given.get("axis"), 3, _ANY)
    if abs(np.linalg.norm(axis) - 1.0) > 1e-9:
        raise BadInput(f"{where}.axis", given.get("axis"), "a unit vector")
    limits = {
        name: number_of(f"{where}.{name}", given[name], _ANY)
        for name in ("lower", "upper", "speed", "effort")
        if given.get(name) is not None
    }
    friction = {
        name: number_of(f"{where}.{name}", given.get(name, 0.0), Range(0.0, MOST)) for name in ("damping", "armature")
    }
    return Joint(
        _text(given.get("name", ""), f"{where}.name"),
        _word(given.get("kind"), f"{where}.kind", KINDS),
        _whole(given.get("parent"), f"{where}.parent", k + 1),
        _place(given.get("place", IDENTITY), f"{where}.place"),
        axis,
        _whole(given.get("number"), f"{where}.number", MOST_JOINTS, least=-1),
        **limits,
        **friction,
        leader=_whole(given.get("leader", -1), f"{where}.leader", MOST_JOINTS, least=-1),
        ratio=number_of(f"{where}.ratio", given.get("ratio", 1.0), _ANY),
        shift=number_of(f"{where}.shift", given.get("shift", 0.0), _ANY),
    )


def _list(data: Data, where: str, name: str) -> Sequence[object]:
    value = data.get(name, ())
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadInput(f"{where}.{name}", value, "a list")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise BadInput(where, value, "text")
    return value


def _word(value: object, where: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise BadInput(where, value, choices=choices)
    return str(value)


def _whole(value: object, where: str, count: int, least: int = 0) -> int:
    return int(number_of(where, value, Range(least, count - 1, whole=True)))


def _place(value: object, where: str) -> Numbers:
    numbers = numbers_of(where, value, 12, _ANY)
    turn = rotation(numbers)
    if not np.allclose(turn @ turn.T, np.eye(3), atol=1e-9) or np.linalg.det(turn) < 0.0:
        raise BadInput(where, numbers[:9], "a rotation by rows, then a position")
    return numbers


def matrix(inertia: Sequence[float]) -> Array:
    """The symmetric (3, 3) matrix of xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def entries(inertia: Array) -> Numbers:
    """xx, xy, xz, yy, yz, zz of a symmetric (3, 3) matrix."""
    return tuple(float(inertia[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))


def rotation(place: Sequence[float]) -> Array:
    """The (3, 3) rotation of a place."""
    return np.array(place[:9]).reshape(3, 3)


def transform(place: Sequence[float]) -> Array:
    """A place as a (4, 4) matrix."""
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = rotation(place), place[9:]
    return frame


def placed(frame: Array) -> Numbers:
    """The place of a (4, 4) matrix."""
    return (*frame[:3, :3].ravel().tolist(), *frame[:3, 3].tolist())


def end_of_longest(parents: Sequence[int]) -> int:
    """The index of the link at the end of the longest chain; `parents` has those of all links but the base."""
    depth = [0]
    for parent in parents:
        depth.append(depth[parent] + 1)
    return depth.index(max(depth))


def joined(name: str, bodies: Sequence[tuple[Link, Array]]) -> Link:
    """One rigid link of several, each with its frame in the new link's, (4, 4)."""
    mass = sum(link.mass for link, _ in bodies)
    centres = [frame[:3, :3] @ link.centre + frame[:3, 3] for link, frame in bodies]
    centre = sum((link.mass * c for (link, _), c in zip(bodies, centres, strict=True)), np.zeros(3))
    centre = centre / mass if mass else centre
    inertia, visuals = np.zeros((3, 3)), []
    for (link, frame), at in zip(bodies, centres, strict=True):
        turn, arm = frame[:3, :3], at - centre
        inertia += turn @ matrix(link.inertia) @ turn.T + link.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        visuals += [replace(one, place=placed(frame @ transform(one.place))) for one in link.visuals]
    if len(bodies) == 1 and np.array_equal(bodies[0][1], np.eye(4)):
        return bodies[0][0]
    return Link(name, mass, tuple(centre.tolist()), entries(inertia), tuple(visuals))
