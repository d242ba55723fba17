"""The border of stability that theory predicts is where the runs of a map burst, within a pixel."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.sweeps import borders
from robots.sweeps.axes import SweepAxis
from robots.sweeps.borders import ALONG, REST, START, joined, level_lines, stability_border, stable_limit
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.sweep import Sweep

OFFSET = 1e-4
HANGING = find_preset("rr-swing").with_values(
    {"initial.q1": -0.5 * math.pi + OFFSET, "initial.q2": OFFSET, "step": 1.0, "duration": 250.0}
)
DAMPED = HANGING.with_values({"task.torque": "viscous", "task.d1": 3.0, "task.d2": 3.0})
GRAVITY = SweepAxis("robot.g", 4.0, 16.0, 5)


def first_unstable(base: Scenario, steps: SweepAxis) -> np.ndarray:
    """For each gravity, the number of the shortest step whose run leaves the rest."""
    result = run_sweep(Sweep(base, (GRAVITY, steps), ("final.q1", "final.q2")), workers=1)
    away = np.abs(result.readings()["final.q1"] + 0.5 * math.pi) + np.abs(result.readings()["final.q2"])
    burst = ~(away < 30.0 * OFFSET) | (result.statuses() != "finished")
    assert not burst[:, 0].any()
    assert burst[:, -1].all()
    return burst.argmax(axis=1)


@pytest.mark.parametrize(
    ("method", "base"),
    [("symplectic-euler", HANGING), ("rk4", HANGING), ("ab3", DAMPED), ("am4", DAMPED)],
)
def test_runs_burst_at_the_border_within_a_pixel(method: str, base: Scenario) -> None:
    scenario = base.with_value("method", method)
    limit = stable_limit(scenario)
    assert limit is not None
    steps = SweepAxis("step", 0.4 * limit[1], 2.5 * limit[1], 40, log=True)
    border = stability_border(Sweep(scenario, (GRAVITY, steps), ("steps",)))
    assert border is not None
    predicted = np.interp(GRAVITY.values, border.x, border.y)
    places = np.log(predicted / steps.low) / np.log(steps.high / steps.low) * (steps.count - 1)
    found = first_unstable(scenario, steps)
    # The border lies between the last stable and the first unstable one.
    assert (np.abs(found - 0.5 - places) <= 1.0).all(), (found, places)


def test_the_borders_of_the_oscillator() -> None:
    """The small arm hanging has the frequency w: w h = 2 for symplectic Euler, 2.83 for RK4."""
    numbers = {key: stable_limit(HANGING.with_value("method", key)) for key in ("symplectic-euler", "rk4")}
    ratio = numbers["rk4"][1] / numbers["symplectic-euler"][1]  # type: ignore[index]
    assert ratio == pytest.approx(math.sqrt(2.0), rel=1e-6)


def test_a_held_feedback_bursts_at_two_over_its_gain() -> None:
    """The error falls by 1 - h K per step."""
    gain = 20.0
    held = find_preset("pa10-circle").with_values({"task.feedback": "held", "task.gain": gain, "duration": 12.0})
    found = stable_limit(held)
    assert found is not None
    assert found[0] == "step"
    assert found[1] == pytest.approx(2.0 / gain, rel=1e-6)
    sweep = Sweep(held, (SweepAxis("step", 1.0 / gain, 4.0 / gain, 31),), ("max_error.position_m",))
    border = stability_border(sweep)
    assert border is not None
    errors = run_sweep(sweep, workers=1).readings()["max_error.position_m"]
    burst = int(np.argmax(errors > 1e-8))
    assert burst > 0
    assert abs((border.x[0] * gain - 1.0) * 10.0 - (burst - 0.5)) <= 1.0


def test_a_sampled_control_has_the_border_of_its_loop() -> None:
    sampled = find_preset("rr-sampled")
    axes = SweepAxis("task.sampling_period", 0.05, 0.3, 5), SweepAxis("task.kp1", 100.0, 300.0, 5)
    border = stability_border(Sweep(sampled, axes, ("t_end",)))
    assert border is not None
    assert border.where == REST
    known = np.isfinite(border.x)
    assert 0.15 < np.interp(200.0, border.y[known], border.x[known]) < 0.16


def test_fields_without_the_step_have_the_line_where_the_step_is_the_longest() -> None:
    swing = HANGING.with_values({"method": "symplectic-euler", "step": 0.9})
    axes = SweepAxis("robot.g", 4.0, 20.0, 5), SweepAxis("robot.m1", 0.5, 2.0, 5)
    sweep, asked = Sweep(swing, axes, ("t_end",)), iter([False, True])
    assert stability_border(sweep, lambda: next(asked)) is None, "a person stops the map, and need not wait"
    border = stability_border(sweep)
    assert border is not None
    for g, mass in zip(border.x[::7].tolist(), border.y[::7].tolist(), strict=True):
        if math.isfinite(g):
            limit = stable_limit(swing.with_values({"robot.g": g, "robot.m1": mass}))
            assert limit is not None
            assert limit[1] == pytest.approx(0.9, rel=0.02)


def test_the_worst_of_the_motion_is_the_border_and_not_its_start() -> None:
    """Runge-Kutta 1 with little damping failed from 59 ms on, and the line of the start stood at 84 ms."""
    weak = find_preset("rr-stiff")
    axes = SweepAxis("step", 0.04, 0.15, 45), SweepAxis("task.kd2", 15.0, 60.0, 4)
    sweep = Sweep(weak, axes, ("t_end",))
    border = stability_border(sweep)
    assert border is not None
    assert border.where == ALONG
    ended = run_sweep(sweep, workers=1).statuses() == "finished"
    for column, gain in ((0, 15.0), (1, 30.0)):
        last = axes[0].values[ended[:, column].argmin() - 1]
        assert np.interp(gain, border.y, border.x) == pytest.approx(last, rel=0.15)
    start = stable_limit(weak.with_value("task.kd2", 15.0))
    assert start is not None
    assert start[1] == pytest.approx(0.084, abs=1e-3)


def test_where_the_motion_takes_too_long_the_line_is_that_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borders, "MOST_STEPS", 10)
    axes = SweepAxis("step", 0.04, 0.15, 5), SweepAxis("task.kd2", 15.0, 60.0, 5)
    border = stability_border(Sweep(find_preset("rr-stiff"), axes, ("t_end",)))
    assert border is not None
    assert border.where == START
    assert np.interp(15.0, border.y, border.x) == pytest.approx(0.084, abs=1e-3)


def test_no_border_where_theory_has_none() -> None:
    adaptive = HANGING.with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9})
    assert stability_border(Sweep(adaptive, (GRAVITY,), ("steps",))) is None
    steps = SweepAxis("step", 0.01, 0.02, 3)
    assert stability_border(Sweep(HANGING, (GRAVITY, steps), ("steps",))) is None
    assert stability_border(Sweep(HANGING, (GRAVITY, steps), ("steps",), methods=("rk1", "rk4"))) is None


def test_level_lines_lie_on_the_level() -> None:
    x, y = np.meshgrid(np.arange(20.0), np.arange(30.0), indexing="ij")
    lines = level_lines(x + 2.0 * y, 17.0)
    assert lines.shape[1:] == (2, 2)
    np.testing.assert_allclose(lines @ [1.0, 2.0], 17.0)
    assert level_lines(x, 50.0).size == 0


def test_pieces_are_joined_to_lines() -> None:
    y, x = np.indices((30, 30)) - 14.5
    rings = joined(level_lines(np.minimum(np.hypot(x, y - 7.0), np.hypot(x, y + 7.0)), 4.0))
    gaps = np.flatnonzero(np.isnan(rings[:, 0]))
    for ring in np.split(rings, gaps[:-1] + 1):
        assert np.array_equal(ring[0], ring[-2]), "closed"
        assert np.hypot(*np.diff(ring[:-1], axis=0).T).max() < 1.5, "without jumps"
    assert len(gaps) == 2
    assert len(joined(np.array([[[0.0, 1.0], [1.0, 1.0]], [[2.0, 3.0], [1.0, 1.0]]]))) == 4, (
        "an open line of three points"
    )
