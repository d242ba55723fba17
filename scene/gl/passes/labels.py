"""Text: each string is drawn once into an atlas, with a halo that keeps it readable over anything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scene import camera as cameras
from scene.gl.bindings import GL
from scene.gl.buffers import Vertices
from scene.gl.frame import lifted
from scene.gl.program import Program, bind_texture
from scene.picture import Anchor, Label, Picture
from scene.theme import SceneTheme

GLYPH = np.dtype([("place", "<f4", 2), ("texel", "<f4", 2), ("ink", "<f4", 4)])
ATLAS_WIDTH, ATLAS_HEIGHT = 2048, 1024
GAP_PX = 8.0
OVERLAP = 0.2
"""Labels may overlap by this part of their height, which is mostly halo."""

FURTHEST = 5.0
"""A label moves at most this many of its heights out of another one's way."""

SYSTEM_FONTS = ("Inter-Medium.otf", "DejaVuSans.ttf", "Arial Unicode.ttf", "arial.ttf", "NotoSans-Regular.ttf")


class Patch(NamedTuple):
    """Where a string is in the atlas [px]."""

    x: int
    y: int
    width: int
    height: int


@lru_cache(maxsize=512)
def font_for(text: str, size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font, which is the same everywhere; for letters that it lacks, one of the system's."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    missing = bytes(font.getmask("\uffff"))
    if all(bytes(font.getmask(letter)) != missing for letter in set(text) if not letter.isspace()):
        return font
    for name in SYSTEM_FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return font


@lru_cache(maxsize=512)
def text_image(text: str, size: int) -> NDArray[np.uint8]:
    """The letters, and the letters with their halo, as (height, width, 2) coverage."""
    text = " ".join(text.split())  # every space is one that Pillow's font has: a unit may stand behind another one
    font = font_for(text, size)
    halo = max(2, round(size * 0.16))
    left, top, right, bottom = font.getbbox(text, stroke_width=halo)
    ascent, descent = font.getmetrics()
    width, height = int(right - left) + 2, max(int(bottom - top), ascent + descent + 2 * halo) + 2
    layers = []
    for stroke in (0, halo):
        layer = Image.new("L", (width, height))
        ImageDraw.Draw(layer).text((1 - left, 1 + halo), text, fill=255, font=font, stroke_width=stroke)
        layers.append(np.asarray(layer))
    return np.stack(layers, axis=-1)


Line = tuple[tuple[float, float], tuple[float, float]]
"""From where to where in the picture [px]."""


class Placed(NamedTuple):
    """A label in the picture: its patch, its left and top [px], and the line that it must not lie upon."""

    patch: Patch
    left: int
    top: int
    line: Line | None = None


class Labels:
    """Draws the labels of a picture."""

    def __init__(self) -> None:
        self._program = Program("label.vert", "label.frag")
        self._vertices = Vertices(GLYPH, indexed=False)
        self._patches: dict[tuple[str, int], Patch] = {}
        self._pen = [0, 0, 0]
        self._texture = GL.glGenTextures()
        bind_texture("atlas", self._texture)
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D, 0, GL.GL_RG8, ATLAS_WIDTH, ATLAS_HEIGHT, 0, GL.GL_RG, GL.GL_UNSIGNED_BYTE, None
        )
        for key in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, key, GL.GL_NEAREST)

    def draw(
        self, picture: Picture, theme: SceneTheme, size: tuple[int, int], scale: float, origin: tuple[int, int]
    ) -> None:
        """Draw all labels into the current framebuffer, whose lower left corner is at `origin` in the picture [px]."""
        found = [(label, self._place(label, picture, size, scale)) for label in picture.labels]
        placed = [(label, place) for label, place in found if place is not None]
        if not placed:
            return
        boxes = np.array([(one.left, one.top, one.patch.width, one.patch.height) for _, one in placed], dtype=float)
        tops = apart(boxes, size[1], [one.line for _, one in placed])
        quads = []
        for (label, one), top in zip(placed, tops.tolist(), strict=True):
            ink = lifted(label.colour, theme) if label.colour else theme.colours["text"]
            quads.append(_quad(one.patch, one.left - origin[0], size[1] - round(top) - origin[1], ink))
        self._vertices.fill(np.concatenate(quads))
        bind_texture("atlas", self._texture)
        self._program.use(halo=theme.colours["halo"])
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._vertices.draw()
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Release everything."""
        self._program.release()
        self._vertices.release()
        GL.glDeleteTextures(self._texture)

    def _place(self, label: Label, picture: Picture, size: tuple[int, int], scale: float) -> Placed | None:
        """Where a label is in the atlas, and its left and top in the picture [px]; None if there is none."""
        x, y, depth = cameras.project(picture.camera, size, np.asarray(label.position, dtype=float)[None])[0]
        if not np.isfinite(x + y) or not label.text or (depth <= 0 and not picture.camera.orthographic):
            return None
        first = None
        if label.start is not None:
            first = cameras.project(picture.camera, size, np.asarray(label.start, dtype=float)[None])[0, :2]
            x, y = within(first, np.array([x, y]), size).tolist()
        patch, gap = self._patch(label.text, max(6, round(label.size_px * scale))), GAP_PX * scale
        inside = 0.0 <= x <= size[0] and 0.0 <= y <= size[1]
        if first is not None and inside and np.isfinite(first).all():
            line = (float(first[0]), float(first[1])), (float(x), float(y))
            return Placed(patch, *at_end(line, patch, gap, size), line)
        corner = beside((x, y), patch, gap)[label.anchor]
        # A label for something in the picture is shown in full, even at the edge.
        return Placed(patch, *(kept_in(corner, patch, size) if inside else corner))

    def _patch(self, text: str, size: int) -> Patch:
        key = (text, size)
        if key in self._patches:
            return self._patches[key]
        image = text_image(text, size)[: ATLAS_HEIGHT - 2, : ATLAS_WIDTH - 2]
        height, width = image.shape[:2]
        x, y, row = self._pen
        if x + width > ATLAS_WIDTH:
            x, y, row = 0, y + row, 0
        if y + height > ATLAS_HEIGHT:
            # Full: start over. Strings of this frame that are lost are drawn again in the next.
            self._patches.clear()
            x = y = row = 0
        self._pen = [x + width + 1, y, max(row, height + 1)]
        bind_texture("atlas", self._texture)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        GL.glTexSubImage2D(
            GL.GL_TEXTURE_2D, 0, x, y, width, height, GL.GL_RG, GL.GL_UNSIGNED_BYTE, np.ascontiguousarray(image)
        )
        self._patches[key] = Patch(x, y, width, height)
        return self._patches[key]


def kept_in(corner: tuple[int, int], patch: Patch, size: tuple[int, int]) -> tuple[int, int]:
    """The left and top that a label has inside the picture [px]."""
    (left, top), (width, height) = corner, size
    return min(max(left, 0), max(width - patch.width, 0)), min(max(top, 0), max(height - patch.height, 0))


def beside(place: tuple[float, float], patch: Patch, gap: float) -> dict[Anchor, tuple[int, int]]:
    """The left and top of a label on each side of a place [px]."""
    across, down = place[0] - patch.width / 2, place[1] - patch.height / 2
    return {
        "right": (round(place[0] + gap), round(down)),
        "left": (round(place[0] - gap - patch.width), round(down)),
        "centre": (round(across), round(down)),
        "above": (round(across), round(place[1] - gap - patch.height)),
        "below": (round(across), round(place[1] + gap)),
    }


def at_end(line: Line, patch: Patch, gap: float, size: tuple[int, int]) -> tuple[int, int]:
    """The left and top of the label at the end of a line, in the picture [px]: beyond the end, else beside the line.

    What counts is how the line runs in the picture, where it may seem to go another way than in space.
    """
    (x, y), sides = line[1], beside(line[1], patch, gap)
    across, down = x - line[0][0], y - line[0][1]
    sideways = abs(across) > abs(down)
    ahead: tuple[Anchor, Anchor] = ("right" if across > 0 else "left", "below" if down > 0 else "above")
    further = [sides[side][0] for side in ("right", "left")], [sides[side][1] for side in ("below", "above")]
    corners = [(left, top) for left in further[0][:: 1 if across >= 0 else -1] for top in further[1]]
    ways = [sides[ahead[not sideways]], *corners, sides[ahead[sideways]], *_along(line, patch, gap, size)]
    inside = [kept_in(way, patch, size) for way in ways]
    return next((corner for corner in inside if not crosses(line, (*corner, patch.width, patch.height))), inside[0])


def _along(line: Line, patch: Patch, gap: float, size: tuple[int, int]) -> list[tuple[int, int]]:
    """Where the label stands at its height by the end, left or right of all of the line that runs there [px]."""
    top = kept_in((0, round(line[1][1] - patch.height / 2)), patch, size)[1]
    across, down = zip(*sorted(line, key=lambda end: end[1]), strict=True)
    passed = np.interp((top, top + patch.height), down, across).tolist()
    return [(round(min(passed) - gap - patch.width), top), (round(max(passed) + gap), top)]


def crosses(line: Line, box: tuple[float, float, float, float]) -> bool:
    """Whether a part of a line lies in a box (left, top, width, height) [px]."""
    first, last = 0.0, 1.0
    for start, end, low, length in zip(*line, box[:2], box[2:], strict=True):
        if start == end:
            if not low < start < low + length:
                return False
            continue
        ends = sorted(((low - start) / (end - start), (low + length - start) / (end - start)))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first < last


def within(start: NDArray[np.float64], end: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """The end of a line, or where it leaves the picture if only its end is outside [px]."""
    limits = np.asarray(size, dtype=float)
    if not np.all((start >= 0.0) & (start <= limits)):
        return end
    borders = np.where(end < 0.0, 0.0, np.minimum(end, limits))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.nanmin(np.where(borders == end, 1.0, (borders - start) / (end - start)))
    return np.clip(start + share * (end - start), 0.0, limits)


def apart(boxes: NDArray[np.float64], height: float, lines: Sequence[Line | None] = ()) -> NDArray[np.float64]:
    """The tops of `boxes`, rows of (left, top, width, height) [px], moved so that each can be read.

    A box that would cover an earlier one moves up or down as little as possible, within a picture of this `height` and
    at most `FURTHEST` times its own height, not upon its own line; if there is no such place it stays.
    """
    tops = boxes[:, 1].copy()
    lines = lines or [None] * len(boxes)
    for i in range(1, len(boxes)):
        left, top, width, tall = boxes[i]
        beside = np.flatnonzero((boxes[:i, 0] < left + width) & (left < boxes[:i, 0] + boxes[:i, 2]))
        starts, ends = tops[beside], tops[beside] + boxes[beside, 3]
        ways = np.concatenate([[top], starts - tall, ends])
        free = ~np.any(
            (ways[:, None] < ends - OVERLAP * tall) & (starts + OVERLAP * tall < ways[:, None] + tall), axis=1
        )
        inside = (ways >= 0.0) & (ways <= height - tall) & (np.abs(ways - top) <= FURTHEST * tall)
        if (line := lines[i]) is not None:
            inside &= [not crosses(line, (left, way, width, tall)) for way in ways.tolist()]
        inside[0] = True
        good = ways[free & inside]
        if len(good):
            tops[i] = good[np.argmin(np.abs(good - top))]
    return tops


def _quad(patch: Patch, left: int, top: int, ink: tuple[float, ...]) -> NDArray[np.void]:
    """The two triangles of a label; `top` counts upwards from the lower edge [px]."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]], dtype=float)
    quad = np.zeros(6, dtype=GLYPH)
    quad["place"] = np.array([left, top]) + corners * (patch.width, -patch.height)
    texels = np.array([patch.x, patch.y]) + corners * (patch.width, patch.height)
    quad["texel"] = texels / (ATLAS_WIDTH, ATLAS_HEIGHT)
    quad["ink"] = (*ink, 1.0)
    return quad
