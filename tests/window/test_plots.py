from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.charts import registry
from gui.charts.plot import NOT_COMPUTED
from gui.charts.shown import Shown
from gui.charts.table import table_text
from gui.qt.export.charts_file import write_page
from gui.qt.panels.plots import TALL_HEIGHT, PlotsPanel
from gui.qt.plots.header import LEAST_HINT, TALL
from gui.qt.plots.items import pen_of
from gui.qt.plots.legend import width_of
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.plots.plot import PlotWidget
from gui.qt.plots.save import window_style
from gui.qt.plots.time_plot import TimePlot
from gui.qt.style import theme
from tests.window.hands import PATIENCE, screenshot

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> PlotsPanel:
    made = PlotsPanel(session)
    qtbot.addWidget(made)
    made.resize(460, 900)
    with qtbot.waitExposed(made):
        made.show()
    qtbot.waitUntil(lambda: bool(made.plots), timeout=10_000)
    return made


def settle(qtbot: QtBot, plot: PlotWidget) -> None:
    qtbot.waitUntil(lambda: plot.settled, timeout=5000)


def seen(panel: PlotsPanel) -> list[str]:
    """The plots on the screen, from top to bottom."""
    stacked = [panel.stack.widget(index) for index in range(panel.stack.count())]
    return [plot.plot.key for plot in stacked if isinstance(plot, PlotWidget) and plot.isVisible()]


def time_plot(panel: PlotsPanel, key: str) -> TimePlot:
    plot = panel.plots[key]
    assert isinstance(plot, TimePlot)
    return plot


def place(plot: PlotWidget, x: float, y: float | None = None) -> QPoint:
    """Where the plot's point lies in its viewport."""
    if y is None:
        y = sum(plot.area.viewRange()[1]) / 2
    return plot.widget.mapFromScene(plot.area.mapViewToScene(QPointF(x, y)))


def near(one: QColor, other: QColor) -> bool:
    """Whether the colours are alike, whatever smoothing does to a thin line."""
    return abs(one.red() - other.red()) + abs(one.green() - other.green()) + abs(one.blue() - other.blue()) < 90


def test_a_run_that_blew_up_is_drawn_beside_one_that_did_not(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    session.edit("duration", 10.0)
    session.comparisons.pin()
    session.edit("method", "rk1")
    session.edit("step", 0.5)
    session.playback.seek(0.0)
    for key in ("error", "energy"):
        plot = time_plot(panel, key)
        settle(qtbot, plot)
        wild, calm = plot.chart.curves[:2]
        assert (wild.wild, calm.wild) == (True, False)
        low, high = plot.area.viewRange()[1]
        assert low < calm.y[calm.y > 0].max() < 10**high
        assert low < math.log10(wild.y[wild.y > 0][0]) < high, "its beginning is on the axis"
    plot = time_plot(panel, "joints")
    settle(qtbot, plot)
    picture = plot.widget.grab().toImage()
    blue = pen_of(plot.chart.curves[0], plot.style_now).color()
    early = [place(plot, t).x() for t in (0.1, 0.9)]
    columns = range(*early)
    hits = [x for x in columns if any(near(picture.pixelColor(x, y), blue) for y in range(picture.height()))]
    assert len(hits) > 0.8 * len(columns), "a line with a point at 1e27 is not lost"


# -- the dock ---------------------------------------------------------------------------------------------------------


def test_four_plots_are_shown_at_first_and_the_choice_is_remembered(panel: PlotsPanel, session: Session) -> None:
    assert seen(panel) == ["error", "joints", "energy", "step-size"]
    assert set(registry.plots()) >= {"error", "joints", "energy", "step-size", "phase-plane", "tip-path", "extra"}
    panel.set_shown("tip-path", True)
    panel.set_shown("energy", False)
    assert seen(panel) == ["error", "joints", "step-size", "tip-path"]
    assert set(panel.plots) == set(seen(panel)), "plots for other robots wait until there is such a robot"
    kept = session.settings.get("view.plots", [])
    assert {"tip-path", "orientation"} <= set(kept)
    assert "energy" not in kept
    order = [panel.stack.widget(index) for index in range(panel.stack.count())]
    assert order.index(panel.plots["tip-path"]) > order.index(panel.plots["step-size"])


def test_only_the_lowest_time_plot_names_the_time(panel: PlotsPanel) -> None:
    labels = {key: time_plot(panel, key).across_axis.label for key in seen(panel)}
    named = [key for key, label in labels.items() if label is not None and label.isVisible()]
    assert named == ["step-size"]


def first_ink(widget: QWidget) -> int:
    """The leftmost column of pixels with something written [px]."""
    image = widget.grab().toImage()
    light = [[image.pixelColor(x, y).lightness() for y in range(image.height())] for x in range(image.width() // 2)]
    return next(x for x, column in enumerate(light) if any(abs(one - light[1][1]) > 60 for one in column))


def test_names_of_plots_stand_below_each_other(panel: PlotsPanel) -> None:
    headers = [plot.header for plot in panel.plots.values()]
    assert {header.name.isVisible() for header in headers} == {True, False}, "some have a choice for a name"
    starts = {header.variants.accessibleName(): first_ink(header) for header in headers}
    assert max(starts.values()) - min(starts.values()) <= 2, starts


def test_a_legend_stands_beside_the_name_where_it_can(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    header = panel.plots["error"].header
    for width, runs, below in ((640, 1, False), (240, 1, False), (240, 2, True)):
        panel.resize(width, 900)
        if runs > 1:
            session.comparisons.pin()
        qtbot.waitUntil(lambda width=width: header.width() > width - 40 and header.width() <= width)
        qtbot.waitUntil(lambda below=below: (header.legend.y() > header.name.y() + 5) == below)
        room = header.hint.maximumWidth()
        assert room >= LEAST_HINT or (room == 0 and width < 640), "cut off, but never to a single letter"
        assert header.toolTip() == "against the reference"
        assert header.hint.shown_text() in ("", "against the reference"), "whole, or not at all"


def test_a_value_that_grows_keeps_its_legend_whole(panel: PlotsPanel, qtbot: QtBot) -> None:
    header = panel.plots["error"].header
    panel.resize(240, 900)
    qtbot.waitUntil(lambda: 200 < header.width() <= 240)
    (entry,) = header.legend.entries
    for value in ("1\u00a0rad", "−1.23456·10⁻¹²\u00a0rad"):
        longer = (replace(entry, value=value),)
        header.show_entries(longer, longer)
        qtbot.waitUntil(lambda longer=longer: width_of(longer, header.legend) <= header.legend.width())
    panel.resize(240, 4000)
    qtbot.waitUntil(lambda: panel.plots["error"].height() > TALL)
    named = (replace(entry, name="Runge-Kutta 2 (Heun, explicit trapezoidal, improved Euler)"), entry)
    header.show_entries(named, (entry, entry))
    assert header.legend.entries == (entry, entry), "a name longer than a line would lose its beginning"
    partly = (replace(entry, name="Runge-Kutta 2"), entry, entry, entry)
    header.show_entries(partly, (entry,) * 4)
    assert header.legend.entries == (entry,) * 4, "no line of its own for the name of one run among others"


def test_stacked_plots_align(panel: PlotsPanel, qtbot: QtBot) -> None:
    shown = [panel.plots[key] for key in seen(panel)]
    for plot in shown:
        settle(qtbot, plot)
    lefts = {round(plot.area.mapRectToScene(plot.area.boundingRect()).left(), 3) for plot in shown}
    widths = {round(plot.area.width(), 3) for plot in shown}
    assert len(lefts) == 1
    assert len(widths) == 1


@pytest.mark.parametrize("key", ["error", "joints", "energy", "step-size"])
def test_a_click_seeks_in_every_time_plot(key: str, panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    plot = time_plot(panel, key)
    settle(qtbot, plot)
    qtbot.mouseClick(plot.widget.viewport(), LEFT, pos=place(plot, 1.25))
    assert session.playback.t == pytest.approx(1.25, abs=0.02)
    for other in seen(panel):
        assert time_plot(panel, other).time_line.value() == session.playback.t


def test_the_legend_shows_the_values_at_the_playhead(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    plot = time_plot(panel, "joints")
    settle(qtbot, plot)
    session.playback.seek(1.0)
    row = session.runs.current
    assert row.run is not None
    state = row.run.sample(np.array([1.0]))[0]
    first, second = plot.legend.entries
    assert (first.name, second.name) == ("q₁", "q₂")
    assert float(first.value.rstrip("°").replace("−", "-")) == pytest.approx(math.degrees(state[0]), abs=0.06)
    assert float(second.value.rstrip("°").replace("−", "-")) == pytest.approx(math.degrees(state[1]), abs=0.06)


def test_angles_are_shown_in_radians_if_wished(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    plot = time_plot(panel, "joints")
    settle(qtbot, plot)
    degrees = plot.chart.curves[0].y
    session.view.set(degrees=False)
    settle(qtbot, plot)
    assert plot.chart.y.label == "angle [rad]"
    assert plot.chart.curves[0].y == pytest.approx(np.radians(degrees))


def test_zoom_is_shared_and_does_not_stop_following(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    plot = time_plot(panel, "error")
    plot.range.show(0.2, 0.7)
    for key in seen(panel):
        assert time_plot(panel, key).area.viewRange()[0] == pytest.approx([0.2, 0.7])
    session.playback.seek(1.5)
    start, end = plot.area.viewRange()[0]
    assert start <= 1.5 <= end
    assert end - start == pytest.approx(0.5)
    panel.show_whole()
    assert plot.area.viewRange()[0] == pytest.approx([0.0, 2.0])


def test_a_new_duration_is_shown_whole(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    session.edit("duration", 3.0)
    settle(qtbot, panel.plots["joints"])
    assert time_plot(panel, "joints").area.viewRange()[0] == pytest.approx([0.0, 3.0])


def test_plots_follow_the_runs(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    plot = time_plot(panel, "error")
    settle(qtbot, plot)
    coarse = plot.chart.curves[0].y.max()
    session.comparisons.pin()
    session.edit("step", 0.001)
    settle(qtbot, plot)
    assert len(plot.chart.curves) == 2
    assert plot.chart.curves[0].y.max() < 1e-3 * coarse
    assert plot.chart.curves[0].colour == session.runs.current.colour
    assert plot.chart.curves[1].dash != "solid"
    session.runs.show(session.runs.all[1].id, False)
    settle(qtbot, plot)
    assert len(plot.chart.curves) == 1


def test_each_error_says_against_what_it_is_measured(panel: PlotsPanel, qtbot: QtBot) -> None:
    settle(qtbot, panel.plots["error"])
    settle(qtbot, panel.plots["energy"])
    assert panel.plots["error"].header.hint.text() == "against the reference"
    assert panel.plots["energy"].header.hint.text() == "against its initial value"
    assert panel.plots["error"].chart.y.label == "error [rad]"
    assert panel.plots["step-size"].chart.y.label == "step [s]"


def test_errors_beyond_the_trusted_part_are_grey(session: Session, qtbot: QtBot) -> None:
    session.edit_many({"duration": 60.0, "step": 0.005})
    reference = session.runs.current.reference
    assert reference is not None
    plot = TimePlot(session, registry.plots()["error"])
    qtbot.addWidget(plot)
    plot.update_now()
    assert reference.trusted_until < 60.0
    trusted, rest = plot.chart.curves
    assert trusted.x[-1] <= reference.trusted_until < rest.x[1]
    assert pen_of(rest, plot.style_now).color() != pen_of(trusted, plot.style_now).color()
    assert [(band.low, band.high) for band in plot.chart.bands] == [(reference.trusted_until, 60.0)]


def test_rejected_steps_are_crosses(session: Session, qtbot: QtBot) -> None:
    session.edit_many({"method": "dopri5", "rtol": 1e-3, "atol": 1e-3, "duration": 10.0, "first_step": 1.0})
    plot = TimePlot(session, registry.plots()["step-size"])
    qtbot.addWidget(plot)
    plot.update_now()
    crosses = [curve for curve in plot.chart.curves if curve.mark == "cross"]
    assert session.runs.current.run is not None
    assert sum(curve.x.size for curve in crosses) == session.runs.current.run.counts.rejected > 0


def test_a_low_panel_has_the_times_and_no_title(panel: PlotsPanel, session: Session, qtbot: QtBot) -> None:
    session.view.set(plots=("joints", "energy", "step-size"))
    lowest = time_plot(panel, "step-size")
    assert lowest.across_axis.label.isVisible()
    roomy = panel.stack.minimumSizeHint().height()
    panel.resize(460, 290)
    assert not lowest.across_axis.label.isVisible(), "the timeline below has the time, too"
    qtbot.waitUntil(lambda: panel.stack.minimumSizeHint().height() < roomy, timeout=5000)
    panel.resize(460, 900)
    assert lowest.across_axis.label.isVisible()


def test_the_energy_plot_is_silent_where_energy_means_nothing(
    panel: PlotsPanel, session: Session, qtbot: QtBot
) -> None:
    session.edit("task.torque", "pd")
    settle(qtbot, panel.plots["energy"])
    assert panel.plots["energy"].message.isVisible()
    assert "not an error" in panel.plots["energy"].message.text()
    assert "Dampers" in panel.plots["energy"].message.text()
    assert panel.plots["energy"].message.x() > panel.plots["energy"].value_axis.width(), "beside the axis"
    assert not time_plot(panel, "energy").time_line.isVisible()
    assert panel.plots["energy"].value_axis.labelText == ""
    session.edit("task.torque", "none")
    settle(qtbot, panel.plots["energy"])
    assert time_plot(panel, "energy").time_line.isVisible()
    assert "J" in panel.plots["energy"].value_axis.labelText


def test_a_click_in_the_phase_plane_seeks(session: Session, qtbot: QtBot) -> None:
    plot = PlanePlot(session, registry.plots()["phase-plane"])
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    with qtbot.waitExposed(plot):
        plot.show()
    curve = plot.chart.curves[0]
    times = curve.t
    assert times is not None
    index = times.size // 3
    spot = place(plot, float(curve.x[index]), float(curve.y[index]))
    qtbot.mouseClick(plot.widget.viewport(), LEFT, pos=spot)
    assert session.playback.t == pytest.approx(times[index], abs=0.06)


def test_plots_take_the_theme(panel: PlotsPanel, qtbot: QtBot, artifacts: Path) -> None:
    panel.set_shown("phase-plane", True)
    for name, dark in (("light", False), ("dark", True)):
        theme.look().choose(name)
        for key in seen(panel):
            plot = panel.plots[key]
            settle(qtbot, plot)
            assert (plot.widget.backgroundBrush().color().lightness() < 128) is dark
        assert screenshot(qtbot, panel, artifacts / f"plots-{name}.png")
    theme.look().choose("projector")
    panel.set_shown("energy", False)
    panel.resize(460, 700)
    plane = panel.plots["phase-plane"]
    qtbot.waitUntil(lambda: plane.widget.minimumHeight() > TALL_HEIGHT, timeout=PATIENCE)
    qtbot.waitUntil(lambda: panel.area.verticalScrollBar().maximum() == 0, timeout=PATIENCE)
    theme.look().choose("light")


def test_data_and_pictures_are_saved(panel: PlotsPanel, qtbot: QtBot, tmp_path: Path) -> None:
    plot = panel.plots["joints"]
    settle(qtbot, plot)
    lines = table_text(plot.chart).strip().split("\n")
    assert "q₁" in lines[0]
    assert len(lines) == 1 + max(curve.x.size for curve in plot.chart.curves)
    actions = {action.text() for action in plot.menu().actions()}
    assert {"Reset zoom", "Follow the playhead", "Copy data", "Copy picture", "Save data…", "Save picture"} <= actions
    next(action for action in plot.menu().actions() if action.text() == "Copy data").trigger()
    assert QGuiApplication.clipboard().text().count("\n") == len(lines)
    for suffix, start in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        file = tmp_path / f"plot{suffix}"
        write_page(plot.page(window_style()), file)
        assert file.read_bytes().startswith(start)
        assert file.stat().st_size > 3000


def test_plots_wait_for_the_first_run(session: Session) -> None:
    empty = replace(session.runs.current, run=None, reference=None)
    for key, plot in registry.plots().items():
        chart = plot.drawn(Shown.of([empty]))
        assert (chart.blank, chart.empty) == (True, NOT_COMPUTED), key
    hidden = registry.plots()["joints"].drawn(Shown.of([replace(session.runs.current, visible=False)]))
    assert hidden.empty == "Every run is hidden"


def test_a_playhead_that_moves_makes_no_curve_again(
    panel: PlotsPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in seen(panel):
        settle(qtbot, panel.plots[key])
    monkeypatch.setattr("gui.qt.plots.time_plot.fill", lambda *_, **__: pytest.fail("a curve was drawn for a playhead"))
    session.playback.seek(1.0)
    qtbot.waitUntil(lambda: time_plot(panel, "joints").time_line.value() == 1.0)


def test_a_plot_is_hidden_and_shown_by_its_entry_in_the_menu(panel: PlotsPanel) -> None:
    key = panel.shown[0]
    entry = next(action for action in panel.chooser.menu().actions() if action.data() == key)
    entry.trigger()
    assert (key in panel.shown, entry.isChecked()) == (False, False)
    entry.trigger()
    assert (key in panel.shown, entry.isChecked()) == (True, True)
