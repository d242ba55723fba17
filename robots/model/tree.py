"""A tree of rigid links as plain data: what a robot file describes, and what a scenario embeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput, Range
from robots.model.mesh import unpacked

Array = NDArray[np.float64]
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
            return f"have moments of inertia of which two exceed the third, got {a:.4g}, {b:.4g}, {c:.4g} kg·m²"
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
    def numbers(self) -> dict[str, object]:
        """The data without what decides no motion: how the links look."""
        return replace(self, links=tuple(replace(link, visuals=()) for link in self.links)).to_data()

    def to_data(self) -> dict[str, object]:
        """JSON data that `from_data` reads back to an equal tree; infinite limits are null."""
        return _finite(asdict(self))  # type: ignore[return-value]

    @staticmethod
    def from_data(data: object) -> Tree:
        """The tree in JSON data.

        Raises:
            BadInput: naming the entry that is missing or refused.
        """
        return _Reader().tree(data)


class _Reader:
    """Checks data of strangers entry by entry."""

    def tree(self, data: object) -> Tree:
        given = self._object(data, "", ("name", "links", "joints", "tip", *_TEXTS, "repairs"))
        links = tuple(self._link(item, f"links[{k}]") for k, item in enumerate(self._list(given, "links")))
        joints = tuple(self._joint(item, k) for k, item in enumerate(self._list(given, "joints")))
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
        place = self._whole(tip[0], "tip", len(links))
        names = {key: self._text(given.get(key, ""), key) for key in ("name", *_TEXTS)}
        repairs = tuple(self._text(one, f"repairs[{k}]") for k, one in enumerate(self._list(given, "repairs")))
        end = self._numbers(tip[1], "tip", 3)
        return Tree(links=links, joints=joints, tip=(place, end), repairs=repairs, **names)

    def _link(self, data: object, where: str) -> Link:
        given = self._object(data, where, ("name", "mass", "centre", "inertia", "visuals"))
        visuals = self._list(given, "visuals", where)
        if len(visuals) > MOST_VISUALS:
            raise BadInput(f"model.{where}.visuals", len(visuals), f"a list of at most {MOST_VISUALS}")
        return Link(
            self._text(given.get("name", ""), f"{where}.name"),
            self._number(given.get("mass", 0.0), f"{where}.mass", Range(-MOST, MOST, unit="kg")),
            self._numbers(given.get("centre", (0.0, 0.0, 0.0)), f"{where}.centre", 3),
            self._numbers(given.get("inertia", (0.0,) * 6), f"{where}.inertia", 6),
            tuple(self._visual(item, f"{where}.visuals[{k}]") for k, item in enumerate(visuals)),
        )

    def _visual(self, data: object, where: str) -> Visual:
        given = self._object(data, where, ("kind", "size", "place", "colour", "name", "mesh"))
        kind = given.get("kind")
        if kind not in SHAPES:
            raise BadInput(f"model.{where}.kind", kind, choices=SHAPES)
        colour, mesh = given.get("colour", ()), self._text(given.get("mesh", ""), f"{where}.mesh")
        if kind == "mesh":
            unpacked(mesh)
        return Visual(
            str(kind),
            self._numbers(given.get("size"), f"{where}.size", SHAPES[str(kind)]),
            self._place(given.get("place", IDENTITY), f"{where}.place"),
            self._numbers(colour, f"{where}.colour", 3) if colour else (),
            self._text(given.get("name", ""), f"{where}.name"),
            mesh,
        )

    def _joint(self, data: object, k: int) -> Joint:
        where = f"joints[{k}]"
        names = ("name", "kind", "parent", "place", "axis", "number", "lower", "upper", "speed", "effort", "damping")
        given = self._object(data, where, (*names, "armature", "leader", "ratio", "shift"))
        kind = given.get("kind")
        if kind not in KINDS:
            raise BadInput(f"model.{where}.kind", kind, choices=KINDS)
        axis = np.array(self._numbers(given.get("axis"), f"{where}.axis", 3))
        if abs(np.linalg.norm(axis) - 1.0) > 1e-9:
            raise BadInput(f"model.{where}.axis", given.get("axis"), "a unit vector")
        limits = {"lower": -math.inf, "upper": math.inf, "speed": math.inf, "effort": math.inf}
        for name in limits:
            if given.get(name) is not None:
                limits[name] = self._number(given[name], f"{where}.{name}", Range(-MOST, MOST))
        friction = {
            name: self._number(given.get(name, 0.0), f"{where}.{name}", Range(0.0, MOST))
            for name in ("damping", "armature")
        }
        return Joint(
            self._text(given.get("name", ""), f"{where}.name"),
            str(kind),
            self._whole(given.get("parent"), f"{where}.parent", k + 1),
            self._place(given.get("place", IDENTITY), f"{where}.place"),
            tuple(axis.tolist()),
            self._whole(given.get("number"), f"{where}.number", MOST_JOINTS, least=-1),
            **limits,
            **friction,
            leader=self._whole(given.get("leader", -1), f"{where}.leader", MOST_JOINTS, least=-1),
            ratio=self._number(given.get("ratio", 1.0), f"{where}.ratio", Range(-MOST, MOST)),
            shift=self._number(given.get("shift", 0.0), f"{where}.shift", Range(-MOST, MOST)),
        )

    def _object(self, data: object, where: str, names: Sequence[str]) -> Mapping[str, object]:
        path = f"model.{where}".rstrip(".")
        if not isinstance(data, Mapping):
            raise BadInput(path, data, "a JSON object")
        for name in data:
            if name not in names:
                raise BadInput("field", f"{path}.{name}", choices=[f"{path}.{known}" for known in names])
        return data

    def _list(self, data: Mapping[str, object], name: str, where: str = "") -> Sequence[object]:
        value = data.get(name, ())
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise BadInput(".".join(filter(None, ("model", where, name))), value, "a list")
        return value

    def _text(self, value: object, where: str) -> str:
        if not isinstance(value, str):
            raise BadInput(f"model.{where}", value, "text")
        return value

    def _number(self, value: object, where: str, must: Range) -> float:
        number = must.number(value)
        if number is None:
            raise BadInput(f"model.{where}", value, must)
        return float(number)

    def _whole(self, value: object, where: str, count: int, least: int = 0) -> int:
        return int(self._number(value, where, Range(least, count - 1, whole=True)))

    def _numbers(self, value: object, where: str, count: int) -> Numbers:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != count:
            raise BadInput(f"model.{where}", value, f"{count} numbers")
        return tuple(self._number(item, where, Range(-MOST, MOST)) for item in value)

    def _place(self, value: object, where: str) -> Numbers:
        numbers = self._numbers(value, where, 12)
        turn = rotation(numbers)
        if not np.allclose(turn @ turn.T, np.eye(3), atol=1e-9) or np.linalg.det(turn) < 0.0:
            raise BadInput(f"model.{where}", numbers[:9], "a rotation by rows, then a position")
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


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and math.isinf(value) else value
