"""The meshes of one robot, each read once, together with no more triangles than a scenario carries."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from assets.errors import ArmstepError, BadInput
from robots.files.folder import NotFound, Place
from robots.files.meshes.obj import read_obj
from robots.files.meshes.scenes import KINDS, read_scene
from robots.files.meshes.stl import read_stl
from robots.files.meshes.surface import MOST_FACES, Surface, checked, scaled, simplified
from robots.model.mesh import MOST_TRIANGLES, packed
from robots.model.shapes import Array

MOST_BYTES, MOST_BYTES_IN_ALL, MOST_MESHES = 64 * 2**20, 256 * 2**20, 500
SUFFIXES = (".stl", ".obj", *(f".{kind}" for kind in KINDS))
_FEWEST = 24


@dataclass(slots=True)
class MeshStore:
    """Reads meshes that a robot file names.

    Attributes:
        place: where the robot file is; None if no other file may be opened.
        lost: whether a mesh was not found, but another folder may have it.
        surfaces: the surfaces, each with how often it is drawn.
    """

    place: Place | None
    lost: bool = False
    surfaces: list[Surface] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    _read: dict[str, list[Surface]] = field(default_factory=dict)
    _known: dict[tuple[str, tuple[float, ...]], list[int]] = field(default_factory=dict)
    _bytes: int = 0

    def numbers(self, name: str, scale: Array) -> list[int]:
        """The indices in `surfaces` of a file's surfaces, scaled by `scale` (3,).

        Raises:
            ArmstepError: why they cannot be drawn.
        """
        key = name, tuple(scale.tolist())
        if key not in self._known:
            if not np.abs(scale).min() > 0.0:
                raise ArmstepError("its scale must not be 0")
            found = [scaled(one, scale) for one in self._surfaces(name)]
            self._known[key] = list(range(len(self.surfaces), len(self.surfaces) + len(found)))
            self.surfaces += found
            self.uses += [0] * len(found)
        for number in self._known[key]:
            self.uses[number] += 1
        return self._known[key]

    def add(self, surface: Surface) -> None:
        """Keep a surface that is drawn once."""
        self.surfaces.append(surface)
        self.uses.append(1)

    def extent(self, number: int) -> float:
        """The largest side of a surface [m]."""
        return float(np.ptp(self.surfaces[number].points, axis=0).max())

    def texts(self) -> list[str]:
        """The texts of all surfaces, simplified where they have too many triangles."""
        counts = np.array([len(one.faces) for one in self.surfaces])
        most = _share(counts, np.array(self.uses))
        found = []
        for one in self.surfaces:
            fewer = simplified(one, most)
            found.append(packed(fewer.points, fewer.faces))
        return found

    def _surfaces(self, name: str) -> list[Surface]:
        if self.place is None:
            raise NotFound("no other file is opened")
        suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
        if suffix not in SUFFIXES:
            raise ArmstepError(f"a mesh must end in {', '.join(SUFFIXES)}")
        try:
            path, content = self.place.read(name, MOST_BYTES)
        except NotFound:
            self.lost = True
            raise
        if path in self._read:
            return self._read[path]
        self._bytes += len(content)
        if self._bytes > MOST_BYTES_IN_ALL or len(self._read) >= MOST_MESHES:
            must = f"at most {MOST_MESHES} files and {MOST_BYTES_IN_ALL // 2**20} MiB"
            raise ArmstepError(f"all meshes together must be {must}")
        found = self._parsed(path, suffix, content)
        if not found or sum(len(one.faces) for one in self.surfaces + found) > 2 * MOST_FACES:
            raise ArmstepError("it has no triangles" if not found else "the robot has too many triangles")
        self._read[path] = [checked(one) for one in found]
        return self._read[path]

    def _parsed(self, path: str, suffix: str, content: bytes) -> list[Surface]:
        if suffix == ".stl":
            return read_stl(content)
        if suffix != ".obj":
            try:
                return read_scene(content, suffix[1:])
            except BadInput as problem:
                raise ArmstepError(str(problem)) from None
        return read_obj(content, lambda name: self._beside(path, name))

    def _beside(self, path: str, name: str) -> bytes | None:
        """The bytes of another file that a mesh names; None if it is missing or refused."""
        assert self.place is not None
        try:
            return Place(self.place.folder, path).read(name, 2**20)[1]
        except ArmstepError:
            return None


def _share(counts: np.ndarray, uses: np.ndarray) -> int:
    """The most triangles of a surface with which all together stay within what a scenario carries."""
    if not len(counts) or (counts * uses).sum() <= MOST_TRIANGLES:
        return MOST_TRIANGLES
    low, high = _FEWEST, MOST_TRIANGLES
    while high - low > 1:
        middle = (low + high) // 2
        fits = (np.minimum(counts, middle) * uses).sum() <= MOST_TRIANGLES
        low, high = (middle, high) if fits else (low, middle)
    return low
