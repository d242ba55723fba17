"""The arm in an MJCF file, from the arrays of MuJoCo's model.

Source: the documentation of MuJoCo, XML reference and mjModel.
"""

from __future__ import annotations

import base64
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from assets.counting import counted
from assets.errors import ArmstepError, BadInput
from assets.fields import Data
from robots.files.folder import Place
from robots.files.looks import with_meshes
from robots.files.meshes.store import MeshStore
from robots.files.meshes.surface import Surface, checked
from robots.files.mjcf.prepare import Prepared
from robots.files.report import Notes, RobotFile
from robots.files.xml import Element
from robots.model.robot import Array
from robots.model.tree import MOST, MOST_JOINTS, Joint, Link, Tree, Visual, end_of_longest, entries, joined, placed

SECONDS = 60.0
_FREE, _BALL, _SLIDE, _HINGE = range(4)
_MESH, _SHAPES = 7, {2: "sphere", 3: "capsule", 5: "cylinder", 6: "box"}
_PROGRAM = Path(__file__).with_name("compile.py")
_UNUSED = {
    "neq": ("equality", "equality constraint", ""),
    "ntendon": ("tendon", "tendon", ""),
    "nu": ("actuator", "actuator", ""),
    "nsensor": ("sensor", "sensor", ""),
    "npair": ("contact", "contact pair", ""),
    "nkey": ("keyframe", "keyframe", ""),
    "nflex": ("deformable", "flexible body", "flexible bodies"),
}
"""What has no effect here: the section that has it, and its name, one and many."""


def read_mjcf(root: Element, place: Place) -> RobotFile:
    """The robot in the root element of an MJCF file.

    Raises:
        BadInput: MuJoCo is not installed or refuses the file, or it is not an arm of hinges and slides.
    """
    if find_spec("mujoco") is None:
        raise BadInput(root.file, "an MJCF file", "read with an extra: pip install armstep[mujoco]")
    prepared = Prepared(place, Notes(root.file))
    prepared.take(root)
    return _Reader(_compiled(prepared), prepared, root).robot()


def _compiled(prepared: Prepared) -> Data:
    assets = {name: base64.b64encode(content).decode() for name, content in prepared.assets.items()}
    given = json.dumps({"xml": prepared.text, "assets": assets})
    with tempfile.TemporaryDirectory(prefix="armstep-") as empty:
        try:
            done = subprocess.run(
                [sys.executable, "-I", str(_PROGRAM)],
                input=given, capture_output=True, text=True, timeout=SECONDS, cwd=empty, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BadInput(prepared.place.file, f"{SECONDS:g} s", "compiled by MuJoCo in less time") from None
    try:
        found = json.loads(done.stdout)
    except ValueError:
        raise BadInput(prepared.place.file, f"its process ended with {done.returncode}", "compiled by MuJoCo") from None
    if "refused" in found:
        raise BadInput(prepared.place.file, prepared.in_files(found["refused"]), "a file that MuJoCo compiles")
    return found


class _Reader:
    def __init__(self, model: Data, prepared: Prepared, root: Element) -> None:
        self._model, self._prepared, self._root = model, prepared, root
        self._notes, self._store = prepared.notes, MeshStore(None)
        self._arrays = {name: np.array(value, dtype=float) for name, value in model["arrays"].items()}

    def robot(self) -> RobotFile:
        """The robot, with remarks about everything that was changed or left out."""
        model, root = self._model, self._root
        for key, (section, one, many) in _UNUSED.items():
            if model[key]:
                self._notes.add("ignored", self._first_in(section), counted(model[key], one, many))
        if np.abs(np.array(model["gravity"]) - (0.0, 0.0, -9.81)).max() > 1e-9:
            text = ", ".join(f"{one:g}" for one in model["gravity"])
            self._notes.add("ignored", self._with_gravity(), f"gravity ({text}): robot.g is 9.81 downwards")
        self._notes.add("ignored", replace(root, line=0), "contacts")
        members, joints = self._grouped()
        if not joints:
            raise root.refusal("none", "a robot with a hinge or a slide")
        if len(joints) > MOST_JOINTS:
            must = f"a robot with at most {MOST_JOINTS}"
            raise root.refusal(f"{len(joints)} joints", must)
        links = [joined(bodies[0][0].name, bodies) for bodies in members]
        texts = self._store.texts()
        links = [with_meshes(link, texts) for link in links]
        tree = Tree(self._root.attributes.get("model", "robot"), tuple(links), tuple(joints), _tip(joints, members))
        for link in links[1:]:
            if fault := link.fault():
                self._notes.add("impossible", self._element("body", link.name), f"link {link.name} must {fault}")
        return self._notes.robot_file(tree, self._prepared.lost)

    def _first_in(self, section: str) -> Element:
        """The first entry of the sections with this tag; the root where none has any."""
        whole = self._prepared.whole or self._root
        return next((entry for part in whole.all(section) for entry in part.children), self._root)

    def _with_gravity(self) -> Element:
        options = (self._prepared.whole or self._root).all("option")
        return next((one for one in options if "gravity" in one.attributes), self._root)

    def _grouped(self) -> tuple[list[list[tuple[Link, Array]]], list[Joint]]:
        """The bodies that move as one, each with its frame in the group's, and the joint of each but the first."""
        arrays, names = self._arrays, self._model["body_names"]
        group, frame = [0], [np.eye(4)]
        members: list[list[tuple[Link, Array]]] = [[(self._link(0), np.eye(4))]]
        joints: list[Joint] = []
        for body in range(1, len(names)):
            parent = int(arrays["body_parentid"][body])
            place = frame[parent] @ _frame(arrays["body_pos"][body], arrays["body_quat"][body])
            number = self._moving(body)
            if number is None:
                group.append(group[parent])
                frame.append(place)
                members[group[parent]].append((self._link(body), place))
                text = f"link {names[body]} is one body with {names[parent]}"
                self._notes.add("merged", self._element("body", names[body]), text)
                continue
            # The joint turns about its own point, which becomes the link's origin.
            anchor = np.eye(4)
            anchor[:3, 3] = arrays["jnt_pos"][number]
            joints.append(self._joint(number, group[parent], place @ anchor, len(joints)))
            back = np.eye(4)
            back[:3, 3] = -arrays["jnt_pos"][number]
            group.append(len(members))
            frame.append(back)
            members.append([(self._link(body), back)])
        return members, joints

    def _moving(self, body: int) -> int | None:
        """The hinge or slide of a body; None where it has none."""
        arrays = self._arrays
        own = [k for k in range(len(arrays["jnt_bodyid"])) if int(arrays["jnt_bodyid"][k]) == body]
        name = self._model["body_names"][body]
        element = self._element("body", name)
        if len(own) > 1:
            must = "an arm whose bodies have one joint each"
            raise element.refusal(f"body {name!r} with {len(own)} joints", must)
        if not own or arrays["jnt_type"][own[0]] in (_SLIDE, _HINGE):
            return own[0] if own else None
        kind = "free" if arrays["jnt_type"][own[0]] == _FREE else "ball"
        self._notes.add("ignored", element, f"the joint of body {name} is {kind}: it is held still")
        return None

    def _joint(self, k: int, parent: int, place: Array, number: int) -> Joint:
        arrays, name = self._arrays, self._model["joint_names"][k] or f"joint {number + 1}"
        slides, limited = arrays["jnt_type"][k] == _SLIDE, bool(arrays["jnt_limited"][k])
        at, element = int(arrays["jnt_dofadr"][k]), self._element("joint", name)
        start = float(arrays["qpos0"][int(arrays["jnt_qposadr"][k])])
        if start:
            self._notes.add("suspicious", element, f"joint {name} has the reference {start:g}: it counts from there")
        if friction := float(arrays["dof_frictionloss"][at]):
            self._notes.add("ignored", element, f"Coulomb friction {friction:g} of joint {name}")
        if stiffness := float(np.ravel(arrays["jnt_stiffness"][k])[0]):
            self._notes.add("ignored", element, f"the spring of joint {name}, {stiffness:g}")
        low, high = (float(end) - start for end in arrays["jnt_range"][k])
        bounded = limited and low < high and max(abs(low), abs(high)) <= MOST
        return Joint(
            name,
            "prismatic" if slides else "revolute" if bounded else "continuous",
            parent,
            placed(place),
            tuple((arrays["jnt_axis"][k] / np.linalg.norm(arrays["jnt_axis"][k])).tolist()),
            number,
            lower=low if bounded else -math.inf,
            upper=high if bounded else math.inf,
            damping=float(arrays["dof_damping"][at]),
            armature=float(arrays["dof_armature"][at]),
        )

    def _link(self, body: int) -> Link:
        arrays, name = self._arrays, self._model["body_names"][body] or f"body {body}"
        turn = _frame(np.zeros(3), arrays["body_iquat"][body])[:3, :3]
        inertia = turn @ np.diag(arrays["body_inertia"][body]) @ turn.T
        centre = tuple(arrays["body_ipos"][body].tolist())
        own = [k for k in range(len(arrays["geom_bodyid"])) if int(arrays["geom_bodyid"][k]) == body]
        # By convention, groups from 3 on are for collisions.
        seen = [k for k in own if arrays["geom_group"][k] < 3] or own
        visuals = tuple(one for k in seen for one in self._visual(k, name))
        return Link(name, float(arrays["body_mass"][body]), centre, entries(inertia), visuals)

    def _visual(self, k: int, link: str) -> list[Visual]:
        arrays = self._arrays
        kind, size = int(arrays["geom_type"][k]), arrays["geom_size"][k]
        place = placed(_frame(arrays["geom_pos"][k], arrays["geom_quat"][k]))
        paint = int(arrays["geom_matid"][k])
        colour = arrays["mat_rgba"][paint] if paint >= 0 else arrays["geom_rgba"][k]
        rgb = tuple(np.clip(colour[:3], 0.0, 1.0).tolist())
        if kind == _MESH:
            data = self._model["meshes"][int(arrays["geom_dataid"][k])]
            points = np.frombuffer(base64.b64decode(data["points"]), "<f4").reshape(-1, 3).astype(float)
            faces = np.frombuffer(base64.b64decode(data["faces"]), "<i4").reshape(-1, 3).astype(np.int64)
            try:
                self._store.add(checked(Surface(points, faces)))
            except ArmstepError as problem:
                self._notes.add(
                    "missing", self._element("body", link), f"a mesh of link {link} is not drawn: {problem}"
                )
                return []
            return [Visual("mesh", (), place, rgb, link, str(len(self._store.surfaces) - 1))]
        if kind not in _SHAPES:
            return []
        sides = {"sphere": size[:1], "box": 2.0 * size}.get(_SHAPES[kind], size[:2] * (1.0, 2.0))
        return [Visual(_SHAPES[kind], tuple(sides.tolist()), place, rgb, link)]

    def _element(self, tag: str, name: str) -> Element:
        return self._prepared.named.get((tag, name), self._root)


def _frame(position: Array, quaternion: Array) -> Array:
    """The (4, 4) frame of a position and a unit quaternion w, x, y, z."""
    w, x, y, z = quaternion
    frame = np.eye(4)
    frame[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    frame[:3, 3] = position
    return frame


def _tip(joints: list[Joint], members: list[list[tuple[Link, Array]]]) -> tuple[int, tuple[float, ...]]:
    """The end of the longest chain: its last link, and there the frame that was joined to it last."""
    last = end_of_longest([joint.parent for joint in joints])
    return last, tuple(members[last][-1][1][:3, 3].tolist())
