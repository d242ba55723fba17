"""Plots of many joints: curves that differ, named as in their file, and never metres beside radians."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF

from gui.app import run_texts
from gui.app.runs import RunRow
from gui.app.table.columns import COLUMNS, TableMoment
from gui.charts.registry import plots
from gui.charts.shown import Shown
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.style import style_of
from robots.model.chart import Axis, Chart, Curve
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate


def row_of(scenario: Scenario) -> RunRow:
    run = simulate(scenario, repeat=False)
    return RunRow(0, scenario, 0, pinned=False, run=run, state="done")


def test_thirty_joints_of_one_run_have_each_a_look():
    chain = new_scenario("pendulum").with_value("robot.links", 30).with_value("duration", 0.05)
    curves = plots()["joints"].chart(Shown.of([row_of(chain)]), "q").curves
    assert len(curves) == 30
    assert len({(curve.colour, curve.dash) for curve in curves}) == 30
    assert [curve.name for curve in curves[:2]] == ["q₁", "q₂"]


def test_joints_have_the_names_of_their_file():
    shown = Shown.of([row_of(new_scenario("ur5e").with_value("duration", 0.05))])
    names = [curve.name for curve in plots()["joints"].chart(shown, "v").curves]
    assert names[:2] == ["v₁ shoulder_pan_joint", "v₂ shoulder_lift_joint"]
    assert list(plots()["phase-plane"].variants(shown).values())[2] == "joint 3 elbow_joint"
    circle = Shown.of([row_of(find_preset("pa10-circle").with_value("duration", 0.5))])
    names = [curve.name for curve in plots()["limits"].chart(circle, "limits").curves if curve.listed]
    assert names[:4] == ["S1", "S2", "S3", "E1"], "what is named by its joint is no column of that number"


def test_errors_and_held_torques_of_sliding_joints_keep_their_units():
    held = {"task.torque": "pd", "task.sampling": "held", "task.sampling_period": 0.05, "duration": 0.2}
    row = row_of(new_scenario("scara").with_values(held))
    assert row.run is not None
    found = reference(row.scenario)
    assert found is not None
    row = replace(row, reference=compare_with_reference(row.run, found), reference_state="done")
    assert list(run_texts.largest_errors(row)) == ["reference_q_rad", "reference_q_m"]
    cell = next(column for column in COLUMNS if column.key == "error").text(row, TableMoment((row,)))
    turned, slid = cell.split(", ")
    assert turned.endswith("rad")
    assert slid.endswith("m")
    shown, plot = Shown.of([row]), plots()["held"]
    assert set(plot.variants(shown)) == {"torque", "force"}
    torque, force = (plot.chart(shown, variant) for variant in ("torque", "force"))
    assert (torque.y.unit, force.y.unit) == ("N m", "N")
    listed = [{curve.name for curve in chart.curves if curve.listed} for chart in (torque, force)]
    assert not listed[0] & listed[1]
    assert len(listed[0] | listed[1]) == len(row.run.held[0].torques.T)  # type: ignore[index]


def test_marks_of_a_flat_curve_are_spread_in_files_as_in_the_window():
    t = np.linspace(0.0, 2.0, 41)
    flat = Curve(t, np.full(41, 5.0), "λ₁", mark="circle")
    for curve, least in ((flat, 41), (replace(flat, mark=""), 2)):
        chart = Chart(y=Axis("|λ|", "1/s", "log"), curves=(curve,))
        style = replace(style_of("light"), fine=4.0)
        painter = ChartPainter(chart, QRectF(0.0, 0.0, 4000.0, 1200.0), (0.0, 2.0), style)
        x = painter._lines[0][0]
        assert len(x) == least, "a line needs its corners only, its marks stand at all points"
        assert np.ptp(np.diff(x)) < 1e-6 * np.ptp(x)
