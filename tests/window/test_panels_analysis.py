"""The card of arms that bend: its facts in words, and its dock, which comes and goes with the robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gui.app.analysis import AnalysisDesk
from gui.app.units import reading
from gui.qt.panels.analysis import condition_text, frequencies_text, index_text, typeset, verdict_text
from robots.dynamics.flexible.run_analysis import analyse
from robots.model.registry import find_robot
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from tests.inline_jobs import InlineJobs

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.qt.window.main_window import MainWindow

PATIENCE = 60_000


def test_the_card_of_e12_says_what_the_paper_says() -> None:
    found = analyse(simulate(find_preset("e12")))
    assert found is not None
    assert "a bounded torque follows" in verdict_text(found)
    assert condition_text(found) == "j₃ − m₃ ξ₃ (l₃ − ξ₃) = 48\u00a0kg\u00a0m² > 0, stable"
    assert "ν = 3" in index_text(found)
    assert "μ = 2: a = 6 algebraic, d = 4" in index_text(found)
    assert frequencies_text(found).startswith("motors free: 5.17, 7.13, 15.7\u00a0Hz\nmotor 1 held: 2.44")
    assert found.iterations == pytest.approx(3.9, abs=0.3)
    assert 1e5 < found.matrix < 1e8


def test_a_saddle_is_said_with_its_zero_at_rest() -> None:
    found = analyse(simulate(find_preset("e12-unstable")))
    assert found is not None
    assert verdict_text(found).startswith("Not minimum phase: a zero at +147\u00a0/s")
    assert "< 0, a saddle" in condition_text(found)


def test_other_arms_have_no_card() -> None:
    desk = AnalysisDesk(InlineJobs())
    desk.show(simulate(find_preset("rr-swing").with_value("duration", 0.1)))
    assert desk.facts is None
    desk.show(simulate(find_preset("e1")))
    assert desk.facts is not None
    desk.show(None)
    assert desk.facts is None


def test_numbers_and_formulas_look_like_print() -> None:
    assert reading(2.4e6) == "2.4·10⁶"
    assert reading(3e-17) == "3·10⁻¹⁷"
    assert reading(12.5) == "12.5"
    assert typeset("J22 - J12 l2 / (l1 + l2)") == "J₂₂ − J₁₂ l₂ / (l₁ + l₂)"


def test_the_dock_shows_for_arms_that_bend_only(window: MainWindow, qtbot: QtBot) -> None:
    dock = next(dock for dock in window.docks if dock.kind.key == "analysis")
    assert dock.isHidden()
    window.session.files.new("e1")
    qtbot.waitUntil(lambda: window.session.analysis.facts is not None, timeout=PATIENCE)
    assert not dock.isHidden()
    assert dock.panel is not None
    assert not dock.panel.grab().isNull()
    window.session.files.new("rr-swing")
    assert dock.isHidden()


@pytest.mark.parametrize(
    ("key", "changes", "traces"),
    [
        ("torque", {}, 2),
        ("deflection", {}, 3),
        ("conditioning", {}, 1),
        ("driven", {"task.forward": "linear"}, 1),
        ("driven", {}, 0),
    ],
)
def test_plots_of_arms_that_bend(window: MainWindow, qtbot: QtBot, key: str, changes: dict, traces: int) -> None:
    from gui.charts.registry import plots
    from gui.charts.shown import Shown

    session = window.session
    session.files.new("e12")
    if changes:
        session.edit_many(changes)
    wanted = session.scenario
    qtbot.waitUntil(lambda: getattr(session.runs.current.run, "scenario", None) == wanted, timeout=PATIENCE)
    plot = plots()[key]
    assert plot.suits(find_robot("e12"))
    chart = plot.drawn(Shown.of(session.runs.all))
    assert len(chart.curves) == traces
    assert bool(chart.empty) == (not chart.curves)
