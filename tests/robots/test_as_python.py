"""A script made of a scenario prints the numbers of its run; what cannot be written is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assets.errors import BadInput
from robots.as_python import EQUATIONS, as_python
from robots.presets import find_scenario, presets
from robots.run import Run
from robots.scenario import Scenario
from robots.simulate import simulate


def printed(scenario: Scenario, folder: Path) -> dict[str, float]:
    """What the script prints, run by a Python that finds none of our packages."""
    file = folder / "script.py"
    file.write_text(as_python(scenario), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", str(file)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    words = done.stdout.replace("evaluations of f", "evaluations").split()
    return {words[k - 1]: float(words[k + 1]) for k, word in enumerate(words) if word == "="}


def assert_same(run: Run, said: dict[str, float], digits: float) -> None:
    assert said["t"] == run.t_end
    assert said["steps"] == run.counts.steps
    assert said["rejected"] == run.counts.rejected
    assert said["evaluations"] == run.counts.rhs_evaluations
    names = run.robot.problem(run.scenario).names
    for name, value in zip(names, run.y[-1].tolist(), strict=True):
        assert said[name] == pytest.approx(value, rel=digits, abs=digits), name


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "rk4", "step": 0.01},
        {"method": "rk1", "step": 0.003},
        {"method": "dopri5", "step": 0.05},
        {"method": "rkf45", "rtol": 1e-6, "atol": 1e-9},
        {"method": "dopri5", "rtol": 1e-7, "atol": 1e-9},
        {"method": "dop853", "rtol": 1e-9, "atol": 1e-10},
        {"method": "dopri5", "rtol": 1e-4, "atol": 1e-6, "controller": "elementary", "max_step": 0.03},
        {"method": "rkf45", "rtol": 1e-4, "atol": 1e-5, "controller": "paper", "first_step": 0.5},
    ],
    ids=lambda changes: "-".join(str(value) for value in changes.values()),
)
def test_rr_arm_by_explicit_methods(changes, tmp_path: Path) -> None:
    scenario = find_scenario("rr-swing").with_values({"duration": 3.0, **changes})
    assert_same(simulate(scenario), printed(scenario, tmp_path), 1e-11)


@pytest.mark.parametrize("preset", ["rr-pd", "rr-friction", "rr-chaos", "rr-euler"])
def test_presets_of_the_rr_arm(preset: str, tmp_path: Path) -> None:
    scenario = find_scenario(preset).with_values({"duration": 2.0})
    assert_same(simulate(scenario), printed(scenario, tmp_path), 1e-10)


def test_changes_half_way_are_in_the_script(tmp_path: Path) -> None:
    scenario = find_scenario("rr-switch")
    assert scenario.segments
    assert_same(simulate(scenario), printed(scenario, tmp_path), 1e-7)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("beam", {"duration": 0.05, "method": "dopri5", "rtol": 1e-6, "atol": 1e-8}),
        ("beam", {"duration": 0.01, "method": "rk4", "step": 1e-4, "task.form": "modes"}),
        ("double-pendulum", {"duration": 0.01, "method": "dopri5", "rtol": 1e-5, "atol": 1e-7}),
    ],
)
def test_other_robots(preset: str, changes: dict[str, object], tmp_path: Path) -> None:
    scenario = find_scenario(preset).with_values(changes)
    assert_same(simulate(scenario), printed(scenario, tmp_path), 1e-9)


@pytest.mark.parametrize("key", sorted(presets()))
def test_every_preset_has_a_script_or_a_reason(key: str) -> None:
    scenario = find_scenario(key)
    if scenario.robot not in EQUATIONS:
        with pytest.raises(BadInput, match="as a script"):
            as_python(scenario)
        return
    try:
        script = as_python(scenario)
    except BadInput as refusal:
        script = f"# {refusal}"
    compile(script, key, "exec")


def test_a_run_that_bursts_ends_where_the_script_ends(tmp_path: Path) -> None:
    scenario = find_scenario("rr-swing").with_values(
        {"method": "rk1", "step": 0.5, "initial.v2": 60.0, "duration": 500.0}
    )
    run = simulate(scenario)
    assert not run.status.ok
    file = tmp_path / "script.py"
    file.write_text(as_python(scenario), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert f"t = {run.t_end!r}" in done.stderr


def test_what_would_print_other_numbers_is_refused() -> None:
    refused = [find_scenario("pa10-circle"), find_scenario("rr-pull")]
    refused.append(find_scenario("rr-swing").with_values({"method": "radau5"}))
    refused.append(
        find_scenario("double-pendulum").with_values({"method": "rk4", "step": 1e-5, "task.form": "cartesian"})
    )
    for scenario in refused:
        with pytest.raises(BadInput, match="as a script"):
            as_python(scenario)


def test_a_title_cannot_break_the_script() -> None:
    scenario = find_scenario("rr-swing").with_values({"title": 'a """ \\ quote"'})
    compile(as_python(scenario), "script", "exec")
