"""The numbers of the picked link say whose place they give."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gui.qt.viewport.overlays import link_numbers
from gui.qt.window.main_window import MainWindow
from tests.numbers import typed
from tests.window.hands import wait_done


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


@pytest.mark.parametrize("preset", ["rr-swing", "double-pendulum", "e12", "ur5e-move", "pa10-circle", "panda-drop"])
def test_the_place_of_a_link_is_that_of_its_joint_and_of_the_tip(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    """The numbers of the picked link had a place without a word on it: the elbow's, not the ball's that is held."""
    window.session.files.new(preset)
    wait_done(qtbot, window)
    row = window.session.runs.current
    run = row.run
    assert run is not None
    shape, begun = run.shape(0.0), run.y[0]
    for link in range(len(shape.links)):
        numbers = dict(link_numbers(row, 0.0, link, degrees=True)[1])
        assert ("tip x" in numbers) == (shape.tip is not None and shape.tip[0] == link)
        if "tip x" in numbers:
            tip = [float(typed(numbers[f"tip {axis}"]).split()[0]) for axis in "xyz"]
            assert tip == pytest.approx(run.tip(np.array([0.0]))[0], abs=1e-4)
        if "joint x" in numbers and preset in ("rr-swing", "e12", "ur5e-move", "pa10-circle", "panda-drop"):
            moved = begun.copy()
            moved[int(next(iter(numbers))[1:]) - 1] += 0.3
            frames = run.robot.poses(run.scenario, np.zeros(2), np.array([begun, moved]))[:, link]
            assert frames[0, :3, 3] == pytest.approx(frames[1, :3, 3], abs=1e-9), "its joint turns about this point"
            assert np.abs(frames[0] - frames[1]).max() > 0.1
