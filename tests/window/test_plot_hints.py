"""What is said beside a plot's name: whole parts of it, in every theme; and its legend: a run's values together."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.drawing.legend import CurveEntry, flowing
from gui.qt.panels.plots import PlotsPanel
from gui.qt.plots.header import PARTS, PlotHint
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, wait_done


def test_a_hint_loses_whole_parts(qtbot: QtBot) -> None:
    hint = PlotHint("Δt = −2.367\u00a0s; against the reference, trusted until 9.978\u00a0s", "hint")
    qtbot.addWidget(hint)
    measure = hint.fontMetrics().horizontalAdvance
    for whole in (hint.text(), "Δt = −2.367\u00a0s; against the reference", "Δt = −2.367\u00a0s", ""):
        hint.resize(measure(whole), 20)
        assert hint.shown_text() == whole


def test_no_hint_of_the_window_is_cut_within_a_part(window: MainWindow, qtbot: QtBot) -> None:
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    seen = set()
    for theme in ("light", "dark", "projector"):
        for width, height in ((1280, 720), (1920, 1080)):
            window.session.view.set(theme=theme)
            window.resize(width, height)
            qtbot.waitUntil(lambda width=width: window.width() == width)
            QApplication.processEvents()
            for plot in panel.plots.values():
                hint = plot.header.hint
                rest = hint.text().removeprefix(hint.shown_text())
                assert not rest or not hint.shown_text() or PARTS.match(rest), (theme, width, hint.shown_text())
                seen.add(hint.shown_text())
    assert "against the reference" in seen


def test_the_values_of_a_pinned_run_stay_together() -> None:
    own = [CurveEntry("#000000", "solid", f"q{number}", "−100.0°") for number in (1, 2)]
    pinned = [CurveEntry("#000000", "dash", "", "−100.0°") for _ in own]

    def lines(width: float) -> list[int]:
        return [len(cells) for cells in flowing([*own, *pinned], lambda text: 10.0 * len(text), width)]

    whole = sum(cell[1] for line in flowing([*own, *pinned], lambda text: 10.0 * len(text), 1e9) for cell in line)
    assert lines(whole) == [4]
    assert lines(whole - 60.0) == [2, 2], "not three and one"
    assert lines(0.2 * whole) == [1, 1, 1, 1]
    # q₁ and q₂ of three runs, three of which have room in a line: one more line keeps them together.
    everyone, measure = [*own, *pinned, *pinned], lambda text: 10.0 * len(text)
    assert [len(cells) for cells in flowing(everyone, measure, 0.8 * whole)] == [3, 3]
    assert [len(cells) for cells in flowing(everyone, measure, 0.8 * whole, most=2)] == [3, 3]
    assert [len(cells) for cells in flowing(everyone, measure, 0.8 * whole, most=3)] == [2, 2, 2]


def test_no_legend_names_one_run_of_several(window: MainWindow, qtbot: QtBot) -> None:
    """Before values there were, "rtol 1e-10, atol 1e-12 –" stood beside the bare dash of the other run."""
    window.resize(1920, 1080)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert isinstance(panel, PlotsPanel)
    window.session.comparisons.pin()
    window.session.edit("step", 0.02)
    for key, named in (("error", set()), ("step-size", set()), ("joints", {"q₁", "q₂"})):
        legend = panel.plots[key].legend
        count = 2 * max(len(named), 1)
        qtbot.waitUntil(lambda legend=legend, count=count: len(legend.entries) == count, timeout=5000)
        qtbot.waitUntil(lambda legend=legend, named=named: {e.name for e in legend.entries if e.name} == named)


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_an_enlarged_plot_says_its_hint_once(window: MainWindow, qtbot: QtBot, theme: str) -> None:
    """Beside its name where there is room for all of it, else below."""
    session = window.session
    wait_done(qtbot, window)
    session.playback.pause()
    session.view.set(theme=theme)
    seen = set()
    for width in (1280, 1920):
        window.resize(width, 720)
        for key in ("error", "steps", "stability", "energy"):
            session.view.set(enlarged=key)
            lies = window.enlarged
            assert lies is not None
            plot = lies.plot
            assert plot is not None
            qtbot.waitUntil(lambda plot=plot: plot.settled, timeout=PATIENCE)
            QApplication.processEvents()
            hint = plot.header.hint
            above, below = hint.shown_text(), "" if lies.caption.isHidden() else lies.caption.text()
            assert not (above and below), (key, width)
            assert above + below == hint.text(), (key, width, above, below)
            seen.add((bool(above), bool(below)))
    assert {(True, False), (False, True)} <= seen
