"""Hard stops against exact motions: times of impacts, energy, momentum, order, endless bounces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assets.errors import BadInput
from robots.model.segments import Segment
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation import impacts
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from solvers.status import Status

FINE = {"method": "dop853", "rtol": 1e-12, "atol": 1e-13}


def pendulum(**values: float | str | None) -> Scenario:
    task = {"stops": "hard", "restitution": 0.5, "stop_low1": -1.2}
    one = new_scenario("pendulum").with_value("robot.links", 1)
    known = {**{f"task.{key}": value for key, value in task.items()}, "method": "rk4", "step": 0.01}
    return one.with_values({**known, **values})  # type: ignore[dict-item]


def arm(**values: float | str | None) -> Scenario:
    ends = {"stop_low1": -2.2, "stop_high1": 0.5, "stop_low2": -0.8, "stop_high2": 0.8}
    task = {"stops": "hard", "restitution": 1.0, **ends}
    known = {**{f"task.{key}": value for key, value in task.items()}, "duration": 5.0, **FINE}
    return new_scenario("rr").with_values({**known, **values})  # type: ignore[dict-item]


def run_of(scenario: Scenario) -> Run:
    return simulate(scenario, repeat=False)


def test_impacts_of_a_free_joint_come_when_they_must():
    """Without gravity the rate is constant: 1 rad at 1 rad/s, then 2 rad at 1/2, at 1/4 and so on."""
    values = {"robot.g": 0.0, "initial.q1": 0.0, "initial.v1": 1.0, "task.stop_low1": -1.0, "task.stop_high1": 1.0}
    run = run_of(pendulum(duration=20.0, step=0.3, **values))
    assert [impact.t for impact in run.impacts] == pytest.approx([1.0, 5.0, 13.0], abs=1e-12)
    assert [impact.side for impact in run.impacts] == [1, -1, 1]
    assert [impact.rate for impact in run.impacts] == pytest.approx([1.0, 0.5, 0.25], abs=1e-12)
    assert run.final["v1"] == pytest.approx(-0.125, abs=1e-12)
    assert run.to_dict()["impacts"] == 3
    assert "3 impacts on the joint stops." in run.message


def test_without_loss_the_energy_stays_over_many_impacts():
    run = run_of(arm())
    assert len(run.impacts) > 8
    assert {impact.joint for impact in run.impacts} == {0, 1}
    energy = sum(run.robot.energies(run.scenario, run.y))  # type: ignore[misc]
    assert np.ptp(energy) < 1e-9
    assert run.max_error["energy_J"] < 1e-9
    assert run.y[:, 0].min() > -2.2 - 1e-9
    assert np.abs(run.y[:, 1]).max() < 0.8 + 1e-9


def test_an_impact_acts_on_its_joint_alone():
    """The generalised momentum of the other joint stays; the loss is (1 - e^2) v^2 / 2 of the effective inertia."""
    run = run_of(arm(**{"task.restitution": 0.4}))
    for before, after in zip(run.phases, run.phases[1:], strict=False):
        (impact,) = after.impacts
        y, moved = before.solution.final, after.solution.y[0]
        c = np.cos(y[1])
        M = np.array([[2.0 + 1.0 + 2.0 * c + 1.0, 1.0 + c], [1.0 + c, 2.0]])  # unit masses, lengths, rotors
        change = M @ (moved[2:] - y[2:])
        assert change[1 - impact.joint] == pytest.approx(0.0, abs=1e-9)
        assert moved[2 + impact.joint] == pytest.approx(-0.4 * y[2 + impact.joint], rel=1e-9)
        lost = 0.5 * (y[2:] @ M @ y[2:] - moved[2:] @ M @ moved[2:])
        effective = 1.0 / np.linalg.inv(M)[impact.joint, impact.joint]
        assert lost == pytest.approx(0.5 * (1.0 - 0.4**2) * effective * impact.rate**2, rel=1e-8)


def errors(steps: np.ndarray, found: str) -> np.ndarray:
    exact = run_of(pendulum(duration=1.2).with_values(FINE)).final["q1"]
    scenarios = [pendulum(duration=1.2, step=step, **{"task.stops_found": found}) for step in steps.tolist()]
    return np.array([abs(run_of(one).final["q1"] - exact) for one in scenarios])


def test_located_impacts_keep_the_order():
    steps = 0.02 * 0.5 ** np.arange(4)
    orders = np.diff(np.log2(errors(steps, "located"))) / np.diff(np.log2(steps))
    assert np.abs(orders - 4.0).max() < 0.2, orders


def test_bounces_at_the_end_of_a_step_have_order_one():
    """The error depends on where in its step the impact falls, so the order is that of many steps."""
    steps = 0.02 * 0.93 ** np.arange(40)
    late = errors(steps, "late")
    slope = np.polyfit(np.log(steps), np.log(late), 1)[0]
    assert slope == pytest.approx(1.0, abs=0.35)
    assert late.mean() > 1e4 * errors(steps[:1], "located")[0]


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.7])
def test_endless_bounces_end_at_rest(restitution: float):
    run = run_of(pendulum(duration=6.0, **{"task.restitution": restitution}))
    assert run.status is Status.FINISHED
    assert run.impacts[-1].rests
    assert run.final["q1"] == pytest.approx(-1.2, abs=1e-12)
    assert run.final["v1"] == pytest.approx(0.0, abs=1e-12)
    assert ". Joint 1 comes to rest against its stop" in run.message
    times = np.array([impact.t for impact in run.impacts])
    if restitution:
        # Small bounces are parabolas: each lasts as much shorter as its rate is smaller.
        lasted = np.diff(times)[-4:]
        assert lasted[1:] / lasted[:-1] == pytest.approx(restitution, rel=2e-3)
    assert len(times) == (1 if restitution == 0.0 else len(times)) < 60


def test_a_joint_of_a_file_is_named():
    fall = {"task.torque": "none", "task.stops": "hard", "task.restitution": 0.0, "duration": 2.0}
    assert "Joint slide comes to rest against its stop" in run_of(new_scenario("scara").with_values(fall)).message


def test_too_many_impacts_end_in_a_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(impacts, "MOST_IMPACTS", 60)
    wild = {"initial.q1": 0.0, "initial.v1": 100.0, "task.stop_low1": -0.01, "task.stop_high1": 0.01}
    run = run_of(pendulum(duration=10.0, **wild, **{"task.restitution": 1.0, "robot.g": 0.0}))
    assert run.status is Status.TOO_MANY_STEPS
    assert "after 60 impacts on the joint stops" in run.message
    assert len(run.impacts) <= 60


def test_a_joint_at_rest_leaves_its_stop_when_something_pulls_it_away():
    lifted = pendulum(duration=5.0, **{"task.restitution": 0.2, "task.torque": "constant", "task.tau1": 0.0})
    run = run_of(lifted.with_segments(Segment(3.0, {"task.tau1": 6.0})))
    at_rest = run.sample(np.array([2.9]))[0]
    assert at_rest == pytest.approx([-1.2, 0.0], abs=1e-12)
    # Gravity turns the rod of 1.2 kg and 1.2 m back with 7.06 N m cos q: 2.56 N m at the stop.
    inertia = 1.2 * 1.2**2 / 3.0
    soon = run.sample(np.array([3.0, 3.02]))
    push = (6.0 - 0.5 * 1.2 * 1.2 * 9.81 * np.cos(1.2)) / inertia
    assert soon[1, 0] + 1.2 == pytest.approx(0.5 * push * 0.02**2, rel=1e-2)


def test_a_joint_leaves_its_stop_by_itself_when_the_other_one_swings():
    scenario = arm(**{"task.restitution": 0.0, "task.stop_low1": None, "task.stop_high1": None, "duration": 8.0})
    run = run_of(scenario)
    resting = [phase.interval.resting for phase in run.phases]
    assert (1,) in resting
    assert () in resting[resting.index((1,)) :]
    for phase in run.phases:
        if phase.interval.resting:
            assert np.ptp(phase.solution.y[:, 1]) < 1e-11
    coarse = run_of(scenario.with_values({"method": "rk4", "step": 0.005}))
    assert [one.t for one in coarse.impacts[:6]] == pytest.approx([one.t for one in run.impacts[:6]], abs=1e-5)


@pytest.mark.parametrize("values", [{"method": "dop853", "rtol": 1e-6, "atol": 1e-8}, {"method": "ab4", "step": 2e-3}])
def test_no_impact_is_missed_by_long_steps_or_many_step_methods(values: dict[str, float | str]):
    quiet = {"task.restitution": 0.6, "duration": 2.0}
    exact, run = run_of(arm(**quiet)), run_of(arm(**quiet).with_values(values))
    assert [(one.joint, one.side) for one in run.impacts] == [(one.joint, one.side) for one in exact.impacts]
    assert [one.t for one in run.impacts] == pytest.approx([one.t for one in exact.impacts], abs=5e-3)


def test_the_reference_bounces_too(tmp_path: Path):
    late = arm(**{"task.restitution": 0.5, "task.stops_found": "late"})
    run = run_of(late.with_values({"method": "rk4", "step": 0.01}))
    for _ in range(2):  # computed, and read from the disk
        exact = reference(run.scenario, cache_dir=tmp_path)
        assert exact is not None
        assert exact.trusted_until == 5.0
        assert compare_with_reference(run, exact).max["reference_q_rad"] > 1e-3
        fine = run_of(run.scenario.with_values({"task.stops_found": "located", **FINE}))
        assert compare_with_reference(fine, exact).max["reference_q_rad"] < 1e-9


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"task.stop_high1": -3.0}, "task.stop_high1 must be above -2.2, the lower stop, got -3"),
        ({"initial.q2": 1.0}, "initial.q2 must be from -0.8 to 0.8, between the stops of joint 2, got 1"),
        ({"task.restitution": 1.5}, "task.restitution must be from 0 to 1"),
    ],
)
def test_impossible_stops_are_refused(values: dict[str, float], said: str):
    with pytest.raises(BadInput, match=said):
        arm(**values)


def test_without_stops_nothing_ends_at_them():
    run = run_of(arm(**{"task.stops": "off"}))
    assert run.impacts == ()
    assert "impacts" not in run.to_dict()
    assert len(run.phases) == 1


@pytest.mark.parametrize("joints", range(1, 5))
def test_stops_push_and_never_pull(joints: int):
    draw = np.random.default_rng(joints)
    for _ in range(20):
        half = draw.normal(size=(joints, joints))
        A, b = half @ half.T + 0.1 * np.eye(joints), draw.normal(size=joints)
        pushes = impacts.complementary(A, b, (draw.random(joints) < 0.5).tolist())
        force = np.zeros(joints)
        force[pushes] = np.linalg.solve(A[np.ix_(pushes, pushes)], b[pushes])
        assert (force >= 0.0).all()
        assert (A @ force - b >= -1e-12).all()


def test_many_joints_come_to_rest_together_without_rattling():
    scenario = find_scenario("panda-drop").with_values({"task.stops": "hard", "duration": 3.0})
    run = run_of(scenario)
    assert run.status is Status.FINISHED
    assert len(run.impacts) < 100
    assert max(len(phase.interval.resting) for phase in run.phases) >= 2
    stops, n = run.robot.stops(scenario), run.y.shape[1] // 2
    assert stops is not None
    assert (run.y[:, :n] < stops.high + 1e-8).all()
    assert (run.y[:, :n] > stops.low - 1e-8).all()
    first, last = (np.array([phase.solution.y[row] for phase in run.phases]) for row in (0, -1))
    totals = (run.robot.series(scenario, np.zeros(len(y)), y)["energy"].values[:, 2] for y in (last[:-1], first[1:]))
    before, after = totals
    assert (after - before < 1e-9).all()
    assert min(impact.rate for impact in run.impacts) > 1e-9
