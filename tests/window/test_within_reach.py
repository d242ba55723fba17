"""Stop where the progress is, keys for what is drawn, and a palette that finds panels and plots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.palette import Palette
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.header import PlotHeader
from gui.qt.widgets.scroll import Scroll
from gui.qt.window.main_window import MainWindow
from tests.lessons import SIX_KINDS
from tests.window.hands import PATIENCE, give_focus, press, screenshot

Key = Qt.Key


def test_a_stop_button_stands_beside_the_progress(shared_window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    window = shared_window
    session, stop = window.session, window.timeline.stop
    assert not stop.isVisible(), "nothing is computing"
    assert session.edit_many({"duration": 10_000.0, "step": 1e-4})
    qtbot.waitUntil(stop.isVisible, timeout=60_000)
    window.grab().save(str(artifacts / "stop.png"))
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.runs.current.state != "computing", timeout=60_000)
    assert not stop.isVisible()


@pytest.mark.parametrize(("key", "what"), [(Key.Key_S, "stages"), (Key.Key_U, "torques")])
def test_stages_and_torques_have_keys(shared_window: MainWindow, qtbot: QtBot, key: Qt.Key, what: str) -> None:
    window = shared_window
    window.take_keys()
    before = getattr(window.session.view.settings, what)
    press(qtbot, window, key)
    assert getattr(window.session.view.settings, what) is not before


def find(window: MainWindow, qtbot: QtBot, text: str) -> None:
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, text)
    qtbot.keyClick(palette.search, Key.Key_Return)


def test_the_gallery_is_searched_and_ordered(shared_window: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    window = shared_window
    give_focus(qtbot, window)
    window.actions_by_key["file.new"].trigger()
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    everything = [card.key for card in gallery.found()]
    qtbot.mouseClick(gallery.order.buttons["name"], Qt.MouseButton.LeftButton)
    titles = [card.title.lower() for card in gallery.found()]
    assert titles == sorted(titles)
    assert sorted(card.key for card in gallery.found()) == sorted(everything)
    screenshot(qtbot, window, artifacts / "gallery-by-name.png")
    qtbot.mouseClick(gallery.search, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(gallery.search, "weld")
    assert [card.key for card in gallery.found()] == ["pa10-weld"]
    assert [card.key for card in gallery.cards if card.isVisible()] == ["pa10-weld"]
    qtbot.keyClick(gallery.search, Key.Key_Down)
    assert gallery.found()[0].hasFocus()
    gallery.search.setFocus()
    qtbot.keyClicks(gallery.search, "xyz")
    assert gallery.empty.isVisible()
    gallery.search.setText("flexible")
    assert {"e1", "e12"} <= {card.key for card in gallery.found()}, "what the robot is"
    for text in ("way-points", "waypoints", "way points", "Way-Points"):
        gallery.search.setText(text)
        assert {"pa10-weld", "ur5e-seam"} <= {card.key for card in gallery.found()}, "what the task is"
    gallery.search.setText("euler")
    qtbot.keyClick(gallery.search, Key.Key_Return)
    assert not gallery.isVisible()
    assert window.session.scenario.name == "rr-euler"


def within(plot: QWidget, view: QWidget) -> bool:
    """Whether all of a plot can be seen."""
    return view.rect().contains(QRect(plot.mapTo(view, QPoint(0, 0)), plot.size()))


def test_the_palette_finds_panels_and_plots(shared_window: MainWindow, qtbot: QtBot) -> None:
    window = shared_window
    runs = next(dock for dock in window.docks if dock.kind.key == "runs")
    for hidden in (False, True):
        runs.setVisible(not hidden)
        window.take_keys()
        find(window, qtbot, "panel runs")
        assert runs.isVisible()
        focused = QApplication.focusWidget()
        assert focused is not None
        assert runs.isAncestorOf(focused)
    plots = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert "phase-plane" not in plots.shown  # type: ignore[union-attr]
    find(window, qtbot, "plot phase")
    for _ in range(2):  # it stays when it is asked for again
        assert "phase-plane" in plots.shown  # type: ignore[union-attr]
        qtbot.waitUntil(lambda: within(plots.plots["phase-plane"], plots.area.viewport()))  # type: ignore[union-attr]
        plots.area.verticalScrollBar().setValue(0)  # type: ignore[union-attr]
        find(window, qtbot, "plot phase")
    qtbot.waitUntil(plots.plots["phase-plane"].widget.hasFocus)  # type: ignore[union-attr]
    press(qtbot, window, Key.Key_Z)
    assert window.session.view.settings.enlarged == "phase-plane", "keys are for the plot that was found"
    press(qtbot, window, Key.Key_Z)
    find(window, qtbot, "hide plot phase")
    assert "phase-plane" not in plots.shown  # type: ignore[union-attr]
    find(window, qtbot, "set notes")
    assert isinstance(QApplication.focusWidget(), QPlainTextEdit)
    marks_no_grey_line(window, qtbot)


def marks_no_grey_line(window: MainWindow, qtbot: QtBot) -> None:
    """What cannot be done now is not done, nor is anything else in its place; arrows pass over it."""
    window.actions_by_key["help.palette"].trigger()
    palette = window.sheet
    assert isinstance(palette, Palette)
    qtbot.keyClicks(palette.search, "next")
    texts = [spoken(palette, row) for row in range(palette.list.count())]
    assert all(text.startswith("Next ") for text in texts[:2])
    assert any(text.startswith("Next step") for text in texts)
    assert palette.list.currentRow() == 0
    palette.search.setText("commit the prediction")
    assert palette.list.currentRow() == 0
    assert not palette.list.item(0).flags()
    qtbot.keyClick(palette.search, Key.Key_Return)
    assert window.sheet is palette
    assert palette.why.isVisible(), "it says why"
    palette.search.setText("step")
    grey = {row for row in range(palette.list.count()) if not palette.list.item(row).flags()}
    assert grey
    passed = []
    for _ in range(palette.list.count()):
        passed.append(palette.list.currentRow())
        qtbot.keyClick(palette.search, Key.Key_Down)
    first = {passed[0]}
    assert set(passed) - first == set(range(palette.list.count())) - grey - first
    palette.dismiss()


def spoken(palette: Palette, row: int) -> str:
    """What a screen reader says of a line."""
    return str(palette.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole))


@pytest.mark.parametrize(
    ("preset", "ends"),
    [
        ("rr-stops", ["dense output", "end of the step"]),
        ("e1", [""]),
    ],
)
def test_runs_stay_apart_in_the_smallest_window(
    shared_window: MainWindow, qtbot: QtBot, artifacts: Path, preset: str, ends: list[str]
) -> None:
    window, session = shared_window, shared_window.session
    session.view.set(theme="projector")
    window.resize(1280, 720)
    areas = [area for dock in window.docks for area in dock.findChildren(Scroll) if area.isVisible()]
    for area in areas:
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    assert sum(area.verticalScrollBar().value() > 0 for area in areas) >= 2
    session.files.new(preset)
    assert not any(area.verticalScrollBar().value() for area in areas), "panels begin at their top"
    assert window.viewport is not None
    legend = window.viewport.legend
    qtbot.waitUntil(lambda: all(row.state == "done" for row in session.runs.all), timeout=PATIENCE)
    session.playback.pause()
    qtbot.waitUntil(lambda: len(legend.shown) == len(ends))
    window.grab().save(str(artifacts / f"narrow-{preset}.png"))
    for entry, end in zip(legend.shown, ends, strict=True):
        words = [piece.text for line in legend.lines if line.entry is entry for piece in line.pieces]
        assert " ".join(words).split() == f"{entry.label} {entry.setting} {entry.note}".split(), "nothing is cut off"
        assert entry.setting.endswith(end)
        assert entry.label.endswith(("Runge-Kutta 4", "RK4", "BDF 6")), "an order never gives way"
    table = next(dock.panel for dock in window.docks if dock.kind.key == "runs").table  # type: ignore[union-attr]
    assert table.horizontalScrollBar().maximum() == 0, "every button is there without scrolling"
    for header in window.findChildren(PlotHeader):
        whole = header.name.fontMetrics().horizontalAdvance(header.name.text())
        assert header.name.isHidden() or header.name.width() >= whole, header.name.text()
        box = header.variants
        assert box.isHidden() or box.width() < box.maximumWidth() or box.shown_text() == box.currentText()


def test_the_usual_four_plots_are_whole_in_a_low_window(open_one: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = open_one(gallery=False)
    window.resize(1280, 720)
    window.arrangement.usual()
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    qtbot.waitUntil(lambda: panel.area.verticalScrollBar().maximum() == 0)
    assert sum(not plot.isHidden() for plot in panel.plots.values()) == 4


def test_panels_are_as_wide_after_a_lesson_as_before(
    open_one: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_one(gallery=False)
    window.resize(1600, 900)
    docks = {dock.kind.key: dock for dock in window.docks}
    wanted = {"scenario": 430, "plots": 520}
    window.resizeDocks([docks[key] for key in wanted], list(wanted.values()), Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: all(docks[key].width() == width for key, width in wanted.items()))
    file = tmp_path / "six.md"
    file.write_text(SIX_KINDS)
    window.session.lessons.open(file)
    qtbot.waitUntil(lambda: docks["lesson"].isVisible() and docks["lesson"].width() > 430)
    window.session.lessons.close()
    qtbot.waitUntil(lambda: {key: docks[key].width() for key in wanted} == wanted)
