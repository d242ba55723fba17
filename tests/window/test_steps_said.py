"""What is said of a run's steps: how many of which size, and of one that failed, which no method rejected."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from assets.fields import Value
from gui.app.run_texts import news
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.table.columns import COLUMNS, TableMoment
from gui.charts.registry import plots
from gui.charts.shown import Shown
from gui.charts.steps import FAILED, REJECTED, steps_text
from gui.commands.run import report
from gui.front.runs import Run
from gui.qt.window.main_window import MainWindow
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate
from tests.inline_jobs import InlineJobs


def session_of(key: str, changes: Mapping[str, Value], folder: Path) -> Session:
    made = Session(InlineJobs(), Settings(folder), find_scenario(key).with_values(changes))
    made.start()
    return made


@pytest.mark.parametrize("changes", [{}, {"method": "rk4", "step": 0.1}])
def test_a_fixed_step_that_ends_in_infinity_is_not_rejected(changes: Mapping[str, Value], tmp_path: Path) -> None:
    session = session_of("rr-stiff", changes, tmp_path)
    row = session.runs.current
    run = row.run
    assert run is not None
    assert str(run.status) == "diverged"
    assert (run.counts.rejected, run.rejected) == (1, 0), "the attempt is counted, as the log has it"
    assert np.flatnonzero(run.failed_attempts).tolist() == [len(run.log.t) - 1]
    column = next(column for column in COLUMNS if column.key == "rejected")
    assert column.text(row, TableMoment((row,))) == "0"
    assert "rejected" not in news(row)
    assert "0 rejected, 1 failed" in report(Run(run))
    for key in ("steps", "step-size"):
        chart = plots()[key].chart(Shown.of(session.runs.all), "")
        assert f"× {FAILED}" in chart.note
        assert [curve.name.rpartition(", ")[2] for curve in chart.curves if curve.mark == "cross" and curve.x.size] == [
            FAILED
        ]


def test_what_an_estimate_rejects_still_counts() -> None:
    scenario = find_scenario("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-8})
    run = simulate(scenario)
    assert run.rejected == run.counts.rejected > 0
    assert not run.failed_attempts.any()
    assert "failed" not in report(Run(run))


def test_after_a_change_of_method_only_the_fixed_part_fails() -> None:
    """Step control up to the switch rejects steps; the fixed step after it fails once."""
    run = simulate(find_scenario("rr-switch"))
    assert run.rejected + int(run.failed_attempts.sum()) == run.counts.rejected


def test_a_lane_says_its_steps(tmp_path: Path) -> None:
    fixed = simulate(find_scenario("rr-swing").with_values({"duration": 10.0}))
    assert steps_text(fixed) == "1\u202f000 steps of 10\u00a0ms"
    cut = simulate(find_scenario("rr-swing").with_values({"duration": 0.095}))
    assert steps_text(cut) == "10 steps of 10\u00a0ms", "the last one is shorter"
    control = simulate(find_scenario("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-8}))
    low, _, high = steps_text(control).rpartition(" to ")
    assert low.startswith(f"{control.counts.steps} steps of ")
    assert high.endswith("ms")
    session = session_of("rr-swing", {}, tmp_path)
    alone = plots()["steps"].chart(Shown.of(session.runs.all), "")
    assert alone.note == "1\u202f000 steps of 10\u00a0ms"
    session.comparisons.pin()
    session.edit("step", 0.02)
    both = plots()["steps"].chart(Shown.of(session.runs.all), "")
    for name, text in zip(both.y.names, ("500 steps of 20\u00a0ms", "1\u202f000 steps of 10\u00a0ms"), strict=True):
        assert text in both.note, name
    assert REJECTED not in both.note


def test_the_enlarged_lane_says_it_too(window: MainWindow, qtbot: QtBot) -> None:
    window.session.view.set(enlarged="steps")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert plot is not None
    qtbot.waitUntil(lambda: "steps of 10\u00a0ms" in plot.header.hint.text())
    assert "steps of 10\u00a0ms" in plot.header.hint.shown_text() + window.enlarged.caption.text()
