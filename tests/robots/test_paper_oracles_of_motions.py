"""What papers 4 and 5 say of motions, each by a second way that shares no formula with the study that judges it."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import sympy

from robots.catalog.double_pendulum.robot import ROBOT
from robots.dynamics.flexible.analysis import linearise
from robots.dynamics.flexible.structure import Build, at_rest
from robots.dynamics.multibody import layout
from robots.dynamics.multibody.constrained import ConstrainedProblem
from robots.dynamics.multibody.reduction import MultibodyProblem, reduce
from robots.papers.finding import AGREES, DIFFERS
from robots.scenario.presets import find_preset
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._claims import dae_methods, e1_theory, e12_conclusions, vehicle
from robots.studies.hmmwv_bump import scenario as bump
from tests.robots import multibody_oracle as oracle
from tests.robots.figures import PAGES

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]\d+)?"


def numbers(text: str) -> list[float]:
    """The numbers of a text."""
    return [float(one) for one in re.findall(NUMBER, text)]


# -- paper 4 -----------------------------------------------------------------------------------------------------------


def test_the_vehicles_dominant_eigenvalue_is_real() -> None:
    """By complex steps through a program of its own; without its stiff dampers the vehicle swings, which is said."""
    run = simulate(find_preset("hmmwv").with_value("duration", 0.05))
    problem = run.robot.problem(run.scenario)
    assert isinstance(problem, MultibodyProblem)
    reduced, n = reduce(problem), problem.system.coordinates
    y, d = reduced.initial, problem.system.freedom
    where = problem.system.block(reduced.params, layout.INDEPENDENT, d).view(np.int64).copy()
    angles = problem.initial[2 * n : 2 * n + len(problem.system.torsions)]
    by_y = oracle.jacobian(problem.system, 0.0, problem.initial[:n], y, where, angles, 1)[1]
    values = np.linalg.eigvals(np.vstack([np.eye(d, 2 * d, d), by_y]))
    largest = values[np.argmax(np.abs(values))]
    assert largest.real == pytest.approx(run.eigenvalues[1][0, 0].real, rel=1e-6)
    found = vehicle.dominant_eigenvalue(run)
    assert (largest.imag == 0.0, found.ours[:4], found.verdict) == (True, "none", AGREES)
    loose = simulate(run.scenario.with_values({"robot.c_stiff": 2e3, "duration": 0.01}))
    assert vehicle.dominant_eigenvalue(loose).verdict == DIFFERS


def test_the_vehicles_height_errs_by_a_small_share_of_its_bound() -> None:
    """Against Radau IIA of order 5, beside what the paper's page says at 1e-5."""
    times, strict = np.linspace(0.0, 5.0, 1001), bump(-5)
    exact = simulate(strict.with_values({"method": "radau5", "rtol": 1e-8, "atol": 1e-8}), repeat=False)
    height = simulate(strict, repeat=False).sample(times)[:, 2]
    error, peak = float(np.abs(height - exact.sample(times)[:, 2]).max()), float(height.max())
    row = next(line for line in (PAGES / "4-stiff-multibody.md").read_text("utf-8").splitlines() if "z) at" in line)
    assert float(re.findall(r"(\S+) of its bound", row)[0]) == pytest.approx(error / (1e-5 * (1.0 + peak)), rel=0.1)
    assert vehicle.step_control([(-5, 0, 0, peak, error)]).verdict == AGREES
    assert vehicle.step_control([(-5, 0, 0, peak, 1e-5)]).verdict == DIFFERS


# -- paper 5 -----------------------------------------------------------------------------------------------------------


def test_forward_euler_errs_as_by_steps_written_out() -> None:
    """Positions, rates and joint forces of two rods by NumPy; the tip, exactly, by the two angles alone."""
    loose = find_preset("pendulum-drift").with_value("duration", 1.0)
    problem = ROBOT.problem(loose)
    assert isinstance(problem, ConstrainedProblem)
    system, step = problem.system, 4e-3
    n, m = system.coordinates, system.constraints
    rows, nothing = oracle.table(row.numbers for row in system.rows), np.zeros((m, m))
    q, rate = problem.initial[:n].astype(complex), problem.initial[n : 2 * n].astype(complex)
    for _ in range(250):
        M, force = oracle.inertia(system, q, rate)
        force = force + oracle.applied(system, 0.0, q, rate, problem.initial[2 * n : 2 * n + 2])
        by_q = oracle.constraints(system, q)[1]
        tau = -np.append(oracle.bends(rows, q, rate), 2.0 * np.sum(rate.reshape(-1, 7)[:, 3:] ** 2, axis=1))
        whole = np.block([[M, by_q.T], [by_q, nothing]])
        acceleration = np.linalg.solve(whole, np.concatenate([force, tau]))[:n]
        q, rate = q + step * rate, rate + step * acceleration
    # The tip as of any state that the robot draws.
    ended = simulate(loose.with_values({"method": "euler", "step": step}), repeat=False)
    exact = loose.with_values({"task.form": "minimal", "method": "dop853", "rtol": 1e-10, "atol": 1e-10})
    assert ended.y[-1, :n] == pytest.approx(np.real(q), abs=1e-9)
    error = float(np.linalg.norm(ended.tip()[-1] - simulate(exact, repeat=False).tip()[-1]))
    found = dae_methods.forward_euler()
    assert found.verdict == AGREES
    assert numbers(found.ours.split("errs by")[1])[0] == pytest.approx(error, rel=0.01)


def test_where_e1s_ranks_fall() -> None:
    """In symbols, with the paper's numbers."""
    found = {one.figure: one for one in e1_theory.theory(simulate(find_preset("e1")), ())}
    x: Any = sympy.symbols("x1:5")
    constraint = sympy.sin(x[0]) + sympy.sin(x[0] + x[1])
    by_angles = sympy.Matrix([constraint]).jacobian(x[:2])
    rate = (by_angles * sympy.Matrix(x[2:]))[0]
    by_rates = sympy.Matrix([[0, 0, 700, 600], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, *by_angles]])
    determinant = sympy.lambdify(x[:2], by_rates.det())
    found_at = found["section 5.1.1, Jacobian"].ours
    said = numbers(found_at)
    assert said[:4] == [4.0, 4.0, 1000.0, 1000.0]
    at = [float(one) for one in re.findall(r"-?\d\.\d{3}", found_at)]
    assert determinant(*at) == pytest.approx(0.0, abs=1.0)
    around = [determinant(at[0] + 0.3 * math.cos(way), at[1] + 0.3 * math.sin(way)) for way in np.arange(0.0, 6.3, 0.1)]
    assert min(around) < -10.0 < 10.0 < max(around)
    elsewhere = determinant(*np.random.default_rng(1).uniform(-math.pi, math.pi, (2, 4000)))
    assert float(np.mean(elsewhere < 0.0)) == pytest.approx(0.01 * said[5], abs=0.05)
    array = sympy.Matrix([constraint, rate]).jacobian(x)
    ranks = [array.subs(dict(zip(x, values, strict=True))).rank() for values in ([1, 2, 3, 4], [sympy.pi / 2, 0, 1, 1])]
    said = numbers(found["section 5.1.1, footnote 2"].ours)
    assert ([int(said[0]), int(said[4])], found["section 5.1.1, footnote 2"].verdict) == (ranks, AGREES)


def test_the_torque_of_a_jump_of_the_elbow() -> None:
    """Of the index-3 form, by the linearised arm's matrices: the jump times powers of the formula's first weight."""
    run = simulate(
        find_preset("e12").with_values(
            {"task.dynamics": "linearised", "method": "bdf3", "step": 3e-3, "task.formulation": "I3"}
        )
    )
    build, move = run.robot.build(run.scenario), run.robot.move(run.scenario)  # type: ignore[attr-defined]
    arm = linearise(build, at_rest(build, move.start, run.robot.guess(run.scenario))[0])  # type: ignore[attr-defined]
    n, k = build.coordinates, int(np.argmin(np.abs(run.t - 0.15)))
    fast = 11.0 / 6.0 / float(run.t[1] - run.t[0])
    before, torque = run.y[k, :n], run.y[k, -2:]

    def tool(q: np.ndarray) -> np.ndarray:
        angles = np.cumsum(q[:3])
        return np.array([build.lengths @ np.cos(angles), build.lengths @ np.sin(angles)])

    def missed(change: np.ndarray) -> np.ndarray:
        own = (fast * fast * arm.mass + fast * arm.damping + arm.stiffness) @ change[:n] - arm.inputs @ change[n:] * 1e6
        return np.concatenate([own * 1e-6, tool(before + change[:n]) - tool(before)])

    mirrored = -2.0 * before[:3]
    mirrored[0] += 2.0 * math.atan2(*tool(before)[::-1])
    start = np.concatenate([mirrored, mirrored[:2], np.zeros(2)])
    change = scipy.optimize.root(missed, start, method="lm", tol=1e-14)
    largest = float(np.abs(torque + 1e6 * change.x[n:]).max())
    found = e12_conclusions.jumped()
    assert found.verdict == AGREES
    assert numbers(found.ours.split("I3 ")[1])[0] == pytest.approx(largest, rel=0.05)


def driven_tool(build: Build, run: Run, kp: float, kd: float) -> np.ndarray:
    """The tool's place (2,) [m] at the end, by the classical Runge-Kutta method on Lagrange's equations."""
    table, lever = build.absolute()
    n, motors, size = build.joints, build.actuated, build.coordinates
    rows = np.hstack([run.y[:, -motors:], run.y[:, n:size], run.y[:, size + n : 2 * size]])

    def slope(y: np.ndarray, given: np.ndarray) -> np.ndarray:
        q, v = y[:size], y[size:]
        u, angles, rates = given.reshape(3, motors)
        torque = -build.stiffness * q[:n] - build.damping * v[:n]
        torque[:motors] += build.stiffness[:motors] * q[n:] + build.damping[:motors] * v[n:]
        phi, omega = np.cumsum(q[:n]), np.cumsum(v[:n])
        apart = phi[:, None] - phi
        force = build.up * build.gravity * lever * np.cos(phi) - (table * np.sin(apart)) @ omega**2
        turned = np.linalg.solve(table * np.cos(apart), force + torque - np.append(torque[1:], 0.0))
        pushed = u + kp * (angles - q[n:]) + kd * (rates - v[n:]) - torque[:motors]
        return np.concatenate([v, np.diff(turned, prepend=0.0), pushed / build.motor_inertias])

    y, h = run.y[0, : 2 * size].copy(), float(run.t[1] - run.t[0])
    for before, after in pairwise(rows):
        middle = 0.5 * (before + after)
        k1 = slope(y, before)
        k2 = slope(y + 0.5 * h * k1, middle)
        k3 = slope(y + 0.5 * h * k2, middle)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + slope(y + h * k3, after))
    phi = np.cumsum(y[:n])
    return np.array([build.lengths @ np.cos(phi), -build.up * build.lengths @ np.sin(phi)])


def test_the_driven_tool_falls_without_feedback_and_stays_with_it() -> None:
    found = e12_conclusions.feedback()
    assert found.verdict == AGREES
    run = simulate(find_preset("e12").with_value("duration", 1.5), repeat=False)
    build, aim = run.robot.build(run.scenario), run.robot.wanted(run.scenario, run.t)[-1]  # type: ignore[attr-defined]
    free, held = (1e3 * float(np.linalg.norm(driven_tool(build, run, *gains) - aim)) for gains in ((0, 0), (1e5, 1e4)))
    said = [float(one) for one in re.findall(rf"to ({NUMBER}) mm", found.ours)]
    assert said == pytest.approx([free, held], rel=0.05)
