"""The large marks of the enlarged stability region: the modes at the playhead, as the method's card has them."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from gui.charts.fit import marks_at
from gui.charts.stability import marks_of, modes, region_chart
from gui.charts.summary import summary
from gui.charts.table import table_text
from gui.qt.drawing.dots import mark_at
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.plots.items import SYMBOLS
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.window.main_window import MainWindow
from solvers.method_registry import find_method


def marks_on(plot: PlanePlot) -> list[tuple[float, float, str]]:
    """Where the large marks of a plot are, and of which symbol."""
    return [(one.pos().x(), one.pos().y(), one.symbol()) for one in plot.dots.points()]


def test_the_large_marks_are_the_modes_at_the_playhead_as_the_card_has_them(window: MainWindow, qtbot: QtBot) -> None:
    """They were those of the next of a few instants of the run: a growing mode stood there as a calm one."""
    session = window.session
    session.files.new("rr-swing")
    session.edit_many({"method": "rk4", "step": 0.04})
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=20_000)
    session.playback.pause()
    session.comparisons.pin()
    session.edit("step", 0.08)
    session.view.set(enlarged="stability")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert isinstance(plot, PlanePlot)
    qtbot.waitUntil(lambda: plot.settled and len({one.run for one in plot.chart.curves}) == 2, timeout=20_000)
    dock = next(dock for dock in window.docks if dock.kind.key == "integrator")
    integrator = dock.panel
    assert isinstance(integrator, IntegratorPanel)
    card = integrator.card
    dock.present(card.picture)
    for t in (2.16, 2.265, 2.32):
        session.playback.seek(t)
        qtbot.waitUntil(lambda words=f"t = {t:.3f}": words in card.modes.text())
        expected = [(one.x[0], one.y[0], SYMBOLS[mark_at(one, t)]) for one in card.picture.chart.curves]
        pinned = [0.5 * complex(x, y) for x, y, _ in expected]

        qtbot.waitUntil(lambda expected=expected: all(one in marks_on(plot) for one in expected))
        assert len(marks_on(plot)) == 2 * len(expected), "the modes of both runs and no others"
        assert all(any(abs(complex(*own[:2]) - z) < 0.02 for own in marks_on(plot)) for z in pinned), "half the step"
        own = session.runs.current.colour
        named = {one.tag: one.when(t) for one in plot.chart.curves if one.colour == own and one.when(t)}
        assert named == {one.tag: (one.x[0], one.y[0]) for one in card.picture.chart.curves}
        grows = any(kind == SYMBOLS["diamond"] for *_, kind in expected)
        assert grows == ("A mode grows" in card.modes.text())
    assert "A mode that grows in the motion itself does not count." in card.longest.text()


def test_marks_follow_a_playhead_that_keeps_moving_a_few_times_a_second(window: MainWindow, qtbot: QtBot) -> None:
    """To linearise the arm of every run for every frame would take longer than the frame."""
    session = window.session
    session.files.new("rr-swing")
    qtbot.waitUntil(lambda: session.runs.current.state == "done", timeout=20_000)
    session.playback.pause()
    session.view.set(enlarged="stability")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert isinstance(plot, PlanePlot)
    qtbot.waitUntil(lambda: plot.settled and bool(plot.chart.regions) and plot._pulse.idle)
    before = marks_on(plot)
    session.playback.seek(2.0)
    first = marks_on(plot)
    assert first != before, "at once"
    session.playback.seek(2.5)
    assert marks_on(plot) == first, "those of a moment ago"
    qtbot.waitUntil(lambda: marks_on(plot) != first)
    expected = {place for _, place in marks_at(plot.chart, 2.5)}
    assert {one[:2] for one in marks_on(plot)} == expected


def test_a_mode_that_no_instant_of_the_run_has_is_marked_at_the_playhead() -> None:
    """Two pairs at the instants looked at, between them a pair and two real modes: three numbers instead of two."""
    stability = find_method("rk4").stability
    assert stability is not None
    along = np.array([[-2 + 1j, -2 - 1j, -1 + 1j, -1 - 1j]])
    between = np.array([-2 + 1j, -2 - 1j, 0.5, -0.1])
    found = modes(along, stability, np.zeros(1), lambda t: marks_of(between, stability) if t < 1.0 else None)
    chart = region_chart([("", "solid", stability)], found)
    placed = {curve.tag: (complex(*place), curve.alarmed(0.5)) for curve, place in marks_at(chart, 0.5)}
    assert placed == {"λ₁": (-2 + 1j, False), "λ₁*": (-2 - 1j, False), "λ₂": (0.5, True), "λ₃": (-0.1, False)}
    assert marks_at(chart, 1.0) == []
    assert "a diamond where the method lets a mode grow" in chart.details
    assert "λ₃: 0 over -0.1 at the playhead" in summary(chart, 0.5)
    assert "λ₃" not in summary(chart, 1.0)
    assert "λ₃" not in table_text(chart), "it has no points"
