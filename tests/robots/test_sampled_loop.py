"""The border of stability of sampled loops against what is known in closed form, and against runs."""

from __future__ import annotations

import numpy as np
import pytest

from robots.dynamics.flexible.forward import driven_problem
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.sampled_loop import SampledLoop, exponentials, sampled_loop
from robots.simulation.simulate import simulate
from tests.robots.test_sampled import held, linear_arm


def joint(kp: float, kd: float, inertia: float, delay: float = 0.0) -> SampledLoop:
    A, B = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0 / inertia]])
    return SampledLoop(A, B, np.array([[-kp, -kd]]), 0.01, delay)


@pytest.mark.parametrize("gain", [0.5, 10.0])
def test_the_kinematic_loop_shrinks_by_1_minus_hK(gain: float):
    loop = SampledLoop(np.zeros((1, 1)), np.ones((1, 1)), np.array([[-gain]]), 0.1)
    steps = np.array([0.01, 0.3, 1.9, 2.5]) / gain
    assert loop.growth(steps) == pytest.approx(np.abs(1.0 - steps * gain), abs=1e-14)
    assert loop.longest() == pytest.approx(2.0 / gain, rel=1e-6)


def test_a_held_tracking_error_shrinks_by_1_minus_hK_in_the_run():
    pa10 = find_preset("pa10-circle").with_values(
        {"task.feedback": "held", "method": "rk4", "step": 0.02, "task.gain": 20.0, "duration": 0.4}
    )
    run = simulate(pa10, repeat=False)
    loop = sampled_loop(run)
    assert loop is not None
    assert loop.growth(np.array([0.02]))[0] == pytest.approx(abs(1.0 - 0.02 * 20.0), abs=1e-14)
    assert loop.longest() == pytest.approx(0.1, rel=1e-6)


@pytest.mark.parametrize(("kp", "kd", "inertia"), [(100.0, 1.0, 1.0), (10.0, 40.0, 2.0)])
def test_the_border_of_a_joint_with_pd_control_is_jurys(kp: float, kd: float, inertia: float):
    """z^2 - (2 - (kd T + kp T^2/2)/J) z + 1 - (kd T - kp T^2/2)/J: stable below min(2 kd/kp, 2 J/kd)."""
    loop = joint(kp, kd, inertia)
    assert loop.longest() == pytest.approx(min(2.0 * kd / kp, 2.0 * inertia / kd), rel=1e-5)
    for T in (0.005, 0.03, 0.15):
        a, b = kp * T * T / (2.0 * inertia), kd * T / inertia
        roots = np.roots([1.0, -(2.0 - b - a), 1.0 - b + a])
        assert loop.growth(np.array([T]))[0] == pytest.approx(np.abs(roots).max(), rel=1e-7)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0, 1.7])
def test_a_delayed_loop_has_the_eigenvalues_of_its_recursion(share: float):
    """e[k+1] = e[k] - K ((1 - m) T e[k - n] + m T e[k - n - 1]) for a delay of n + m periods."""
    T, K = 0.1, 6.0
    whole = int(share)
    part = share - whole
    loop = SampledLoop(np.zeros((1, 1)), np.ones((1, 1)), np.array([[-K]]), T, share * T)
    recursion = np.zeros(whole + 3)
    recursion[:2] = 1.0, -1.0
    recursion[whole + 1] += K * T * (1.0 - part)
    recursion[whole + 2] += K * T * part
    assert loop.growth(np.array([T]))[0] == pytest.approx(np.abs(np.roots(recursion)).max(), rel=1e-9)


def test_exponentials_are_those_of_a_turn():
    times = np.array([0.0, 0.1, 3.0, 50.0])
    c, s = np.cos(times), np.sin(times)
    found = exponentials(np.array([[0.0, 1.0], [-1.0, 0.0]]), times)
    assert np.abs(found - np.array([[c, s], [-s, c]]).transpose(2, 0, 1)).max() < 1e-12


def test_the_linearised_arm_is_the_one_on_paper():
    scenario = held()
    loop = sampled_loop(simulate(scenario, repeat=False))
    assert loop is not None
    A, B, K = linear_arm(scenario)
    for ours, known in ((loop.A, A), (loop.B, B), (loop.K, -K)):
        assert ours == pytest.approx(known, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_a_run_decays_below_the_border_and_grows_above_it_as_computed(share: float):
    """The growth per sample of a run near rest agrees with the largest eigenvalue to 0.1 %."""
    loop = sampled_loop(simulate(held(), repeat=False))
    assert loop is not None
    period = share * loop.longest()
    run = simulate(held(**{"task.sampling_period": period, "duration": 80.0 * period, "step": 0.01}), repeat=False)
    far = np.linalg.norm(run.sample(period * np.arange(60.0, 80.0)) - [0.3, 0.7, 0.0, 0.0], axis=1)
    measured = (far[-1] / far[0]) ** (1.0 / 19.0)
    assert measured == pytest.approx(loop.growth(np.array([period]))[0], rel=1e-3)
    assert (measured > 1.0) == (share > 1.0)


def driven(**task: float | str) -> Scenario:
    given = {"forward": "linear", "sampling": "held", **task}
    return find_preset("e1").with_values({f"task.{key}": value for key, value in given.items()})


def test_a_loop_says_what_it_leaves_out():
    preset = find_preset("rr-sampled").with_value("duration", 0.5)
    every = {"task.sampling_jitter": 0.01, "task.sampling_loss": 0.2}
    one = {"task.sampling_loss": 0.2}
    for changes, said in (({}, ()), (every, ("jitter", "lost samples")), (one, ("lost samples",))):
        found = simulate(preset.with_values(changes), repeat=False).loop_stability
        assert found is not None
        assert found.without == said


def test_the_driven_arm_holds_its_torque_with_feedback():
    run = simulate(driven(kp=1e5, kd=1e4, sampling_period=0.005, sampling_loss=0.1), repeat=False)
    found, companion = run.held, run.companion
    assert found is not None
    assert companion is not None
    (held_now, lost), data = found, run.to_dict()
    assert data["samples"] == len(held_now.taken) == 60 - len(lost)
    assert data["lost_samples"] == len(lost) > 0
    k = 20
    t, state = held_now.taken[k], companion.sample(held_now.taken[k : k + 1])[0]
    wanted = [np.interp(t, run.t, run.y[:, column]) for column in (-1, 0, 2)]
    asked = wanted[0] + 1e5 * (wanted[1] - state[0]) + 1e4 * (wanted[2] - state[2])
    # The run's rows join its states by lines, 1 ms apart.
    assert held_now.torques[k, 0] == pytest.approx(asked, rel=1e-3)


def test_fine_sampling_is_the_torque_at_every_instant():
    every = simulate(driven(sampling="off"), repeat=False)
    errors = []
    for period in (4e-3, 2e-3, 1e-3):
        run = simulate(driven(sampling_period=period), repeat=False)
        assert run.companion is not None
        assert every.companion is not None
        errors.append(np.abs(run.companion.y[-1] - every.companion.y[-1]).max())
    # A hold is late by half a period: an error of the first order.
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.2)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(1.0, abs=0.2)


def test_without_sampling_the_driven_arm_has_its_table():
    scenario = find_preset("e1").with_values({"task.forward": "linear"})
    run = simulate(scenario, repeat=False)
    problem = driven_problem(run.robot.build(scenario), scenario, run.t, run.y)  # type: ignore[attr-defined]
    assert problem.sample is None
    assert problem.breaks == ()


def test_an_arm_that_falls_within_a_period_grows_without_limit():
    """x'' = x + u leaves its rest with e^t: after 1000 s no number holds it."""
    loop = SampledLoop(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.0], [1.0]]), np.array([[-2.0, -2.0]]), 50.0)
    growth = loop.growth(np.array([0.1, 50.0, 1000.0]))
    assert growth[0] < 1.0 < growth[1] < growth[2] == np.inf
    assert 0.1 < loop.longest() < 50.0
