"""The reference run: right to 1e-12 while it says it is, and honest about when it is not."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

from robots.model.segments import Pull, Segment
from robots.scenario.presets import find_preset, find_scenario
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate

SWING = find_scenario("rr-swing")
CHAOS = find_scenario("rr-chaos")


def extended(scenario: Scenario, until: float, steps: int) -> np.ndarray:
    """The state at `until` in 40 digits: extrapolated modified midpoint steps (Gragg), an algorithm of its own."""
    with mp.workdps(40):
        m1, m2, r1, r2, J1, J2, g = (mp.mpf(float(value)) for value in scenario.parameters.values())

        def rate(y):
            q1, q2, v1, v2 = y
            c, s = mp.cos_sin(q2)
            b, d = m2 * r1 * r2, m2 * r2**2
            a11, a12, a22 = (m1 + m2) * r1**2 + d + 2 * b * c + J1, d + b * c, d + J2
            low = g * m2 * r2 * mp.cos(q1 + q2)
            f1 = b * s * (v2**2 + 2 * v1 * v2) - g * (m1 + m2) * r1 * mp.cos(q1) - low
            f2 = -b * s * v1**2 - low
            scale = 1 / (a11 * a22 - a12**2)
            return mp.matrix([v1, v2, (a22 * f1 - a12 * f2) * scale, (a11 * f2 - a12 * f1) * scale])

        y = mp.matrix([mp.mpf(float(value)) for value in scenario.initial.values()])
        h = mp.mpf(until) / steps
        counts = [2 * (k + 1) for k in range(10)]
        for _ in range(steps):
            rows = []
            for j, n in enumerate(counts):
                part = h / n
                before, now = y, y + part * rate(y)
                for _ in range(n - 1):
                    before, now = now, before + 2 * part * rate(now)
                row = [(now + before + part * rate(now)) / 2]
                for k in range(1, j + 1):
                    ratio = (mp.mpf(n) / counts[j - k]) ** 2 - 1
                    row.append(row[k - 1] + (row[k - 1] - rows[j - 1][k - 1]) / ratio)
                rows.append(row)
            y = rows[-1][-1]
        return np.array([float(value) for value in y])


@pytest.mark.parametrize("scenario", [SWING, CHAOS], ids=["swing", "chaos"])
def test_agrees_with_extended_precision_to_1e_12(scenario: Scenario, tmp_path: Path) -> None:
    exact = extended(scenario, 2.0, 100 if scenario is CHAOS else 30)
    found = reference(scenario.with_value("duration", 4.0), cache_dir=tmp_path)
    assert found.sample(np.array([2.0]))[0] == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("scenario", [SWING, CHAOS], ids=["swing", "chaos"])
def test_agrees_with_heyoka_between_its_grid_points(scenario: Scenario, tmp_path: Path) -> None:
    """Against Taylor series in 80-bit arithmetic, at times that are no grid points."""
    heyoka = pytest.importorskip("heyoka")
    real = np.longdouble
    m1, m2, r1, r2, J1, J2, g = (real(value) for value in scenario.parameters.values())
    q1, q2, v1, v2 = heyoka.make_vars("q1", "q2", "v1", "v2")
    b, d = m2 * r1 * r2, m2 * r2**2
    c, s = heyoka.cos(q2), heyoka.sin(q2)
    a11, a12, a22 = (m1 + m2) * r1**2 + d + J1 + real(2) * b * c, d + b * c, d + J2
    low = g * m2 * r2 * heyoka.cos(q1 + q2)
    f1 = b * s * (v2 * v2 + real(2) * v1 * v2) - g * (m1 + m2) * r1 * heyoka.cos(q1) - low
    f2 = -b * s * v1 * v1 - low
    D = a11 * a22 - a12 * a12
    system = [(q1, v1), (q2, v2), (v1, (a22 * f1 - a12 * f2) / D), (v2, (a11 * f2 - a12 * f1) / D)]
    start = np.array([scenario.initial[key] for key in ("q1", "q2", "v1", "v2")], dtype=real)
    stepper = heyoka.taylor_adaptive(system, start, fp_type=real, tol=real(1e-19))
    times = np.append(0.0, np.sort(np.random.default_rng(3).uniform(0.0, 8.0, 400)))
    exact = np.array(stepper.propagate_grid(times.astype(real))[-1], dtype=float)
    found = reference(scenario, cache_dir=tmp_path)
    gap = np.abs(found.sample(times) - exact)
    assert gap[times <= 2.0, :2].max() < 1e-12
    assert gap[times <= 2.0, 2:].max() < 1e-11
    assert gap[times <= found.trusted_until].max() < 2e-9


def test_chaos_ends_the_trust(tmp_path: Path) -> None:
    found = reference(CHAOS, cache_dir=tmp_path)
    assert 6.0 < found.trusted_until < CHAOS.duration
    judged = compare_with_reference(simulate(CHAOS), found)
    assert judged.final == {}
    assert "trusted" in judged.message
    known = judged.t <= found.trusted_until
    assert judged.max["reference_q_rad"] == np.max(judged.errors["reference_q_rad"][known])
    result = simulate(CHAOS).to_dict(judged)
    assert "reference_q_rad" not in result["final_error"]
    assert result["trusted_until"] == found.trusted_until


def test_the_tour_says_by_what_the_error_falls(tmp_path: Path) -> None:
    """It said 16 each time."""
    preset = find_preset("rr-swing")
    found = reference(preset, cache_dir=tmp_path)
    assert found is not None
    errors = [
        compare_with_reference(simulate(preset.with_value("step", step)), found).max["reference_q_rad"]
        for step in (0.01, 0.005, 0.0025)
    ]
    first, then = (f"{one / other:.1f}" for one, other in pairwise(errors))
    tour = (Path(__file__).resolve().parents[2] / "docs" / "tour.md").read_text(encoding="utf-8")
    assert f"RK4's error falls by {first}, then by {then}: towards the 16 of order 4" in tour


def test_errors_have_the_order_of_the_method(tmp_path: Path) -> None:
    found = reference(SWING, cache_dir=tmp_path)
    errors = [
        compare_with_reference(simulate(SWING.with_value("step", h)), found).max["reference_q_rad"]
        for h in (0.01, 0.005)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.2)
    judged = compare_with_reference(simulate(SWING), found)
    assert judged.final["reference_q_rad"] == judged.errors["reference_q_rad"][-1]
    assert judged.message == ""


def test_a_pulled_run_has_a_reference(tmp_path: Path) -> None:
    track = ((0.5, 1.5, 0.0, 2.4), (0.75, 1.2, 0.0, 2.9), (1.0, 0.5, 0.0, 3.2))
    pulled = SWING.with_value("duration", 2.0).with_segments(
        Segment(0.5, pull=Pull(1, (0.8, 0.0, 0.0), 60.0, 4.0, track))
    )
    found = reference(pulled, cache_dir=tmp_path)
    assert found.trusted_until == 2.0
    tight = simulate(pulled.with_values({"method": "dop853", "rtol": 1e-12, "atol": 1e-14}))
    assert compare_with_reference(tight, found).max["reference_q_rad"] < 1e-9


def test_the_cache_is_by_physics_and_survives_damage(tmp_path: Path) -> None:
    short = SWING.with_value("duration", 1.0)
    first = reference(short, cache_dir=tmp_path)
    (file,) = tmp_path.glob("*.npz")
    again = reference(short.with_values({"method": "rkf45", "rtol": 1e-3, "title": "other"}), cache_dir=tmp_path)
    times = np.linspace(0.0, 1.0, 7)
    assert len(list(tmp_path.glob("*.npz"))) == 1
    assert np.array_equal(first.sample(times), again.sample(times))
    sound, foreign = dict(np.load(file)), []
    for other in ({"y0": sound["y0"][:, :3]}, {"params0": np.ones(2)}):  # as of other equations
        np.savez(tmp_path / "foreign", **{**sound, **other})
        foreign.append((tmp_path / "foreign.npz").read_bytes())
    (tmp_path / "foreign.npz").unlink()
    for damage in (b"", b"nonsense", file.read_bytes()[:2000], *foreign):
        file.write_bytes(damage)
        assert np.array_equal(reference(short, cache_dir=tmp_path).sample(times), first.sample(times))
    reference(short.with_value("robot.m1", 2.0), cache_dir=tmp_path)
    assert len(list(tmp_path.glob("*.npz"))) == 2


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert reference(SWING.with_value("duration", 0.5), cache_dir=blocked / "references") is not None


def test_rounding_of_runs_with_very_short_steps_is_below_the_level(tmp_path: Path) -> None:
    """Far below their own error, methods of order 8 show nothing but rounding: the level is above it, and near it."""
    swing = find_scenario("rr-swing").with_value("method", "dop853")
    exact = reference(swing, cache_dir=tmp_path)
    assert exact is not None
    np.testing.assert_array_equal(exact.gap, reference(swing, cache_dir=tmp_path).gap)
    found = [
        compare_with_reference(simulate(swing.with_value("step", step), repeat=False), exact)
        for step in (0.004, 0.0025, 0.002, 0.001, 0.0005)
    ]
    shares = [one.max["reference_q_rad"] / one.level["reference_q_rad"] for one in found]
    assert max(shares) < 1.0
    assert max(shares) > 0.2, "no level is far above what rounding does"
    levels = [one.level["reference_q_rad"] for one in found]
    assert levels == sorted(levels), "more steps round more often"


def test_cancelled() -> None:
    assert reference(SWING.with_value("duration", 0.7), cancel=lambda: True) is None


@pytest.mark.parametrize("path", ["line", "way-points"])
def test_a_path_that_ends_with_a_jump_does_not_end_the_trust(path: str, tmp_path: Path) -> None:
    ends = find_scenario("pa10-free").with_values({"task.path": path, "task.size": 0.05, "duration": 1.5})
    found = reference(ends, cache_dir=tmp_path)
    assert len(found.phases) > 1
    assert found.trusted_until == found.t_end == 1.5
    assert compare_with_reference(simulate(ends), found).message == ""
    kept = reference(ends, cache_dir=tmp_path)
    times = np.linspace(0.0, 1.5, 50)
    assert np.array_equal(kept.sample(times), found.sample(times))
