"""The edges of all curves of a plot are smooth, or of none: their number of points decides once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.qt.plots import items
from gui.qt.plots.enlarged import plot_widget
from robots.scenario.presets import find_scenario
from tests.inline_jobs import InlineJobs


@pytest.mark.parametrize("key", ["joints", "tip-path"])
@pytest.mark.parametrize(("share", "smooth"), [(1.01, True), (0.99, False)])
def test_the_curves_of_a_plot_are_alike(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, key: str, share: float, smooth: bool
) -> None:
    """The first curve of many was smooth, and the last one was not."""
    session.comparisons.pin()
    session.edit("method", "rk2")
    plot = plot_widget(session, key)
    qtbot.addWidget(plot)
    plot.resize(900, 320)
    plot.show()

    def lines() -> list[pg.PlotCurveItem]:
        return [item for item in plot.items if isinstance(item, pg.PlotCurveItem)]

    def sizes() -> list[int]:
        return [np.size(item.getData()[0]) for item in lines()]

    qtbot.waitUntil(lambda: len(lines()) > 1 and min(sizes()) > 1)
    total = sum(sizes())
    assert all(item.opts["antialias"] for item in lines())
    monkeypatch.setattr(items, "ANTIALIAS_LIMIT", int(share * total))
    plot.update_now()
    assert {item.opts["antialias"] for item in lines()} == {smooth}
    plot.release()


def test_many_long_curves_are_smooth_up_to_the_limit() -> None:
    """Ten lines in a thousand columns of four points each are at it."""
    assert items.smooth([np.zeros(4 * 999)] * 10)
    assert not items.smooth([np.zeros(4 * 1000)] * 10)


@pytest.mark.parametrize("wide", [900, 1500])
@pytest.mark.parametrize("key", ["joints", "tip-path"])
def test_a_zigzag_whose_teeth_are_close_is_a_solid_line(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, key: str, wide: int
) -> None:
    """A run beyond Euler's limit flips at each step: dots of neighbouring teeth lined up into waves."""
    scenario = find_scenario("rr-stiff").with_values({"method": "rk1", "step": 0.03})
    session = Session(InlineJobs(), Settings(tmp_path), scenario)
    session.start()
    session.comparisons.pin()
    session.edit("step", 0.01)
    strokes, seen = items.strokes, []
    monkeypatch.setattr(items, "strokes", lambda *given: seen.append(strokes(*given)) or seen[-1])
    plot = plot_widget(session, key)
    qtbot.addWidget(plot)
    plot.resize(wide, 420)
    plot.show()
    qtbot.waitUntil(lambda: bool(seen) and any(len(parts) > 1 for parts in seen))
    parts = max(seen, key=len)
    pens = [pen.style() for _, pen in parts]
    assert Qt.PenStyle.SolidLine in pens
    assert Qt.PenStyle.CustomDashLine in pens, "its beginning is calm"
    plot.release()
