"""The flexible arms: equations against MuJoCo and finite differences, orders, formulations, paper 5's facts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assets.errors import ArmstepError, BadInput
from robots.dynamics.flexible.kernels import flexible_ode, inverse_dynamics
from robots.dynamics.flexible.structure import FORMULATIONS, Build, at_rest, pack
from robots.model.registry import find_robot
from robots.scenario.presets import find_preset
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from solvers.status import Status

E1_FORMS = ("HI", "DD43", "DD44", "DD49")
E12_FORMS = ("I3", "I2", "I1")


def build_of(preset: str) -> Build:
    scenario = find_preset(preset)
    return find_robot(scenario.robot).build(scenario)  # type: ignore[attr-defined]


def printed_inertia(q: np.ndarray) -> np.ndarray:
    """E12's inertia matrix as the paper prints its elements (l, xi, m, j of Table 1)."""
    l1, l2, m1, m2, m3, x1, x2, x3, j1, j2, j3 = 1, 1, 100, 100, 200, 0.5, 0.5, 0.1, 5, 5, 50
    s2, c2, s3, c3 = math.sin(q[1]), math.cos(q[1]), math.sin(q[2]), math.cos(q[2])
    a = s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1
    b = c3 * c2 * l1 + c3 * l2 - s3 * s2 * l1 + x3
    M11 = x1**2 * m1 + s2**2 * l1**2 * m2 + (c2 * l1 + x2) ** 2 * m2 + j1 + a**2 * m3 + j2 + b**2 * m3 + j3
    M12 = j3 + j2 + (c2 * l1 + x2) * m2 * x2 + a * m3 * s3 * l2 + b * m3 * (c3 * l2 + x3)
    M13 = j3 + b * m3 * x3
    M22 = x2**2 * m2 + (x3 + c3 * l2) ** 2 * m3 + j2 + s3**2 * l2**2 * m3 + j3
    M23 = j3 + (x3 + c3 * l2) * m3 * x3
    M33 = x3**2 * m3 + j3
    return np.array([[M11, M12, M13], [M12, M22, M23], [M13, M23, M33]])


def test_inertia_is_the_printed_one():
    build, random = build_of("e12"), np.random.default_rng(0)
    for _ in range(50):
        q = random.uniform(-3, 3, 3)
        np.testing.assert_allclose(build.inertia(q), printed_inertia(q), rtol=1e-12, atol=1e-10)


def mujoco_model(build: Build):
    """The chain in an independent engine: hinges about y, gravity along z."""
    mujoco = pytest.importorskip("mujoco")
    body = ""
    for k in reversed(range(build.joints)):
        place = f"{build.lengths[k - 1]} 0 0" if k else "0 0 0"
        inertia = f"{build.inertias[k]} {build.inertias[k]} {build.inertias[k]}"
        body = (
            f'<body pos="{place}"><joint type="hinge" axis="0 {build.up} 0"/><inertial pos="{build.centres[k]} 0 0" '
            f'mass="{build.masses[k]}" diaginertia="{inertia}"/>{body}</body>'
        )
    xml = f'<mujoco><option gravity="0 0 {-build.gravity}"/><worldbody>{body}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml)
    return mujoco, model, mujoco.MjData(model)


@pytest.mark.parametrize("preset", ["e12", "e1-complete"])
def test_torques_agree_with_mujoco(preset):
    scenario = find_preset(preset).with_value("robot.g", 9.81)
    build = find_robot(scenario.robot).build(scenario)  # type: ignore[attr-defined]
    mujoco, model, data = mujoco_model(build)
    random, n = np.random.default_rng(1), build.joints
    for _ in range(20):
        data.qpos[:], data.qvel[:] = random.uniform(-2, 2, n), random.uniform(-3, 3, n)
        mujoco.mj_forward(model, data)
        inertia = np.zeros((n, n))
        for k in range(n):
            mujoco.mj_mulM(model, data, inertia[k], np.eye(n)[k])
        load, _, _, ours = build.torque(data.qpos.copy(), data.qvel.copy())
        np.testing.assert_allclose(ours, inertia, rtol=1e-11, atol=1e-9)
        np.testing.assert_allclose(load, data.qfrc_bias, rtol=1e-10, atol=1e-8)


@pytest.mark.parametrize("formulation", sorted(FORMULATIONS))
def test_iteration_matrix_is_the_derivative(formulation):
    preset = "e12" if formulation in E12_FORMS else "e1-complete"
    scenario = find_preset(preset)
    robot = find_robot(scenario.robot)
    params = pack(robot.build(scenario), robot.move(scenario), FORMULATIONS[formulation])  # type: ignore[attr-defined]
    random, alpha, t, h = np.random.default_rng(3), 2.3, 0.05, 1e-6
    size = {"I1": 12, "DD43": 5}.get(formulation, 10 if preset == "e12" else 4)
    unused = np.empty((size, size))
    x, rate, F, J = random.normal(size=size), 3 * random.normal(size=size), np.empty(size), np.empty((size, size))
    inverse_dynamics.system(t, x, rate, alpha, params, F, J)
    for k in range(size):
        shift, ends = h * np.eye(size)[k], []
        for sign in (1.0, -1.0):
            out = np.empty(size)
            inverse_dynamics.system(t, x + sign * shift, rate + sign * alpha * shift, alpha, params, out, unused)
            ends.append(out)
        difference = (ends[0] - ends[1]) / (2 * h)
        np.testing.assert_allclose(J[:, k], difference, atol=1e-7 * np.abs(J).max())


def errors(preset: str, **changes: object) -> dict[str, float]:
    scenario = find_preset(preset).with_values({key.replace("__", "."): v for key, v in changes.items()})  # type: ignore[misc]
    exact = reference(scenario)
    assert exact is not None
    return dict(compare_with_reference(simulate(scenario), exact).max)


@pytest.mark.parametrize("k", range(1, 7))
def test_observed_order_of_the_states(k):
    steps = (0.5e-3, 0.25e-3) if k < 5 else (2e-3, 1e-3)
    coarse, fine = (errors("e1", method=f"bdf{k}", step=step)["reference_q_rad"] for step in steps)
    assert math.log2(coarse / fine) == pytest.approx(k, abs=0.2)


@pytest.mark.parametrize("formulation", E1_FORMS)
def test_e1_by_every_formulation(formulation):
    found = errors("e1", task__formulation=formulation, step=0.003, method="bdf3")
    assert found["reference_q_rad"] < 3e-3
    # 1.8 % of the peak of about 1.05e5 N m.
    assert 0.015 * 1.05e5 < found["reference_u_Nm"] < 0.021 * 1.05e5


def test_formulation_48_is_singular_at_rest():
    run = simulate(find_preset("e1").with_value("task.formulation", "DD48"))
    assert run.status is Status.SINGULAR_ITERATION_MATRIX
    assert run.t_end == 0.0


@pytest.mark.parametrize(("formulation", "share"), [("I3", 2.51), ("I2", 0.58), ("I1", 0.07)])
def test_e12_torques_differ_where_states_do_not(formulation, share):
    found = errors("e12", task__formulation=formulation, step=0.005)
    assert 1e-4 < found["reference_q_rad"] < 2e-4
    peak = 136_200.0 if formulation != "I3" else 84_500.0
    assert 0.4 * share < found["reference_u_Nm"] / peak < 3.0 * share


def test_peak_torques():
    u = simulate(find_preset("e12")).columns()
    assert np.abs(u["u1"]).max() == pytest.approx(1.4e5, rel=0.05)
    assert np.abs(u["u2"]).max() == pytest.approx(8.5e4, rel=0.02)
    lagrange, printed = (
        np.abs(simulate(find_preset("e1").with_value("robot.print", name)).columns()["u1"]).max()
        for name in ("lagrange", "printed")
    )
    assert lagrange == pytest.approx(1.05e5, rel=0.01)
    assert printed == pytest.approx(2.28e5, rel=0.01)


@pytest.mark.parametrize(
    ("changes", "least", "most"),
    [
        ({}, 2e-5, 8e-5),
        ({"step": 0.005}, 5e-4, 2e-3),
        ({"step": 0.01, "method": "bdf1"}, 0.15, 0.4),
    ],
)
def test_forward_simulation_of_e12(changes, least, most):
    scenario = find_preset("e12").with_values({"task.forward": "linear", "duration": 0.6, **changes})
    companion = simulate(scenario).companion
    assert companion is not None
    assert least < companion.facts["tool_in_move_m"] < most


def test_a_zero_order_hold_delays_by_half_a_step():
    scenario = find_preset("e1").with_values({"task.forward": "zero-order", "duration": 0.8})
    companion = simulate(scenario).companion
    assert companion is not None
    assert companion.errors["tool_m"].max() == pytest.approx(1.35e-3, rel=0.02)


def test_coarse_torque_shakes_the_tool():
    changes = {"task.forward": "linear", "duration": 0.8}
    fine = simulate(find_preset("e1").with_values(changes)).companion
    coarse = simulate(find_preset("e1").with_values({**changes, "method": "bdf1", "step": 0.01})).companion
    assert fine is not None
    assert coarse is not None
    assert fine.facts["vibration_z_m"] < 1e-5 < 0.01 < coarse.facts["vibration_z_m"]
    assert fine.facts["vibration_x_m"] == pytest.approx(5.7e-3, rel=0.03)


def test_driven_arm_without_torque_keeps_its_energy():
    scenario = find_preset("e12").with_values({f"robot.d{k}": 0.0 for k in (1, 2, 3)})
    robot = find_robot("e12")
    build = robot.build(scenario)  # type: ignore[attr-defined]
    from robots.dynamics.flexible.forward import driven_problem
    from robots.dynamics.kernels.planar_chain import GRAVITY, TABLES
    from solvers.control import Tolerance
    from solvers.integrate import integrate
    from solvers.method_registry import find_method

    still = np.zeros((2, 12))
    still[:, :5] = 0.2, 0.4, 0.1, 0.0, 0.3
    problem = driven_problem(build, scenario, np.array([0.0, 0.5]), still)
    y = integrate(problem, find_method("rkdp87"), Tolerance(1e-12, 1e-12)).y
    table, lever = np.split(build.chain()[TABLES : TABLES + 12], [9])
    weight, total = build.chain()[GRAVITY] * lever, []
    for state in y:
        q, qm, v, vm = state[:3], state[3:5], state[5:8], state[8:10]
        phi, omega = np.cumsum(q), np.cumsum(v)
        moving = 0.5 * omega @ (table.reshape(3, 3) * np.cos(phi[:, None] - phi)) @ omega - weight @ np.sin(phi)
        springs = 0.5 * 1e5 * ((q[0] - qm[0]) ** 2 + (q[1] - qm[1]) ** 2 + q[2] ** 2)
        total.append(moving + springs + 50.0 * (vm**2).sum())
    assert np.ptp(total) < 1e-7 * abs(total[0])


def test_steady_posture_holds_its_load():
    build = build_of("e12")
    q, motors = at_rest(build, np.array([2.146, -0.345]), np.array([0.0, 0.3, 0.0]))
    load = build.torque(q, np.zeros(3))[0]
    np.testing.assert_allclose(load[2] + 1e5 * q[2], 0.0, atol=1e-8)
    np.testing.assert_allclose(load[:2] + 1e5 * (q[:2] - motors), 0.0, atol=1e-8)
    np.testing.assert_allclose(build.tool(q)[0][0], [2.146, -0.345], atol=1e-14)


def test_unstable_zero_dynamics_end_with_a_status():
    run = simulate(find_preset("e12-unstable"))
    assert run.status is not Status.FINISHED
    assert np.isfinite(run.y).all()


@pytest.mark.parametrize(
    ("preset", "changes", "field"),
    [
        ("e12", {"robot.j1": -1.0}, "robot.j1"),
        ("e12", {"robot.k1": 0.0}, "robot.k1"),
        ("e1", {"robot.k": 0.0}, "robot.k"),
        ("e1", {"task.formulation": "I1"}, "task.formulation"),
        ("e1", {"task.move_time": 0.0}, "task.move_time"),
    ],
)
def test_bad_numbers_are_refused_by_name(preset, changes, field):
    with pytest.raises(BadInput) as caught:
        find_preset(preset).with_values(changes)
    assert caught.value.what == field


def test_out_of_reach_is_said():
    with pytest.raises(ArmstepError, match="out of reach"):
        simulate(find_preset("e12").with_value("task.start_x", 5.0))


def test_a_spring_that_cannot_carry_the_tool_is_said():
    with pytest.raises(ArmstepError, match=r"spring of 0\.1 N m/rad is too soft"):
        simulate(find_preset("e12").with_value("robot.k3", 0.1))


def test_motor_rates_of_the_exact_solution_are_its_slopes():
    scenario = find_preset("e12")
    robot = find_robot("e12")
    problem = robot.reference_problem(scenario)
    slope = np.empty(8)
    flexible_ode.exact(0.1, problem.initial.copy(), problem.params, slope)
    x, rates = np.empty((1, 10)), np.empty((1, 10))
    flexible_ode.unknowns(np.array([0.1]), problem.initial[None].copy(), problem.params, x, rates)
    np.testing.assert_allclose(x[0, 8:], slope[6:], rtol=1e-12)
    np.testing.assert_allclose(rates[0, 5:8], slope[3:6], rtol=1e-12)


@pytest.mark.parametrize("preset", ["e1", "e12", "two-springs"])
@pytest.mark.parametrize("magnified", ["1", "100"])
def test_reference_is_drawn_where_the_arm_is(preset, magnified):
    scenario = find_preset(preset).with_value("view.deflection", magnified)
    run, exact, t = simulate(scenario), reference(scenario), np.array([0.05, 0.15, 0.25])
    assert exact is not None
    ours, theirs = (run.robot.poses(scenario, t, states) for states in (run.sample(t), exact.sample(t)))
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def printed_gamma(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """E12's torques besides M qdd as the paper prints them, without springs and dampers."""
    l1, l2, m1, m2, m3, x1, x2, x3, g = 1, 1, 100, 100, 200, 0.5, 0.5, 0.1, 9.81
    (s1, s2, s3), (c1, c2, c3), (v1, v2, v3) = np.sin(q), np.cos(q), v
    a = s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1
    b = -x3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2
    e = (2 * v1 * v2 + 2 * v3 * v1 + v1**2 + v3**2 + 2 * v3 * v2 + v2**2) * x3 - s3 * s2 * v1**2 * l1
    e += 2 * c3 * v1 * v2 * l2 + c3 * v2**2 * l2 + c3 * v1**2 * l2 + c3 * c2 * v1**2 * l1
    f = (c3 * s2 + s3 * c2) * v1**2 * l1 + 2 * s3 * v1 * v2 * l2 + s3 * v2**2 * l2 + s3 * v1**2 * l2
    p, r = -s1 * c2 - c1 * s2, c1 * c2 - s1 * s2
    P, R = p * c3 - r * s3, p * s3 + r * c3
    first = s2 * l1 * m2 * (v2**2 * x2 + c2 * v1**2 * l1 + 2 * v1 * v2 * x2 + v1**2 * x2)
    first += (-c2 * l1 - x2) * m2 * s2 * v1**2 * l1 + a * m3 * e + b * m3 * f + x1 * c1 * m1 * g
    first += -s2 * l1 * p * m2 * g - (-c2 * l1 - x2) * r * m2 * g - a * P * m3 * g - b * R * m3 * g
    second = -x2 * m2 * s2 * v1**2 * l1 + s3 * l2 * m3 * e + (-x3 - c3 * l2) * m3 * f + x2 * r * m2 * g
    second += -s3 * l2 * P * m3 * g - (-x3 - c3 * l2) * R * m3 * g
    return -np.array([first, second, -x3 * m3 * f + x3 * R * m3 * g])


def test_gamma_is_the_printed_one():
    build, random = build_of("e12"), np.random.default_rng(4)
    for _ in range(50):
        q, v = random.uniform(-3, 3, 3), random.uniform(-3, 3, 3)
        np.testing.assert_allclose(build.torque(q, v)[0], printed_gamma(q, v), rtol=1e-11, atol=1e-9)


def test_complete_e1_is_the_printed_one():
    """The printed M and Omega (Omega_1 with xi2), with the masses and lengths of the default set."""
    build, random = build_of("e1-complete"), np.random.default_rng(5)
    m, x, j, l1 = 100.0, 0.5, (5.0, 10.0), 1.0
    for _ in range(20):
        q, v = random.uniform(-3, 3, 2), random.uniform(-3, 3, 2)
        coupling, pull = m * l1 * x * math.cos(q[1]), m * l1 * x * math.sin(q[1])
        M22 = j[1] + m * x * x
        M11 = j[0] + M22 + m * x * x + m * l1 * l1 + 2 * coupling
        np.testing.assert_allclose(build.inertia(q), [[M11, M22 + coupling], [M22 + coupling, M22]], rtol=1e-12)
        omega = [-pull * (2 * v[0] * v[1] + v[1] ** 2), pull * v[0] ** 2]
        np.testing.assert_allclose(build.torque(q, v)[0], omega, rtol=1e-10, atol=1e-9)


def test_driven_e12_moves_as_in_mujoco():
    """Springs, dampers and motors in an independent engine, driven by the computed torque."""
    mujoco = pytest.importorskip("mujoco")
    run = simulate(find_preset("e12").with_values({"task.forward": "linear", "duration": 0.2}))
    build, companion = build_of("e12"), run.companion
    assert companion is not None
    body = ""
    for k in (2, 1, 0):
        spring = 'stiffness="100000" damping="50"' if k == 2 else ""
        place, inertia = (f"{build.lengths[k - 1]} 0 0" if k else "0 0 0"), build.inertias[k]
        hinge = f'<joint name="q{k}" type="hinge" axis="0 1 0" {spring}/>'
        mass = f'mass="{build.masses[k]}" diaginertia="{inertia} {inertia} {inertia}"'
        body = f'<body pos="{place}">{hinge}<inertial pos="{build.centres[k]} 0 0" {mass}/>{body}</body>'
    rotor = '<inertial pos="0 0 0" mass="1" diaginertia="100 100 100"/>'
    motor = '<body pos="0 5 0"><joint name="m{0}" type="hinge" axis="0 1 0"/>' + rotor + "</body>"
    twist = '<joint joint="q{0}" coef="1"/><joint joint="m{0}" coef="-1"/>'
    gear = '<fixed stiffness="100000" damping="50" springlength="0">' + twist + "</fixed>"
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option gravity="0 0 -9.81" timestep="5e-5" integrator="RK4"/>'
        f"<worldbody>{body}{motor.format(0)}{motor.format(1)}</worldbody>"
        f"<tendon>{gear.format(0)}{gear.format(1)}</tendon></mujoco>"
    )
    data, u = mujoco.MjData(model), run.columns()
    data.qpos[:] = run.y[0, :5]
    for step in range(4000):
        t = (step + 0.5) * 5e-5
        data.qfrc_applied[3:5] = np.interp(t, run.t, u["u1"]), np.interp(t, run.t, u["u2"])
        mujoco.mj_step(model, data)
    np.testing.assert_allclose(companion.y[-1, :5], data.qpos, atol=1e-5)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        *(("e1-complete", {"task.formulation": name}) for name in (*E1_FORMS, "DC")),
        *(("e12", {"task.formulation": name, "task.dynamics": "linearised"}) for name in E12_FORMS),
    ],
)
def test_every_formulation_solves_the_other_models(preset, changes):
    assert (
        errors(preset, step=0.001, **{key.replace(".", "__"): v for key, v in changes.items()})["reference_q_rad"]
        < 1e-3
    )


def test_formulation_48_is_singular_on_the_complete_model_too():
    run = simulate(find_preset("e1-complete").with_value("task.formulation", "DD48"))
    assert run.status is Status.SINGULAR_ITERATION_MATRIX


def test_drift_after_a_coarse_torque():
    scenario = find_preset("e12").with_values({"task.forward": "linear", "duration": 0.6, "step": 0.005})
    companion = simulate(scenario).companion
    assert companion is not None
    assert companion.errors["tool_m"][-1] == pytest.approx(2.4e-3, rel=0.05)
    assert 0.5e-3 < companion.facts["drift_m"] < 3e-3


def test_an_inertia_that_no_arm_has_is_refused():
    with pytest.raises(BadInput) as caught:
        find_preset("e1").with_value("robot.J12", 800.0)
    assert caught.value.what == "robot.J12"
