"""What the tests of the window do to it again and again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.window.main_window import MainWindow

PATIENCE = 90_000
"""The first run of a robot may compile its kernels, on a busy machine [ms]."""


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    """As a person presses it: where the focus is."""
    target = QApplication.focusWidget() or window
    qtbot.keyClick(target, key, modifier)


def drag(
    widget: QWidget,
    *places: QPoint,
    button: Qt.MouseButton = Qt.MouseButton.LeftButton,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    release: bool = True,
) -> None:
    """Press at the first place, move over the others, let go at the last; QTest's moves carry no button."""
    QTest.mousePress(widget, button, modifier, places[0])
    for place in places[1:]:
        at = QPointF(place)
        none = Qt.MouseButton.NoButton
        move = QMouseEvent(QEvent.Type.MouseMove, at, widget.mapToGlobal(at), none, button, modifier)
        QApplication.sendEvent(widget, move)
    if release:
        QTest.mouseRelease(widget, button, modifier, places[-1])


def drag_and_drop(widget: QWidget, start: QPoint, end: QPoint) -> None:
    """Drag what lies at `start` to `end` and let go: Qt follows the mouse in an event loop of its own meanwhile."""
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton

    def send(kind: QEvent.Type, buttons: Qt.MouseButton) -> None:
        at = QPointF(end)
        button = left if kind == QEvent.Type.MouseButtonRelease else none
        moved = QMouseEvent(kind, at, widget.mapToGlobal(at), button, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(widget.window().windowHandle(), moved)

    steps = iter([lambda: send(QEvent.Type.MouseMove, left)] * 20)
    timer = QTimer(widget, interval=0)

    def next_step() -> None:
        step = next(steps, None)
        if step is None:
            timer.stop()
            send(QEvent.Type.MouseButtonRelease, none)
        else:
            step()

    timer.timeout.connect(next_step)
    timer.start()
    drag(widget, start, start + QPoint(0, -QApplication.startDragDistance() - 1), end, release=False)


def turn_wheel(
    widget: QWidget,
    at: QPointF,
    angle: int = 0,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    *,
    fingers: QPoint | None = None,
) -> None:
    """Turn the wheel over a place, a notch away from the person is 120; or move two fingers on a trackpad [px].

    As it comes from the desktop: what a widget leaves goes to those around it, which Qt does for no other event.
    """
    window, none, phase = widget.window(), QPoint(), Qt.ScrollPhase
    handle, place = window.windowHandle(), QPointF(widget.mapTo(window, at.toPoint()))
    if fingers is None:
        QTest.wheelEvent(handle, place, QPoint(0, angle), none, modifier, phase.NoScrollPhase)
        return
    for moved, when in ((none, phase.ScrollBegin), (fingers, phase.ScrollUpdate), (none, phase.ScrollEnd)):
        QTest.wheelEvent(handle, place, moved * 2, moved, modifier, when)


def give_focus(qtbot: QtBot, widget: QWidget) -> None:
    """Have the keyboard there."""
    with qtbot.waitActive(widget.window()):
        widget.window().activateWindow()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def show_at(qtbot: QtBot, window: MainWindow, theme: str, size: tuple[int, int]) -> None:
    """The usual arrangement of the window in that theme and size [px]."""
    window.session.view.set(theme=theme)
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    window.arrangement.usual()
    QApplication.processEvents()


def wait_done(qtbot: QtBot, window: MainWindow) -> None:
    """Until the current run is that of the scenario."""

    def done() -> bool:
        row = window.session.runs.current
        return row.state == "done" and row.run is not None and row.run.scenario == window.session.scenario

    qtbot.waitUntil(done, timeout=PATIENCE)


def screenshot(qtbot: QtBot, widget: QWidget, file: Path) -> QImage:
    """What a person sees once nothing moves any more but an animation that plays, also as `file`."""
    seen, session = [widget.grab().toImage()], getattr(widget.window(), "session", None)

    def at_rest() -> bool:
        if session is not None and session.playback.playing:
            return True
        QApplication.processEvents()
        seen.append(widget.grab().toImage())
        return seen[-1] == seen[-2]

    qtbot.waitUntil(at_rest, timeout=20_000)
    assert seen[-1].save(str(file))
    return seen[-1]
