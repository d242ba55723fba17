"""What the table of runs says of a run where its column is narrow."""

from __future__ import annotations

from dataclasses import replace

from gui.app.verdict import RunVerdict


def test_until_when_an_error_is_known_is_worth_more_than_that_the_run_finished() -> None:
    """In a narrow table *Finished* stood beside the largest error of a run whose reference holds for a fifth of it."""
    whole = RunVerdict("Finished", "Finished at t = 25 s.", known="Error known until 9.978 s.")
    assert [whole.fitting(lambda text, room=room: len(text) <= room) for room in (60, 30, 10)] == [
        "Finished at t = 25 s. Error known until 9.978 s.",
        "Error known until 9.978 s.",
        "Finished",
    ]
    stopped = replace(whole, ended="Stopped", outcome="Stopped by you at 15.0 s.", when="Stopped at 15.0 s.")
    assert stopped.fitting(lambda text: len(text) <= 30) == "Stopped by you at 15.0 s."
