"""What the mouse does to the arm, by keys: choosing a link, and pulling it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from gui.qt.viewport.grip import middle_line
from gui.qt.viewport.pointer import NOT_YET, not_pullable
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.tab_order import give_back
from gui.qt.window.commands.workbench import Workbench
from scene import camera as cameras

Key = Qt.Key

FAR, NEAR = 24.0, 4.0
"""An arrow moves the hand by this much, and with Shift by this much [px]."""

ARROWS = {
    Key.Key_Left: QPointF(-1.0, 0.0),
    Key.Key_Right: QPointF(1.0, 0.0),
    Key.Key_Up: QPointF(0.0, -1.0),
    Key.Key_Down: QPointF(0.0, 1.0),
}
RELEASES = (Key.Key_Return, Key.Key_Enter, Key.Key_Escape)
HELD = "A spring holds {name}. The arrows move its other end, with Shift a little; Enter lets go."


def handlers(bench: Workbench) -> dict[str, Callable[..., object]]:
    """The commands by their key."""
    return {
        "run.pull": PullByKeys(bench).toggle,
        "view.next_link": lambda: next_link(bench),
    }


def next_link(bench: Workbench) -> None:
    """Show the numbers of the current arm's next link; after the last one, of none."""
    session, viewport = bench.session, bench.viewport()
    run = session.runs.current.run
    if viewport is None or run is None:
        return
    links, before = run.shape(session.playback.t).links, viewport.selected
    following = 0 if before is None else before + 1
    viewport.select(following if following < len(links) else None)


class PullByKeys(QObject):
    """Holds a link of the current run's arm until Enter, and has the arrows until then.

    Args:
        bench: the window, as whose part this lives.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._bench = bench
        self._view: Viewport | None = None
        self._before: int | None = None
        self._hand, self._said = QPointF(), ""
        subscribe(self, bench.session.drag_force.ended, self._forget)

    def toggle(self) -> None:
        """Take hold of the end of the selected link, or of the last one that can be pulled; or let go."""
        if self._held() is not None:
            self._let_go()
            return
        view = self._bench.viewport()
        if view is None:
            return
        run, messages = view.session.runs.current.run, view.session.messages
        if run is None:
            messages.say(NOT_YET)
            return
        links, actors = run.robot.pullable, view.picture().actors
        link = view.selected if view.selected in links else max(links, default=None)
        if link is None or not actors:
            messages.say(not_pullable(run.robot))
            return
        x, y, _ = cameras.project(view.camera(), view.extent(), middle_line(actors[0], link)[1:])[0]
        self._hand, self._before = QPointF(x, y), view.selected
        view.select(link)
        view.drag_force.take(link, self._hand.toPoint())
        if view.drag_force.holds:
            self._view = view
            give_back(view)
            _application().installEventFilter(self)
            self._said = HELD.format(name=run.shape(view.session.playback.t).links[link])
            self._bench.inform(self._said)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
            return False
        view, focus, key = self._held(), QApplication.focusWidget(), Key(event.key())
        if view is None or focus is None or not (focus is view or focus.isAncestorOf(view)):
            return False
        fine = Qt.KeyboardModifier.ShiftModifier
        if event.modifiers() & ~(fine | Qt.KeyboardModifier.KeypadModifier) or key not in (*ARROWS, *RELEASES):
            return False
        event.accept()
        if event.type() == QEvent.Type.ShortcutOverride:
            return True
        if key in RELEASES:
            self._let_go()
        else:
            self._hand += ARROWS[key] * (NEAR if event.modifiers() & fine else FAR)
            view.drag_force.move(self._hand.toPoint())
        return True

    def _held(self) -> Viewport | None:
        """The view in which a link is held."""
        return self._view

    def _let_go(self) -> None:
        if self._view is not None:
            self._view.drag_force.let_go()

    def _forget(self) -> None:
        if self._view is None:
            return
        if self._view.selected is not None:  # another arm has no link selected
            self._view.select(self._before)  # the numbers of a pulled link are shown for the pull alone
        self._view = None
        self._bench.banner.end(self._said)
        _application().removeEventFilter(self)


def _application() -> QCoreApplication:
    found = QApplication.instance()
    assert found is not None
    return found
