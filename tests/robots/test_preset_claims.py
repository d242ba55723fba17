"""What a preset's notes say comes true when it is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from robots.dynamics.flexible.run_analysis import analyse
from robots.dynamics.multibody.estimate import explicit_estimate
from robots.scenario.presets import find_preset, presets
from robots.simulation.run import Run
from tests.robots import preset_claims
from tests.robots.preset_claims import parting, pinned, run_of


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
    assert f"takes {run.log.h.min():.1g} s at the bump" in run.robot.summary
    assert 1.0 < run.log.h.max() < 2.0
    explicit = explicit_estimate(run.scenario).step
    assert f"steps of {explicit:.6f} s" in run.robot.summary
    assert f"near {1e6 * explicit:.0f}e-6 s" in run.scenario.notes


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
    assert 0.14 < held.series()["singular-value"].values.min() < 0.15, "as paper 3's page says"
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
    times, rates = np.array([(impact.t, impact.rate) for impact in run.impacts]).T
    assert times[-1] == pytest.approx(3.96, abs=0.005)
    bounces = [impact for impact in run.impacts if not impact.rests]
    after = run.sample(times[: len(bounces) // 2] + 1e-9)[:, 1]
    assert "leaves 0.7 of its speed" in run.scenario.notes
    assert after / rates[: len(after)] == pytest.approx(0.7, rel=1e-4)
    assert rates[1:-1] / rates[:-2] == pytest.approx(0.7, rel=1e-3), "nothing else takes its speed"
    lasting = np.diff(times)
    ratios = lasting[1:] / lasting[:-1]
    assert "soon each lasts 0.7 times as long" in run.scenario.notes
    assert ratios[0] > 0.8, "a pendulum's first bounces are too wide for that"
    assert ratios[7:20] == pytest.approx(0.7, abs=0.01)
    assert run.sample(np.array([4.0, 5.0]))[:, 0] == pytest.approx(-1.2)


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


KNOWN = vars(preset_claims) | globals()
CLAIMS: dict[str, Callable[[], None]] = {
    key: KNOWN[key.replace("-", "_")] for key in presets() if key.replace("-", "_") in KNOWN
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
