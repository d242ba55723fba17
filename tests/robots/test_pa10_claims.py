"""Paper 3's claims and what a careful implementation finds, as facts; kinematics link by link against Pinocchio."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robots.catalog.pa10.robot import ROBOT
from robots.scenario.presets import find_preset
from robots.scenario.scenario import new_scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies.pa10_accuracy import METHODS

pinocchio = pytest.importorskip("pinocchio")

LENGTHS = {"openhrp": (0.315, 0.450, 0.500, 0.080), "laas": (0.317, 0.450, 0.480, 0.070)}


def run_of(preset: str, **changes: object) -> Run:
    values = {key.replace("__", "."): value for key, value in changes.items()}
    return simulate(find_preset(preset).with_values(values))  # type: ignore[arg-type]


def worst(preset: str, **changes: object) -> float:
    """Maximum position error [m]."""
    return run_of(preset, **changes).max_error["position_m"]


# -- kinematics against Pinocchio -------------------------------------------------------------------------------------


def engine(table: str):
    """The arm in Pinocchio from the Denavit-Hartenberg rows: (model, data, the frames of the seven links)."""
    d1, d3, d5, d7 = LENGTHS[table]
    model, parent, frames = pinocchio.Model(), 0, []
    placement = pinocchio.SE3.Identity()
    rows = zip((d1, 0.0, d3, 0.0, d5, 0.0, d7), (-90, 90, -90, 90, -90, 90, 0), strict=True)
    for k, (d, alpha) in enumerate(rows):
        parent = model.addJoint(parent, pinocchio.JointModelRZ(), placement, f"j{k + 1}")
        turn = pinocchio.utils.rotate("x", math.radians(alpha))
        placement = pinocchio.SE3(turn, np.array([0.0, 0.0, d]))
        kind = pinocchio.FrameType.OP_FRAME
        frames.append(model.addFrame(pinocchio.Frame(f"link {k + 1}", parent, 0, placement, kind)))
    return model, model.createData(), frames


@pytest.mark.parametrize("table", LENGTHS)
def test_every_link_and_the_jacobian_agree_for_1000_postures(table):
    model, data, frames = engine(table)
    scenario = new_scenario("pa10").with_value("robot.table", table)
    postures = np.random.default_rng(7).uniform(-np.pi, np.pi, (1000, 7))
    ours = ROBOT.poses(scenario, np.zeros(1000), postures)
    np.testing.assert_array_equal(ours[:, 0], np.broadcast_to(np.eye(4), (1000, 4, 4)))
    for q, poses in zip(postures, ours, strict=True):
        pinocchio.framesForwardKinematics(model, data, q)
        theirs = np.array([data.oMf[frame].homogeneous for frame in frames])
        np.testing.assert_allclose(poses[1:], theirs, atol=1e-12)
        jacobian = pinocchio.computeFrameJacobian(model, data, q, frames[-1], pinocchio.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(ROBOT.jacobian(scenario, q), jacobian, atol=1e-12)


@pytest.mark.parametrize("table", LENGTHS)
@pytest.mark.parametrize("preset", ["pa10-circle", "pa10-drift"])
def test_the_right_hand_side_agrees_for_random_postures(table, preset):
    # xd, xd' and Rd are written out here from the paper's description, everything else comes from Pinocchio.
    model, data, frames = engine(table)
    scenario = find_preset(preset).with_values({"robot.table": table, "task.gain": 0.7, "task.gain_orientation": 1.9})
    problem, random = ROBOT.problem(scenario), np.random.default_rng(11)
    r, rate, phase = (0.5, 0.2, 0.25) if preset == "pa10-circle" else (0.2, 0.5, 7.0 * math.pi / 4.0)
    u, v = np.eye(3)[:2] if preset == "pa10-circle" else np.eye(3)[1:]
    swing = 0.0 if preset == "pa10-circle" else 0.4
    pinocchio.framesForwardKinematics(model, data, problem.initial)
    start = data.oMf[frames[-1]].copy()
    centre = start.translation - r * (math.cos(phase) * u + math.sin(phase) * v)
    out = np.empty(7)
    for _ in range(300):
        t, q = random.uniform(0.0, 12.0), problem.initial + random.normal(0.0, 0.3, 7)
        angle, tilt, spin = phase + rate * t, swing * math.sin(0.5 * t), swing * 0.5 * math.cos(0.5 * t)
        wanted = centre + r * (math.cos(angle) * u + math.sin(angle) * v)
        speed = r * rate * (math.cos(angle) * v - math.sin(angle) * u)
        turned = pinocchio.utils.rotate("x", tilt) @ start.rotation
        pinocchio.framesForwardKinematics(model, data, q)
        pose = data.oMf[frames[-1]]
        jacobian = pinocchio.computeFrameJacobian(model, data, q, frames[-1], pinocchio.LOCAL_WORLD_ALIGNED)
        e_o = 0.5 * sum(np.cross(pose.rotation[:, k], turned[:, k]) for k in range(3))
        command = np.concatenate([speed + 0.7 * (wanted - pose.translation), np.array([spin, 0.0, 0.0]) + 1.9 * e_o])
        expected = np.linalg.pinv(jacobian) @ command
        problem.rhs(t, q, problem.params, out)
        np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-12 * np.linalg.cond(jacobian) ** 2)


# -- the claims -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["pa10-circle", "pa10-drift"])
def test_rk4_is_best_then_am4_and_euler_is_worst(preset):
    errors = {method: worst(preset, method=method, step=0.1) for method in METHODS}
    ranking = sorted(errors, key=lambda method: errors[method])
    assert ranking[:2] == ["rk4", "am4"]
    assert set(ranking[2:5]) == {"midpoint", "ab4", "pc-trapezoid"}
    assert ranking[5] == "euler"
    assert 1e-8 <= errors["rk4"] < 1e-7


def test_the_largest_error_of_ab4_is_that_of_its_euler_start():
    begun = {step: run_of("pa10-circle", method="ab4", step=step) for step in (0.1, 0.05)}
    largest, last = (
        math.log2(getattr(begun[0.1], kind)["position_m"] / getattr(begun[0.05], kind)["position_m"])
        for kind in ("max_error", "final_error")
    )
    assert largest == pytest.approx(2.0, abs=0.25)
    assert last == pytest.approx(4.0, abs=0.35)
    assert begun[0.1].final_error["position_m"] < 1e-3 * begun[0.1].max_error["position_m"]
    better = run_of("pa10-circle", method="ab4", options__startup="rk4").max_error["position_m"]
    assert better < 0.02 * begun[0.1].max_error["position_m"]


@pytest.mark.parametrize(
    ("method", "limit"),
    [("euler", 2.0), ("midpoint", 2.0), ("pc-trapezoid", 2.0), ("ab4", 0.300), ("am4", 1.285), ("rk4", 2.785)],
)
def test_an_error_dies_out_below_the_stability_limit_and_grows_above_it(method, limit):
    # The arm starts on the path and is pushed off it by its start-up or its steps; e' = -K e decides what follows.
    still = {"task.path": "line", "task.speed": 1e-3, "task.size": 0.05, "task.law": "quintic", "duration": 40.0}

    def grows(share: float) -> bool:
        gain = share * limit / 0.1
        error = run_of("pa10-circle", method=method, task__gain=gain, **still).errors["position_m"]
        return bool(error[-1] > 1e3 * max(error[10], 1e-15))

    assert not grows(0.97)
    assert grows(1.03)


def test_only_a_corrector_as_good_as_heun_is_used():
    # The paper finds the predictor-corrector as poor as Euler; evaluated at t + h it is of order 2.
    assert worst("pa10-circle", method="pc-trapezoid") < 0.1 * worst("pa10-circle", method="euler")
    assert worst("pa10-circle", method="pc-trapezoid") == pytest.approx(worst("pa10-circle", method="heun2"), rel=1e-9)


def test_euler_loses_the_path_by_a_singular_posture_and_not_by_instability():
    lost = run_of("pa10-drift", method="euler", step=1.0)
    assert lost.scenario.task["gain"] * 1.0 < 2.0
    assert lost.max_error["position_m"] > 0.5
    loss = int(np.argmax(lost.errors["position_m"] > 0.5))
    assert lost.errors["position_m"][:loss].max() < 0.1
    assert lost.series()["singular-value"].values[loss - 1] < 0.05
    assert run_of("pa10-drift", method="rk4", step=0.1).series()["singular-value"].values.min() > 0.1
    assert worst("pa10-circle", method="euler", step=1.0) < 0.02
    assert worst("pa10-drift", method="pc-trapezoid", step=1.0) < 0.05


def test_damping_helps_where_the_inverse_fails_and_costs_where_it_does_not():
    plain, damped = (worst("pa10-singular", task__inverse=inverse) for inverse in ("pinv", "dls"))
    assert 2e-6 < plain < 1e-5
    assert 5e-5 < damped < 5e-4
    euler = worst("pa10-singular", method="euler")
    assert 1e-3 < euler < 1e-2
    assert plain == min(worst("pa10-singular", method=method) for method in METHODS)
    beyond = {"task__delta": -2e-3, "method": "ab4"}
    assert worst("pa10-singular", **beyond) > 0.5
    assert 2e-3 <= worst("pa10-singular", **beyond, task__inverse="dls") < 1e-2


def test_without_gain_errors_stay_and_a_huge_gain_is_survived():
    drifting = run_of("pa10-circle", method="euler", task__gain=0.0)
    held = run_of("pa10-circle", method="euler")
    assert drifting.final_error["position_m"] > 10.0 * held.final_error["position_m"]
    for gain in (1e3, 1e6):
        run = run_of("pa10-circle", task__gain=gain)
        assert np.isfinite(run.y).all()
        assert run.message
        quiet = run_of("pa10-circle", task__gain=gain, task__inverse="dls", task__clamp="both")
        assert np.isfinite(quiet.y).all()
        assert np.abs(quiet.series()["limits"].values).max() <= 1.0


def test_a_gain_for_the_orientation_alone():
    fast = run_of("pa10-drift", method="euler", step=0.1, task__gain_orientation=5.0)
    slow = run_of("pa10-drift", method="euler", step=0.1)
    assert fast.max_error["orientation_rad"] < 0.2 * slow.max_error["orientation_rad"]
