"""A long run says in the terminal that it is stiff, as the window does."""

from __future__ import annotations

import io
import threading

import pytest

from gui.commands._forecast import Forecast
from gui.commands._progress import ProgressBar
from robots.scenario.presets import find_preset

SOFT = find_preset("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9})


@pytest.mark.parametrize("live", [True, False])
def test_the_sentence_stands_above_the_bar_once(monkeypatch: pytest.MonkeyPatch, live: bool) -> None:
    clock, stream, seen = [0.0], io.StringIO(), []
    found = iter(["", "Stiff: from now on."])
    monkeypatch.setattr("gui.commands._forecast.perf_counter", lambda: clock[0])
    monkeypatch.setattr("gui.commands._forecast.forecast", lambda _, begun: seen.append(begun) or next(found))
    bar = ProgressBar(stream)
    bar.live, bar.every = live, 0.0
    with Forecast(SOFT, bar) as progress:
        for now in (0.5, 1.5, 2.9, 9.5, 60.0, 90.0):
            clock[0] = now
            progress.show("the arm", now / 100)
            watch = progress.look.watch
            for thread in threading.enumerate():
                # The thread cannot have found anything yet: it waits for the run so far.
                while thread.name == "armstep-forecast" and thread.is_alive():
                    if watch.wanted():
                        watch.give(lambda now=now: f"the run after {now} s")
                    thread.join(0.01)
        progress.show("reference", 0.5)
    assert stream.getvalue().count("Stiff: from now on.") == 1
    lines = [line.strip() for line in stream.getvalue().replace("\r", "\n").split("\n") if line.strip()]
    assert seen == ["the run after 1.5 s", "the run after 9.5 s"]
    assert lines.index("Stiff: from now on.") == lines.index(next(line for line in lines if " 60%" in line)) - 1
    assert all("[" in line for line in lines if line != "Stiff: from now on.")
