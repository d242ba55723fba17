"""A study that took long is asked for before it is lost; a short one is computed again at once."""

from __future__ import annotations

import pytest

from gui.app import studies
from gui.app.session.session import Session
from robots.papers.study import StudyResult, find_study

KEY = "rr-methods"


@pytest.mark.parametrize(("long", "asked"), [(-1.0, True), (1e6, False)])
def test_quitting_asks_for_a_study_that_took_long(
    session: Session, monkeypatch: pytest.MonkeyPatch, long: float, asked: bool
) -> None:
    monkeypatch.setattr(studies, "LONG", long)
    monkeypatch.setattr(studies, "_compute", lambda *_: StudyResult((), (), ()))
    assert not session.files.dirty
    session.studies.compute(KEY)
    assert session.studies.entry(KEY).state == "done"
    assert session.files.dirty is asked
    assert session.files.must_ask() is asked
    if asked:
        assert find_study(KEY).title in session.files.loss
