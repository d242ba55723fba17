"""Seven ways to keep two bodies together: equations, drift laws, and the same motion as two angles."""

from __future__ import annotations

import numpy as np
import pytest

from assets.errors import BadInput
from robots.catalog.double_pendulum.robot import ROBOT
from robots.dynamics.multibody.constrained import (
    ConstrainedProblem,
    differential_algebraic,
    integrate_constrained,
    ordinary,
)
from robots.dynamics.multibody.forms import ALGEBRAIC, FORMS
from robots.dynamics.multibody.reduction import constraint_errors
from robots.model.segments import Segment
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from solvers.control import Tolerance
from solvers.method_registry import find_method
from tests.robots import multibody_oracle as oracle

STIFF = find_scenario("double-pendulum").with_value("task.form", "cartesian")
SWING = find_scenario("pendulum-drift").with_value("duration", 2.0)
# Both rods spin as one without gravity: the errors of all steps are alike, and add up.
SPIN = SWING.with_values({"robot.g": 0.0, "initial.q2": -0.3, "initial.v1": 6.0, "initial.v2": 6.0})


def of(scenario: Scenario, form: str, **changes: float | str) -> Run:
    method = {"method": "bdf2"} if form in ALGEBRAIC else {}
    return simulate(scenario.with_values({"task.constraints": form, **method, **changes}), repeat=False)


def posed(form: str, scenario: Scenario = STIFF) -> ConstrainedProblem:
    problem = ROBOT.problem(scenario.with_value("task.constraints", form))
    assert isinstance(problem, ConstrainedProblem)
    return problem


def torn(problem: ConstrainedProblem, size: float) -> np.ndarray:
    """The initial (q, q') with the constraints violated."""
    n = 2 * problem.system.coordinates
    return problem.initial[:n] + size * np.random.default_rng(3).uniform(-1.0, 1.0, n)


def test_accelerations_are_those_of_the_augmented_equations() -> None:
    """[M Phi_q'; Phi_q 0] (q'', lambda) = (Q, tau - 2 alpha Phi' - beta^2 Phi) in NumPy, far from the constraints."""
    for form, (alpha, beta) in (("index1", (0.0, 0.0)), ("baumgarte", (3.0, 7.0))):
        given = STIFF.with_values({"task.alpha": 3.0, "task.beta": 7.0})
        problem = posed(form, given)
        system, y, dy = problem.system, torn(problem, 0.05), np.empty(28)
        reduced = ordinary(problem)
        assert reduced.begin_step is not None
        reduced.begin_step(0.0, y.copy(), reduced.params, dy)
        reduced.rhs(0.0, y, reduced.params, dy)
        q, rate = y[:14], y[14:]
        phi, by_q = oracle.constraints(system, q)
        M, force = oracle.inertia(system, q, rate)
        force = force + oracle.applied(system, 0.0, q, rate, problem.initial[28:30])
        bends = oracle.bends(oracle.table(row.numbers for row in system.rows), q, rate)
        tau = -np.append(bends, 2.0 * np.sum(rate.reshape(-1, 7)[:, 3:] ** 2, axis=1))
        tau = tau - 2.0 * alpha * by_q @ rate - beta**2 * phi
        whole = np.block([[M, by_q.T], [by_q, np.zeros((12, 12))]])
        exact = np.linalg.solve(whole, np.concatenate([force, tau])).real
        assert dy[:14] == pytest.approx(rate)
        assert dy[14:] == pytest.approx(exact[:14], rel=1e-9, abs=1e-9 * np.abs(exact[:14]).max())


@pytest.mark.parametrize("form", ALGEBRAIC)
def test_residual_and_iteration_matrix(form: str) -> None:
    """F is 0 at the consistent start; its derivatives agree with differences there, up to the constraints' forces."""
    problem = differential_algebraic(posed(form))
    n, size = 28, len(problem.initial)
    F, J, out = np.empty(size), np.empty((size, size)), np.empty((size, size))

    def residual(x: np.ndarray, rate: np.ndarray) -> np.ndarray:
        problem.system(0.0, x, rate, 0.0, problem.params, F, out)
        return F.copy()

    x, rate, alpha = problem.initial, problem.rate, 30.0
    scale = np.abs(residual(x, 0.0 * rate)).max()
    assert np.abs(residual(x, rate)).max() < 1e-12 * scale
    x = x + np.where(np.arange(size) < n, 0.0, 1.0)
    problem.system(0.0, x, rate, alpha, problem.params, F, J)
    h = 1e-6
    columns = [
        (residual(x + h * unit, rate + alpha * h * unit) - residual(x - h * unit, rate - alpha * h * unit)) / (2.0 * h)
        for unit in np.eye(size)
    ]
    exact = np.stack(columns, axis=1)
    # The torsion springs' derivatives are exact along the constraints; the multipliers take up the rest.
    free = np.linalg.svd(J[14:28, 28:40].T)[2][12:]
    along = free @ exact[14:28, :14] @ free.T
    assert free @ J[14:28, :14] @ free.T == pytest.approx(along, abs=1e-7 * np.abs(exact).max())
    assert J[14:28, 14:] == pytest.approx(exact[14:28, 14:], abs=1e-7 * np.abs(exact).max())
    others = np.r_[0:14, 28:size]
    assert J[others] == pytest.approx(exact[others], abs=1e-7 * max(1.0, np.abs(exact[others]).max()))


def test_a_violation_follows_its_closed_form() -> None:
    """Phi0 + Phi0' t with index 1, and critically damped with Baumgarte's stabilisation at alpha = beta."""
    method, control = find_method("dop853"), Tolerance(1e-12, 1e-12)
    for form, alpha in (("index1", 0.0), ("baumgarte", 5.0)):
        problem = posed(form, SWING)
        initial = problem.initial.copy()
        initial[:28] = torn(problem, 1e-3)
        first = ConstrainedProblem(problem.system, initial, 0.0, 0.7, form=form, gains=(alpha, alpha))
        found = integrate_constrained(first, method, control)
        phi0, by_q = oracle.constraints(problem.system, initial[:14])
        slip = by_q @ initial[14:28]
        exact = np.exp(-alpha * 0.7) * (phi0 + (slip + alpha * phi0) * 0.7)
        assert oracle.constraints(problem.system, found.y[-1, :14])[0] == pytest.approx(exact, abs=1e-9)


def test_index_1_drifts_quadratically_and_index_2_linearly() -> None:
    """As powers of the time, over three doublings on a swing; and where the errors of all steps are alike."""
    run = of(SWING, "index1", duration=80.0)
    for key, power in (("constraint_m", 2.0), ("constraint_m_s", 1.0)):
        largest = np.interp([10.0, 80.0], run.t, np.maximum.accumulate(run.errors[key]))
        assert np.log(largest[1] / largest[0]) / np.log(8.0) == pytest.approx(power, abs=0.2)
    second = of(SPIN, "index2", duration=8.0, step=0.01)
    halfway, end = np.interp([4.0, 8.0], second.t, second.errors["constraint_m"])
    assert end == pytest.approx(2.0 * halfway, rel=0.1)
    assert second.max_error["constraint_m_s"] < 1e-13


def test_drift_has_the_order_of_the_method() -> None:
    for form, key, order in (
        ("index1", "constraint_m", 4),
        ("index2", "constraint_m", 2),
        ("index3", "constraint_m_s", 2),
    ):
        coarse, fine = (of(SWING, form, step=h).max_error[key] for h in (0.01, 0.005))
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("form", FORMS)
def test_all_move_as_two_angles(form: str) -> None:
    """The equations in two angles, derived by themselves, at tight tolerance."""
    exact = simulate(SWING.with_values({"task.form": "minimal", "method": "dop853", "rtol": 1e-12, "atol": 1e-12}))
    order = 2 if form in ALGEBRAIC else 4
    gaps = []
    for h in (0.01, 0.005):
        run = of(SWING, form, step=h)
        near = exact.columns(run.t)
        gaps.append(max(np.abs(run.columns()[name] - near[name]).max() for name in ("q1", "q2")))
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(order, abs=0.2)
    assert gaps[1] < (2e-3 if form in ALGEBRAIC else 1e-5)
    kept = {"projected": (1, 1), "index2": (0, 1), "index3": (1, 0), "ggl": (1, 1), "partitioned": (1, 1)}.get(form)
    for key, small in zip(("constraint_m", "constraint_m_s"), kept or (0, 0), strict=True):
        assert (run.max_error[key] < 1e-12) == bool(small)


def test_ida_agrees_where_it_can() -> None:
    """SUNDIALS on index 2, its multipliers out of the error test; it gives up on index 3."""
    controlled = {"method": "ida", "rtol": 1e-7, "atol": 1e-7, "duration": 1.0}
    theirs = of(SWING, "index2", **controlled, **{"options.algebraic_atol": 1e8})
    exact = simulate(SWING.with_values({"task.form": "minimal", "method": "dop853", "rtol": 1e-12, "duration": 1.0}))
    assert theirs.status.ok
    assert theirs.final["q2"] == pytest.approx(exact.final["q2"], abs=1e-4)
    assert not of(SWING, "index3", **controlled).status.ok


def test_a_form_brings_a_method_that_suits() -> None:
    third, remark = STIFF.edited({"task.constraints": "index3"})
    assert (third.method, third.step) == ("bdf2", 0.002)
    assert "BDF 2 is used" in remark
    assert "fixed step of 2 ms" in remark
    assert STIFF.with_values({"task.constraints": "index2", "rtol": 1e-6}).method == "ida"
    assert STIFF.with_values({"task.constraints": "ggl", "step": 0.001}).method == "bdf2"
    assert STIFF.with_values({"task.constraints": "index1"}).method == STIFF.method
    assert third.with_value("task.constraints", "partitioned").method == "bdf2"
    adams = STIFF.with_values({"method": "ab4", "step": 1e-3})
    assert adams.with_value("task.constraints", "projected").method == "rosenbrock-nystrom"
    for refused in (
        {"task.constraints": "index3", "method": "rk4"},
        {"task.constraints": "projected", "method": "ab4"},
    ):
        with pytest.raises(BadInput, match="method must be one that can solve"):
            STIFF.with_values(refused)


def test_the_treatment_may_change_on_the_way() -> None:
    """Index 1 drifts until 1 s, and index 1 with a projection takes all of that back."""
    changed = SWING.with_segments(Segment(1.0, {"task.constraints": "projected"}))
    run = simulate(changed, repeat=False)
    drift = run.errors["constraint_m"]
    assert drift[run.t < 1.0].max() > 1e-7
    assert drift[run.t > 1.0].max() < 1e-12


def test_angles_are_followed_through_whole_turns() -> None:
    for form in ("index1", "index3"):
        run = of(SPIN, form, duration=4.0, step=0.005)
        assert run.final["q1"] == pytest.approx(-0.3 + 24.0, abs=2e-2)


def test_errors_of_a_state_that_is_torn() -> None:
    problem = posed("index1")
    state = problem.initial.copy()
    state[:28] = torn(problem, 0.01)
    found = constraint_errors(problem.system, state[None])
    phi, by_q = oracle.constraints(problem.system, state[:14])
    assert found["constraint_m"][0] == pytest.approx(np.abs(phi).max())
    assert found["constraint_m_s"][0] == pytest.approx(np.abs(by_q @ state[14:28]).max())
