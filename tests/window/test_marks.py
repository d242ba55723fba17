"""What a mark in a plane stands for, marks beyond the picture, and the keys of an enlarged plot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.colours import COLOURS
from gui.charts.fit import held
from gui.charts.stability import modes, region_chart
from gui.charts.summary import summary
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.dots import look_at
from gui.qt.drawing.legend import CurveEntry
from gui.qt.drawing.style import style_of
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.axes_view import NOTCH
from gui.qt.plots.header import PlotHeader
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Curve
from solvers.method_registry import find_method
from tests.window.hands import press

SIDES = (-1.0, 1.0), (-2.0, 2.0)


def open_stiff(window: MainWindow, qtbot: QtBot) -> None:
    """A run whose steps are too long, and which therefore ends early."""
    window.session.files.new("rr-stiff")
    qtbot.waitUntil(lambda: window.session.runs.current.state == "failed", timeout=20_000)


@pytest.mark.parametrize(
    ("place", "spot", "arrow"),
    [
        ((0.5, 1.0), (0.5, 1.0), ""),
        ((1.0, -2.0), (1.0, -2.0), ""),
        ((-9.0, 0.0), (-0.9, 0.0), "left"),
        ((9.0, 1.95), (0.9, 1.8), "right"),
        ((2.0, 8.0), (0.9, 1.8), "triangle"),
        ((0.0, -np.inf), (0.0, -1.8), "wedge"),
    ],
)
def test_a_mark_beyond_the_picture_is_an_arrow_at_its_edge(
    place: tuple[float, float], spot: tuple[float, float], arrow: str
) -> None:
    assert held(place, *SIDES, (0.1, 0.2)) == (pytest.approx(spot), arrow)


def test_a_window_and_a_file_draw_one_mark() -> None:
    """A cross is all line; others have a rim of the ground's colour, and those that warn one of their run's."""
    style, runs = style_of("light"), COLOURS[2]
    curve = Curve(np.zeros(1), np.zeros(1), colour=runs, t=np.zeros(1), alarm=np.array([True]), faded=True)
    tint, ground, own = style.dot_colour(curve, 0.0), style.colour("surface"), style.run_colour(runs)
    assert own not in (tint, ground)
    assert look_at(curve, 0.0, style, "") == ("diamond", tint, own)
    assert look_at(curve, 0.0, style, "left") == ("left", tint, own), "the arrow says whose mode it is"
    assert look_at(replace(curve, alarm=None), 0.0, style, "") == ("circle", own, ground)
    assert look_at(replace(curve, alarm=None), 0.0, style, "left") == ("left", own, ground)
    mark, inside, line = look_at(replace(curve, mark="cross"), 0.0, style, "")
    assert (mark, inside) == ("cross", line)
    assert line != ground


def test_modes_have_the_names_of_their_plot() -> None:
    """A pair has one number; where the largest is real at one time and a pair at another, it is λ₁ at both."""
    stability = find_method("rk4").stability
    assert stability is not None
    found = modes(np.array([[-5.0, -1 + 1j, -1 - 1j], [-2 + 2j, -2 - 2j, 0.0]]), stability, np.array([0.0, 1.0]))
    assert [mode.tag for mode in found] == ["λ₁", "λ₁*", "λ₂", "λ₂*"]
    assert np.nan_to_num(found[0].x, nan=9.0).tolist() == [-5.0, -2.0]
    assert np.nan_to_num(found[1].y, nan=9.0).tolist() == [9.0, -2.0]
    assert np.nan_to_num(found[2].x, nan=9.0).tolist() == [-1.0, 0.0]
    chart = region_chart([("", "solid", stability)], found)
    assert "λ₁ the largest" in chart.details
    assert "λ₁* the conjugate of λ₁" in chart.details
    assert "a diamond where the method lets a mode grow" in chart.details
    assert region_chart([("", "solid", stability)]).details == ""
    said = summary(chart, 0.0)
    assert "mode, λ₁: from" in said


def test_a_file_shows_the_arrow_and_the_name(qtbot: QtBot) -> None:
    stability = find_method("rk1").stability
    assert stability is not None

    def drawn(z: complex, tag: str) -> np.ndarray:
        (mode,) = modes(np.array([[z]]), stability, np.zeros(1))
        image = QImage(400, 300, QImage.Format.Format_RGB888)
        image.fill(Qt.GlobalColor.white)
        chart = region_chart([("", "solid", stability)], [replace(mode, tag=tag)])
        painter = QPainter(image)
        ChartPainter(chart, QRectF(0, 0, 400, 300), None, style_of("light")).paint_dots(painter, 0.0)
        painter.end()
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(300, image.bytesPerLine())[:, :1200]
        return np.asarray((pixels.reshape(300, 400, 3) < 250).any(axis=2))

    inside, beyond, named = drawn(-1 + 0j, ""), drawn(-90 + 0j, ""), drawn(-90 + 0j, "λ₁")
    rows, columns = np.nonzero(beyond)
    assert columns.max() - columns.min() < 20
    assert columns.max() < np.nonzero(inside)[1].min(), "at the left edge"
    assert abs(rows.mean() - np.nonzero(inside)[0].mean()) < 2.0, "at its own height"
    assert named.sum() > beyond.sum() + 10


def test_a_mode_that_grows_is_as_large_as_others_and_over_all_of_them(window: MainWindow, qtbot: QtBot) -> None:
    """Also over the calm one of a pinned run at almost the same place; of calm ones the current run's is on top."""
    session = window.session
    open_stiff(window, qtbot)
    session.playback.pause()
    session.edit("step", 0.0246)
    qtbot.waitUntil(lambda: session.runs.current.judged)
    session.comparisons.pin()
    session.edit("step", 0.0256)
    session.view.set(enlarged="stability")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert isinstance(plot, PlanePlot)
    session.playback.seek(0.65)
    qtbot.waitUntil(lambda: plot.settled and len({curve.run for curve in plot.chart.curves}) == 2)
    qtbot.waitUntil(lambda: any(curve.alarmed(0.65) for curve in plot.chart.curves))
    plot.move_cursor(0.65)
    drawn = plot.dots.points()
    *calm, grown = drawn
    assert grown.symbol() != "o"
    assert {point.symbol() for point in calm} == {"o"}, "it is the only one, and the last: on top"
    # Half of a diamond 0.8 as wide as high, and a circle.
    assert 0.4 * grown.size() ** 2 >= max(np.pi / 4.0 * point.size() ** 2 for point in calm)
    own = next(curve for curve in plot.chart.curves if not curve.alarmed(0.65))
    assert own.colour == session.runs.current.colour
    assert calm[-1].brush().color() == plot.style_now.dot_colour(own, 0.65), "the current run's"


def test_the_enlarged_region_says_what_its_marks_are(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    open_stiff(window, qtbot)
    session.playback.pause()
    session.view.set(enlarged="stability")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert isinstance(plot, PlanePlot)
    qtbot.waitUntil(lambda: plot.settled and bool(plot.chart.regions))
    session.playback.seek(0.6)
    symbols = {point["symbol"] if isinstance(point, dict) else point.symbol() for point in plot.dots.points()}
    assert symbols & {"t", "t1", "t2", "t3"}
    assert any(item.isVisible() and item.toPlainText() == "λ₁" for item in plot.names)
    caption = window.enlarged.caption
    assert not caption.isHidden()
    for words in ("marks outside the picture", "points: hλ of the modes", "λ₁ the largest"):
        assert words in caption.text()
        assert words in summary(plot.whole, 0.6, plot.sides)
    lane = window.enlarged
    session.view.set(enlarged="steps")
    qtbot.waitUntil(lambda: lane.plot is not None and lane.plot.settled)
    assert caption.text() == lane.plot.header.unsaid  # type: ignore[union-attr]


def test_what_is_in_sight_in_its_place_is_so_when_it_is_enlarged(window: MainWindow, qtbot: QtBot) -> None:
    """A mark left of the region was inside the flat plot and an arrow at the edge of the large one."""
    session = window.session
    open_stiff(window, qtbot)
    session.playback.pause()
    session.playback.seek(0.1)
    session.view.set(plots=["motion", "steps", "stability", "step-size"])
    panel = window.findChild(PlotsPanel)
    assert panel is not None
    small = panel.plots["stability"]
    assert isinstance(small, PlanePlot)
    qtbot.waitUntil(lambda: small.isVisible() and small.settled and bool(small.chart.regions))
    session.view.set(enlarged="stability")
    assert window.enlarged is not None
    large = window.enlarged.plot
    assert isinstance(large, PlanePlot)
    qtbot.waitUntil(lambda: large.settled and bool(large.chart.regions))
    assert small.area.width() / small.area.height() > 1.2 * large.area.width() / large.area.height()
    for (low, high), (least, most) in zip(large.sides, small.sides, strict=True):
        air = 1e-6 * (most - least)
        assert low <= least + air
        assert most - air <= high
    assert "arrow" not in small.outside(0.1)
    assert "arrow" not in large.outside(0.1)
    large.area.zoom(4.0, 0.0)
    assert "arrow" in large.outside(0.1)
    large.show_whole()
    assert "arrow" not in large.outside(0.1), "and so it is again after a zoom"


@pytest.mark.parametrize("key", ["stability", "steps", "error"])
def test_what_fills_the_middle_has_the_keys(window: MainWindow, qtbot: QtBot, key: str) -> None:
    """From wherever they were: Up and Down zoom, Esc gives them back, and Tab goes on where a person was."""
    integrator = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(integrator, IntegratorPanel)
    button = integrator.picker.button
    button.setFocus(Qt.FocusReason.TabFocusReason)
    window.session.view.set(enlarged=key)
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert plot is not None
    qtbot.waitUntil(lambda: QApplication.focusWidget() is plot.widget)
    assert is_framed(plot.widget)
    qtbot.waitUntil(lambda: plot.settled)
    assert not plot.zoomed()
    QApplication.processEvents()  # what is said below it takes its room
    before = plot.area.viewPixelSize()[0]
    press(qtbot, window, Qt.Key.Key_Up)
    QApplication.processEvents()
    assert plot.zoomed()
    assert plot.area.viewPixelSize()[0] == pytest.approx(before / NOTCH, rel=1e-3)
    press(qtbot, window, Qt.Key.Key_Down)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.session.view.settings.enlarged == ""
    focus = QApplication.focusWidget()
    assert focus is None or not window.enlarged.isAncestorOf(focus)
    press(qtbot, window, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert integrator.isAncestorOf(focus)
    assert focus is not button


def test_only_an_enlarged_plot_takes_the_arrows(window: MainWindow, qtbot: QtBot) -> None:
    """In the panel they scroll, and with Ctrl, Shift or Alt they are somebody else's."""
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    window.session.view.set(enlarged="error")
    assert window.enlarged is not None
    large = window.enlarged.plot
    assert large is not None
    qtbot.waitUntil(lambda: large.settled and panel.plots["error"].settled)
    none, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    control, pad = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.KeypadModifier

    def taken(plot: PlotWidget, key: Qt.Key, modifier: Qt.KeyboardModifier) -> bool:
        factors: list[float] = []
        plot.widget.zoom_key.connect(factors.append)
        event = QKeyEvent(QEvent.Type.KeyPress, key, modifier)
        plot.widget.keyPressEvent(event)
        plot.widget.zoom_key.disconnect(factors.append)
        assert factors == ([NOTCH if key == Qt.Key.Key_Up else 1.0 / NOTCH] if event.isAccepted() else [])
        return event.isAccepted()

    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        assert taken(large, key, none)
        assert taken(large, key, pad), "on the number pad, too"
        assert not taken(large, key, shift)
        assert not taken(large, key, control)
        assert not taken(panel.plots["error"], key, none)
    assert not taken(large, Qt.Key.Key_Left, none)


def test_what_was_enlarged_once_does_not_say_where_tab_goes_on_later(window: MainWindow, qtbot: QtBot) -> None:
    integrator = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(integrator, IntegratorPanel)
    assert window.enlarged is not None
    inside = [one for one in window.enlarged.middle.findChildren(QWidget) if one.focusPolicy() and one.isVisible()]
    # From a button, from the middle, of which nothing is remembered, and from the button again.
    for start in (integrator.picker.button, inside[0], integrator.picker.button):
        start.setFocus(Qt.FocusReason.MouseFocusReason)
        window.session.view.set(enlarged="error")
        press(qtbot, window, Qt.Key.Key_Escape)
        press(qtbot, window, Qt.Key.Key_Tab)
        there = QApplication.focusWidget()
        assert there is not None
        assert integrator.isAncestorOf(there) == integrator.isAncestorOf(start)


def test_axes_have_their_tips(window: MainWindow, qtbot: QtBot) -> None:
    """What asks for the name of a mark hid the tip of the axis, which is the only word on what its click does."""
    assert window.enlarged is not None
    log = "Click for a logarithmic axis"
    for key, tip in (
        ("joints", log),
        ("error", "Click for a linear axis"),
        ("phase-plane", log),
        ("stability", ""),
    ):
        window.session.view.set(enlarged=key)
        plot = window.enlarged.plot
        assert plot is not None
        qtbot.waitUntil(lambda plot=plot: plot.settled and not plot.chart.blank)
        QApplication.processEvents()
        axis, viewport = plot.value_axis, plot.widget.viewport()
        spot = plot.widget.mapFromScene(axis.mapToScene(axis.boundingRect().center()))
        QToolTip.hideText()
        QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, spot, viewport.mapToGlobal(spot)))
        assert axis.toolTip() == tip
        assert QToolTip.text() == tip


def test_a_sheet_keeps_its_keys(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["help.palette"].trigger()
    sheet = QApplication.focusWidget()
    assert sheet is not None
    window.session.view.set(enlarged="stability")
    assert QApplication.focusWidget() is sheet
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.session.view.settings.enlarged == "stability"


def test_the_card_says_which_marks_lie_beyond(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    open_stiff(window, qtbot)
    session.playback.pause()
    session.playback.seek(0.6)
    dock = next(dock for dock in window.docks if dock.kind.key == "integrator")
    integrator = dock.panel
    assert isinstance(integrator, IntegratorPanel)
    dock.present(integrator.card.picture)
    qtbot.waitUntil(lambda: "outside the picture, " in integrator.card.modes.text())
    assert "Names: λ₁ the largest" in integrator.card.modes.text()
    session.edit("step", 0.001)
    qtbot.waitUntil(lambda: "outside" not in integrator.card.modes.text() and "Points" in integrator.card.modes.text())


def test_the_largest_mode_is_the_first_in_whatever_order_they_come() -> None:
    stability = find_method("heun3").stability
    assert stability is not None
    found = modes(np.array([[0.0, -3.0 + 1.0j, -3.0 - 1.0j], [complex(np.inf, np.nan), -1.0, -2.0]]), stability)
    at_first = {curve.tag: complex(curve.x[0], curve.y[0]) for curve in found if np.isfinite(curve.x[0])}
    assert at_first == {"λ₁": -3.0 + 1.0j, "λ₁*": -3.0 - 1.0j, "λ₂": 0.0}


def crosses_of(window: MainWindow) -> tuple[PlotWidget, pg.ScatterPlotItem | None]:
    panel = window.findChild(PlotsPanel)
    assert panel is not None
    plot = panel.plots["step-size"]
    return plot, next((item for item in plot.items if isinstance(item, pg.ScatterPlotItem)), None)


def test_marks_grow_with_the_type_and_are_explained(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("rr-swing")
    session.edit_many({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9})
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=20_000)
    qtbot.waitUntil(lambda: any(crosses_of(window)[1:]), timeout=20_000)
    before = crosses_of(window)[1]
    assert before is not None
    usual = before.opts["size"]
    session.preferences.set_text_size(150)
    qtbot.waitUntil(lambda: crosses_of(window)[1].opts["size"] == pytest.approx(1.5 * usual))
    plot, crosses = crosses_of(window)
    assert crosses is not None
    line = next(item for item in plot.items if isinstance(item, pg.PlotCurveItem))
    assert crosses.opts["pen"].color() != line.opts["pen"].color(), "a cross on its run's line is no speck of it"
    curves = plot.whole.curves
    assert all(curve.belongs(curves[0].key) for curve in curves), "and is hidden with it"
    session.preferences.set_text_size(100)
    qtbot.waitUntil(lambda: crosses_of(window)[1].opts["size"] == usual)


def test_a_legend_leaves_room_for_what_marks_stand_for(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    header = PlotHeader("Step size")
    QVBoxLayout(page).addWidget(header)
    page.show()
    entries = tuple(CurveEntry("#0072B2", "solid", "", f"0.0{k} s") for k in (801, 455))
    header.show_entries(entries, entries)
    header.show_hint("× rejected")

    def explained(width: int, height: int) -> bool:
        page.resize(width, height)
        QApplication.processEvents()
        header.arrange()
        QApplication.processEvents()
        return header.hint.shown_text() == "× rejected"

    assert explained(900, 120)
    assert [width for width in range(230, 600, 10) if not explained(width, 300)] == [], (
        "a tall plot has a line for both"
    )
    without = [width for width in range(230, 600, 10) if not explained(width, 120)]
    assert without, "a low one has none to spare"
