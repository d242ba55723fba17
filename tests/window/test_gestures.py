"""Fingers on a trackpad and on the screen, in the picture and in plots."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEventPoint, QNativeGestureEvent, QPointingDevice, QTouchEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.plots.plot import PlotWidget
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.main_window import MainWindow
from scene import camera as cameras
from tests.window.test_shell_viewport import middle_of_link, viewport

__all__ = ["viewport"]
Modifier, State, Kind = Qt.KeyboardModifier, QEventPoint.State, QEvent.Type


def scroll(widget: QWidget, moved: QPoint, modifier: Modifier = Modifier.NoModifier) -> None:
    """Two fingers on a trackpad."""
    at = QPointF(widget.rect().center())
    none = Qt.MouseButton.NoButton
    event = QWheelEvent(
        at, widget.mapToGlobal(at), moved, moved * 2, none, modifier, Qt.ScrollPhase.ScrollUpdate, False
    )
    QApplication.sendEvent(widget, event)


def pinch(widget: QWidget, value: float) -> None:
    at = QPointF(widget.rect().center())
    kind, device = Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice()
    event = QNativeGestureEvent(kind, device, 2, at, at, widget.mapToGlobal(at), value, QPointF(), 0)
    QApplication.sendEvent(widget, event)


def touch(widget: QWidget, *steps: list[QPointF]) -> None:
    """Fingers that go down at the first places, move over the others, and leave."""
    screen = QTest.createTouchDevice()
    kinds = [Kind.TouchBegin, *[Kind.TouchUpdate] * (len(steps) - 1), Kind.TouchEnd]
    states = {Kind.TouchBegin: State.Pressed, Kind.TouchUpdate: State.Updated, Kind.TouchEnd: State.Released}
    for kind, places in zip(kinds, [*steps, steps[-1]], strict=True):
        points = [QEventPoint(k, states[kind], p, widget.mapToGlobal(p)) for k, p in enumerate(places)]
        QApplication.sendEvent(widget, QTouchEvent(kind, screen, Modifier.NoModifier, points))


def test_two_fingers_turn_move_and_zoom_the_picture(viewport: Viewport) -> None:
    before = viewport.camera()
    scroll(viewport, QPoint(50, 20))
    turned = viewport.camera()
    assert turned.azimuth < before.azimuth
    assert turned.elevation > before.elevation
    assert turned.distance == pytest.approx(before.distance)
    scroll(viewport, QPoint(50, 20), Modifier.ShiftModifier)
    moved = viewport.camera()
    assert moved.azimuth == turned.azimuth
    assert moved.target != turned.target
    scroll(viewport, QPoint(0, 40), Modifier.ControlModifier)
    assert viewport.camera().distance < moved.distance
    zoomed = viewport.camera().distance
    pinch(viewport, 0.25)
    assert viewport.camera().distance == pytest.approx(zoomed / 1.25)
    pinch(viewport, -0.2)
    assert viewport.camera().distance == pytest.approx(zoomed)


def test_a_trackpad_never_puts_the_camera_under_the_floor(viewport: Viewport) -> None:
    floor = viewport.floor()
    assert floor is not None
    for _ in range(30):
        scroll(viewport, QPoint(0, -60))
        assert cameras.eye(viewport.camera())[2] >= floor


def test_touch_turns_moves_zooms_and_selects(viewport: Viewport, qtbot: QtBot) -> None:
    before, at = viewport.camera(), QPointF(100, 300)
    touch(viewport, [at], [at + QPointF(40, 0)], [at + QPointF(80, 10)])
    turned = viewport.camera()
    assert turned.azimuth < before.azimuth
    assert turned.target == before.target
    left, right = QPointF(200, 200), QPointF(300, 200)
    touch(viewport, [left, right], [left + QPointF(0, 40), right + QPointF(0, 40)])
    moved = viewport.camera()
    assert moved.azimuth == turned.azimuth
    assert moved.target != turned.target
    assert moved.distance == pytest.approx(turned.distance)
    touch(viewport, [left, right], [left - QPointF(50, 0), right + QPointF(50, 0)])
    assert viewport.camera().distance == pytest.approx(moved.distance / 2.0)
    touch(viewport, [QPointF(middle_of_link(viewport, 1))])
    assert viewport.selected == 1
    assert not viewport.session.scenario.segments


def test_a_wheel_with_notches_still_zooms(viewport: Viewport) -> None:
    before = viewport.camera()
    at = QPointF(viewport.rect().center())
    none = Qt.MouseButton.NoButton, Modifier.NoModifier
    event = QWheelEvent(
        at, viewport.mapToGlobal(at), QPoint(0, 120), QPoint(0, 120), *none, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(viewport, event)
    assert viewport.camera().azimuth == before.azimuth
    assert viewport.camera().distance < before.distance


def test_fingers_move_and_zoom_a_plot(window: MainWindow, qtbot: QtBot) -> None:
    plot = next(one for one in window.findChildren(PlotWidget) if one.isVisible() and not one.plot.plane)
    screen, playback = plot.widget.viewport(), window.session.playback

    def shown() -> tuple[float, float]:
        first, last = plot.area.viewRange()[0]
        return first, last

    whole = shown()
    pinch(screen, 1.0)
    near = shown()
    assert near[1] - near[0] == pytest.approx((whole[1] - whole[0]) / 2.0, rel=0.05)
    scroll(screen, QPoint(-30, 0))
    moved = shown()
    assert moved[0] > near[0]
    assert moved[1] - moved[0] == pytest.approx(near[1] - near[0])
    assert window.session.playback.t == 0.0
    middle = QPointF(screen.rect().center())
    touch(screen, [middle])
    assert moved[0] < playback.t < moved[1]
    away = QPointF(40, 0)
    touch(screen, [middle - away, middle + away], [middle - away / 2, middle + away / 2])
    assert shown()[1] - shown()[0] > moved[1] - moved[0]
