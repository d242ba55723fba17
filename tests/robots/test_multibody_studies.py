"""The studies of paper 4 compute, and their verdicts follow their numbers."""

from __future__ import annotations

import pytest

from robots.papers.finding import AGREES, DIFFERS, NOT_COMPARABLE, PARTLY
from robots.papers.study import find_study
from tests.robots.figures import check_figures, check_page

VERDICTS = {
    "stiff-pendulum": {
        "section 5.1, initial state": DIFFERS,
        "section 2, estimate": PARTLY,
        # theta1 starts at 2 pi, which is more than 6.0 and makes the bound 1 + 2 pi.
        "section 5.1, range": PARTLY,
        "section 4, second table": PARTLY,
        "section 4, step 14": NOT_COMPARABLE,
    },
    "hmmwv-bump": {},
}


@pytest.mark.parametrize("key", VERDICTS)
def test_paper_4(key: str) -> None:
    shares: list[float] = []
    result = find_study(key).compute(shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    check_figures(key, result)
    check_page(key, result)
    for one in result.findings:
        # Ratios of computing times agree or not as the machine has it.
        assert one.timed or one.verdict == VERDICTS[key].get(one.figure, AGREES), one
        assert one.why or one.verdict != DIFFERS
