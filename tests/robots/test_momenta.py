"""Arms in positions and momenta: the same motion, a symplectic step, and energy that stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.polynomial import Legendre
from scipy.integrate import quad_vec
from scipy.optimize import fsolve

from assets.errors import BadInput
from robots.model.registry import robot_of
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.momenta import canonical
from solvers.problem import OdeProblem

RR = find_scenario("rr-swing").with_value("duration", 1.0)
LOOSE = {"robot.k1": 40.0, "robot.k2": 30.0, "robot.C1": 0.0, "robot.C2": 0.0, "initial.v2": 3.0}
PENDULUM = find_scenario("double-pendulum").with_values({**LOOSE, "duration": 1.0})
CHAIN = find_scenario("pendulum-chain").with_values({"robot.links": 3, "duration": 1.0})
KEYS = ("symplectic-midpoint", "symplectic-gauss4", "symplectic-gauss6")
IN_VELOCITIES = {KEYS[0]: "implicit-midpoint", KEYS[1]: "gauss4", KEYS[2]: "gauss6"}


def problem_of(scenario: Scenario) -> OdeProblem:
    problem = robot_of(scenario).problem(scenario)
    assert isinstance(problem, OdeProblem)
    return problem


DRIVEN = find_scenario("panda-drop").with_values({"task.torque": "pd-gravity", "task.kp2": 50.0, "duration": 0.5})


@pytest.mark.parametrize("scenario", [RR, PENDULUM, CHAIN, DRIVEN])
def test_the_same_motion(scenario: Scenario) -> None:
    """Integrated in (q, p) and translated; translating there and back changes nothing."""
    problem = problem_of(scenario)
    posed, momenta = canonical(problem)
    method, control = find_method("dop853"), Tolerance(1e-12, 1e-12)
    ours = momenta.velocities(integrate(posed, method, control).final[None])[0]
    assert ours == pytest.approx(integrate(problem, method, control).final, abs=1e-9)
    y = np.random.default_rng(1).uniform(-2.0, 2.0, (5, problem.dimension))
    assert momenta.velocities(momenta.momenta(y)) == pytest.approx(y)


@pytest.mark.parametrize("scenario", [RR, PENDULUM])
def test_exact_derivatives(scenario: Scenario) -> None:
    posed, momenta = canonical(problem_of(scenario))
    y = np.random.default_rng(1).uniform(-2.0, 2.0, (1, 4))
    J, columns, state, out = np.empty((4, 4)), [], momenta.momenta(y)[0], np.empty((2, 4))
    assert posed.jacobian is not None
    posed.jacobian(0.0, state, posed.params, J)
    for unit in 1e-5 * np.eye(4):
        posed.rhs(0.0, state + unit, posed.params, out[0])
        posed.rhs(0.0, state - unit, posed.params, out[1])
        columns.append((out[0] - out[1]) / 2e-5)
    assert pytest.approx(np.stack(columns, axis=1), abs=1e-6 * np.abs(J).max()) == J


def hamiltonian_flow(x: np.ndarray) -> np.ndarray:
    """Hamilton's equations of the RR arm from complex steps of its energy."""
    m1, m2, r1, r2, J1, J2, g = (RR.parameters[k] for k in ("m1", "m2", "r1", "r2", "J1", "J2", "g"))

    def hamiltonian(x: np.ndarray) -> complex:
        c = np.cos(x[1])
        M12 = m2 * r2**2 + m2 * r1 * r2 * c
        M = np.array([[(m1 + m2) * r1**2 + m2 * r2**2 + J1 + 2 * m2 * r1 * r2 * c, M12], [M12, m2 * r2**2 + J2]])
        height = (m1 + m2) * r1 * np.sin(x[0]) + m2 * r2 * np.sin(x[0] + x[1])
        return 0.5 * x[2:] @ np.linalg.solve(M, x[2:]) + g * height

    slope = np.array([hamiltonian(x + 1e-30j * unit).imag / 1e-30 for unit in np.eye(4)])
    return np.concatenate([slope[2:], -slope[:2]])


@pytest.mark.parametrize("key", ["symplectic-midpoint", "avf", "avf4"])
def test_a_step_by_hand(key: str) -> None:
    """The equation of one step, solved by scipy: the slope of avf is the projection of f on Legendre's polynomials."""
    problem, h = problem_of(RR.with_values({"initial.v1": 1.0, "initial.v2": -2.0})), 0.05
    posed, momenta = canonical(problem)
    start = posed.initial

    basis = [Legendre.basis(j, domain=[0.0, 1.0]) for j in range(find_method(key).order // 2)]

    def projected(flat: np.ndarray) -> np.ndarray:
        slopes = flat.reshape(len(basis), 4)

        def flow(c: float) -> np.ndarray:
            past = sum(p.integ(lbnd=0.0)(c) * slope for p, slope in zip(basis, slopes, strict=True))
            f = hamiltonian_flow(start + h * past)
            return np.concatenate([(2 * j + 1) * p(c) * f for j, p in enumerate(basis)])

        return flow(0.5) if key == "symplectic-midpoint" else quad_vec(flow, 0.0, 1.0, epsabs=1e-14)[0]

    guess = np.concatenate([hamiltonian_flow(start), np.zeros(4 * len(basis) - 4)])
    # Over the whole step all polynomials but the first have the integral 0.
    end = start + h * fsolve(lambda flat: flat - projected(flat), guess, xtol=1e-13)[:4]
    made = integrate(problem, find_method(key), FixedStep(h), max_steps=1)
    assert made.final == pytest.approx(momenta.velocities(np.array([end]))[0], abs=1e-12)


@pytest.mark.parametrize(("key", "scenario"), [*((key, RR) for key in KEYS), (KEYS[1], CHAIN)])
def test_a_step_is_symplectic(key: str, scenario: Scenario) -> None:
    """Its derivative S keeps the symplectic form, S' Omega S = Omega; that of the same method in (q, v) does not."""
    problem = problem_of(scenario)
    n, h = problem.positions, 0.2 if scenario is RR else 0.05
    omega = np.kron([[0.0, 1.0], [-1.0, 0.0]], np.eye(n))
    # The chain is light: its momenta are small.
    edges = np.diag([1e-3] * n + [1e-3 if scenario is RR else 2e-5] * n)
    momenta = canonical(problem)[1]
    start = momenta.momenta(np.array([[0.3, 0.8, 0.5][:n] + [1.0, -2.0, 0.5][:n]]))[0]

    def deviation(method: str) -> float:
        def step(x: np.ndarray) -> np.ndarray:
            begin = replace(problem, initial=momenta.velocities(x[None])[0], t1=h)
            made = integrate(begin, find_method(method), FixedStep(h), options={"newton_tolerance": 1e-15})
            return momenta.momenta(made.final[None])[0]

        # Five-point differences.
        pairs = [(8.0 * (step(start + e) - step(start - e)), step(start + 2 * e) - step(start - 2 * e)) for e in edges]
        S = np.stack([(near - far) / (12.0 * e.max()) for (near, far), e in zip(pairs, edges, strict=True)], axis=1)
        return float(np.abs(S.T @ omega @ S - omega).max())

    assert deviation(key) < 1e-9
    assert deviation(IN_VELOCITIES[key]) > 10.0 * deviation(key)


@pytest.mark.parametrize("scenario", [RR, PENDULUM, CHAIN])
def test_order_on_arms(scenario: Scenario) -> None:
    exact = simulate(scenario.with_values({"method": "dop853", "rtol": 1e-13, "atol": 1e-13}), repeat=False).y[-1]
    coarsest = 0.01 if scenario is CHAIN else 0.04
    for key, coarse in (*zip(KEYS, (0.01, 0.02, 0.04), strict=True), ("avf", 0.01), ("avf4", 0.02)):
        coarse = min(coarse, coarsest)
        gaps = [
            np.abs(simulate(scenario.with_values({"method": key, "step": h}), repeat=False).y[-1] - exact).max()
            for h in (coarse, 0.5 * coarse)
        ]
        assert np.log2(gaps[0] / gaps[1]) == pytest.approx(find_method(key).order, abs=0.2)


@pytest.mark.parametrize("scenario", [RR, PENDULUM, CHAIN])
def test_energy_is_conserved_to_round_off(scenario: Scenario) -> None:
    """At every step, however long; a symplectic method of the same order loses a million times as much."""
    for key in ("avf", "avf4"):
        changes = {"duration": 4.0, "step": 0.005, "method": key}
        run = simulate(scenario.with_values(changes), repeat=False)
        assert run.status.ok
        assert run.max_error["energy_J"] < 1e-11
    assert simulate(scenario.with_values(changes | {"method": KEYS[0]}), repeat=False).max_error["energy_J"] > 1e-5


def test_few_evaluations_make_a_gauss_method() -> None:
    """With as few as there are unknowns; the energy's error falls with their number."""
    base = RR.with_values({"duration": 2.0, "step": 0.05})
    for key, gauss, s in (("avf", KEYS[0], 1), ("avf4", KEYS[1], 2)):
        few = simulate(base.with_values({"method": key, "options.points": s}), repeat=False)
        same = simulate(base.with_value("method", gauss), repeat=False)
        assert few.y[-1] == pytest.approx(same.y[-1], abs=1e-11)
        assert few.counts.rhs_evaluations == few.counts.steps + s * few.counts.newton_iterations
        errors = [
            simulate(base.with_values({"method": key, "options.points": m}), repeat=False).max_error["energy_J"]
            for m in (s, s + 1, s + 2)
        ]
        assert errors[0] > 5.0 * errors[1] > 25.0 * errors[2]


def test_energy_stays() -> None:
    """Over 1000 s the second half is no worse than the first; the same rule in (q, v) loses several times more."""
    long = RR.with_values({"duration": 1000.0, "step": 0.01})
    largest = {}
    for key in (*KEYS[:2], "implicit-midpoint"):
        error = simulate(long.with_value("method", key), repeat=False).errors["energy_J"]
        half = len(error) // 2
        largest[key] = error.max()
        if key in KEYS:
            assert error[half:].max() < 1.25 * error[:half].max()
    assert largest["symplectic-midpoint"] < 0.0026
    assert largest["symplectic-gauss4"] < 2e-7
    assert largest["implicit-midpoint"] > 0.015


@pytest.mark.long
def test_energy_over_ten_thousand_seconds() -> None:
    """What the cards say."""
    long = RR.with_values({"duration": 1e4, "step": 0.01})
    for key, most in zip(KEYS, (0.0026, 1.8e-7, 2e-8), strict=True):
        assert simulate(long.with_value("method", key), repeat=False).max_error["energy_J"] < most
    assert simulate(long.with_value("method", "implicit-midpoint"), repeat=False).max_error["energy_J"] > 0.05


def test_dense_output_and_refusals() -> None:
    run = simulate(RR.with_values({"method": "symplectic-gauss4", "step": 0.02}), repeat=False)
    exact = simulate(RR.with_values({"method": "dop853", "rtol": 1e-12, "atol": 1e-12}), repeat=False)
    times = np.linspace(0.0, 1.0, 333)
    assert np.abs(run.sample(times) - exact.sample(times)).max() < 1e-6
    assert run.sample(run.t) == pytest.approx(run.y, abs=1e-12)
    for key in ("beam", "pa10-circle"):
        with pytest.raises(BadInput, match="method must be one that can solve"):
            find_scenario(key).with_values({"method": "symplectic-midpoint", "step": 0.01})
