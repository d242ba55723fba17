from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.runs import CURRENT
from gui.compose.kinematics import kinematics_of
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.main_window import MainWindow
from scene import camera as cameras
from tests.window import hands
from tests.window.hands import screenshot

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NONE, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.fixture
def viewport(window: MainWindow, qtbot: QtBot) -> Viewport:
    view = window.viewport
    assert view is not None
    qtbot.waitUntil(lambda: view.renderer is not None, timeout=20_000)
    return view


def drag(view: Viewport, button: Qt.MouseButton, modifier: Qt.KeyboardModifier = NONE) -> None:
    """Drag by (60, 30) pixels."""
    hands.drag(view, QPoint(20, 60), QPoint(80, 90), button=button, modifier=modifier)


def on_screen(view: Viewport, point: np.ndarray) -> QPoint:
    x, y, _ = cameras.project(view.camera(), (view.width(), view.height()), point)[0]
    return QPoint(round(x), round(y))


def middle_of_link(view: Viewport, link: int) -> QPoint:
    actor = view.picture().actors[0]
    frames = actor.pose.world_from_link
    start = frames[link][:3, 3]
    if link + 1 < len(frames):
        end = frames[link + 1][:3, 3]
    else:
        end = frames[link][:3, :3] @ np.asarray(actor.shape.tip[1]) + start
    return on_screen(view, (start + end) / 2)


def test_turning_the_empty_view_does_not_lose_the_first_arm(
    viewport: Viewport, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, stored = viewport.session, viewport.session.view.settings.camera
    with monkeypatch.context() as before_any_run:
        before_any_run.setattr(type(session.runs), "current", property(lambda self: replace(self.all[0], run=None)))
        drag(viewport, LEFT)
        assert session.view.settings.camera == stored
    drag(viewport, LEFT)
    assert session.view.settings.camera != stored


def test_left_drag_turns_about_the_same_point(viewport: Viewport, qtbot: QtBot) -> None:
    before = viewport.camera()
    drag(viewport, LEFT)
    after = viewport.camera()
    assert after.azimuth < before.azimuth
    assert after.elevation > before.elevation
    assert after.target == before.target
    assert after.distance == pytest.approx(before.distance, rel=1e-12)  # kept relative to the picture's width


@pytest.mark.parametrize(("button", "modifier"), [(RIGHT, NONE), (MIDDLE, NONE), (LEFT, SHIFT)])
def test_other_drags_move_the_picture(
    viewport: Viewport, qtbot: QtBot, button: Qt.MouseButton, modifier: Qt.KeyboardModifier
) -> None:
    before = viewport.camera()
    held = np.asarray(before.target)
    start = on_screen(viewport, held)
    drag(viewport, button, modifier)
    assert viewport.camera().azimuth == before.azimuth
    moved = on_screen(viewport, held) - start
    assert (moved.x(), moved.y()) == pytest.approx((60, 30), abs=2)


def test_the_wheel_zooms_to_the_pointer(viewport: Viewport) -> None:
    size = (float(viewport.width()), float(viewport.height()))
    before = viewport.camera()
    under = cameras.on_screen_plane(before, size, 100.0, 80.0, before.target)
    at = QPointF(100, 80)
    QApplication.sendEvent(
        viewport,
        QWheelEvent(
            at,
            viewport.mapToGlobal(at),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        ),
    )
    assert viewport.camera().distance < before.distance
    assert on_screen(viewport, under) == QPoint(100, 80)


def test_a_click_selects_a_link_and_shows_its_numbers(viewport: Viewport, qtbot: QtBot, artifacts: Path) -> None:
    qtbot.mouseClick(viewport, LEFT, pos=middle_of_link(viewport, 1))
    assert viewport.selected == 1
    assert viewport.card.isVisible()
    assert "q2" in viewport.card.accessibleName()
    viewport.window().grab().save(str(artifacts / "link-selected.png"))
    qtbot.mouseClick(viewport, LEFT, pos=QPoint(5, viewport.height() // 2))
    assert viewport.selected is None
    assert not viewport.card.isVisible()


def test_a_double_click_looks_at_the_body(viewport: Viewport, qtbot: QtBot) -> None:
    frame = viewport.picture().actors[0].pose.world_from_link[1]
    qtbot.mouseDClick(viewport, LEFT, pos=middle_of_link(viewport, 1))
    qtbot.waitUntil(lambda: not viewport.flying)
    assert viewport.camera().target == pytest.approx(tuple(frame[:3, 3]))


def test_pulling_a_link_plays_and_becomes_one_undoable_segment(
    window: MainWindow, viewport: Viewport, qtbot: QtBot, artifacts: Path
) -> None:
    session = window.session
    start = middle_of_link(viewport, 1)
    qtbot.mousePress(viewport, LEFT, CONTROL, start)
    assert session.drag_force.active
    assert session.playback.playing
    viewport.drag_force.move(start + QPoint(60, -40))
    qtbot.waitUntil(lambda: session.playback.t > 0.3, timeout=20_000)
    screenshot(qtbot, window, artifacts / "pull.png")
    qtbot.mouseRelease(viewport, LEFT, CONTROL, start + QPoint(60, -40))
    assert not session.drag_force.active
    pull = session.scenario.segments[0].pull
    assert pull is not None
    assert pull.link == 1
    session.playback.pause()
    session.history.undo()
    assert not session.scenario.segments


def test_camera_commands_look_along_the_axes(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    viewport.setFocus()
    qtbot.keyClick(viewport, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: not viewport.flying)
    azimuth, elevation = cameras.PRESETS["front"]
    assert (viewport.camera().azimuth, viewport.camera().elevation) == pytest.approx((azimuth, elevation))
    window.actions_by_key["camera.orthographic"].trigger()
    assert viewport.camera().orthographic
    window.actions_by_key["view.fit"].trigger()
    qtbot.waitUntil(lambda: not viewport.flying)
    tips = kinematics_of(window.session.runs.current.run).tips
    places = cameras.project(viewport.camera(), (viewport.aspect(), 1.0), tips)[:, :2] / (viewport.aspect(), 1.0)
    assert (np.abs(places - 0.5) < 0.5).all(), "the whole motion is seen"
    assert np.abs(places - 0.5).max() > 0.3


def test_a_picture_that_cannot_be_composed_is_reported_and_the_view_stays(
    window: MainWindow, viewport: Viewport, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gui.compose import picture

    with monkeypatch.context() as broken:
        broken.setattr(picture, "compose", lambda *_, **__: [][1])
        viewport.update()
        qtbot.waitUntil(window.banner.isVisible)
        assert "could not be drawn" in window.banner.label.text()
    assert window.viewport is viewport
    viewport.update()
    qtbot.waitUntil(lambda: not window.banner.isVisible())
    assert viewport.renderer is not None


def test_a_long_wait_for_the_arm_says_so(window: MainWindow, viewport: Viewport) -> None:
    runs, notice = window.session.runs, viewport.notice
    runs.update(CURRENT, run=None, state="computing", progress=0.25, seconds_left=90.0)
    assert notice.wait.isActive()
    assert not notice.isVisible(), "a moment's wait says nothing"
    notice.wait.timeout.emit()
    assert notice.isVisible()
    assert notice.accessibleName().startswith("Computing, 25%, about 2\u00a0min left Runge-Kutta 4")
    runs.update(CURRENT, progress=0.5)
    assert notice.accessibleName().startswith("Computing, 50%")
    window.session.edit("robot.m1", 2.0)


def test_what_has_happened_fades_and_what_is_the_case_stays(window: MainWindow) -> None:
    banner = window.banner
    window.bench.inform("Done")
    short = banner.fade.interval()
    banner.say("Internal error. Your work is safe. (ValueError: x)")
    assert banner.fade.isActive()
    assert banner.fade.interval() > 2 * short, "there is time to read it"
    window.session.messages.refuse("No such file", "file")
    assert banner.label.text() == "No such file"
    assert not banner.fade.isActive()
    banner.say("Internal error. Your work is safe. (ValueError: x)")
    banner.withdraw()
    assert banner.isVisible(), "that is another matter"
    banner.fade.timeout.emit()
    assert not banner.isVisible()


def test_a_new_context_makes_the_renderer_again(viewport: Viewport, qtbot: QtBot) -> None:
    first = viewport.renderer
    viewport.initializeGL()
    viewport.update()
    qtbot.waitUntil(lambda: viewport.renderer is not first, timeout=5_000)


def test_without_opengl_the_rest_works(open_one: Callable[..., MainWindow], qtbot: QtBot, artifacts: Path) -> None:
    window = open_one(gallery=False)
    window.no_graphics("Qt could not make an OpenGL context.")
    assert window.viewport is None
    for key in window.actions_by_key:
        if key.startswith(("camera.", "view.fit")):
            window.actions_by_key[key].trigger()
    window.session.playback.play()
    qtbot.waitUntil(lambda: window.session.playback.t > 0.0, timeout=20_000)
    screenshot(qtbot, window, artifacts / "no-opengl.png")


def test_a_display_without_opengl_gets_the_placeholder(tmp_path: Path, virtual_display: str) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from gui.qt.window.application import make_application, open_window\n"
        "from gui.app.settings import Settings\n"
        "app = make_application(['armstep'])\n"
        "window = open_window(Settings(Path(sys.argv[1])), gallery=False)\n"
        "from PySide6.QtCore import QTimer\n"
        "def look():\n"
        "    print('placeholder' if window.viewport is None else 'viewport', window.centralWidget().isVisible())\n"
        "    window.session.close(); app.exit(0)\n"
        "window.ready.connect(look)\n"
        "QTimer.singleShot(60000, lambda: app.exit(3))\n"
        "sys.exit(app.exec())\n"
    )
    environment = {**os.environ, "QT_XCB_GL_INTEGRATION": "none"}
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["placeholder", "True"], done.stderr
