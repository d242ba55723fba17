"""What the mouse takes hold of in the picture, and what it shows before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.qt.viewport.grip import middle_line
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.main_window import MainWindow
from scene import camera as cameras
from tests.window import hands
from tests.window.test_shell_viewport import CONTROL, LEFT, SHIFT, middle_of_link, on_screen, viewport

__all__ = ["viewport"]

Shape = Qt.CursorShape
BESIDE = QPoint(20, 300)


def pinned(window: MainWindow, qtbot: QtBot) -> None:
    """README's step 2: P, and a ghost lies where the arm is."""
    hands.press(qtbot, window, Qt.Key.Key_P)
    assert len(window.session.runs.all) == 2


def test_the_current_arm_is_taken_where_a_ghost_lies_in_the_same_place(
    window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    pinned(window, qtbot)
    for link in (0, 1):
        qtbot.mouseClick(viewport, LEFT, pos=middle_of_link(viewport, link))
        assert viewport.selected == link


def test_ctrl_drag_pulls_after_pinning_and_another_method(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    pinned(window, qtbot)
    assert session.edit("method", "rk1")
    hands.wait_done(qtbot, window)
    before, start = viewport.camera(), middle_of_link(viewport, 1)
    qtbot.mousePress(viewport, LEFT, CONTROL, start)
    assert session.drag_force.active
    assert viewport.cursor().shape() == Shape.ClosedHandCursor
    qtbot.waitUntil(lambda: session.playback.t > 0.05, timeout=20_000)
    qtbot.mouseRelease(viewport, LEFT, CONTROL, start + QPoint(40, -20))
    session.playback.pause()
    assert session.scenario.segments[0].pull is not None
    after = viewport.camera()
    assert after.target == before.target
    assert (after.azimuth, after.elevation) == (before.azimuth, before.elevation)
    assert after.distance == pytest.approx(before.distance, rel=1e-12)


def test_a_ctrl_drag_that_misses_says_so_and_leaves_the_camera(window: MainWindow, viewport: Viewport) -> None:
    before = viewport.camera()
    hands.drag(viewport, BESIDE, BESIDE + QPoint(0, 200), BESIDE + QPoint(90, 250), modifier=CONTROL)
    assert viewport.camera() == before
    assert "nothing to pull" in window.notice.text()
    assert not window.session.scenario.segments


def test_a_ctrl_press_beside_a_link_that_moves_takes_it(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    beside = middle_of_link(viewport, 1) + QPoint(0, 24)
    for place, shape in ((middle_of_link(viewport, 1), Shape.PointingHandCursor), (beside, Shape.ArrowCursor)):
        qtbot.mouseMove(viewport, place)
        qtbot.waitUntil(lambda shape=shape: viewport.cursor().shape() == shape)
    viewport.setFocus()
    qtbot.keyPress(viewport, Qt.Key.Key_Control)
    qtbot.waitUntil(lambda: (viewport.pointer.under, viewport.cursor().shape()) == (1, Shape.OpenHandCursor))
    qtbot.mousePress(viewport, LEFT, CONTROL, beside)
    assert window.session.drag_force.active
    assert viewport.selected == 1
    qtbot.mouseRelease(viewport, LEFT, CONTROL, beside)
    assert viewport.selected is None, "its numbers were those of the pull"
    assert not viewport.card.isVisible()


def test_an_arm_that_nobody_pulls_says_so(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    window.session.files.new("beam")
    hands.wait_done(qtbot, window)
    before = viewport.camera()
    hands.drag(viewport, viewport.rect().center(), BESIDE, modifier=CONTROL)
    assert viewport.camera() == before
    assert "cannot be pulled" in window.notice.text()


def test_a_click_beside_every_arm_says_so(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    qtbot.mouseClick(viewport, LEFT, pos=BESIDE)
    assert "no link here" in window.notice.text()


def test_a_click_on_what_stands_still_is_one_beside_the_arm(
    window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    """A foot, as the HMMWV's road, has no card: an outline around it would say nothing."""
    joint = on_screen(viewport, viewport.picture().actors[0].pose.world_from_link[0][:3, 3])
    renderer, ratio = viewport.renderer, viewport.devicePixelRatioF()
    assert renderer is not None
    viewport.makeCurrent()
    column = [joint + QPoint(0, down) for down in range(200)]
    found = [renderer.pick(viewport.picture(), viewport.pixels(), at.x() * ratio, at.y() * ratio) for at in column]
    viewport.doneCurrent()
    foot = column[found.index((0, -1))]
    qtbot.mouseMove(viewport, foot)
    qtbot.mouseClick(viewport, LEFT, pos=foot)
    assert "no link here" in window.notice.text()
    assert viewport.selected is None
    assert viewport.picture().actors[0].selected is None


def test_cursor_and_outline_show_what_a_press_would_take(
    window: MainWindow, viewport: Viewport, qtbot: QtBot, artifacts: Path
) -> None:
    pinned(window, qtbot)
    over = middle_of_link(viewport, 1)
    plain = hands.screenshot(qtbot, viewport, artifacts / "hover-none.png")
    qtbot.mouseMove(viewport, over)
    qtbot.waitUntil(lambda: viewport.cursor().shape() == Shape.PointingHandCursor)
    assert viewport.picture().actors[0].selected == 1
    outlined = hands.screenshot(qtbot, viewport, artifacts / "hover-link.png")
    assert outlined != plain
    viewport.setFocus()
    qtbot.keyPress(viewport, Qt.Key.Key_Control)
    assert viewport.cursor().shape() == Shape.OpenHandCursor
    qtbot.keyRelease(viewport, Qt.Key.Key_Control)
    qtbot.mouseMove(viewport, BESIDE)
    qtbot.waitUntil(lambda: viewport.cursor().shape() == Shape.ArrowCursor)
    assert viewport.picture().actors[0].selected is None
    qtbot.keyPress(viewport, Qt.Key.Key_Control)
    assert viewport.cursor().shape() == Shape.ForbiddenCursor
    qtbot.keyPress(viewport, Qt.Key.Key_K, CONTROL)
    assert window.sheet is not None
    assert viewport.cursor().shape() == Shape.ArrowCursor, "Ctrl is let go elsewhere"
    hands.press(qtbot, window, Qt.Key.Key_Escape)


def test_after_a_pull_the_cursor_shows_what_lies_under_it(viewport: Viewport) -> None:
    hands.drag(viewport, middle_of_link(viewport, 1), BESIDE, modifier=CONTROL)
    viewport.pointer.hold(Qt.KeyboardModifier.NoModifier)
    assert viewport.cursor().shape() == Shape.ArrowCursor


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, SHIFT])
def test_no_drag_puts_the_camera_under_the_floor(viewport: Viewport, modifier: Qt.KeyboardModifier) -> None:
    floor = viewport.floor()
    assert floor is not None
    for step in (QPoint(0, -400), QPoint(0, 900)):
        for _ in range(5):
            hands.drag(viewport, BESIDE, BESIDE + step, modifier=modifier)
            assert cameras.eye(viewport.camera())[2] >= floor


@pytest.mark.parametrize("far", ["F", "double click"])
def test_what_moves_away_from_a_look_upwards_stays_above_the_floor(viewport: Viewport, qtbot: QtBot, far: str) -> None:
    """From close by a look upwards is one from above the floor; from further away it would be one from below."""
    floor = viewport.floor()
    assert floor is not None
    upwards = replace(viewport.camera(), target=(0.0, 2.0, 2.0), distance=0.4, elevation=-1.2)
    viewport.set_camera(upwards)
    assert cameras.eye(viewport.camera())[2] > floor
    if far == "F":
        qtbot.keyClick(viewport, Qt.Key.Key_F)
    else:
        qtbot.mouseDClick(viewport, LEFT, pos=viewport.rect().center())
    qtbot.waitUntil(lambda: not viewport.flying)
    assert viewport.camera().distance > upwards.distance
    assert cameras.eye(viewport.camera())[2] >= floor


@pytest.mark.parametrize("preset", ["rr-swing", "pa10-circle"])
def test_the_arm_is_posed_with_the_mouse(preset: str, window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    session.files.new(preset)
    hands.wait_done(qtbot, window)
    session.playback.pause()
    session.playback.seek(0.4)
    before, start = session.scenario, middle_of_link(viewport, 1 if preset == "rr-swing" else 4)
    wanted = start + QPoint(24, -30)
    hands.drag(viewport, start, start + QPoint(10, -10), wanted, modifier=CONTROL | SHIFT)
    assert session.playback.t == 0.0
    after = session.scenario
    changed = {name for name in after.initial if after.initial[name] != before.initial[name]}
    assert changed
    assert all(name.startswith("q") for name in changed)
    hands.wait_done(qtbot, window)
    run = session.runs.current.run
    assert run is not None
    assert run.y[0, 0] == after.initial["q1"]
    session.history.undo()
    assert session.scenario == before, "one drag is one undo step"


def test_an_arm_whose_posture_follows_from_its_task_says_so(
    window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    window.session.files.new("e1")
    hands.wait_done(qtbot, window)
    before = window.session.scenario
    hands.drag(viewport, viewport.rect().center(), BESIDE, modifier=CONTROL | SHIFT)
    assert window.session.scenario == before
    assert any(words in window.notice.text() for words in ("cannot be set with the mouse", "nothing to pose"))


def paused_at(t: float, preset: str, window: MainWindow, qtbot: QtBot) -> Session:
    """The session, with the preset's run at rest at this time [s]."""
    session = window.session
    session.files.new(preset)
    hands.wait_done(qtbot, window)
    session.playback.pause()
    session.playback.seek(t)
    return session


def held_in_the_picture(view: Viewport) -> QPoint:
    """The held point of the posed arm: where the dashed line to the mouse begins."""
    return on_screen(view, view.picture().dots[-1].points[0])


@pytest.mark.parametrize("preset", ["rr-euler", "panda-drop"])
def test_the_held_point_comes_under_a_mouse_that_lies_still(
    preset: str, window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    """It stayed beside: a planar arm cannot leave its plane."""
    session = paused_at(0.7, preset, window, qtbot)
    arm = viewport.picture().actors[0]
    link = arm.shape.tip[0] if arm.shape.tip is not None else 1
    start = on_screen(viewport, middle_line(arm, link)[1])
    wanted = start + (middle_of_link(viewport, 0) - start) / 3
    viewport.posing.take(link, start)
    viewport.posing.move(wanted)

    def settled() -> bool:
        return not viewport.posing._again.isActive()

    qtbot.waitUntil(settled, timeout=20_000)
    assert (held_in_the_picture(viewport) - wanted).manhattanLength() <= 2
    viewport.posing.let_go()
    hands.wait_done(qtbot, window)
    qtbot.waitUntil(lambda: not viewport.flying and viewport.flight.camera is None)
    assert session.view.settings.camera is None, "only a hand that turns the view makes a camera"


@pytest.mark.parametrize("modifier", [CONTROL, CONTROL | SHIFT])
def test_the_camera_lies_still_under_a_hand_and_frames_the_new_motion_then(
    modifier: Qt.KeyboardModifier, window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    session = window.session
    start, before = middle_of_link(viewport, 1), viewport.camera()
    hands.drag(viewport, start, start + QPoint(60, -40), modifier=modifier, release=False)
    session.playback.pause()
    assert viewport.camera() == before
    qtbot.mouseRelease(viewport, LEFT, modifier, start + QPoint(60, -40))
    hands.wait_done(qtbot, window)
    qtbot.waitUntil(lambda: viewport.flight.camera is None)
    assert session.view.settings.camera is None


@pytest.mark.parametrize("preset", ["rr-swing", "panda-drop"])
def test_posing_takes_what_is_seen_at_a_later_time_and_leads_it_from_there(
    preset: str, window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    """It took hold of another point: that of the first posture which is nearest to the mouse."""
    session = paused_at(1.978 if preset == "rr-swing" else 0.5, preset, window, qtbot)
    link = 1 if preset == "rr-swing" else 5
    start, before, t = middle_of_link(viewport, link), session.scenario, session.playback.t
    frames = viewport.picture().actors[0].pose.world_from_link
    hands.drag(viewport, start, modifier=CONTROL | SHIFT, release=False)
    assert viewport.posing.holds
    assert (held_in_the_picture(viewport) - start).manhattanLength() <= 3
    assert session.playback.t == t, "nothing moves before the mouse does"
    hands.drag(viewport, start, start + QPoint(3, 4), modifier=CONTROL | SHIFT, release=False)
    assert session.playback.t == 0.0
    assert (held_in_the_picture(viewport) - start).manhattanLength() <= 12
    assert viewport.picture().actors[0].pose.world_from_link == pytest.approx(frames, abs=0.2)
    viewport.posing.let_go()
    assert session.scenario != before
    session.history.undo()
    assert session.scenario == before


def test_an_arm_posed_behind_the_grown_legend_comes_out_after_the_drag(
    window: MainWindow, viewport: Viewport, qtbot: QtBot
) -> None:
    """The legend of an arm beside another one says how the postures differ: it grew over the posed link."""
    session = window.session
    session.files.new("rr-chaos")
    hands.wait_done(qtbot, window)
    session.playback.pause()
    start = middle_of_link(viewport, 1)
    behind = QPoint(start.x(), viewport.legend.geometry().center().y())
    hands.drag(viewport, start, behind, modifier=CONTROL | SHIFT, release=False)
    held = viewport.camera()
    hands.drag(viewport, behind, behind, modifier=CONTROL | SHIFT, release=False)
    assert viewport.camera() == held, "not under the hand"
    viewport.posing.let_go()
    hands.wait_done(qtbot, window)
    qtbot.waitUntil(lambda: viewport.camera() != held and not viewport.flying)
    arm = viewport.picture().actors[0]
    assert not viewport.covers(np.concatenate([middle_line(arm, link) for link in range(2)]))


def test_a_click_poses_nothing(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    session = window.session
    session.playback.seek(1.0)
    start, before = middle_of_link(viewport, 1), session.history.present
    hands.drag(viewport, start, start + QPoint(1, 1), modifier=CONTROL | SHIFT)
    assert session.history.present is before
    assert session.playback.t == 1.0


def test_a_joint_is_posed_up_to_its_stop(window: MainWindow, viewport: Viewport, qtbot: QtBot) -> None:
    """Beyond it was an internal error."""
    session = window.session
    session.files.new("rr-stops")
    hands.wait_done(qtbot, window)
    session.playback.pause()
    session.playback.seek(0.2)
    start = middle_of_link(viewport, 1)
    viewport.posing.take(1, start)
    for away in (QPoint(-60, -60), QPoint(-150, -150), QPoint(-300, -250), QPoint(-300, -350)):
        viewport.posing.move(start + away)
        viewport.posing.let_go()
        viewport.posing.take(1, start + away)
    viewport.posing.let_go()
    q1, q2 = (session.scenario.initial[name] for name in ("q1", "q2"))
    assert -2.2 <= q1 <= 0.5
    assert -0.8 <= q2 <= 0.8
