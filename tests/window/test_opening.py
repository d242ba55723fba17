"""What the window shows of a scenario depends on the scenario and on personal settings alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.runs import RunsPanel
from robots.scenario.file import save_scenario
from robots.scenario.presets import find_preset

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from gui.qt.window.main_window import MainWindow

PATIENCE = 60_000
KEYS = ("rr-pd", "e1", "rr-swing", "pa10-circle")


def panel_of(window: MainWindow, key: str) -> QWidget:
    found = next(dock.panel for dock in window.docks if dock.kind.key == key)
    assert found is not None
    return found


def plots_of(window: MainWindow) -> PlotsPanel:
    panel = panel_of(window, "plots")
    assert isinstance(panel, PlotsPanel)
    return panel


def seen(window: MainWindow) -> dict[str, object]:
    """What a person sees of the scenario, except the run's clock."""
    plots, integrator = plots_of(window), panel_of(window, "integrator")
    assert isinstance(integrator, IntegratorPanel)
    time_range = window.session.time_range
    assert window.viewport is not None
    fields = [
        (widget.accessibleName(), widget.currentText() if isinstance(widget, QComboBox) else widget.text())
        for key in ("scenario", "integrator")
        for kind in (QLineEdit, QComboBox)
        for widget in panel_of(window, key).findChildren(kind)
        if widget.isVisibleTo(window)
    ]
    return {
        "plots": {
            key: ([tuple(round(end, 9) for end in ends) for ends in plot.area.viewRange()], plot.choice)
            for key, plot in plots.plots.items()
            if plot.isVisibleTo(window)
        },
        "times": (time_range.whole, time_range.follow, time_range.mark),
        "lane": window.timeline.lane.shown,
        "speed": (window.timeline.speed.text(), window.actions_by_key["run.loop"].isChecked()),
        "selected": window.viewport.selected,
        "camera": window.viewport.camera(),
        "search": integrator.methods.search.text(),
        "scope": [key for key, button in integrator.scope.buttons.items() if button.isChecked()],
        "docks": {dock.kind.key: dock.isVisible() for dock in window.docks},
        "fields": sorted(fields),
        "title": window.windowTitle(),
        "banner": window.banner.isVisible(),
        "view": replace(window.session.view.settings, plots=None),
    }


def open_preset(window: MainWindow, qtbot: QtBot, key: str) -> dict[str, object]:
    session = window.session
    assert session.files.new(key)

    def settled() -> bool:
        row = session.runs.current
        known = row.reference_state not in ("none", "computing")
        return row.run is not None and row.run.scenario == session.scenario and known and row.judged

    qtbot.waitUntil(settled, timeout=PATIENCE)
    session.playback.pause()
    session.playback.seek(0.0)
    QApplication.processEvents()
    return seen(window)


def wheel(widget: QWidget, notches: int) -> None:
    """Turn the wheel over the middle of the widget."""
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(widget.mapToGlobal(widget.rect().center())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def disturb(window: MainWindow, qtbot: QtBot) -> None:
    """Touch whatever could stay behind."""
    session, plots = window.session, plots_of(window)
    integrator = panel_of(window, "integrator")
    assert isinstance(integrator, IntegratorPanel)
    assert window.viewport is not None
    for plot in plots.plots.values():
        if plot.isVisibleTo(window):
            viewport = plot.widget.viewport()
            wheel(viewport, 3)
            below = QPoint(20, viewport.height() // 2)
            qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=below)
            qtbot.mouseMove(viewport, below + QPoint(0, 25))
            qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=below + QPoint(0, 25))
            plot.change_scale()
            plot.hide_only(entry.curve for entry in plot.legend.entries)
    session.time_range.set_mark(0.1)
    window.actions_by_key["camera.set_key"].trigger()
    wheel(window.timeline.lane, 4)
    integrator.methods.search.setText("euler")
    session.playback.set_speed(0.25)
    session.playback.set_loop(True)
    session.playback.seek(0.1)
    session.from_here.set(True)
    session.edit("step", -1.0)
    session.view.set(trail=False, frames=True, camera={"distance": 9.0})
    window.viewport.selected = 1


def test_presets_look_the_same_in_every_order(window: MainWindow, qtbot: QtBot) -> None:
    plots_of(window).build()
    first = {key: open_preset(window, qtbot, key) for key in KEYS}
    for key in ("e1", "pa10-circle", "rr-swing", "rr-pd"):
        disturb(window, qtbot)
        again = open_preset(window, qtbot, key)
        for name, value in first[key].items():
            assert again[name] == value, (key, name)


def test_the_panel_of_inverse_dynamics_comes_and_goes_in_a_presentation_too(window: MainWindow, qtbot: QtBot) -> None:
    dock = next(dock for dock in window.docks if dock.kind.key == "analysis")
    open_preset(window, qtbot, "e1")
    assert dock.isVisible()
    window.actions_by_key["view.present"].trigger()
    assert not dock.isVisible()
    open_preset(window, qtbot, "rr-swing")
    assert not dock.isVisible()
    qtbot.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert not dock.isVisible()
    assert all(other.isVisible() == other.applies for other in window.docks)
    open_preset(window, qtbot, "e12")
    assert dock.isVisible()


def test_the_table_of_runs_begins_with_the_current_run_of_what_is_opened(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """A table that was scrolled, to a selected run say, would hide the current run of the next scenario."""
    runs = panel_of(window, "runs")
    assert isinstance(runs, RunsPanel)
    open_preset(window, qtbot, "rr-swing")
    for _ in range(9):
        window.session.comparisons.pin()
    assert window.session.files.save(tmp_path / "many.armstep")
    qtbot.waitUntil(lambda: len(runs.model.ids) == 10)
    runs.select(runs.model.ids[-1:])
    runs.table.scrollTo(runs.table.currentIndex())
    bar = runs.table.verticalScrollBar()
    assert bar.value() > 0
    assert window.session.files.open(tmp_path / "many.armstep")
    qtbot.waitUntil(lambda: len(runs.model.ids) == 10 and not runs.selected())
    QApplication.processEvents()
    assert bar.value() == 0


def test_notes_that_are_being_typed_stay_with_their_scenario(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    save_scenario(find_preset("rr-pd"), file)
    window.session.files.open(file)
    notes = panel_of(window, "scenario").notes  # type: ignore[attr-defined]
    notes.setPlainText("Mine.")
    window.session.files.new("rr-swing")
    assert notes.toPlainText() == find_preset("rr-swing").notes
    QApplication.processEvents()
    assert window.session.scenario.notes == find_preset("rr-swing").notes
