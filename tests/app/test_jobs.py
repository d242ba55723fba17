"""Work leaves the window's thread, comes back to it, and the newest wins."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from functools import partial
from types import SimpleNamespace

import pytest

from assets import priority
from assets.priority import BEHIND, in_front
from gui.app.jobs import PROGRESS_INTERVAL, Job, Jobs
from tests.inline_jobs import InlineJobs


class Desk:
    """A thread's own queue of calls, as the window's event loop is one."""

    def __init__(self) -> None:
        self.calls: queue.Queue = queue.Queue()

    def until(self, done, timeout: float = 10.0) -> None:
        end = time.monotonic() + timeout
        while not done():
            self.calls.get(timeout=max(end - time.monotonic(), 0.01))()


@pytest.fixture
def desk():
    return Desk()


@pytest.fixture
def jobs(desk):
    jobs = Jobs(desk.calls.put, grace=0.05)
    yield jobs
    jobs.close()


def raising(error: BaseException) -> None:
    raise error


def test_results_arrive_in_the_owner_s_thread(jobs, desk):
    seen = []
    jobs.submit(
        lambda cancel, progress: threading.get_ident(),
        key="a",
        on_done=lambda worker: seen.append((worker, threading.get_ident())),
        on_error=raising,
    )
    desk.until(lambda: seen)
    worker, owner = seen[0]
    assert owner == threading.get_ident() != worker


def test_an_exception_is_reported_and_not_lost(jobs, desk):
    seen = []

    def work(cancel, progress):
        raise ZeroDivisionError("nought")

    jobs.submit(work, key="a", on_done=seen.append, on_error=seen.append)
    desk.until(lambda: seen)
    assert isinstance(seen[0], ZeroDivisionError)


def test_the_newest_job_of_a_key_wins(jobs, desk):
    seen, begun, release = [], threading.Event(), threading.Event()

    def endless(cancel, progress):
        begun.set()
        while not cancel():
            release.wait(0.005)
        return "cut short"

    jobs.submit(endless, key="a", on_done=seen.append, on_error=raising)
    assert begun.wait(5)
    jobs.submit(lambda cancel, progress: "never begun", key="a", on_done=seen.append, on_error=raising)
    jobs.submit(lambda cancel, progress: "newest", key="a", on_done=seen.append, on_error=raising)
    desk.until(lambda: "newest" in seen)
    assert seen == ["newest"]


def test_a_superseded_job_may_finish_within_the_grace_period(jobs, desk):
    seen, begun, go_on = [], threading.Event(), threading.Event()

    def short(cancel, progress):
        begun.set()
        go_on.wait(5)
        return "first, cancelled" if cancel() else "first"

    jobs.submit(short, key="a", on_done=seen.append, on_error=raising)
    assert begun.wait(5)
    jobs.submit(lambda cancel, progress: "second", key="a", on_done=seen.append, on_error=raising)
    go_on.set()
    desk.until(lambda: "second" in seen)
    assert seen == ["first", "second"]


def test_stop_delivers_what_there_is_and_discard_nothing(jobs, desk):
    seen, begun, go_on = [], threading.Event(), threading.Event()

    def until_cancelled(cancel, progress):
        begun.set()
        go_on.wait(5)
        return "as far as it came" if cancel() else "never cancelled"

    jobs.submit(until_cancelled, key="a", on_done=seen.append, on_error=raising)
    assert begun.wait(5)
    jobs.stop("a")
    go_on.set()
    desk.until(lambda: seen)
    assert seen == ["as far as it came"]

    begun.clear()
    go_on.clear()
    jobs.submit(until_cancelled, key="b", on_done=seen.append, on_error=raising)
    assert begun.wait(5)
    jobs.discard("b")
    go_on.set()
    jobs.submit(lambda cancel, progress: "later", key="c", on_done=seen.append, on_error=raising)
    desk.until(lambda: "later" in seen)
    assert seen == ["as far as it came", "later"]


def test_the_background_does_not_hold_up_the_front(jobs, desk):
    seen, release = [], threading.Event()
    jobs.submit(
        lambda cancel, progress: release.wait(5), key="slow", on_done=seen.append, on_error=raising, lane="background"
    )
    jobs.submit(lambda cancel, progress: "quick", key="quick", on_done=seen.append, on_error=raising)
    desk.until(lambda: seen)
    assert seen == ["quick"]
    release.set()


def test_a_delayed_job_that_is_discarded_never_begins(jobs, desk):
    begun, seen = [], []
    jobs.submit(lambda c, p: begun.append("early"), key="a", on_done=seen.append, on_error=raising, delay=0.2)
    jobs.discard("a")
    jobs.submit(lambda c, p: "after", key="b", on_done=seen.append, on_error=raising, delay=0.25)
    started = time.monotonic()
    desk.until(lambda: seen)
    assert time.monotonic() - started >= 0.2
    assert (begun, seen) == ([], ["after"])


def test_progress_is_said_of_long_jobs_and_not_too_often(monkeypatch):
    clock, reported = [100.0], []
    monkeypatch.setattr("gui.app.jobs.time", SimpleNamespace(monotonic=lambda: clock[0]))

    def done(work) -> list[float]:
        reported.clear()
        Job(work, "run", lambda _: None, raising, reported.append, 1.0, 0.0).execute(lambda call: call())
        return reported

    def long(cancel, progress):
        for step in range(1, 31):
            clock[0] = 100.0 + step / 64
            progress(step / 32)
        progress(1.0)

    def short(cancel, progress):
        progress(0.5)
        progress(1.0)

    every = [step / 32 for step in range(4, 31, 4)]
    assert 4 / 64 > PROGRESS_INTERVAL > 3 / 64
    assert done(long) == [*every, 1.0], "the end of a long one is said at once"
    assert done(short) == []


def test_close_ends_the_threads():
    before = set(threading.enumerate())
    jobs = Jobs(lambda call: call())
    jobs.submit(lambda cancel, progress: None, key="a", on_done=lambda _: None, on_error=raising)
    jobs.close()
    ours = set(threading.enumerate()) - before
    assert not [t for t in ours if t.name == "armstep-front" and t.is_alive()]


def test_what_a_job_leaves_to_be_written_is_written_even_at_the_end(jobs, desk):
    written, began, busy = [], threading.Event(), threading.Event()

    def measure(cancel, progress):
        began.set()
        while not cancel():
            pass
        jobs.write(lambda: (busy.wait(0.05), written.append("map")))
        jobs.write(lambda: written.append("table"))

    jobs.submit(measure, key="a", on_done=raising, on_error=raising, lane="study")
    began.wait()
    jobs.close()
    assert written == ["map", "table"]


def test_inline_jobs_do_it_at_once():
    seen = []
    InlineJobs().submit(lambda cancel, progress: 42, key="a", on_done=seen.append, on_error=raising)
    assert seen == [42]


def test_what_is_on_its_way_when_all_ends_reaches_nobody():
    calls, got = [], []
    jobs = Jobs(calls.append)
    for value in (1, 2):
        job = Job(lambda *_, value=value: value, "run", got.append, got.append, None, 1.0, 0.0)
        job.execute(jobs.dispatch)
    calls.pop(0)()
    jobs.close()
    calls.pop(0)()
    assert got == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_long_studies_leave_the_processor_to_the_window(jobs, desk):
    def priority(*_) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    mine, found = priority(), {}
    for lane in ("front", "background", "study"):
        jobs.submit(priority, key=lane, on_done=partial(found.__setitem__, lane), on_error=raising, lane=lane)
    desk.until(lambda: len(found) == 3)
    assert found == {"front": mine, "background": mine, "study": min(mine + BEHIND, 19)}


def test_studies_wait_while_the_window_draws_for_half_of_their_time_at_most(jobs, desk, monkeypatch):
    clock, waited, reported = [100.0], [], []

    class Free(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(threading.current_thread().name)
            clock[0] += timeout or 0.0
            return False

    def work(cancel, progress):
        for after in (0.0, 0.5, 0.6):
            clock[0] += after * priority.LONGEST
            assert not cancel()
            reported.append(threading.current_thread().name)

    def ask(lane):
        count = len(reported) + 3
        jobs.submit(work, key=lane, on_done=lambda _: None, on_error=raising, lane=lane)
        desk.until(lambda: len(reported) == count)

    monkeypatch.setattr(priority, "_free", Free())
    monkeypatch.setattr(priority, "monotonic", lambda: clock[0])
    with in_front():
        ask("front")
        assert waited == []
        ask("study")
        assert waited == ["armstep-study"] * 2, "not the second time: it has just waited"
    ask("study")
    assert len(waited) == 2, "nothing is drawn"


def test_work_that_leaves_nothing_makes_no_result_once_nobody_waits_for_it(jobs, desk):
    """A person who stops it has what there is: only then is it worth the time to make a result."""
    begun, go_on, seen, made = threading.Event(), threading.Event(), [], []

    def work(cancel, progress):
        begun.set()
        go_on.wait(5)
        made.append("stopped" if cancel() else "whole")
        return made[-1]

    def submit():
        begun.clear()
        go_on.clear()
        jobs.submit(work, key="a", on_done=seen.append, on_error=raising, leaves_nothing=True)
        assert begun.wait(5)

    for leave in (jobs.stop, jobs.discard, lambda _: None):
        submit()
        leave("a")
        go_on.set()
        jobs.submit(lambda cancel, progress: "next", key="b", on_done=seen.append, on_error=raising)
        desk.until(lambda: seen[-1:] == ["next"])
        seen.pop()
    assert (made, seen) == (["stopped", "whole"], ["stopped", "whole"]), "the discarded one made nothing"


def test_a_superseded_run_makes_no_result_after_the_grace_period(desk):
    jobs, begun, ended = Jobs(desk.calls.put, grace=0.0), threading.Event(), []

    def work(cancel, progress):
        begun.set()
        while not cancel():
            pass
        ended.append("made")

    jobs.submit(work, key="a", on_done=raising, on_error=raising, leaves_nothing=True)
    assert begun.wait(5)
    seen = []
    jobs.submit(lambda cancel, progress: "newer", key="a", on_done=seen.append, on_error=raising)
    desk.until(lambda: seen)
    assert (ended, seen) == ([], ["newer"])
    jobs.close()


def test_the_end_waits_once_for_all_that_compute(desk, monkeypatch):
    """Three lanes whose work hears nothing cost one waiting time, and not three."""
    jobs, release = Jobs(desk.calls.put), threading.Event()
    begun = [threading.Event() for _ in range(3)]
    for event, lane in zip(begun, ("front", "background", "forecast"), strict=True):
        jobs.submit(
            lambda cancel, progress, event=event: (event.set(), release.wait(10)),
            key=lane,
            on_done=raising,
            on_error=raising,
            lane=lane,
        )
    assert all(event.wait(5) for event in begun)
    waits: list[float] = []
    monkeypatch.setattr(
        threading.Thread, "join", lambda self, timeout=None: waits.append(timeout or 0.0) or time.sleep(0.1)
    )
    jobs.close(0.4)
    monkeypatch.undo()
    assert waits[0] > waits[1] > waits[2] >= 0.0, "each lane has what the others have left"
    release.set()
