"""A run that is gone gives its memory back: whatever is remembered of it goes with it."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import replace
from weakref import ref

import numpy as np
import pytest

from gui.app.computing import compute, references
from gui.app.jobs import Job
from gui.app.session.session import Session
from gui.charts import shown
from gui.compose.kinematics import kinematics_of
from robots.scenario.presets import find_preset
from robots.simulation.reference import Reference
from robots.simulation.simulate import simulate
from solvers.integrate import Dense
from solvers.interpolation.location import KeptSteps
from solvers.recorder import MOST_BYTES, MOST_ROWS, MOST_SEEN, SEEN_BYTES, SPARE_BYTES, GrowingTables, Recorder
from tests.inline_jobs import InlineJobs


def looked_at(session: Session) -> ref:
    """Let pictures and plots remember what they do of the current run."""
    run = session.runs.current.run
    assert run is not None
    for remember in (shown.columns, shown.series, shown.tip, shown.failed, kinematics_of):
        remember(run)
    assert kinematics_of(run) is kinematics_of(run)
    assert kinematics_of(run).room.size
    return ref(run)


def test_nothing_keeps_a_run_that_is_gone(settings) -> None:
    session = Session(InlineJobs(), settings, find_preset("rr-swing").with_value("duration", 0.5))
    session.start()
    gone = []
    for k in range(5):
        gone.append(looked_at(session))
        session.edit("robot.m1", 1.1 + 0.1 * k)
    pinned = session.comparisons.pin()
    session.edit("robot.m1", 3.0)
    row = session.runs.find(pinned)
    assert row is not None
    gone.append(ref(row.run))
    del row
    session.comparisons.remove(pinned)
    gone.append(looked_at(session))
    session.files.new("rr-pd")
    gc.collect()
    assert [one() for one in gone] == [None] * len(gone)


def test_references_are_kept_up_to_a_size(desk, settings, scenario, clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "REFERENCE_BYTES", 3000)
    phase = Dense(None, None, {}, KeptSteps(np.zeros(100), np.zeros((100, 1))))  # type: ignore[arg-type]
    desk.reference_outcome = Reference((phase,), 2.0, 2.0, np.zeros(1))
    assert desk.reference_outcome.nbytes == 1600
    session = Session(InlineJobs(), settings, scenario, desk.engine, clock)
    session.start()
    for mass in (2.0, 3.0, 2.0, 3.0):
        session.edit("robot.m1", mass)
    assert len(desk.referenced) == 5  # each has pushed the one before out
    monkeypatch.setattr(references, "REFERENCE_BYTES", 1e9)
    for mass in (2.0, 3.0, 2.0, 3.0):
        session.edit("robot.m1", mass)
    assert len(desk.referenced) == 6


def test_what_is_free_is_given_back_when_a_large_run_comes_or_goes_and_not_for_a_small_one(
    desk, settings, scenario, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(compute, "give_back", lambda: asked.append(True))
    session = Session(InlineJobs(), settings, scenario, replace(desk.engine), clock)
    session.start()
    session.edit("robot.m1", 2.0)
    assert not asked
    desk.outcome = {"nbytes": compute.LARGE + 1}
    session.edit("robot.m1", 3.0)
    assert len(asked) == 2, "once it is there, and once it is judged: that needs memory, too"
    pinned = session.comparisons.pin()
    desk.outcome = None
    session.edit("robot.m1", 4.0)
    asked.clear()
    session.comparisons.remove(pinned)
    assert len(asked) == 1


@pytest.mark.parametrize(("size", "lane"), [(1000, "front"), (compute.LARGE + 1, "background")])
def test_what_follows_a_large_run_keeps_no_run_waiting(desk, settings, scenario, clock, size: int, lane: str) -> None:
    lanes: dict[object, str] = {}

    class Noting(InlineJobs):
        def start(self, job: Job, lane: str) -> None:
            lanes[job.key] = lane
            super().start(job, lane)

    desk.outcome = {"nbytes": size}
    session = Session(Noting(), settings, scenario, replace(desk.engine), clock)
    session.start()
    assert (lanes["judge", 0], lanes["compare", 0], lanes["run", 0]) == (lane, lane, "front")


def test_where_the_tip_is_takes_little_more_memory_than_the_answer() -> None:
    run = simulate(find_preset("rr-swing").with_values({"step": 1e-4}), repeat=False)
    run.tip(run.t[:10])
    tracemalloc.start()
    try:
        places = run.tip()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(places) == len(run.t) > 100_000
    # The poses of all links of all rows take 70 times as much.
    assert peak < 8 * places.nbytes


def test_what_a_long_run_is_turned_into_takes_little_memory_besides() -> None:
    from robots.simulation import phases

    run = simulate(find_preset("hmmwv").with_values({"duration": 0.5}), repeat=False)
    rows = np.arange(40_000) % len(run.t)
    (only,) = run.phases
    t, y = np.linspace(0.0, run.t_end, len(rows)), run.y[rows]
    long = replace(run, t=t, y=y, phases=(replace(only, first=0, last=len(rows)),))
    for made in (long.series, lambda: phases.along(long.phases, run.robot.errors, t, y)):
        made()
        tracemalloc.start()
        try:
            made()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        # All rows at once take 4 times as much as the states.
        assert peak < 0.8 * y.nbytes


def test_a_look_at_a_long_run_copies_few_of_its_rows() -> None:
    track = GrowingTables((0, 4), 10)
    times, _ = track.room(3000)
    times[:] = np.arange(3000)
    track.keep(3000)
    assert track.seen_by_a_look().stride == 1
    wide = GrowingTables((0, 999), 10)
    wide.room(5000)[0][:] = np.arange(5000)
    wide.keep(5000)
    seen = wide.seen_by_a_look()
    np.testing.assert_array_equal(seen.kept()[0], np.arange(0, 5000, 4))
    assert seen.stride == 4
    assert sum(one.nbytes for one in seen.tables) <= SEEN_BYTES
    recorder = Recorder(0.0, np.zeros(2))
    rows = recorder.rows(3 * MOST_SEEN)
    rows.t[:] = 1.0 + np.arange(3 * MOST_SEEN)
    recorder.add(rows, 3 * MOST_SEEN, 3 * MOST_SEEN)
    looked = recorder.copied()
    assert len(looked.arrays()[0]) <= MOST_SEEN + 1
    assert looked.arrays()[0][-1] == recorder.t == 3 * MOST_SEEN
    assert len(recorder.arrays()[0]) == 3 * MOST_SEEN + 1


def test_a_run_of_any_length_has_bounded_arrays() -> None:
    track = GrowingTables((0, 4), 10)
    assert track.most * 5 * 8 <= MOST_BYTES
    assert track.most <= MOST_ROWS
    for seen in range(1, 20):
        times, _ = track.room(track.most // 6)
        times[:] = seen
        track.keep(len(times))
        # A slice beyond the bound until every second row goes.
        assert len(track.tables[0]) <= track.most + len(times)
    before = [rows.copy() for rows in track.kept()]
    kept = track.final()
    assert [rows.tolist() for rows in kept[:1]] == [rows.tolist() for rows in before[:1]]
    assert sum(table.nbytes for table in track.tables) <= sum(rows.nbytes for rows in kept) + SPARE_BYTES
    run = simulate(find_preset("rr-swing").with_values({"duration": 1.0}))
    assert run.t is run.phases[0].solution.t  # held once
    assert run.nbytes < 100 * 1000
