"""Arms: solid ones, ghosts, and the outline of what is selected."""

from __future__ import annotations

from collections.abc import Sequence

from scene.gl.actors import Drawn
from scene.gl.bindings import GL
from scene.gl.frame import Box
from scene.gl.program import Program
from scene.gl.quality import Level
from scene.gl.targets import Target
from scene.theme import SceneTheme

OUTLINE_PX = 2.4
GHOST_SETBACK = 2e-3
"""How far ghosts are moved back, in radii of the arm, so that they never flicker through a solid arm in the same
place."""


class Surfaces:
    """Draws arms into a framebuffer."""

    def __init__(self) -> None:
        self._depth = Program("arm.vert", "depth.frag")
        self._flat = Program("arm.vert", "flat.frag")
        self._ghost = Program("arm.vert", "arm.frag", {"GHOST": 1, "SOFTNESS": 0})
        self._shaded: dict[tuple[int, bool], Program] = {}
        self._solid_depth = Target(0, GL.GL_DEPTH24_STENCIL8)

    def draw_solids(self, solids: Sequence[Drawn], level: Level) -> None:
        """Draw opaque arms, and 1 into the stencil where they are seen."""
        program = self._program(level)
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_ALWAYS, 1, 255)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
        for drawn in solids:
            program.use(only=-1, grow=0.0, push=0.0, tint=drawn.tint, opacity=1.0)
            drawn.draw()
        GL.glDisable(GL.GL_STENCIL_TEST)

    def draw_ghosts(self, ghosts: Sequence[tuple[Drawn, Box]], alone: bool, scene: Target) -> None:
        """Draw transparent arms, furthest first, each within its box on the screen.

        Each hides its own back but not another ghost: they are tested only against the solid scene's depth.
        A base that they share with the solid arm is drawn only when they are `alone`.
        """
        if not ghosts:
            return
        self._solid_depth.fit(scene.size, scene.samples)
        scene.copy_depth(self._solid_depth)
        for ghost, box in ghosts:
            scene.bind()
            push = GHOST_SETBACK * ghost.actor.shape.radius
            GL.glColorMask(False, False, False, False)
            self._depth.use(only=-1, grow=0.0, push=push)
            ghost.draw(base=alone or ghost.actor.apart)
            GL.glColorMask(True, True, True, True)
            self._ghost.use(only=-1, grow=0.0, push=push, tint=ghost.tint, opacity=ghost.actor.opacity)
            ghost.draw(base=alone or ghost.actor.apart)
            self._solid_depth.copy_depth(scene, box)
        scene.bind()

    def draw_outlines(self, drawn: Sequence[Drawn], theme: SceneTheme) -> None:
        """Draw the silhouette of each selected link, wherever it is hidden."""
        for thing in drawn:
            if thing.actor.selected is None:
                continue
            only = thing.actor.selected + 1
            GL.glClear(GL.GL_STENCIL_BUFFER_BIT)
            GL.glEnable(GL.GL_STENCIL_TEST)
            GL.glDisable(GL.GL_DEPTH_TEST)
            GL.glStencilFunc(GL.GL_ALWAYS, 1, 255)
            GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
            GL.glColorMask(False, False, False, False)
            self._flat.use(only=only, grow=0.0)
            thing.draw()
            GL.glColorMask(True, True, True, True)
            GL.glStencilFunc(GL.GL_EQUAL, 0, 255)
            self._flat.use(only=only, grow=OUTLINE_PX, flat_colour=(*theme.colours["outline"], 1.0))
            thing.draw()
            GL.glDisable(GL.GL_STENCIL_TEST)
            GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Release everything."""
        for thing in (self._depth, self._flat, self._ghost, *self._shaded.values(), self._solid_depth):
            thing.release()

    def _program(self, level: Level) -> Program:
        key = (level.softness, level.occlusion)
        if key not in self._shaded:
            self._shaded[key] = Program("arm.vert", "arm.frag", level.defines())
        return self._shaded[key]
