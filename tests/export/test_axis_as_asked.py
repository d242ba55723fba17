"""The time axis of a figure is as asked, also where a run failed before its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.errors import BadInput
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.front.runs import Run
from gui.qt.export.figure import page_of
from gui.qt.export.settings import ExportSettings
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate


@pytest.fixture(scope="module")
def failed() -> RunRow:
    row = Run(simulate(find_scenario("rr-stiff"))).row(0)
    assert row.run is not None
    assert row.run.t_end < 1.0 < row.run.scenario.duration == 5.0
    return row


@pytest.mark.parametrize(
    ("asked", "span"),
    [
        ({}, (0.0, 5.0)),
        ({"start": 0.0, "end": 5.0}, (0.0, 5.0)),
        ({"end": 0.5}, (0.0, 0.5)),
        ({"start": 1.0}, (1.0, 5)),
    ],
)
def test_a_figure_has_the_range_that_was_asked_for(
    failed: RunRow, asked: dict[str, float], span: tuple[float, float], qapp: object
) -> None:
    settings = ExportSettings(Path("x.pdf"), plots="joints,step-size", **asked)
    for painter in page_of([failed], ViewSettings(), settings).painters:
        assert painter.span == span


def test_a_longer_run_beside_it_counts(failed: RunRow, qapp: object) -> None:
    longer = Run(simulate(find_scenario("rr-swing").with_values({"duration": 8.0}))).row(1)
    (painter,) = page_of([failed, longer], ViewSettings(), ExportSettings(Path("x.pdf"), plots="joints")).painters
    assert painter.span == (0.0, 8.0)
    with pytest.raises(BadInput, match="to"):
        page_of([failed], ViewSettings(), ExportSettings(Path("x.pdf"), plots="joints", end=9.0))
