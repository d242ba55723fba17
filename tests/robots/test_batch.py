"""Runs that are looped inside compiled code are those of `simulate`, to the last bit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest

from robots.scenario.method_selection import suitable_methods
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from robots.sweeps.axes import TOLERANCE, SweepAxis
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Sweep
from solvers.batch import integrate as batch

SWING = find_preset("rr-swing").with_value("duration", 1.0)
ANGLE, MASS = SweepAxis("initial.q1", -1.0, 1.0, 3), SweepAxis("robot.m1", 0.5, 2.0, 3)
# Of SUNDIALS, or in coordinates of their own.
OTHER_LOOPS = (
    *(f"bdf{order}" for order in range(1, 7)),
    "cvode",
    "ida",
    "avf",
    "symplectic-midpoint",
    "symplectic-gauss",
)
SHOW = (
    "max_error.energy_J",
    "final_error.energy_J",
    "final.q1",
    "value(q2, 0.333)",
    "crossing(q1, -1.2)",
    "peak_time(energy_J)",
    "steps",
    "rejected",
    "rhs_evaluations",
    "jacobian_evaluations",
    "t_end",
    "status",
)


def modes(base: Scenario, key: str) -> Iterator[Scenario]:
    """With a fixed step, and with step control, as far as the method has them."""
    method = suitable_methods(base)[key]
    if method.fixed_step:
        yield base.with_values({"method": key, "step": base.duration / 200.0})
    if method.adaptive:
        yield base.with_values({"method": key, "rtol": 1e-5, "atol": 1e-8})


def assert_same(sweep: Sweep) -> None:
    runner = Runner(sweep)
    assert runner.batched == (True,) * len(sweep.bases)
    rows = sorted(runner.rows(range(sweep.size)), key=lambda row: row.number)
    assert [row.number for row in rows] == list(range(sweep.size))
    for row in rows:
        run = simulate(sweep.scenario_at(row.number), repeat=False)
        assert row.status == run.status
        np.testing.assert_array_equal(row.values, [one.of(run) for one in sweep.shown])


@pytest.mark.parametrize("key", ["rk4", "dopri5", "symplectic-euler", "rosenbrock-nystrom"])
def test_every_kind_of_method_has_the_bits_of_simulate(key: str) -> None:
    for scenario in modes(SWING, key):
        assert_same(Sweep(scenario, (ANGLE, MASS), SHOW))


@pytest.mark.long
@pytest.mark.parametrize("key", sorted(suitable_methods(SWING)))
def test_every_method_has_the_bits_of_simulate(key: str) -> None:
    for scenario in modes(SWING, key):
        sweep = Sweep(scenario, (ANGLE, MASS), SHOW)
        assert Runner(sweep).batched[0] == (not key.startswith(OTHER_LOOPS))
        if Runner(sweep).batched[0]:
            assert_same(sweep)


def test_a_method_whose_dense_output_is_a_kernel_of_its_own() -> None:
    assert_same(Sweep(SWING.with_values({"method": "adams-pece", "rtol": 1e-6, "atol": 1e-9}), (ANGLE, MASS), SHOW))


def test_arms_that_follow_a_path_and_arms_of_files() -> None:
    circle = find_preset("pa10-circle").with_value("duration", 0.5)
    assert_same(Sweep(circle, (SweepAxis("task.gain", 1.0, 20.0, 3),), ("max_error.position_m", "final.q1", "steps")))
    chain = find_preset("pendulum-chain").with_value("duration", 0.2)
    assert_same(Sweep(chain, (SweepAxis(TOLERANCE, 1e-8, 1e-4, 3, log=True),), ("final.q1", "rejected")))


def test_tolerances_and_steps_as_axes() -> None:
    dopri5 = SWING.with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9})
    assert_same(Sweep(dopri5, (SweepAxis(TOLERANCE, 1e-9, 1e-3, 4, log=True), ANGLE), SHOW))
    assert_same(Sweep(SWING, (SweepAxis("step", 0.003, 0.3, 5, log=True), MASS), SHOW))


def test_runs_with_more_states_than_fit_are_computed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_ROWS", 60)
    assert_same(Sweep(SWING, (SweepAxis("step", 0.005, 0.05, 4), ANGLE), SHOW))
    dopri5 = SWING.with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9})
    assert_same(Sweep(dopri5, (SweepAxis("duration", 0.5, 8.0, 5), ANGLE), SHOW))


def test_a_full_call_is_followed_by_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_CELLS", 3)
    assert_same(Sweep(SWING, (SweepAxis("step", 0.01, 0.05, 3), ANGLE), SHOW))


def test_a_call_goes_on_where_the_one_before_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "FIRST_BUDGET", 7)
    monkeypatch.setattr(batch, "SLICE_SECONDS", 0.0)
    assert_same(Sweep(SWING, (ANGLE, MASS), SHOW))
    assert_same(Sweep(SWING, (ANGLE, MASS), ("final.q1", "t_end")))


def test_failures_are_data_and_refusals_do_not_stop_the_others() -> None:
    burst = find_preset("beam").with_values({"method": "rk4", "step": 1e-3, "duration": 0.5})
    assert_same(Sweep(burst, (SweepAxis("step", 0.001, 0.02, 2),), ("t_end", "steps")))
    sweep = Sweep(SWING, (SweepAxis("duration", 0.01, 1.0, 2), SweepAxis("step", 0.005, 0.5, 2)), ("steps",))
    rows = {row.number: row for row in Runner(sweep).rows(range(4))}
    assert [rows[k].status for k in range(4)] == ["finished", "refused", "finished", "finished"]
    assert math.isnan(rows[1].values[0])


def test_cancelling_leaves_whole_rows() -> None:
    asked = count()
    sweep = Sweep(SWING, (SweepAxis("initial.q1", -1.0, 1.0, 400),), ("final.q1",))
    rows = Runner(sweep, lambda: next(asked) > 150).rows(range(400))
    assert 0 < len(rows) < 400
    assert all(row.status == "finished" for row in rows)
