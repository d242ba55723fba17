"""What reading a robot file found: the arm, and everything that a person should know of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from assets.fields import Data
from robots.files.xml import Element
from robots.model.tree import Tree

TOPICS = ("merged", "ignored", "missing", "suspicious", "impossible")


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about a line of the file, or of another `file` that it includes; line 0 is the whole file."""

    line: int
    what: str
    file: str = ""

    @property
    def place(self) -> str:
        """The line, and of which file if it is another; empty without one."""
        return " of ".join(filter(None, (str(self.line or ""), self.file)))

    def to_data(self) -> Data:
        """The remark as JSON data."""
        return {"line": self.line, "what": self.what, **({"file": self.file} if self.file else {})}


@dataclass(frozen=True, slots=True)
class RobotFile:
    """A robot file as it was read.

    Attributes:
        tree: the arm.
        merged: links that fixed joints join to others.
        ignored: entries without an effect here.
        missing: files that it names and that are not there.
        suspicious: values that are likely a mistake.
        impossible: masses and inertias that no body has: the arm has no dynamics.
        lost: whether a mesh was not found: another folder may have it.
    """

    tree: Tree
    merged: tuple[Remark, ...] = ()
    ignored: tuple[Remark, ...] = ()
    missing: tuple[Remark, ...] = ()
    suspicious: tuple[Remark, ...] = ()
    impossible: tuple[Remark, ...] = ()
    lost: bool = False

    @property
    def moves(self) -> str:
        """`dynamics`, or `kinematics` alone where a mass or inertia is impossible."""
        return "kinematics" if self.impossible else "dynamics"

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints of q1.. qn."""
        return tuple(self.tree.joints[k].name for k in self.tree.order)

    @property
    def tip(self) -> str:
        """Where the tip is, as a sentence, if no frame of the file lies beyond its last joint; else empty."""
        joint = self.tree.tip_joint
        return f"Its tip is at {joint}: no frame lies beyond it." if joint else ""

    @property
    def followers(self) -> tuple[str, ...]:
        """The joints that follow others, each with its rule: `q = ratio * leader + shift`."""
        joints = self.tree.joints
        found = []
        for joint in joints:
            if joint.leader >= 0:
                shift = f" {'+-'[joint.shift < 0]} {abs(joint.shift):g} {joint.unit}" if joint.shift else ""
                found.append(f"{joint.name} = {joint.ratio:g} × {joints[joint.leader].name}{shift}")
        return tuple(found)

    def remarks(self) -> Iterator[tuple[str, Remark]]:
        """Every remark with its topic."""
        for topic in TOPICS:
            for remark in getattr(self, topic):
                yield topic, remark

    def to_data(self) -> Data:
        """The report as JSON data."""
        named = {"name": self.tree.name, "joints": list(self.joints), "followers": list(self.followers)}
        topics = {topic: [remark.to_data() for remark in getattr(self, topic)] for topic in TOPICS}
        return {**named, **topics, "moves": self.moves}


@dataclass(slots=True)
class Notes:
    """Remarks while a file is read, by topic; `file` is its name."""

    file: str
    by_topic: dict[str, list[Remark]] = field(default_factory=lambda: {topic: [] for topic in TOPICS})

    def add(self, topic: str, element: Element, what: str) -> None:
        """Note a sentence about an element."""
        self.by_topic[topic].append(Remark(element.line, what, self._other(element)))

    def place(self, element: Element) -> str:
        """The element's line, and of which file if it is another."""
        return f"line {Remark(element.line, '', self._other(element)).place}"

    def _other(self, element: Element) -> str:
        return "" if element.file == self.file else element.file

    def robot_file(self, tree: Tree, lost: bool) -> RobotFile:
        """The arm with the remarks of each topic by line, those of other files last; see `RobotFile`."""
        found = {topic: tuple(sorted(some, key=lambda r: (r.file, r.line))) for topic, some in self.by_topic.items()}
        first = found["impossible"][0].what if found["impossible"] else ""
        return RobotFile(replace(tree, impossible=first), **found, lost=lost)
