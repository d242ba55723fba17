"""The small chart in the 3D view, and in exported pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image
from pytestqt.qtbot import QtBot

from gui.qt.export.exporter import render_rows
from gui.qt.export.settings import ExportSettings
from gui.qt.window.main_window import MainWindow
from tests.window.hands import screenshot


def test_small_chart_follows_the_playhead(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    chart = window.viewport.mini_plot
    assert not chart.isVisible()
    window.actions_by_key["view.mini_plot"].trigger()
    assert chart.isVisible()
    assert window.viewport.rect().contains(chart.geometry())
    before = chart.grab().toImage()
    window.session.playback.seek(4.0)
    assert chart.grab().toImage() != before
    window.session.view.set(theme="dark")
    screenshot(qtbot, window, artifacts / "small-chart.png")
    window.session.view.set(theme="light")
    window.actions_by_key["view.mini_plot"].trigger()
    assert not chart.isVisible()


def test_exported_pictures_have_it_too(window: MainWindow, tmp_path: Path) -> None:
    session, pictures = window.session, []
    for pinned in (False, True):
        file = tmp_path / f"{pinned}.png"
        settings = ExportSettings(file, size=(640, 360), quality="low", at=2.0, caption=False)
        render_rows(session.runs.all, session.view.settings.changed(mini_plot=pinned), settings)
        pictures.append(np.asarray(Image.open(file).convert("RGB")).astype(int))
    changed = np.abs(pictures[0] - pictures[1]).max(axis=2) > 8
    assert changed[200:, 400:].any()
    assert not changed[:160].any()
