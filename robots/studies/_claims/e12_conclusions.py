"""Paper 5's conclusions on E12, each judged by runs of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.papers.study import Row
from robots.studies._runs import preset_run
from robots.studies.flexible_e1 import torque_error

LEVELS = ("I3", "I2", "I1")
DAMPINGS = (5.0, 50.0, 500.0)
"""Of all joints [N m s/rad]; the middle one is the paper's."""
UNSCALED = {"task.scale_position": 0.0, "task.scale_velocity": 0.0, "task.scale_acceleration": 0.0}


def conclusions(nonlinear: Sequence[Row], linearised: Sequence[Row], driven: Sequence[Row]) -> tuple[Finding, ...]:
    """The findings.

    Args:
        nonlinear, linearised: rows of the table of run times by BDF 3 at 3 ms.
        driven: rows of the table of the driven arm: method, step, the tool's error, its vibration.
    """
    return (_solved(), _damping(), _scaling(), _size(nonlinear, linearised), _elbow(), _vibration(driven), _line())


def _solved() -> Finding:
    runs = {order: preset_run("e12", method=f"bdf{order}") for order in (1, 3, 6)}
    said = ", ".join(f"order {order} {run.status}" for order, run in runs.items())
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
