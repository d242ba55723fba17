"""Motions as GLB files: glTF 2.0 in one binary, with an animation of the nodes.

Source: Khronos Group, glTF 2.0 specification (2021), chapters 3 and 4.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError
from assets.fields import Data
from scene import camera as cameras
from scene.format import MotionFormat
from scene.geometry.mesh import Mesh
from scene.geometry.tubes import tube
from scene.gl.frame import linear
from scene.motion import Motion, MovingArm, MovingBody, bodies
from scene.picture import Array, Colour
from scene.theme import scene_theme

FLOAT, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963
TRIANGLES = 4
ASPECT = 16.0 / 9.0
MAGIC, JSON_CHUNK, BINARY_CHUNK = b"glTF", b"JSON", b"BIN\0"
_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
"""Rotation that lays our Z-up world into glTF's Y-up one."""

THIN, SIDES, MOST_POINTS = 0.003, 6, 1500
"""The radius of a line's tube as a share of the arm's size, its sides, and the most points along it."""


def glb(motion: Motion) -> bytes:
    """The file's bytes."""
    return _Builder(motion).file()


def glb_metadata(path: Path) -> dict[str, str]:
    """The texts inside a GLB file.

    Raises:
        ArmstepError: when it is not one.
    """
    data = path.read_bytes()
    if data[:4] != MAGIC or len(data) < 20:
        raise ArmstepError("not a GLB file")
    (length,) = struct.unpack_from("<I", data, 12)
    extras = json.loads(data[20 : 20 + length]).get("asset", {}).get("extras", {})
    return {str(key): str(value) for key, value in extras.items()}


class _Builder:
    """Collects buffers and objects; every array is stored once."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.binary = bytearray()
        self.views: list[Data] = []
        self.accessors: list[Data] = []
        self.meshes: list[Data] = []
        self.materials: list[Data] = []
        self.nodes: list[Data] = [{"name": "Armstep", "rotation": _UP}]
        self.cameras: list[Data] = []
        self.samplers: list[Data] = []
        self.channels: list[Data] = []
        self.known: dict[tuple[str, Colour | None, float], int] = {}
        generator = f"Armstep {motion.metadata.get('armstep', '')}".strip()
        self.asset = {"version": "2.0", "generator": generator, "extras": dict(motion.metadata)}
        clock = (motion.times - motion.times[0]) / motion.speed
        self.clock = self._accessor(clock.astype("<f4")[:, None], "SCALAR", bounds=True)

    def file(self) -> bytes:
        """Header, JSON chunk, binary chunk."""
        for arm in self.motion.arms:
            self._arm(arm)
        self._line("desired path", self.motion.desired, self.motion.path)
        self._camera()
        content: Data = {
            "asset": self.asset,
            "scene": 0,
            "scenes": [{"name": self.motion.title, "nodes": [0]}],
            "nodes": self.nodes,
            "cameras": self.cameras,
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.binary)}],
        }
        if self.channels:
            content["animations"] = [{"name": "motion", "samplers": self.samplers, "channels": self.channels}]
        text = json.dumps(content, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.binary) + b"\0" * (-len(self.binary) % 4)
        length = 12 + 8 + len(text) + 8 + len(binary)
        head = MAGIC + struct.pack("<II", 2, length) + struct.pack("<I", len(text)) + JSON_CHUNK
        return head + text + struct.pack("<I", len(binary)) + BINARY_CHUNK + binary

    def _arm(self, arm: MovingArm) -> None:
        place = self._node({"name": arm.name}, parent=0)
        drawn: dict[int, int] = {}
        for body in bodies(arm):
            carrier = _carrier(arm, body.link, drawn)
            if carrier >= 0:
                body = replace(body, placements=np.linalg.inv(arm.frames[:, carrier]) @ body.placements)
            node = self._body(body, arm, drawn.get(carrier, place))
            if body.link >= 0:
                drawn[body.link] = node
        self._line(f"trail of {arm.name}", arm.trail, arm.line)

    def _camera(self) -> None:
        """Where a page or a picture would look from."""
        seen = self.motion.camera
        near, far = cameras.depth_range(seen)
        height = seen.distance * math.tan(seen.field_of_view / 2)
        if seen.orthographic:
            lens: Data = {"xmag": ASPECT * height, "ymag": height, "znear": 0.0, "zfar": far}
        else:
            lens = {"aspectRatio": ASPECT, "yfov": seen.field_of_view, "znear": near, "zfar": far}
        kind = "orthographic" if seen.orthographic else "perspective"
        self.cameras.append({"type": kind, kind: lens})
        placement = np.linalg.inv(cameras.view_from_world(seen))[None].astype(np.float64)
        translation, rotation, _ = decomposed(placement)
        node: Data = {"name": "camera", "camera": 0, "translation": translation[0].tolist()}
        self._node({**node, "rotation": rotation[0].tolist()}, parent=0)

    def _body(self, body: MovingBody, arm: MovingArm, parent: int) -> int:
        primitives = [self._primitive(mesh, self._material(material, arm)) for material, mesh in body.meshes]
        self.meshes.append({"name": body.name, "primitives": primitives})
        translation, rotation, scale = decomposed(body.placements)
        node = self._node({"name": body.name, "mesh": len(self.meshes) - 1}, parent)
        for path, values, kind in (
            ("translation", translation, "VEC3"),
            ("rotation", rotation, "VEC4"),
            ("scale", scale, "VEC3"),
        ):
            if np.ptp(values, axis=0).max() > 1e-7 and len(values) > 1:
                output = self._accessor(values.astype("<f4"), kind)
                self.samplers.append({"input": self.clock, "output": output, "interpolation": "LINEAR"})
                target = {"node": node, "path": path}
                self.channels.append({"sampler": len(self.samplers) - 1, "target": target})
            self.nodes[node][path] = [float(x) for x in values[0].astype("<f4")]
        return node

    def _primitive(self, mesh: Mesh, material: int) -> Data:
        indices = mesh.triangles.reshape(-1, 1).astype("<u2" if len(mesh.positions) < 65536 else "<u4")
        return {
            "attributes": {
                "POSITION": self._accessor(mesh.positions.astype("<f4"), "VEC3", VERTICES, bounds=True),
                "NORMAL": self._accessor(_unit(mesh.normals).astype("<f4"), "VEC3", VERTICES),
            },
            "indices": self._accessor(indices, "SCALAR", INDICES),
            "material": material,
            "mode": TRIANGLES,
        }

    def _line(self, name: str, points: Array, colour: Colour) -> None:
        """A thin tube along `points` (k, 3) [m]; nothing along fewer than two places."""
        path = points[:: -(-len(points) // MOST_POINTS) or 1]
        radius = THIN * float(self.motion.arms[0].shape.radius)
        apart = np.linalg.norm(np.diff(path, axis=0), axis=1) > 1e-3 * radius
        path = path[np.append(apart, True)] if len(path) else path
        if len(path) < 2:
            return
        self.materials.append({"name": name, "pbrMetallicRoughness": _surface(colour, 1.0, 1.0, 0.0)})
        primitive = self._primitive(tube(path, radius, SIDES).without_collapsed(), len(self.materials) - 1)
        self.meshes.append({"name": name, "primitives": [primitive]})
        self._node({"name": name, "mesh": len(self.meshes) - 1}, parent=0)

    def _node(self, node: Data, parent: int) -> int:
        self.nodes.append(node)
        self.nodes[parent].setdefault("children", []).append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def _material(self, name: str, arm: MovingArm) -> int:
        key = name, arm.colour, arm.opacity
        if key not in self.known:
            found = scene_theme(self.motion.theme).material(name)
            surface = _surface(arm.colour or found.colour, arm.opacity, found.roughness, found.metalness)
            material: Data = {"name": name, "pbrMetallicRoughness": surface}
            if arm.opacity < 1.0:
                material["alphaMode"] = "BLEND"
            self.materials.append(material)
            self.known[key] = len(self.materials) - 1
        return self.known[key]

    def _accessor(self, values: NDArray[np.generic], kind: str, target: int | None = None, bounds: bool = False) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        view: Data = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": values.nbytes}
        if target:
            view["target"] = target
        self.views.append(view)
        self.binary += values.tobytes()
        types = {"<f4": FLOAT, "<u2": UNSIGNED_SHORT, "<u4": UNSIGNED_INT}
        accessor: Data = {
            "bufferView": len(self.views) - 1,
            "componentType": types[values.dtype.str],
            "count": len(values),
            "type": kind,
        }
        if bounds:
            accessor["min"] = [float(x) for x in values.min(axis=0)]
            accessor["max"] = [float(x) for x in values.max(axis=0)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _carrier(arm: MovingArm, link: int, drawn: Mapping[int, int]) -> int:
    """The nearest link that carries `link` and has a node; -1 for none."""
    parents = arm.shape.parents
    while link >= 0 and parents:
        link = parents[link]
        if link in drawn:
            return link
    return -1


def _surface(colour: Colour, opacity: float, roughness: float, metalness: float) -> Data:
    base = [*linear(colour).tolist(), opacity]
    return {"baseColorFactor": base, "roughnessFactor": roughness, "metallicFactor": metalness}


def _unit(normals: Array) -> Array:
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 0.0, normals / np.maximum(length, 1e-30), [0.0, 0.0, 1.0])


def decomposed(placements: Array) -> tuple[Array, Array, Array]:
    """Translations (m, 3), quaternions x, y, z, w without jumps of sign (m, 4), scales (m, 3) of (m, 4, 4)."""
    scale = np.linalg.norm(placements[:, :3, :3], axis=1)
    r = placements[:, :3, :3] / scale[:, None, :]
    trace = np.trace(r, axis1=1, axis2=2)
    # Four candidates, one for each component that may be the largest; the largest is well conditioned.
    squares = 1.0 + np.column_stack([2.0 * r[:, i, i] - trace for i in range(3)] + [trace])
    best = np.argmax(squares, axis=1)
    symmetric, skew = r + np.swapaxes(r, 1, 2), r - np.swapaxes(r, 1, 2)
    axial = np.column_stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]])
    table = np.zeros((len(r), 4, 4))
    for i in range(3):
        table[:, i, :3] = symmetric[:, i]
        table[:, i, i] = squares[:, i]
        table[:, i, 3] = axial[:, i]
    table[:, 3, :3], table[:, 3, 3] = axial, squares[:, 3]
    rotation = table[np.arange(len(r)), best]
    rotation /= np.linalg.norm(rotation, axis=1, keepdims=True)
    turns = np.cumsum(np.sum(rotation[1:] * rotation[:-1], axis=1) < 0.0) % 2
    rotation[1:] *= np.where(turns, -1.0, 1.0)[:, None]
    return placements[:, :3, 3].copy(), rotation, scale


FORMAT = MotionFormat(
    suffix=".glb", label="GLB model, for Blender and slides", place=31, write=glb, reader=glb_metadata
)
