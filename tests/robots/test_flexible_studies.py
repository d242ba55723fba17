"""The studies of paper 5: each claim gets the verdict that `docs/papers/5-flexible-inverse-dynamics.md` reports."""

from __future__ import annotations

import pytest

from robots.papers.finding import AGREES, DIFFERS, NOT_COMPARABLE, PARTLY
from robots.papers.study import find_study
from tests.robots.figures import check_figures, check_page

VERDICTS = {
    "flexible-e1": {
        "equation (16a)": DIFFERS,
        "section 7.2.5, tables": NOT_COMPARABLE,
        "figure 11": NOT_COMPARABLE,
        "section 8, solvers": NOT_COMPARABLE,
        "equation (48), ranks": PARTLY,
        "section 5.1.1, along the motion": NOT_COMPARABLE,
        "section 7.2.5, ode15i": NOT_COMPARABLE,
    },
    "flexible-e12": {
        "section 7.4, tables": NOT_COMPARABLE,
        "section 7.4, ode15i": NOT_COMPARABLE,
        "section 8, index": PARTLY,
        "section 7.4, KM": DIFFERS,
        "section 7.4, eigenfrequency": DIFFERS,
        "section 7.4, start": NOT_COMPARABLE,
        "section 8, scaling": PARTLY,
        "section 8, elbow": NOT_COMPARABLE,
        "section 3, other programs": NOT_COMPARABLE,
    },
}
TOOL = {"flexible-e1": ("figure 11", 1.414, 1.414), "flexible-e12": ("figure 14", 2.146, -0.345)}
"""The figure with the snapshots, and where the paper's tool starts, from the first joint [m]."""


@pytest.mark.parametrize("key", VERDICTS)
def test_verdicts_follow_from_the_numbers(key):
    shares: list[float] = []
    result = find_study(key).compute(shares.append)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    # Which formulation is the fastest hangs on the machine.
    judged = [one for one in result.findings if not (one.timed and one.verdict == DIFFERS)]
    others = {one.figure: one.verdict for one in judged if one.verdict != AGREES}
    assert others == VERDICTS[key]
    assert all(one.why for one in result.findings if one.verdict != AGREES)
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    check_figures(key, result)
    name, *place = TOOL[key]
    start = next(figure for figure in result.figures if figure.name == name).charts[0].curves[0]
    assert (start.x[0], start.y[0]) == (0.0, 0.0)
    assert [start.x[-1], start.y[-1]] == pytest.approx(place, abs=5e-4)
    check_page(key, result)
