"""Parts of plots without a panel: names at the ends of curves, legends, what is ready beforehand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.shown import columns, series
from gui.compose.kinematics import kinematics_of
from gui.qt.drawing.legend import CurveEntry, fitting, flowing_in
from gui.qt.drawing.style import style_of
from gui.qt.plots.area import PlotArea
from gui.qt.plots.axes_view import AxesView
from gui.qt.plots.axis import AXIS_WIDTH, PlotAxis
from gui.qt.plots.bands import Bands
from gui.qt.plots.end_labels import RIM, EndLabel, EndLabels, arranged, letters_of
from gui.qt.plots.header import PlotHeader
from gui.qt.style.theme import look
from gui.qt.widgets.parts import add_tick, bare
from gui.qt.window.precompute import precompute
from robots.model.chart import Axis, Band, Chart, Curve
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate


@pytest.fixture(autouse=True)
def usual_type(application: QApplication) -> None:
    """Whatever the file before has left."""
    look().choose("light")
    look().scale_text(1.0)


@pytest.mark.parametrize("end", [10.0, 5000.0])
def test_what_cannot_be_trusted_is_grey_to_the_end_of_a_run_of_any_length(end: float) -> None:
    area, times = pg.ViewBox(), np.array([0.0, end])
    Bands(area).show(Chart(curves=(Curve(times, times),), bands=(Band(5.0),)), style_of("light"), warning=False)
    (band,) = [item for item in area.allChildren() if isinstance(item, pg.LinearRegionItem)]
    assert band.getRegion()[0] == 5.0
    assert band.getRegion()[1] >= end


def test_the_bands_of_a_run_that_was_stopped_before_its_first_step_have_an_end() -> None:
    """A run that was stopped at once has curves without points, and the window said that it had made an error."""
    area, none = pg.ViewBox(), np.empty(0)
    Bands(area).show(Chart(curves=(Curve(none, none),), bands=(Band(5.0),)), style_of("light"), warning=False)
    (band,) = [item for item in area.allChildren() if isinstance(item, pg.LinearRegionItem)]
    assert band.getRegion()[0] == 5.0


def test_long_numbers_take_the_place_of_the_title() -> None:
    axis = PlotAxis("left")
    axis.setWidth(AXIS_WIDTH)
    axis.kind = Axis("angle", "°")
    font = QGuiApplication.font()
    font.setPixelSize(12)
    axis.show_style(style_of("light"), font)
    assert axis.crowded(-30_000.0, 5_000.0, 150.0, "torque [N m]")
    assert not axis.crowded(-100.0, 100.0, 150.0, "torque [N m]")


def test_the_numbers_of_a_low_axis_are_whole(qtbot: QtBot) -> None:
    area, axis, below = PlotArea(), PlotAxis("left"), PlotAxis("bottom")
    font = QGuiApplication.font()
    font.setPixelSize(20)
    axis.show_style(style_of("light"), font)
    axis.setWidth(2 * AXIS_WIDTH)
    view = AxesView(area, axis, below)
    qtbot.addWidget(view)
    view.resize(300, 110)
    view.show()
    area.setYRange(0.0, 100.0, padding=0.0)
    picture = QImage(300, 110, QImage.Format.Format_ARGB32)
    painter = QPainter(picture)
    _, _, texts = axis.generateDrawSpecs(painter)
    painter.end()
    boxes = [axis.mapRectToScene(box) for box, *_ in texts]
    assert len(boxes) == 3
    assert all(box.top() >= 0.0 and box.bottom() <= view.height() for box in boxes)


@pytest.mark.parametrize("count", [0, 1, 2, 5, 9])
def test_names_at_the_ends_of_curves_are_apart(count: int) -> None:
    gap, room = 14.0, 53.0
    places = arranged([20.0 + 0.1 * index for index in range(count)], gap, room)
    for column in {column for column, _ in places}:
        heights = sorted(height for own, height in places if own == column)
        assert all(high - low >= gap - 1e-9 for low, high in pairwise(heights))
        assert heights[0] >= gap / 2.0
        assert heights[-1] <= room - gap / 2.0
    assert max((column for column, _ in places), default=0) == max(0, (count - 1) // 3)


@pytest.mark.parametrize("count", [1, 5])
def test_the_name_of_a_curve_that_ends_early_is_whole(count: int) -> None:
    view = pg.GraphicsView()
    area, font = pg.ViewBox(), QGuiApplication.font()
    view.setCentralItem(area)
    view.resize(400, 60)
    area.setRange(xRange=(0.0, 12.0), yRange=(0.0, 1.0), padding=0.0)
    ends = EndLabels(area)
    ends.show([(0.3, 0.5, "step 10 ms", QColor("black"))] * count, QColor("white"), font)
    letters = QFontMetricsF(font).horizontalAdvance("step 10 ms") * area.viewPixelSize()[0]
    assert all(item.isVisible() and item.pos().x() - letters >= 0.0 for item in ends.items)
    places = {(round(item.pos().x(), 6), round(item.pos().y(), 6)) for item in ends.items}
    assert len(places) == count, "one beside or below the other"


@pytest.mark.parametrize("text", ["q₁ S1", "S1", "q₁ of the shoulder"])
def test_the_name_of_a_curve_never_covers_letters_of_another(qtbot: QtBot, text: str) -> None:
    """Seven angles that ended together: the rim of each name, and the indices, lay over the next one."""
    view = pg.GraphicsView()
    area, font = pg.ViewBox(), QGuiApplication.font()
    view.setCentralItem(area)
    ends, seen = EndLabels(area), set()
    qtbot.addWidget(view)
    view.show()
    for height in (40, 70, 90, 110, 130, 160, 300):
        view.resize(600, height)
        QApplication.processEvents()
        area.setRange(xRange=(0.0, 12.0), yRange=(0.0, 1.0), padding=0.0)
        ends.show([(12.0, 0.5 + 0.001 * k, text, QColor("black")) for k in range(7)], QColor("white"), font)
        shown = [item for item in ends.items if item.isVisible()]
        assert len(shown) in (0, 7), "all or none"
        letters = [one.textItem.mapToScene(_letters(one)).boundingRect() for one in shown]
        for k, one in enumerate(letters):
            rim = one.adjusted(*(RIM * side for side in (-1.0, -1.0, 1.0, 1.0)))
            assert not any(rim.intersects(other) for j, other in enumerate(letters) if j != k)
        seen |= {(len(shown), len({round(one.right()) for one in letters}))}
    assert (7, 1) in seen, "one below the other where there is room"
    seldom = (0, 0) if len(text) > 10 else (7, 2)
    assert seldom in seen, "side by side in a low plot, if that does not cover much of it"


def _letters(label: EndLabel) -> QPainterPath:
    """The letters of a name in its own pixels."""
    margin = label.textItem.document().documentMargin()
    return letters_of(label.textItem.toPlainText(), label.textItem.font()).translated(margin, margin)


def test_a_legend_names_every_curve_before_it_shows_values_of_some() -> None:
    entries = tuple(CurveEntry("#000000", "solid", name, "−123.4\u00a0N m") for name in ("u1", "u2", "u3"))
    measure = QFontMetricsF(QGuiApplication.font()).horizontalAdvance
    names = sum(width for _, width, _ in fitting(tuple(replace(e, value="") for e in entries), measure, 1e4))
    full = [entry for entry, _, _ in fitting(entries, measure, 1e4)]
    assert full == list(entries)
    tight = [entry for entry, _, _ in fitting(entries, measure, names)]
    assert [(entry.name, entry.value) for entry in tight] == [("u1", ""), ("u2", ""), ("u3", "")]
    assert fitting(entries, measure, 0.5 * names) == []
    long = [replace(entry, name=f"{entry.name}{k} of the arm") for k, entry in enumerate(entries)]
    brief = [entry.name for entry, _, _ in fitting(long, measure, 1.2 * names)]
    assert brief == [entry.name.partition(" ")[0] for entry in long], "each curve by the first word of its name"
    short = [replace(entry, value="1") for entry in entries]
    values = sum(width for _, width, _ in fitting([replace(entry, name="") for entry in short], measure, 1e4))
    assert [entry.name for entry, _, _ in fitting(short, measure, values)] == ["u1", "u2", "u3"], "nobody's values"
    many = tuple(replace(entries[0], name=f"q{joint}") for joint in range(30))
    some = [entry for entry, _, _ in fitting(many, measure, 2.0 * names)]
    assert some == list(many[: len(some)]) != []
    ghosts = tuple(replace(entry, name="", dash="dash") for entry in entries)
    (line,) = flowing_in(entries + ghosts, measure, sum(cell[1] for cell in fitting(entries, measure, 1e4)), 1)
    assert [entry for entry, _, _ in line] == list(entries), "values of ghosts give way before those with names"
    named = tuple(replace(entry, name=f"{entry.name} shoulder") for entry in entries)
    (line,) = flowing_in(named + ghosts, measure, sum(cell[1] for cell in fitting(entries, measure, 1e4)), 1)
    assert [entry for entry, _, _ in line] == list(entries), "and the further words of names, before the values"
    lines = flowing_in(entries, measure, names, 1)
    assert [entry for line in lines for entry, _, _ in line] == list(entries), "names keep their values in more lines"
    pairs = [replace(entries[0], name=name) for name in ("q1", "q2", "", "", "", "")]
    three = 1.05 * sum(cell[1] for cell in fitting(pairs[1:4], measure, 1e4))
    lines = flowing_in(pairs, measure, three, 2)
    assert [[entry for entry, _, _ in line] for line in lines] == [pairs[::2], pairs[1::2]], "one joint of every run"
    assert [len(line) for line in flowing_in(entries, measure, 1e4, 1)] == [3]
    assert len(flowing_in(many, measure, names, 2)) > 2, "what never fits is in full"
    grows = [replace(entry, name="", value="Δ −6.2·10⁻⁸ rad, 3.42 /s") for entry in entries]
    wide = sum(cell[1] for cell in fitting(grows, measure, 1e4))
    (line,) = flowing_in(grows, measure, 0.9 * wide, 1)
    assert [entry.value for entry, _, _ in line] == ["Δ −6.2·10⁻⁸ rad"] * 3, "how fast it grows gives way first"
    lines = flowing_in(grows, measure, 0.5 * wide, 1)
    assert all(entry.value for line in lines for entry, _, _ in line), "no sample stands alone"


@pytest.mark.parametrize("height", [140, 222, 300, 420])
def test_a_legend_leaves_its_plot_most_of_the_height(qtbot: QtBot, height: int) -> None:
    plot = QWidget()
    qtbot.addWidget(plot)
    header = PlotHeader("Joint angles")
    bare(QVBoxLayout(plot), 0).addWidget(header)
    plot.resize(440, height)
    own = tuple(CurveEntry("#000000", "solid", f"q{k} joint {k}", "−123.4°", curve=("", f"q{k}", "")) for k in range(7))
    every = (*own, *(replace(entry, name="", dash="dash") for entry in 2 * own))
    header.show_entries(every, every)
    plot.show()
    header.arrange()
    most = max(2 * header.legend.line_height, 0.4 * height)
    assert header.legend.sizeHint().height() <= most, "21 numbers would have eight lines"
    measure = QFontMetricsF(QGuiApplication.font()).horizontalAdvance
    lines = flowing_in(own, measure, 150.0, 2, 3)
    assert [entry.value for line in lines for entry, _, _ in line] == [""] * 7, "names without values where it is low"


def test_in_larger_type_a_legend_names_every_run_only_in_a_taller_plot(qtbot: QtBot) -> None:
    plot = QWidget()
    qtbot.addWidget(plot)
    header = PlotHeader("Joint angles")
    bare(QVBoxLayout(plot), 0).addWidget(header)
    plot.resize(600, 300)
    own = tuple(CurveEntry("#000000", "solid", f"q{k}", curve=("", f"q{k}", "")) for k in range(7))
    header.show_entries(own + own + own, own)
    plot.show()
    header.arrange()
    assert len(header.legend.entries) == 21
    larger = header.font()
    larger.setPixelSize(26)
    header.setFont(larger)
    header.legend.setFont(larger)
    header.arrange()
    assert header.legend.entries == own, "before an audience the curves need the room"


def test_what_views_ask_of_a_run_is_there_before_they_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulate(find_scenario("pa10-circle").with_values({"duration": 2.0, "step": 2e-4}))
    precompute(run)
    for method in ("columns", "series", "tip"):
        monkeypatch.setattr(type(run), method, lambda *_: pytest.fail("the window's thread had to wait"))
    assert set(columns(run)[1]) >= {"q1", "q7"}
    assert "manipulability" in series(run)[1]
    assert kinematics_of(run).tips.shape[1] == 3


@pytest.mark.parametrize(("key", "open_after"), [(Qt.Key.Key_Space, True), (Qt.Key.Key_Return, False)])
def test_space_ticks_several_entries_of_a_menu_and_enter_closes_it(qtbot: QtBot, key: Qt.Key, open_after: bool) -> None:
    menu, heard = QMenu(), list[bool]()
    qtbot.addWidget(menu)
    entries = [add_tick(menu, name, False, heard.append, several=True) for name in ("Error", "Energy")]
    menu.popup(menu.pos())
    for entry in entries[: 2 if open_after else 1]:
        menu.setActiveAction(entry)
        qtbot.keyClick(menu, key)
    assert [entry.isChecked() for entry in entries] == [True, open_after]
    assert heard == [True] * (2 if open_after else 1)
    assert menu.isVisible() == open_after
