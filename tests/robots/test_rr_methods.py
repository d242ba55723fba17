"""Paper 2's study: the facts about the arm hold, and the verdicts that depend on counts alone are what they must be."""

from __future__ import annotations

import pytest

from robots.papers.finding import AGREES, DIFFERS
from robots.papers.study import find_study, markdown
from robots.studies import rr_methods
from solvers.method_registry import methods
from tests.robots.figures import check_figures, check_page


def test_paper_2_computes_and_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    # Times are not judged here, so that they need not be measured often.
    monkeypatch.setattr(rr_methods, "BUDGET", 0.002)
    study = find_study("rr-methods")
    shares: list[float] = []
    result = study.compute(shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert all(one.why for one in result.findings if one.verdict == DIFFERS)
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    check_figures("rr-methods", result)
    check_page("rr-methods", result)
    assert result.figures[0].labels[:2] == ("T(2, 1)", "T(4, 3)")
    verdicts = [(one.figure, one.verdict) for one in result.findings]
    assert verdicts[0] == ("table 1", AGREES)
    assert ("figure 3", AGREES) in verdicts
    judged = {one.paper: one.verdict for one in result.findings}
    # T(p, p) is of one order more than T(p, p-1): the ratio of their errors has no bound.
    assert judged["the heuristic T(p, p) is a limited improvement over T(p, p-1)"] == DIFFERS
    # The difference of solutions of orders p and q has the order of the lower one.
    assert (
        judged["for small steps the estimate of a pair falls with h to the power of its lower order plus 1"] == AGREES
    )
    assert judged["the next step has the exponent 1 / (max(p, q) + 1)"] == DIFFERS
    tables = {table.name: table for table in result.tables}
    labels = {method.paper_label for method in methods().values()}
    assert all(row[0] in labels for row in tables["table 1"].rows)
    # T(p, p) has global order p, T(p, p-1) has p - 1.
    orders = {
        (row[0], row[1]): row[9] for row in tables["figure 2"].rows if row[1] == 0.005 and row[9] and row[8] > 1e-11
    }
    assert abs(orders["taylor order=4 velocity_order=3", 0.005] - 3.0) < 0.4
    assert abs(orders["taylor order=4 velocity_order=4", 0.005] - 4.0) < 0.5
    assert "Runge-Kutta" in markdown(study, result)
    for figure in result.figures:
        fixed = figure.name in ("figure 2", "figure 3")
        setting, value, which = ("step", 0.02, "at 20 ms") if fixed else ("atol", 1e-7, "at tolerance 10⁻⁷")
        assert figure.which == which
        assert figure.opens is not None
        assert {pin["scenario"][setting] for pin in figure.opens.pins} == {value}
