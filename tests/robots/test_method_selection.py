"""One rule says which methods can integrate a scenario: for lists, for edits, and for the run itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import cast

import pytest

from assets.errors import BadInput
from robots.model.registry import robot_of
from robots.model.segments import Pull, Segment
from robots.scenario.method_selection import CONTROLLERS, suitable_methods, unsuitable
from robots.scenario.presets import find_preset, presets
from robots.scenario.scenario import Scenario
from robots.simulation.phases import intervals
from robots.simulation.simulate import simulate
from solvers.method_registry import find_method, methods
from solvers.problem import OdeProblem

SWING = find_preset("rr-swing").with_value("duration", 2.0)
PULL = Pull(1, (0.5, 0.0, 0.0), 60.0, 4.0, ((0.5, 1.0, 0.0, 2.0), (1.0, 0.5, 0.0, 2.0)))
OF_SERIES, OF_MOMENTA = ("taylor",), ("avf", "symplectic-gauss4", "symplectic-midpoint")


def variants() -> Iterator[Scenario]:
    """Scenarios whose tasks decide what kind of equations they have, each with a method that solves all kinds."""
    for key in ("rr-swing", "panda-hold"):
        base, pulled = find_preset(key).with_value("method", "dopri5"), (False, True)
        torques = [torque for torque in base.fields()["task.torque"].choices if not torque.startswith("log")]
        for torque, sampling, pull in product(torques, ("off", "held"), pulled):
            if torque == "path" and pull:
                continue
            changes = {"task.torque": torque} | ({} if torque == "path" else {"task.sampling": sampling})
            yield base.with_values(changes).with_segments(*[Segment(0.5, pull=PULL)] * pull)
    base = find_preset("pendulum-drift")
    for constraints in base.fields()["task.constraints"].choices:
        yield base.with_value("task.constraints", constraints)


def assert_one_rule(scenario: Scenario) -> None:
    robot, parts = robot_of(scenario), intervals(scenario)
    problems = [cast("OdeProblem", robot.problem(part.scenario, part.pull)) for part in parts]
    for part, problem in zip(parts, problems, strict=True):
        assert robot.kinds(part.scenario, part.pull is not None) == problem.kinds, part
    if {part.scenario.method for part in parts} == {scenario.method}:
        able = {key for key, method in methods().items() if all(map(method.accepts, problems))}
        able -= {key for key in able if not robot.takes(scenario, find_method(key))}
        assert set(suitable_methods(scenario)) == able


def test_what_is_offered_is_what_the_equations_of_every_preset_accept() -> None:
    for preset in presets().values():
        assert_one_rule(preset)


def test_and_of_every_task() -> None:
    for scenario in variants():
        assert_one_rule(scenario)


def test_multistep_methods_are_not_for_projected_constraints() -> None:
    projected = find_preset("pendulum-drift").with_value("task.constraints", "projected")
    assert "earlier steps" in unsuitable(projected, find_method("ab4"))
    assert "rk4" in suitable_methods(projected)
    with pytest.raises(BadInput, match=r"^method must be one that can solve these equations, such as rk4"):
        projected.with_values({"method": "ab4", "step": 0.001})


@pytest.mark.parametrize("key", [*OF_SERIES, *OF_MOMENTA])
def test_held_torques_and_pulls_refuse_series_and_momenta(key: str) -> None:
    method, fixed = find_method(key), {"method": key, "step": 0.01}
    assert key in suitable_methods(SWING)
    held = SWING.with_values({"task.torque": "pd", "task.sampling": "held"})
    pulled = SWING.with_segments(Segment(0.5, pull=PULL))
    for scenario, when in (held, "while torques are held"), (pulled, "during a pull, from 0.5 s"):
        assert key not in suitable_methods(scenario)
        assert unsuitable(scenario, method).startswith(f"Cannot solve these equations {when}: it needs ")
        with pytest.raises(BadInput, match=f"^method must be one that can solve these equations {when}, such as rk4"):
            scenario.with_values(fixed)
    with pytest.raises(BadInput, match=r"during a pull, from 0.5 s"):
        SWING.with_values(fixed).with_segments(Segment(0.5, pull=PULL))


def test_a_pull_counts_while_the_method_is_in_force() -> None:
    series = SWING.with_values({"method": "taylor", "step": 0.01})
    pull = Segment(0.5, pull=PULL)
    assert "taylor" in suitable_methods(series.with_segments(Segment(0.4, {"method": "rk4"}), pull))
    series.with_segments(Segment(0.4, {"method": "rk4"}), pull, Segment(1.0, {"method": "taylor"}))
    for at in (0.4, 0.7):
        with pytest.raises(BadInput, match=r"during a pull, from 0.5 s"):
            SWING.with_segments(Segment(at, {"method": "taylor"}), pull)


@pytest.mark.parametrize(
    ("key", "able", "unable", "reason"),
    [
        ("e1", ("bdf6", "ida"), "rk4", "it needs ordinary differential ones."),
        ("pa10-circle", ("rk4", "radau5"), "velocity-verlet", "it needs positions and their rates."),
        ("pa10-circle", ("rk4", "ab4"), "taylor", "it needs them in elementary operations."),
        ("rr-swing", ("taylor", "avf"), "munthe-kaas4", "it needs Euler parameters."),
        ("ur5e-move", ("rk4", "dopri5"), "avf", "it needs them in positions and momenta."),
    ],
)
def test_a_method_that_cannot_solve_the_equations_says_what_it_needs(
    key: str, able: tuple[str, ...], unable: str, reason: str
) -> None:
    preset = find_preset(key)
    offered = suitable_methods(preset)
    assert offered.keys() >= set(able)
    assert unable not in offered
    assert unsuitable(preset, find_method(unable)) == f"Cannot solve these equations: {reason}"
    with pytest.raises(BadInput, match=r"^method must be one that can solve these equations, such as"):
        preset.with_value("method", unable)


def test_a_task_whose_equations_the_method_cannot_solve_brings_another_one() -> None:
    series = SWING.with_values({"method": "taylor", "rtol": 1e-7, "atol": 1e-8, "task.torque": "pd"})
    sampled, remark = series.edited({"task.sampling": "held"})
    assert (sampled.method, sampled.rtol, sampled.atol) == ("dopri5", 1e-7, 1e-8)
    assert remark == "Taylor series cannot solve these equations, so Runge-Kutta-Dormand-Prince 5(4) is used."


def test_a_controller_changes_the_steps_of_each_method_that_is_controllable():
    """A choice that changes nothing is not offered."""
    swing = SWING.with_values({"method": "dopri5", "step": None, "rtol": 1e-6, "atol": 1e-8, "duration": 1.0})
    for key, method in suitable_methods(swing).items():
        if method.adaptive and key != "w-method":
            runs = [simulate(swing.with_values({"method": key, "controller": name})) for name in CONTROLLERS]
            different = len({run.counts.rhs_evaluations for run in runs}) > 1
            assert not different or method.controllable, key
            # These two ask the controller only after a rejected step.
            assert different or not method.controllable or key in ("rkqc", "gbs"), key
