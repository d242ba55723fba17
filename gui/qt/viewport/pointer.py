"""The mouse in the 3D view: what lies under it, and what its buttons and wheel do to camera, selection and arm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from gui.qt.viewport.drag_force import DragForceTool
from gui.qt.viewport.grip import link_near
from gui.qt.viewport.handles import Handles
from gui.qt.viewport.posing import PosingTool
from gui.qt.viewport.scene_view import SceneView
from gui.qt.window.gestures import Gestures
from robots.model.robot import Robot
from scene import camera as cameras
from scene.picture import Camera

CLICK = 4
"""A press that moves by less than this is a click [px]."""

TURN = 0.008
"""Turning of the camera per pixel [rad]."""

ZOOM = 1.2
"""One notch of the wheel enlarges by this."""

SCROLL = 40.0
"""Two fingers that move by this much on a trackpad zoom as one notch [px]."""

LOOK_MS = 20
"""The shortest time between two looks at what lies under a moving mouse [ms]."""

NOTHING_TO_PULL = "There is nothing to pull here: Ctrl+drag a link of the current arm."
NOTHING_TO_POSE = "There is nothing to pose here: Ctrl+Shift+drag a link of the current arm."
NOT_YET = "The arm can be pulled and posed once it is computed."
NO_LINK = "There is no link here: click one of the current arm to see its numbers."

Shape = Qt.CursorShape
KEYS = {Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier}
"""Whether the event of such a key has it among its modifiers depends on the desktop."""

Place = QPoint | QPointF
Drag = Callable[[QPoint, QPoint], object]


def not_pullable(robot: Robot) -> str:
    """What a person reads who pulls such an arm."""
    return f"{robot.title}: this arm cannot be pulled."


class PointedView(SceneView, Protocol):
    """What the mouse needs of the 3D view."""

    selected: int | None
    drag_force: DragForceTool
    handles: Handles
    posing: PosingTool

    def link_at(self, at: QPoint) -> int | None:
        """The current arm's link under a point."""
        ...

    def pick(self, at: QPoint) -> tuple[int, int] | None:
        """The actor and the link under a point."""
        ...

    def select(self, link: int | None) -> None:
        """Show a link's numbers."""
        ...

    def floor(self) -> float | None:
        """The height of the ground [m]."""
        ...

    def fly_to(self, camera: Camera) -> None:
        """Look from there after a flight."""
        ...

    def ask_menu(self, at: QPoint) -> None:
        """Open the menu at a point."""
        ...

    def setCursor(self, cursor: Qt.CursorShape, /) -> None:
        """Qt's."""
        ...


class Pointer(QObject):
    """Turns presses, moves and the wheel into what they mean. Ghosts are passed over: the current arm is taken."""

    def __init__(self, view: PointedView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._pressed: tuple[QPoint, Qt.MouseButton] | None = None
        self._last = QPoint()
        self._dragging = False
        self._drag: Drag | None = None
        self._pulling: tuple[int | None] | None = None
        self._keys = Qt.KeyboardModifier.NoModifier
        self._look = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._look.timeout.connect(self._look_below)
        self._inside = False
        self.under: int | None = None

    # -- buttons -------------------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        """Take hold of a link or a handle, or be ready to turn or to move the picture."""
        view, here, modifiers = self._view, event.position().toPoint(), event.modifiers()
        self._last, self._dragging = here, False
        self._pressed = (here, event.button())
        self._drag = self._pan
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._drag, run = None, view.session.runs.current.run
            if run is None:
                view.session.messages.say(NOT_YET)
            elif modifiers & Qt.KeyboardModifier.ShiftModifier:
                self._pose(here)
            else:
                self._pull(here, run.robot)
        elif not modifiers:
            self._drag = self._turn
            view.handles.take(here)
        self._show_cursor()

    def move(self, event: QMouseEvent) -> None:
        """Follow the mouse with what is held, or look what lies under it."""
        here = event.position().toPoint()
        self._inside = True
        if self._pressed is None:
            self._last, self._keys = here, event.modifiers()
            self._view.handles.hover(here)
            self._show_cursor()
            if not self._look.isActive():
                self._look.start()
            return
        for holder in (self._view.drag_force, self._view.handles):
            if holder.holds:
                holder.move(here)
                return
        if not self._dragging and (here - self._pressed[0]).manhattanLength() < CLICK:
            return
        self._dragging = True
        self._view.posing.move(here)
        before, self._last = self._last, here
        if self._drag is not None:
            self._drag(before, here)

    def release(self, event: QMouseEvent) -> None:
        """Let go; a press that has not moved is a click."""
        view, here = self._view, event.position().toPoint()
        pressed, self._pressed = self._pressed, None
        if self._pulling is not None:
            # The numbers of a pulled link are shown for the pull alone; it may have ended by itself.
            view.drag_force.let_go()
            (before,), self._pulling = self._pulling, None
            if view.selected is not None:  # another arm has no link selected
                view.select(before)
        elif view.handles.holds:
            view.handles.let_go()
        elif view.posing.holds:
            view.posing.let_go()
        elif pressed is not None and not self._dragging:
            if pressed[1] == Qt.MouseButton.RightButton:
                view.ask_menu(here)
            elif pressed[1] == Qt.MouseButton.LeftButton and self._drag is not None:
                found = view.link_at(here)
                if found is None and view.selected is None:
                    view.session.messages.say_quietly(NO_LINK)
                view.select(found)
        self._last, self._keys = here, event.modifiers()
        self._look_below()

    def double_click(self, event: QMouseEvent) -> None:
        """Look at the body under the mouse, a ghost's too; beside them all, at the whole motion."""
        view, here = self._view, event.position().toPoint()
        link = view.link_at(here)
        found = (0, link) if link is not None else view.pick(here)
        if found is None:
            view.fit()
            return
        x, y, z = (float(value) for value in view.picture().actors[found[0]].pose.world_from_link[found[1]][:3, 3])
        view.fly_to(cameras.from_above(lambda seen: replace(seen, target=(x, y, z)), view.camera(), view.floor()))

    def wheel(self, event: QWheelEvent) -> None:
        """Come closer to what lies under the mouse, or go away from it."""
        notches = (event.angleDelta().y() or event.angleDelta().x()) / 120
        self._zoom(ZOOM**notches, event.position())

    # -- fingers -------------------------------------------------------------------------------------------------------

    def follow(self, gestures: Gestures) -> None:
        """Two fingers on a trackpad turn (with Shift move, with Ctrl zoom); on the screen one turns and two move."""
        gestures.scrolled.connect(self._scroll)
        gestures.pinched.connect(self._zoom)
        gestures.dragged.connect(lambda moved, _: self._turn(QPointF(), moved))
        gestures.carried.connect(lambda moved: self._pan(QPointF(), moved))
        gestures.tapped.connect(lambda at: self._view.select(self._view.link_at(at.toPoint())))

    def _scroll(self, moved: QPointF, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._zoom(ZOOM ** (moved.y() / SCROLL), at)
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._pan(QPointF(), moved)
        else:
            self._turn(QPointF(), moved)

    def _zoom(self, factor: float, at: QPointF) -> None:
        view = self._view
        self._move_camera(cameras.zoom(view.camera(), factor, (at.x(), at.y()), view.extent()))

    # -- hovering ------------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """The mouse is elsewhere."""
        self._inside = False
        self._look.stop()
        self._show_under(None)

    def rest(self) -> None:
        """Hide the cursor, and what it points at, until the mouse moves."""
        self.leave()
        self._view.setCursor(Shape.BlankCursor)

    def key(self, event: QKeyEvent) -> None:
        """A key goes down or up."""
        own = KEYS.get(Qt.Key(event.key()), Qt.KeyboardModifier.NoModifier)
        down = event.type() == QEvent.Type.KeyPress
        self.hold(event.modifiers() | own if down else event.modifiers() & ~own)

    def hold(self, keys: Qt.KeyboardModifier) -> None:
        """These keys are down now: the cursor says what a press would do."""
        before, self._keys = self._keys, keys
        if before != keys and self._pressed is None and self._inside:
            self._look_below()
        self._show_cursor()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _pull(self, here: QPoint, robot: Robot) -> None:
        view, link = self._view, self._within_reach(here)
        if link not in robot.pullable:
            view.session.messages.say(NOTHING_TO_PULL if robot.pullable else not_pullable(robot))
            return
        self._pulling = (view.selected,)
        view.select(link)
        view.drag_force.take(link, here)

    def _pose(self, here: QPoint) -> None:
        view, link = self._view, self._within_reach(here)
        if link is None:
            view.session.messages.say(NOTHING_TO_POSE)
            return
        view.select(link)
        view.posing.take(link, here)

    def _within_reach(self, here: QPoint) -> int | None:
        """The link that a press with Ctrl takes: the one under the mouse, or the nearest if none is hit exactly."""
        found = self._view.link_at(here)
        return link_near(self._view, here) if found is None else found

    def _turn(self, before: Place, here: Place) -> None:
        moved = QPointF(here) - QPointF(before)
        self._move_camera(cameras.orbit(self._view.camera(), -TURN * moved.x(), TURN * moved.y()))

    def _pan(self, before: Place, here: Place) -> None:
        moved = QPointF(here) - QPointF(before)
        self._move_camera(cameras.pan(self._view.camera(), moved.x(), moved.y(), self._view.extent()[1]))

    def _move_camera(self, wanted: Camera) -> None:
        """Look from there; a hand never puts the camera under the floor."""
        view = self._view
        view.set_camera(cameras.above_floor(wanted, view.camera(), view.floor()))

    def _look_below(self) -> None:
        if self._pressed is None:
            control = bool(self._keys & Qt.KeyboardModifier.ControlModifier)
            self._show_under(self._within_reach(self._last) if control else self._view.link_at(self._last))

    def _show_under(self, link: int | None) -> None:
        if link != self.under:
            self.under = link
            self._view.update()
        self._show_cursor()

    def _show_cursor(self) -> None:
        self._view.setCursor(self._cursor())

    def _cursor(self) -> Qt.CursorShape:
        """What the next press takes hold of, or what this one holds, as a cursor."""
        view, run = self._view, self._view.session.runs.current.run
        if view.drag_force.holds or view.posing.holds:
            return Shape.ClosedHandCursor
        control = bool(self._keys & Qt.KeyboardModifier.ControlModifier)
        if view.handles.holds or (view.handles.under is not None and not control):
            return Shape.SizeAllCursor
        if control and self._keys & Qt.KeyboardModifier.ShiftModifier:
            return Shape.OpenHandCursor if run is not None and self.under is not None else Shape.ForbiddenCursor
        if control:
            pullable = run is not None and self.under in run.robot.pullable
            return Shape.OpenHandCursor if pullable else Shape.ForbiddenCursor
        return Shape.PointingHandCursor if self.under is not None else Shape.ArrowCursor
