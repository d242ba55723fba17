"""What papers 4 and 5 say of equations, each by a second way that shares no formula with the study that judges it."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import sympy
from numba import njit

from robots.dynamics.flexible.analysis import linearise
from robots.dynamics.flexible.kernels.inverse_dynamics import system
from robots.dynamics.flexible.structure import Formulation, at_rest, pack
from robots.model.registry import robot_of
from robots.papers.finding import AGREES, Finding
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from robots.studies._claims import e1_theory, multibody_theory, rosenbrock_theory
from robots.studies._claims.pencil import index_of
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.kernels.signatures import JACOBIAN, RHS
from solvers.method_registry import find_method
from solvers.problem import OdeProblem

Judged = dict[str, Finding]


@pytest.fixture(scope="module")
def paper_4() -> Judged:
    return {one.figure: one for one in (*rosenbrock_theory.theory(), *multibody_theory.pendulum())}


@pytest.fixture(scope="module")
def paper_5() -> Judged:
    return {one.figure: one for one in e1_theory.theory(simulate(find_preset("e1")), ())}


# -- paper 4 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1, 2, 3, 4])
def test_the_index_of_equations_is_that_of_the_nilpotent_part_they_were_made_of(index: int) -> None:
    draw, free = np.random.default_rng(index), 3
    size = free + index + (index > 2)
    by_rates, by_states = np.eye(size), np.eye(size)
    by_states[:free, :free] = draw.normal(size=(free, free))
    by_rates[free:, free:] = 0.0
    for k in range(index - 1):
        by_rates[free + k, free + k + 1] = 1.0
    left, right = (np.linalg.qr(draw.normal(size=(size, size)))[0] for _ in range(2))
    rows = 10.0 ** draw.uniform(-5.0, 5.0, (size, 1))
    assert index_of(rows * (left @ by_rates @ right), rows * (left @ by_states @ right), 2.0) == index


def test_each_differentiation_of_the_constraints_takes_one_from_the_index(paper_4: Judged, paper_5: Judged) -> None:
    assert re.findall(r"(?:start|once|twice) (\d)", paper_4["section 1, index"].ours) == ["3", "2", "1"]
    assert "index 3 with it and 2 without" in paper_5["section 5, motor's balance"].ours


@njit(RHS)
def products(t, y, params, dy):
    n = len(y)
    for k in range(n):
        dy[k] = 1.0
        for j in range(n):
            if params[k * n + j] > 0.0:
                dy[k] *= y[j]


@njit(JACOBIAN)
def slopes(t, y, params, J):
    n = len(y)
    for k in range(n):
        for j in range(n):
            J[k, j] = params[k * n + j]
            for i in range(n):
                if i != j and params[k * n + i] > 0.0:
                    J[k, j] *= y[i]


def missed_by_a_step(tree: str) -> float:
    """How far a step of 1 s misses the equations whose solution is one tree alone: y' is the product of the branches.

    From 0, the method's result is the tree's elementary weight, and the solution at 1 s is 1 over its density.
    """
    parents, open_ones = list[int](), list[int]()
    for letter in tree:
        if letter == "]":
            open_ones.pop()
            continue
        parents.append(open_ones[-1] if open_ones else -1)
        if letter == "[":
            open_ones.append(len(parents) - 1)
    n = len(parents)
    below = np.zeros((n, n))
    for k, parent in enumerate(parents[1:], 1):
        below[parent, k] = 1.0
    sizes, exact = [1] * n, [Fraction(1)] * n
    for k in reversed(range(n)):
        exact[k] /= sizes[k]
        if k:
            sizes[parents[k]] += sizes[k]
            exact[parents[k]] *= exact[k]
    problem = OdeProblem(
        rhs=products,
        initial=np.zeros(n),
        t0=0.0,
        t1=1.0,
        params=below.ravel(),
        names=tuple(f"y{k}" for k in range(n)),
        units=("",) * n,
        jacobian=slopes,
    )
    return abs(float(integrate(problem, find_method("rosenbrock"), FixedStep(1.0)).y[-1, 0]) - float(exact[0]))


def test_the_formula_meets_the_conditions_of_order_5_that_are_counted(paper_4: Judged) -> None:
    nine = ["[tttt]", "[tt[t]]", "[t[tt]]", "[t[[t]]]", "[[t][t]]", "[[ttt]]", "[[t[t]]]", "[[[tt]]]", "[[[[t]]]]"]
    missed = {tree: missed_by_a_step(tree) for tree in nine}
    held, others = paper_4["equations (40), (41)"].ours.split("; ")
    said = set(re.findall(r"\[\S+\]", held))
    assert said == {tree for tree, gap in missed.items() if gap < 1e-13}
    least = float(re.findall(r"[\d.]+e-\d+", others)[0])
    assert min(gap for tree, gap in missed.items() if tree not in said) == pytest.approx(least, rel=0.1)
    assert all(missed_by_a_step(tree) < 1e-13 for tree in ("[t]", "[tt]", "[[t]]", "[ttt]", "[t[t]]", "[[tt]]"))


def test_the_stages_of_theorem_2_1_are_those_of_the_untransformed_formula(paper_4: Judged) -> None:
    """Stages by (11b), and by (25f) with the printed table, on v' = J1 q + J2 v + c: J1 multiplies sums of them."""
    draw, h, n = np.random.default_rng(4), 0.1, 3
    J1, J2 = draw.normal(size=(2, n, n))
    q, v, c = draw.normal(size=(3, n))
    alpha, gamma = (np.array(one, dtype=float) for one in rosenbrock_theory.printed())
    whole = np.block([[np.zeros((n, n)), np.eye(n)], [J1, J2]])
    k = np.zeros((4, 2 * n))
    for i in range(4):
        y = np.concatenate([q, v]) + alpha[i] @ k
        right = h * (whole @ y + np.concatenate([np.zeros(n), c])) + h * whole @ (gamma[i, :i] @ k[:i])
        k[i] = np.linalg.solve(np.eye(2 * n) - h * gamma[i, i] * whole, right)
    wanted = gamma @ k[:, n:]
    table = {name: np.zeros((4, 4)) for name in ("theta", "a", "c", "delta")}
    for name, matrix in table.items():
        for i, row in enumerate(rosenbrock_theory.TRANSFORMED[name], 1):
            matrix[i, :i] = row
    table["a"][1, 0] = 2.0
    g = gamma[0, 0]
    S = np.eye(n) - h * g * J2 - (h * g) ** 2 * J1
    gaps = {}
    for with_j1 in (True, False):
        z = np.zeros((4, n))
        for i in range(4):
            q_i = q + h * alpha[i].sum() * v + h * table["theta"][i] @ z
            force = J1 @ q_i + J2 @ (v + table["a"][i] @ z) + c
            right = h * g * force + h * h * g * gamma[i].sum() * J1 @ v + g * table["c"][i] @ z
            z[i] = np.linalg.solve(S, right + with_j1 * h * h * g * J1 @ (table["delta"][i] @ z))
        gaps[with_j1] = [float(np.abs(z[i] - wanted[i]).max()) for i in range(4)]
    assert max(gaps[True]) < 1e-13
    touched = sum(gap > 1e-6 for gap in gaps[False])
    assert f"J1 is left in {touched} of 4 stages" in paper_4["section 2, transformation"].ours


def test_newtons_matrix_of_a_multi_step_formula_is_that_of_the_stages(paper_4: Judged) -> None:
    """By differences of what a BDF formula demands of the new rates, positions inserted, on the stiff pendulum."""
    scenario = find_preset("double-pendulum-rest")
    equations = robot_of(scenario).problem(scenario)
    assert isinstance(equations, OdeProblem)
    assert equations.jacobian is not None
    y, n = equations.initial, equations.positions
    J = np.empty((2 * n, 2 * n))
    equations.jacobian(0.0, y, equations.params.copy(), J)

    def demanded(rates: np.ndarray, g: float) -> np.ndarray:
        out = np.empty(2 * n)
        state = np.concatenate([y[:n] + g * (rates - y[n:]), rates])
        equations.rhs(0.0, state, equations.params.copy(), out)
        return rates - g * out[n:]

    for k in range(1, 7):
        g = 1e-3 / sum(1.0 / j for j in range(1, k + 1))
        stage, rough = np.eye(n) - g * J[n:, n:] - g * g * J[n:, :n], np.empty((n, n))
        for j in range(n):
            by = np.zeros(n)
            by[j] = 1e-4
            rough[:, j] = (demanded(y[n:] + by, g) - demanded(y[n:] - by, g)) / 2e-4
        assert rough == pytest.approx(stage, rel=1e-6, abs=1e-6 * float(np.abs(stage).max()))
    assert paper_4["equation (44)"].verdict == AGREES


def test_dependent_coordinates_are_smooth_up_to_where_a_rod_stands_upright(paper_4: Judged) -> None:
    """Of heights z, a rod's other coordinates have their nearest singular point where z reaches the rod's length.

    Chebyshev coefficients fall as that point's ellipse demands, 1 / rho^n.
    """
    half, second, along, height = 1.0, 1.5, 0.1, 1.5 * math.sin(23.0 * math.pi / 12.0)
    places = [half / along, (second - abs(height)) / along]
    rho = min(place + math.sqrt(place * place - 1.0) for place in places)
    degree = int(re.findall(r"degree (\d+)", paper_4["equation (8)"].ours)[0])
    assert degree == pytest.approx(14.0 / math.log10(rho), abs=1.0)


# -- paper 5 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "changes", "degree"), [("e1", {}, 2), ("e12", {}, 3), ("e12", {"d": 0.0}, 4)])
def test_the_torque_contains_as_many_derivatives_as_the_tool_lags_behind_it(
    key: str, changes: dict[str, float], degree: int, paper_5: Judged
) -> None:
    """The relative degree, by the first of the products C A^k B that is not 0."""
    damping = {f"robot.d{k}": changes["d"] for k in (1, 2, 3) if "d" in changes}
    scenario = find_preset(key).with_values(damping)
    robot = robot_of(scenario)
    build, move = robot.build(scenario), robot.move(scenario)  # type: ignore[attr-defined]
    arm = linearise(build, at_rest(build, move.start, robot.guess(scenario))[0])  # type: ignore[attr-defined]
    n = len(arm.mass)
    once = np.linalg.solve(arm.mass, np.hstack([-arm.stiffness, -arm.damping, arm.inputs]))
    state = np.vstack([np.zeros((n, arm.inputs.shape[1])), once[:, 2 * n :]])
    A, lag = np.block([[np.zeros((n, n)), np.eye(n)], [once[:, : 2 * n]]]), 1
    while np.abs(arm.outputs @ state[:n]).max() <= 1e-12 * np.abs(state).max():
        state, lag = A @ state, lag + 1
    assert lag == degree
    if not changes:
        said = dict(re.findall(r"(E\d+), .*?power of ([\d.]+)", paper_5["section 7.1, smoothness"].ours))
        assert float(said[key.upper()]) == pytest.approx(lag, abs=0.01)


HEIGHT = math.sqrt(2.0)


def e1_reference(s: Any) -> Any:
    """The paper's polynomial for E1: five derivatives vanish at both ends. s: share of the move."""
    shape = 462 * s**6 - 1980 * s**7 + 3465 * s**8 - 3080 * s**9 + 1386 * s**10 - 252 * s**11
    return HEIGHT + 0.1 * shape


def test_the_elbows_rate_as_dummy_derivative_leaves_the_papers_rows(paper_5: Judged) -> None:
    """The rows by differentiating the paper's constraint in symbols, with the paper's numbers."""
    t = sympy.Symbol("t")
    q1, q2 = (sympy.Function(name)(t) for name in ("q1", "q2"))
    x, rates = sympy.symbols("x1:5"), sympy.symbols("r1:5")
    constraint = sympy.sin(q1) + sympy.sin(q1 + q2) - e1_reference(t / sympy.Rational(1, 10))
    values: Any = {q1.diff(t): x[2], q2.diff(t): x[3]}
    rows = sympy.Matrix(
        [
            700 * rates[2] + 600 * rates[3] + 1e6 * x[1] + 1e3 * x[3],
            rates[0] - x[2],
            constraint.subs({q1: x[0], q2: x[1]}),
            constraint.diff(t).subs(values).subs({q1: x[0], q2: x[1]}),
        ]
    )
    exact = sympy.lambdify([t, x, rates], rows)
    scenario = find_preset("e1")
    robot = robot_of(scenario)
    build, move = robot.build(scenario), robot.move(scenario)  # type: ignore[attr-defined]
    params = pack(build, move, Formulation("", "", (0, 1), (0, 0), drop_passive=True))
    draw = np.random.default_rng(6)
    for at in draw.uniform(0.0, 0.1, 10):
        state, rate, F = draw.uniform(-1.0, 1.0, 4), draw.uniform(-1.0, 1.0, 4), np.empty(4)
        system(at, state, rate, 0.0, params, F, np.empty((4, 4)))
        wanted = np.array(exact(at, state, rate), dtype=float).ravel()
        assert pytest.approx(wanted, rel=1e-9, abs=1e-9) == F
    assert paper_5["section 7.2.2"].verdict == AGREES


BDF6 = (147 / 60, -6.0, 15 / 2, -20 / 3, 15 / 4, -6 / 5, 1 / 6)


def bdf_step(before: list[np.ndarray], at: float, h: float) -> tuple[np.ndarray, np.ndarray]:
    """A step of (44) by BDF 6 to a time [s], written out and solved by scipy: states (4,) and their rates (4,)."""
    past = sum((w * old for w, old in zip(BDF6[1:], reversed(before[-6:]), strict=True)), np.zeros(4))
    goal, later, sooner = (e1_reference((at + by) / 0.1) for by in (0.0, 1e-7, -1e-7))

    def demanded(x: np.ndarray) -> list[float]:
        rate = (BDF6[0] * x + past) / h
        one, both = math.cos(x[0]), math.cos(x[0] + x[1])
        return [
            (700.0 * rate[2] + 600.0 * rate[3]) / 1e6 + x[1] + 1e-3 * x[3],
            rate[1] - x[3],
            math.sin(x[0]) + math.sin(x[0] + x[1]) - goal,
            one * x[2] + both * (x[2] + x[3]) - (later - sooner) / 2e-7,
        ]

    x = scipy.optimize.root(demanded, before[-1], tol=1e-13).x
    return x, (BDF6[0] * x + past) / h


def test_the_torques_of_an_inconsistent_start(paper_5: Judged) -> None:
    """Before the start the arm rested where it starts; the torque is J11 x3' + J12 x4'."""
    h, found = 1e-3, []
    for place in (None, 1, 3):
        start = np.array([math.pi / 4.0, 0.0, 0.0, 0.0])
        if place is not None:
            start[place] += 1e-3
        kept, torques = [start] * 6, []
        for step in (1, 2):
            x, rate = bdf_step(kept, step * h, h)
            kept.append(x)
            torques.append(abs(1000.0 * rate[2] + 700.0 * rate[3]))
        found.append(max(torques))
    said = re.findall(r"([\d.e+]+) N m", paper_5["section 7.1, consistency"].ours)
    assert [float(one) for one in said] == pytest.approx(found, rel=0.02)
