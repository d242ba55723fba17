"""The 3D view: hosts `scene.gl.Renderer` in a QOpenGLWidget, and moves its camera."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from assets.plugins import failure_of
from gui.app.session.session import Session
from gui.compose import picture as pictures
from gui.compose import viewpoint
from gui.compose.kinematics import kinematics_of
from gui.compose.overlay import shown_rows
from gui.qt.access.spoken import Role, speak
from gui.qt.style.rest import Rest
from gui.qt.style.theme import look
from gui.qt.viewport.bare_context import Importer
from gui.qt.viewport.drag_force import DragForceTool
from gui.qt.viewport.flight import FLIGHT_MS, Flight
from gui.qt.viewport.grip import shows_current, ways_of
from gui.qt.viewport.handles import Handles
from gui.qt.viewport.mini_plot import MiniPlot
from gui.qt.viewport.notice import Notice
from gui.qt.viewport.overlays import MARGIN, LinkCard, Readout, ViewportWidget
from gui.qt.viewport.pointer import Pointer
from gui.qt.viewport.posing import PosingTool
from gui.qt.viewport.run_legend import RunLegend
from gui.qt.window.bridge import subscribe
from gui.qt.window.gestures import Gestures
from scene import camera as cameras
from scene.camera import Bars
from scene.picture import QUALITIES, Camera, Picture, Quality

if TYPE_CHECKING:
    from scene.gl.renderer import Renderer

SLOW_FRAME, SLOW_FRAMES = 0.055, 12
"""While playing, so many frames that take longer [s] lower an automatic quality."""

log = logging.getLogger(__name__)


class Viewport(QOpenGLWidget):
    """A view of the session's visible runs at the playhead."""

    menu_asked = Signal(QPoint)
    broke = Signal(str)
    mistaken = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.renderer: Renderer | None = None
        self.selected: int | None = None
        self._stale, self._finished = True, False
        self._importer, self._looked_at = Importer(self), session.scenario
        self._importer.finished.connect(self.update)
        self.frameSwapped.connect(self._importer.start, Qt.ConnectionType.SingleShotConnection)  # it delays no frame
        self._quality: Quality | None = None
        self._mistake, self._slow, self._last_frame = "", 0, 0.0
        self.flight = Flight(self, self.update)
        self.drag_force = DragForceTool(self)
        self.handles = Handles(self)
        self.posing = PosingTool(self, self)
        self.pointer = Pointer(self, self)
        self.pointer.follow(Gestures(self))
        self.legend = RunLegend(self)
        self.readout = Readout(self)
        self.card = LinkCard(self, lambda: self.select(None))
        self.notice = Notice(self)
        self.mini_plot = MiniPlot(self, session, self.card)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 180)
        speak(self, Role.Graphic, "3D view", "The arm at the playhead. Press F1 for mouse and keys.")
        for signal in (session.playback.moved, session.playback.changed, session.runs.changed, session.view.changed):
            subscribe(self, signal, self._changed)
        subscribe(self, session.preparing.changed, self._changed)
        subscribe(self, session.runs.updated, self._run_updated)
        subscribe(self, session.scenario_changed, self._scenario_changed)
        subscribe(self, session.files.opened, self._forget_selection)
        look().changed.connect(self._changed)
        self._seen: tuple[object, ...] = ()
        Rest(self, lambda: session.runs.current.state == "done")
        self._changed()

    # -- what is drawn -------------------------------------------------------------------------------------------------

    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        return max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)

    def aspect(self) -> float:
        """Width over height."""
        return self.width() / max(self.height(), 1)

    def bars(self) -> Bars:
        """What the legend takes at the top and the time at the bottom."""
        return Bars(self.legend.head(), self.readout.foot(), self.legend.left())

    def extent(self) -> tuple[float, float]:
        """Width and height [px]."""
        return float(self.width()), float(self.height())

    def camera(self) -> Camera:
        """The current camera."""
        if self.flight.camera is not None:
            return self.flight.camera
        session = self.session
        rows, view = session.runs.all, session.view.settings
        return pictures.camera_of(rows, session.playback.t, view, self.aspect(), self.bars())

    def picture(self) -> Picture:
        """The current picture."""
        session = self.session
        made = pictures.compose(
            session.runs.all,
            session.playback.t,
            session.view.settings,
            theme=look().theme.name,
            aspect=self.aspect(),
            bars=self.bars(),
            selected=self.selected if self.pointer.under is None else self.pointer.under,
            held=self.drag_force.holds and shows_current(session),
        )
        made = self.notice.drawn(made, session, self.bars())
        if self.flight.camera is not None:
            made = replace(made, camera=self.flight.camera)
        return self.handles.drawn(self.drag_force.drawn(self.posing.drawn(made)))

    def quality(self) -> Quality:
        """The current quality: the chosen one, or the one that is fluent here."""
        for level in QUALITIES:
            if level == self.session.view.settings.quality:
                return level
        if not self._quality and self.renderer is not None:
            self._quality = self.renderer.automatic_quality()
        return self._quality or "medium"

    def graphics(self) -> str:
        """The OpenGL driver, in words."""
        if self.renderer is None:
            return "OpenGL has not started yet."
        driver = self.renderer.describe()
        return f"{driver.renderer}, OpenGL {driver.version}; quality {self.quality()}"

    def initializeGL(self) -> None:
        """There is a context, perhaps a new one: what an earlier one held is made again at the next drawing."""
        self._stale = True

    def paintGL(self) -> None:
        if self._finished or not self.updatesEnabled():
            return
        if not self._importer.done:
            self._clear()
            return
        try:
            picture = self.picture()
        except Exception as error:
            log.exception("the picture could not be composed")
            self._show_mistake(f"The arm could not be drawn: {failure_of(error)}")
            return
        try:
            if self._stale:
                self._make_renderer()
            assert self.renderer is not None
            self.renderer.draw(
                picture,
                framebuffer=self.defaultFramebufferObject(),
                size=self.pixels(),
                quality=self.quality(),
                scale=self.devicePixelRatioF() * look().larger,
            )
        except Exception as error:
            log.exception("the 3D view failed")
            message = f"{type(error).__name__}: {error}"
            QTimer.singleShot(0, self, lambda: self.broke.emit(message))
            return
        self._show_mistake("")
        self._watch_speed()

    def _show_mistake(self, message: str) -> None:
        if message != self._mistake:
            self._mistake = message
            QTimer.singleShot(0, self, lambda: self.mistaken.emit(message))

    def _clear(self) -> None:
        """Fill the first frame with the background, before OpenGL's bindings are there."""
        gl = self.context().functions()
        colour = look().theme.colour("scene")
        gl.glClearColor(colour.redF(), colour.greenF(), colour.blueF(), 1.0)
        gl.glClear(0x4000)  # GL_COLOR_BUFFER_BIT

    def _make_renderer(self) -> None:
        from scene.gl.renderer import Renderer

        if self.renderer is not None:
            self.renderer.release()
        self.renderer = Renderer()
        self._quality = None
        self._stale = False

    def finish(self) -> None:
        """Release everything on the graphics card; nothing is drawn after that."""
        self._importer.wait()
        if self.renderer is not None and self.context() is not None:
            self.makeCurrent()
            self.renderer.release()
            self.doneCurrent()
        self.renderer, self._finished = None, True

    def _watch_speed(self) -> None:
        """Lower an automatic quality when frames are slow while something plays."""
        now = time.perf_counter()
        elapsed, self._last_frame = now - self._last_frame, now
        self.readout.frame_drawn(elapsed)
        if not self.session.playback.playing or elapsed > 1.0:
            return
        self._slow = self._slow + 1 if elapsed > SLOW_FRAME else 0
        if self._slow >= SLOW_FRAMES and self._quality in QUALITIES[1:]:
            self._quality = QUALITIES[QUALITIES.index(self._quality) - 1]
            self._slow = 0

    def _scenario_changed(self) -> None:
        before, self._looked_at = self._looked_at, self.session.scenario
        if not before.same_robot(self._looked_at):
            self._forget_selection()

    def _forget_selection(self) -> None:
        self.selected = None
        self.flight.stop()
        self._changed()

    def _run_updated(self, row_id: int) -> None:
        """Draw again if the row has something else to show; progress only concerns the timeline and the table."""
        self.legend.show_rows(self.session.runs.all, self.session.playback.t, self.session.view.settings.legend)
        self.notice.show_state(self.session)
        row = self.session.runs.find(row_id)
        seen = row and (row.id, row.run, row.beginning, row.reference_run, row.ensemble, row.run is None and row.state)
        if seen != self._seen:
            self._seen = seen or ()
            self._changed()

    def _changed(self, *_: object) -> None:
        self.drag_force.follow()
        session = self.session
        self.legend.show_rows(session.runs.all, session.playback.t, session.view.settings.legend)
        self.readout.show_session(session)
        self.card.show_link(session.runs.current, session.playback.t, self.selected, session.view.settings.degrees)
        self.notice.show_state(session)
        self._place()
        self._return()
        self.posing.follow()
        self.update()

    def _place(self) -> None:
        self.legend.move(MARGIN, MARGIN)
        self.readout.move(MARGIN, self.height() - self.readout.height() - MARGIN)
        self.notice.place(self.session, self.legend)
        self.card.place(self.readout, self.legend)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._changed()

    # -- camera --------------------------------------------------------------------------------------------------------

    def set_camera(self, camera: Camera) -> None:
        """Use this camera at once; not before there is an arm, which the first camera frames."""
        self.flight.stop()
        current, t, view = self.session.runs.current, self.session.playback.t, self.session.view.settings
        if current.run is not None:
            self.session.view.set(**viewpoint.settled(camera, current, t, view, self.aspect()))

    def fly_to(self, camera: Camera) -> None:
        """Move to this camera in a short flight, which keeps a person oriented."""
        start = self.camera()
        self.set_camera(camera)
        self.flight.fly(start, camera, self._flight_time())

    def hold_still(self) -> None:
        """Keep the camera where it is while a hand changes the motion, until `flight.let_go`."""
        self.flight.hold_still(self.camera())

    def _return(self) -> None:
        """Look again from where the settings say, once the motion that a hand has made is known."""
        row = self.session.runs.current
        if self.flight.due and row.state in ("done", "failed") and not row.outdated:
            start = self.camera()
            self.flight.stop()
            if (end := self.camera()) != start:
                self.flight.fly(start, end, self._flight_time())

    def _flight_time(self) -> int:
        return 0 if self.session.preferences.still else FLIGHT_MS

    @property
    def flying(self) -> bool:
        """Whether the camera is flying."""
        return self.flight.under_way

    def look_along(self, preset: str) -> None:
        """Turn to a named view, keeping the target."""
        self.fly_to(cameras.look_along(self.camera(), preset))

    def fit(self) -> None:
        """Show the whole motion from the current direction, but never from under the floor."""
        bars = self.bars()._replace(right=self.card.side())
        shown, room = shown_rows(self.session.runs.all, self.session.view.settings), (self.aspect(), bars)
        frame = lambda camera: pictures.framed(shown, camera, *room)  # noqa: E731
        self.fly_to(cameras.from_above(frame, self.camera(), self.floor()))

    def covers(self, points: NDArray[np.float64]) -> bool:
        """Whether the legend or a card lies over any of some points (k, 3) [m]."""
        places = [QPoint(int(x), int(y)) for x, y, _ in cameras.project(self.camera(), self.extent(), points)]
        cards = [card.geometry() for card in self.findChildren(ViewportWidget) if card.isVisible()]
        return any(card.contains(place) for card in cards for place in places)

    def set_orthographic(self, orthographic: bool) -> None:
        """Draw in parallel or in central projection; the target keeps its size."""
        self.set_camera(replace(self.camera(), orthographic=orthographic))

    # -- mouse ---------------------------------------------------------------------------------------------------------

    def link_at(self, at: QPoint) -> int | None:
        """The current arm's link under a point of the widget, whatever ghost lies in the same place."""
        found = self.pick(at, ghosts=False) if shows_current(self.session) else None
        return found[1] if found is not None else None

    def pick(self, at: QPoint, *, ghosts: bool = True) -> tuple[int, int] | None:
        """The (run's place among the actors, link) under a point of the widget; what stands still, a base, is none."""
        if self.renderer is None or self._stale:
            return None
        ratio, whole = self.devicePixelRatioF(), self.picture()
        picture = whole if ghosts else replace(whole, actors=whole.actors[:1], ellipsoids=())
        self.makeCurrent()
        try:
            found = self.renderer.pick(picture, self.pixels(), at.x() * ratio, at.y() * ratio)
            return found if found is not None and found[1] >= 0 else None
        finally:
            self.doneCurrent()

    def select(self, link: int | None) -> None:
        """Show a link's numbers, or none."""
        self.selected = link
        self._changed()
        self.card.stand_clear(ways_of(self, link), self.readout, self.legend)

    def ask_menu(self, at: QPoint) -> None:
        """Ask for the menu at a point of the widget."""
        self.menu_asked.emit(self.mapToGlobal(at))

    def floor(self) -> float | None:
        """The height of the ground that is drawn [m], or None."""
        run, settings = self.session.runs.current.run, self.session.view.settings
        return kinematics_of(run).shape(self.session.playback.t).ground if run is not None and settings.grid else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.pointer.wheel(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == event.Reason.Keyboard:
            self.ask_menu(event.pos())

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer.leave()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.pointer.key(event)
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.pointer.key(event)
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.pointer.hold(Qt.KeyboardModifier.NoModifier)
        super().focusOutEvent(event)
