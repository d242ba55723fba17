"""What the notes of the RR arm's presets and of the maps promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from robots.ensembles.members import EnsembleRuns
from robots.scenario.presets import find_preset
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


def rr_chaos() -> None:
    loose, (tight,) = run_of("rr-chaos"), pinned("rr-chaos")
    assert (loose.scenario.rtol, tight.scenario.rtol) == (1e-10, 1e-11)
    assert parting(loose, tight, 0.1) == pytest.approx(17.5, abs=0.7)
    assert reference(find_preset("rr-chaos")).trusted_until == pytest.approx(10.0, abs=0.5)


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
    assert 0.154 < loop.longest() < 0.155
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


def map_euler() -> None:
    calm, burst = (run_of("map-euler", {"step": step}) for step in (0.05, 0.15))
    assert np.abs(calm.columns()["q2"]).max() < 0.02 < np.abs(burst.columns()["q2"]).max()


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
