"""What is true of every study's figures."""

from __future__ import annotations

import numpy as np

from robots.model.study import StudyResult


def check_figures(result: StudyResult) -> None:
    """Every figure has curves of finite numbers and a note, and no two share their files."""
    assert result.figures
    assert len({figure.stem for figure in result.figures}) == len(result.figures)
    for figure in result.figures:
        assert figure.notes(result.findings), figure.name
        assert figure.title
        assert figure.charts
        for chart in figure.charts:
            assert any(line.x.size > 1 for line in chart.curves), (figure.name, chart.title)
            for line in chart.curves:
                assert line.x.shape == line.y.shape
                assert np.isfinite(line.x).all()
                assert np.isfinite(line.y).all()
