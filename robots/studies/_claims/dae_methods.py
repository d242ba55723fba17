"""What paper 5 says of methods for differential-algebraic equations, section 6 above all, judged on its own arms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from robots.dynamics.flexible.index import index_numbers
from robots.dynamics.flexible.structure import state_rates
from robots.model.endings import ending
from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.scenario.presets import find_preset
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._runs import preset_run
from robots.sweeps.observed import fitted_power
from solvers.dae_problem import DaeProblem
from solvers.methods.bdf import derivative_weights

PRINTED = {
    1: "1 -1",
    2: "3/2 -2 1/2",
    3: "11/6 -3 3/2 -1/3",
    4: "25/12 -4 3 -4/3 1/4",
    5: "137/60 -5 5 -10/3 5/4 -1/5",
    6: "147/60 -6 15/2 -20/3 15/4 -6/5 1/6",
}
"""alpha_0 to alpha_k of the BDF formulas."""
STEPS = (2e-3, 1e-3, 5e-4)
"""Of the runs that show how fast BDF 3 converges [s]."""
EULER_STEPS = (4e-3, 2e-3, 1e-3)
"""Of the runs that show how fast forward Euler converges [s]."""
SHORT = 1e-4
NUDGE = 1e-6
"""Of the difference that gives the reference's speed [s]."""
IDA_TIME = 0.3e-3
"""The paper's execution time of ode15i with DD [s]."""


def e1(usual: Run, ida_seconds: float) -> tuple[Finding, ...]:
    """The findings on E1, of a run of it as published, and IDA's time for (44) [s]."""
    return (
        _formulas(),
        _converges(),
        forward_euler(),
        _scaled(usual),
        _overdetermined(),
        *_reduced(usual),
        _drift(),
        _array(usual),
        *_jacobians(usual),
        _along(usual),
        _start(usual),
        _time(ida_seconds),
    )


def e12(usual: Run) -> tuple[Finding, ...]:
    """The findings on E12, of a run of it as published."""
    found = {form: by_highest(usual, form) for form in ("I3", "I2", "I1")}
    sizes = {form: problem(usual, form).dimension for form in found}
    shown = ", ".join(f"{form} {_said(ranks)} of {sizes[form]}" for form, ranks in found.items())
    reduced = problem(usual, "I1")
    names = [name for name, bare in zip(reduced.names, reduced.algebraic, strict=True) if bare and name[0] != "w"]
    build = usual.robot.build(usual.scenario)  # type: ignore[attr-defined]
    motors, passive = build.actuated, build.joints - build.actuated
    return (
        Finding(
            "section 5.2.3, ranks",
            "by the highest derivatives (32) and (33) are singular and (34) is not",
            f"ranks along the motion: {shown}",
            agrees(all((ranks == {sizes[form]}) == (form == "I1") for form, ranks in found.items())),
        ),
        Finding(
            "section 5.2.3, variables",
            "x1, x2, x6, x7, x9, x10 can be algebraic, the other four are differential",
            f"(34) lacks the derivatives of {', '.join(names)}",
            agrees(names == ["q1", "q2", "v1", "v2", "v4", "v5"]),
        ),
        Finding(
            "section 2, degrees of freedom",
            "N motors and M passive joints make 2 N + M degrees of freedom",
            f"E12 has {motors} motors and {passive} passive joint: {build.coordinates}",
            agrees(build.coordinates == 2 * motors + passive),
        ),
        Finding(
            "section 3, other programs",
            "Dymola and Maple solve no such system with more than five degrees of freedom, the authors one with twelve",
            f"E12 has {build.coordinates}",
            NOT_COMPARABLE,
            "the paper prints no such model, and these programs are not here",
        ),
    )


def problem(run: Run, form: str) -> DaeProblem:
    """The equations of the run's arm in a formulation."""
    found = run.robot.problem(run.scenario.with_value("task.formulation", form))
    assert isinstance(found, DaeProblem)
    return found


def by_highest(run: Run, form: str) -> set[int]:
    """The ranks along a motion of the derivative by the highest derivative of each unknown, as (46).

    Unknowns that only a formulation has, dummy derivatives, take part in no product: they are 0 here.
    """
    equations = problem(run, form)
    n, step = equations.dimension, run.scenario.step
    assert step is not None
    rates, ranks = state_rates(run.y, 6, step), set()
    for k in range(0, len(run.t), max(1, len(run.t) // 20)):
        x, rate, matrices = np.zeros(n), np.zeros(n), []
        known = min(n, run.y.shape[1])
        x[:known], rate[:known] = run.y[k, :known], rates[k, :known]
        for alpha in (0.0, 1.0):
            F, J = np.empty(n), np.empty((n, n))
            equations.system(float(run.t[k]), x, rate, alpha, equations.params.copy(), F, J)
            matrices.append(J)
        highest = np.where(equations.algebraic, matrices[0], matrices[1] - matrices[0])
        largest = np.abs(highest).max(axis=1, keepdims=True)
        ranks.add(int(np.linalg.matrix_rank(highest / np.where(largest > 0.0, largest, 1.0), tol=1e-10)))
    return ranks


def _said(ranks: set[int]) -> str:
    return " or ".join(map(str, sorted(ranks)))


def _joints(run: Run) -> float:
    """The largest error of the joints [rad]."""
    exact = reference(run.scenario)
    assert exact is not None
    return compare_with_reference(run, exact).max["reference_q_rad"]


def _formulas() -> Finding:
    """The printed coefficients, and the root condition of every formula."""
    same = all(
        np.allclose(derivative_weights(k, 1.0), [float(Fraction(one)) for one in row.split()], rtol=1e-14)
        for k, row in PRINTED.items()
    )
    largest = {}
    for k in range(1, 8):
        roots = np.roots(derivative_weights(k, 1.0)) if k <= 6 else np.roots(_seventh())
        largest[k] = float(np.sort(np.abs(roots))[-2]) if k > 1 else 0.0
    stable = [k for k, root in largest.items() if root < 1.0]
    return Finding(
        "section 6, BDF",
        "BDF are stable for 1 <= k <= 6, with the printed coefficients",
        f"our coefficients are {'the printed ones' if same else 'others'}; except for 1, their largest root is "
        f"{largest[6]:.3f} with k = 6 and {largest[7]:.3f} with k = 7",
        agrees(same and stable == list(range(1, 7))),
    )


def _seventh() -> list[float]:
    """The coefficients of seven steps: sum over l of (1 - z)^l / l."""
    total = np.zeros(8)
    for l in range(1, 8):
        total[: l + 1] += np.array([float(one) for one in np.poly1d([-1.0, 1.0]) ** l])[::-1] / l
    return list(total)


def _converges() -> Finding:
    """Whether a BDF formula converges on the original equations."""
    errors = [_joints(preset_run("e1", method="bdf3", step=step, task__formulation="HI")) for step in STEPS]
    power = fitted_power(STEPS, errors)
    return Finding(
        "section 6.1, convergence",
        "BDF converge for some classes of equations of a high index",
        f"on (40), of index 2, the joints of BDF 3 err with the power {power:.2f} of the step",
        agrees(abs(power - 3.0) < 0.2),
    )


def forward_euler() -> Finding:
    """How fast Euler's method converges on a form of index 1 whose algebraic unknowns are solved for in every step."""
    setting = {"duration": 1.0, "task.constraints": "index1"}
    exact = preset_run("pendulum-drift", setting, step=0.25 * EULER_STEPS[-1]).tip()[-1]
    ends = [preset_run("pendulum-drift", setting, method="euler", step=step).tip()[-1] for step in EULER_STEPS]
    errors = [float(np.linalg.norm(end - exact)) for end in ends]
    power = fitted_power(EULER_STEPS, errors)
    return Finding(
        "section 4.1, forward Euler",
        "equations of index 1 can be solved by steps of forward Euler, each followed by solving the algebraic ones",
        f"two rods on joints, accelerations and the joints' forces solved for at every step: after 1 s the tip errs by "
        f"{', '.join(f'{error:.3g}' for error in errors)} m with steps of "
        f"{', '.join(f'{1e3 * step:g}' for step in EULER_STEPS)} ms, the power {power:.2f} of the step",
        agrees(abs(power - 1.0) < 0.2),
    )


def _scaled(usual: Run) -> Finding:
    """The condition number of the original equations, with and without their constraint divided by the step."""
    plain, scaled = (
        float(np.nanmedian(simulate(usual.scenario.with_values(values)).log.condition))
        for values in ({"step": SHORT, "task.formulation": "HI", "task.scale_position": power} for power in (0.0, 1.0))
    )
    return Finding(
        "section 7.2.1, scaling",
        "dividing the algebraic equation by the step makes the Jacobian (41) better conditioned",
        f"at {1e3 * SHORT:g} ms its condition number falls from {plain:.0e} to {scaled:.0e}",
        agrees(scaled < 0.1 * plain),
    )


def _overdetermined() -> Finding:
    """By how much steps that keep the constraint miss its derivative."""
    run = preset_run("e1", step=0.005, task__formulation="HI")
    build = run.robot.build(run.scenario)  # type: ignore[attr-defined]
    speeds = np.array([build.tool(y[:2], y[2:4])[0][1, 1] for y in run.y])
    after, before = (run.robot.wanted(run.scenario, run.t + by)[:, 1] for by in (NUDGE, -NUDGE))  # type: ignore[attr-defined]
    missed = float(np.abs(speeds - (after - before) / (2.0 * NUDGE)).max())
    return Finding(
        "section 6.2, all equations",
        "with all differentiated equations kept, a discretised system has more equations than it can satisfy",
        f"BDF 6 at 5 ms on (40) keeps the height to {run.max_error['tool_m']:.0e} m and then misses its derivative by "
        f"{1e3 * missed:.2g} mm/s",
        agrees(missed > 1e3 * run.max_error["tool_m"]),
    )


def _reduced(usual: Run) -> tuple[Finding, ...]:
    """What dummy derivatives keep, and how large the systems are."""
    kept = {form: preset_run("e1", task__formulation=form).max_error["tool_m"] for form in ("DD43", "DD44", "DD49")}
    sizes = {form: problem(usual, form).dimension for form in ("DD43", "DD44")}
    return (
        Finding(
            "section 6.2, dummy derivatives",
            "with them the original constraints are kept, and the system is determined",
            f"DD43, DD44 and DD49 have as many equations as unknowns, and the tool keeps its height to "
            f"{max(kept.values()):.0e} m",
            agrees(max(kept.values()) < 1e-12),
        ),
        Finding(
            "section 6.2, minimal extension",
            "dummy derivatives give a larger system than necessary",
            f"(43) has {sizes['DD43']} unknowns, (44) {sizes['DD44']} for the same motion",
            agrees(sizes["DD43"] > sizes["DD44"]),
        ),
    )


def _drift() -> Finding:
    """Constraints that only their derivatives hold, in the laboratory of the constrained pendulum."""
    start = find_preset("pendulum-drift")
    ways = {"index1": "index 1", "baumgarte": "with Baumgarte's terms", "projected": "projected"}
    lost = {
        said: simulate(start.with_value("task.constraints", way)).max_error["constraint_m"]
        for way, said in ways.items()
    }
    return Finding(
        "section 6.2, drift-off",
        "where derivatives replace the constraints, the solution drifts from them; stabilisation helps",
        "two rods in 20 s by RK4 at 20 ms: " + ", ".join(f"{said} {gap:.0e} m" for said, gap in lost.items()),
        agrees(lost["index 1"] > 100.0 * lost["with Baumgarte's terms"] > 1e4 * lost["projected"]),
    )


def _array(usual: Run) -> Finding:
    """The derivative array's solution beside that of the original equations, by fine steps."""
    errors = {form: _joints(simulate(usual.scenario.with_value("task.formulation", form))) for form in ("KM", "HI")}
    return Finding(
        "section 6.3",
        "the underdetermined system (38) has the solution of the original equations",
        f"BDF 6 at 1 ms: the joints err by {errors['KM']:.1e} rad with (38) and by {errors['HI']:.1e} rad with (40)",
        agrees(max(errors.values()) < 1e-6),
    )


def _jacobians(usual: Run) -> tuple[Finding, ...]:
    """What the derivatives by the highest derivatives and the discretised ones say of (44), (48) and (49)."""
    ranks = {form: by_highest(usual, form) for form in ("DD44", "DD48", "DD49")}
    solved = preset_run("e1", task__formulation="DD44")
    failed = preset_run("e1", task__formulation="DD48")
    return (
        Finding(
            "equation (46)",
            "by its highest derivatives (44) is singular, and yet it is solved: they do not show solvability",
            f"rank {_said(ranks['DD44'])} of 4 along the motion; BDF 6 at 1 ms: {ending(solved.status)}",
            agrees(ranks["DD44"] == {3} and solved.status.ok),
        ),
        Finding(
            "equation (48), ranks",
            "by its highest derivatives (48) is not singular",
            f"rank 4 of 4 while the arm moves, {min(ranks['DD48'])} at rest, where it starts",
            agrees(ranks["DD48"] == {4}, ranks["DD48"] == {3, 4}),
            "at rest the constraint's derivative does not depend on the joints; this is why (48) gives no solution",
            where="while the arm moves",
        ),
        Finding(
            "equation (49), ranks",
            "by its highest derivatives (49) is not singular",
            f"rank {_said(ranks['DD49'])} of 4 along the motion",
            agrees(ranks["DD49"] == {4}),
        ),
        Finding(
            "section 7.2.5, analysis",
            "the Jacobian of the discretised equations shows whether they can be solved",
            f"that of (44) has a condition number of {np.nanmedian(solved.log.condition):.0e}, and (44) is solved; "
            f"(48): {ending(failed.status)}",
            agrees(solved.status.ok and not failed.status.ok),
        ),
    )


def _along(usual: Run) -> Finding:
    """The index numbers at several times."""
    robot, found = usual.robot, set()
    build, move = robot.build(usual.scenario), robot.move(usual.scenario)  # type: ignore[attr-defined]
    for t in np.linspace(0.0, usual.t_end, 7):
        guess = usual.sample(np.array([t]))[0, : build.joints]
        numbers = index_numbers(build, move, guess, float(t))
        found.add((numbers.strangeness, numbers.algebraic, numbers.differential))
    shown = " or ".join(", ".join(map(str, one)) for one in sorted(found))
    return Finding(
        "section 5.1.1, along the motion",
        "the ranks are probably not the same everywhere and must be found along the solution",
        f"mu, a, d = {shown} at seven times of the motion",
        NOT_COMPARABLE if len(found) == 1 else agrees(True),
        "they are the same wherever we looked, which does not show that they are everywhere",
    )


def _start(usual: Run) -> Finding:
    """The first torque."""
    first = float(usual.columns()["u1"][0])
    return Finding(
        "section 7.1",
        "without gravity the torque at the start is 0",
        f"u(0) = {first:g} N m",
        agrees(first == 0.0),
    )


def _time(ida_seconds: float) -> Finding:
    return Finding(
        "section 7.2.5, ode15i",
        f"ode15i solves DD in {1e3 * IDA_TIME:g} ms",
        f"IDA solves (44) in {1e3 * ida_seconds:.2g} ms",
        NOT_COMPARABLE,
        "another machine; beside its other times, 0.3 s is probably meant",
        timed=True,
    )
