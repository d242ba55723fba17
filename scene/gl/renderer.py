"""Draws a picture into whatever OpenGL context is current: the window's, or one without a display.

Passes: shadow map; occlusion (High); background, solid arms, ground; ghosts; lines and dots; outline; labels. Everything is
blended premultiplied in display colours, so a transparent background comes out right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scene import camera as cameras
from scene.gl import frame as frames
from scene.gl.actors import ActorPool
from scene.gl.bindings import GL
from scene.gl.buffers import Block, Vertices
from scene.gl.labels import Labels
from scene.gl.lighting import Lighting
from scene.gl.overlays import Overlays
from scene.gl.picking import Hit, Picker
from scene.gl.program import BLOCKS, Program
from scene.gl.quality import LEVELS, Level, automatic_quality
from scene.gl.targets import Target
from scene.picture import Picture, Quality
from scene.theme import SceneTheme, scene_theme

Array = NDArray[np.float64]

CORNER = np.dtype([("corner", "<f4", 2)])
GROUND_REACH = 9.0
"""How far the ground is drawn, in sizes of the scene: the fog has closed by then."""

OUTLINE_PX = 2.4


class Driver(NamedTuple):
    """Who draws: the strings of the current OpenGL context."""

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
        framebuffer: int,
        size: tuple[int, int],
        quality: Quality = "high",
        scale: float = 1.0,
        part: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Draw `picture` into `framebuffer`.

        Args:
            size: width and height of the whole picture in device pixels.
            scale: device pixels per logical pixel.
            part: x, y (from the lower left), width, height of the piece of the picture to draw; it fills the framebuffer's corner.

        Raises:
            ArmstepError: the driver lacks OpenGL 3.3 or memory.
        """
        if self._ready is None:
            self._ready = _Resources()
        self._ready.draw(picture, framebuffer, size, LEVELS[quality], scale, part or (0, 0, *size))

    def pick(self, picture: Picture, size: tuple[int, int], x: float, y: float) -> tuple[int, int] | None:
        """The actor and the link (-1: the base) under pixel (x, y) from the top left, or None."""
        hit = self.pick_point(picture, size, x, y)
        return (hit.actor, hit.link) if hit else None

    def pick_point(self, picture: Picture, size: tuple[int, int], x: float, y: float) -> Hit | None:
        """What lies under pixel (x, y) from the top left, with the point of its surface; None for nothing."""
        if self._ready is None:
            self._ready = _Resources()
        return self._ready.pick(picture, size, x, y)

    def release(self) -> None:
        """Give everything on the graphics card back; the next `draw` makes it anew."""
        if self._ready is not None:
            self._ready.release()
        self._ready = None

    def forget(self) -> None:
        """The context is gone, and all that lived in it: make everything anew in the next one."""
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


class _Resources:
    """All that lives in one context."""

    def __init__(self) -> None:
        self.frame, self.materials = Block(BLOCKS["FrameBlock"]), Block(BLOCKS["MaterialsBlock"])
        self.actors = ActorPool()
        self.lighting = Lighting()
        self.overlays, self.labels, self.picker = Overlays(), Labels(), Picker()
        self.programs: dict[tuple[str, int, bool], Program] = {}
        self.background = Program("screen.vert", "background.frag")
        self.smooth = Program("screen.vert", "smooth.frag")
        self.depth = Program("arm.vert", "depth.frag")
        self.flat = Program("arm.vert", "flat.frag")
        self.empty = GL.glGenVertexArrays(1)
        self.disc = Vertices(CORNER, indexed=False)
        self.disc.fill(_disc(), often=False)
        self.scene = Target(GL.GL_RGBA8, GL.GL_DEPTH24_STENCIL8)
        self.solid_depth = Target(0, GL.GL_DEPTH24_STENCIL8)
        self.resolved = Target(GL.GL_RGBA8, 0)
        self.most_samples = int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))

    def release(self) -> None:
        GL.glDeleteVertexArrays(1, [self.empty])
        things = [self.frame, self.materials, self.actors, self.lighting, self.overlays, self.labels, self.picker]
        things += [self.background, self.smooth, self.depth, self.flat, self.disc, *self.programs.values()]
        for thing in [*things, self.scene, self.solid_depth, self.resolved]:
            thing.release()

    def program(self, kind: str, level: Level) -> Program:
        key = (kind, level.softness, level.occlusion)
        if key not in self.programs:
            defines: dict[str, object] = {"SOFTNESS": level.softness}
            if level.occlusion:
                defines["OCCLUSION"] = 1
            self.programs[key] = Program(f"{kind}.vert", f"{kind}.frag", defines)
        return self.programs[key]

    def pick(self, picture: Picture, size: tuple[int, int], x: float, y: float) -> Hit | None:
        _clean_state()
        self.actors.prepare(picture)
        hit = self.picker.pick(picture, self.actors.drawn, self.frame, size, x, y)
        _leave_state()
        return hit

    def draw(
        self,
        picture: Picture,
        framebuffer: int,
        size: tuple[int, int],
        level: Level,
        scale: float,
        part: tuple[int, int, int, int],
    ) -> None:
        _clean_state()
        theme = scene_theme(picture.theme)
        samples = min(level.samples, self.most_samples)
        self.frame.fill(frames.frame_block(picture, theme, size, scale, level.shadow_pixels, _crop(size, part)))
        self.materials.fill(frames.materials_block(theme))
        self.actors.prepare(picture)
        self.scene.fit(part[2:], samples)
        self.lighting.draw_shadow(self.actors.solid, level)
        if level.occlusion:
            self.lighting.draw_occlusion(self.actors.solid, self.disc if picture.ground is not None else None, part[2:])
        self._draw_solids(picture, level)
        self._draw_ghosts(level)
        self._draw_outlines(theme)
        self.overlays.draw(picture, theme, size[1] / scale, scale)
        self.labels.draw(picture, theme, size, scale, part[:2])
        self.lighting.unbind()
        self._finish(framebuffer, part[2:], samples)
        _leave_state()

    def _draw_solids(self, picture: Picture, level: Level) -> None:
        self.scene.bind()
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        self.lighting.bind()
        arm = self.program("arm", level)
        for drawn in self.actors.solid:
            arm.use(only=-1, grow=0.0, tint=drawn.tint, opacity=1.0)
            drawn.draw()
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
        if not picture.transparent:
            # Behind everything drawn so far, and under the ground.
            GL.glDepthMask(False)
            self.background.use()
            GL.glBindVertexArray(self.empty)
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
            GL.glDepthMask(True)
        if picture.ground is not None:
            below = cameras.eye(picture.camera)[2] < picture.ground
            GL.glDepthMask(not below)
            self.program("ground", level).use(reach=GROUND_REACH * frames.stage(picture)[1] * 1.6)
            self.disc.draw(GL.GL_TRIANGLE_FAN)
            GL.glDepthMask(True)

    def _draw_ghosts(self, level: Level) -> None:
        """Each ghost hides its own back but not the other ghosts: all of them meet the solid scene's depth alone."""
        ghosts = self.actors.ghosts
        if not ghosts:
            return
        self.solid_depth.fit(self.scene.size, self.scene.samples)
        _copy_depth(self.scene, self.solid_depth)
        arm = self.program("arm", level)
        for number, ghost in enumerate(ghosts):
            if number:
                _copy_depth(self.solid_depth, self.scene)
            self.scene.bind()
            GL.glColorMask(False, False, False, False)
            self.depth.use(only=-1, grow=0.0)
            ghost.draw()
            GL.glColorMask(True, True, True, True)
            arm.use(only=-1, grow=0.0, tint=ghost.tint, opacity=ghost.actor.opacity)
            ghost.draw()
        _copy_depth(self.solid_depth, self.scene)
        self.scene.bind()

    def _draw_outlines(self, theme: SceneTheme) -> None:
        """The selected link's silhouette, wherever it is hidden."""
        for drawn in self.actors.drawn:
            if drawn.actor.selected is None:
                continue
            GL.glClear(GL.GL_STENCIL_BUFFER_BIT)
            GL.glEnable(GL.GL_STENCIL_TEST)
            GL.glDisable(GL.GL_DEPTH_TEST)
            GL.glStencilFunc(GL.GL_ALWAYS, 1, 255)
            GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
            GL.glColorMask(False, False, False, False)
            only = drawn.actor.selected + 1
            self.flat.use(only=only, grow=0.0)
            drawn.draw()
            GL.glColorMask(True, True, True, True)
            GL.glStencilFunc(GL.GL_EQUAL, 0, 255)
            self.flat.use(only=only, grow=OUTLINE_PX, flat_colour=(*theme.colours["outline"], 1.0))
            drawn.draw()
            GL.glDisable(GL.GL_STENCIL_TEST)
            GL.glEnable(GL.GL_DEPTH_TEST)

    def _finish(self, framebuffer: int, size: tuple[int, int], samples: int) -> None:
        """Average the samples, or smooth the edges where there are none, and hand the picture over."""
        self.resolved.fit(size)
        if samples:
            _blit(self.scene, self.resolved.framebuffer)
            _blit(self.resolved, framebuffer)
            return
        self.resolved.bind()
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glActiveTexture(GL.GL_TEXTURE0 + 4)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.scene.colour_id)
        self.smooth.use()
        GL.glBindVertexArray(self.empty)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        _blit(self.resolved, framebuffer)


def _blit(source: Target, framebuffer: int) -> None:
    w, h = source.size
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source.framebuffer)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
    GL.glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)


def _copy_depth(source: Target, target: Target) -> None:
    w, h = source.size
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source.framebuffer)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, target.framebuffer)
    GL.glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL.GL_DEPTH_BUFFER_BIT, GL.GL_NEAREST)


def _crop(size: tuple[int, int], part: tuple[int, int, int, int]) -> Array:
    """The (4, 4) clip transform that blows a part of the picture up to the whole screen."""
    x, y, width, height = part
    crop = np.eye(4)
    crop[0, 0], crop[1, 1] = size[0] / width, size[1] / height
    crop[0, 3] = (size[0] - 2 * x - width) / width
    crop[1, 3] = (size[1] - 2 * y - height) / height
    return crop


def _disc(count: int = 48) -> NDArray[np.void]:
    angles = np.linspace(0.0, 2 * np.pi, count + 1)
    corners = np.concatenate([[[0.0, 0.0]], np.stack([np.cos(angles), np.sin(angles)], axis=1)]).astype(np.float32)
    return corners.view(CORNER).reshape(-1)


def _clean_state() -> None:
    """Take nothing for granted: the window's painter shares the context."""
    while GL.glGetError() != GL.GL_NO_ERROR:
        pass
    for switch in (
        GL.GL_BLEND,
        GL.GL_SCISSOR_TEST,
        GL.GL_STENCIL_TEST,
        GL.GL_POLYGON_OFFSET_FILL,
        GL.GL_FRAMEBUFFER_SRGB,
    ):
        GL.glDisable(switch)
    GL.glEnable(GL.GL_DEPTH_TEST)
    GL.glDepthFunc(GL.GL_LEQUAL)
    GL.glDepthMask(True)
    GL.glColorMask(True, True, True, True)
    GL.glEnable(GL.GL_CULL_FACE)
    GL.glCullFace(GL.GL_BACK)
    GL.glFrontFace(GL.GL_CCW)


def _leave_state() -> None:
    for switch in (GL.GL_BLEND, GL.GL_CULL_FACE, GL.GL_DEPTH_TEST):
        GL.glDisable(switch)
    GL.glUseProgram(0)
    GL.glBindVertexArray(0)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, 0)
    GL.glActiveTexture(GL.GL_TEXTURE0)
