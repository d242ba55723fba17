"""The joints of an arm differ, beside other runs, too: in colours that colour-blind people see as different."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from gui.app.documents import Tag
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.colours import MEMBERS, dash_of
from gui.charts.plot import BY_DASH
from gui.charts.registry import plots
from gui.charts.shown import Shown
from gui.qt.drawing.legend import entries_of, entries_on_paper
from gui.qt.drawing.style import MARKS, style_of
from gui.qt.export.figure import page_of
from gui.qt.export.settings import ExportSettings
from robots.model.chart import Chart, Curve
from robots.scenario.presets import find_preset
from robots.scenario.scenario import new_scenario
from robots.simulation.simulate import simulate

SEEN = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What a colour, as linear RGB, looks like to whom: Machado, Oliveira and Fernandes (2009)."""

XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab_of(colour: str, seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIELAB: distances below about 2 cannot be seen, those of 10 at a glance."""
    channels = np.array([int(colour[at : at + 2], 16) / 255.0 for at in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    parts = XYZ @ np.clip(seen @ linear, 0.0, 1.0) / (0.9505, 1.0, 1.089)
    x, y, z = np.where(parts > 0.008856, np.cbrt(parts), 7.787 * parts + 16.0 / 116.0)
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


def nearest(colours: list[str], eyes: str) -> float:
    places = [lab_of(colour, SEEN[eyes]) for colour in colours]
    return min(float(np.linalg.norm(one - other)) for one, other in combinations(places, 2))


def rows_of(preset: str, count: int, **values: object) -> list[RunRow]:
    base = find_preset(preset) if preset != "pendulum" else new_scenario(preset)
    base = base.with_values({"duration": 0.4, **{key.replace("_", "."): value for key, value in values.items()}})
    run = simulate(base, repeat=False)
    return [RunRow(k, base, k, pinned=k > 0, run=run, state="done") for k in range(count)]


def chart_of(rows: list[RunRow], key: str = "joints") -> Chart:
    return plots()[key].drawn(Shown.of(rows))


def looks(curves: tuple[Curve, ...], theme: str = "light") -> list[tuple[str, str]]:
    style = style_of(theme)
    return [(style.curve_colour(curve).name(), style.dash(curve.colour, curve.dash)) for curve in curves]


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_seven_colours_differ_for_everybody(theme: str, eyes: str) -> None:
    style = style_of(theme)
    nothing = np.zeros(1)
    colours = [style.curve_colour(Curve(nothing, nothing, tint=colour)).name() for colour in MEMBERS]
    assert len(colours) == 7
    assert nearest(colours, eyes) > 10.0


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_each_of_seven_joints_keeps_its_colour_beside_other_runs(theme: str, count: int) -> None:
    chart = chart_of(rows_of("pa10-circle", count))
    found = looks(chart.curves, theme)
    assert len(found) == len(set(found)) == 7 * count
    alone = [colour for colour, _ in looks(chart_of(rows_of("pa10-circle", 1)).curves, theme)]
    for k in range(count):
        mine = found[7 * k : 7 * k + 7]
        assert [colour for colour, _ in mine] == alone, "a joint keeps its colour"
        assert {dash for _, dash in mine} == {dash_of(k)}, "a run has its dash"
    assert (BY_DASH in chart.note) == (count > 1)


def test_the_legend_has_a_key_of_joints_and_one_of_runs() -> None:
    rows = rows_of("pa10-circle", 3)
    chart, style = chart_of(rows), style_of("light")
    entries = entries_of(chart, style, 0.2, ghosts=True, every=True)
    first, *joints, second, third = entries
    assert [entry.name.split()[-1] for entry in joints] == ["S1", "S2", "S3", "E1", "E2", "W1", "W2"]
    assert [(entry.colour, entry.dash) for entry in joints] == looks(chart.curves)[:7]
    assert all(entry.value for entry in joints)
    assert [entry.dash for entry in (first, second, third)] == [dash_of(k) for k in range(3)]
    assert {len(entry.curves) for entry in joints} == {3}, "a joint of every run"
    assert second.curves == tuple(curve.key for curve in chart.curves[7:14]), "all joints of a run"
    hidden = entries_of(chart, style, 0.2, ghosts=True, every=True, hidden=second.curves)
    assert [entry.off for entry in hidden] == [False] * 8 + [True, False]
    on_paper = entries_on_paper(chart_of(rows_of("rr-swing", 2), "extra"), style)
    assert [entry.name for entry in on_paper] == ["kinetic", "potential", "total"], "once, as in every run"


def test_each_of_few_curves_tells_whose_it_is_beside_other_runs() -> None:
    rows = [replace(row, tag=Tag(name)) for row, name in zip(rows_of("rr-swing", 2), ("Mine", "Yours"), strict=True)]
    entries = entries_of(chart_of(rows), style_of("light"), 0.2, ghosts=True, every=True)
    assert [entry.name for entry in entries] == [
        f"{run}, {joint}" for run in ("Mine", "Yours") for joint in ("q₁", "q₂")
    ]
    alone = entries_of(chart_of(rows_of("rr-swing", 1)), style_of("light"), 0.2, ghosts=True, every=True)
    assert [entry.name for entry in alone] == ["q₁", "q₂"]


def test_black_and_white_has_a_mark_for_each_joint_and_a_dash_for_each_run() -> None:
    settings = ExportSettings(Path("x.pdf"), plots="joints", style="paper", theme="mono")
    page = page_of(rows_of("pa10-circle", 2), ViewSettings(), settings)
    chart, style = page.painters[0].chart, page.style
    assert not page._beside(page.places[0]), "what is said of the dashes has a line of its own"
    assert style.mono
    first, *joints, second = entries_of(chart, style, ghosts=True, every=True)
    assert {entry.mark for entry in joints} == set(MARKS)
    assert [entry.dash for entry in (first, second)] == [dash_of(0), dash_of(1)]
    assert {QColor(entry.colour).saturation() for entry in joints} == {0}


def test_two_joints_are_shades_of_their_run() -> None:
    rows = rows_of("rr-swing", 2)
    curves = chart_of(rows).curves
    assert [(curve.colour, curve.tint) for curve in curves] == [(row.colour, "") for row in rows for _ in range(2)]
    assert [curve.shade for curve in curves] == [0.0, 0.55] * 2
    assert BY_DASH not in chart_of(rows).note


def test_ten_joints_beside_other_runs_have_each_a_look() -> None:
    found = looks(chart_of(rows_of("pendulum", 2, robot_links=10)).curves)
    assert len(set(found)) == len(found) == 20


def test_where_dashes_come_again_runs_keep_their_colours() -> None:
    """An eighth run has the dash of the second one: only their colours differ."""
    rows = rows_of("pa10-circle", 8)
    curves = chart_of(rows).curves
    assert {(curve.colour, curve.dash) for curve in curves} == {(row.colour, row.dash) for row in rows}
    assert not any(curve.tint for curve in curves)
    hidden = [replace(row, visible=False) if row.id == 1 else row for row in rows]
    assert all(curve.tint for curve in chart_of(hidden).curves), "the seven that are shown have dashes of their own"
