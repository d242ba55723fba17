"""A script made of a scenario prints the numbers of its run; what cannot be written is refused."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assets.errors import BadInput
from robots.export.as_python import as_python
from robots.export.source import FILES, PARTS, definitions
from robots.files.urdf import read_urdf
from robots.model.registry import find_robot, robots
from robots.model.segments import Segment
from robots.scenario.presets import find_scenario, presets
from robots.scenario.scenario import Scenario, scenario_of
from robots.simulation.simulate import simulate
from tests.robots.test_every_pair import pairs
from tests.robots.test_mimic import GRIPPER

READ = "import runpy, sys\nfor file in sys.argv[1:]:\n    print('file', file)\n    runpy.run_path(file)\n"
"""Runs scripts one after another in a Python that finds none of our packages, and takes warnings for errors."""


def of(preset: str, **changes: Any) -> Scenario:
    return find_scenario(preset).with_values({key.replace("__", "."): value for key, value in changes.items()})


def printed(scenarios: list[Scenario], folder: Path) -> list[dict[str, float]]:
    """What the scripts print."""
    files = [folder / f"script-{k}.py" for k in range(len(scenarios))]
    for file, scenario in zip(files, scenarios, strict=True):
        file.write_text(as_python(scenario), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", READ, *map(str, files)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outputs = done.stdout.replace("evaluations of f", "evaluations").split("file ")[1:]
    return [{words[k - 1]: float(words[k + 1]) for k, word in enumerate(words) if word == "="} for words in
            (output.split() for output in outputs)]  # fmt: skip


def assert_same(scenarios: list[Scenario], folder: Path, digits: float, counts: bool = True) -> None:
    """That the scripts print the times, final numbers and counts of their runs."""
    for scenario, said in zip(scenarios, printed(scenarios, folder), strict=True):
        run = simulate(scenario)
        what = f"{scenario.name}, {scenario.method}, {dict(scenario.task)}"
        assert said["t"] == run.t_end, what
        for name, value in run.final.items():
            assert said[name] == pytest.approx(value, rel=digits, abs=digits), f"{name} of {what}"
        if counts:
            made = run.counts.steps, run.counts.rejected, run.counts.rhs_evaluations
            assert (said["steps"], said["rejected"], said["evaluations"]) == made, what


FIXED = [
    "rk1",
    "rk4",
    "dopri5",
    "rkqc",
    "pc-trapezoid",
    "ab2",
    "ab5",
    "am4",
    "symplectic-euler",
    "velocity-verlet",
    "stoermer-verlet",
    "bdf1",
    "bdf2",
    "bdf3",
    "bdf6",
    "backward-euler",
    "trapezoidal",
    "implicit-midpoint",
    "gauss6",
    "radau5",
    "rosenbrock-nystrom",
    "rosenbrock",
    "w-method",
    "taylor",
    "own",
]
CONTROLLED = ["bs32", "rkf45", "dopri5", "dop853", "radau5", "rosenbrock-nystrom", "rosenbrock", "w-method", "taylor"]


def test_every_family_with_a_fixed_step(tmp_path: Path) -> None:
    """0.007 s does not divide the span: one-step methods shorten the last step, the others all of them."""
    assert_same([of("rr-swing", method=key, step=0.007, duration=0.5) for key in FIXED], tmp_path, 1e-11)


def test_every_family_with_step_control(tmp_path: Path) -> None:
    scenarios = [of("rr-swing", method=key, rtol=1e-5, atol=1e-7, duration=1.0) for key in CONTROLLED]
    assert_same(scenarios, tmp_path, 1e-11)


def test_settings_of_the_methods(tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [
        {"method": "dopri5", "rtol": 1e-4, "atol": 1e-6, "controller": "elementary", "max_step": 0.03},
        {"method": "rkf45", "rtol": 1e-4, "atol": 1e-5, "controller": "paper", "first_step": 0.5},
        {"method": "radau5", "rtol": 1e-4, "atol": 1e-5, "controller": "paper"},
        {"method": "w-method", "step": 0.01, "options.refresh": 7},
        {"method": "w-method", "step": 0.01, "options.refresh": 0},
        {"method": "ab4", "step": 0.01, "options.startup": "rk4"},
        {"method": "taylor", "step": 0.05, "options.order": 5, "options.velocity_order": 5},
        {"method": "backward-euler", "step": 0.02, "options.newton_tolerance": 1e-4},
        {"method": "bdf2", "step": 0.02, "options.newton_tolerance": 1e-4},
    ]
    assert_same([of("rr-swing", duration=0.6, **change) for change in changes], tmp_path, 1e-11)


def test_step_doubling_where_nothing_is_at_rest(tmp_path: Path) -> None:
    """From rest its error's scale is 1e-30, and the step hangs on the last bits."""
    change = {"initial.q1": 0.3, "initial.v1": 1.0, "initial.v2": -1.0, "method": "rkqc", "rtol": 1e-6, "atol": 1e-9}
    assert_same([of("rr-swing", duration=1.0, **change)], tmp_path, 1e-9)


def test_presets_of_the_rr_arm(tmp_path: Path) -> None:
    """Torques, a switch half way; the chaotic arm for as long as round-off stays small."""
    scenarios = [of(key, duration=2.0) for key in ("rr-pd", "rr-friction", "rr-chaos", "rr-needle", "rr-euler")]
    assert_same([*scenarios, find_scenario("rr-switch")], tmp_path, 1e-9)


def test_beam_and_pendulum(tmp_path: Path) -> None:
    scenarios = [
        of("beam", duration=0.05, method="dopri5", rtol=1e-6, atol=1e-8),
        of("beam", duration=0.05, method="radau5", rtol=1e-6, atol=1e-8),
        of("beam", duration=0.01, method="rk4", step=1e-4, task__form="modes"),
        of("double-pendulum", duration=0.2),
        of("double-pendulum", duration=0.1, options__filtered=True),
        of("double-pendulum", duration=0.01, method="dopri5"),
        of("double-pendulum", duration=0.1, method="bdf4", step=0.001),
        of("top-spin", duration=0.1, method="rk4"),
    ]
    assert_same(scenarios, tmp_path, 1e-9)


def test_the_tracking_arm_on_every_path(tmp_path: Path) -> None:
    tasks: list[dict[str, Any]] = [
        {"path": "circle"},
        {"path": "rounded-square", "law": "trapezoid", "orientation": "tangent"},
        {"path": "figure-eight", "law": "quintic", "orientation": "swinging"},
        {"path": "helix", "orientation": "turning", "inverse": "dls"},
        {"path": "way-points", "inverse": "dls-constant", "clamp": "speeds"},
        {"path": "line", "inverse": "svd", "null_task": "limits", "clamp": "angles"},
        {"inverse": "weighted", "null_task": "elbow"},
        {"null_task": "manipulability", "feedback": "held", "clamp": "both"},
    ]
    scenarios = [of("pa10-circle", duration=3.0, **{f"task__{k}": v for k, v in task.items()}) for task in tasks]
    assert_same(scenarios, tmp_path, 1e-11)


def test_the_tracking_arm_by_other_methods(tmp_path: Path) -> None:
    """It has no Jacobian: implicit methods take differences, which are counted."""
    held = {"task__feedback": "held", "duration": 2.0}
    scenarios = [
        of("pa10-circle", duration=2.0, method="radau5", rtol=1e-5, atol=1e-7),
        of("pa10-circle", duration=2.0, method="dopri5", rtol=1e-5, atol=1e-7),
        of("pa10-circle", duration=2.0, method="bdf3", step=0.05),
        of("pa10-circle", method="am4", **held),
        of("pa10-circle", method="dopri5", step=0.1, **held),
        of("pa10-circle", method="backward-euler", **held),
    ]
    assert_same(scenarios, tmp_path, 1e-10)


def test_arms_of_rigid_links(tmp_path: Path) -> None:
    """Every law of the motors, sliding joints, a payload, and methods with and without the exact Jacobian."""
    scenarios = [
        of("panda-drop", duration=0.1),
        of("panda-hold", duration=0.1, method="rk4", step=0.001),
        of("panda-hold", duration=0.1, method="bdf2", step=0.01),
        of("ur5e-move", duration=0.1),
        of("xarm7-stiff", duration=0.05),
        of("so101-reach", duration=0.05),
        of("scara-pick", duration=0.1, task__torque="constant", task__tau3=7.0, method="w-method", step=0.01),
        of("pendulum-chain", duration=0.1, method="dop853"),
    ]
    assert_same(scenarios, tmp_path, 1e-9)


def test_arms_of_rigid_links_by_their_own_power_series(tmp_path: Path) -> None:
    """Scratch memory holds series: every law that has one, sliding joints, a joint that follows, and a change of method
    on the way to one that has numbers in it.
    """
    series = {"method": "taylor", "rtol": 1e-6, "atol": 1e-9}
    scenarios = [
        of("panda-drop", duration=0.05, **series),
        of("panda-drop", duration=0.02, method="taylor", step=0.007, options__order=4),
        of("panda-hold", duration=0.03, **series),
        of("so101-reach", duration=0.02, **series),
        of("scara-pick", duration=0.02, task__torque="constant", task__tau3=7.0, **series),
        *(
            replace(of("pendulum-chain", duration=0.04, **series), segments=(Segment(0.02, other),))
            for other in ({"method": "radau5"}, {"method": "rk4", "step": 0.01})
        ),
        scenario_of(read_urdf(GRIPPER.encode()).tree).with_values({**series, "duration": 0.02}),
    ]
    assert_same(scenarios, tmp_path, 1e-9)


@pytest.mark.long
@pytest.mark.parametrize("key", robots())
def test_every_method_on_every_robot_has_a_script_or_a_reason(key: str, tmp_path: Path) -> None:
    """rkqc's error is relative to each component: from rest its steps hang on the last bits, and so do its counts.

    A script takes long for a step; the vehicle, which has none, begins with one of ten short steps.
    """
    written: list[Scenario] = []
    reasons: list[str] = []
    for _, scenario in pairs(key, steps=20 if key == "hmmwv" else 3):
        try:
            as_python(scenario)
        except BadInput as reason:
            reasons.append(str(reason))
        else:
            written.append(scenario)
    assert written or key == "hmmwv"
    assert reasons
    assert all("script" in reason for reason in reasons), reasons
    assert_same([one for one in written if one.method != "rkqc"], tmp_path, 1e-8)
    assert_same([one for one in written if one.method == "rkqc"], tmp_path, 1e-8, counts=False)


def test_inverse_dynamics_of_arms_that_bend(tmp_path: Path) -> None:
    scenarios = [
        of("e1", duration=0.12),
        of("e1", duration=0.12, robot__print="printed", method="bdf1", task__formulation="DD43"),
        of("e1-complete", duration=0.12, task__formulation="DD49"),
        of("e12", duration=0.1, method="bdf2", step=0.005, task__path="circle"),
    ]
    assert_same(scenarios, tmp_path, 1e-10)


def test_inverse_dynamics_of_a_higher_index(tmp_path: Path) -> None:
    """Torques are second derivatives of what Newton's iteration finds to round-off, and the last iteration hangs on
    it: the index-3 form divides by the step twice.
    """
    assert_same([of("e12", duration=0.1), of("two-springs", duration=0.05)], tmp_path, 1e-8, counts=False)
    assert_same([of("e12", duration=0.05, task__formulation="I3", method="bdf3")], tmp_path, 1e-4, counts=False)


@pytest.mark.parametrize("key", sorted(presets()))
def test_every_preset_has_a_script_or_a_reason(key: str) -> None:
    """A closed form is a page; other arms' scripts hold the very functions that the window compiles.

    The exact Jacobian of a tree, where the method needs it, is two pages more.
    """
    if key in (
        "hmmwv",
        "beam-damped",
        "chain-energy",
        "pendulum-drift",
        "map-gain",
        "pendulum-index",
        "rr-pull",
        "rr-sampled",
        "rr-stops",
        "rr-stiffening",
        "top-spin",
        "top-tumble",
        "pendulum-stop",
    ):
        with pytest.raises(BadInput, match="script"):
            as_python(find_scenario(key))
        return
    scenario = find_scenario(key)
    script = as_python(scenario)
    compile(script, key, "exec")
    most = 300 if find_robot(scenario.robot).equations(scenario) else 600
    assert len(script.splitlines()) < most + (100 if "def tree_jacobian" in script else 0)


def test_a_script_holds_what_it_uses_and_no_more() -> None:
    script = as_python(find_scenario("rr-swing"))
    assert "def rr(" in script
    assert "Rosenbrock" not in script
    assert "import scipy" not in script
    assert max(map(len, script.splitlines())) <= 160


def test_a_script_leaves_out_what_its_settings_never_reach() -> None:
    plain = as_python(find_scenario("pa10-circle"))
    assert "def rhs(" in plain
    for unused in ("_joint_limit_weights", "_ascend", "rounded_square", "def swinging", "begin_step", "_slow_down"):
        assert unused not in plain, unused
    other = as_python(of("pa10-circle", task__inverse="weighted", task__path="rounded-square", task__clamp="speeds"))
    for used in ("_joint_limit_weights", "rounded_square", "_slow_down"):
        assert used in other, used


def test_settings_that_change_on_the_way_are_all_kept(tmp_path: Path) -> None:
    """A branch is left out of a script only if no stretch of the run takes it."""
    changes = {"task.inverse": "dls-constant", "task.gain": 5.0}
    scenario = replace(of("pa10-circle", duration=2.0), segments=(Segment(1.0, changes),))
    assert "DAMPED_CONSTANT" in as_python(scenario)
    assert_same([scenario], tmp_path, 1e-11)


def test_every_part_belongs_to_scripts() -> None:
    assert {f"{file}.py" for file in FILES} == {file.name for file in PARTS.glob("*.py")} - {"__init__.py"}
    assert len(definitions()) > 20


def test_a_run_that_bursts_ends_where_the_script_ends(tmp_path: Path) -> None:
    scenario = of("rr-swing", method="rk1", step=0.5, initial__v2=60.0, duration=500.0)
    run = simulate(scenario)
    assert not run.status.ok
    file = tmp_path / "script.py"
    file.write_text(as_python(scenario), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert f"t = {run.t_end!r}" in done.stderr


@pytest.mark.parametrize(
    ("preset", "changes", "why"),
    [
        ("hmmwv", {}, "98 coordinates"),
        ("rr-pull", {}, "a pull"),
        ("rr-swing", {"method": "cvode-bdf", "rtol": 1e-6, "atol": 1e-6}, "such as rk4"),
        ("double-pendulum", {"task.form": "cartesian"}, "constraints"),
        ("e1", {"task.formulation": "KM"}, "one of"),
        ("rr-swing", {"method": "rkqc", "rtol": 1e-6, "options.as_listed": True}, "as_listed"),
        ("rr-swing", {"method": "rkqc", "rtol": 1e-6, "options.call_interval": 0.1}, "call_interval must be 0 for"),
    ],
)
def test_what_would_print_other_numbers_is_refused(preset: str, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match="script") as refusal:
        as_python(find_scenario(preset).with_values(changes))
    assert why in str(refusal.value)


def test_a_title_cannot_break_the_script() -> None:
    scenario = of("rr-swing", title='a """ \\ quote"')
    docstring = ast.get_docstring(ast.parse(as_python(scenario)))
    assert docstring is not None
    assert docstring.startswith("a ''' / quote'")
