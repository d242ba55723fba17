"""What the window plots of the stiff machines: heights and bending, eigenvalues beside steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.charts.plots.eigenvalues import moduli_of_pairs
from gui.charts.registry import charts_of, plots
from gui.charts.shown import Shown
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.plots.time_plot import TimePlot
from robots.catalog.beam.modes import frequencies
from robots.model.registry import find_robot
from robots.scenario.presets import find_scenario
from tests.inline_jobs import InlineJobs


def session_of(key: str, changes: dict[str, object], folder: Path) -> Session:
    made = Session(InlineJobs(), Settings(folder), find_scenario(key).with_values(changes))
    made.start()
    return made


def shown(key: str, session: Session, qtbot: QtBot) -> TimePlot:
    plot = TimePlot(session, plots()[key])
    qtbot.addWidget(plot)
    with qtbot.waitExposed(plot):
        plot.show()
    return plot


@pytest.mark.parametrize("key", ["hmmwv", "beam", "double-pendulum"])
def test_what_a_machine_names_is_there_and_fits(key: str) -> None:
    robot, known = find_robot(key), plots()
    assert set(robot.plots) <= set(known)
    assert known["eigenvalues"].suits(robot)
    assert known["joints"].suits(robot) == (key == "double-pendulum")
    assert not known["eigenvalues"].suits(find_robot("rr"))


def test_the_car_shows_its_height(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_of("hmmwv", {"duration": 0.7}, tmp_path)
    plot = shown("motion", session, qtbot)
    assert list(plot.chart.variants) == ["height", "travel", "pitch", "spindles"]
    assert plot.chart.y.label == "chassis height [m]"
    assert plot.chart.curves[0].y == pytest.approx(0.71, abs=0.02)
    assert "0.71\u00a0m" in plot.legend.accessibleName()
    assert charts_of(session.runs.all)[1].title == "Chassis height"


@pytest.mark.parametrize("gone", ["hidden", "computing"])
def test_every_value_in_a_legend_has_a_name_while_the_current_run_is_not_drawn(
    gone: str, tmp_path: Path, qtbot: QtBot
) -> None:
    """Those of 25 eigenvalues of the pinned run stood there without a name."""
    session = session_of("hmmwv", {"duration": 0.1}, tmp_path)
    plot = shown("eigenvalues", session, qtbot)
    names = [entry.name for entry in plot.legend.entries]
    assert names == ["1/h", "λ₁", "λ₂", "λ₃"]
    session.comparisons.pin()
    if gone == "hidden":
        session.runs.show(0, False)
    else:
        session.runs.update(0, run=None, state="computing", judged=False)
    plot.update_now()
    assert [entry.name for entry in plot.legend.entries] == names
    assert {curve.colour for curve in plot.chart.listed} == {session.runs.all[1].colour}


def test_a_few_eigenvalues_have_marks_and_the_lone_ones_are_seen(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_of("pendulum-drift", {"duration": 20.0}, tmp_path)
    curves = shown("eigenvalues", session, qtbot).chart.listed
    assert [curve.mark for curve in curves] == ["", "circle", "square", "triangle"]
    assert 0 < np.isfinite(curves[-1].y).sum() < 10, "no line joins these"


def test_eigenvalues_stand_beside_the_steps(tmp_path: Path, qtbot: QtBot) -> None:
    """Of the beam they are its mode frequencies, near rest; 1/h of an explicit method keeps to the fastest."""
    session = session_of("beam", {"duration": 0.05, "initial.q1": 0.001}, tmp_path)
    plot = shown("eigenvalues", session, qtbot)
    pace, *modes = plot.chart.curves
    assert [curve.name for curve in modes] == [f"λ{digit}" for digit in "₁₂₃₄₅₆₇₈₉"]
    assert [curve.y[0] for curve in modes] == pytest.approx(sorted(frequencies(), reverse=True), rel=1e-5)
    assert pace.name == "1/h"
    assert pace.y.min() > 0.1 * frequencies().max()


def test_a_pair_counts_once_and_zero_not_at_all() -> None:
    times, moduli = moduli_of_pairs(np.zeros(2), np.array([[-100.0, 3 + 4j, 3 - 4j, 0.0], [-50.0, -1.0, 2j, -2j]]))
    assert len(times) == 2
    assert moduli == pytest.approx(np.array([[100.0, 5.0, np.nan], [50.0, 1.0, 2.0]]), nan_ok=True)


def test_drift_of_constraints_is_plotted(tmp_path: Path, qtbot: QtBot) -> None:
    """Chosen by its words with the keyboard, index 3 brings BDF 2 and keeps positions to round-off."""
    session = session_of("pendulum-drift", {"duration": 1.0}, tmp_path)
    plot = shown("error", session, qtbot)
    assert {"position constraints", "velocity constraints"} <= set(plot.chart.variants.values())
    assert plot.chart.variant == "constraint_m"
    assert plot.chart.y.label == "error [m]"
    drifting = plot.chart.curves[0].y.max()
    panel = ScenarioPanel(session)
    qtbot.addWidget(panel)
    with qtbot.waitActive(panel):
        panel.show()
        panel.activateWindow()
    combo = next(box for box in panel.findChildren(QComboBox) if box.findText("Index 3 (original)") >= 0)
    combo.setFocus()
    for _ in range(combo.findText("Index 3 (original)") - combo.currentIndex()):
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert session.scenario.task["constraints"] == "index3"
    assert session.scenario.method == "bdf2"
    qtbot.waitUntil(lambda: bool(plot.chart.curves[0].y.max() < 1e-8 * drifting))


def test_stability_regions_are_named_by_how_their_runs_differ(tmp_path: Path) -> None:
    session = session_of("rr-swing", {"method": "rk1", "step": 0.01, "duration": 0.1}, tmp_path)
    session.comparisons.pin()
    session.edit("step", 0.02)
    chart = plots()["stability"].chart(Shown.of(session.runs.all), "")
    said = list(dict.fromkeys(curve.name for curve in chart.curves))
    assert len(said) == 2
    assert ["20" in said[0], "10" in said[1]] == [True, True]


def test_a_region_has_the_name_of_its_method_whatever_else_the_run_is_called(tmp_path: Path) -> None:
    """Beside a run with a name, regions were called `step 10 ms`; and so they were where steps alone differ."""
    session = session_of("rr-swing", {"method": "rk4", "step": 0.01, "duration": 0.1}, tmp_path)

    def names() -> list[str]:
        chart = plots()["stability"].chart(Shown.of(session.runs.all), "")
        return list(dict.fromkeys(curve.name.replace("\u202f", " ").replace("\xa0", " ") for curve in chart.curves))

    rk4 = "Runge-Kutta 4 (classical)"
    assert names() == [rk4]
    session.comparisons.pin()
    session.edit("step", 0.005)
    assert names() == [f"{rk4}, step 5 ms", f"{rk4}, step 10 ms"]
    session.comparisons.pin()
    session.edit("method", "rk1")
    session.comparisons.rename(0, "Euler")
    assert names() == ["Euler", f"{rk4}, step 10 ms", f"{rk4}, step 5 ms"], "the name of another run hides no method"
    session.comparisons.rename(0, "Coarse")
    assert names()[0] == "Coarse, Runge-Kutta 1 (explicit Euler)"


def test_a_run_that_changes_its_method_has_regions_of_both_names(tmp_path: Path) -> None:
    session = session_of("rr-swing", {"method": "rk4", "step": 0.01, "duration": 0.1}, tmp_path)
    session.playback.seek(0.05)
    session.from_here.set(True)
    session.edit("method", "rk1")
    chart = plots()["stability"].chart(Shown.of(session.runs.all), "")
    assert {one.name for one in chart.curves} == {"Runge-Kutta 4 (classical), then Runge-Kutta 1 (explicit Euler)"}


def test_the_legend_has_every_mode_that_is_there_at_the_playhead(tmp_path: Path, qtbot: QtBot) -> None:
    """A pair that becomes two real modes between the instants of the run makes seven of six: λ₇ was missing."""
    session = session_of("panda-circle", {}, tmp_path)
    run = session.runs.current.run
    assert run is not None
    assert moduli_of_pairs(*run.eigenvalues)[1].shape[1] == 6
    plot = shown("eigenvalues", session, qtbot)

    def named() -> list[str]:
        plot._catch_up()
        return [entry.name for entry in plot.header.legend.entries if entry.name.startswith("λ")]

    session.playback.seek(4.792)
    pairs = {abs(value) for value in run.eigenvalues_at(4.792) if value.imag >= 0.0 and value}
    assert named() == ["λ₁", "λ₂", "λ₃", "λ₄", "λ₅", "λ₆", "λ₇"][: len(pairs)]
    assert len(pairs) == 7
    session.playback.seek(0.0)
    assert named() == ["λ₁", "λ₂", "λ₃", "λ₄", "λ₅", "λ₆"]
