"""What the PA-10 says of its limits, of its reach and of inverses that fail; and its Jacobian's check."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from assets.errors import BadInput
from robots.catalog.pa10.complex_step import numeric_jacobian
from robots.catalog.pa10.robot import ROBOT
from robots.dynamics.kernels import clik
from robots.dynamics.path.remarks import describe_flags, describe_limits, listed
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.simulate import simulate
from solvers.events import Trajectory

STRETCHED = {f"initial.q{k + 1}": 0.0 for k in range(7)}
LIMITS = np.radians([177.0, 94.0, 174.0, 137.0, 255.0, 165.0, 255.0])


@pytest.mark.parametrize("table", ["openhrp", "laas"])
def test_the_jacobian_is_that_of_complex_steps_and_of_central_differences(table, monkeypatch):
    # Nothing is compiled to look at a posture: only the plain function can be called.
    monkeypatch.setattr(clik, "jacobian_of", SimpleNamespace(py_func=clik.jacobian_of.py_func))
    scenario = new_scenario("pa10").with_value("robot.table", table)
    random = np.random.default_rng(5)
    for _ in range(200):
        q = random.uniform(-np.pi, np.pi, 7)
        jacobian = ROBOT.jacobian(scenario, q)
        np.testing.assert_allclose(jacobian, numeric_jacobian(ROBOT.table(scenario), q), atol=1e-14)
        moved = ROBOT.tip_path(scenario, np.zeros(14), q + 1e-5 * np.vstack([np.eye(7), -np.eye(7)]))
        np.testing.assert_allclose((moved[:7] - moved[7:]).T / 2e-5, jacobian[:3], atol=1e-9)


def test_the_check_is_read_at_the_playhead():
    run = simulate(find_preset("pa10-circle").with_value("duration", 3.0))
    read = run.readings(1.234)
    assert list(read) == ["manipulability", "smallest singular value", "Jacobian − differences"]
    assert read["Jacobian − differences"] < 1e-14
    jacobian = ROBOT.jacobian(run.scenario, run.sample(np.array([1.234]))[0])
    values = np.linalg.svd(jacobian, compute_uv=False)
    assert read["smallest singular value"] == pytest.approx(values[-1], rel=1e-9)
    assert read["manipulability"] == pytest.approx(values.prod(), rel=1e-9)


@pytest.mark.parametrize("method", ["euler", "rk4", "am4", "dopri5"])
def test_a_singular_start_is_said_and_never_nan(method):
    changes = {**STRETCHED, "method": method, "duration": 1.0}
    run = simulate(find_preset("pa10-circle").with_values(changes))
    assert np.isfinite(run.y).all()
    assert "J Jᵀ was singular to round-off" in run.message
    assert "at t = 0 s" in run.message
    pivot = run.series()["pivot"]
    assert pivot.values[0] <= pivot.allowed[0] < pivot.values[1]


def test_an_exactly_singular_stage_counts_and_stays_finite():
    scenario = find_preset("pa10-circle")
    problem = ROBOT.problem(scenario)
    rates, params = np.empty(7), problem.params
    for k, t in enumerate((2.0, 0.5, 3.0)):
        problem.rhs(t, np.array([0.3, 0.7, -0.2, 0.0, 0.4, 0.9, 0.1]), params, rates)
        assert np.isfinite(rates).all()
        assert params[clik.FLAGGED] == k + 1
    assert (params[clik.FIRST_FLAG], params[clik.LAST_FLAG]) == (2.0, 3.0)
    problem.rhs(1.0, problem.initial, params, rates)
    assert params[clik.FLAGGED] == 3


@pytest.mark.parametrize("inverse", ["dls", "dls-constant", "svd"])
def test_a_damped_or_truncated_inverse_needs_no_way_out(inverse):
    changes = {**STRETCHED, "task.inverse": inverse, "duration": 1.0}
    run = simulate(find_preset("pa10-circle").with_values(changes))
    assert "round-off" not in run.message
    assert np.isfinite(run.y).all()


def test_a_run_that_is_well_says_nothing():
    assert simulate(find_preset("pa10-circle")).message == "Finished at t = 31 s."


def test_flags_in_words():
    assert describe_flags(1.0, 2.5, 2.5).startswith("J Jᵀ was singular to round-off once, at t = 2.5 s")
    assert "12 times, from t = 2.5 s to 3.125 s" in describe_flags(12.0, 2.5, 3.125)


def test_a_path_out_of_reach_says_where_and_by_how_much():
    line = {"task.path": "line", "task.size": 1.5, "task.speed": 0.3, "duration": 5.0}
    scenario = find_preset("pa10-circle").with_values(line)
    run = simulate(scenario)
    assert run.t_end == 5.0
    # By hand: the tool starts at FK(q0) and moves along x at 0.3 m/s; the wrist is the flange's length behind it.
    start = ROBOT.poses(scenario, run.t[:1], run.y[:1])[0, 7]
    place = start[:3, 3] + [1.5, 0.0, 0.0]
    missing = np.linalg.norm(place - 0.08 * start[:3, 2] - [0.0, 0.0, 0.315]) - 0.95
    where = ", ".join(f"{x:.3f}" for x in np.round(place, 3) + 0.0)
    assert f"({where}) m at t = 5 s" in run.message
    assert f"{missing:.3g} m beyond the stretched arm" in run.message
    arm = start[:3, 3] - 0.08 * start[:3, 2] - [0.0, 0.0, 0.315]
    along = math.sqrt(0.95**2 - arm[1] ** 2 - arm[2] ** 2) - arm[0]
    assert f"The path leaves the arm's reach from t = {along / 0.3:.4g} s to 5 s." in run.message
    assert np.abs(run.t - along / 0.3).min() > 0.01, "between two states"
    near = simulate(find_preset("pa10-singular").with_values({"task.delta": -2e-3, "step": 0.01}))
    assert "2 mm beyond" in near.message


def test_a_path_too_near_the_shoulder_says_so():
    down = {"task.path": "way-points", "task.points": "0 0 0; 0 0 -0.4", "duration": 6.0, "task.inverse": "dls"}
    stretched = {f"initial.q{k + 1}": value for k, value in enumerate((0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0))}
    scenario = find_preset("pa10-circle").with_values({**down, **stretched})
    frame = ROBOT.poses(scenario, np.zeros(1), ROBOT.problem(scenario).initial[None])[0, 7]
    to_shoulder = np.array([0.0, 0.0, 0.315]) + 0.08 * frame[:3, 2] - frame[:3, 3]
    points = "0 0 0; " + " ".join(f"{x:.4f}" for x in to_shoulder)
    run = simulate(scenario.with_values({"task.points": points}))
    assert "closer to the shoulder than the folded arm allows" in run.message


def test_limits_in_words():
    times = np.array([0.0, 1.0, 2.0])
    values = np.zeros((3, 7))

    def said(what: str, *, stopped: bool = False) -> str:
        """About values at these times, joined by straight lines."""

        def sample(at: np.ndarray) -> np.ndarray:
            return np.stack([np.interp(at, times, column) for column in values.T], axis=1)

        motion = Trajectory(times, values, sample)
        return describe_limits(what, ROBOT_NAMES, motion, lambda _, y: y, LIMITS, stopped=stopped)

    assert said("angle") == ""
    values[1, 0] = np.radians(180.0)
    one = said("angle")
    assert one == "Axis S1 exceeds its angle limit, at worst at t = 1 s: 180°, limit 177°."
    values[2, 3] = np.radians(-274.0)
    two = said("angle")
    assert two.startswith("Axes S1 and E1 exceed their angle limits, at worst E1 at t = 2 s: 274°, limit 137°.")
    stopped = said("angle", stopped=True)
    assert stopped == "Axes S1 and E1 were stopped at their angle limits, first at t = 0.9833 s.", "not a state's time"
    values[:] = 1e6
    assert "All axes exceed" in (most := said("speed"))
    assert "more than 10000°/s" in most


def test_the_worst_time_is_that_of_the_motion_and_not_of_a_state():
    def sample(at: np.ndarray) -> np.ndarray:
        values = np.zeros((len(at), 7))
        values[:, 3] = np.radians(140.0 - 5.0 * (at - 1.3) ** 2)
        return values

    for times in (np.linspace(0.0, 4.0, 9), np.array([1.0])):
        motion = Trajectory(times, sample(times), sample)
        said = describe_limits("angle", ROBOT_NAMES, motion, lambda _, y: y, LIMITS)
        where = "1.3 s: 140°" if len(times) > 1 else "1 s: 139.6°"
        assert said == f"Axis E1 exceeds its angle limit, at worst at t = {where}, limit 137°."


def test_names_in_a_row():
    assert [listed(names) for names in (["S1"], ["S1", "S2"], ["S1", "S2", "E1"])] == [
        "S1",
        "S1 and S2",
        "S1, S2 and E1",
    ]


@pytest.mark.parametrize("method", ["euler", "rk4", "ab4", "am4", "dopri5"])
@pytest.mark.parametrize("clamp", ["none", "speeds", "angles", "both"])
def test_limits_are_kept_by_every_kind_of_method(method, clamp):
    # Behind its back and in a hurry: the plain arm breaks both kinds of limit.
    hurry = {"initial.q1": 3.0, "task.speed": 0.6, "task.size": 0.2, "duration": 2.0, "step": 0.02}
    run = simulate(find_preset("pa10-circle").with_values({**hurry, "method": method, "task.clamp": clamp}))
    assert np.isfinite(run.y).all()
    share = {key: np.abs(run.series()[key].values).max() for key in ("limits", "speeds")}
    assert (share["limits"] <= 1.0) == (clamp in ("angles", "both"))
    assert (share["speeds"] <= 1.0 + 1e-9) == (clamp in ("speeds", "both"))
    if clamp in ("angles", "both"):
        assert np.abs(np.array([run.final[f"q{k + 1}"] for k in range(7)])).max() <= LIMITS.max()
        assert "stopped at" in run.message
        poses = ROBOT.poses(run.scenario, run.t, run.y)
        kept = ROBOT.poses(run.scenario, run.t, np.clip(run.y, -LIMITS, LIMITS))
        np.testing.assert_array_equal(poses, kept)


def test_a_clamp_that_there_is_not_names_the_nearest():
    with pytest.raises(BadInput, match="speeds"):
        find_preset("pa10-circle").with_value("task.clamp", "speed")


@pytest.mark.parametrize("value", [True, False])
def test_a_clamp_that_is_true_or_false_is_no_misspelt_word(value):
    text = find_preset("pa10-circle").to_json().replace('"clamp": "none"', f'"clamp": {str(value).lower()}')
    with pytest.raises(
        BadInput, match=rf"task\.clamp must be one of none, speeds, angles, both, got {str(value).lower()}$"
    ):
        Scenario.from_json(text)


ROBOT_NAMES = ("S1", "S2", "S3", "E1", "E2", "W1", "W2")


def test_the_unreachable_part_of_a_path_is_the_one_that_the_message_names():
    scenario = find_preset("pa10-singular").with_values({"task.delta": -2e-3, "step": 0.02})
    times = np.linspace(0.0, 12.5, 12_500_001)[5_900_000:6_700_000]
    lost = times[~ROBOT.reachable(scenario, times)]
    for step in (0.02, 0.05):
        run = simulate(scenario.with_value("step", step))
        assert f"from t = {lost[0]:.4g} s to {lost[-1]:.4g} s" in run.message, "whatever the step"
    assert ROBOT.reachable(find_preset("pa10-circle"), times).all()
