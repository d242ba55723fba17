"""Text: each string is drawn once into an atlas, with a halo that keeps it readable over anything."""

from __future__ import annotations

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
        placed = [(label, *place) for label, place in found if place is not None]
        if not placed:
            return
        boxes = np.array([(left, top, patch.width, patch.height) for _, patch, left, top in placed], dtype=float)
        tops = apart(boxes, size[1])
        quads = []
        for (label, patch, left, _), top in zip(placed, tops.tolist(), strict=True):
            ink = lifted(label.colour, theme) if label.colour else theme.colours["text"]
            quads.append(_quad(patch, left - origin[0], size[1] - round(top) - origin[1], ink))
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

    def _place(
        self, label: Label, picture: Picture, size: tuple[int, int], scale: float
    ) -> tuple[Patch, int, int] | None:
        """Where a label is in the atlas, and its left and top in the picture [px]; None if there is none."""
        x, y, depth = cameras.project(picture.camera, size, np.asarray(label.position, dtype=float)[None])[0]
        if not np.isfinite(x + y) or not label.text or (depth <= 0 and not picture.camera.orthographic):
            return None
        first = None
        if label.start is not None:
            first = cameras.project(picture.camera, size, np.asarray(label.start, dtype=float)[None])[0]
            x, y = within(first[:2], np.array([x, y]), size)
        patch = self._patch(label.text, max(6, round(label.size_px * scale)))
        gap = GAP_PX * scale
        across, down = {
            "right": (gap, -patch.height / 2),
            "left": (-gap - patch.width, -patch.height / 2),
            "centre": (-patch.width / 2, -patch.height / 2),
            "above": (-patch.width / 2, -gap - patch.height),
            "below": (-patch.width / 2, gap),
        }[label.anchor]
        left, top = round(x + across), round(y + down)
        if 0.0 <= x <= size[0] and 0.0 <= y <= size[1]:
            # A label for something in the picture is shown in full, even at the edge.
            left, top = kept_in((left, top), patch, size)
            if first is not None and left < x < left + patch.width and top < y < top + patch.height:
                left, top = kept_in(off_line(first, (x, y), (left, top), patch, gap, label.anchor), patch, size)
        return patch, left, top

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


def off_line(
    start: NDArray[np.float64],
    end: tuple[float, float],
    corner: tuple[int, int],
    patch: Patch,
    gap: float,
    anchor: Anchor,
) -> tuple[int, int]:
    """The left and top of a label that the picture's edge has moved upon its line: beside the end, off the line [px].

    Args:
        start, end: of the line.
        corner: the left and top so far.
        patch: the label.
        gap: between the end and the label.
        anchor: on which side of the end it was to be.
    """
    (left, top), (x, y) = corner, end
    if anchor in ("above", "below"):
        return round(x + gap if x >= start[0] else x - gap - patch.width), top
    return left, round(y + gap if y >= start[1] else y - gap - patch.height)


def within(start: NDArray[np.float64], end: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """The end of a line, or where it leaves the picture if only its end is outside [px]."""
    limits = np.asarray(size, dtype=float)
    if not np.all((start >= 0.0) & (start <= limits)):
        return end
    borders = np.where(end < 0.0, 0.0, np.minimum(end, limits))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.nanmin(np.where(borders == end, 1.0, (borders - start) / (end - start)))
    return np.clip(start + share * (end - start), 0.0, limits)


def apart(boxes: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """The tops of `boxes`, rows of (left, top, width, height) [px], moved so that each can be read.

    A box that would cover an earlier one moves up or down as little as possible, within a picture of this `height` and
    at most `FURTHEST` times its own height; if there is no such place it stays.
    """
    tops = boxes[:, 1].copy()
    for i in range(1, len(boxes)):
        left, top, width, tall = boxes[i]
        beside = np.flatnonzero((boxes[:i, 0] < left + width) & (left < boxes[:i, 0] + boxes[:i, 2]))
        starts, ends = tops[beside], tops[beside] + boxes[beside, 3]
        ways = np.concatenate([[top], starts - tall, ends])
        free = ~np.any(
            (ways[:, None] < ends - OVERLAP * tall) & (starts + OVERLAP * tall < ways[:, None] + tall), axis=1
        )
        inside = (ways >= 0.0) & (ways <= height - tall) & (np.abs(ways - top) <= FURTHEST * tall)
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
