"""How fast two runs part."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.charts.plots.difference import JOINTS, DifferencePlot, growth_rate
from gui.charts.registry import charts_of
from gui.charts.shown import Shown
from robots.scenario.presets import find_preset
from tests.inline_jobs import InlineJobs


def test_runs_of_a_chaotic_arm_part_exponentially_and_the_legend_says_how_fast(tmp_path: Path) -> None:
    session = Session(InlineJobs(), Settings(tmp_path), find_preset("rr-chaos"))
    session.start()
    session.view.set(plots=["difference"])
    session.edit("rtol", 1e-9)
    session.comparisons.pin()
    session.edit("rtol", 1e-10)
    (chart,) = charts_of(session.runs.all, session.view.settings)
    rates = [float(re.findall(r"grows at ([\d.]+)", curve.remark)[0]) for curve in chart.curves]
    assert rates
    assert all(1.0 < rate < 1.5 for rate in rates), "what makes it chaotic, in the legend, which loses nothing"


def test_the_rate_is_that_of_the_exponential_between_round_off_and_full_size() -> None:
    t = np.linspace(0.0, 10.0, 500)
    apart = np.minimum(1e-12 * np.exp(4.0 * t), 2.0)
    assert growth_rate(t, apart, 1.0) == pytest.approx(4.0, rel=1e-6)
    assert growth_rate(t, np.full(500, 1e-5), 1.0) is None
    assert growth_rate(t, np.zeros(500), 1.0) is None
    assert growth_rate(t, 1e-6 * t**4, 1.0) is None, "a power of the time has no rate"


def test_a_robot_without_tips_and_joints_says_so(tmp_path: Path) -> None:
    session = Session(InlineJobs(), Settings(tmp_path), find_preset("hmmwv").with_value("duration", 0.1))
    session.start()
    session.comparisons.pin()
    session.edit("duration", 0.12)
    shown = Shown.of(session.runs.all)
    assert len(list(shown.runs)) == 2
    chart = DifferencePlot().chart(shown, JOINTS)
    assert chart.empty == "This robot has no joint angles to compare."
