"""The times in the forms of exports: six digits are shown, and the run's own are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.form import ExportForm

WHOLE, PART = (0.0, 2.0 / 3.0), (1.0 / 7.0, 2.0 / 3.0)
"""Six digits of 2/3 are beyond the end of the run."""


@pytest.mark.parametrize("span", [WHOLE, PART])
def test_a_film_has_the_times_of_the_run_until_others_are_typed(span: tuple[float, float]) -> None:
    form = ExportForm(still=False, file=Path("arm.mp4"), span=span, title="", theme="light", window_size=(800, 600))
    assert (form.settings(0.0).start, form.settings(0.0).end) == span
    form.end.setText("0.5")
    assert (form.settings(0.0).start, form.settings(0.0).end) == (span[0], 0.5)


@pytest.mark.parametrize(("span", "times"), [(WHOLE, (None, None)), (PART, PART)])
def test_a_figure_shows_the_played_part_where_a_panel_shows_the_run(
    span: tuple[float, float], times: tuple[float | None, float | None]
) -> None:
    form = FigureForm(
        file=Path("a.svg"), span=span, ranged=span is PART, title="", panels={"": {"error": "Error"}}, chosen=["error"]
    )
    assert (form.settings(0.0).start, form.settings(0.0).end) == times
    form.panels.setText("rr-methods/figure-2")
    assert (form.settings(0.0).start, form.settings(0.0).end) == (None, None)
