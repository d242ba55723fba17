"""Type of twice the usual size in the smallest window: everything is there, and can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QScrollBar,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.sheets import Sheet
from gui.qt.panels.runs import RunsPanel
from gui.qt.plots.header import PlotHeader
from gui.qt.plots.plot import PlotWidget
from gui.qt.plots.time_plot import BARE_HEIGHT
from gui.qt.window.main_window import MainWindow
from tests.window import rules
from tests.window.dialogs import dialogs
from tests.window.hands import PATIENCE

CONTROLS = (QAbstractButton, QComboBox, QLabel, QLineEdit, QSlider)


@pytest.fixture
def large(shared_window: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window in the projector's theme."""
    window, preferences = shared_window, shared_window.session.preferences
    window.session.view.set(theme="projector")
    preferences.set_text_size(200)
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == (1280, 720))
    QApplication.processEvents()
    yield window
    preferences.set_text_size(100)


def cut(widget: QWidget) -> str:
    """How a control has less than it needs; empty if it has enough."""
    least = widget.minimumSizeHint().boundedTo(widget.maximumSize()).expandedTo(widget.minimumSize())
    if widget.hasHeightForWidth():
        least = QSize(least.width(), min(widget.heightForWidth(widget.width()), widget.maximumHeight()))
    enough = widget.width() >= least.width() and widget.height() >= least.height()
    return "" if enough else f"{widget.width()} x {widget.height()} of {least.width()} x {least.height()}"


def hidden(widget: QWidget, sheet: Sheet) -> str:
    """How a control is not seen though what can scroll has scrolled to it; empty if it is."""
    above, room = widget.parentWidget(), sheet.card.size()
    while above is not None and above is not sheet:
        if isinstance(above, QScrollArea):
            for corner in (QPoint(widget.width(), widget.height()), QPoint(0, 0)):
                there = widget.mapTo(above.widget(), corner)
                above.ensureVisible(there.x(), there.y(), 0, 0)
            room = room.boundedTo(above.viewport().size())
        above = above.parentWidget()
    seen, most = widget.visibleRegion().boundingRect().size(), widget.size().boundedTo(room)
    enough = seen.width() >= most.width() and seen.height() >= most.height()
    return "" if enough else f"{seen.width()} x {seen.height()} seen of {most.width()} x {most.height()}"


def test_what_stands_above_plots_is_whole(large: MainWindow, qtbot: QtBot) -> None:
    """The tail of a y and of a g, too."""

    def low() -> list[str]:
        shown = [
            one for header in large.findChildren(PlotHeader) for one in (header.name, header.variants, header.reset)
        ]
        assert any(one.isVisible() for one in shown)
        return [rules.name_of(one) for one in shown if one.isVisible() and one.height() < one.fontMetrics().height()]

    for header in large.findChildren(PlotHeader):
        header.show_reset(True)
    qtbot.waitUntil(lambda: not low(), timeout=3000)


def test_titles_of_panels_and_the_time_are_whole(large: MainWindow, qtbot: QtBot) -> None:
    """Speed and frame rate are left out where a narrow picture has no room for them."""
    qtbot.waitUntil(lambda: not rules.clipped(large), timeout=3000)
    viewport = large.viewport
    assert viewport is not None
    large.session.playback.play()
    qtbot.waitUntil(lambda: viewport.readout.isVisible() and large.session.playback.t > 0.0, timeout=PATIENCE)
    assert viewport.readout.geometry().right() < viewport.width()
    large.session.playback.pause()


def test_axes_of_plots_are_whole(large: MainWindow, qtbot: QtBot) -> None:
    """Numbers, and a title or a unit if there is room for it."""

    def cut_off() -> list[str]:
        plots = [one for one in large.findChildren(PlotWidget) if one.isVisible() and not one.chart.blank]
        assert len(plots) > 2
        found = []
        for plot in plots:
            metrics = QFontMetricsF(plot.small_font())
            high, number = plot.area.height(), metrics.height()
            low, top = plot.area.viewRange()[1]
            count = len(plot.value_axis.tickValues(low, top, high)[0][1])
            title = metrics.horizontalAdvance(plot.value_axis.labelText)
            below = BARE_HEIGHT < plot.across_axis.height() < number
            if high < 2 * number or count > max(2, high / number) or title > high or below:
                found.append(f"{plot.plot.title}: {high} px, {count} numbers of {number}, title {title}, below {below}")
        return found

    qtbot.waitUntil(lambda: not cut_off(), timeout=3000)


@pytest.mark.long
def test_sheets_scroll_to_every_control(large: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path) -> None:
    found: dict[str, list[str]] = {}
    for name, sheet in dialogs(large, tmp_path, files=False):
        assert isinstance(sheet, Sheet)
        qtbot.wait(250)  # what is judged or drawn beside has its words
        large.grab().save(str(artifacts / f"large-{name}.png"))
        assert large.rect().contains(sheet.card.geometry())
        lines = []
        for control in filter(QWidget.isVisible, sheet.card.findChildren(QWidget)):
            if isinstance(control, CONTROLS) and not isinstance(control.parentWidget(), QScrollBar | QComboBox):
                says = cut(control) or hidden(control, sheet)
                lines += [f"{rules.name_of(control)}: {says}"] if says else []
        if lines:
            found[name] = lines
        assert (large.width(), large.height()) == (1280, 720), name
    assert not found, "\n".join(f"{name}: {line}" for name, lines in found.items() for line in lines)


def test_icons_of_rows_are_as_large_beside_the_type_as_usual(large: MainWindow, qtbot: QtBot) -> None:
    """They kept 20 px beside letters of twice the size."""
    panel = next(dock.panel for dock in large.docks if dock.kind.key == "runs")
    assert isinstance(panel, RunsPanel)
    table = panel.table
    qtbot.waitUntil(lambda: bool(panel.buttons), timeout=PATIENCE)

    def drawn() -> set[tuple[int, int]]:
        buttons = [one for row in panel.buttons.values() for one in row.values()]
        return {(one.width(), one.iconSize().width()) for one in buttons}

    high = table.verticalHeader().defaultSectionSize()
    qtbot.waitUntil(lambda: {side for side, _ in drawn()} == {high}, timeout=PATIENCE)
    assert {round(28 * icon / side) for side, icon in drawn()} == {20}
    large.session.runs.show(0, False)
    assert len(drawn()) == 1, "another icon is as large"
    large.session.runs.show(0, True)


def test_the_lines_of_notes_are_whole_in_any_type(large: MainWindow, qtbot: QtBot) -> None:
    """The last line was cut through the middle once the projector's type was there."""
    panel = next(dock.panel for dock in large.docks if dock.kind.key == "scenario")
    assert panel is not None
    notes = panel.findChild(QPlainTextEdit)
    assert notes is not None
    large.session.edit("notes", "One.\n\nTwo.\n\nThree.\n\nFour.")
    qtbot.waitUntil(lambda: "Four." in notes.toPlainText(), timeout=PATIENCE)
    for size in (200, 100, 200):
        large.session.preferences.set_text_size(size)
        QApplication.processEvents()
        line = notes.blockBoundingGeometry(notes.document().findBlockByNumber(1)).height()
        room = notes.viewport().height() - notes.document().documentMargin()
        assert abs(room / line - round(room / line)) < 0.05, size
