"""Specialised kernels: the generic kernel's numbers and counts, for every robot that explicit methods can integrate."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from robots.model.registry import find_robot
from robots.scenario.presets import presets
from robots.simulation.simulate import simulate
from solvers.codegen import generated, specialised
from solvers.codegen.gain import gain
from solvers.codegen.runge_kutta_source import kernel_source, linear
from solvers.codegen.tape import cos, sin
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method, methods
from solvers.solution import Solution
from solvers.tableaux.tableau import load
from tests.solvers.problems import pendulum
from tests.solvers.recording import record

ROOT = Path(__file__).parents[2]
# One preset for each kind of equations that explicit methods can integrate.
PRESETS = ("rr-swing", "rr-pd", "rr-pull", "rr-switch", "pa10-circle", "double-pendulum", "beam")


def once(methods: dict[str, str]) -> list[ParameterSet]:
    """Each preset with one method, and all other pairs among the long tests: each compiles a kernel of its own."""
    pairs = [(preset, method) for preset in PRESETS for method in ("rk4", "rk8", "dopri5")]
    long = pytest.mark.long
    return [pytest.param(*pair, marks=() if methods[pair[0]] == pair[1] else long) for pair in pairs]


@pytest.mark.parametrize(
    ("preset", "method"),
    once(
        {
            "rr-swing": "rk8",
            "rr-pd": "dopri5",
            "rr-pull": "rk4",
            "rr-switch": "rk4",
            "pa10-circle": "dopri5",
            "double-pendulum": "rk4",
            "beam": "rk4",
        }
    ),
)
def test_a_robot_gets_the_same_numbers(preset, method):
    scenario = presets()[preset]
    step = {"beam": 2e-4, "double-pendulum": 1e-5}.get(preset, 0.01)
    short = scenario.with_values({"method": method, "step": step, "duration": min(scenario.duration, 300 * step)})
    generic = simulate(short)
    ours = simulate(short.with_value("options.specialised", True))
    assert ours.counts == generic.counts
    assert str(ours.status) == str(generic.status)
    assert np.allclose(ours.y, generic.y, rtol=1e-10, atol=1e-11)


def test_the_driven_arm_gets_the_same_numbers():
    """E12 under the torques of its inverse dynamics, which are a table: written out except for that."""
    driven = {"task.forward": "linear", "task.forward_method": "rk4", "task.forward_step": 1e-3, "duration": 0.2}
    scenario = presets()["e12"].with_values(driven)
    generic, ours = (simulate(scenario.with_value("task.forward_specialised", on)).companion for on in (False, True))
    assert generic is not None
    assert ours is not None
    assert np.allclose(ours.y, generic.y, rtol=1e-10, atol=1e-11)
    assert np.ptp(ours.y, axis=0).max() > 0.1


@pytest.mark.parametrize(
    ("method", "controller"),
    [
        # `dopri5` with `pi` is among the short tests below.
        pytest.param(*pair, marks=() if pair == ("dop853", "paper") else pytest.mark.long)
        for pair in product(("dopri5", "dop853", "bs32", "rkf12"), ("pi", "paper"))
    ],
)
def test_step_control_is_the_same(method, controller):
    short = presets()["rr-swing"].with_values(
        {"method": method, "rtol": 1e-6, "atol": 1e-6, "controller": controller, "duration": 2.0}
    )
    generic, ours = simulate(short), simulate(short.with_value("options.specialised", True))
    assert ours.counts == generic.counts
    assert ours.counts.steps > 3
    # The first estimate of dop853 is 4e-13, of which round-off is some 1e-4; the next step is its eighth root.
    assert np.allclose(ours.t, generic.t, rtol=1e-5)
    # At the same times, so that steps that differ a little do not count.
    assert np.allclose(ours.phases[0].solution(generic.t), generic.y, rtol=1e-8, atol=1e-9)


def both(problem, method: str, control: Control) -> tuple[Solution, Solution]:
    found = find_method(method)
    return integrate(problem, found, control), integrate(problem, found, control, options={"specialised": True})


@pytest.mark.parametrize("control", [FixedStep(0.03), Tolerance(1e-6, 1e-8)])
def test_time_breaks_backwards_and_divergence(control):
    def equations(t, y, p):
        return [y[1], p[0] * sin(3.0 * t) - y[0] * 4.0 - cos(t) / (2.0 + sin(t))]

    tape = record(equations, 2, 1)
    from numba import njit

    from solvers.kernels.signatures import RHS

    @njit(RHS)
    def rhs(t, y, params, dy):
        dy[0] = y[1]
        dy[1] = params[0] * np.sin(3.0 * t) - y[0] * 4.0 - np.cos(t) / (2.0 + np.sin(t))

    base = replace(pendulum(), rhs=rhs, taylor=tape, params=np.array([0.7]), initial=np.array([1.0, 0.2]))
    for t0, t1, breaks in ((0.0, 2.0, ()), (2.0, -1.0, ()), (0.0, 2.0, (0.5, 1.25))):
        problem = replace(base, t0=t0, t1=t1, breaks=breaks)
        for candidate in (problem, replace(problem, taylor=None)):
            generic, ours = both(candidate, "dopri5", control)
            assert ours.counts == generic.counts
            assert ours.status is generic.status
            # At the same times: a fused product changes an estimate in its last digits, and with it the next step.
            assert np.allclose(ours(generic.t), generic.y, rtol=1e-11, atol=1e-12)
            assert np.allclose(ours.log.error, generic.log.error, rtol=1e-6, atol=1e-9)


def test_zeros_and_ones_do_not_appear():
    assert linear(np.array([0.0, 1.0, -1.0, 0.5, -0.25]), ["a", "b", "c", "d", "e"]) == "b - c + 0.5 * d - 0.25 * e"
    assert linear(np.zeros(2), ["a", "b"]) == "0.0"
    source = kernel_source(load("rk4"), 2, None, False, False)
    assert "0.0 *" not in source
    assert "1.0 *" not in source
    assert source.count("call_rhs(rhs") == 3


def test_a_file_that_was_tampered_with_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(generated, "folder", lambda: tmp_path)
    written = generated.written("armstep_kernel_test", "a = 1\n")
    written.write_text("a = 2\n")
    assert generated.written("armstep_kernel_test", "a = 1\n").read_text() == "a = 1\n"


def test_without_a_cache_folder_kernels_are_kept_together_and_removed_at_exit(tmp_path):
    blocker = tmp_path / "a file, where the folder should be"
    blocker.touch()
    code = "\n".join(
        [
            "from pathlib import Path",
            "from solvers.codegen import generated",
            f"generated.folder = lambda: Path({str(blocker)!r})",
            "print(generated.written('one', 'a = 3'), generated.written('two', 'a = 3'))",
            "print(generated.module('a = 3').a)",
        ]
    )
    reported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    one, two, value = reported.stdout.split()
    assert value == "3"
    assert Path(one).parent == Path(two).parent
    assert not Path(one).parent.exists()


def test_a_wrong_kernel_is_found_out():
    def another(problem, control):
        return find_method("rk3").stepper(problem, control, {"specialised": True})

    def generic(problem, control):
        return find_method("rk4").stepper(problem, control, {"specialised": False})

    with pytest.raises(RuntimeError, match="differs"):
        specialised.check(another, generic, pendulum(), FixedStep(0.1))


def test_the_tightest_tolerance_is_no_reason_to_find_fault():
    """Where round-off decides which steps are rejected the kernels may differ, and neither is wrong."""
    problem = replace(pendulum(), t1=0.5)
    generic, ours = both(problem, "dop853", Tolerance(1e-15, 1e-15))
    assert np.allclose(ours.final, generic.final, rtol=0.0, atol=1e-12)


def test_the_gain_is_measured():
    found = gain(pendulum(), find_method("rk4"), FixedStep(0.01), repeats=3)
    assert found is not None
    assert found.generic > 0.0
    assert found.specialised > 0.0
    assert gain(pendulum(), find_method("rk4"), FixedStep(0.01), cancel=lambda: True) is None


@pytest.mark.parametrize("written_out", [True, False])
@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("ab5", {}),
        ("am4", {"startup": "rk4"}),
        ("rkqc", {}),
        ("rkqc", {"as_listed": True, "call_interval": 0.5}),
        ("stoermer-verlet", {}),
    ],
)
def test_methods_without_a_table_have_specialised_kernels_too(method, options, written_out):
    """Copies of their kernels with the equations in them: the same steps."""
    # In motion: from rest, where its scale is 0, rkqc's first steps follow from round-off alone.
    moving = {"duration": 1.0, "initial.q1": 0.3, "initial.v1": 0.4, "initial.v2": -0.6}
    problem = find_robot("rr").problem(presets()["rr-swing"].with_values(moving))
    if not written_out:
        problem = replace(problem, taylor=None)
    found = find_method(method)
    for control in [FixedStep(0.03), *([Tolerance(1e-6, 1e-9)] if found.adaptive else [])]:
        generic = integrate(problem, found, control, options=options)
        ours = integrate(problem, found, control, options=options | {"specialised": True})
        assert ours.counts.steps == generic.counts.steps > 10
        assert ours.status is generic.status
        assert np.allclose(ours(generic.t), generic.y, rtol=1e-8, atol=1e-9)


def test_every_explicit_method_can_be_specialised_or_says_why_not():
    for key, method in methods().items():
        if not method.implicit and "SUNDIALS" not in method.name:
            specialised_kernel = any(option.key == "specialised" for option in method.options)
            assert specialised_kernel or any("specialised kernel" in note for note in method.notes), key
