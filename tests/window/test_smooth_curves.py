"""The edges of all curves of a plot are smooth, or of none: their number of points decides once."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
import pytest
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.qt.plots import items
from gui.qt.plots.enlarged import plot_widget


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
