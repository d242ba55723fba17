"""What the session says of a computation that takes long, while it goes on."""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from itertools import count

import pytest

from gui.app.jobs import Jobs
from gui.app.session.session import Session
from tests.app.conftest import QuickRun
from tests.inline_jobs import InlineJobs


def test_a_long_computation_says_what_is_left_and_what_it_costs(desk, settings, scenario, monkeypatch):
    clock, seen, asked = iter(range(100)), [], []
    now = [0.0]
    monkeypatch.setattr("assets.clock.monotonic", lambda: now.append(float(next(clock))) or now[-1])
    monkeypatch.setattr("gui.app.jobs.PROGRESS_INTERVAL", 0.0)

    def slow(wanted, cancel, progress):
        for share in (0.1, 0.2, 0.3, 0.4, 0.5):
            progress(share)
            seen.append((session.runs.current.progress, session.runs.current.seconds_left, session.messages.notice))
        return desk.simulate(wanted, cancel, progress)

    def look(wanted, cancel):
        asked.append(now[-1])
        return QuickRun(wanted, "cancelled", t_end=0.1 * now[-1]) if asked[1:] else None

    def forecast(wanted, begun):
        row = session.runs.current
        shown.append(row.run and (row.run.t_end, row.judged, row.outdated))
        return "It creeps." if begun is None else ""

    shown = []
    engine = replace(desk.engine, simulate=slow, look=look, forecast=forecast)
    session = Session(InlineJobs(), settings, scenario, engine)
    session.start()
    assert [progress for progress, _, _ in seen] == [0.1, 0.2, 0.3, 0.4, 0.5]
    # A tenth of the run in each second; the first report is where counting begins.
    assert [left for _, left, _ in seen] == [None, *(pytest.approx(left) for left in (8.0, 7.0, 6.0, 5.0))]
    assert "about 5\u00a0s left" in seen[-1][2]
    assert "It creeps." in seen[-1][2]
    # It is looked at after 1 s, 2 s and 4 s, and shown so far, but its numbers are not called the run's.
    assert asked == [1.0, 2.0, 4.0]
    assert shown == [None, None, (pytest.approx(0.2), True, True)]
    assert session.runs.current.run.status == "finished"
    assert not session.runs.current.outdated
    assert session.runs.current.seconds_left is None
    assert "creeps" not in session.messages.notice


def test_what_is_computed_in_the_background_keeps_no_forecast_waiting(desk, settings, scenario, monkeypatch):
    """Where nothing is known at first, the run is looked at again later."""
    calls: queue.Queue = queue.Queue()
    said, ticks, asked = threading.Event(), count(), []
    monkeypatch.setattr("assets.clock.monotonic", lambda: 0.5 * next(ticks))
    monkeypatch.setattr("gui.app.jobs.PROGRESS_INTERVAL", 0.0)

    def slow(wanted, cancel, progress):
        while not said.wait(0.001):
            progress(0.1)
        return desk.simulate(wanted, cancel, progress)

    def forecast(wanted, begun):
        asked.append(wanted)
        return "It is stiff." if len(asked) == 2 else ""

    jobs = Jobs(calls.put)
    jobs.submit(lambda *_: said.wait(60), key="long", on_done=bool, on_error=bool, lane="background")
    session = Session(jobs, settings, scenario, replace(desk.engine, simulate=slow, forecast=forecast))
    session.start()
    for _ in range(1000):
        if session.runs.current.message:
            break
        calls.get(timeout=60)()
    said.set()
    assert session.runs.current.message == "It is stiff."
    session.close()
