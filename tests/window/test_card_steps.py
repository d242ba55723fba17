"""The method's card is about the steps that its own method takes, at the playhead."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from gui.app.units import quantity
from gui.app.verdict import stable_step
from gui.charts.plots.stability import steps_times_modes
from gui.qt.dialogs.palette_entries import entries
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.widgets.method_card import FIND, MethodCard
from gui.qt.window.main_window import MainWindow
from robots.simulation.run import Run
from robots.simulation.stability import longest_step
from solvers.method_registry import find_method


def card_of(window: MainWindow) -> MethodCard:
    dock = next(dock for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(dock.panel, IntegratorPanel)
    dock.present(dock.panel.card.picture)
    return dock.panel.card


def judged(window: MainWindow, qtbot: QtBot) -> Run:
    runs, history = window.session.runs, window.session.history

    def done() -> bool:
        row = runs.current
        return row.judged and row.run is not None and row.run.scenario == history.present.scenario

    qtbot.waitUntil(done, timeout=30_000)
    assert runs.current.run is not None
    return runs.current.run


def test_at_the_end_of_a_controlled_run_the_card_has_its_last_step(window: MainWindow, qtbot: QtBot) -> None:
    """The step before stood for it, three times as long, while the plot Stiffness had the one taken."""
    session = window.session
    session.files.new("beam")
    session.edit_many({"method": "dopri5", "duration": 0.1})
    run = judged(window, qtbot)
    session.playback.pause()
    session.playback.seek(run.t_end)
    card = card_of(window)
    taken = run.log.h[run.log.accepted]
    assert taken[-1] < 0.9 * taken[-2], "else this shows nothing"
    largest = float(np.abs(run.eigenvalues[1][-1]).max())

    def drawn() -> float:
        return max((float(np.hypot(one.x, one.y).max(initial=0.0)) for one in card.picture.chart.curves), default=0.0)

    qtbot.waitUntil(lambda: abs(drawn() / (taken[-1] * largest) - 1.0) < 0.01, timeout=10_000)
    assert np.abs(steps_times_modes(run)[1][-1]).max() < 1.01 * taken[-1] * largest, "and so has the large region"


def test_the_card_judges_the_steps_of_its_own_method_alone(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.files.new("rr-friction")
    session.edit_many({"method": "rk1", "step": 0.002, "duration": 3.0, "task.d1": 60.0, "task.d2": 30.0})
    judged(window, qtbot)
    session.playback.pause()
    session.playback.seek(1.5)
    session.from_here.set(True)
    session.edit("method", "rk4")
    run = judged(window, qtbot)
    assert [phase.scenario.method for phase in run.phases] == ["rk1", "rk4"]
    times, modes = run.eigenvalues
    least = {}
    for key, here in (("rk1", times < 1.5), ("rk4", times >= 1.5)):
        stability = find_method(key).stability
        assert stability is not None
        least[key] = float(longest_step(stability, modes[here]).min())
    assert least["rk4"] > 1.3 * least["rk1"]
    card = card_of(window)
    for t, key in ((1.0, "rk1"), (2.0, "rk4")):
        session.playback.seek(t)
        qtbot.waitUntil(lambda t=t: f"t = {t:.3f}" in card.modes.text(), timeout=10_000)
        assert card.method is find_method(key)
        offered = session.stable_step.offered
        assert offered is not None
        assert 0.9 * least[key] < offered <= least[key]
        assert run.stability is not None
        assert offered == stable_step(run.stability.of_method(key))
        assert "where this method steps" in card.longest.text()
    session.from_here.set(False)
    qtbot.waitUntil(lambda: card.method is find_method("rk1"), timeout=10_000)
    card.show_modes()
    assert card.modes.text() == "", "the steps at the playhead are those of another method"
    session.playback.seek(1.0)
    qtbot.waitUntil(lambda: "t = 1.000" in card.modes.text(), timeout=10_000)


def test_a_change_from_where_the_run_diverged_leaves_the_card_without_modes(window: MainWindow, qtbot: QtBot) -> None:
    """There the arm cannot be linearised: an internal error said so."""
    session = window.session
    session.files.new("rr-stiff")
    session.edit("step", 0.05)
    end = judged(window, qtbot).t_end
    assert end < session.scenario.duration
    session.playback.pause()
    card = card_of(window)
    session.playback.seek(end)
    session.from_here.set(True)
    assert session.edit("step", 0.01)
    run = judged(window, qtbot)
    assert run.phase_at(end).scenario.step == 0.01
    card.show_modes()
    assert "grow" not in card.modes.text()
    session.from_here.set(False)


def test_before_an_audience_the_palette_offers_the_stable_step_of_the_present_page(
    window: MainWindow, qtbot: QtBot
) -> None:
    """It had the number of the page before, whose card was the last one in sight."""
    session, card = window.session, card_of(window)

    def offered() -> list[tuple[str, bool]]:
        docks = [dock for dock in window.docks if dock.applies]
        listed = entries(window.actions_by_key, session, window.files, docks)
        return [(one.text, one.enabled) for one in listed if one.text == card.take_longest.text()]

    def number() -> str:
        assert session.stable_step.offered is not None
        return f"Use {quantity(session.stable_step.offered, 's')}"

    session.files.new("rr-euler")
    judged(window, qtbot)
    before = number()
    qtbot.waitUntil(lambda: card.take_longest.text() == before)
    session.view.set(panels=False)
    window.arrangement.show_panels(False)
    assert not card.isVisible()
    session.files.new("rr-stiff")
    assert offered() == [(FIND, False)], "it is not known yet"
    judged(window, qtbot)
    assert offered() == [(FIND, True)], "of a spoilt run the beginning alone is sound"
    session.edit_many({"task.d1": 0.5, "task.d2": 0.5, "step": 0.001, "duration": 1.0})
    assert offered() == [(FIND, False)]
    judged(window, qtbot)
    assert number() != before
    assert [text for text, _ in offered()] == [number()]
    session.files.new("rr-pd")
    judged(window, qtbot)
    assert offered() == [], "an error estimate chooses its steps"
    assert not card.take_longest.isVisibleTo(card)
