"""Copying, and the camera's key frames and rides, from the window."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gui.qt.window.main_window import MainWindow
from scene import camera as cameras
from tests.window.hands import screenshot


def act(window: MainWindow, key: str) -> None:
    window.actions_by_key[key].trigger()


def test_picture_and_plots(window: MainWindow, artifacts: Path) -> None:
    act(window, "edit.copy_picture")
    image = QGuiApplication.clipboard().image()
    assert image.width() == window.viewport.pixels()[0]
    colours = {image.pixel(x, y) for x in range(0, image.width(), 40) for y in range(0, image.height(), 40)}
    assert len(colours) > 10
    act(window, "edit.copy_plots")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert bytes(data.data("image/svg+xml").data()).lstrip().startswith(b"<?xml")
    QGuiApplication.clipboard().image().save(str(artifacts / "copied-plots.png"))


def test_table(window: MainWindow) -> None:
    window.session.comparisons.pin()
    act(window, "edit.copy_table")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Method\tSetting")
    assert len(lines) == 3


def test_python_script_prints_the_run(window: MainWindow, tmp_path: Path) -> None:
    act(window, "edit.copy_python")
    file = tmp_path / "script.py"
    file.write_text(QGuiApplication.clipboard().text(), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(file)], capture_output=True, text=True, timeout=60, check=True)
    said = float(done.stdout.split("q1 = ")[1].split()[0])
    assert said == pytest.approx(window.session.runs.current.run.final["q1"], abs=1e-8)
    window.session.edit("method", "cvode-bdf")
    act(window, "edit.copy_python")
    assert "cannot be written as a script" in window.banner.label.text()
    assert "got 'CVODE, BDF'" in window.banner.label.text(), "the name that the window shows, and no key"


def test_key_frames_make_a_path_that_is_saved(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path
) -> None:
    viewport, session = window.viewport, window.session
    assert not window.isWindowModified()
    act(window, "camera.set_key")
    assert window.isWindowModified(), "a key frame is work"
    first = viewport.camera()
    session.playback.seek(2.0)
    viewport.set_camera(cameras.orbit(first, 1.0, 0.2))
    last = viewport.camera()
    act(window, "camera.set_key")
    assert session.view.settings.camera_path
    assert window.actions_by_key["camera.fly"].isChecked()
    assert window.timeline.lane.content.keys == (0.0, 2.0)
    screenshot(qtbot, window, artifacts / "key-frames.png")
    session.playback.seek(1.0)
    half = cameras.flight(first, last, 0.5)
    # A key is kept for every shape of window, so the last digit of its distance may differ.
    assert viewport.camera() == replace(half, distance=pytest.approx(half.distance, rel=1e-14))
    session.files.save(tmp_path / "path.json")
    session.files.new("rr-swing")
    assert not session.view.settings.camera_path
    session.files.open(tmp_path / "path.json")
    session.playback.seek(1.0)
    half = cameras.flight(first, last, 0.5)
    # A key is kept for every shape of window, so the last digit of its distance may differ.
    assert viewport.camera() == replace(half, distance=pytest.approx(half.distance, rel=1e-14))
    viewport.set_camera(first)
    assert not session.view.settings.camera_path
    act(window, "camera.drop_key")
    assert [key["t"] for key in session.view.settings.camera_keys] == [2.0]
    act(window, "camera.drop_key")
    assert "No key frame before" in window.banner.label.text()


def test_camera_rides_on_a_link(window: MainWindow) -> None:
    viewport, session = window.viewport, window.session
    session.playback.seek(0.4)
    viewport.selected = 1
    before = viewport.camera()
    act(window, "camera.ride")
    assert np.allclose(cameras.eye(viewport.camera()), cameras.eye(before))

    def seen() -> np.ndarray:
        """The link's frame as the eye sees it."""
        return (
            cameras.view_from_world(viewport.camera())
            @ session.runs.current.run.pose(session.playback.t).world_from_link[1]
        )

    fixed = seen()
    for t in (0.0, 1.1, 2.7):
        session.playback.seek(t)
        assert np.allclose(seen(), fixed, atol=1e-9)
    viewport.set_camera(cameras.zoom(viewport.camera(), 2.0))
    session.playback.seek(0.9)
    act(window, "camera.ride")
    now = viewport.camera()
    session.playback.seek(0.1)
    assert viewport.camera() == now
