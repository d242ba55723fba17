"""Beside the lanes of an enlarged plot stands the name of every run, elided where it is too long for its room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap
from pytestqt.qtbot import QtBot

from gui.app.formatting import initials
from gui.qt.plots.plot import SHARE_OF_NAMES
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE
from tests.window.test_plots_by_hand import settled


@pytest.mark.parametrize("width", [1280, 1920])
def test_every_lane_has_its_name(shared_window: MainWindow, qtbot: QtBot, width: int) -> None:
    """The margin was kept for names, but those that were longer than it were left out."""
    window, session = shared_window, shared_window.session
    window.resize(width, 720)
    for method in ("dopri5", "symplectic-gauss4"):
        session.comparisons.pin()
        session.edit("method", method)
    for rtol in (1e-5, 1e-6):
        session.comparisons.pin()
        session.edit_many({"method": "dopri5", "rtol": rtol, "atol": 1e-9})
    session.view.set(enlarged="steps")
    assert window.enlarged is not None
    assert window.enlarged.plot is not None
    plot = settled(window.enlarged.plot, qtbot)
    qtbot.waitUntil(lambda: len(plot.chart.y.names) == 5 and plot.settled, timeout=PATIENCE)
    axis, names = plot.value_axis, plot.chart.y.names
    metrics = QFontMetricsF(plot.small_font())
    widest = max(map(metrics.horizontalAdvance, names))
    qtbot.waitUntil(lambda: axis.width() > 60)
    ground = QPixmap(10, 10)
    painter = QPainter(ground)
    painter.setFont(plot.small_font())
    specs = axis.generateDrawSpecs(painter)
    painter.end()
    assert specs is not None
    texts = specs[2]
    said = [text for *_, text in sorted(texts, key=lambda spec: spec[0].top())]
    assert len(said) == len(names) == 5
    room = QRectF(axis.boundingRect())
    assert all(room.contains(box) for box, *_ in texts)
    fits = widest + 12 <= SHARE_OF_NAMES * plot.width()
    assert (said == list(names)) is fits
    for text, whole in zip(said, names, strict=True):
        # The initials of those after whom a method is called say more than the two ends of its name.
        name = whole if fits or metrics.horizontalAdvance(whole) <= axis.room_of_names else initials(whole)
        begin, _, end = text.partition("…")
        assert name.startswith(begin)
        assert name.endswith(end)
        assert len(text) > 3
    session.view.set(enlarged="")
