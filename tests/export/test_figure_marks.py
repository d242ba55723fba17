"""What tells the curves of a figure apart, and what its marks and powers of ten look like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont, QRawFont

from assets.counting import SUPERSCRIPTS
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.figure_style import find_figure_style
from gui.charts.figures.study import figure_charts
from gui.qt.drawing.charts_page import style_of_figure
from gui.qt.drawing.study_page import study_page
from gui.qt.export.charts_file import raster
from gui.qt.export.figure import page_of
from gui.qt.export.settings import ExportSettings
from robots.model.chart import Chart
from robots.papers.figure import Figure, line
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate


def test_a_figure_without_names_says_what_its_marks_are_and_names_every_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the style of papers red crosses were explained nowhere, and the second run's curves were not named."""
    base = find_preset("rr-swing").with_values({"method": "rkf45", "rtol": 1e-7, "duration": 3.0})
    made = [base, base.with_value("method", "dopri5")]
    runs = [RunRow(k, one, k, pinned=k > 0, run=simulate(one), state="done") for k, one in enumerate(made)]
    settings, heads = ExportSettings(Path("x.pdf"), plots="step-size,joints", style="paper"), list[str]()
    shown = page_of(runs, ViewSettings(), settings)
    monkeypatch.setattr("gui.qt.drawing.marks.paint_signed", lambda painter, text, *more: heads.append(text))
    raster(shown)
    assert heads == ["(a)", "× rejected", "(b)"]
    entries = [entry for one in shown.places[1].lines for entry, *_ in one]
    assert [entry.name for entry in entries] == ["q₁", "q₂"] * 2
    light = [QColor(entry.colour).lightnessF() for entry in entries]
    assert light[0] - light[1] > 0.1
    assert light[2] - light[3] > 0.1


def test_powers_of_ten_have_one_face() -> None:
    family = style_of_figure(find_figure_style("paper")).families[0]
    face = QRawFont.fromFont(QFont(family))
    assert all(face.supportsCharacter(sign) for sign in SUPERSCRIPTS.values())


def test_curves_of_a_study_of_one_colour_have_other_marks() -> None:
    x = np.geomspace(0.01, 1.0, 5)
    curves = tuple(line(f"rk{k}", x, x**k, marks=True) for k in range(1, 12))
    figure = Figure("figure 3", "Precision", (Chart(curves=curves),))
    ((chart, _),) = figure_charts(figure)
    assert len({(curve.colour, curve.mark) for curve in chart.curves}) == 11
    shown = study_page(figure, find_figure_style("web"))
    samples = [entry for row in shown.legend for entry, *_ in row]
    assert [(one.colour, one.mark) for one in samples] == [(curve.colour.lower(), curve.mark) for curve in chart.curves]
