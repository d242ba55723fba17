"""What stands above the plots after the type has become larger, and usual again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.header import PlotHeader
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, show_at, wait_done
from tests.window.test_presentation import begin


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


@pytest.mark.parametrize("preset", ["rr-chaos", "rr-swing"])
def test_a_head_is_as_high_at_every_moment_of_a_run(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    """*Joint angles* had one line at 0.453 s and two at 0.65 s: all plots below it moved while the run played."""
    show_at(qtbot, window, "light", (1280, 720))
    window.files.open_preset(preset)
    session = window.session
    wait_done(qtbot, window)
    show = begin(qtbot, window)
    panel = show.docks["plots"].widget()
    assert isinstance(panel, PlotsPanel)
    session.playback.pause()
    qtbot.waitUntil(
        lambda: bool(panel.plots) and all(panel.plots[key].settled for key in panel.shown), timeout=PATIENCE
    )
    moments = [share / 12 * session.scenario.duration for share in range(12)]
    for key, plot in panel.plots.items():
        for width in range(200, 640, 10):
            plot.header.resize(width, plot.header.height())
            seen = set()
            for t in moments:
                plot.show_values(t)
                plot.header.arrange()  # as when the panel has another size, or another page is shown
                seen.add((plot.header.lines.indexOf(plot.header.legend) < 0, plot.header.legend.lines))
            assert len(seen) == 1, (key, width, seen)
    show.leave()


def test_a_plot_that_can_have_no_curves_is_one_low_line(window: MainWindow, qtbot: QtBot) -> None:
    """*Energy error* of an arm with dampers kept the place of a plot before an audience."""
    show_at(qtbot, window, "light", (1280, 720))
    window.files.open_preset("double-pendulum")
    wait_done(qtbot, window)
    show = begin(qtbot, window)
    panel = show.docks["plots"].widget()
    assert isinstance(panel, PlotsPanel)
    qtbot.waitUntil(lambda: "energy" in panel.plots and panel.plots["energy"].whole.blank, timeout=PATIENCE)
    plot = panel.plots["energy"]
    qtbot.waitUntil(lambda: plot.height() <= plot.header.sizeHint().height() + 2, timeout=PATIENCE)
    assert plot.widget.isHidden()
    assert plot.header.legend.lines == 1
    assert plot.header.hint.shown_text() == "the arm's energy changes"
    window.files.open_preset("rr-swing")
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: plot.height() > 2 * plot.header.height(), timeout=PATIENCE)
    show.leave()
