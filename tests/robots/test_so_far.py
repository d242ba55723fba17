"""Runs that are looked at while they are computed: what is seen is the beginning of what comes out."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING

import numpy as np
import pytest

from assets.watch import Glimpse, Watch
from gui.app.computing.engine import default_engine
from gui.app.runs import RunRow
from gui.charts.registry import plots
from gui.charts.shown import Shown
from robots.model.segments import Segment
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate

if TYPE_CHECKING:
    from robots.simulation.impacts import Impact
    from robots.simulation.run import Run

ADAPTIVE = {"method": "dopri5", "rtol": 1e-7, "atol": 1e-9}
SWING = find_preset("rr-swing").with_value("duration", 5.0)
RODS = find_preset("double-pendulum").with_values({"task.form": "cartesian", "duration": 0.7})

RUNS = {
    "fixed step": SWING.with_value("step", 2e-3),
    "step control": SWING.with_values(ADAPTIVE),
    "several steps": SWING.with_values({"method": "ab4", "step": 2e-3}),
    "SUNDIALS": SWING.with_values({"method": "cvode-bdf", "rtol": 1e-6, "atol": 1e-8}),
    "changed on the way": SWING.with_values(ADAPTIVE).with_segments(Segment(2.0, {"robot.m2": 3.0})),
    "sampled": find_preset("rr-sampled"),
    "hard stops": find_preset("rr-stops"),
    "partitions": RODS,
    "index 2": RODS.with_values({"task.constraints": "index2", "method": "bdf3", "step": 0.005}),
    "inverse dynamics": find_preset("e1"),
    "driven arm": find_preset("e1").with_value("task.forward", "linear"),
}


def watched(scenario: Scenario, when: Callable[[int], bool]) -> tuple[Run, list[Run]]:
    """The run, and what is seen of it when somebody looks between some of its slices."""
    slices, seen = iter(range(10**6)), list[Callable[[], "Run"]]()
    run = simulate(scenario, watch=Watch(lambda: when(next(slices)), seen.append), repeat=False)
    return run, [make() for make in seen]


def hits(run: Run) -> list[Impact]:
    return [hit for phase in run.phases for hit in phase.impacts]


@pytest.mark.parametrize("kind", RUNS)
def test_what_is_seen_is_the_beginning_of_the_run(kind: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("solvers.integrate.FIRST_SLICE", 5)
    monkeypatch.setattr("solvers.integrate.SLICE_SECONDS", 0.0)
    scenario = RUNS[kind]
    alone = simulate(scenario, repeat=False)
    run, seen = watched(scenario, lambda k: k % 5 == 1)
    assert np.array_equal(run.t, alone.t)
    assert np.array_equal(run.y, alone.y, equal_nan=True)
    assert str(run.counts) == str(alone.counts), "a code may not report some: nan"
    assert seen
    for one in seen:
        rows = len(one.t)
        assert np.array_equal(one.t, run.t[:rows])
        assert np.array_equal(one.y, run.y[:rows], equal_nan=True)
        # What failed because a partition was given up is forgotten when the next one begins.
        tried = int(np.flatnonzero(one.log.accepted)[-1]) + 1
        assert np.array_equal(one.log.steps[:tried], run.log.steps[:tried], equal_nan=True)
        half = np.array([0.5 * one.t_end])
        np.testing.assert_allclose(one.sample(half), run.sample(half), rtol=1e-9, atol=1e-12)
        assert one.boundaries == tuple(t for t in run.boundaries if t < one.t_end or t in one.boundaries)
        if (driven := one.companion) is not None:
            assert run.companion is not None
            np.testing.assert_allclose(driven.y[-1], run.companion.y[len(driven.t) - 1], rtol=0.1)
        assert (one.companion is None) == (run.companion is None or rows < 2)
        assert hits(one) == hits(run)[: len(hits(one))]
        assert len(hits(one)) >= sum(hit.t < one.t_end for hit in hits(run))
    assert seen[0].status == "cancelled"
    assert len(seen[-1].t) >= len(seen[0].t) > 1


def test_another_thread_sees_that_a_run_is_stiff_while_it_is_computed():
    scenario = find_preset("double-pendulum").with_values({**ADAPTIVE, "rtol": 1e-5, "atol": 1e-5, "duration": 1000.0})
    engine, enough = default_engine(), Event()
    thread = Thread(target=engine.simulate, args=(scenario, enough.is_set, lambda share: begun.set()))
    begun = Event()
    thread.start()
    assert begun.wait(60.0)
    seen = engine.look(scenario, lambda: False)
    enough.set()
    thread.join()
    assert seen is not None
    assert 0.0 < seen.t_end < scenario.duration
    assert engine.forecast(scenario, seen).startswith("Stiff: from t = ")
    row = RunRow(0, scenario, 0, pinned=False, run=seen, state="computing", seconds_left=9.0, judged=True)
    assert row.outdated
    chart = plots()["stiffness"].drawn(Shown.of([row]))
    assert chart.curves[0].x[-1] == pytest.approx(seen.t_end, rel=0.1)
    assert chart.note.startswith("stiff for this method from t = ")
    assert engine.look(scenario, lambda: False) is None, "nothing is computed any more"


def test_nobody_waits_for_a_computation_that_is_over_or_a_look_that_is_not_wanted():
    look: Glimpse[int] = Glimpse()
    assert look.take(lambda: True) is None
    look.end()
    assert look.take(lambda: False) is None


def test_a_row_keeps_the_names_of_the_run_that_it_has_until_another_one_is_there():
    run = simulate(SWING.with_value("duration", 0.5), repeat=False)
    wanted = run.scenario.with_value("method", "rk1")
    row = RunRow(0, wanted, 0, pinned=False, run=run, state="computing", judged=True)
    assert row.label.startswith("Runge-Kutta 1 ")
    for key in ("stability", "joints", "stiffness"):
        shown = Shown.of([row])
        assert shown.current.label.startswith("Runge-Kutta 4")
        assert all(curve.run in ("", shown.current.label) for curve in plots()[key].drawn(shown).curves), key
