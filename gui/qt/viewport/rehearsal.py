"""Prepares what the window needs later: shaders of ghosts, outlines, paths and picking, the sheet of maps, files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module

import numpy as np
from PySide6.QtCore import QObject, QThread, QTimer
from PySide6.QtGui import QOpenGLContext

from assets.errors import ArmstepError
from assets.priority import step_back
from gui.app.view import ViewSettings
from gui.qt.viewport.bare_context import BareContext
from robots.model.shapes import Pose
from scene.gl.quality import LEVELS, is_software
from scene.picture import DASHED, Actor, Dots, Ellipsoid, Picture, Quality, Ribbon

SIZE = 250, 150
"""No power of two, as few windows have one: drivers compile such textures' shaders apart [px]."""

LATER_MS = 1000
"""How long after its panels the window has drawn what it begins with."""

SHEETS = ("gui.charts.map", "gui.qt.diagrams.map_diagram", "gui.qt.dialogs.result_sheet", "gui.qt.dialogs.map")
"""What a sheet would load while a person waits for it; each needs those before."""

BETWEEN_MS = 50
"""How long the window has between two of them."""

log = logging.getLogger(__name__)


class Rehearsal(QThread):
    """Draws a small picture with one of everything, in another thread and a context of its own, and then ends.

    Where the processor draws, the driver compiles a shader again for each way in which it is used: for a tenth of a
    second or two at the first ghost. What was compiled once it finds on disk, whichever context asks for it. The
    modules of the sheet of maps and of files' formats are loaded meanwhile in the window's own thread, one at a time.

    Args:
        parent: whose life it shares.
        view: the settings of the 3D view, when it begins.
    """

    def __init__(self, parent: QObject, view: Callable[[], ViewSettings]) -> None:
        super().__init__(parent)
        self._view = view
        self._quality: Quality | None = None
        self._context: BareContext | None = None
        self._modules = _modules()
        self.finished.connect(self._forget)

    def begin(self) -> None:
        """Start, once the window has drawn its own first pictures."""
        QTimer.singleShot(LATER_MS, self, self._begin)
        QTimer.singleShot(LATER_MS + BETWEEN_MS, self, self._load)

    def _load(self) -> None:
        if next(self._modules, None) is not None:
            QTimer.singleShot(BETWEEN_MS, self, self._load)

    def _begin(self) -> None:
        chosen = self._view().quality
        self._quality = next((level for level in LEVELS if level == chosen), None)
        if QOpenGLContext.supportsThreadedOpenGL():
            with suppress(ArmstepError):  # the window says itself what is wrong with its graphics
                self._context = BareContext(self)
                self.start()

    def _forget(self) -> None:
        self._context = None

    def run(self) -> None:
        step_back()
        from scene.offscreen import Offscreen

        try:
            with Offscreen(SIZE, self._quality, context=self._context) as place:
                if is_software(place.driver.renderer):
                    place.render(one_of_everything())
                    place.pick(one_of_everything(), SIZE[0] / 2, SIZE[1] / 2)
        except Exception:
            # The window works without: its first ghost comes later.
            log.exception("what later pictures need could not be compiled ahead")


def _modules() -> Iterator[object]:
    """What was loaded, one at a time."""
    for module in SHEETS:
        yield import_module(module)
    from gui.qt.export.format import find_format, format_keys

    for key in format_keys():
        yield find_format(key)


def one_of_everything() -> Picture:
    """A picture in which nothing is left out that pictures of runs have."""
    from scene.gl.actors import UNIT_SPHERE

    line, here = np.array([[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5]]), np.eye(4)
    return Picture(
        actors=(Actor(UNIT_SPHERE, Pose(here[None]), selected=0),),
        ellipsoids=(Ellipsoid(here),),
        ribbons=(Ribbon(line), Ribbon(line, dash=DASHED)),
        dots=(Dots(line),),
    )
