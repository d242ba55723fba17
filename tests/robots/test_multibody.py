"""Constrained systems: primitives, joints, accelerations, exact Jacobians, partitions, and what is refused by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.errors import ArmstepError, BadInput
from robots.dynamics.multibody import layout
from robots.dynamics.multibody.frames import body_frames
from robots.dynamics.multibody.partition import consistent, constraints, dependent_coordinates, gauss_jordan
from robots.dynamics.multibody.reduction import (
    MultibodyProblem,
    condition,
    constraint_errors,
    full_state,
    integrate_multibody,
    reduce,
)
from robots.dynamics.multibody.system import (
    GROUND,
    Body,
    System,
    distance,
    dot_1,
    dot_2,
    point,
    product,
    revolute,
    spring_damper,
    torsion_spring,
    tyre,
)
from solvers.control import FixedStep, Tolerance
from solvers.method_registry import find_method
from solvers.status import Status
from tests.robots import multibody_oracle as oracle

X, Y, Z = np.eye(3)
O = np.zeros(3)
ROD = Body("rod", 2.0, (0.3, 0.5, 0.7))
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def rotated(e: np.ndarray, a: np.ndarray) -> np.ndarray:
    """A(e) a, written down once more; complex numbers welcome."""
    return (e[0] ** 2 - e[1:] @ e[1:]) * a + 2 * e[1:] * (e[1:] @ a) + 2 * e[0] * np.cross(e[1:], a)


def primitive(row: np.ndarray, q: np.ndarray) -> complex:
    def vector(o: int) -> np.ndarray:
        moved = rotated(q[3:7], row[o + 4 : o + 7]) + rotated(q[10:14], row[o + 7 : o + 10])
        return row[o : o + 3] + row[o + 3] * (q[7:10] - q[0:3]) + moved

    return vector(2) @ vector(12) - row[22]


PRIMITIVES = {
    "dot-1": dot_1("", 0, 1, [0.3, 1.0, -0.2], [1.0, 0.1, 0.4])[0],
    "dot-2": dot_2("", 0, 1, [0.3, 1.0, -0.2], [0.5, 0.0, 0.2], [-0.4, 0.2, 0.1])[0],
    "point": point("", 0, 1, [0.5, 0.0, 0.2], [-0.4, 0.2, 0.1])[1],
    "distance": distance("", 0, 1, [0.5, 0.0, 0.2], [-0.4, 0.2, 0.1], 1.7)[0],
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_derivatives_of_the_primitives(name: str) -> None:
    """First, second and third derivatives against complex steps."""
    from robots.dynamics.multibody.kernels import primitives as kernels

    row, random, h = PRIMITIVES[name].numbers, np.random.default_rng(5), 1e-30
    q, rate = random.normal(size=14), random.normal(size=14)

    def derivatives(q: np.ndarray) -> tuple[float, float, np.ndarray]:
        work = np.zeros(layout.WORK_SIZE)
        value = kernels.value(row, q, work)
        kernels.gather(rate, int(row[layout.BODY_I]), int(row[layout.BODY_J]), work, kernels.RATES, 0.0)
        kernels.slope(row, work, kernels.SLOPE)
        kernels.hessian(row, work, kernels.HESSIAN)
        kernels.curvature_slope(row, work, kernels.BEND)
        return value, kernels.curvature(row, work), work

    value, bend, work = derivatives(q)
    slope = work[kernels.SLOPE : kernels.SLOPE + 14]
    hessian = work[kernels.HESSIAN : kernels.HESSIAN + 196].reshape(14, 14)
    assert value == pytest.approx(primitive(row, q).real, abs=1e-14)
    exact = [primitive(row, q + 1j * h * unit).imag / h for unit in np.eye(14)]
    assert slope == pytest.approx(np.array(exact), abs=1e-13)
    # A second complex step needs the slope of complex coordinates: the primitive is a polynomial of degree 4.
    step = 0.5
    for k, unit in enumerate(step * np.eye(14)):
        slopes = [derivatives(q + s * unit)[2][kernels.SLOPE : kernels.SLOPE + 14] for s in (1, -1, 2, -2)]
        column = (8 * (slopes[0] - slopes[1]) - (slopes[2] - slopes[3])) / (12 * step)
        assert hessian[k] == pytest.approx(column, abs=1e-12)
        bends = [derivatives(q + s * unit)[1] for s in (1, -1, 2, -2)]
        third = (8 * (bends[0] - bends[1]) - (bends[2] - bends[3])) / (12 * step)
        assert work[kernels.BEND + k] == pytest.approx(third, abs=1e-11)
    assert bend == pytest.approx(rate @ hessian @ rate, abs=1e-12)


def turn(axis: np.ndarray, about: np.ndarray) -> np.ndarray:
    """The rates of an unrotated body at X that turns about an axis through a point."""
    return np.concatenate([np.cross(axis, X - about), [0.0], 0.5 * axis])


def shift(way: np.ndarray) -> np.ndarray:
    """The rates of a body that moves without turning."""
    return np.concatenate([way, np.zeros(4)])


JOINTS = {
    "spherical": (point("j", GROUND, 0, O, -X), [turn(X, O), turn(Y, O), turn(Z, O)]),
    "universal": ([*point("j", GROUND, 0, O, -X), *dot_1("j", GROUND, 0, Y, Z)], [turn(Y, O), turn(Z, O)]),
    "revolute": (revolute("j", GROUND, 0, O, -X, Y, Y), [turn(Y, O)]),
    "distance": (distance("j", GROUND, 0, O, O, 1.0), [turn(X, X), turn(Y, X), turn(Z, X), shift(Y), shift(Z)]),
}


@pytest.mark.parametrize("name", JOINTS)
def test_freedom_of_the_joints(name: str) -> None:
    """Each leaves exactly the motions that it is known for."""
    rows, free = JOINTS[name]
    freedom = len(free)
    system = System((ROD,), tuple(rows))
    assert system.freedom == freedom
    phi, jacobian = constraints(system, np.concatenate([X, UPRIGHT]))
    assert np.abs(phi).max() < 1e-15
    assert np.linalg.matrix_rank(jacobian) == 7 - freedom
    assert all(np.abs(jacobian @ rates).max() < 1e-15 for rates in free)
    assert gauss_jordan(jacobian)[1] == []


def chain(damping: float = 0.0, tyres: tuple = ()) -> MultibodyProblem:
    """Three bodies in space: a universal, a spherical and a revolute joint, a spring, a torsion spring, a tie rod."""
    bodies = ROD, Body("arm", 1.5, (0.2, 0.4, 0.3)), Body("hand", 0.7, (0.05, 0.1, 0.08))
    rows = [
        *point("root", GROUND, 0, O, -0.5 * X),
        *dot_1("root (cross)", GROUND, 0, Y, Z),
        *point("elbow", 0, 1, 0.5 * X, -0.4 * X),
        *revolute("wrist", 1, 2, 0.4 * X, -0.3 * X, [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]),
    ]
    springs = spring_damper(GROUND, 1, [0.5, 0.3, 1.0], [0.1, 0.0, 0.1], 30.0, damping, 0.6)
    torsion = torsion_spring(1, 2, np.array([0.0, 1.0, 1.0]) / np.sqrt(2.0), X, X, 4.0, damping, 0.3)
    system = System(bodies, tuple(rows), (springs,), (torsion,), tyres, speed=1.0, bump=0.1, bump_at=0.2)
    q = np.concatenate([0.5 * X, UPRIGHT, 1.4 * X, UPRIGHT, 2.1 * X, UPRIGHT])
    random = np.random.default_rng(1)
    q, rate = consistent(system, q + 0.2 * random.normal(size=21), random.normal(size=21))
    return MultibodyProblem(system, full_state(system, q, rate, np.zeros(1)), 0.0, 5.0)


def assert_exact(problem: MultibodyProblem, y: np.ndarray, t: float = 0.0, every: int = 1) -> None:
    """Accelerations, J1 and J2 against complex steps through a program of its own, to 1e-9 of each row's largest entry.

    Args:
        problem, y, t: a system, and where.
        every: only so many-th columns.
    """
    reduced, n = reduce(problem), problem.system.coordinates
    d, angles = len(y) // 2, problem.initial[2 * n : 2 * n + len(problem.system.torsions)]
    where = problem.system.block(reduced.params, layout.INDEPENDENT, d).view(np.int64).copy()
    rates, exact = oracle.jacobian(problem.system, t, problem.initial[:n], y, where, angles, every)
    slope, J = np.empty(2 * d), np.empty((2 * d, 2 * d))
    reduced.rhs(t, y, reduced.params, slope)
    assert reduced.jacobian is not None
    reduced.jacobian(t, y, reduced.params, J)
    assert slope[d:] == pytest.approx(rates, abs=1e-11 * np.abs(rates).max())
    ours, by_position = J[d:, ::every], np.arange(0, 2 * d, every) < d
    for part in (by_position, ~by_position):
        largest = np.abs(exact[:, part]).max(axis=1, keepdims=True)
        assert np.all(np.abs(ours[:, part] - exact[:, part]) < 1e-9 * largest)
    assert np.array_equal(J[:d], np.eye(d, 2 * d, d))


@pytest.mark.parametrize("damping", [0.0, 0.8])
def test_jacobians_are_exact(damping: float) -> None:
    """Of a spatial chain with every kind of force."""
    problem = chain(damping, (tyre(2, [0.1, 0.0, 0.0], 500.0, 3.0, 3.0, 0.1),))
    assert_exact(problem, reduce(problem).initial)


def energy(problem: MultibodyProblem, states: np.ndarray) -> np.ndarray:
    """Kinetic energy and that of gravity and springs, from first principles."""
    system, n = problem.system, problem.system.coordinates
    frames = body_frames(states[:, :n])
    total = np.zeros(len(states))
    for b, body in enumerate(system.bodies):
        e, de = states[:, 7 * b + 3 : 7 * b + 7].T, states[:, n + 7 * b + 3 : n + 7 * b + 7].T
        spin = 2 * (e[0] * de[1:] - e[1:] * de[0] - np.cross(e[1:], de[1:], axis=0))
        v = states[:, n + 7 * b : n + 7 * b + 3]
        total += 0.5 * body.mass * np.sum(v**2, axis=1) + 0.5 * np.array(body.inertia) @ spin**2
        total += body.mass * system.gravity * states[:, 7 * b + 2]
    end = frames[:, 1, :3, :3] @ [0.1, 0.0, 0.1] + frames[:, 1, :3, 3]
    total += 0.5 * 30.0 * (np.linalg.norm(end - [0.5, 0.3, 1.0], axis=1) - 0.6) ** 2
    return total + 0.5 * 4.0 * (states[:, 2 * n] - 0.3) ** 2


def test_energy_of_a_conservative_chain() -> None:
    problem = chain()
    found = integrate_multibody(problem, find_method("dop853"), Tolerance(1e-11, 1e-11))
    assert found.status is Status.FINISHED
    energies = energy(problem, found.y)
    assert np.abs(energies - energies[0]).max() < 1e-7 * np.abs(energies).max()
    assert constraint_errors(problem.system, found.y)["constraint_m"].max() < 1e-12
    assert "independent coordinates were changed" in found.message


def test_agrees_with_mujoco() -> None:
    """Two bodies on ball joints, tumbling freely: where an independent engine says they are."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 -9.81" timestep="2e-4" integrator="RK4"/><worldbody>
        <body><joint type="ball"/><inertial pos="0.5 0 0" mass="2" diaginertia="0.3 0.5 0.7"/>
          <body pos="1 0 0"><joint type="ball"/>
            <inertial pos="0.4 0 0" mass="1.5" diaginertia="0.2 0.4 0.3"/></body></body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qvel[:] = [0.4, -0.3, 1.0, 2.0, 0.7, -1.2]
    for _ in range(5000):
        mujoco.mj_step(model, data)
    rows = [*point("root", GROUND, 0, O, -0.5 * X), *point("elbow", 0, 1, 0.5 * X, -0.4 * X)]
    system = System((ROD, Body("arm", 1.5, (0.2, 0.4, 0.3))), tuple(rows))
    q = np.concatenate([0.5 * X, UPRIGHT, 1.4 * X, UPRIGHT])
    # Their rates are angular velocities in the body's frame, the second relative to the first.
    spins = np.array([0.4, -0.3, 1.0]), np.array([2.4, 0.4, -0.2])
    first = np.cross(spins[0], 0.5 * X)
    second = 2 * first + np.cross(spins[1], 0.4 * X)
    rate = np.concatenate([first, [0.0], 0.5 * spins[0], second, [0.0], 0.5 * spins[1]])
    problem = MultibodyProblem(system, full_state(system, q, rate, np.zeros(0)), 0.0, 1.0)
    found = integrate_multibody(problem, find_method("dop853"), Tolerance(1e-10, 1e-10))
    ours = found.final[[0, 1, 2, 7, 8, 9]].reshape(2, 3)
    assert ours == pytest.approx(data.xipos[1:], abs=1e-6)


def test_order_four_and_embedded_three_on_a_constrained_problem() -> None:
    problem = replace(chain(0.8), t1=0.4)
    exact = integrate_multibody(problem, find_method("dop853"), Tolerance(1e-13, 1e-13)).final
    errors, estimates = [], []
    for step in (0.02, 0.01, 0.005):
        found = integrate_multibody(problem, find_method("rosenbrock-nystrom"), FixedStep(step))
        errors.append(np.abs(found.final - exact)[:21].max())
        estimates.append(found.log.error[0])
    assert np.log2(errors[1] / errors[2]) == pytest.approx(4.0, abs=0.3)
    assert np.log2(estimates[1] / estimates[2]) == pytest.approx(4.0, abs=0.3)


ANY = [
    "rk4",
    "dopri5",
    "dop853",
    "adams-pece",
    "radau5",
    "bdf4",
    "implicit-midpoint",
    "rosenbrock",
    "w-method",
    "cvode-bdf",
]


@pytest.mark.parametrize("key", ANY)
def test_any_integrator_applies(key: str) -> None:
    problem = replace(chain(0.8), t1=0.2)
    exact = integrate_multibody(problem, find_method("dop853"), Tolerance(1e-12, 1e-12)).final
    method = find_method(key)
    control = FixedStep(1e-3) if method.fixed_step else Tolerance(1e-7, 1e-7)
    found = integrate_multibody(problem, method, control)
    assert found.status is Status.FINISHED
    assert found.final[:21] == pytest.approx(exact[:21], abs=2e-4)


def test_consistent_initial_conditions() -> None:
    """What is near the constraints is moved onto them, with its rates; what satisfies them stays."""
    system, n = chain().system, 21
    q, rate = chain().initial[:n], chain().initial[n : 2 * n]
    random = np.random.default_rng(3)
    for moved in (0.0, 0.05):
        found, velocity = consistent(system, q + moved * random.normal(size=n), rate + moved * random.normal(size=n))
        phi, jacobian = constraints(system, found)
        assert np.abs(phi).max() < 1e-12
        assert np.abs(jacobian @ velocity).max() < 1e-12
        assert np.abs(found - q).max() < 5.0 * moved + 1e-12
        assert np.abs(velocity - rate).max() < 20.0 * moved + 1e-12


def test_a_new_partition_when_the_condition_has_grown_by_a_quarter() -> None:
    """At every accepted step the partition in use is at most 25 % worse than when it was chosen."""
    problem = replace(chain(), t1=2.0)
    found = integrate_multibody(problem, find_method("dop853"), Tolerance(1e-8, 1e-8))
    reduced, chosen = reduce(problem), 1
    for state in found.y[1:]:
        if condition(problem.system, state, reduced) > reduced.params[layout.LIMIT]:
            reduced = reduce(replace(problem, initial=state))
            chosen += 1
        fresh = reduced.params[layout.LIMIT] / 1.25
        assert condition(problem.system, state, reduced) <= 1.25 * fresh * (1 + 1e-12)
    assert f"were changed {chosen - 1} times" in found.message


def test_redundant_constraints_are_named() -> None:
    rows = [*revolute("hinge", GROUND, 0, O, -X, Y, Y), *dot_1("spare", GROUND, 0, Z, Y)]
    system = System((ROD,), tuple(rows))
    with pytest.raises(ArmstepError, match=r"redundant.*(spare|hinge \(axis)"):
        dependent_coordinates(system, np.concatenate([X, UPRIGHT]))


def test_contradicting_constraints_are_named() -> None:
    rows = [*point("here", GROUND, 0, O, -X), *distance("too short", GROUND, 0, O, O, 0.5)]
    system = System((ROD,), tuple(rows))
    with pytest.raises(ArmstepError, match=r"contradict.*too short"):
        consistent(system, np.concatenate([X, UPRIGHT]), np.zeros(7))


def test_impossible_bodies_and_joints_are_refused() -> None:
    with pytest.raises(BadInput, match="mass of ghost"):
        System((Body("ghost", 0.0, (1.0, 1.0, 1.0)),), ())
    with pytest.raises(BadInput, match="inertia of needle"):
        System((Body("needle", 1.0, (0.0, 1.0, 1.0)),), ())
    with pytest.raises(BadInput, match="length of rope"):
        distance("rope", GROUND, 0, O, O, 0.0)
    with pytest.raises(BadInput, match="two different bodies"):
        product(GROUND, GROUND, (O, 0.0, O, O), (O, 0.0, O, O))


def test_a_singular_partition_has_no_rates() -> None:
    """A pendulum that hangs cannot be described by its height."""
    system = System((ROD,), tuple(revolute("hinge", GROUND, 0, O, X, Y, Y)))
    hanging = np.concatenate([-X, UPRIGHT])
    params = system.pack(hanging, [k for k in range(7) if k != 0], np.zeros(0))
    from robots.dynamics.multibody.kernels import reduced as kernels

    slope = np.empty(2)
    kernels.rhs(0.0, np.array([-1.0, 0.5]), params, slope)
    assert np.isnan(slope).all()
    good = reduce(MultibodyProblem(system, full_state(system, hanging, np.zeros(7), np.zeros(0)), 0.0, 1.0))
    swung = np.concatenate([-Z, np.cos(np.pi / 4) * X[:1], -np.sin(np.pi / 4) * Y, np.zeros(7)])
    assert condition(system, swung, good) > good.params[layout.LIMIT]


def test_a_state_outside_the_domain_is_a_rejected_step() -> None:
    """Steps that would take the elbow further than the rods reach are tried again shorter."""
    problem = chain(0.8)
    found = integrate_multibody(problem, find_method("rosenbrock-nystrom"), Tolerance(1e-3, 1e-3, first_step=2.0))
    assert found.status is Status.FINISHED
    assert found.counts.rejected > 0
    assert np.isfinite(found.y).all()


# -- linear equations with few entries ---------------------------------------------------------------------------------


def sparse_factors(a: np.ndarray) -> tuple[bool, tuple[np.ndarray, ...]]:
    """Whether a matrix could be factorised, and its factors."""
    from robots.dynamics.multibody.kernels import sparse as kernels

    m = len(a)
    whole, real = np.zeros(m * m, dtype=np.int64), np.zeros(m * m)
    factors = whole[:m].copy(), real[:m].copy(), real[:m].copy(), np.zeros(2 * m + 1, dtype=np.int64), whole, real
    return kernels.factorise(a.copy(), factors), factors


def test_factors_of_a_sparse_matrix() -> None:
    """Solutions, transposed ones and the inverse's norm as LAPACK has them, also where rows must be exchanged."""
    from robots.dynamics.multibody.kernels import sparse as kernels

    random = np.random.default_rng(3)
    a = np.where(random.random((12, 12)) < 0.2, random.normal(size=(12, 12)), 0.0) + np.eye(12)[::-1]
    b, many = random.normal(size=12), random.normal(size=(12, 3))
    good, factors = sparse_factors(a)
    assert good
    x, transposed, columns = b.copy(), b.copy(), many.copy()
    kernels.solve(factors, x)
    kernels.solve_transposed(factors, transposed)
    kernels.solve_many(factors, columns)
    assert x == pytest.approx(np.linalg.solve(a, b), rel=1e-11)
    assert transposed == pytest.approx(np.linalg.solve(a.T, b), rel=1e-11)
    assert columns == pytest.approx(np.linalg.solve(a, many), rel=1e-11)
    norm = np.abs(np.linalg.inv(a)).sum(axis=0).max()
    assert kernels.inverse_norm(factors, np.empty((12, 12))) == pytest.approx(norm, rel=1e-11)


@pytest.mark.parametrize("bad", [0.0, 1.0, np.nan])
def test_singular_matrices_have_no_factors(bad: float) -> None:
    """A row of zeros, a row twice, and what is not a number."""
    a = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [bad, 2.0 * bad, 0.0]])
    assert not sparse_factors(a)[0]


def test_columns_that_full_pivoting_picks() -> None:
    """By hand: 4 is the largest, then 2 of what is left; the third row is the sum of the others."""
    from robots.dynamics.multibody.partition import gauss_jordan

    a = np.array([[1.0, 0.0, 4.0], [0.0, 2.0, 0.0], [1.0, 2.0, 4.0]])
    assert gauss_jordan(a) == ([2, 1], [2])
