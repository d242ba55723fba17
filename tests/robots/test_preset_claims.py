"""What a preset's notes say comes true when it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from robots.dynamics.flexible.run_analysis import analyse
from robots.ensembles.members import EnsembleRuns
from robots.scenario.presets import find_preset, presets
from robots.simulation.global_error import estimate
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.sampled_loop import sampled_loop
from robots.simulation.simulate import simulate
from robots.simulation.stability import stiff_from
from robots.sweeps.observed import lyapunov_exponent
from robots.sweeps.run_sweep import run_sweep


def run_of(key: str, changes: Mapping[str, Any] | None = None) -> Run:
    return simulate(find_preset(key).with_values(changes or {}))


def pinned(key: str) -> list[Run]:
    preset = find_preset(key)
    return [simulate(preset.with_values(entry["changes"])) for entry in preset.pins]


def parting(one: Run, other: Run, by: float) -> float:
    """When the first two coordinates of two runs differ by more than `by`; inf if they never do [s]."""
    times = np.linspace(0.0, min(one.t_end, other.t_end), 5001)
    apart = np.abs(one.sample(times)[:, :2] - other.sample(times)[:, :2]).max(axis=1) > by
    return float(times[np.argmax(apart)]) if apart.any() else np.inf


def beam() -> None:
    for method in ("dop853", "rkqc"):
        run = run_of("beam", {"method": method, "duration": 0.3})
        fastest = np.abs(run.eigenvalues[1]).max()
        assert run.status.ok
        assert np.median(run.log.h) * fastest < 10.0  # while the beam has hardly begun to swing


def beam_damped() -> None:
    exact = run_of("beam-damped", {"method": "dop853", "rtol": 1e-9, "atol": 1e-12})
    assert np.abs(exact.eigenvalues[1]).max() == pytest.approx(2881.0, rel=1e-3)
    (kept,), damped = pinned("beam-damped"), run_of("beam-damped")
    for run, low, high in ((damped, 0.0, 0.01), (kept, 0.5, 1.0)):
        assert low < np.abs(run.y[-100:, 8]).max() / 1e-4 < high
        assert np.abs(run.y[:, 0] - exact.sample(run.t)[:, 0]).max() < 5e-5


def double_pendulum() -> None:
    assert find_preset("double-pendulum").initial["v2"] == 10.0
    assert not run_of("double-pendulum", {"method": "rk4"}).status.ok


def double_pendulum_rest() -> None:
    assert find_preset("double-pendulum-rest").initial["v2"] == 0.0
    assert run_of("double-pendulum-rest").status.ok


def e1() -> None:
    run = run_of("e1")
    heights = run.tip(np.array([0.0, 0.1, 0.3]))[:, 2]
    assert heights - heights[0] == pytest.approx([0.0, 0.1, 0.1], abs=1e-6)
    rough = run_of("e1", {"method": "bdf1", "step": 0.01, "task.forward": "linear"})
    assert rough.companion is not None


def e1_complete() -> None:
    stable, unstable = analyse(run_of("e1-complete")), analyse(run_of("e1-complete", {"robot.l2": 0.8}))
    assert stable is not None
    assert unstable is not None
    assert stable.zeros.minimum_phase
    assert not unstable.zeros.minimum_phase


def e12() -> None:
    conditions = []
    for formulation in ("I3", "I2", "I1"):
        run = run_of("e12", {"task.formulation": formulation, "step": 0.005})
        assert run.status.ok
        found = analyse(run)
        assert found is not None
        conditions.append(found.matrix)
    assert conditions[0] > 10.0 * conditions[1] or conditions[1] > 10.0 * conditions[2]


def e12_ringing() -> None:
    run = run_of("e12-ringing")
    assert run.t_end < 0.1
    turns = np.sign(np.diff(run.columns()["u1"][4:12]))
    assert (turns[1:] == -turns[:-1]).all()
    j3, m3, xi3, l3 = (float(run.scenario.get(f"robot.{name}")) for name in ("j3", "m3", "xi3", "l3"))  # type: ignore[arg-type]
    assert 0.9 < j3 / (m3 * xi3 * (l3 - xi3)) < 1.0
    assert run_of("e12-ringing", {"task.formulation": "I2"}).status.ok


def e12_unstable() -> None:
    run = run_of("e12-unstable")
    found = analyse(run)
    assert found is not None
    assert found.zeros.worst > 0.0
    torque = np.abs(run.columns()["u1"])
    assert torque.max() > 1e3 * np.median(torque)


def hmmwv() -> None:
    run = run_of("hmmwv")
    shortest, longest = run.log.t[run.log.h.argmin()], run.log.t[run.log.h.argmax()]
    assert 0.5 < shortest < 1.5
    assert longest > 2.0
    assert run.log.h.max() > 100.0 * run.log.h.min()


def pa10_circle() -> None:
    assert np.ptp(run_of("pa10-circle").tip(), axis=0)[:2] == pytest.approx([1.0, 1.0], abs=1e-3)
    for method, order in (("rk1", 1.0), ("rk4", 4.0)):
        long, short = (
            run_of("pa10-circle", {"method": method, "step": h}).max_error["position_m"] for h in (0.1, 0.05)
        )
        assert np.log2(long / short) == pytest.approx(order, abs=0.3)


def pa10_drift() -> None:
    held, (euler, corrector) = run_of("pa10-drift"), pinned("pa10-drift")
    assert (held.scenario.method, held.scenario.step) == ("rk4", 0.1)
    assert held.max_error["position_m"] < 1e-6
    assert (euler.scenario.method, corrector.scenario.method) == ("rk1", "pc-trapezoid")
    assert euler.scenario.step == corrector.scenario.step == 1.0
    assert euler.max_error["position_m"] > 0.5
    assert euler.series()["singular-value"].values.min() < 0.05
    assert corrector.max_error["position_m"] < 0.05


def pa10_free() -> None:
    run = run_of("pa10-free")
    assert run.status.ok
    assert run.max_error["position_m"] < 1e-6


def pa10_singular() -> None:
    assert find_preset("pa10-singular").task["delta"] == 1e-4
    assert run_of("pa10-singular").series()["singular-value"].values.min() < 0.01
    beyond = {"task.delta": -0.002}
    plain, damped = run_of("pa10-singular", beyond), run_of("pa10-singular", {**beyond, "task.inverse": "dls"})
    assert "leaves the arm's reach" in plain.message
    assert damped.max_error["position_m"] < plain.max_error["position_m"]


def pa10_weld() -> None:
    errors = [run_of("pa10-weld", {"step": step}).max_error["position_m"] for step in (0.05, 0.2, 0.4)]
    assert errors[0] < errors[1] < 1e-4 < errors[2]


def panda_drop() -> None:
    assert run_of("panda-drop").max_error["energy_J"] < 1e-3
    assert run_of("panda-drop", {"method": "rk4", "step": 0.01}).max_error["energy_J"] > 1e-3


def _short_of(run: Run) -> Any:
    """How far each joint is from its target at the end [deg]."""
    task, n = run.scenario.task, len(run.robot.joints)
    return np.degrees([run.final[f"q{k}"] - task[f"target{k}"] for k in range(1, n + 1)])


def panda_hold() -> None:
    assert find_preset("panda-hold").parameters["payload"] == 2.0
    assert np.abs(_short_of(run_of("panda-hold"))).max() < 0.01
    assert np.abs(_short_of(run_of("panda-hold", {"task.torque": "pd"}))).max() == pytest.approx(5.0, abs=0.5)


def _strays(key: str, method: str) -> float:
    """The largest error of an angle against an accurate run [deg]."""
    run, exact = run_of(key, {"method": method}), run_of(key, {"method": "dop853", "rtol": 1e-12, "atol": 1e-13})
    return float(
        np.degrees(run.robot.reference_errors(run.scenario, run.t, run.y, exact.sample(run.t))["reference_q_rad"].max())
    )


def panda_circle() -> None:
    run = run_of("panda-circle")
    assert run.max_error["position_m"] < 1e-8
    assert run.max_error["orientation_rad"] < 1e-8
    assert len(run.robot.joints) == 7


def ur5e_seam() -> None:
    assert run_of("ur5e-seam", {"method": "rk1"}).max_error["position_m"] == pytest.approx(3e-3, rel=0.1)
    run = run_of("ur5e-seam")
    assert run.max_error["position_m"] < 1e-6
    turned = run.poses(run.t)[:, 6, :3, 0]
    assert np.degrees(np.arccos(np.clip(turned @ turned[0], -1.0, 1.0))).max() > 30.0


def ur5e_move() -> None:
    assert find_preset("ur5e-move").task["move_time"] == 1.5
    assert np.abs(_short_of(run_of("ur5e-move"))).max() < 1e-4
    assert _strays("ur5e-move", "rk1") == pytest.approx(0.4, abs=0.05)
    assert _strays("ur5e-move", "rk4") < 1e-5


def xarm7_stiff() -> None:
    implicit, explicit = run_of("xarm7-stiff"), run_of("xarm7-stiff", {"method": "dopri5"})
    assert implicit.scenario.method == "radau5"
    assert implicit.counts.steps < 200
    assert explicit.counts.steps > 5000
    assert implicit.tip()[-1, 2] < implicit.tip()[0, 2] - 0.1
    (variable,) = pinned("xarm7-stiff")
    assert (variable.counts.jacobian_evaluations, implicit.counts.jacobian_evaluations) == (5, 175)


def so101_reach() -> None:
    loose, firm = run_of("so101-reach"), run_of("so101-reach", {"task.kp2": 24.0})
    assert _short_of(loose)[1] == pytest.approx(6.0, abs=0.6)
    assert np.abs(_short_of(firm)).max() < 4.0
    assert firm.counts.steps > loose.counts.steps


def scara_pick() -> None:
    run = run_of("scara-pick")
    assert np.abs(_short_of(run)).max() < 1e-3
    assert run.tip()[0, 2] - run.tip()[-1, 2] == pytest.approx(0.15, abs=1e-6)
    assert run.robot.unit("q3") == "m"
    assert set(run.robot.reference_errors(run.scenario, run.t, run.y, run.y)) == {"reference_q_rad", "reference_q_m"}


def pendulum_chain() -> None:
    times = [run_of("pendulum-chain", {"robot.links": links}) for links in (1, 10, 32)]
    assert all(run.status.ok for run in times)
    costs = [run.compute_seconds / run.counts.rhs_evaluations for run in times]
    assert costs[0] < costs[1] < costs[2]
    gaps = []
    for links in (2, 10):
        near = {"robot.links": links, "initial.q1": 1e-7}
        gaps.append(parting(run_of("pendulum-chain", {"robot.links": links}), run_of("pendulum-chain", near), 1e-3))
    assert gaps[1] < gaps[0]


def pendulum_twins() -> None:
    one, (other,) = run_of("pendulum-twins"), pinned("pendulum-twins")
    gap = other.scenario.initial["q1"] - one.scenario.initial["q1"]
    assert np.degrees(gap) == pytest.approx(1e-3)
    assert parting(one, other, np.radians(1.0)) > 0.5
    assert parting(one, other, 1.0) < 3.0


def pendulum_drift() -> None:
    plain, (damped, projected) = run_of("pendulum-drift"), pinned("pendulum-drift")
    drift = plain.errors["constraint_m"]
    assert drift[-1] > 3.0 * np.interp(10.0, plain.t, drift)
    assert plain.max_error["energy_J"] > 50.0 * damped.max_error["energy_J"]
    assert damped.max_error["constraint_m"] < 1e-5
    assert projected.max_error["constraint_m"] < 1e-12


def pendulum_index() -> None:
    third, (second, both) = run_of("pendulum-index"), pinned("pendulum-index")
    assert max(third.max_error["constraint_m"], second.max_error["constraint_m_s"]) < 1e-13
    assert min(third.max_error["constraint_m_s"], second.max_error["constraint_m"]) > 1e-3
    assert max(both.max_error["constraint_m"], both.max_error["constraint_m_s"]) < 1e-13


def pendulum_stop() -> None:
    run = run_of("pendulum-stop")
    times = [impact.t for impact in run.impacts]
    assert times[-1] == pytest.approx(3.96, abs=0.005)
    assert (times[9] - times[8]) / (times[8] - times[7]) == pytest.approx(0.7, abs=0.01)
    assert run.sample(np.array([4.0, 5.0]))[:, 0] == pytest.approx(-1.2)


def rr_chaos() -> None:
    loose, (tight,) = run_of("rr-chaos"), pinned("rr-chaos")
    assert (loose.scenario.rtol, tight.scenario.rtol) == (1e-10, 1e-11)
    assert parting(loose, tight, 0.1) == pytest.approx(17.5, abs=0.7)


def rr_euler() -> None:
    run = run_of("rr-euler")
    q = run.columns()
    assert (q["q1"] + q["q2"]).max() > np.pi / 2
    assert np.mean(np.diff(run.errors["energy_J"]) > 0.0) > 0.95
    assert find_preset("rr-euler").task["torque"] == "none"


def rr_friction() -> None:
    last = run_of("rr-friction").final
    assert last["q1"] == pytest.approx(-np.pi / 2, abs=0.05)
    assert last["q2"] == pytest.approx(0.0, abs=0.05)
    assert max(abs(last["v1"]), abs(last["v2"])) < 0.05


def rr_hundred() -> None:
    preset = find_preset("rr-hundred")
    assert preset.ensemble is not None
    assert preset.ensemble.spread["initial.q1"].width == pytest.approx(1e-6 * preset.initial["q1"])
    found = run_sweep(EnsembleRuns(preset))
    assert found.agrees_until == pytest.approx(10.0, abs=0.5)


def rr_needle() -> None:
    run = run_of("rr-needle")
    q1 = np.interp([2.0, 3.0, 5.0], run.t, run.columns()["q1"])
    assert abs(q1[0] - np.pi / 2) < 0.01
    assert abs(q1[2] - np.pi / 2) > 1.0


def rr_pd() -> None:
    run = run_of("rr-pd")
    assert [run.final[name] for name in ("q1", "q2")] == pytest.approx([np.pi / 2, 0.0], abs=1e-3)
    moving, resting = run.log.h[run.log.t < 1.0], run.log.h[run.log.t > 4.0]
    assert np.median(resting) > 2.0 * np.median(moving)


def rr_pull() -> None:
    run = run_of("rr-pull")
    before, during = run.tip(np.array([1.9, 3.4]))[:, 2]
    assert during > before + 1.0
    (segment,) = run.scenario.segments
    assert segment.pull is not None
    assert segment.pull.end < run.scenario.duration


def rr_sampled() -> None:
    bursting, calm = run_of("rr-sampled"), pinned("rr-sampled")[0]
    loop = sampled_loop(bursting)
    assert loop is not None
    assert loop.growth(np.array([0.17]))[0] == pytest.approx(1.5, abs=0.05)
    assert loop.longest() == pytest.approx(0.155, abs=0.0005)
    assert abs(bursting.y[:, 0] - 0.5 * np.pi).max() > 0.5
    assert abs(calm.y[-1, 0] - 0.5 * np.pi) < 1e-3


def rr_stops() -> None:
    located, late = run_of("rr-stops"), pinned("rr-stops")[0]
    exact = reference(located.scenario)
    assert exact is not None
    errors = [compare_with_reference(run, exact).max["reference_q_rad"] for run in (located, late)]
    assert errors[0] < 1e-6
    assert errors[1] > 1e-3
    assert {impact.joint for impact in located.impacts} == {0, 1}
    finer = run_of("rr-stops", {"step": 0.005})
    assert 11.0 < errors[0] / compare_with_reference(finer, exact).max["reference_q_rad"] < 23.0


def rr_stiff() -> None:
    assert not run_of("rr-stiff").status.ok
    calm = run_of("rr-stiff", {"step": 0.05 / 3.0})
    assert calm.status.ok
    assert calm.stability is not None
    assert calm.stability.growth.max() <= 1.0


def rr_stiffening() -> None:
    run, (plain,) = run_of("rr-stiffening"), pinned("rr-stiffening")
    implicit = run.log.t[run.log.factorisations > 0]
    assert run.status.ok
    assert implicit.min() > 2.0
    assert implicit.max() < 6.0
    assert plain.counts.rhs_evaluations / run.counts.rhs_evaluations == pytest.approx(5.0, abs=0.5)
    assert plain.sample(run.t)[:, :2] == pytest.approx(run.y[:, :2], abs=1e-5)


def rr_estimate() -> None:
    run, finer = run_of("rr-estimate"), run_of("rr-estimate", {"rtol": 1e-7, "atol": 1e-10})
    exact, found, less = reference(run.scenario), estimate(run), estimate(finer)
    assert exact is not None
    assert found is not None
    assert less is not None
    true = compare_with_reference(run, exact).max["reference_q_rad"]
    assert found.max["reference_q_rad"] / true == pytest.approx(1.0, abs=0.1)
    assert less.max["reference_q_rad"] < 0.3 * found.max["reference_q_rad"]
    assert run.stability is not None
    assert stiff_from(run.stability) is None


def rr_swing() -> None:
    assert run_of("rr-swing").max_error["energy_J"] < 1e-5


def rr_switch() -> None:
    run = run_of("rr-switch")
    error = np.interp([0.0, 3.0, 10.0], run.t, run.errors["energy_J"])
    assert run.boundaries == (3.0,)
    assert error[1] > 1.0
    assert error[2] == pytest.approx(error[1], abs=1e-4)


def chain_energy() -> None:
    kept, (rk4,) = run_of("chain-energy"), pinned("chain-energy")
    exact = run_of("chain-energy", {"method": "dop853", "rtol": 1e-11, "atol": 1e-11}).y[-1, :3]
    assert kept.max_error["energy_J"] < 1e-11
    assert 0.5e-3 < rk4.max_error["energy_J"] < 2e-3
    assert np.abs(kept.y[-1, :3] - exact).max() > 2.0
    assert np.abs(rk4.y[-1, :3] - exact).max() == pytest.approx(0.25, abs=0.05)


def two_springs() -> None:
    stable, unstable = analyse(run_of("two-springs")), analyse(run_of("two-springs", {"robot.j2": 2.0}))
    assert stable is not None
    assert unstable is not None
    assert stable.zeros.minimum_phase
    assert not unstable.zeros.minimum_phase


def map_euler() -> None:
    calm, burst = (run_of("map-euler", {"step": step}) for step in (0.05, 0.15))
    assert np.abs(calm.columns()["q2"]).max() < 0.02 < np.abs(burst.columns()["q2"]).max()


def top_spin() -> None:
    run, (plain,) = run_of("top-spin"), pinned("top-spin")
    tilt = run.series()["tilt"].values
    turns = np.count_nonzero(np.diff(np.sign(np.diff(tilt))))
    assert turns > 20
    assert run.max_error["unit_length_1"] < 1e-13
    assert plain.max_error["unit_length_1"] == pytest.approx(5e-5, rel=0.1)


def top_tumble() -> None:
    rate = run_of("top-tumble").columns()["w2"]
    assert np.count_nonzero(np.diff(np.sign(rate))) >= 4
    for axis, name in enumerate(("w1", "w3")):
        given = {"initial.w1": 6.0, "initial.w3": 0.0} if axis == 0 else {"initial.w1": 0.0, "initial.w3": 6.0}
        steady = run_of("top-tumble", {"initial.w2": 0.01, **given}).columns()[name]
        assert steady == pytest.approx(np.full(len(steady), 6.0), rel=1e-3)


def map_chaos() -> None:
    calm, wild = (run_of("map-chaos", {"initial.q1": q1, "initial.q2": 0.5}) for q1 in (-1.5, 1.5))
    assert lyapunov_exponent(wild) > 1.0 > lyapunov_exponent(calm)


def map_gain() -> None:
    calm, burst = (run_of("map-gain", {"task.sampling_period": period}) for period in (0.1, 0.2))
    assert calm.columns()["q1"].min() > 1.4 > burst.columns()["q1"].min()


def map_tolerance() -> None:
    dear, cheap = (run_of("map-tolerance", {"rtol": by, "atol": by}).counts.rhs_evaluations for by in (1e-9, 1e-6))
    assert (dear / cheap) ** (1.0 / 3.0) == pytest.approx(1.6, abs=0.1)


def map_links() -> None:
    assert np.diff([run_of("map-links", {"robot.links": n}).counts.rhs_evaluations for n in (2, 8)]) > 0


CLAIMS: dict[str, Callable[[], None]] = {
    key: globals()[key.replace("-", "_")] for key in presets() if key.replace("-", "_") in globals()
}


def test_every_preset_has_its_claims_checked() -> None:
    assert set(CLAIMS) == set(presets())
    assert all(preset.notes and preset.title for preset in presets().values())


@pytest.mark.parametrize("key", CLAIMS)
def test_what_the_notes_say_comes_true(key: str) -> None:
    CLAIMS[key]()


@pytest.mark.parametrize("key", presets())
def test_a_preset_lasts_long_enough_to_be_seen(key: str) -> None:
    """At its own speed it takes at least three seconds, or begins again at its end."""
    preset = find_preset(key)
    playback = preset.view.get("playback", {})
    assert playback.get("loop") or preset.duration / playback.get("speed", 1.0) >= 3.0
