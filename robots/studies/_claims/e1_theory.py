"""What paper 5 says of E1's equations before it solves them, judged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from robots.dynamics.flexible.analysis import linearise
from robots.dynamics.flexible.index import index_numbers
from robots.dynamics.flexible.structure import Formulation, pack, wanted_places
from robots.model.registry import robot_of
from robots.model.robot import Array
from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.papers.study import Row
from robots.scenario.presets import find_preset
from robots.simulation.run import Run
from robots.studies._claims.dae_methods import problem
from robots.studies._claims.pencil import index_of
from solvers.control import FixedStep
from solvers.method_registry import find_method

NEAR = 1e-3
"""Times this close to the ends of the move, and twice as close, show the power with which it begins [s]."""
RATE, AMID = 30.0, 0.04
"""A rate near the arm's own, at which its pencil is not singular [1/s], and a time of its motion [s]."""
FAST = 1e6, 1e7
"""Frequencies far above the arms' own [rad/s]."""
ASTRAY, BEGINNING = 1e-3, 2e-3
"""By how much a start is inconsistent [rad, rad/s], and how long its torques are watched [s]."""
POSTURES, BISECTIONS = 1000, 60
"""At which ranks are counted, and halvings of a way between two of them."""
NUDGE = 1e-6
"""Of the difference that gives the reference's speed [s]."""


def theory(usual: Run, ida: Sequence[Row]) -> tuple[Finding, ...]:
    """The findings.

    Args:
        usual: E1 as published.
        ida: rows of the table of IDA: formulation, status.
    """
    build, move = usual.robot.build(usual.scenario), usual.robot.move(usual.scenario)  # type: ignore[attr-defined]
    once, twice = (
        pack(build, move, Formulation("", "", orders, (0,) * len(orders), drop_passive=passive))
        for orders, passive in (((0, 1), True), ((2,), False))
    )
    return (
        _reference(usual),
        _smooth(),
        _transients(usual),
        _balance(usual),
        _dummies(usual),
        _by_rates(twice),
        _by_states(once),
        _complete(),
        _solvers(ida),
    )


def _reference(usual: Run) -> Finding:
    """How smoothly the reference begins and ends."""
    robot, end = usual.robot, float(str(usual.scenario.task["move_time"]))
    times = np.array([0.0, NEAR, 2.0 * NEAR, end - 2.0 * NEAR, end - NEAR, end])
    height = robot.wanted(usual.scenario, times)[:, 1]  # type: ignore[attr-defined]
    powers = [
        math.log2((height[2] - height[0]) / (height[1] - height[0])),
        math.log2((height[5] - height[3]) / (height[5] - height[4])),
    ]
    return Finding(
        "figure 5, derivatives",
        "the first five derivatives of the reference vanish at both ends",
        f"within {1e3 * NEAR:g} to {2e3 * NEAR:g} ms the height departs from its ends as the powers {powers[0]:.2f} "
        f"and {powers[1]:.2f} of time",
        agrees(all(abs(power - 6.0) < 0.2 for power in powers)),
    )


def _smooth() -> Finding:
    """With which power of the frequency the torque grows: the highest derivative of the reference that it contains."""
    highest, wanted = {}, {}
    for key in ("e1", "e12"):
        scenario = find_preset(key)
        robot = robot_of(scenario)
        build, move, rest = robot.build(scenario), robot.move(scenario), robot.guess(scenario)  # type: ignore[attr-defined]
        arm, sizes = linearise(build, rest), []
        motors = arm.inputs.shape[1]
        for w in FAST:
            own = arm.stiffness + 1j * w * arm.damping - w * w * arm.mass
            nothing = np.zeros((len(arm.outputs), motors))
            both = np.block([[own, -arm.inputs], [arm.outputs, nothing]])
            tool = np.vstack([np.zeros((len(own), len(arm.outputs))), np.eye(len(arm.outputs))])
            sizes.append(float(np.abs(np.linalg.solve(both, tool)[len(own) :]).max()))
        highest[key] = math.log(sizes[1] / sizes[0]) / math.log(FAST[1] / FAST[0])
        wanted[key] = index_numbers(build, move, rest, AMID).differential_index + 1
    return Finding(
        "section 7.1, smoothness",
        "the torque is continuous if the reference can be differentiated as often as the index of the equations with "
        "the motor's balance says",
        "; ".join(
            f"{key.upper()}, linearised at rest: index {wanted[key]}, the torque grows with the frequency to the power "
            f"of {highest[key]:.2f}"
            for key in highest
        ),
        agrees(all(abs(highest[key] - (wanted[key] - 1)) < 0.01 for key in highest)),
        "it contains one derivative less than the index, which is continuous then; the reference has five",
    )


def _transients(usual: Run) -> Finding:
    """The first torques from a start that breaks the constraint, or its derivative."""
    equations, method = problem(usual, "DD44"), find_method("bdf6")
    joints, torques = usual.robot.build(usual.scenario).joints, {}  # type: ignore[attr-defined]
    for said, place in (("consistent", None), ("elbow", joints - 1), ("its speed", 2 * joints - 1)):
        initial = equations.initial.copy()
        if place is not None:
            initial[place] += ASTRAY
        start = replace(equations, initial=initial, t1=BEGINNING)
        found = usual.robot.integrate(start, method, FixedStep(1e-3))
        torques[said] = float(np.abs(found.y[1:, -1]).max())
    return Finding(
        "section 7.1, consistency",
        "the start must be consistent with the constraint and its derivatives, or there are transients",
        f"largest torque of the first {1e3 * BEGINNING:g} ms, by BDF 6 at 1 ms on (44): "
        f"{torques['consistent']:.2g} N m from rest, {torques['elbow']:.2g} N m with an elbow off by "
        f"{1e3 * ASTRAY:g} mrad, {torques['its speed']:.2g} N m with its speed off by {1e3 * ASTRAY:g} mrad/s",
        agrees(min(torques["elbow"], torques["its speed"]) > 10.0 * torques["consistent"]),
    )


def _dummies(usual: Run) -> Finding:
    """The rows with the elbow's rate as the dummy derivative, beside (19) written out."""
    from robots.dynamics.flexible.kernels.inverse_dynamics import system

    robot, scenario = usual.robot, usual.scenario
    build, move = robot.build(scenario), robot.move(scenario)  # type: ignore[attr-defined]
    params = pack(build, move, Formulation("", "", (0, 1), (0, 0), drop_passive=True))
    draw, gap = np.random.default_rng(5), 0.0
    for t in draw.uniform(NUDGE, move.time - NUDGE, 20):
        x, rate, F = draw.uniform(-1.0, 1.0, 4), draw.uniform(-1.0, 1.0, 4), np.empty(4)
        system(t, x, rate, 0.0, params, F, np.empty((4, 4)))
        (before,), (height,), (after,) = wanted_places(build, move, np.array([t - NUDGE, t, t + NUDGE]))[:, 1:]
        reach = build.lengths * np.cos([x[0], x[0] + x[1]])
        terms = (
            (*(build.constant_inertia[1] * rate[2:]), build.stiffness[1] * x[1], build.damping[1] * x[3]),
            (rate[0], -x[2]),
            (*(build.lengths * np.sin([x[0], x[0] + x[1]])), -height),
            (reach[0] * x[2], reach[1] * (x[2] + x[3]), (before - after) / (2.0 * NUDGE)),
        )
        misses = [abs(ours - sum(row)) / sum(map(abs, row)) for ours, row in zip(F, terms, strict=True)]
        gap = max(gap, *misses)
    return Finding(
        "section 7.2.2",
        "with the elbow's rate as the dummy derivative the reduced system is (19), that of the hypothesis",
        f"at 20 random states its rows and those of (19) differ by at most {gap:.0e} of their terms",
        agrees(gap < 1e-8),
    )


def _jacobian(params: Array, x: Array, alpha: float) -> Array:
    """By x and alpha x', (4, 4), of E1's equations in a formulation that `params` hold, at rates 0."""
    from robots.dynamics.flexible.kernels.inverse_dynamics import system

    J = np.empty((4, 4))
    system(AMID, x, np.zeros(4), alpha, params, np.empty(4), J)
    return J


def _rank(matrix: Array) -> int:
    """With the largest entry of each row 1, where it has one."""
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    return int(np.linalg.matrix_rank(matrix / np.where(largest > 1e-12, largest, 1.0), tol=1e-10))


def _by_rates(params: Array) -> Finding:
    """Where the twice differentiated equations determine the rates: not between two signs of the determinant."""

    def matrix(q: Array) -> Array:
        x = np.append(q, [0.0, 0.0])
        return _jacobian(params, x, 1.0) - _jacobian(params, x, 0.0)

    postures = np.random.default_rng(7).uniform(-math.pi, math.pi, (POSTURES, 2))
    signs = np.array([np.linalg.slogdet(matrix(q))[0] for q in postures])
    full = sum(_rank(matrix(q)) == 4 for q in postures)
    at, other = (postures[signs == sign][0] for sign in (1.0, -1.0))
    for _ in range(BISECTIONS):
        middle = 0.5 * (at + other)
        at, other = (middle, other) if np.linalg.slogdet(matrix(middle))[0] == 1.0 else (at, middle)
    between = _rank(matrix(at))
    return Finding(
        "section 5.1.1, Jacobian",
        "by its rates the twice differentiated system is not singular for most x",
        f"rank 4 of 4 at {full} of {POSTURES} random postures; its determinant is below 0 at "
        f"{100.0 * np.mean(signs < 0.0):.0f} % of them, and rank {between} on a curve between, "
        f"as at q = ({at[0]:.3f}, {at[1]:.3f}) rad",
        agrees(full == POSTURES and between < 4),
    )


def _by_states(params: Array) -> Finding:
    """The rank of the constraint and its derivative by x, also where both links stand upright."""
    draw = np.random.default_rng(8)
    states = np.hstack([draw.uniform(-math.pi, math.pi, (POSTURES, 2)), draw.uniform(-1.0, 1.0, (POSTURES, 2))])
    full = sum(_rank(_jacobian(params, x, 0.0)[2:]) == 2 for x in states)
    upright = _rank(_jacobian(params, np.array([math.pi / 2.0, 0.0, 1.0, 1.0]), 0.0)[2:])
    return Finding(
        "section 5.1.1, footnote 2",
        "the constraint and its derivative have not full rank by x everywhere",
        f"rank 2 of 2 at {full} of {POSTURES} random states, {upright} where both links stand upright and move",
        agrees(full == POSTURES and upright < 2),
    )


def _balance(usual: Run) -> Finding:
    """The index with and without the motor's balance, whose torque nothing else contains, of E1 linearised at rest."""
    build, rest = usual.robot.build(usual.scenario), usual.robot.guess(usual.scenario)  # type: ignore[attr-defined]
    arm = linearise(build, rest)
    n, motors, outputs = build.coordinates, arm.inputs.shape[1], len(arm.outputs)
    size = 2 * n + motors
    by_rates, by_states = np.zeros((2 * n + outputs, size)), np.zeros((2 * n + outputs, size))
    by_rates[:n, :n], by_states[:n, n : 2 * n] = np.eye(n), -np.eye(n)
    by_rates[n : 2 * n, n : 2 * n] = arm.mass
    by_states[n : 2 * n] = np.hstack([arm.stiffness, arm.damping, -arm.inputs])
    by_states[2 * n :, :n] = arm.outputs
    kept = [row for row in range(2 * n + outputs) if not by_states[row, 2 * n :].any()]
    whole = index_of(by_rates, by_states, RATE)
    reduced = index_of(by_rates[kept, : 2 * n], by_states[kept, : 2 * n], RATE)
    return Finding(
        "section 5, motor's balance",
        "without the motor's torque balance the index is one lower: E1's falls from 3 to 2",
        f"index {whole} with it and {reduced} without, of E1 linearised at rest, by the ranks of a pencil's powers",
        agrees((whole, reduced) == (3, 2)),
    )


def _complete() -> Finding:
    """The index numbers of the complete model."""
    scenario = find_preset("e1-complete")
    robot = robot_of(scenario)
    build, move, rest = robot.build(scenario), robot.move(scenario), robot.guess(scenario)  # type: ignore[attr-defined]
    numbers = index_numbers(build, move, rest, AMID)
    return Finding(
        "section 5.1.2",
        "the complete E1 has two algebraic and two differential variables and strangeness index 1",
        numbers.text,
        agrees((numbers.strangeness, numbers.algebraic, numbers.differential) == (1, 2, 2)),
    )


def _solvers(ida: Sequence[Row]) -> Finding:
    """Solvers of variable step and order."""
    solved = [str(row[0]) for row in ida if str(row[1]) == "finished"]
    return Finding(
        "section 8, solvers",
        "no commercial solver that solves these systems has been found; all that were tried vary step and order",
        f"IDA, which varies both, solves E1 as {', '.join(solved)}" if solved else "IDA solves none of E1's forms",
        NOT_COMPARABLE,
        "IDA is free and current. That step and order vary is no obstacle: the paper itself solves DD by ode15i",
    )
