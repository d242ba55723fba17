"""Sampled control against the exact discrete motion of the linearised arm, and across its jumps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm

from assets.errors import BadInput
from robots.model.sampling import HeldTorques, Sampling
from robots.model.segments import Pull, Segment
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from solvers.status import Status

PERIOD = 0.02
SMALL = 1e-5
STEP = {"method": "rk4", "step": 0.004}


def held(**more: float | str) -> Scenario:
    """The arm without gravity near its target, where it is linear up to the square of `SMALL`."""
    task = {"torque": "pd", "kp1": 200.0, "kp2": 100.0, "kd1": 30.0, "kd2": 12.0, "sampling": "held"}
    values = {f"task.{key}": value for key, value in task.items()} | {
        **{"task.sampling_period": PERIOD, "task.target1": 0.3, "task.target2": 0.7, "robot.g": 0.0, "duration": 0.5},
        **{"initial.q1": 0.3 + SMALL, "initial.q2": 0.7 - 2 * SMALL, **STEP},
    }
    return new_scenario("rr").with_values({**values, **more})


def instants(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    sampling = Sampling.of(scenario.task)
    assert sampling is not None
    return sampling.instants(scenario.duration)


def linear_arm(scenario: Scenario) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B of e' = A e + B u for the distance e from rest at the target, and the gain K of u = -K e."""
    m1, m2, r1, r2, j1, j2 = (scenario.parameters[key] for key in ("m1", "m2", "r1", "r2", "J1", "J2"))
    c = np.cos(scenario.task["target2"])
    m12 = m2 * r2**2 + m2 * r1 * r2 * c
    inertia = np.array([[(m1 + m2) * r1**2 + m2 * r2**2 + 2 * m2 * r1 * r2 * c + j1, m12], [m12, m2 * r2**2 + j2]])
    A, B = np.zeros((4, 4)), np.zeros((4, 2))
    A[:2, 2:], B[2:] = np.eye(2), np.linalg.inv(inertia)
    t = scenario.task
    return A, B, np.hstack([np.diag([t["kp1"], t["kp2"]]), np.diag([t["kd1"], t["kd2"]])])


def exact(scenario: Scenario, taken: np.ndarray, delay: float) -> np.ndarray:
    """The linear arm's state at the end, by matrix exponentials between all instants."""
    A, B, K = linear_arm(scenario)
    task, initial = scenario.task, scenario.initial
    e = np.array([initial["q1"] - task["target1"], initial["q2"] - task["target2"], 0.0, 0.0])
    acting: dict[float, np.ndarray] = {}
    u, whole = np.zeros(2), np.zeros((6, 6))
    sampling = Sampling.of(task)
    assert sampling is not None
    wrong = dict(zip(taken.tolist(), sampling.errors(taken, 2), strict=True))
    whole[:4, :4], whole[:4, 4:] = A, B
    for t, later in pairwise(sorted({*taken, *(taken + delay), scenario.duration})):
        if t in taken:
            acting[t + delay] = -K @ (e + np.append(wrong[t], [0.0, 0.0]))
        u = acting.get(t, u)
        if t < scenario.duration:
            e = (expm(whole * (later - t)) @ np.append(e, u))[:4]
    return e


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"delay": 0.013},
        {"delay": 0.05},
        {"jitter": 0.015, "loss": 0.3},
        {"delay": 0.03, "jitter": 0.02, "loss": 0.5, "noise": 0.3 * SMALL},
    ],
)
def test_a_sampled_loop_moves_as_the_exact_discrete_one(more: dict[str, float]):
    scenario = held(**{f"task.sampling_{key}": value for key, value in more.items()})
    run = simulate(scenario, repeat=False)
    taken, lost = instants(scenario)
    assert (len(lost) > 0) == ("loss" in more)
    state = exact(scenario, taken, more.get("delay", 0.0))
    ours = run.y[-1] - [0.3, 0.7, 0.0, 0.0]
    # Nonlinear terms are of the order of SMALL, relatively; so is Runge-Kutta's error.
    assert np.allclose(ours, state, rtol=0.0, atol=2e-4 * np.abs(state).max())


def test_a_run_that_was_stopped_has_the_samples_up_to_its_end():
    slices = iter(range(1000))
    run = simulate(held(), cancel=lambda: next(slices) == 9, repeat=False)
    assert run.status == "cancelled"
    assert 0.0 < run.t_end < 0.5 * run.scenario.duration
    assert run.held is not None
    taken = run.held[0].taken
    assert np.array_equal(taken, instants(run.scenario)[0][: len(taken)])
    assert taken[-1] <= run.t_end < taken[-1] + PERIOD
    assert np.all(run.held[0].torques != 0.0)
    assert run.to_dict()["samples"] == len(taken)


def test_instants_are_of_the_seed_alone():
    sampling = Sampling(0.01, jitter=0.01, loss=0.25, seed=7)
    short, long = sampling.instants(1.0)[0], sampling.instants(50.0)[0]
    assert np.array_equal(short, long[: len(short)])
    assert np.all(np.diff(long) > 0.0)
    assert not np.array_equal(short, Sampling(0.01, jitter=0.01, loss=0.25, seed=8).instants(1.0)[0])
    taken, lost = sampling.instants(50.0)
    assert len(taken) + len(lost) == 5000
    assert abs(len(lost) / 5000 - 0.25) < 0.03
    late = taken % 0.01
    assert abs(late.mean() - 0.005) < 3e-4


def test_noise_is_normal_and_of_the_seed_and_the_sample_alone():
    sampling = Sampling(0.01, jitter=0.01, loss=0.25, seed=7, noise=0.02)
    taken, _ = sampling.instants(50.0)
    wrong = sampling.errors(taken, 2)
    np.testing.assert_array_equal(sampling.errors(taken[taken > 20.0], 2), wrong[taken > 20.0])
    np.testing.assert_allclose([wrong.mean(), wrong.std()], [0.0, 0.02], atol=1e-3)
    assert abs(np.corrcoef(wrong.T)[0, 1]) < 0.05
    assert (np.abs(wrong) < 0.02).mean() == pytest.approx(0.683, abs=0.02)


@pytest.mark.parametrize(
    ("method", "more"), [("dopri5", {"rtol": 1e-10, "atol": 1e-13}), ("ab4", {"step": 1e-3, "options.startup": "rk4"})]
)
def test_every_kind_of_method_lands_on_the_instants(method: str, more: dict[str, float]):
    scenario = held(**{"task.sampling_delay": 0.007})
    fine = simulate(scenario.with_values({"step": 1e-3}), repeat=False)
    run = simulate(scenario.with_values({"method": method, **more}), repeat=False)
    taken, _ = instants(scenario)
    assert set(taken) | set((taken + 0.007)[:-1]) <= set(run.t)
    assert np.abs(run.y[-1] - fine.y[-1]).max() < 1e-5 * SMALL


@pytest.mark.parametrize("steps", [(0.01, 0.005, 0.0025), (0.009, 0.0045, 0.00225)])
def test_the_order_stays_across_the_jumps(steps: tuple[float, ...]):
    wide = {"initial.q1": -1.0, "initial.q2": 1.5, "robot.g": 9.81, "task.sampling_period": 0.05}
    runs = [simulate(held(**wide, step=step), repeat=False) for step in (*steps, 2.5e-4)]
    errors = [np.abs(run.y[-1] - runs[-1].y[-1]).max() for run in runs[:-1]]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.all(np.abs(orders - 4.0) < 0.35), orders


def test_torques_are_held_and_states_between_steps_know_them():
    run = simulate(held(**{"task.sampling_delay": 0.005, "step": 0.02}), repeat=False)
    times = np.array([0.001, 0.0051, 0.019, 0.0249, 0.0251])
    torque = run.columns(times)["u1"]
    assert torque[0] == 0.0
    assert torque[1] == torque[2] == torque[3] != torque[4]
    start = run.y[0]
    assert torque[1] == pytest.approx(-200.0 * (start[0] - 0.3) - 30.0 * start[2], rel=1e-12)
    finer = simulate(held(**{"task.sampling_delay": 0.005, "step": 5e-4}), repeat=False)
    assert np.abs(run.sample(times) - finer.sample(times)).max() < 1e-8 * SMALL + 1e-12


def test_what_is_held_outlasts_a_change_during_the_run():
    later = held().with_segments(Segment(0.105, {"task.kp1": 0.0}))
    run, plain = simulate(later, repeat=False), simulate(held(), repeat=False)
    before, after = run.columns(np.array([0.104, 0.119]))["u1"], run.columns(np.array([0.121]))["u1"]
    assert before[0] == before[1] == plain.columns(np.array([0.11]))["u1"][0]
    assert after[0] != plain.columns(np.array([0.121]))["u1"][0]
    joined = run.phases[-1].held
    assert isinstance(joined, HeldTorques)
    assert np.all(np.diff(joined.taken) > 0.0)


def test_a_pull_adds_to_held_torques():
    weak = Pull(1, (0.5, 0.0, 0.0), 1e-9, 0.0, ((0.1, 1.0, 0.0, 1.0), (0.3, 1.0, 0.0, 2.0)))
    pulled = simulate(held().with_segments(Segment(0.1, {}, weak)), repeat=False)
    plain = simulate(held(), repeat=False)
    assert np.abs(pulled.y[-1] - plain.y[-1]).max() < 1e-9
    assert np.abs(pulled.y[-1] - plain.y[-1]).max() > 0.0


def test_the_reference_samples_too(tmp_path):
    run = simulate(held(**{"task.sampling_loss": 0.2}), repeat=False)
    between = np.linspace(0.0, 0.5, 101)
    for _ in range(2):  # computed, and read from the disk
        exact_run = reference(run.scenario, cache_dir=tmp_path)
        assert exact_run is not None
        errors = compare_with_reference(run, exact_run)
        assert errors.max["reference_q_rad"] < 1e-6 * SMALL
        assert errors.trusted_until == 0.5
        assert np.abs(exact_run.sample(between) - run.sample(between)).max() < 1e-3 * SMALL


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("task.sampling_period", 1e-8, "at least 5e-7 s, for at most 1e6 samples"),
        ("task.sampling_period", 0.0, "above 0 and at most 1000 s"),
        ("task.sampling_jitter", 0.03, "at most 0.02 s, the sampling period, got 0.03"),
        ("task.sampling_loss", 1.5, "from 0 to 1"),
    ],
)
def test_what_cannot_be_sampled_is_refused(path: str, value: float, said: str):
    with pytest.raises(BadInput, match=said):
        held(**{path: value})


def test_a_control_that_samples_too_seldom_loses_its_arm_and_says_so():
    controlled = {"method": "dopri5", "step": None, "rtol": 1e-3, "atol": 1e-3}
    run = simulate(held(duration=5.0, **{"task.kd2": 400.0}).with_values(controlled), repeat=False)
    assert run.status is Status.DIVERGED
    assert run.t_end < 2.0
    assert run.message.startswith(f"The control lost the arm at t = {run.t_end:.6g} s")
    assert run.t_end in instants(run.scenario)[0]
