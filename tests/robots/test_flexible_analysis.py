"""Poles, zeros, index numbers and derivative arrays of the flexible arms: paper 5's claims and independent ways."""

from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.linalg

from assets.errors import ArmstepError, BadInput
from robots.dynamics.flexible.analysis import (
    Linear,
    along,
    effective_inertia,
    eigenfrequencies,
    linearise,
    poles,
    zeros,
)
from robots.dynamics.flexible.index import index_numbers
from robots.dynamics.flexible.kernels import derivative_array, inverse_dynamics
from robots.dynamics.flexible.run_analysis import analyse
from robots.dynamics.flexible.structure import FORMULATIONS, Build, Move, at_rest, pack
from robots.model.registry import find_robot
from robots.scenario.presets import find_preset
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from solvers.status import Status

UNDAMPED = {f"robot.d{k}": 0.0 for k in (1, 2, 3)}


def arm(preset: str, **changes: object) -> tuple[Build, Move, np.ndarray]:
    """The arm, its move, and its joints at rest."""
    scenario = find_preset(preset).with_values({key.replace("__", "."): v for key, v in changes.items()})  # type: ignore[misc]
    robot = find_robot(scenario.robot)
    build, move = robot.build(scenario), robot.move(scenario)  # type: ignore[attr-defined]
    return build, move, at_rest(build, move.start, robot.guess(scenario))[0]  # type: ignore[attr-defined]


def system_matrix(linear: Linear) -> tuple[np.ndarray, np.ndarray]:
    """The pencil A - s E whose finite generalised eigenvalues are the zeros, in first-order form."""
    size, motors = linear.inputs.shape
    zero, one = np.zeros((size, size)), np.eye(size)
    A = np.block(
        [
            [zero, one, np.zeros((size, motors))],
            [-linear.stiffness, -linear.damping, linear.inputs],
            [linear.outputs, np.zeros((len(linear.outputs), size + motors))],
        ]
    )
    E = np.zeros_like(A)
    E[:size, :size], E[size : 2 * size, size : 2 * size] = one, linear.mass
    return A, E


# -- zeros and frequencies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["e1", "e1-complete", "e12", "e12-unstable"])
def test_zeros_are_those_of_the_system_matrix(preset):
    build, _, q = arm(preset)
    linear = linearise(build, q)
    pencil = np.asarray(scipy.linalg.eigvals(*system_matrix(linear)))
    finite = pencil[np.isfinite(pencil) & (np.abs(pencil) < 1e6)]
    ours = zeros(linear, build)
    assert len(ours) == len(finite)
    for zero in ours:
        assert np.abs(finite - zero).min() < 1e-6 * np.abs(zero)


def test_zeros_of_e1_ring_at_10_hz():
    build, _, q = arm("e1")
    found = zeros(linearise(build, q), build)
    np.testing.assert_allclose(sorted(found.imag), [-63.2139, 63.2139], atol=1e-3)
    np.testing.assert_allclose(found.real, -2.0, atol=1e-9)


def test_zeros_of_e12_along_its_line():
    run = simulate(find_preset("e12"))
    found = along(arm("e12")[0], run.t, run.y)
    assert found.minimum_phase
    ringing = found.zeros[np.abs(found.zeros.imag) > 1.0]
    np.testing.assert_allclose(np.abs(ringing) / (2 * np.pi), 8.0, atol=0.9)
    first = found.zeros[0][np.abs(found.zeros[0].imag) > 1.0]
    assert (-first.real / np.abs(first))[0] == pytest.approx(0.0125, abs=1e-4)


def test_no_eigenfrequency_of_table_1_is_the_papers_2_5_hz_unless_one_motor_is_held():
    build, _, q = arm("e12")
    lowest = {found.held: found.values[0] for found in eigenfrequencies(build, q)}
    assert lowest[()] == pytest.approx(5.2, abs=0.05)
    assert 1.3 < lowest[(0, 1)] < 1.6
    assert lowest[(0,)] == pytest.approx(2.4, abs=0.05)


def test_poles_are_the_slopes_of_the_driven_arm():
    build, _, q = arm("e12")
    found = np.sort(np.abs(poles(linearise(build, q)).imag))
    free = 2 * np.pi * np.array(eigenfrequencies(build, q)[0].values)
    np.testing.assert_allclose(found[-6::2], free, rtol=2e-3)


def test_e1_is_stable_exactly_when_link_2_resists_more_than_it_is_shaken():
    for xi2, l2 in ((0.3, 0.6), (0.5, 0.55), (0.5, 0.8), (0.2, 1.0)):
        limit = 100.0 * xi2 * (l2 - xi2)
        for inertia in (0.9 * limit, 1.1 * limit):
            changes = {"robot.xi2": xi2, "robot.l2": l2, "robot.j2": inertia}
            build, _, q = arm("e1-complete", **changes)
            assert q[1] == pytest.approx(0.0, abs=1e-12)
            assert (effective_inertia(build, q) > 0.0) == (inertia > limit)
            assert (zeros(linearise(build, q), build).real.max() < 0.0) == (inertia > limit)


def test_a_uniform_rod_is_never_minimum_phase():
    m2, l2 = 100.0, 0.7
    build, _, q = arm("e1-complete", robot__l2=l2, robot__xi2=l2 / 2, robot__j2=m2 * l2**2 / 12)
    assert effective_inertia(build, q) < 0.0


def test_sign_of_the_tool_bodys_inertia_decides_in_e12():
    for inertia in (1.9, 2.1):
        build, _, q = arm("e12", robot__j3=inertia)
        assert (effective_inertia(build, q) > 0.0) == (inertia > 200.0 * 0.1 * (0.2 - 0.1))


@pytest.mark.parametrize("changes", [{}, {"method": "bdf1", "step": 0.01, "robot.j3": 1.0}])
def test_a_run_says_that_its_zero_dynamics_is_unstable(changes):
    preset = "e12" if changes else "e12-unstable"
    assert "zero dynamics is unstable" in simulate(find_preset(preset).with_values(changes)).message
    assert "zero dynamics" not in simulate(find_preset("e12")).message
    assert "zero dynamics" not in simulate(find_preset("e12").with_values(UNDAMPED)).message


# -- the index ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "changes", "numbers"),
    [
        ("e1", {}, (1, 2, 2, 2)),
        ("e1", {"robot.d": 0.0}, (1, 2, 2, 2)),
        ("e1-complete", {}, (1, 2, 2, 2)),
        ("e12", {}, (2, 6, 4, 3)),
        ("e12", {"task.dynamics": "linearised"}, (2, 6, 4, 3)),
        ("e12", UNDAMPED, (3, 8, 2, 4)),
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.4, 0.8])
def test_index_numbers(preset, changes, numbers, share):
    build, move, q = arm(preset, **changes)
    found = index_numbers(build, move, q, share * move.time)
    assert (found.strangeness, found.algebraic, found.differential, found.differential_index) == numbers
    assert found.kept > 1e-4
    assert found.dropped < 1e-13


@pytest.mark.parametrize(("preset", "path"), [("e1", ""), ("e1-complete", ""), ("e12", "line"), ("e12", "circle")])
def test_series_are_those_of_the_equations(preset, path):
    build, move, _ = arm(preset, **({"task.path": path} if path else {}))
    params = pack(build, move, FORMULATIONS["HI"])
    code = derivative_array.recorded(params)
    d, order, scale, t, nodes = 2 * build.coordinates, 3, 0.03, 0.04, 16
    x = 0.3 * np.random.default_rng(0).normal(size=(d, order + 2))
    points = 0.3 * np.cos((np.arange(nodes) + 0.5) * np.pi / nodes)
    values, out, unused = [], np.empty(d), np.empty((d, d))
    for s in points:
        state = x @ s ** np.arange(order + 2)
        rate = (x[:, 1:] * np.arange(1, order + 2)) @ s ** np.arange(order + 1) / scale
        inverse_dynamics.system(t + scale * s, state, rate, 0.0, params, out, unused)
        values.append(out.copy())
    fitted = np.linalg.solve(np.vander(points, nodes, increasing=True), np.array(values))[: order + 1]
    rows = (order + 1) * d
    F, by_x, by_rest = np.empty(rows), np.empty((rows, d)), np.empty((rows, rows))
    derivative_array.derivative_array(t, scale, x, params, code, F, by_x, by_rest)
    np.testing.assert_allclose(F.reshape(order + 1, d), fitted, atol=1e-11 * np.abs(F).max())
    random = np.random.default_rng(1).normal(size=(d, order + 2))
    ends, h = [], 1e-6
    for sign in (1.0, -1.0):
        other = np.empty(rows)
        derivative_array.derivative_array(
            t, scale, x + sign * h * random, params, code, other, by_x.copy(), by_rest.copy()
        )
        ends.append(other)
    slope = by_x @ random[:, 0] + by_rest @ random[:, 1:].T.ravel()
    np.testing.assert_allclose(slope, (ends[0] - ends[1]) / (2 * h), atol=1e-7 * np.abs(slope).max())


# -- the formulations that rest on it ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "other", "same"),
    [("e1", "DD44", "KM"), ("e1", "DD44", "DC"), ("e1-complete", "DD44", "KM"), ("e12", "I1", "KM")],
)
def test_solutions_of_kunkel_and_mehrmann_and_of_the_decoupled_system(preset, other, same):
    found = []
    for formulation in (other, same):
        scenario = find_preset(preset).with_value("task.formulation", formulation)
        run, exact = simulate(scenario), reference(scenario)
        assert run.status is Status.FINISHED
        assert exact is not None
        found.append(compare_with_reference(run, exact).max)
    assert found[1]["reference_q_rad"] < 4.0 * found[0]["reference_q_rad"] + 1e-7
    assert found[1]["reference_u_Nm"] < 6.0 * found[0]["reference_u_Nm"]


def test_undamped_e12_needs_one_differentiation_more_and_is_solved_so():
    scenario = find_preset("e12").with_values({**UNDAMPED, "task.formulation": "KM"})
    run = simulate(scenario)
    assert run.status is Status.FINISHED
    damped = simulate(find_preset("e12")).columns()["q3"]
    assert np.abs(run.columns()["q3"] - damped).max() < 0.2 * np.abs(damped).max()


def test_scaling_exponents_change_the_condition_number_and_not_the_solution():
    runs = [
        simulate(find_preset("e12").with_values({"task.formulation": "I3", "task.scale_position": p})) for p in (0, 2)
    ]
    plain, scaled = (float(np.nanmedian(run.log.condition)) for run in runs)
    assert plain > 1e3 * scaled
    np.testing.assert_allclose(runs[0].y[:, :5], runs[1].y[:, :5], atol=1e-6)


def test_a_path_out_of_reach_is_said():
    run = simulate(find_preset("e1").with_value("task.rise", 0.9))
    assert run.status is not Status.FINISHED
    (said,) = re.findall(r"From t = (\S+) s on, the path is out of the arm's reach", run.message)
    build, when = run.robot.build(run.scenario), float(said) + np.array([-1e-3, 1e-3])
    near, far = np.linalg.norm(run.robot.wanted(run.scenario, when)[:, build.axes], axis=1)
    assert near < build.lengths.sum() < far, "to the digits that are said"


def test_an_arc_starts_and_ends_where_the_line_does():
    scenario = find_preset("e12").with_values({"task.path": "circle"})
    ends = find_robot("e12").wanted(scenario, np.array([0.0, 0.15, 1.0]))  # type: ignore[attr-defined]
    np.testing.assert_allclose(ends[[0, 2]], [[2.146, -0.345], [1.146, 1.645]], atol=1e-12)
    middle = 0.5 * (ends[0] + ends[2])
    chord = np.linalg.norm(ends[2] - ends[0])
    assert np.linalg.norm(ends[1] - middle) == pytest.approx(0.5 * chord * np.tan(0.25), rel=1e-9)
    assert simulate(scenario).status is Status.FINISHED


# -- step control: SUNDIALS --------------------------------------------------------------------------------------------


def by_ida(preset: str, formulation: str, **options: float):
    changes = {"method": "ida", "rtol": 1e-6, "atol": 1e-8, "task.formulation": formulation}
    return find_preset(preset).with_values({**changes, **{f"options.{key}": v for key, v in options.items()}})


@pytest.mark.parametrize("formulation", ["DD43", "DD44", "DD49", "DC"])
def test_ida_solves_what_has_index_1(formulation):
    scenario = by_ida("e1", formulation)
    run, exact = simulate(scenario), reference(scenario)
    assert run.status is Status.FINISHED
    assert exact is not None
    found = compare_with_reference(run, exact).max
    assert found["reference_q_rad"] < 2e-6
    # The torque from IDA's own derivative: below a thousandth of its peak.
    assert found["reference_u_Nm"] < 100.0


@pytest.mark.parametrize("formulation", ["HI", "DD48"])
def test_ida_fails_where_the_fixed_step_does_not_or_also(formulation):
    assert simulate(by_ida("e1", formulation)).status is not Status.FINISHED
    fixed = simulate(find_preset("e1").with_value("task.formulation", formulation)).status
    assert (fixed is Status.FINISHED) == (formulation == "HI")


def test_ida_crawls_on_e12_unless_algebraic_unknowns_may_err():
    ordinary = simulate(by_ida("e12", "I1"))
    loose = by_ida("e12", "I1", algebraic_atol=1e4)
    run, exact = simulate(loose), reference(loose)
    assert run.status is Status.FINISHED
    assert ordinary.counts.steps > 10 * run.counts.steps
    assert exact is not None
    assert compare_with_reference(run, exact).max["reference_q_rad"] < 1e-5


def test_the_derivative_array_wants_a_fixed_step():
    with pytest.raises(BadInput, match="fixed step"):
        find_preset("e1").with_value("task.formulation", "KM").with_values({"method": "ida"})


# -- a third arm -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["I1", "I2", "I3", "KM"])
def test_another_arm_of_the_class_is_one_file(formulation):
    scenario = find_preset("two-springs").with_value("task.formulation", formulation)
    run, exact = simulate(scenario), reference(scenario)
    assert find_robot("two-springs").key == run.robot.key
    assert run.status is Status.FINISHED
    assert run.message == "Finished at t = 0.7 s."
    assert exact is not None
    assert compare_with_reference(run, exact).max["reference_q_rad"] < 1e-8


def test_its_torques_move_it_along_its_path():
    found = simulate(find_preset("two-springs").with_value("task.forward", "linear")).companion
    assert found is not None
    assert found.facts["tool_in_move_m"] < 2e-5
    build, move, q = arm("two-springs")
    assert index_numbers(build, move, q, 0.2).differential == 6
    assert len(zeros(linearise(build, q), build)) == 6


@pytest.mark.parametrize("changes", [{"robot.k": 1e3}, {"robot.k": 5e3}, {"task.move_time": 0.03}])
def test_a_spring_that_is_too_soft_or_a_move_that_is_too_fast_is_said(changes):
    run = simulate(find_preset("e1-complete").with_values(changes))
    assert run.status is not Status.FINISHED
    assert "bent almost to where its zero dynamics is singular" in run.message


@pytest.mark.parametrize("key", ["e1", "e1-complete", "e12", "two-springs"])
def test_handles_lie_on_the_path_and_stay_where_they_are_dragged(key):
    scenario, robot = find_preset(key), find_robot(key)
    places = robot.handles(scenario)
    assert places is not None
    run = simulate(scenario)
    np.testing.assert_allclose(run.tip()[0], places[0], atol=1e-12)
    np.testing.assert_allclose(run.tip()[-1][2], places[1][2], atol=1e-12)
    for handle in (1, 0):
        moved = scenario.with_values(robot.drag(scenario, handle, places[handle] + [0.0, 0.3, -0.05]))
        found = robot.handles(moved)
        assert found is not None
        np.testing.assert_allclose(found[handle][2], places[handle][2] - 0.05, atol=6e-4)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"task.forward_method": "nosuch"}, "task.forward_method"),
        ({"task.forward_method": "cvode-bdf", "task.forward_step": 1e-3}, "task.forward_step"),
    ],
)
def test_what_cannot_drive_the_arm_is_refused_by_name(changes, field):
    with pytest.raises(BadInput) as caught:
        find_preset("e12").with_values(changes)
    assert caught.value.what == field


@pytest.mark.parametrize("method", ["rk4", "dop853", "bdf6", "radau5", "symplectic-euler"])
def test_any_method_may_drive_the_arm(method):
    from solvers.method_registry import methods

    if method not in methods():
        pytest.skip(f"no {method}")
    changes = {"task.forward": "linear", "task.forward_method": method, "duration": 0.1}
    found = simulate(find_preset("e1").with_values(changes)).companion
    assert found is not None
    assert found.status is Status.FINISHED
    assert found.facts["tool_in_move_m"] < 1e-4


EXTREMES = [
    ("e1", {"robot.k": 1e-300}, "finished", "0.04"),
    ("e1", {"robot.J22": 1e9, "robot.k": 1e-300}, "finished", "0.04"),
    ("e1", {"task.move_time": 1e-300}, "finished", "4e-301"),
    ("e12", {"task.move_time": 1e-300}, "diverged", "4e-301"),
    ("two-springs", {"robot.xi4": 1e9, "robot.j3": 0.0}, "singular-iteration-matrix", "0.16"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("key", "changes", "status", "at"), EXTREMES)
def test_extreme_numbers_have_a_card_that_says_what_is_missing(key, changes, status, at):
    """Neither a traceback nor a warning that only a terminal shows."""
    run = simulate(find_preset(key).with_values({"duration": 0.02, **changes}))
    found = analyse(run)
    assert run.status.value == status
    assert found is not None
    assert found.trouble == f"No consistent state of the inverse dynamics was found at t = {at} s."


@pytest.mark.filterwarnings("error")
def test_an_extreme_length_is_refused():
    with pytest.raises(ArmstepError, match="No posture puts the tool at"):
        simulate(find_preset("e12").with_values({"robot.m1": 1e9, "robot.l1": 1e9, "robot.xi3": 1e9}))
