"""Runs in the lanes of vector registers have the bits of single runs."""

from __future__ import annotations

import functools
import logging
import subprocess
import sys
from itertools import count

import numpy as np
import pytest

from robots.preparation import lanes
from robots.scenario.method_selection import suitable_methods
from robots.scenario.presets import find_preset, presets
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from robots.sweeps.axes import TOLERANCE, SweepAxis
from robots.sweeps.runner import Runner, can_batch
from robots.sweeps.sweep import Readings, Sweep
from solvers.batch import integrate as batch

SERIES = {"method": "taylor", "options.order": 5, "options.specialised": True}
SWING = find_preset("rr-swing").with_values({**SERIES, "duration": 1.0, "rtol": 1e-6, "atol": 1e-9})
ANGLE, MASS = SweepAxis("initial.q1", -1.0, 1.0, 7), SweepAxis("robot.m1", 0.5, 2.0, 3)
READY = lanes.ready
SHOW = ("final.q1", "final.q2", "final.v1", "final.v2", "steps", "rhs_evaluations", "t_end", "status")


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every sweep is large enough, and waits for its kernel; returns the names of the kernels that were used."""
    used, lanes_for = list[str](), batch.lanes_for

    def noted(stepper):
        found = lanes_for(stepper)
        if found is not None:
            used.append(lanes.name_of(stepper))
        return found

    for module in (batch, lanes):
        monkeypatch.setattr(module, "MANY", 1)
    monkeypatch.setattr(batch, "lanes_for", noted)
    monkeypatch.setattr(lanes, "ready", lambda scenario, count: True)
    return used


def rows(sweep: Sweep) -> list[tuple[str, Readings]]:
    found = sorted(Runner(sweep).rows(range(sweep.size)), key=lambda row: row.number)
    assert [row.number for row in found] == list(range(sweep.size))
    return [(row.status, row.values) for row in found]


def assert_same(sweep: Sweep) -> None:
    for number, (status, values) in enumerate(rows(sweep)):
        run = simulate(sweep.scenario_at(number), repeat=False)
        assert status == run.status
        np.testing.assert_array_equal(values, [one.of(run) for one in sweep.shown])


def test_with_step_control_and_with_a_fixed_step(few_are_many: list[str]) -> None:
    assert_same(Sweep(SWING, (ANGLE, MASS), SHOW))
    assert_same(Sweep(SWING, (SweepAxis(TOLERANCE, 1e-9, 1e-3, 5, log=True), MASS), SHOW))
    assert_same(Sweep(SWING.with_values({"step": 0.01}), (ANGLE, SweepAxis("step", 0.007, 0.02, 2)), SHOW))
    assert few_are_many


def test_fewer_runs_than_lanes_and_states_that_are_kept(few_are_many: list[str]) -> None:
    assert_same(Sweep(SWING, (SweepAxis("initial.q1", -1.0, 1.0, 2),), SHOW))
    used = len(few_are_many)
    assert_same(Sweep(SWING, (ANGLE,), ("max_error.energy_J", "final.q1")))
    assert len(few_are_many) == used


def test_runs_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.integrate.MOST_CONTROLLED_STEPS", 80)
    sweep = Sweep(SWING, (SweepAxis("initial.v1", 0.0, 9.0, 12),), SHOW)
    together = rows(sweep)
    monkeypatch.setattr(batch, "MANY", 10**9)
    np.testing.assert_equal(together, rows(sweep))
    assert {status for status, _ in together} == {"finished", "too-many-steps"}


def test_a_call_goes_on_where_the_one_before_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "FIRST_BUDGET", 7)
    monkeypatch.setattr(batch, "SLICE_SECONDS", 0.0)
    assert_same(Sweep(SWING, (ANGLE, MASS), SHOW))


def test_cancelling_leaves_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_SIDE_BY_SIDE", 20)
    asked = count()
    sweep = Sweep(SWING, (SweepAxis("initial.q1", -1.0, 1.0, 100),), ("final.q1",))
    found = Runner(sweep, lambda: next(asked) > 50).rows(range(100))
    assert 0 < len(found) < 100
    assert all(row.status == "finished" for row in found)


def test_runs_are_computed_alone_until_the_kernel_is_compiled(
    monkeypatch: pytest.MonkeyPatch, few_are_many: list[str]
) -> None:
    monkeypatch.setattr(lanes, "ready", READY)
    monkeypatch.setattr(lanes, "loaded", set())
    monkeypatch.setattr(lanes, "_begun", begun := dict[str, subprocess.Popen[str]]())
    sweep = Sweep(SWING, (ANGLE,), SHOW)
    assert not READY(SWING.with_values({"options.specialised": False}), 7), "no such kernel"
    assert not begun
    first = rows(sweep)
    assert not few_are_many, "nobody waits for it"
    (process,) = begun.values()
    assert process.wait(60) == 0
    np.testing.assert_equal(rows(sweep), first)
    assert few_are_many == list(begun)


@pytest.mark.parametrize("trouble", ["3", "no memory for a process"])
def test_a_kernel_that_cannot_be_compiled_is_done_without(
    monkeypatch: pytest.MonkeyPatch, few_are_many: list[str], caplog: pytest.LogCaptureFixture, trouble: str
) -> None:
    def process(scenario: Scenario) -> subprocess.Popen[str]:
        if trouble != "3":
            raise OSError(trouble)
        ends = subprocess.Popen([sys.executable, "-Sc", "raise SystemExit(3)"], text=True)
        ends.wait()
        return ends

    monkeypatch.setattr(lanes, "ready", READY)
    monkeypatch.setattr(lanes, "loaded", set())
    monkeypatch.setattr(lanes, "_begun", {})
    monkeypatch.setattr(lanes, "_process", process)
    monkeypatch.setattr(lanes, "_failed", set())
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert_same(Sweep(SWING, (ANGLE,), SHOW))
    assert [record.getMessage() for record in caplog.records] == [
        f"runs are not computed side by side: compiling ended with {trouble}"
    ]
    assert not few_are_many


def series_of(key: str, order: int) -> Scenario | None:
    """The preset with power series of this degree, for a tenth of a second; None if it has none."""
    base = find_preset(key)
    changes = {**SERIES, "options.order": order, "duration": min(base.duration, 0.1), "rtol": 1e-6, "atol": 1e-9}
    if "taylor" not in suitable_methods(base):
        return None
    scenario = base.with_values(changes)
    return scenario if can_batch(scenario) else None


def equations_of(key: str) -> tuple[str, int, tuple[str, ...]]:
    """What decides the equations of a preset, beside their numbers: the robot, its joints, and what acts on it."""
    base = find_preset(key)
    return base.robot, len(base.initial), tuple(value for value in base.task.values() if isinstance(value, str))


@functools.cache
def first_with(*equations: object) -> str:
    """The first of the presets with these equations."""
    return next(key for key in sorted(presets()) if equations_of(key) == equations)


@pytest.mark.long
@pytest.mark.parametrize("order", [1, 2, 9, 16, 17])
@pytest.mark.parametrize("key", sorted(presets()))
def test_every_robot_with_power_series(key: str, order: int) -> None:
    scenario = series_of(key, order)
    if scenario is None:
        pytest.skip("no power series, or not many at once")
    if key != (same := first_with(*equations_of(key))):
        pytest.skip(f"the same equations as {same}, with other numbers")
    name, value = next(iter(scenario.initial.items()))
    shown = ("steps", "t_end", f"final.{name}")
    assert_same(Sweep(scenario, (SweepAxis(f"initial.{name}", value, value + 0.1, 9),), shown))
