"""How narrow a figure may be: all that it writes has room, and one millimetre less is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.qt.drawing.charts_page import ChartsPage
from gui.qt.drawing.words import free_boxes, plate
from gui.qt.export.charts_file import raster
from gui.qt.export.figure import page_of
from gui.qt.export.figure_room import LEAST_ACROSS, has_room
from gui.qt.export.settings import ExportSettings

ALL = "error,joints,energy,step-size,stability,order-conditions"
SETS = ["error", "order-conditions", "stability", "phase-plane", ALL]


def page(rows: list[RunRow], width: float, plots: str, columns: int, show: str) -> ChartsPage:
    settings = ExportSettings(Path("x.pdf"), plots=plots, width=width, columns=columns, style="web", show=show)
    return page_of(rows, ViewSettings(), settings)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("plots", SETS)
@pytest.mark.parametrize("show", ["title,legend,names,grid,caption,letters", ""])
def test_at_the_least_width_all_has_room(rows: list[RunRow], plots: str, columns: int, show: str) -> None:
    with pytest.raises(BadInput, match=r"width must be at least [0-9]+ mm for these panels, got 20") as refusal:
        page(rows, 20.0, plots, columns, show)
    least = float(re.findall(r"at least (\d+) mm", str(refusal.value))[0])
    made = page(rows, least, plots, columns, show)
    assert has_room(made)
    with pytest.raises(BadInput, match=f"at least {least:g} mm"):
        page(rows, least - 1.0, plots, columns, show)
    unit = made.style.scale
    for painter in made.painters:
        assert painter.area.width() >= LEAST_ACROSS * unit
        found = free_boxes(painter.chart.labels, painter.spot, painter.area, made.style)
        boxes = [plate(box, made.style) for _, box in found]
        if painter.chart.bare:
            assert len(boxes) == len(painter.chart.labels), "every order is named"
            for curve in painter.chart.curves:
                for x, y in zip(curve.x, curve.y, strict=True):
                    assert not any(box.contains(painter.spot(x, y)) for box in boxes), "no word covers a tree"
    shown = raster(made, 192.0)[:-1, :-1, :3]  # the last row and column are covered in part
    assert (shown[:, (0, -1)] == shown[0, 0]).all(), "nothing is cut at the left or the right"


def test_usual_widths_are_not_refused(rows: list[RunRow]) -> None:
    for width, columns, style in ((85.0, 1, "paper"), (85.0, 1, "web"), (180.0, 2, "web"), (254.0, 3, "web")):
        for plots in SETS:
            settings = ExportSettings(Path("x.pdf"), plots=plots, width=width, columns=columns, style=style)
            assert has_room(page_of(rows, ViewSettings(), settings))
