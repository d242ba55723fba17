"""Runs: energy, segments, pulls, failures, output."""

from __future__ import annotations

import json
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robots.model.robot import Robot
from robots.model.segments import Pull, Segment
from robots.scenario.file import load_scenario, save_scenario
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate
from solvers.status import Status

SWING = find_scenario("rr-swing")
SHORT = SWING.with_value("duration", 2.0)
PULL = Pull(1, (0.8, 0.0, 0.0), 60.0, 4.0, ((0.5, 1.5, 0.0, 2.4), (0.75, 1.2, 0.0, 2.9), (1.0, 0.5, 0.0, 3.2)))


def test_the_first_run() -> None:
    run = simulate(SHORT)
    result = run.to_dict()
    assert result["status"] == "finished"
    assert (result["t_end"], result["steps"], result["rejected"], result["rhs_evaluations"]) == (2.0, 200, 0, 800)
    assert list(result["final"]) == ["q1", "q2", "v1", "v2"]
    assert result["max_error"]["energy_J"] < 1e-6
    assert set(result["final_error"]) == {"energy_J"}
    assert run.t == pytest.approx(0.01 * np.arange(201), abs=1e-15)
    assert weakref.ref(run)() is run


def test_the_last_state_is_final_and_the_memory_is_that_of_the_arrays() -> None:
    run = simulate(SHORT)
    assert list(run.final.values()) == run.y[-1].tolist()
    assert {name: values[-1] for name, values in run.errors.items()} == run.final_error
    assert run.log.work is None
    assert run.nbytes == sum(array.nbytes for array in (run.t, run.y, run.log.steps, *run.errors.values()))


def test_how_far_a_long_run_reaches_is_seen_at_some_of_its_instants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robots.simulation.run.LOOKED_AT", 51)
    run = simulate(SHORT)
    assert run.extent["rad"] == np.ptp(run.y[::4, :2], axis=0).max()
    assert run.extent["m"] == np.ptp(run.tip()[::4], axis=0).max()


@given(st.floats(0.3, 3.0), st.floats(0.3, 2.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-4.0, 4.0))
def test_energy_is_constant_to_the_tolerance(mass: float, length: float, q1: float, q2: float, v1: float) -> None:
    changes = {"robot.m2": mass, "robot.r2": length, "initial.q1": q1, "initial.q2": q2, "initial.v1": v1}
    tight = {"method": "dop853", "rtol": 1e-12, "atol": 1e-13, "duration": 3.0}
    run = simulate(SWING.with_values({**changes, **tight}))
    assert run.status is Status.FINISHED
    assert run.max_error["energy_J"] < 1e-9 * (10.0 + abs(sum(run.robot.energies(run.scenario, run.y[:1]))[0]))


def test_constant_torque_has_a_potential_and_friction_none() -> None:
    pushed = simulate(SHORT.with_values({"task.torque": "constant", "task.tau1": 12.0, "task.tau2": -3.0}))
    assert pushed.max_error["energy_J"] < 1e-6
    damped = simulate(SHORT.with_value("task.torque", "viscous"))
    assert "energy_J" not in damped.max_error
    assert set(damped.final) == {"q1", "q2", "v1", "v2", "u1", "u2"}
    energy = damped.series()["energy"].values[:, 2]
    assert np.all(np.diff(energy) < 1e-12)


def test_a_method_changed_half_way_keeps_the_past() -> None:
    plain = simulate(SHORT.with_value("method", "euler"))
    forked = simulate(SHORT.with_value("method", "euler").with_segments(Segment(1.0, {"method": "rk8"})))
    half = plain.t <= 1.0
    assert forked.y[: half.sum()] == pytest.approx(plain.y[half], abs=1e-13)
    assert forked.counts.steps == 200
    assert forked.counts.rhs_evaluations == 100 + 100 * 11
    assert forked.boundaries == (1.0,)
    later = forked.errors["energy_J"][forked.t >= 1.0]
    assert np.ptp(later) < 1e-9
    assert later[0] == pytest.approx(plain.errors["energy_J"][100])


def test_a_parameter_changed_half_way_is_no_energy_error() -> None:
    run = simulate(SHORT.with_segments(Segment(1.0, {"robot.m2": 3.0, "robot.g": 1.62})))
    assert run.max_error["energy_J"] < 1e-6
    assert np.all(np.diff(run.t) > 0.0)


def test_the_same_by_pieces_as_in_one() -> None:
    """A segment that changes nothing changes nothing, where the step lands on it anyway."""
    same = simulate(SHORT.with_segments(Segment(1.0, {"robot.m1": 1.0})))
    assert same.y == pytest.approx(simulate(SHORT).y, abs=1e-12)


def test_a_pull_acts_while_it_lasts() -> None:
    pulled = simulate(SHORT.with_segments(Segment(0.5, pull=PULL)))
    free = simulate(SHORT)
    assert pulled.y[:51] == pytest.approx(free.y[:51], abs=1e-13)
    assert np.abs(pulled.y[100] - free.y[100]).max() > 0.1
    assert np.isnan(pulled.errors["energy_J"][51:101]).all()
    assert np.nanmax(pulled.errors["energy_J"]) < 1e-5
    assert pulled.pull_at(0.7) == PULL
    assert pulled.pull_at(1.3) is None
    fine = simulate(
        SHORT.with_values({"method": "dop853", "rtol": 1e-11, "atol": 1e-13}).with_segments(Segment(0.5, pull=PULL))
    )
    assert pulled.y[-1] == pytest.approx(fine.y[-1], abs=1e-4)


def test_pulled_equilibrium() -> None:
    """A damped arm held by a spring comes to rest where the spring balances its weight."""
    still = ((0.0, 0.5, 0.0, 1.2), (40.0, 0.5, 0.0, 1.2))
    held = SWING.with_values({"duration": 40.0, "task.torque": "viscous", "task.d1": 5.0, "task.d2": 5.0})
    held = held.with_segments(Segment(0.0, pull=Pull(1, (1.0, 0.0, 0.0), 100.0, 1.0, still)))
    run = simulate(held)
    q1, q2 = run.final["q1"], run.final["q2"]
    x, z = np.cos(q1) + np.cos(q1 + q2), 2.4 + np.sin(q1) + np.sin(q1 + q2)
    fx, fz = 100.0 * (0.5 - x), 100.0 * (1.2 - z)
    torque2 = -np.sin(q1 + q2) * fx + np.cos(q1 + q2) * fz - 9.81 * np.cos(q1 + q2)
    assert torque2 == pytest.approx(0.0, abs=1e-3)
    assert abs(run.final["v1"]) < 1e-4


def test_an_explosion_is_data() -> None:
    stiff = find_scenario("rr-stiff")
    run = simulate(stiff)
    assert run.status is Status.DIVERGED
    assert 0.0 < run.t_end < stiff.duration
    assert np.isfinite(run.y).all()
    assert all(value is None or np.isfinite(value) for value in run.to_dict()["final"].values())
    json.dumps(run.to_dict(), allow_nan=False)
    frozen = run.pose(stiff.duration).world_from_link
    assert np.array_equal(frozen, run.pose(run.t_end).world_from_link)
    assert np.isfinite(frozen).all()
    assert simulate(stiff.with_value("step", stiff.step / 3.0)).status is Status.FINISHED


def test_a_failure_ends_a_run_with_segments() -> None:
    stiff = find_scenario("rr-stiff")
    run = simulate(stiff.with_segments(Segment(4.9, {"method": "rk4"})))
    assert run.status is Status.DIVERGED
    assert len(run.phases) == 1


def test_cancel_and_progress() -> None:
    seen: list[float] = []
    long = SWING.with_values({"duration": 1000.0, "step": 1e-4})
    run = simulate(long, cancel=lambda: len(seen) > 3, progress=seen.append)
    assert run.status is Status.CANCELLED
    assert 0.0 < run.t_end < 1000.0
    assert seen == sorted(seen)


def test_sampling_changes_the_table_only() -> None:
    sampled = simulate(SHORT.with_value("sampling", 0.03))
    plain = simulate(SHORT)
    assert np.array_equal(sampled.y, plain.y)
    assert sampled.to_dict()["max_error"] == plain.to_dict()["max_error"]
    table = sampled.table()
    assert list(table) == ["t", "q1", "q2", "v1", "v2"]
    assert table["t"][:-1] == pytest.approx(0.03 * np.arange(67))
    assert table["t"][-1] == 2.0
    assert table["q1"][-1] == plain.final["q1"]
    assert table["q1"][1] == pytest.approx(plain.y[3, 0], abs=1e-12)
    assert simulate(SHORT.with_value("sampling", 0.5)).output_times.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_views_of_a_run_agree() -> None:
    run = simulate(SHORT.with_segments(Segment(1.0, {"robot.r2": 0.5})))
    times = np.array([1.7, 0.2, 1.0, 5.0, -1.0])
    states = run.sample(times)
    assert states[3] == pytest.approx(run.y[-1])
    assert states[4] == pytest.approx(run.y[0])
    poses = run.poses(times)
    for k, t in enumerate(times):
        assert poses[k] == pytest.approx(run.pose(t).world_from_link)
    assert run.shape(0.5).tip != run.shape(1.5).tip
    assert run.tip().shape == (len(run.t), 3)
    assert run.columns(np.array([0.2]))["q1"][0] == pytest.approx(states[1, 0])


def test_messages_say_what_was_decided() -> None:
    assert "last step" in simulate(SHORT.with_value("step", 0.03)).message
    tolerant = SHORT.with_values({"method": "dop853", "rtol": 1e-8})
    assert "no step control" in simulate(tolerant.with_segments(Segment(1.0, {"method": "rk4"}))).message


def test_robots_judge_themselves() -> None:
    class Silent(Robot):
        def problem(self, scenario, pull=None): ...
        def columns(self, scenario, t, y):
            return {}

        def shape(self, scenario): ...
        def poses(self, scenario, t, y): ...

    silent = Silent()
    assert silent.errors(SWING, np.zeros(1), np.zeros((1, 4))) == {}
    assert silent.reference_errors(SWING, np.zeros(1), np.zeros((1, 4)), np.zeros((1, 4))) == {}


def test_scenarios_from_files_run_the_same(tmp_path) -> None:
    file = tmp_path / "x.json"
    save_scenario(SHORT, file)
    assert np.array_equal(simulate(load_scenario(file)).y, simulate(SHORT).y)


@given(st.data())
def test_no_scenario_breaks_it(data: st.DataObject) -> None:
    """Any allowed numbers with any method end with a status and a result that JSON can hold."""
    from robots.scenario.method_selection import suitable_methods

    fields = SWING.fields()
    changes: dict = {"duration": 0.2, "step": data.draw(st.floats(1e-3, 0.2))}
    for path in data.draw(
        st.lists(st.sampled_from([p for p in fields if p.startswith(("robot.", "initial."))]), max_size=4)
    ):
        low, high = fields[path].minimum, fields[path].maximum
        changes[path] = data.draw(st.floats(low, high, exclude_min=fields[path].exclusive_minimum))
    changes["task.torque"] = data.draw(st.sampled_from(fields["task.torque"].choices))
    method = data.draw(st.sampled_from([key for key, m in suitable_methods(SWING).items() if m.fixed_step]))
    run = simulate(SWING.with_values({**changes, "method": method}))
    assert (run.status is Status.FINISHED) == (run.t[-1] == 0.2)
    assert run.message.endswith(".")
    assert np.isfinite(run.y).all()
    assert np.isfinite(run.poses(run.t)).all()
    json.dumps(run.to_dict(), allow_nan=False)


@pytest.mark.parametrize("method", ["velocity-verlet", "stoermer-verlet"])
def test_verlet_keeps_the_energy_of_the_beam_and_not_of_the_arm(method: str) -> None:
    """As its card says: bounded where accelerations depend on positions alone, growing on the chaotic arm."""

    def lost(preset: str, step: float, duration: float) -> float:
        changes = {"method": method, "step": step, "duration": duration}
        return simulate(find_scenario(preset).with_values(changes)).max_error["energy_J"]

    assert lost("beam", 5e-4, 100.0) < 1.2 * lost("beam", 5e-4, 10.0)
    short = lost("rr-swing", 0.01, 100.0)
    assert 0.005 < short < 0.02
    assert lost("rr-swing", 0.01, 10_000.0) > 3.0 * short


def test_a_run_in_which_nothing_moves_says_so() -> None:
    said = "Nothing moves: the run starts in equilibrium."
    hanging = SHORT.with_values({"initial.q1": -0.5 * np.pi, "initial.q2": 0.0, "initial.v1": 0.0, "initial.v2": 0.0})
    assert simulate(hanging).message == f"Finished at t = 2 s. {said}"
    assert said not in simulate(hanging.with_value("initial.q2", 1e-6)).message
    assert said not in simulate(hanging.with_value("initial.v1", 1e-6)).message
