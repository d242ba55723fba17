"""Paper 5's conclusions on E12, each judged by runs of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from robots.dynamics.flexible.analysis import linearise, poles
from robots.dynamics.flexible.arm import motor_torques
from robots.model.endings import ending
from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.papers.study import Row
from robots.scenario.presets import find_preset
from robots.simulation.run import Run
from robots.studies._runs import preset_run
from robots.studies.flexible_e1 import torque_error
from solvers.dae_problem import DaeProblem
from solvers.method_registry import find_method
from solvers.methods.bdf import derivative_weights

LEVELS = ("I3", "I2", "I1")
EXTREME, ITERATIONS = 100.0, 20
"""How many times the usual torque is extremely high, and Newton's iterations that find a second solution."""
FEEDBACK, LATER = (1e5, 1e4), 1.5
"""Stiffness [N m/rad] and damping [N m s/rad] of the motors' feedback, and when drift is judged [s]."""
DAMPINGS = (5.0, 50.0, 500.0)
"""Of all joints [N m s/rad]; the middle one is the paper's."""
UNSCALED = {"task.scale_position": 0.0, "task.scale_velocity": 0.0, "task.scale_acceleration": 0.0}


def conclusions(nonlinear: Sequence[Row], linearised: Sequence[Row], driven: Sequence[Row]) -> tuple[Finding, ...]:
    """The findings.

    Args:
        nonlinear, linearised: rows of the table of run times by BDF 3 at 3 ms.
        driven: rows of the table of the driven arm: method, step, the tool's error, its vibration.
    """
    return (
        _solved(),
        _damping(),
        _scaling(),
        _size(nonlinear, linearised),
        _elbow(),
        jumped(),
        _vibration(driven),
        feedback(),
        _line(),
    )


def _solved() -> Finding:
    runs = {order: preset_run("e12", method=f"bdf{order}") for order in (1, 3, 6)}
    said = ", ".join(f"order {order} {ending(run.status)}" for order, run in runs.items())
    return Finding(
        "section 8, solver",
        "a BDF formula of constant step and order solves the inverse dynamics",
        f"I1 at 1 ms: {said}",
        agrees(all(run.status.ok for run in runs.values())),
    )


def _damping() -> Finding:
    found = {}
    for damping in DAMPINGS:
        values = {f"robot__d{k}": damping for k in (1, 2, 3)}
        usual, short = (preset_run("e12", task__formulation="I3", step=step, **values) for step in (1e-3, 1e-4))
        found[damping] = torque_error(usual)[0], short.status
    errors = [error for error, _ in found.values()]
    shown = ", ".join(f"{error:.2g} %" for error in errors)
    ended = [f"{damping:g}" for damping, (_, status) in found.items() if status.ok]
    return Finding(
        "section 8, damping",
        "more damping makes the system easier to solve",
        f"with d = {', '.join(f'{one:g}' for one in DAMPINGS)} N m s/rad the torque of I3 errs by {shown} of its peak "
        f"at 1 ms; at 0.1 ms it is solved with d = {', '.join(ended)} alone",
        agrees(errors == sorted(errors, reverse=True)),
    )


def _scaling() -> Finding:
    pairs = {}
    for level in LEVELS:
        runs = preset_run("e12", task__formulation=level), preset_run("e12", task__formulation=level, **UNSCALED)
        pairs[level] = [(float(np.nanmedian(run.log.condition)), torque_error(run)[0]) for run in runs]
    better = all(scaled[0] < 0.1 * plain[0] for scaled, plain in pairs.values())
    same = all(abs(scaled[1] / plain[1] - 1.0) < 0.01 for scaled, plain in pairs.values())
    shown = ", ".join(f"{level} from {plain[0]:.0e} to {scaled[0]:.0e}" for level, (scaled, plain) in pairs.items())
    return Finding(
        "section 8, scaling",
        "scaling the algebraic equations and their derivatives is important",
        f"powers of the step take the condition number at 1 ms of {shown}; the torque's error "
        + ("changes by less than 1 %" if same else "changes"),
        agrees(better and not same, better),
        "Newton's iteration solves scaled and plain rows by the same pivots, so only round-off changes",
        where="for the condition number, not for the solution",
    )


def _size(nonlinear: Sequence[Row], linearised: Sequence[Row]) -> Finding:
    """Rows: dynamics, method, step, formulation, status, torque, joints, condition, seconds, the paper's seconds."""
    times, plain, printed, linear = (
        {row[3]: row[column] for row in rows if row[3] in LEVELS}
        for rows, column in ((nonlinear, 8), (linearised, 8), (nonlinear, 9), (linearised, 9))
    )
    ratios = {level: (times[level] / plain[level], printed[level] / linear[level]) for level in LEVELS}
    shown = ", ".join(f"{level} {ours:.2f} (paper {theirs:.2f})" for level, (ours, theirs) in ratios.items())
    return Finding(
        "section 8, size",
        "the nonlinear dynamics take hardly longer than the linearised ones, though their equations are longer",
        f"times the linearised ones take, by BDF 3 at 3 ms: {shown}",
        agrees(all(ours < 2.0 for ours, _ in ratios.values())),
        "times of some milliseconds vary with what else the machine does",
        timed=True,
    )


def _elbow() -> Finding:
    jumps = {}
    for method, step in (("bdf3", 0.003), ("bdf6", 0.001), ("bdf1", 0.01)):
        run = preset_run("e12", task__dynamics="linearised", method=method, step=step)
        jumps[f"BDF {method[-1]}, {1e3 * step:g} ms"] = float(np.abs(np.diff(run.columns()["q2"])).max())
    shown = ", ".join(f"{jump:.3f} rad ({label})" for label, jump in jumps.items())
    return Finding(
        "section 8, elbow",
        "the linearised system once jumped from elbow up to elbow down",
        f"largest change of the elbow within a step: {shown}",
        NOT_COMPARABLE,
        "the paper does not say on which occasion; none of these runs jumps",
    )


def _torque_after_a_jump(run: Run, at: float) -> float:
    """The largest torque [N m] of the step to a time [s] if it ends with the elbow on the other side."""
    equations, arm = run.robot.problem(run.scenario), run.robot.build(run.scenario)  # type: ignore[attr-defined]
    assert isinstance(equations, DaeProblem)
    step, order, n = float(run.t[1] - run.t[0]), find_method(run.scenario.method).order, equations.dimension
    weights, k = derivative_weights(order, step), round(at / step)
    past = np.array(weights[1:]) @ run.y[k - order : k, :n][::-1]
    x, joints, params = run.y[k, :n].copy(), arm.joints, equations.params.copy()
    (height, along), before = arm.tool(x[:joints])[0][0][::-1], x.copy()
    # Seen along the line to the tool, the other elbow is the mirror image.
    x[:joints] *= -1.0
    x[0] += 2.0 * math.atan2(-arm.up * height, along)
    x[joints : arm.coordinates] += (x - before)[: arm.actuated]
    size = arm.coordinates
    x[size : 2 * size] = weights[0] * x[:size] + past[:size]
    F, J, change = np.empty(n), np.empty((n, n)), x
    for _ in range(ITERATIONS):
        equations.system(float(run.t[k]), x, weights[0] * x + past, weights[0], params, F, J)
        rows = np.abs(J).max(axis=1)
        change = np.linalg.solve(J / rows[:, None], F / rows)
        x -= change
    assert np.abs(change[:joints]).max() < 1e-9
    return float(np.abs(motor_torques(params, x[None], (weights[0] * x + past)[None])).max())


def jumped() -> Finding:
    """What a step costs that ends with the elbow on the other side, amid the move."""
    setting = {"task__dynamics": "linearised", "method": "bdf3", "step": 0.003}
    runs = {level: preset_run("e12", task__formulation=level, **setting) for level in LEVELS}
    amid = 0.5 * float(str(find_preset("e12").task["move_time"]))
    jumped = {level: _torque_after_a_jump(run, amid) for level, run in runs.items()}
    usual = max(float(np.abs(run.y[:, -2:]).max()) for run in runs.values())
    return Finding(
        "section 8, torque of the jump",
        "the jump of the elbow caused extremely high control signals",
        f"each step of BDF 3 at 3 ms has a second solution, with the elbow on the other side; amid the move it takes "
        f"{', '.join(f'{level} {torque:.1e} N m' for level, torque in jumped.items())}, the usual one at most "
        f"{usual:.1e} N m",
        agrees(min(jumped.values()) > EXTREME * usual),
    )


def feedback() -> Finding:
    """The tool of the driven arm with and without feedback, the move long over."""
    kp, kd = FEEDBACK
    found, growth = {}, 0.0
    for name, gains in (("without", (0.0, 0.0)), ("with", FEEDBACK)):
        values = {"duration": LATER, "task.forward": "linear", "task.kp": gains[0], "task.kd": gains[1]}
        run = preset_run("e12", values)
        build, driven = run.robot.build(run.scenario), run.companion  # type: ignore[attr-defined]
        assert driven is not None
        found[name] = [1e3 * float(np.interp(t, driven.t, driven.errors["tool_m"])) for t in (0.3, LATER)]
        growth = float(poles(linearise(build, run.y[-1, : build.joints])).real.max())
    shown = ", ".join(
        f"{name} feedback from {early:.2g} mm at the end of the move to {late:.2g} mm at {LATER:g} s"
        for name, (early, late) in found.items()
    )
    drifted, held = found["without"], found["with"]
    return Finding(
        "figures 17 and 18, feedback",
        "the tool drifts because no feedback controller holds the arm",
        f"the tool's error goes {shown} (of the motors, {kp:.0e} N m/rad and {kd:.0e} N m s/rad)",
        agrees(drifted[1] > 5.0 * drifted[0] and held[1] < held[0]),
        f"gravity makes the arm with free motors unstable where it ends, by poles of up to {growth:.1f} 1/s: it falls",
    )


def _vibration(driven: Sequence[Row]) -> Finding:
    short, long = driven[0], driven[1]
    return Finding(
        "figures 17 and 18, steps",
        "a longer step makes the tool vibrate more",
        f"X swings by {short[3]:.2g} mm after 6-step 1 ms and by {long[3]:.2g} mm after 6-step 5 ms",
        agrees(long[3] > 2.0 * short[3]),
    )


def _line() -> Finding:
    run = preset_run("e12")
    wanted = run.robot.desired_path(run.scenario, run.t)
    assert wanted is not None
    sag = np.linalg.norm(run.tip() - wanted, axis=1).max()
    ends = wanted[[0, -1]][:, [0, 2]]
    return Finding(
        "figure 14",
        "the tool follows a straight line of 1 m by 1.99 m within 0.3 s",
        f"it moves by {1e3 * (ends[1] - ends[0])[0]:.0f} and {1e3 * (ends[1] - ends[0])[1]:.0f} mm, and "
        f"the solution keeps it within {1e3 * sag:.1e} mm of the line",
        agrees(sag < 1e-3),
    )
