"""What stands above the plots after the type has become larger, and usual again."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.header import PlotHeader
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, show_at, wait_done


def plots_of(window: MainWindow) -> PlotsPanel:
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    return panel


def settled(window: MainWindow) -> bool:
    """Whether the plots are drawn as they stay, with what stands above them."""
    panel, before = plots_of(window), heads(window)
    for _ in range(5):
        QApplication.processEvents()
    return all(panel.plots[key].settled for key in panel.shown) and heads(window) == before


def heads(window: MainWindow) -> dict[str, list[QRect]]:
    """Where everything above each plot is."""
    panel = plots_of(window)
    return {
        key: [part.geometry() for part in direct(plot.header) if part.isVisible()] for key, plot in panel.plots.items()
    }


def direct(header: PlotHeader) -> list[QWidget]:
    """What stands in it: name, choice, hint, legend and buttons."""
    return header.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)


def test_plot_heads_are_as_before_once_the_projector_is_gone(window: MainWindow, qtbot: QtBot) -> None:
    """*Error* kept the width that it has in the larger type, and the choice beside it stood apart."""
    session = window.session
    show_at(qtbot, window, "light", (1280, 720))
    window.files.open_preset("panda-circle")
    wait_done(qtbot, window)
    session.comparisons.pin()
    session.edit("step", 0.02)
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: settled(window), timeout=PATIENCE)
    before, usual = heads(window), session.view.settings.theme
    assert before
    session.view.set(theme="projector")
    qtbot.waitUntil(lambda: heads(window) != before)
    session.view.set(theme=usual)
    qtbot.waitUntil(lambda: heads(window) == before)


def test_a_head_is_the_same_whichever_way_its_plot_has_become_so_high(window: MainWindow, qtbot: QtBot) -> None:
    """Before and after a lesson the same plots had other heads: those of the height that they had at first."""
    show_at(qtbot, window, "light", (1280, 720))
    window.files.open_preset("rr-chaos")
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: settled(window), timeout=PATIENCE)
    header = plots_of(window).plots["energy"].header
    host = header.parentWidget()
    assert host is not None
    header.show_hint("against its initial value")
    differ = set()
    for width in range(300, 760, 20):
        seen: dict[int, list[tuple[bool, bool]]] = {}
        for height in (120, 400, 120, 190, 400, 190):
            host.resize(width, height)
            QApplication.processEvents()
            here = [(part.isVisible(), part.y() > header.name.geometry().bottom()) for part in direct(header)]
            assert seen.setdefault(height, here) == here, (width, height)
        if seen[120] != seen[400]:
            differ.add(width)
    assert differ, "in a high plot what is said beside the name keeps its place, and the legend has a line of its own"
