"""What paper 4 says of constrained systems and their derivatives before it integrates them, judged along a motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robots.dynamics.multibody.partition import constraints, dependent_coordinates, gauss_jordan
from robots.dynamics.multibody.reduction import GROWTH, MultibodyProblem, at_state, condition, reduce, reduced_mass
from robots.dynamics.multibody.system import Body, System, dot_1, point, revolute
from robots.model.robot import Array
from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.scenario.presets import find_preset
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._claims.pencil import index_of
from robots.studies._runs import preset_run
from solvers.problem import OdeProblem

PLACES = 8
"""Instants of the motion at which matrices are judged."""
REACH = 1e-4
"""Of the differences that derivatives are compared with, times 1 or the component."""
EXACT = 1e-9
"""Rounding leaves less between a derivative and such differences, relative to the largest entry of a row."""
NODES, ALONG, NEWTON, ROUNDING = 33, 0.1, 12, 1e-14
"""Points of a line of coordinates, half its length, Newton's iterations at each point, and what rounding leaves."""
GROWTHS = (1.05, GROWTH, 2.0, 10.0)


def along(run: Run) -> tuple[Finding, ...]:
    """Independent constraints, a positive definite mass matrix, exact derivatives."""
    problem = run.robot.problem(run.scenario)
    assert isinstance(problem, MultibodyProblem)
    system, ranks, masses, gaps = problem.system, [], [], []
    for k in np.linspace(0, len(run.t) - 1, PLACES).astype(int):
        state = run.y[k]
        sizes = np.linalg.svd(constraints(system, state[: system.coordinates])[1], compute_uv=False)
        ranks.append(sizes[-1] / sizes[0])
        reduced = reduce(replace(problem, initial=state))
        masses.append(np.linalg.eigvalsh(reduced_mass(system, state, reduced))[[0, -1]])
        gaps.append(_gap(system, state, reduced, float(run.t[k])))
    least, most = np.min(masses), np.max(masses)
    return (
        Finding(
            "section 1, constraints",
            "the constraints are independent: their Jacobian has full row rank",
            f"at {PLACES} instants of the motion its least singular value is {min(ranks):.1g} of the largest or more",
            agrees(min(ranks) > 1e-6),
        ),
        Finding(
            "lemma 1.1",
            "the mass matrix of the independent coordinates is positive definite",
            f"its eigenvalues lie between {least:.2g} and {most:.2g} at these instants",
            agrees(bool(least > 0.0)),
        ),
        Finding(
            "equations (31), (35)",
            "they give the exact derivatives of the accelerations, with those of constraints up to order 3",
            f"off differences of order 4 by less than {EXACT:.0e} of the largest entry of a row",
            agrees(max(gaps) < EXACT),
        ),
    )


def _gap(system: System, state: Array, reduced: OdeProblem, t: float) -> float:
    """How far the Jacobian is from differences of the right-hand side, relative to the largest entry of a row."""
    d = len(reduced.initial)
    exact, rough = np.empty((d, d)), np.empty((d, d))
    y, params = at_state(system, state, reduced)
    assert reduced.jacobian is not None
    reduced.jacobian(t, y, params, exact)
    for k in range(d):
        reach = REACH * max(1.0, abs(y[k]))
        values = []
        for share in (-2.0, -1.0, 1.0, 2.0):
            moved, out = y.copy(), np.empty(d)
            moved[k] += share * reach
            reduced.rhs(t, moved, at_state(system, state, reduced)[1], out)
            values.append(out)
        rough[:, k] = (values[0] - 8.0 * values[1] + 8.0 * values[2] - values[3]) / (12.0 * reach)
    return float(np.max(np.abs(exact - rough).max(axis=1) / np.abs(exact).max(axis=1)))


def pendulum() -> tuple[Finding, ...]:
    """What paper 4 says of all constrained systems, on its pendulum."""
    run = preset_run("double-pendulum-rest", task__form="cartesian")
    return (_index(run), *along(run), _implicit(run), _timeless(run), _joints(), _drift(), _partition(run))


def _index(run: Run) -> Finding:
    """The index of the constrained equations at the start, whose leading terms alone decide it."""
    system = run.robot.problem(run.scenario).system  # type: ignore[union-attr]
    place = run.y[0, : system.coordinates]
    phi, n = constraints(system, place)[1], system.coordinates
    m, found = len(phi), []
    for times in range(3):
        by_rates, by_states = np.zeros((2 * n + m, 2 * n + m)), np.zeros((2 * n + m, 2 * n + m))
        by_rates[:n, :n], by_states[:n, n : 2 * n] = np.eye(n), -np.eye(n)
        by_rates[n : 2 * n, n : 2 * n], by_states[n : 2 * n, 2 * n :] = _mass(system, place), phi.T
        target = by_rates if times == 2 else by_states
        target[2 * n :, slice(n, 2 * n) if times else slice(0, n)] = phi
        found.append(index_of(by_rates, by_states, 1.0))
    return Finding(
        "section 1, index",
        "the constrained equations of motion are differential-algebraic of index 3",
        f"at the pendulum's start {found[0]}; with the constraints differentiated once {found[1]}, twice {found[2]}, "
        "by the ranks of a pencil's powers",
        agrees(found[0] == 3),
    )


def _mass(system: System, place: Array) -> Array:
    """The mass matrix of positions and Euler parameters, (n, n)."""
    mass = np.zeros((system.coordinates, system.coordinates))
    for k, body in enumerate(system.bodies):
        e0, e1, e2, e3 = place[7 * k + 3 : 7 * k + 7]
        spin = 2.0 * np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])
        mass[7 * k : 7 * k + 3, 7 * k : 7 * k + 3] = body.mass * np.eye(3)
        mass[7 * k + 3 : 7 * k + 7, 7 * k + 3 : 7 * k + 7] = spin.T @ np.diag(body.inertia) @ spin
    return mass


def _implicit(run: Run) -> Finding:
    """How fast the Chebyshev coefficients of the dependent coordinates fall along a line of independent ones.

    The constraints are polynomials, so the dependent coordinates must be analytic: geometrically.
    """
    system = run.robot.problem(run.scenario).system  # type: ignore[union-attr]
    start = run.y[0, : system.coordinates]
    dependent = dependent_coordinates(system, start)
    independent = [k for k in range(system.coordinates) if k not in dependent]
    values = []
    for place in np.polynomial.chebyshev.chebpts1(NODES):
        q = start.copy()
        q[independent] += ALONG * place
        for _ in range(NEWTON):
            phi, gradient = constraints(system, q)
            q[dependent] -= np.linalg.solve(gradient[:, dependent], phi)
        values.append(q[dependent])
    nodes = np.polynomial.chebyshev.chebpts1(NODES)
    sizes = np.abs(np.polynomial.chebyshev.chebfit(nodes, np.array(values), NODES - 1)).max(axis=1)
    last = int(np.argmax(sizes < ROUNDING))
    return Finding(
        "equation (8)",
        "the dependent coordinates are functions of the independent ones, with as many derivatives as the constraints "
        "have, which are polynomials",
        f"solved at {NODES} points over {2 * ALONG:g} of each independent coordinate, the coefficients of their "
        f"Chebyshev series fall below {ROUNDING:g} at about degree {last}",
        agrees(0 < last < NODES // 2 and float(sizes[last:].max()) < 10.0 * ROUNDING),
    )


def _timeless(run: Run) -> Finding:
    """Whether the accelerations of a system without moving parts outside depend on time."""
    problem = run.robot.problem(run.scenario)
    assert isinstance(problem, MultibodyProblem)
    reduced = reduce(problem)
    outs = []
    for t in (0.0, 1.0):
        out = np.empty(len(reduced.initial))
        reduced.rhs(t, reduced.initial, reduced.params.copy(), out)
        outs.append(out)
    change = float(np.abs(outs[1] - outs[0]).max())
    return Finding(
        "equation (46)",
        "the derivative by time is 0 for a scleronomic system",
        f"the pendulum's accelerations at its start change by {change:g} within 1 s",
        agrees(change == 0.0),
    )


def _partition(run: Run) -> Finding:
    """How often a motion asks for other independent coordinates."""
    problem = run.robot.problem(run.scenario)
    assert isinstance(problem, MultibodyProblem)
    system, changes = problem.system, {}
    for growth in GROWTHS:
        reduced, changes[growth] = reduce(problem), 0
        limit = growth * condition(system, problem.initial, reduced)
        for state in run.y[1:]:
            if condition(system, state, reduced) > limit:
                reduced = reduce(replace(problem, initial=state))
                limit = growth * condition(system, state, reduced)
                changes[growth] += 1
    shown = ", ".join(str(count) for count in changes.values())
    return Finding(
        "section 4, step 14",
        "experiments showed that the partition should change where its condition number has grown by 25 %",
        f"the pendulum changes it {shown} times in {run.t_end:g} s if it may grow by "
        f"{', '.join(f'{100 * (growth - 1):.0f}' for growth in GROWTHS)} %",
        NOT_COMPARABLE,
        "the paper prints no experiment",
    )


def _joints() -> Finding:
    """The freedom that joints made of the primitives leave between two bodies at rest."""
    x, y, z = np.eye(3)
    middle = np.zeros(3)
    made = {
        "spherical": (point("joint", 0, 1, middle, middle), 3),
        "universal": ([*point("joint", 0, 1, middle, middle), *dot_1("cross", 0, 1, x, y)], 2),
        "revolute": (revolute("joint", 0, 1, middle, middle, z, z), 1),
    }
    bodies, left = tuple(Body(name, 1.0, (1.0, 1.0, 1.0)) for name in ("one", "other")), {}
    place = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 2)
    for name, (rows, _) in made.items():
        system = System(bodies, tuple(rows))
        left[name] = system.coordinates - len(gauss_jordan(constraints(system, place)[1])[0]) - 6
    return Finding(
        "section 3, joints",
        "one dot-1 and a point primitive make a universal joint, a point a spherical one, two dot-1 and a point a "
        "revolute one",
        f"between two bodies the spherical joint leaves {left['spherical']} degrees of freedom, the universal "
        f"{left['universal']}, the revolute {left['revolute']}, by the rank of the constraints",
        agrees(all(left[name] == wanted for name, (_, wanted) in made.items())),
    )


def _drift() -> Finding:
    """What becomes of constraints that only their second derivatives hold."""
    loose = find_preset("pendulum-drift")
    kept = loose.with_value("task.constraints", "partitioned")
    errors = {one: simulate(one).max_error for one in (loose, kept)}
    place, rate = (errors[loose][name] for name in ("constraint_m", "constraint_m_s"))
    partitioned = max(errors[kept][name] for name in ("constraint_m", "constraint_m_s"))
    return Finding(
        "section 1, numerical solutions",
        "numerical solutions of a part of the equations miss the others, which analytical ones satisfy",
        f"in 20 s of two rods without springs, RK4 at 20 ms loses the joints by {place:.1e} m and {rate:.1e} m/s; in "
        f"independent coordinates they stay to {partitioned:.0e}",
        agrees(place > 1e-6 > 1e-10 > partitioned and rate > 1e-6),
    )
