"""Ensembles: their spread is that of theory, members are runs, and no bit depends on who computes them."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.stats import kstest

import armstep
from assets.errors import ArmstepError, BadInput
from gui.cli import main
from robots.ensembles import members
from robots.ensembles.members import EnsembleResult, EnsembleRuns
from robots.ensembles.statistics import SHARES, agrees_until, quantiles
from robots.model.sampling import random_numbers
from robots.scenario.ensemble import MOST_MEMBERS, Ensemble, Spread, first_spread
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from robots.sweeps.order import InOrder
from robots.sweeps.run_numbers import run_number
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.workers import compute

Array = NDArray[np.float64]
SWING = find_preset("rr-swing").with_value("duration", 2.0)
NAMES = ("q1", "q2", "v1", "v2")
TINY = {f"initial.{name}": {"normal": 1e-6} for name in NAMES}


def spread(base: Scenario = SWING, of: object = TINY, **more: object) -> Scenario:
    return replace(base, ensemble={"spread": of, **more})  # type: ignore[arg-type]


def computed(scenario: Scenario, workers: int = 1) -> EnsembleResult:
    return run_sweep(EnsembleRuns(scenario), workers=workers)


@contextmanager
def refused(what: str, must: str = "") -> Iterator[None]:
    with pytest.raises(BadInput) as refusal:
        yield
    assert refusal.value.what == what
    assert must in str(refusal.value)


# -- independent truth -------------------------------------------------------------------------------------------------


def test_the_spread_of_a_linear_system_is_its_analytic_covariance():
    """The arm that hangs at rest, with deviations so small that M a'' + K a = 0 is exact to twelve digits."""
    scenario = spread(SWING.with_values({"initial.q1": -math.pi / 2, "initial.q2": 0.0}), TINY, members=300)
    m1, m2, r1, r2, J1, J2, g = (float(scenario.parameters[key]) for key in ("m1", "m2", "r1", "r2", "J1", "J2", "g"))
    coupling = m2 * r2**2 + m2 * r1 * r2
    M = [[(m1 + m2) * r1**2 + m2 * r2**2 + 2 * m2 * r1 * r2 + J1, coupling], [coupling, m2 * r2**2 + J2]]
    K = g * np.array([[(m1 + m2) * r1 + m2 * r2, m2 * r2], [m2 * r2, m2 * r2]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), np.zeros((2, 2))]])
    found = computed(scenario)
    states = np.stack([found.output(name) for name in NAMES], axis=2)
    for k in (0, 60, len(found.times) - 1):
        moved = expm(A * found.times[k])
        drawn = np.cov(states[:, 0].T)
        expected = moved @ drawn @ moved.T
        np.testing.assert_allclose(np.cov(states[:, k].T), expected, atol=1e-5 * np.abs(expected).max())
        # 300 members give a standard deviation to about 4 %.
        exact = np.sqrt(np.diag(1e-12 * moved @ moved.T))
        np.testing.assert_allclose(states[:, k].std(axis=0), exact, rtol=0.15)


def test_quantiles_are_those_of_runs_computed_apart():
    scenario = spread(of={"initial.q2": {"normal": 0.2}, "robot.m2": {"uniform": 0.5}}, members=12)
    found = computed(scenario)
    runs = [simulate(EnsembleRuns(scenario).scenario_at(k)) for k in range(12)]
    for name in NAMES:
        apart = np.array([run.columns(found.times)[name] for run in runs])
        np.testing.assert_array_equal(found.output(name), apart)
        np.testing.assert_allclose(found.quantiles[name], np.quantile(apart, SHARES, axis=0), rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(found.tips, np.array([run.tip(found.times) for run in runs]))


def test_quantiles_leave_out_members_that_have_ended():
    values = np.array([[1.0, 5.0, math.nan], [3.0, math.nan, math.nan], [2.0, 7.0, math.nan]])
    np.testing.assert_allclose(quantiles(values)[:, 0], np.quantile([1.0, 2.0, 3.0], SHARES))
    np.testing.assert_allclose(quantiles(values)[:, 1], np.quantile([5.0, 7.0], SHARES))
    assert np.isnan(quantiles(values)[:, 2]).all()


def rr_with_tangent(scenario: Scenario, t: float, state: Array) -> Array:
    """The arm's equations written down once more, and those of a small deviation by complex steps."""
    m1, m2, r1, r2, J1, J2, g = (float(scenario.parameters[key]) for key in ("m1", "m2", "r1", "r2", "J1", "J2", "g"))

    def f(y: NDArray[np.complex128]) -> NDArray[np.complex128]:
        q1, q2, v1, v2 = y
        c2, s2 = np.cos(q2), np.sin(q2)
        a = (m1 + m2) * r1**2 + m2 * r2**2 + 2 * m2 * r1 * r2 * c2 + J1
        b, d = m2 * r2**2 + m2 * r1 * r2 * c2, m2 * r2**2 + J2
        e1 = m2 * r1 * r2 * s2 * (v2**2 + 2 * v1 * v2) - g * ((m1 + m2) * r1 * np.cos(q1) + m2 * r2 * np.cos(q1 + q2))
        e2 = -m2 * r1 * r2 * s2 * v1**2 - g * m2 * r2 * np.cos(q1 + q2)
        return np.array([v1, v2, (d * e1 - b * e2) / (a * d - b * b), (a * e2 - b * e1) / (a * d - b * b)])

    y, away = state[:4], state[4:]
    return np.concatenate([f(y.astype(complex)).real, f(y + 1e-30j * away).imag / 1e-30])


def test_the_lyapunov_exponent_is_that_of_the_tangent_equations():
    chaos = find_preset("rr-chaos").with_values({"duration": 4.0, "method": "rk4", "step": 1e-3})
    start = [float(chaos.initial[name]) for name in NAMES] + [0.5] * 4
    exact = solve_ivp(
        lambda t, y: rr_with_tangent(chaos, t, y), (0.0, 4.0), start, method="DOP853", rtol=1e-12, atol=1e-13
    )
    rate = math.log(np.linalg.norm(exact.y[4:, -1])) / 4.0
    assert rate > 1.0
    assert run_number("lyapunov").of(simulate(chaos)) == pytest.approx(rate, abs=1e-5)


def test_members_are_drawn_from_the_distributions_that_are_asked_for():
    ensemble = Ensemble({"initial.q1": Spread("normal", 0.2), "robot.m1": Spread("uniform", 0.3)}, 10_000, 7)
    drawn = ensemble.offsets()
    assert kstest(drawn["initial.q1"] / 0.2, "norm").pvalue > 0.01
    assert kstest((drawn["robot.m1"] / 0.3 + 1.0) / 2.0, "uniform").pvalue > 0.01
    assert abs(np.corrcoef(drawn["initial.q1"], drawn["robot.m1"])[0, 1]) < 0.03
    assert np.abs(drawn["robot.m1"]).max() <= 0.3


# -- the same bits -----------------------------------------------------------------------------------------------------


def test_a_seed_is_spread_as_a_whole_number():
    scenario = find_preset("rr-sampled").with_values({"task.sampling_jitter": 0.01, "task.sampling_loss": 0.3})
    path = "task.sampling_seed"
    first = first_spread(scenario.fields()[path], 1)
    assert first == Spread("uniform", 1e6)
    narrow = Ensemble.of(Ensemble({path: Spread("normal", 1e-6)}), scenario.fields(), ())
    assert narrow.spread[path].width == 1.0, "a file from before, in which all members had one seed"
    drawn = Ensemble({path: first}, 20).offsets()[path]
    assert len({round(one) for one in drawn}) == 20
    assert first_spread(scenario.fields()["robot.m1"], 2.0) == Spread("normal", 2e-6)


def test_no_bit_depends_on_who_computes_a_member_or_in_which_order():
    scenario = spread(members=40)
    alone, shared = computed(scenario, 1), computed(scenario, 3)
    np.testing.assert_array_equal(alone.table, shared.table)
    runs = EnsembleRuns(scenario)
    backwards = run_sweep(runs, workers=2, upcoming=InOrder(np.arange(39, -1, -1)))
    np.testing.assert_array_equal(alone.table, backwards.table)
    # What another process or a worker of a cluster does with a job.
    there = EnsembleResult.empty(runs)
    there.take(compute(EnsembleRuns.from_data, json.dumps(runs.to_data()), [31, 2]))
    np.testing.assert_array_equal(there.table[[2, 31]], alone.table[[2, 31]])
    assert there.missing.size == 38


def test_a_member_stays_the_same_however_many_there_are_and_whatever_else_is_spread():
    few, many = EnsembleRuns(spread(members=3)), EnsembleRuns(spread(members=300))
    assert few.scenario_at(2) == many.scenario_at(2) != few.scenario_at(1)
    other = EnsembleRuns(spread(of={**TINY, "robot.m1": {"uniform": 0.1}}))
    assert other.scenario_at(2).initial == few.scenario_at(2).initial
    assert EnsembleRuns(spread(seed=2)).scenario_at(2) != few.scenario_at(2)


def test_each_member_of_a_sampled_control_has_its_own_jitter_losses_and_noise():
    base = find_preset("rr-sampled").with_values(
        {
            **{"duration": 1.0, "task.sampling_jitter": 0.05, "task.sampling_loss": 0.3},
            **{"task.sampling_noise": 1e-3},
        }
    )
    scenario = spread(base, {"task.sampling_seed": {"uniform": 1e6}}, members=6)
    found = computed(scenario)
    assert set(found.statuses()) == {"finished"}
    assert len(set(found.runs.values["task.sampling_seed"])) == 6
    np.testing.assert_array_equal(found.output("q1")[:, 0], base.initial["q1"])
    assert np.unique(found.output("q1")[:, -1]).size > 1
    run = simulate(found.runs.scenario_at(3))
    np.testing.assert_array_equal(run.columns(found.times)["q1"], found.output("q1")[3])


def test_an_ensemble_without_any_member_says_so():
    found = computed(spread(of={"robot.J1": {"uniform": 1e12}, "robot.m1": {"uniform": 1e12}}, members=3, seed=3))
    assert set(found.statuses()) == {"refused"}
    assert found.agrees_until == 0.0
    assert found.to_dict()["final"]["q1"] == [None] * 5
    assert not found.has_tips


def test_random_numbers_of_a_place_do_not_depend_on_how_many_are_asked_for():
    np.testing.assert_array_equal(random_numbers(5, 1000)[:10], random_numbers(5, 10))
    assert not set(random_numbers(5, 100, "one")) & set(random_numbers(5, 100, "two"))
    # Philox 4x64 with the key 5, as the sampled control has always used it.
    raw = np.random.Philox(key=5).random_raw(4) >> np.uint64(11)
    np.testing.assert_array_equal(random_numbers(5, 4), raw * 2.0**-53)


# -- failure and memory ------------------------------------------------------------------------------------------------


def test_members_that_a_field_refuses_are_counted_and_the_others_stay():
    found = computed(spread(of={"robot.m1": {"normal": 1.0}}, members=60))
    drawn, words = found.runs.values["robot.m1"], np.array(found.statuses())
    assert (drawn <= 0.0).any()
    np.testing.assert_array_equal(words == "refused", drawn <= 0.0)
    assert np.isfinite(found.quantiles["q1"]).all()
    assert found.to_dict()["status"]["refused"] == (drawn <= 0.0).sum()


def test_members_that_diverge_stop_where_they_were():
    stiff = {"task.torque": "pd", "task.kd1": 1.0, "task.kd2": 500.0, "method": "rk4", "step": 0.02}
    found = computed(spread(SWING.with_values(stiff), {"task.kd2": {"uniform": 499.0}}, members=20))
    words = np.array(found.statuses())
    assert set(words) == {"finished", "diverged"}
    k = int(np.flatnonzero(words == "diverged")[0])
    assert np.isnan(found.output("q1")[k, -1])
    assert np.isfinite(found.tips_at(2.0)[k]).all()
    np.testing.assert_array_equal(found.tips_at(2.0)[k], found.tips_at(float(found.ends[k]))[k])
    assert np.isfinite(found.members()["final_q1"]).all()


def test_memory_is_bounded():
    runs = EnsembleRuns(spread(members=MOST_MEMBERS))
    assert runs.size * len(runs.times) * (len(runs.names) + 3) * 8 <= members.MOST_BYTES
    assert len(runs.times) >= members.LEAST_INSTANTS
    small = EnsembleRuns(spread(members=2))
    np.testing.assert_allclose(np.diff(small.times), small.times[1])
    assert small.times[1] <= 1.0 / members.RATE


def test_how_long_an_ensemble_agrees():
    times = np.linspace(0.0, 10.0, 101)
    apart = np.tile(times, (10, 1))
    assert agrees_until(times, apart, 20.0) == pytest.approx(2.0)
    apart[0] = 0.0
    assert agrees_until(times, apart, 20.0) == pytest.approx(2.0)
    apart[1] = 0.0
    assert agrees_until(times, apart[:2], 20.0) is None
    assert agrees_until(times, np.full((3, 101), math.nan), 1.0) == 0.0
    calm, wild = computed(spread()), computed(spread(find_preset("rr-chaos").with_value("duration", 12.0), members=40))
    assert calm.agrees_until is None
    # An exponent of about 1.4 /s makes a millionth of a radian a tenth of the arm in eight to ten seconds.
    assert 6.0 < (wild.agrees_until or 0.0) < 12.0


# -- files, commands, scripts ------------------------------------------------------------------------------------------


def test_a_file_with_an_ensemble_is_read_back_and_files_without_one_stay_as_they_were():
    scenario = spread(of={"initial.q1": {"normal": "0.5 deg"}, "robot.m1": {"uniform": 0.1}}, members=30, seed=4)
    assert scenario.ensemble is not None
    assert scenario.ensemble.spread["initial.q1"].width == pytest.approx(math.radians(0.5))
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert scenario.hash() == SWING.hash()
    assert "ensemble" not in json.loads(SWING.to_json())
    assert scenario.with_value("step", 0.02).ensemble == scenario.ensemble
    assert scenario.with_value("robot", "pa10").ensemble is None
    chain = replace(find_preset("pendulum-chain"), ensemble={"spread": {"initial.q9": {"normal": 0.1}}})  # type: ignore[arg-type]
    assert chain.with_value("duration", 1.0).ensemble is not None


@pytest.mark.parametrize(
    ("given", "what", "must"),
    [
        ([], "ensemble", "a JSON object"),
        ({"spread": {}}, "ensemble.spread", "at least one field"),
        ({"spread": TINY, "size": 3}, "field", "ensemble.members"),
        ({"spread": {"initial.q7": {"normal": 1.0}}}, "ensemble.spread", "initial.q2"),
        ({"spread": {"step": {"normal": 1.0}}}, "ensemble.spread", "a number of the robot"),
        ({"spread": {"task.torque": {"normal": 1.0}}}, "ensemble.spread", "a number of the robot"),
        ({"spread": {"initial.q1": {"gauss": 1.0}}}, "ensemble.spread.initial.q1", "normal"),
        ({"spread": {"initial.q1": 1.0}}, "ensemble.spread.initial.q1", "normal"),
        ({"spread": {"initial.q1": {"normal": -1.0}}}, "ensemble.spread.initial.q1", "above 0 rad"),
        ({"spread": {"initial.q1": {"normal": math.nan}}}, "ensemble.spread.initial.q1", "above 0 rad"),
        ({"spread": {"initial.q1": {"normal": "soon"}}}, "ensemble.spread.initial.q1", "above 0 rad"),
        ({"spread": TINY, "members": 1}, "ensemble.members", "from 2 to 10000"),
        ({"spread": TINY, "members": 10**9}, "ensemble.members", "from 2 to 10000"),
        ({"spread": TINY, "seed": 0.5}, "ensemble.seed", "a whole number from 0 to 2147483647"),
    ],
)
def test_what_an_ensemble_must_be(given: object, what: str, must: str):
    with refused(what, must):
        replace(SWING, ensemble=given)  # type: ignore[arg-type]


def test_the_command_prints_the_ensemble_and_runs_a_member(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    common = [
        "run",
        "rr-swing",
        "--set",
        "duration=1",
        "--spread",
        "initial.q1=0.1 deg",
        "--spread",
        "robot.m1=0.1:uniform",
    ]
    assert main([*common, "--members", "9", "--seed", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["ensemble"]
    assert (said["members"], said["seed"], said["status"]) == (9, 3, {"finished": 9})
    runs = EnsembleRuns(
        spread(
            SWING.with_value("duration", 1.0),
            {"initial.q1": {"normal": "0.1 deg"}, "robot.m1": {"uniform": 0.1}},
            members=9,
            seed=3,
        )
    )
    assert main([*common, "--seed", "3", "--member", "8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["final"] == simulate(runs.scenario_at(8)).final
    table = tmp_path / "members.csv"
    assert main([*common, "--members", "9", "--seed", "3", "--table", "members", "--out", str(table)]) == 0
    rows = list(csv.DictReader(table.open()))
    assert [float(row["robot.m1"]) for row in rows] == runs.values["robot.m1"].tolist()
    assert float(rows[8]["final_q1"]) == simulate(runs.scenario_at(8)).final["q1"]
    assert json.loads((tmp_path / "members.csv.json").read_text())["columns"]["robot.m1"] == "kg"
    arrays = tmp_path / "fan.npz"
    assert main([*common, "--members", "9", "--seed", "3", "--also", "ensemble", "--out", str(arrays)]) == 0
    with np.load(arrays) as found:
        assert found["q1_p05"][-1] == pytest.approx(said["final"]["q1"][0], rel=1e-14)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--members", "5"], "--members must be used together with --spread"),
        (["--member", "5"], "--member must be used together with --spread"),
        (["--spread", "initial.q1"], "--spread must be FIELD=WIDTH"),
        (["--spread", "initial.q1=1:gauss"], "--spread must be FIELD=WIDTH"),
        (["--spread", "initial.q1=1e-6", "--member", "100"], "--member must be a whole number from 0 to 99, got 100"),
        (["--also", "ensemble", "--out", "run.csv"], "left out for a scenario without an ensemble"),
    ],
)
def test_the_command_refuses(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "rr-swing", "--set", "duration=1", *options]) == 2
    out, said = capsys.readouterr()
    assert not out
    assert words in said


def test_a_script_gets_the_ensemble_beside_the_run():
    run = armstep.ensemble("rr-swing", {"initial.q1": 1e-3, "robot.m1": "0.1:uniform"}, members=6, seed=2, duration=1.0)
    assert run.ensemble is not None
    assert run.ensemble.quantiles["q1"].shape == (5, len(run.ensemble.times))
    assert run.to_dict()["ensemble"]["members"] == 6
    assert armstep.simulate("rr-swing", duration=1.0).ensemble is None
    with pytest.raises(ArmstepError, match=r"initial\.q2"):
        armstep.ensemble("rr-swing", {"initial.q": 1.0})
