"""Sweeps: every run is the one that `simulate` gives, wherever it is computed, and nothing computed is lost."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import sys
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from assets.errors import BadInput
from assets.priority import BEHIND
from gui.app.desks.readout_words import parted
from gui.cli import main
from robots.model.registry import robot_of
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from robots.sweeps.axes import axis
from robots.sweeps.files import SweepTable
from robots.sweeps.run_numbers import run_number, run_numbers
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Sweep
from robots.sweeps.workers import ThreadWorkers

SWING = find_preset("rr-swing").with_value("duration", 1.0)
SHOW = ("max_error.energy_J", "final.q1", "steps", "value(q2, 0.5)")


def sweep_of(*texts: str, show: tuple[str, ...] = SHOW, base: Scenario = SWING, **more: object) -> Sweep:
    return Sweep(base, tuple(axis(text, base) for text in texts), show, **more)  # type: ignore[arg-type]


def test_each_run_is_the_one_that_simulate_gives():
    sweep = sweep_of("robot.m1=0.5:2:3", "step=0.01:0.05:4:log")
    result = run_sweep(sweep, workers=1)
    assert sweep.shape == (3, 4)
    readings = result.readings()
    for i, mass in enumerate(np.linspace(0.5, 2.0, 3)):
        for j, step in enumerate(np.geomspace(0.01, 0.05, 4)):
            run = simulate(SWING.with_values({"robot.m1": float(mass), "step": float(step)}))
            assert readings["final.q1"][i, j] == run.final["q1"]
            assert readings["max_error.energy_J"][i, j] == run.max_error["energy_J"]
            assert readings["steps"][i, j] == run.counts.steps
            assert readings["value(q2, 0.5)"][i, j] == run.columns(np.array([0.5]))["q2"][0]
    assert (result.statuses() == "finished").all()


def test_numbers_do_not_depend_on_where_they_are_computed():
    sweep = sweep_of("robot.m1=0.5:2:30", "initial.q2=0:3:30")
    alone, shared = run_sweep(sweep, workers=1), run_sweep(sweep, workers=3)
    np.testing.assert_array_equal(alone.numbers, shared.numbers)
    np.testing.assert_array_equal(alone.status, shared.status)


def test_methods_are_an_axis_in_front_and_aliases_are_found():
    result = run_sweep(sweep_of("step=0.01:0.02:2", methods=("euler", "rk4")))
    assert result.sweep.shape == (2, 2)
    assert [base.method for base in result.sweep.bases] == ["rk1", "rk4"]
    energy = result.readings()["max_error.energy_J"]
    assert (energy[0] > 100.0 * energy[1]).all()


def test_a_tolerance_is_rtol_and_atol_alike():
    base = SWING.with_value("method", "dopri5")
    result = run_sweep(sweep_of("tolerance=1e-9:1e-3:3:log", base=base))
    middle = simulate(base.with_values({"rtol": 1e-6, "atol": 1e-6}))
    assert result.readings()["steps"][1] == middle.counts.steps


def test_errors_against_the_reference_are_those_of_one_run():
    result = run_sweep(sweep_of("step=0.01:0.02:2", show=("max_error.reference_q_rad",), reference=True))
    run = simulate(SWING.with_value("step", 0.02))
    exact = reference(run.scenario)
    assert exact is not None
    expected = compare_with_reference(run, exact).max["reference_q_rad"]
    assert result.readings()["max_error.reference_q_rad"][1] == expected


def test_the_observed_order_is_the_methods():
    calm = SWING.with_values({"initial.q1": -1.5, "initial.q2": 0.1, "duration": 0.5})
    result = run_sweep(sweep_of("step=0.005:0.01:2", show=("order",), base=calm, methods=("euler", "heun2", "rk4")))
    np.testing.assert_allclose(result.readings()["order"][:, 0], [1.0, 2.0, 4.0], atol=0.15)


def test_an_order_that_rounding_decides_is_none():
    """With steps of 2.5 ms and less the map of Dormand-Prince 5 had orders of 4, -1.6 and 2.4."""
    base = SWING.with_values({"duration": 10.0, "method": "dopri5"})
    found = run_sweep(sweep_of("step=0.00125:0.02:5:log", show=("order",), base=base)).readings()["order"]
    assert np.isnan(found[:2]).all()
    np.testing.assert_allclose(found[3:], 5.0, atol=0.15)


def test_an_order_that_other_steps_contradict_is_none():
    """On the beam Dormand-Prince 8(5,3), of order 8, had 6.4 at 1.08 ms: longer steps are unstable there."""
    beam = find_preset("beam").with_values({"method": "dop853", "step": 1.08e-3})
    swing = SWING.with_values({"method": "rk4", "duration": 2.0})
    cases = (
        (beam, False, 6.4),
        (swing.with_value("step", 0.02), True, 3.8),
        (swing.with_value("step", 0.005), True, 4.0),
    )
    for base, alike, observed in cases:
        assert base.step is not None
        runs = [simulate(base.with_value("step", base.step * 2.0**-k), repeat=False) for k in range(-1, 3)]
        columns = [run.columns(np.array([base.duration])) for run in runs]
        ends = [np.array([column[name][0] for name in column if re.fullmatch(r"q\d+", name)]) for column in columns]
        away = [np.linalg.norm(finer - longer) for longer, finer in pairwise(ends)]
        before, order = (math.log2(coarse / fine) for coarse, fine in pairwise(away))
        assert order == pytest.approx(observed, abs=0.06)
        assert (abs(order - before) <= 0.5) is alike
        found = run_number("order").of(runs[1])
        assert found == pytest.approx(order, abs=1e-6) if alike else math.isnan(found)


def test_the_lyapunov_exponent_is_that_of_the_linearised_arm():
    """Upright, a small arm falls at the rate of its fastest mode; hanging, neighbours stay together."""
    upright = SWING.with_values({"initial.q1": 0.5 * math.pi, "initial.q2": 0.0, "duration": 4.0, "step": 0.001})
    fastest = simulate(upright).eigenvalues[1][0].real.max()
    numbers = run_sweep(sweep_of("robot.g=9.81:20:2", show=("lyapunov",), base=upright)).readings()["lyapunov"]
    assert numbers[0] == pytest.approx(fastest, rel=0.1)
    hanging = upright.with_values({"initial.q1": -0.5 * math.pi, "duration": 20.0})
    assert abs(run_number("lyapunov").of(simulate(hanging))) < 0.1
    with pytest.raises(BadInput, match="numbers in its initial state"):
        run_number("lyapunov").of(simulate(find_preset("two-springs").with_value("duration", 0.01)))


def test_failures_are_data():
    beam = find_preset("beam").with_values({"method": "rk4", "step": 1e-3, "duration": 0.5})
    result = run_sweep(sweep_of("step=0.001:0.02:2", show=("t_end",), base=beam))
    assert result.statuses()[1] == "diverged"
    assert 0.0 < result.readings()["t_end"][1] < 0.5


def test_values_that_do_not_go_together_are_refused_where_they_meet():
    result = run_sweep(sweep_of("duration=0.01:1:2", "step=0.005:0.5:2", show=("steps",)))
    assert result.statuses().tolist() == [["finished", "refused"], ["finished", "finished"]]
    assert math.isnan(result.readings()["steps"][0, 1])


def test_a_value_after_the_end_of_a_run_is_no_number():
    result = run_sweep(sweep_of("duration=0.5:2:2", show=("value(q1,1)",)))
    assert np.isnan(result.readings()["value(q1,1)"]).tolist() == [True, False]


def test_the_robots_own_numbers_have_their_names():
    base = find_preset("pa10-circle").with_value("duration", 0.5)
    result = run_sweep(sweep_of("step=0.05:0.1:2", show=("manipulability",), base=base))
    assert result.readings()["manipulability"][1] == simulate(base).readings(0.5)["manipulability"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("robot.m1", "--over must be FIELD=FROM:TO:COUNT"),
        ("robot.m1=1:2", "--over must be FIELD=FROM:TO:COUNT"),
        ("robot.m1=1:2:3:sqrt", "--over must be FIELD=FROM:TO:COUNT"),
        ("robot.m1=2:1:5", "--over must be a range whose first number is below its second"),
        ("robot.m1=1:1:5", "--over must be a range whose first number is below its second"),
        ("robot.m1=nan:1:5", "--over must be a range of finite numbers"),
        ("robot.m1=1:inf:5", "--over must be a range of finite numbers"),
        ("robot.m1=1:2:1", "--over must be a range with a count from 2"),
        ("robot.m1=1:2:1e9", "--over must be a range with a count from 2"),
        ("robot.m1=1:2:2.5", "--over must be a range with a count from 2"),
        ("robot.m1=-1:2:5", "robot.m1 must be above 0 kg, got -1"),
        ("step=-1:1:5:log", "--over must be a range above 0 for a logarithmic axis"),
        ("m1=1:2:5", "did you mean 'robot.m1'?"),
        ("task.torque=1:2:5", "--over must be a field that is a number, got 'task.torque'"),
        ("method=1:2:5", "--over must be a field that is a number, got 'method'"),
    ],
)
def test_refused_ranges(text: str, sentence: str):
    with pytest.raises(BadInput) as caught:
        axis(text, SWING)
    assert sentence in str(caught.value)


def test_ranges_take_expressions_and_whole_numbers():
    assert axis("initial.q1=0:pi/2:3", SWING).high == math.pi / 2.0
    assert axis("step=1 ms:0.01:3", SWING).low == 1e-3
    taylor = SWING.with_value("method", "taylor")
    assert axis("options.order=2:8:4", taylor).values.tolist() == [2.0, 4.0, 6.0, 8.0]
    with pytest.raises(BadInput, match=r"options\.order must be a whole number"):
        axis("options.order=2:8:6", taylor)


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [(2.4, 7.6, [3, 5, 7]), (2.0, 8.0, [2, 4, 6, 8]), (4.1, 4.2, [5, 6]), (-3.0, 4.0, [1, 2, 3, 4])],
)
def test_an_axis_of_whole_numbers_is_zoomed_to_whole_numbers(low: float, high: float, values: list[int]):
    taylor = SWING.with_value("method", "taylor")
    assert axis("options.order=2:8:4", taylor).between(low, high, taylor).values.tolist() == values


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (("robot.m1=1:2:1001", "robot.m2=1:2:1000"), "--over must be at most 1000000 runs, got 1001000"),
        (("robot.m1=1:2:3", "robot.m1=1:2:3"), "--over must be two different fields"),
        (("rtol=1e-6:1e-3:3", "step=0.01:0.02:3"), "--over must be either a step or a tolerance"),
        (("robot.m1=1:2:3",) * 3, "--over must be given once or twice"),
    ],
)
def test_refused_sweeps(texts: tuple[str, ...], sentence: str):
    with pytest.raises(BadInput, match=sentence):
        sweep_of(*texts, base=SWING.with_value("method", "dopri5"))


def test_a_method_that_cannot_take_the_axis_is_refused_at_once():
    with pytest.raises(BadInput, match=r"rtol must be left out: Runge-Kutta 4 \(classical\) has no error"):
        sweep_of("rtol=1e-6:1e-3:3", methods=("dopri5", "rk4"), base=SWING.with_value("method", "dopri5"))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("max_error.energy", "did you mean 'energy_J'?"),
        ("final.q9", "final must be one of q1"),
        ("manipulability", "readout must be one of steps"),
        ("value(q9, 1)", "the name in value"),
        ("max_error.reference_q_rad", "--show must be used together with --reference"),
    ],
)
def test_readouts_that_the_robot_lacks(name: str, sentence: str):
    with pytest.raises(BadInput) as caught:
        run_sweep(sweep_of("robot.m1=1:2:2", show=(name,)), workers=1)
    assert sentence in str(caught.value)


def test_methods_with_step_control_take_a_tolerance_whatever_the_scenarios_own():
    words = command("--over", "tolerance=1e-4:1e-3:2:log", "--methods", "dopri5,rkf45", "--show", "steps")
    assert main(words) == 0


def test_a_readout_that_only_longer_chains_have():
    chain = find_preset("map-links").with_values({"duration": 0.1, "robot.links": 2})
    result = run_sweep(sweep_of("robot.links=1:3:3", show=("final.q2", "steps"), base=chain), workers=1)
    assert np.isnan(result.readings()["final.q2"]).tolist() == [True, False, False]
    assert (result.statuses() == "finished").all()


@pytest.mark.parametrize(
    "text", ["", " , ", "a b", "value(q1)", "value(q1,-1)", "value(q1,x)", "steps,steps", "a.b.c("]
)
def test_words_that_are_no_readouts(text: str):
    with pytest.raises(BadInput):
        run_numbers(text)


def test_readouts_are_separated_outside_brackets():
    assert [one.name for one in run_numbers("steps, value(q1, 2),final.q1")] == ["steps", "value(q1, 2)", "final.q1"]
    assert run_number("value(q1, 2)").at == 2.0


def test_cancelling_keeps_what_was_computed():
    sweep, parts = sweep_of("robot.m1=0.5:2:300"), []
    result = run_sweep(sweep, workers=1, cancel=lambda: bool(parts), on_part=parts.append)
    done = sweep.size - len(result.missing)
    assert 0 < done < sweep.size
    assert done == sum(map(len, parts))
    rest = run_sweep(sweep, workers=1, known=parts)
    np.testing.assert_array_equal(rest.numbers, run_sweep(sweep, workers=1).numbers)


def test_a_sweep_is_the_same_after_a_journey():
    sweep = sweep_of("robot.m1=0.5:2:3", "step=0.01:0.05:4:log", methods=("rk4",))
    again = Sweep.from_data(json.loads(json.dumps(sweep.to_data())))
    assert again.key == sweep.key
    assert again.scenario_at(7) == sweep.scenario_at(7)


def test_files_have_the_numbers(tmp_path: Path):
    result = run_sweep(sweep_of("robot.m1=0.5:2:3", "step=0.01:0.02:2"), workers=1)
    with np.load(io.BytesIO(SweepTable(result).to_npz()), allow_pickle=False) as data:
        assert data["axis_0"].tolist() == [0.5, 1.25, 2.0]
        assert data["max_error.energy_J"].shape == (3, 2)
        assert data["status"].tolist() == [["finished"] * 2] * 3
        assert Scenario.from_json(str(data["scenario"])) == SWING
        q1 = data["final.q1"]
    rows = list(csv.DictReader(io.StringIO(SweepTable(result).to_csv())))
    assert [float(row["final.q1"]) for row in rows] == q1.ravel().tolist()
    assert [float(row["robot.m1"]) for row in rows] == [0.5, 0.5, 1.25, 1.25, 2.0, 2.0]
    assert {*rows[0]} == {"robot.m1", "step", "status", *SHOW}
    described = json.loads(SweepTable(result).description())
    units = {"robot.m1": "kg", "step": "s", "max_error.energy_J": "J", "final.q1": "rad", "value(q2, 0.5)": "rad"}
    assert described["columns"] == units, "the names of columns have no units; what has none is left out"
    again = SweepTable.from_csv(SweepTable(result).to_csv(), described)
    assert again.to_csv() == SweepTable(result).to_csv()
    methods = sweep_of("robot.m1=1:2:2", show=("status", "t_end"), methods=("rk4", "euler"))
    assert SweepTable(run_sweep(methods, workers=1))._units() == {"robot.m1": "kg", "t_end": "s"}


def command(*texts: str) -> list[str]:
    return ["sweep", "rr-swing", "--set", "duration=1", *texts]


def test_the_command_prints_one_object_with_the_numbers_of_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    words = command("--over", "step=0.01:0.02:2", "--show", "final.q1,rhs_evaluations,t_end,status", "--json")
    assert main(words) == 0
    printed = capsys.readouterr().out
    found = json.loads(printed)
    monkeypatch.setattr(Runner, "rows", lambda *_: pytest.fail("computed again"))
    assert main(words) == 0
    assert capsys.readouterr().out == printed
    assert main(["run", "rr-swing", "--set", "duration=1", "--set", "step=0.02", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert found["readouts"]["final.q1"][1] == one["final"]["q1"]
    assert found["readouts"]["rhs_evaluations"] == [400.0, 200.0]
    assert found["status"] == ["finished", "finished"]
    assert found["axes"] == [{"field": "step", "values": [0.01, 0.02]}]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--over", "step=0.01:0.02:2", "--show", "steps", "--resume"), "--resume must be used together with --out"),
        (("--over", "step=0.01:0.02:2", "--show", "steps", "--workers", "0"), "--workers must be from 1"),
        (("--over", "step=0.01:0.02:2", "--show", "steps", "--out", "a.txt"), "ends in .csv or .npz or .json"),
        (("--over", "step=0.01:0.02:2", "--show", "steps", "--out", "nowhere/a.csv"), "in an existing folder"),
        (("--over", "step=0.01:0.02:2", "--show", "steps", "--methods", ","), "method keys"),
        (("--over", "step=0.01:0.02:2", "--show", "stepz"), "did you mean 'steps'?"),
    ],
)
def test_refused_commands(words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]):
    assert main(command(*words)) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert sentence in written.err
    assert len(written.err.strip().splitlines()) == 1


def test_every_robot_has_readouts_by_the_names_of_run():
    for key in ("rr-swing", "double-pendulum", "e1"):
        base = find_preset(key).with_value("duration", 0.04)
        run = simulate(base)
        names = tuple(f"final.{name}" for name in run.final) + tuple(f"max_error.{name}" for name in run.max_error)
        found = Runner(Sweep(base, (axis("duration=0.02:0.04:2", base),), names)).rows([1])[0]
        assert robot_of(base).key == run.robot.key
        assert found.values == (*run.final.values(), *run.max_error.values())


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_threads_behind_a_window_step_back_and_no_other_does():
    class Asked:
        def rows(self, numbers):
            return [(number, os.getpriority(os.PRIO_PROCESS, threading.get_native_id())) for number in numbers]

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    for behind, expected in ((True, min(before + BEHIND, 19)), (False, before)):
        with ThreadWorkers(Asked(), 1, behind) as workers:
            assert workers.submit([7]).result() == [(7, expected)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


@pytest.mark.parametrize("ends", [(-180, 180, 16), (-90, 90, 13), (0, 360, 7), (-1, 1, 21)])
def test_values_between_round_ends_are_those_that_a_person_would_type(ends: tuple[int, int, int]) -> None:
    low, high, count = ends
    turned = axis(f"initial.q1={low} deg:{high} deg:{count}", SWING).values
    plain = axis(f"initial.q1={low}:{high}:{count}", SWING).values
    for k, (angle, number) in enumerate(zip(turned.tolist(), plain.tolist(), strict=True)):
        place = round(low + k * (high - low) / (count - 1), 9)
        assert number == place
        assert SWING.edited({"initial.q1": f"{place} deg"})[0].get("initial.q1") == angle
    assert axis("step=0.001:0.1:3:log", SWING).values.tolist() == [0.001, 0.01, 0.1]
    assert axis("robot.m1=0.5:2:4", SWING).values.tolist() == [0.5, 1.0, 1.5, 2.0]
    uneven = axis("robot.m1=1/3:2:48", SWING).values
    assert uneven.tolist() == np.linspace(1 / 3, 2.0, 48).tolist(), "others are as they are"


def test_exponents_of_neighbours_that_have_parted_are_said_to_be_too_small() -> None:
    chaos = find_preset("rr-chaos")
    short, long = (
        run_sweep(sweep_of(f"duration={end}:{end + 1}:2", show=("lyapunov",), base=chaos)) for end in (3, 60)
    )
    assert parted(short) == ""
    assert parted(long).startswith("In 2 runs neighbours end as far apart as the arm allows")
