"""How low a figure may be: what can be stretched may be flat, regions and trees stay whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.qt.drawing.charts_page import LEAST, LEAST_WHOLE, ChartsPage, filling
from gui.qt.drawing.words import free_boxes
from gui.qt.export.figure import page_of
from gui.qt.export.settings import ExportSettings

PLOTS = "error,joints,energy,step-size,stability,order-conditions"


def page(rows: list[RunRow], height: float) -> ChartsPage:
    return page_of(rows, ViewSettings(), ExportSettings(Path("x.pdf"), plots=PLOTS, height=height, width=170.0))


def test_the_least_height_has_room_for_what_cannot_be_stretched(rows: list[RunRow]) -> None:
    with pytest.raises(BadInput, match="height must be at least") as refusal:
        page(rows, 20.0)
    least = int(re.findall(r"at least (\d+) mm", str(refusal.value))[0])
    made = page(rows, float(least))
    *flat, region, trees = made.painters
    unit = made.style.scale
    assert all(LEAST <= painter.area.height() / unit < LEAST + 1.0 for painter in flat)
    assert LEAST_WHOLE <= region.area.height() / unit < LEAST_WHOLE + 4.0, "whole millimetres leave a little"
    boxes = [box for _, box in free_boxes(trees.chart.labels, trees.spot, trees.area, made.style)]
    assert len(boxes) == len(trees.chart.labels), "every order is named"
    for curve in trees.chart.curves:
        for x, y in zip(curve.x, curve.y, strict=True):
            assert not any(box.contains(trees.spot(x, y)) for box in boxes), "no word covers a tree"
    assert filling([100.0, 50.0], [20.0, 40.0], 90.0) == [50.0, 40.0]
    assert filling([100.0, 50.0], [20.0, 40.0], 300.0) == [200.0, 100.0]
    assert filling([100.0, 30.0], [20.0, 40.0], 0.0) == [20.0, 30.0], "more than wanted is never needed"
