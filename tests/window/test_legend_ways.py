"""The legend above a plot depends on what is shown and on its room, never on what was there before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.charts import registry
from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.palette import Palette
from gui.qt.drawing.legend import CurveEntry, cell_of, flowing_in
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.enlarged import plot_widget
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.main_window import MainWindow
from robots.scenario.file import save_scenario
from robots.scenario.presets import find_scenario
from tests.window.hands import PATIENCE, press, wait_done
from tests.window.test_plots import settle
from tests.window.test_plots_by_hand import settled

PRESET, WORDS = "rr-euler", "Euler creates energy"


def by_gallery(window: MainWindow, qtbot: QtBot, _: Path) -> None:
    window.files.new()
    qtbot.waitUntil(lambda: isinstance(window.sheet, Gallery))
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    qtbot.keyClicks(gallery.search, WORDS)
    qtbot.mouseClick(next(card for card in gallery.found() if card.key == PRESET), Qt.MouseButton.LeftButton)


def by_palette(window: MainWindow, qtbot: QtBot, _: Path) -> None:
    press(qtbot, window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, WORDS)
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)


def by_file(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    save_scenario(find_scenario(PRESET), folder / "euler.json")
    window.session.files.open(folder / "euler.json")


def by_undo(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    by_file(window, qtbot, folder)
    wait_done(qtbot, window)
    window.session.edit("method", "dopri5")
    wait_done(qtbot, window)
    window.actions_by_key["edit.undo"].trigger()


def by_presentation(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    by_file(window, qtbot, folder)
    wait_done(qtbot, window)
    press(qtbot, window, Qt.Key.Key_F5)
    assert window.isFullScreen()
    press(qtbot, window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen())


WAYS: tuple[Callable[[MainWindow, QtBot, Path], None], ...] = (
    by_gallery,
    by_palette,
    by_file,
    by_undo,
    by_presentation,
)


def plots_of(window: MainWindow) -> dict[str, PlotWidget]:
    """The plots that are shown."""
    panel = window.findChild(PlotsPanel)
    return {key: plot for key, plot in panel.plots.items() if plot.isVisible()}


def names_of(window: MainWindow) -> dict[str, list[str]]:
    """What the legends say of curves."""
    return {key: [entry.name for entry in plot.legend.entries] for key, plot in plots_of(window).items()}


def wait_still(window: MainWindow, qtbot: QtBot) -> None:
    """Until every plot shows the present run with its reference."""
    wait_done(qtbot, window)
    runs = window.session.runs
    qtbot.waitUntil(lambda: runs.current.reference_state != "computing", timeout=PATIENCE)
    window.session.playback.pause()
    qtbot.waitUntil(lambda: bool(plots_of(window)), timeout=PATIENCE)  # also after a presentation
    qtbot.waitUntil(lambda: all(plot.settled for plot in plots_of(window).values()), timeout=PATIENCE)
    QApplication.processEvents()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("before", ["ur5e-seam"])
def test_a_run_has_the_same_names_by_every_way(
    shared_window: MainWindow, qtbot: QtBot, tmp_path: Path, way: Callable[..., None], before: str
) -> None:
    """An arm whose errors had no room for a name left none to the next one's."""
    window, playback = shared_window, shared_window.session.playback
    window.resize(1280, 720)
    window.session.files.new(before)
    wait_still(window, qtbot)
    way(window, qtbot, tmp_path)
    wait_still(window, qtbot)
    assert window.session.scenario.method == "rk1"
    window.resize(1280, 720)
    found = []
    for t in (0.0, 0.3, playback.end):
        playback.seek(t)
        QApplication.processEvents()
        found.append(names_of(window))
        for plot in plots_of(window).values():
            plot.header.arrange()
        found.append(names_of(window))
    assert all(one == found[0] for one in found), "nor do they come and go with the playhead"
    known = KNOWN.setdefault("names", found[0])
    assert found[0] == known


KNOWN: dict[str, dict[str, list[str]]] = {}
"""What the first way has led to."""


def test_an_enlarged_plot_names_each_joint_of_all_runs_once(shared_window: MainWindow, qtbot: QtBot) -> None:
    window, session = shared_window, shared_window.session
    window.resize(1280, 720)
    session.files.new("pa10-circle")
    session.comparisons.pin()
    session.edit("method", "rk1")
    wait_still(window, qtbot)
    session.view.set(enlarged="joints")
    assert window.enlarged is not None
    assert window.enlarged.plot is not None
    plot = settled(window.enlarged.plot, qtbot)
    qtbot.waitUntil(lambda: len(plot.legend.places) == 9, timeout=PATIENCE)
    assert all(entry.name for _, entry in plot.legend.places)
    sizes = sorted(len(entry.curves) for _, entry in plot.legend.places)
    assert sizes == [2] * 7 + [7] * 2, "joints of both runs, and runs with all joints"
    assert plot.legend.height() < 0.3 * plot.height()
    joint = next(entry for _, entry in plot.legend.places if len(entry.curves) == 2)
    for hidden in (2, 0):
        plot.hide_or_show(joint.curves)
        assert len(plot.hidden) == hidden
    session.view.set(enlarged="")


@pytest.mark.parametrize(("runs", "columns"), [(2, 2), (2, 3), (2, 5), (3, 3), (3, 4)])
def test_runs_with_names_have_pairs_of_whole_quantities(runs: int, columns: int) -> None:
    measure = QFontMetricsF(QGuiApplication.font()).horizontalAdvance
    one = CurveEntry("#000000", "solid", "run, q1 shoulder", "0.0°")
    entries = [replace(one, curve=(f"#{run}", "solid", f"q{k}")) for run in range(runs) for k in range(6)]
    width = (columns + 0.1) * cell_of(one, measure)[1]
    lines = flowing_in(entries, measure, width, 8)
    assert sum(map(len, lines)) == len(entries)
    assert all(len(line) <= columns for line in lines)
    for joint in range(6):
        assert sum(any(cell[0].curve[2] == f"q{joint}" for cell in line) for line in lines) == 1


@pytest.mark.parametrize(("wide", "brief"), [(620, True), (2600, False)])
def test_long_names_of_runs_are_brief_where_they_would_take_many_lines(
    session: Session, qtbot: QtBot, artifacts: Path, wide: int, brief: bool
) -> None:
    """Four long names took six lines of an enlarged plot; all of them have one form, whole or brief."""
    for method in ("rk1", "rk2", "dopri5"):
        session.comparisons.pin()
        session.edit("method", method)
    plot = plot_widget(session, "joints")
    qtbot.addWidget(plot)
    plot.header.roomy = plot.names_every_run = True
    plot.resize(wide, 500)
    plot.show()
    plot.update_now()
    qtbot.waitUntil(lambda: len(plot.header.legend.entries) == 8)
    plot.header.arrange()
    legend = plot.header.legend
    plot.grab().save(str(artifacts / f"legend-{wide}.png"))
    first = {entry.name.partition(", ")[0].partition(" q")[0] for entry in legend.entries}
    assert legend.lines <= 4
    assert ("RK1" in first) is brief, first
    assert ("Runge-Kutta 1 (explicit Euler)" in first) is not brief, first
    assert any("Runge-Kutta 1 (explicit Euler)" in entry.tip for entry in legend.entries), "the tip has all of it"
    plot.release()


def test_a_narrow_legend_in_a_plane_names_every_run_and_large_type_has_room(session: Session, qtbot: QtBot) -> None:
    plot = PlanePlot(session, registry.plots()["phase-plane"])
    qtbot.addWidget(plot)
    plot.resize(130, 300)
    session.comparisons.pin()
    with qtbot.waitExposed(plot):
        plot.show()
    settle(qtbot, plot)
    legend = plot.legend
    assert [entry.name for entry in legend.entries] == ["RK4", "RK4"], "no bare line, and none of which dots are left"
    assert [entry.tip for entry in legend.entries] == ["Runge-Kutta 4 (classical)"] * 2
    legend.grab()
    assert [place.left() >= 0.0 for place, _ in legend.places] == [True, True], "the pinned run has no other name here"
    assert [entry.name.count("…") for _, entry in legend.places] == [0, 0]
    for row in tuple(session.runs.all):
        session.comparisons.rename(row.id, "a name that nobody says in brief")
    settle(qtbot, plot)
    assert [entry.name for entry in legend.entries] == [entry.tip for entry in legend.entries]
    legend.grab()
    assert [place.left() >= 0.0 for place, _ in legend.places] == [True, True]
    assert [entry.name.count("…") for _, entry in legend.places] == [1, 1]
    plot.setStyleSheet("font-size: 27px")
    settle(qtbot, plot)
    qtbot.waitUntil(lambda: plot.across_axis.height() >= 2 * plot.fontMetrics().height(), timeout=5000)
