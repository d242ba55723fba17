"""How long work still takes, in the window and in the terminal."""

from __future__ import annotations

import pytest

from assets.clock import TimeLeft
from gui.cli import main


def test_it_is_said_after_a_second_at_the_speed_since_the_first_share(monkeypatch: pytest.MonkeyPatch):
    now = 100.0
    monkeypatch.setattr("assets.clock.monotonic", lambda: now)
    left, seen = TimeLeft(), []
    # What was there before, 0.2, is no speed; it is repeated while kernels load.
    for now, share in ((100.0, 0.2), (104.0, 0.2), (104.5, 0.3), (106.0, 0.4), (110.0, 0.6)):  # noqa: B007
        left.advance(share)
        seen.append((left.spent, left.seconds))
    assert seen == [(0.0, None), (4.0, None), (4.5, None), (6.0, pytest.approx(6.0)), (10.0, pytest.approx(6.0))]
    left.advance(0.1)
    assert left.seconds is None, "it began again"


def test_a_sweep_says_no_time_before_it_knows_one(monkeypatch: pytest.MonkeyPatch):
    """The speed counts from the first report: what an interrupted sweep left is in it."""
    now, said = 0.0, []
    monkeypatch.setattr("assets.clock.monotonic", lambda: now)

    def compute(sweep, *, into, progress, **_):
        nonlocal now
        for now, share in ((0.5, 0.25), (2.0, 0.5)):  # noqa: B007
            progress(share)
        return into

    monkeypatch.setattr("robots.sweeps.run_sweep.run_sweep", compute)
    monkeypatch.setattr("gui.commands._progress.ProgressBar.show", lambda self, what, share, rest: said.append(rest))
    assert main(["sweep", "rr-swing", "--over", "step=0.01:0.04:4", "--show", "steps", "--workers", "1"]) == 0
    assert said == ["1 of 4 runs", "2 of 4 runs, 3\u00a0s left"]
