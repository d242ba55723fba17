"""Why the table of runs compares no errors of different motions."""

from __future__ import annotations

from gui.app.session.session import Session
from gui.app.table.columns import COLUMNS, TableMoment
from gui.qt.panels._runs_table import OTHER_MOTION, tip_text


def test_a_ratio_that_is_not_there_says_why(session: Session) -> None:
    ratio = next(column for column in COLUMNS if column.key == "ratio")
    session.comparisons.pin()
    moment = TableMoment(session.runs.all, 0.0)
    assert OTHER_MOTION not in [tip_text(row, ratio, moment) for row in session.runs.all]
    session.edit("initial.q1", 0.7)
    moment = TableMoment(session.runs.all, 0.0)
    assert [tip_text(row, ratio, moment) for row in session.runs.all] == ["1×", OTHER_MOTION]
