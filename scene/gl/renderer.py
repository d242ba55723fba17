"""Draws a picture into whatever OpenGL context is current: the window's, or one without a display.

Passes: shadow map; occlusion (High); sky and ground; solid arms; shadow on the ground; ghosts; outline; smoothing;
lines and dots; labels.
Everything is blended premultiplied in display colours, so a transparent background comes out right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scene import camera as cameras
from scene.gl import frame as frames
from scene.gl import state
from scene.gl.actors import ActorPool
from scene.gl.bindings import GL
from scene.gl.buffers import Block
from scene.gl.frame import Box
from scene.gl.passes.backdrop import Backdrop
from scene.gl.passes.labels import Labels
from scene.gl.passes.lighting import Lighting
from scene.gl.passes.overlays import Overlays
from scene.gl.passes.picking import Hit, Picker
from scene.gl.passes.smoothing import Smoothing
from scene.gl.passes.surfaces import Surfaces
from scene.gl.program import BLOCKS
from scene.gl.quality import LEVELS, Level, automatic_quality, is_software
from scene.gl.targets import Target
from scene.picture import Array, Picture, Quality
from scene.theme import scene_theme

MOST_KEPT_SAMPLES = 4
"""Sky and ground are kept from frame to frame only where the processor draws, without samples: they take memory."""


class Driver(NamedTuple):
    """The graphics driver: the strings of the current OpenGL context."""

    vendor: str
    renderer: str
    version: str


class Renderer:
    """Turns pictures into pixels. It belongs to one context, which must be current for every call."""

    def __init__(self) -> None:
        self._ready: _Resources | None = None

    def draw(
        self,
        picture: Picture,
        *,
        framebuffer: int | None,
        size: tuple[int, int],
        quality: Quality = "high",
        scale: float = 1.0,
        part: Box | None = None,
    ) -> None:
        """Draw `picture` into `framebuffer`.

        Args:
            framebuffer: its number; it must be as large as the picture or the part. None leaves the picture where it
                was drawn, bound to be read.
            size: width and height of the whole picture in device pixels.
            quality: the level of quality.
            scale: device pixels per logical pixel.
            part: x, y (from the lower left), width, height of the part to draw; None draws all.

        Raises:
            ArmstepError: the driver lacks OpenGL 3.3 or memory.
        """
        self._resources().draw(picture, framebuffer, size, LEVELS[quality], scale, part or (0, 0, *size))

    def pick(self, picture: Picture, size: tuple[int, int], x: float, y: float) -> tuple[int, int] | None:
        """The actor and the link (-1: the base) under pixel (x, y) from the top left, or None."""
        hit = self.pick_point(picture, size, x, y)
        return (hit.actor, hit.link) if hit else None

    def pick_point(self, picture: Picture, size: tuple[int, int], x: float, y: float) -> Hit | None:
        """What lies under pixel (x, y) from the top left, with the point of its surface; None for nothing."""
        return self._resources().pick(picture, size, x, y)

    def release(self) -> None:
        """Release everything on the graphics card; the next `draw` makes it again."""
        if self._ready is not None:
            self._ready.release()
        self._ready = None

    def forget(self) -> None:
        """The context is gone with all that was in it: make everything again in the next one."""
        self._ready = None

    @staticmethod
    def describe() -> Driver:
        """The current context's vendor, renderer and version."""
        names = (GL.glGetString(name) for name in (GL.GL_VENDOR, GL.GL_RENDERER, GL.GL_VERSION))
        return Driver(*(name.decode(errors="replace") if name else "unknown" for name in names))

    @staticmethod
    def automatic_quality() -> Quality:
        """The level that suits the current context."""
        return automatic_quality(Renderer.describe().renderer)

    def _resources(self) -> _Resources:
        if self._ready is None:
            self._ready = _Resources()
        return self._ready


class _Resources:
    """Everything in one context."""

    def __init__(self) -> None:
        self.frame, self.materials = Block(BLOCKS["FrameBlock"]), Block(BLOCKS["MaterialsBlock"])
        self.actors, self.picker = ActorPool(), Picker()
        self.lighting, self.surfaces, self.backdrop = Lighting(), Surfaces(), Backdrop()
        self.overlays, self.smoothing, self.labels = Overlays(), Smoothing(), Labels()
        self.scene = Target(GL.GL_RGBA8, GL.GL_DEPTH24_STENCIL8)
        self.most_samples = int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))
        self.software = is_software(Renderer.describe().renderer)

    def release(self) -> None:
        """Release everything."""
        passes = (self.lighting, self.surfaces, self.backdrop, self.overlays, self.smoothing, self.labels, self.picker)
        for thing in (self.frame, self.materials, self.actors, *passes, self.scene):
            thing.release()

    def pick(self, picture: Picture, size: tuple[int, int], x: float, y: float) -> Hit | None:
        """See `Renderer.pick_point`."""
        state.take()
        self.actors.prepare(picture)
        hit = self.picker.pick(picture, self.actors.drawn, self.frame, size, x, y)
        state.leave()
        return hit

    def draw(
        self, picture: Picture, framebuffer: int | None, size: tuple[int, int], level: Level, scale: float, part: Box
    ) -> None:
        """See `Renderer.draw`."""
        state.take()
        theme, actors = scene_theme(picture.theme), self.actors
        numbers = frames.frame_block(picture, theme, size, scale, level.shadow_pixels, frames.crop(size, part))
        self.frame.fill(numbers)
        self.materials.fill(frames.materials_block(theme))
        actors.prepare(picture)

        def box(points: Array, margin: int) -> Box | None:
            return box_around(points, picture, size, part, margin)

        self.scene.fit(part[2:], min(level.samples, self.most_samples))
        self.lighting.draw_shadow(actors.solid, level)
        if level.occlusion:
            # An arm may shade what is near it on the screen.
            margin = round(0.16 * frames.stage(picture)[1] / cameras.metres_per_pixel(picture.camera, size[1]))
            near = box(actors.casters, margin)
            self.lighting.draw_occlusion(actors.solid, part[2:], near, lambda: self.backdrop.draw_depth(picture))
        self.lighting.bind()
        self.backdrop.begin(picture, numbers, self.scene, self.software and level.samples <= MOST_KEPT_SAMPLES)
        self.surfaces.draw_solids(actors.solid, level)
        self.backdrop.finish(picture, actors.casters, level)
        GL.glEnable(GL.GL_BLEND)
        ghosts = [(ghost, box(ghost.corners, 2)) for ghost in actors.ghosts]
        self.surfaces.draw_ghosts([(ghost, seen) for ghost, seen in ghosts if seen], not actors.solid, self.scene)
        self.lighting.unbind()
        self.surfaces.draw_outlines(actors.drawn, theme)
        self.smoothing.smooth(self.scene, box(actors.corners, 4))
        self.overlays.draw(picture, theme, size[1] / scale, scale)
        self.smoothing.resolve(self.scene)
        self.labels.draw(picture, theme, size, scale, part[:2])
        if framebuffer is not None:
            self.smoothing.result.copy_colour(framebuffer)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        state.leave()


def box_around(points: Array, picture: Picture, size: tuple[int, int], part: Box, margin: int) -> Box | None:
    """The box around points (k, 3) [m] and `margin` more, in the part's pixels; None when nothing of it is there."""
    if not len(points):
        return None
    places = cameras.project(picture.camera, size, points)
    if (places[:, 2] <= 0).any() and not picture.camera.orthographic:
        return (0, 0, *part[2:])
    places[:, 1] = size[1] - places[:, 1]
    low = np.clip(places[:, :2].min(axis=0) - part[:2] - margin, 0, part[2:]).astype(int)
    high = np.clip(places[:, :2].max(axis=0) - part[:2] + margin + 1, 0, part[2:]).astype(int)
    width, height = (int(n) for n in high - low)
    return (int(low[0]), int(low[1]), width, height) if width > 0 and height > 0 else None
