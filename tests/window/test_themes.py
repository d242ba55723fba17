"""Every widget in every theme, in small and large windows, at every scale: whole, readable, in reach."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.app.session.preferences import TEXT_SIZES
from gui.app.view import THEMES
from gui.compose.kinematics import kinematics_of
from gui.qt.dialogs.help_sheets import KeySheet
from gui.qt.dialogs.sheets import Sheet
from gui.qt.panels.plots import PlotsPanel
from gui.qt.panels.runs import RunsPanel
from gui.qt.style.theme import look
from gui.qt.widgets.fields import NumberRow
from gui.qt.widgets.quiet import LEAST_SLIDER, QuietComboBox, QuietSlider
from gui.qt.window.main_window import MainWindow
from scene.camera import project
from tests.window import rules
from tests.window.hands import show_at, wait_done

SIZES = ((1280, 720), (1920, 1080))
LONG = "ARMSTEP_LONG_TESTS" in os.environ
SCENARIOS = ("rr-swing", "pa10-drift", *(("e12", "double-pendulum") if LONG else ()))
SHEETS = (
    "file.new",
    "file.studies",
    "help.keys",
    "help.about",
    "help.palette",
    "export.animation",
    "run.own_method",
    "run.work_precision",
)


def faults(root: QWidget) -> list[str]:
    return rules.clipped(root) + rules.covered(root) + rules.faint(root)


def lasting(qtbot: QtBot, root: QWidget) -> list[str]:
    """The faults that are still there once everything has its place."""
    with suppress(qtbot.TimeoutError):
        qtbot.waitUntil(lambda: not faults(root), timeout=3000)
    return faults(root)


def test_the_window_with_its_panels(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    found: dict[str, list[str]] = {}
    for name in SCENARIOS:
        window.session.files.new(name)
        wait_done(qtbot, window)
        window.session.playback.pause()
        if name == "rr-swing":
            window.session.comparisons.pin()
            window.session.edit_many({"method": "rkf45", "rtol": 1e-6, "atol": 1e-9})
            wait_done(qtbot, window)
        for theme in THEMES:
            for size in SIZES:
                show_at(qtbot, window, theme, size)
                window.grab().save(str(artifacts / f"theme-{theme}-{size[0]}-{name}.png"))
                if lines := lasting(qtbot, window):
                    found[f"{name} {theme} {size}"] = lines
    assert found == {}


def test_what_is_wrong_is_found(application: object, qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(300, 100)
    label, other = QLabel("A sentence", host), QLabel("Over it", host)
    label.setGeometry(0, 0, 20, 40)
    other.setGeometry(10, 0, 200, 40)
    other.setStyleSheet("color: #e8e8e8; background: white")
    host.show()
    assert {line.split(":")[0] for line in rules.clipped(host)} == {"QLabel 'A sentence'"}
    assert rules.covered(host) == ["QLabel 'A sentence' and QLabel 'Over it'"]
    assert any("#e8e8e8 on #ffffff" in line for line in rules.faint(host))


def test_the_sheets(window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    found: dict[str, list[str]] = {}
    for theme in THEMES:
        show_at(qtbot, window, theme, SIZES[0])
        for key in SHEETS:
            window.actions_by_key[key].trigger()
            sheet = next(one for one in window.findChildren(Sheet) if one.isVisible())
            window.grab().save(str(artifacts / f"theme-{theme}-{key}.png"))
            if lines := lasting(qtbot, sheet):
                found[f"{theme} {key}"] = lines
            sheet.dismiss()
    assert found == {}


def test_a_slider_is_as_wide_in_every_theme(window: MainWindow, qtbot: QtBot) -> None:
    wider = 0
    for size in SIZES:
        show_at(qtbot, window, "light", size)
        light = rules.grooves(window)
        assert len(light) > 3
        assert min(light.values()) >= 70, "wide enough to choose among a hundred values"
        for theme in ("dark", "projector"):
            show_at(qtbot, window, theme, size)
            here = rules.grooves(window)
            assert all(here[name] >= light[name] for name in here.keys() & light.keys()), theme
        show_at(qtbot, window, "light", size)
        widths = {dock: dock.width() for dock in window.docks if dock.isVisible()}
        window.session.view.set(theme="projector")
        QApplication.processEvents()
        wider += any(dock.width() > width for dock, width in widths.items())
        window.session.view.set(theme="light")
        qtbot.waitUntil(lambda before=widths: {dock: dock.width() for dock in before} == before, timeout=5000)
    assert wider, "larger type needs wider panels, and leaves them as they were"


def test_a_slider_has_a_groove_in_type_of_every_size(window: MainWindow, qtbot: QtBot) -> None:
    """In the smallest window and the theme of the largest type, up to twice its size."""
    for percent in TEXT_SIZES:
        window.session.preferences.set_text_size(percent)
        show_at(qtbot, window, "projector", SIZES[0])
        found = rules.grooves(window)
        assert found, percent
        assert min(found.values()) >= LEAST_SLIDER, (percent, found)


def test_what_is_on_or_changed_is_seen_without_colours(window: MainWindow, qtbot: QtBot) -> None:
    loop = next(button for button in window.findChildren(QToolButton) if button.accessibleName().startswith("Loop"))
    step = next(row for row in window.findChildren(NumberRow) if row.name == "Step")
    table, menu = window.findChild(RunsPanel).table, window.actions_by_key.menus["File"]
    for theme in THEMES:
        show_at(qtbot, window, theme, SIZES[0])
        table.clearSelection()
        row = table.visualRect(table.model().index(0, 1))
        plain = rules.greys(table.viewport())[row.top() : row.bottom()]
        table.selectRow(0)
        chosen = rules.greys(table.viewport())[row.top() : row.bottom()]
        assert np.count_nonzero(np.abs(chosen - plain) > 60) > 0.9 * chosen.shape[1], f"{theme}: a line of the row"
        menu.popup(window.mapToGlobal(QPoint(10, 30)))
        menu.setActiveAction(menu.actions()[1])
        plain = rules.greys(menu)
        menu.setActiveAction(menu.actions()[0])
        row = menu.actionGeometry(menu.actions()[0])
        framed = np.abs(rules.greys(menu) - plain)[row.top() : row.bottom() + 1] > 60
        menu.hide()
        assert np.count_nonzero(framed) > 1.8 * row.width(), f"{theme}: a frame of the entry"
        off = rules.greys(loop)
        window.actions_by_key["run.loop"].trigger()
        QApplication.processEvents()
        assert np.count_nonzero(np.abs(rules.greys(loop) - off) > 60) > loop.width(), f"{theme}: a frame around it"
        window.actions_by_key["run.loop"].trigger()
    show_at(qtbot, window, "light", SIZES[1])
    before = rules.greys(step.label)
    window.session.edit("step", 0.02)
    qtbot.waitUntil(lambda: not np.array_equal(rules.greys(step.label), before))
    assert step.label.font().weight() > QFont.Weight.Medium


@pytest.mark.skipif(not LONG, reason="half a minute for each scale")
@pytest.mark.parametrize("scale", ["1.5", "2"])
def test_a_desktop_of_many_pixels(scale: str, virtual_display: str) -> None:
    """Qt reads the scale once in a process, so it has one of its own."""
    environment = {**os.environ, "QT_SCALE_FACTOR": scale}
    tests = [f"{__file__}::{name}" for name in ("test_the_window_with_its_panels", "test_the_sheets")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *tests], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, json.dumps(done.stdout[-3000:])


@pytest.mark.parametrize("size", SIZES)
def test_the_legend_covers_no_arm(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    for runs in (1, 2, 3):
        if runs > 1:
            window.session.comparisons.pin()
        for theme in THEMES:
            show_at(qtbot, window, theme, size)
            view = window.viewport
            assert view is not None
            run = window.session.runs.current.run
            assert run is not None
            room = project(view.camera(), view.extent(), kinematics_of(run).room)
            assert room[:, 1].min() >= view.legend.geometry().bottom() - 1, (runs, theme)


def test_plots_of_a_robot_with_a_panel_of_its_own_fit_a_low_window(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("e1")
    show_at(qtbot, window, "projector", (1280, 720))
    plots, analysis = (next(dock for dock in window.docks if dock.kind.key == key) for key in ("plots", "analysis"))
    assert window.tabifiedDockWidgets(plots) == [analysis]
    assert isinstance(plots.panel, PlotsPanel)
    qtbot.waitUntil(lambda: not plots.visibleRegion().isEmpty())
    for plot in plots.panel.plots.values():
        if plot.isVisible():
            more = plot.header.more
            assert more.mapTo(plots, more.rect().topRight()).x() < plots.width(), plot.plot.key
    window.session.files.new("rr-swing")
    qtbot.waitUntil(lambda: analysis.isHidden())


def test_left_panels_are_tabs_in_a_low_window(window: MainWindow, qtbot: QtBot) -> None:
    scenario, integrator = window.docks[:2]
    show_at(qtbot, window, "light", (1280, 720))
    assert window.tabifiedDockWidgets(scenario) == []
    window.session.view.set(theme="projector")
    assert window.tabifiedDockWidgets(scenario) == [integrator]
    direct = Qt.FindChildOption.FindDirectChildrenOnly

    def bars() -> list[QTabBar]:
        return [bar for bar in window.findChildren(QTabBar, options=direct) if bar.isVisible()]

    qtbot.waitUntil(lambda: [bar.count() for bar in bars()] == [2])
    assert window.rect().contains(bars()[0].geometry()), "a screen reader meets no bar outside the window"

    def seen() -> int:
        return sum(not row.visibleRegion().isEmpty() for row in scenario.findChildren(NumberRow))

    qtbot.waitUntil(lambda: seen() >= 5)
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: window.tabifiedDockWidgets(scenario) == [])
    assert all(dock.isVisible() for dock in (scenario, integrator))


def test_plots_of_a_low_window_are_worth_reading(window: MainWindow, qtbot: QtBot) -> None:
    for theme in THEMES:
        show_at(qtbot, window, theme, (1280, 720))
        panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
        assert isinstance(panel, PlotsPanel)
        plots = panel.plots.values()
        assert min(plot.area.height() for plot in plots if plot.isVisible()) >= 50, theme
        seen = [plot.widget.viewport().visibleRegion().boundingRect().height() for plot in plots if plot.isVisible()]
        assert [height for height in seen if height >= 50] == seen, (theme, seen)
        assert len(seen) == 4
        assert panel.area.verticalScrollBar().maximum() == 0, (theme, "four plots are whole")
        sliders = [one.width() for one in window.findChildren(QuietSlider) if one.isVisible()]
        assert min(sliders) >= LEAST_SLIDER, (theme, sliders)
        assert window.docks[0].width() <= 0.34 * window.width(), theme


def test_names_of_keys_are_no_towers_of_words(window: MainWindow, qtbot: QtBot) -> None:
    show_at(qtbot, window, "projector", (1280, 720))
    window.actions_by_key["help.keys"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, KeySheet)
    names = [label for label in sheet.findChildren(QLabel) if label.wordWrap() and label.isVisibleTo(sheet)]
    qtbot.waitUntil(lambda: min(label.width() for label in names) > 60)
    lines = [round(label.height() / label.fontMetrics().lineSpacing()) for label in names]
    assert max(lines) <= 3, "Remove / the / run / up"


def test_no_widget_goes_while_qt_walks_a_list_of_all(window: MainWindow, qtbot: QtBot) -> None:
    """A part that gives others up as its type changes: Qt would go on to them, and the process would end."""
    gone: list[str] = []

    class Part(QWidget):
        others: tuple[QWidget, ...] = ()
        while_walking: tuple[str, ...] = ("never",)

        def changeEvent(self, event: QEvent) -> None:
            super().changeEvent(event)
            if event.type() == QEvent.Type.FontChange and self.others:
                self.others = ()
                self.while_walking = tuple(gone)

    part = Part(window)
    part.others = QLabel("given up"), QLabel("given up too")
    for other in part.others:
        other.destroyed.connect(lambda: gone.append("one"))
    del other
    look().scale_text(1.25)
    assert part.while_walking == ()
    assert gone == ["one", "one"]


@pytest.mark.parametrize("theme", THEMES)
def test_a_list_of_choices_has_the_border_of_its_theme(qtbot: QtBot, theme: str) -> None:
    """Qt drew a dark line above and below it, in every theme."""
    box = QuietComboBox("torque")
    qtbot.addWidget(box)
    box.addItems(["none", "constant"])
    before = look().choice
    look().choose(theme)
    try:
        box.show()
        box.showPopup()
        shown = box.view().parentWidget().grab().toImage()
        border, surface = (look().theme.colour(role) for role in ("border", "surface"))
        middle, right, bottom = shown.width() // 2, shown.width() - 1, shown.height() - 1
        for x, y in ((middle, 0), (middle, bottom), (0, 0), (0, bottom // 2), (right, bottom // 2), (right, bottom)):
            assert shown.pixelColor(x, y) == border, (x, y)
        for y in (1, 2, 3, 4, bottom - 4, bottom - 1):
            assert shown.pixelColor(middle, y) == surface, y
        box.hidePopup()
    finally:
        look().choose(before)
