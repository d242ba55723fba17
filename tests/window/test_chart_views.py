"""Stability region, poles and zeros, and steps: charts like all others, on cards, enlarged and in files."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt, qInstallMessageHandler
from PySide6.QtGui import QCursor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.charts.figure_style import FigureStyle
from gui.charts.fit import marks_at
from gui.charts.registry import charts_of
from gui.charts.stability import limits_text, modes, names_of_modes, region_chart
from gui.charts.steps import steps_chart, ticks_of
from gui.charts.table import table_text
from gui.charts.ticks import linear_ticks
from gui.charts.zeros import zeros_chart
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.charts_page import PagePanel, page_of_chart
from gui.qt.drawing.dots import mark_at
from gui.qt.drawing.regions import FILL
from gui.qt.drawing.style import style_of, typed_style
from gui.qt.export.charts_file import write_page
from gui.qt.export.exporter import render_rows
from gui.qt.export.settings import ExportSettings
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.window.main_window import MainWindow
from robots.dynamics.flexible.analysis import Zeros
from robots.model.chart import Axis, Band, Chart, Curve
from robots.model.segments import Segment
from robots.scenario.presets import find_scenario
from solvers.method_registry import find_method
from solvers.tableaux.order_conditions import Tree, trees
from tests.inline_jobs import InlineJobs
from tests.window.hands import press, screenshot
from tests.window.test_plots_by_hand import double_click, settled


@pytest.fixture
def session(session: Session) -> Session:
    session.comparisons.pin()
    session.edit("method", "dopri5")
    session.edit_many({"rtol": 1e-5, "atol": 1e-8})
    return session


@pytest.mark.parametrize(("key", "inside", "outside"), [("rk1", -1.0, -2.3), ("rk4", -2.7, -2.9), ("bdf2", -9.0, 1.0)])
def test_the_region_covers_what_the_method_damps(key: str, inside: float, outside: float) -> None:
    stability = find_method(key).stability
    assert stability is not None
    (place,) = region_chart([("", "solid", stability)]).regions
    assert place.whole is not None
    region = place.whole()
    rows, columns = region.cover.shape

    def cover(x: float) -> float:
        column = round((x - region.left) / (region.right - region.left) * (columns - 1))
        return float(region.cover[rows // 2, column])

    assert cover(inside) == 1.0
    assert cover(outside) == 0.0
    assert np.array_equal(region.cover, region.cover[::-1])
    x, y = np.linspace(region.left, region.right, columns), np.linspace(region.high, region.low, rows)
    exact = stability.modulus(x[np.newaxis, ::7] + 1j * y[::7, np.newaxis]) <= 1.0
    assert np.mean(exact != (region.cover[::7, ::7] > 0.5)) < 0.002
    assert "limit" in limits_text(stability)
    if math.isfinite(stability.real_limit):
        table = list(csv.DictReader(table_text(region_chart([("", "solid", stability)])).splitlines()))
        border = [
            (float(row["Re hλ: border 1"]), float(row["Im hλ: border 1"])) for row in table if row["Re hλ: border 1"]
        ]
        assert min(x for x, _ in border) == pytest.approx(-stability.real_limit, abs=0.01)
        assert np.abs(np.abs(stability.modulus(np.array([complex(*z) for z in border]))) - 1.0).max() < 0.05


def test_a_mode_that_grows_is_in_alarm() -> None:
    stability = find_method("rk4").stability
    assert stability is not None
    (mode,) = modes(np.array([[-1.0 + 0j], [-3.0 + 0j]]), stability, np.array([0.0, 1.0]))
    assert [mode.alarmed(t) for t in (0.0, 1.0, 2.0)] == [False, True, True]
    assert [mark_at(mode, t) for t in (0.0, 1.0)] == ["circle", "diamond"], "not by its colour alone"


@pytest.mark.usefixtures("qapp")
def test_a_star_is_explained_with_a_pair_that_is_there() -> None:
    """λ₁ is real at the worst instant of a stiff run, and had a conjugate in the card's words."""
    stability = find_method("rk1").stability
    assert stability is not None
    assert names_of_modes(modes(np.array([[-1.998, -0.1 + 0.4j, -0.1 - 0.4j]]), stability, np.zeros(1))) == [
        "λ₁ the largest",
        "λ₂* the conjugate of λ₂",
    ]
    assert names_of_modes(modes(np.array([[-2.0, -1.0]]), stability, np.zeros(1))) == ["λ₁ the largest"]


def test_regions_and_steps_of_all_runs_are_on_one_chart_and_in_files(session: Session, tmp_path: Path) -> None:
    session.view.set(plots=["stability", "steps"])
    stability, steps = sorted(charts_of(session.runs.all, session.view.settings), key=lambda chart: chart.title)
    looks = {(region.colour, region.dash) for region in stability.regions}
    assert looks == {(row.colour, row.dash) for row in session.runs.all}, "told apart without colours, too"
    assert steps.y.names == ("Runge-Kutta-Dormand-Prince 5(4)", "Runge-Kutta 4")
    assert {(curve.colour, curve.dash) for curve in steps.listed} == looks, "legends show a run as everywhere"
    assert {style_of("light").curve_pen(curve).style() for curve in steps.curves} == {Qt.PenStyle.SolidLine}
    text = render_rows(session.runs.all, session.view.settings, ExportSettings(tmp_path / "a.svg")).read_text("utf-8")
    assert "Stability region" in text
    assert "dopri5" in text
    picture = ExportSettings(tmp_path / "a.png", style="web")
    assert render_rows(session.runs.all, session.view.settings, picture).stat().st_size > 10_000


@pytest.mark.usefixtures("qapp")
def test_every_method_of_a_run_has_its_region_and_its_own_modes(tmp_path: Path) -> None:
    scenario = find_scenario("rr-swing").with_value("duration", 2.0)
    made = Session(InlineJobs(), Settings(tmp_path), scenario.with_segments(Segment(1.0, {"method": "rk1"})))
    made.start()
    made.view.set(plots=["stability"])
    (chart,) = charts_of(made.runs.all, made.view.settings)
    assert len(chart.regions) == 2
    spans = [(curve.t.min(), curve.t.max()) for curve in chart.curves if curve.t is not None and curve.t.size]
    assert {span[0] >= 1.0 for span in spans} == {True, False}
    assert all(high < 1.0 or low >= 1.0 for low, high in spans)
    assert [curve.listed for curve in chart.curves].count(True) == 1
    for t, euler in ((0.7, False), (1.3, True)):
        placed = [curve for curve, _ in marks_at(chart, t)]
        assert len(placed) == 4, "the modes of one method, not of both"
        assert {curve.t is not None and curve.t.size > 0 and curve.t[0] >= 1.0 for curve in placed} == {euler}


def test_ticks_stand_where_steps_ended_one_for_each_column(session: Session) -> None:
    run = session.runs.current.run
    assert run is not None
    accepted = steps_chart([session.runs.current]).curves[0]
    assert accepted.x == pytest.approx(np.cumsum(run.log.h[run.log.accepted]))
    assert steps_chart([session.runs.current]).curves[0].x is accepted.x, "a report of progress sorts nothing again"
    x, y = ticks_of(accepted.x, 0.0, 0.0, 1.0, 200)
    assert len(x) == len(y) <= 2 * 201
    assert set(y[::2]) == {0.0}
    assert ticks_of(np.zeros(0), 0.0, 0.0, 1.0, 200)[0].size == 0


@pytest.mark.usefixtures("qapp")
def test_zeros_have_both_half_planes_and_the_right_one_is_unstable(tmp_path: Path) -> None:
    found = Zeros(np.array([0.0, 1.0]), np.array([[-1 + 5j], [np.nan]]), np.array([[30.0 + 0j], [-30.0 + 0j]]))
    chart = zeros_chart(found)
    zeros, poles = chart.curves
    assert (zeros.mark, poles.mark) == ("circle", "cross")
    assert [zeros.alarmed(t) for t in (0.0, 1.0)] == [True, False]
    assert poles.x.size == 1
    assert chart.bands[0].tone == "unstable"
    file = tmp_path / "zeros.svg"
    write_page(page_of_chart(PagePanel(chart), FigureStyle(theme="dark")), file)
    assert "Re [1/s]" in file.read_text("utf-8")
    assert zeros_chart(None).blank


def elementary_weight(tree: Tree) -> float:
    """What the classical method makes of a tree, in floating point."""
    a, b = np.diag([0.5, 0.5, 1.0], -1), np.array([1.0, 2.0, 2.0, 1.0]) / 6.0

    def stages(branches: Tree) -> np.ndarray:
        return np.prod([np.ones(4), *(a @ stages(branch) for branch in branches)], axis=0)

    return float(b @ stages(tree))


def test_card_and_lane_enlarge(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    view = window.session.view
    integrator = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(integrator, IntegratorPanel)
    double_click(integrator.card.picture, QPoint(60, 60))
    assert view.settings.enlarged == "stability"
    assert window.enlarged is not None
    assert window.enlarged.plot is not None
    assert settled(window.enlarged.plot, qtbot).chart.regions
    press(qtbot, window, Qt.Key.Key_Escape)
    assert view.settings.enlarged == ""
    lane = window.timeline.lane
    double_click(lane, QPoint(lane.width() // 2, 12))
    assert view.settings.enlarged == "steps"
    press(qtbot, window, Qt.Key.Key_Escape)
    window.docks[[dock.kind.key for dock in window.docks].index("integrator")].present(integrator.card.picture)
    qtbot.waitUntil(lambda: not integrator.card.picture.visibleRegion().isEmpty())
    for widget, key in ((integrator.card.picture, "stability"), (lane, "steps")):
        QCursor.setPos(widget.mapToGlobal(widget.visibleRegion().boundingRect().center()))
        qtbot.waitUntil(lambda widget=widget: QApplication.widgetAt(QCursor.pos()) is widget)
        window.take_keys()
        press(qtbot, window, Qt.Key.Key_Z)
        assert view.settings.enlarged == key
        if key == "stability":
            press(qtbot, window, Qt.Key.Key_Z)
            assert view.settings.enlarged == ""
    QCursor.setPos(window.mapToGlobal(QPoint(5, 5)))
    assert settled(window.enlarged.plot, qtbot).chart.y.names
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.enlarged.isHidden()

    view.set(enlarged="order-conditions")
    conditions = settled(window.enlarged.plot, qtbot)
    assert not conditions.value_axis.isVisible()
    assert [sign.toPlainText() for sign in conditions.signs] == [f"p = {order}" for order in range(1, 6)]
    screenshot(qtbot, window, artifacts / "order-conditions.png")
    menu = conditions.menu()
    next(action for action in menu.actions() if action.text() == "Copy data").trigger()
    menu.close()
    rows = list(csv.DictReader(QApplication.clipboard().text().splitlines(), delimiter="\t"))
    weights = [(order, elementary_weight(tree)) for order in range(1, 6) for tree in trees(order)]
    assert sorted((int(row["order"]), round(float(row["left side"]), 9)) for row in rows) == sorted(
        (order, round(weight, 9)) for order, weight in weights
    )
    for row in rows:
        exact = abs(float(row["left side"]) - float(Fraction(row["right side"]))) < 1e-12
        assert (row["holds"] == "yes") == exact == (int(row["order"]) <= 4)


def test_an_enlarged_region_has_the_tint_of_its_run(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    window.session.comparisons.pin()
    window.session.view.set(enlarged="stability")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert plot is not None
    settled(plot, qtbot)
    qtbot.waitUntil(lambda: len(plot.chart.regions) == 2 and len(plot.images) == 4)  # shading and border of each
    seen = screenshot(qtbot, plot, artifacts / "regions-two.png").convertToFormat(QImage.Format.Format_RGB888)
    pixels = np.frombuffer(seen.constBits(), np.uint8).reshape(seen.height(), seen.bytesPerLine())
    colours, counts = np.unique(pixels[:, : 3 * seen.width()].reshape(-1, 3), axis=0, return_counts=True)
    expected = np.array(plot.style_now.colour("surface").getRgb()[:3], dtype=float)
    for region in plot.chart.regions:
        expected += FILL * (np.array(plot.style_now.run_colour(region.colour).getRgb()[:3]) - expected)
    assert np.abs(colours[np.argsort(counts)[-2]] - expected).max() < 3.0, "both tints, one above the other"


@pytest.mark.parametrize("wide", [0, 20, 48, 300])
def test_a_layout_in_the_making_leaves_a_chart_no_room(wide: int) -> None:
    """The window is laid out again and again, and a chart may be drawn at any height that it has meanwhile."""
    stability = find_method("rk4").stability
    assert stability is not None
    dot = Curve(np.array([-0.1]), np.array([0.2]), mark="dot", joined=False, t=np.array([0.0]))
    chart = replace(region_chart([("", "solid", stability)], [dot]), regions=())
    picture = QImage(400, 100, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    for high in range(100):
        laid = ChartPainter(chart, QRectF(0, 0, wide, high), None, typed_style("light", 1.0), compact=True)
        laid.paint_ground(painter)
        laid.paint_curves(painter)
        laid.paint_dots(painter, 0.0)
    painter.end()


def painted(chart: Chart, wide: float, high: float) -> ChartPainter:
    """The chart, painted without a complaint of NumPy or Qt."""
    picture = QImage(400, 100, QImage.Format.Format_RGB32)
    said: list[str] = []
    painter, before = QPainter(picture), qInstallMessageHandler(lambda *message: said.append(message[2]))
    try:
        with np.errstate(all="raise", under="ignore"):
            laid = ChartPainter(chart, QRectF(0, 0, wide, high), None, typed_style("light", 1.0), compact=True)
            laid.paint_ground(painter)
            laid.paint_curves(painter)
            laid.paint_line(painter, 0.5)
            laid.paint_dots(painter, 0.5)
    finally:
        painter.end()
        qInstallMessageHandler(before)
    assert said == []
    return laid


@pytest.mark.parametrize("size", [(0, 50), (50, 0), (50, 38), (50, 50), (66, 68), (76, 20), (300, 90)])
@pytest.mark.parametrize("far", [math.inf, -math.inf, math.nan, 1.7e308])
def test_what_is_infinitely_far_away_is_drawn_in_a_frame_without_room(far: float, size: tuple[int, int]) -> None:
    """Infinity times 0 px is no place: NumPy complained of a band without end, and Qt of marks at no place."""
    mark = Curve(np.array([far]), np.array([-far]), mark="circle", joined=False, t=np.array([0.5]))
    known = Curve(np.array([-1.0, 2.0]), np.array([0.0, 1.0]))
    plane = Chart(x=Axis("Re"), y=Axis("Im"), curves=(known, mark), bands=(Band(0.5, tone="unstable"),))
    laid = painted(plane, *size)
    assert math.isfinite(float(laid.across(math.inf)))
    assert math.isfinite(float(laid.upward(-math.inf)))


@pytest.mark.parametrize("values", [(-1.7e308, 1.7e308), (math.inf, math.inf), (1.7e308, 1.7e308), (0.0, 1.7e308)])
def test_a_curve_over_time_as_far_as_numbers_go_has_a_range_and_ticks(values: tuple[float, float]) -> None:
    curve = Curve(np.array([0.0, 1.0]), np.array(values))
    laid = painted(Chart(curves=(curve,)), 300, 90)
    assert math.isfinite(laid.high - laid.low)
    assert len(laid.value_ticks()) > 1


def test_a_range_without_room_for_numbers_has_no_ticks() -> None:
    """A map of a number as small as numbers go was an error of its bar of colours."""
    assert linear_ticks(0.0, 5e-324, 5) == []
    assert linear_ticks(0.0, 2e-300, 5)[:2] == [0.0, 5e-301]
