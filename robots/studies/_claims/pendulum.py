"""What paper 4 says of its formula's work, of its step control and of where the pendulum starts, judged."""

from __future__ import annotations

import math

import numpy as np

from robots.papers.finding import Finding, agrees
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.reference import Reference, reference
from robots.simulation.simulate import simulate
from solvers.method_registry import find_method

EXPONENTS = (-2, -3, -4, -5)
STEP, SPAN = 1e-3, 0.1
"""Of a run with a fixed step [s]."""
PLACE, SPEED = (3.4488887, -0.388228), (3.8822857, 14.4888887)
"""Of the lower rod's centre, as printed [m], [m/s]."""


def controller() -> tuple[Finding, ...]:
    """The formula's work in a step, and what its error estimate makes of the tolerance."""
    rest = find_preset("double-pendulum-rest")
    fixed = simulate(rest.with_values({"step": STEP, "duration": SPAN})).counts
    calls, factors = fixed.rhs_evaluations / fixed.steps, fixed.factorisations / fixed.steps
    method = find_method("rosenbrock-nystrom")
    known = reference(rest)
    assert known is not None
    angles = known.sample(np.linspace(0.0, rest.duration, 401))[:, 0]
    shares, saved, grown = (list(one) for one in zip(*(_estimates(rest, known, k) for k in EXPONENTS), strict=True))
    return (
        Finding(
            "section 4, stages",
            "its four stages take three evaluations of the forces and one factorisation",
            f"{calls:g} evaluations a step, one of them for the derivative by time, and {factors:g} factorisation",
            agrees(abs(calls - 4.0) < 0.05 and factors == 1.0 and method.stages == 4),
        ),
        Finding(
            "section 4, embedded formula",
            "an embedded formula of order 3 estimates the error",
            f"order {method.error_order} by its order conditions",
            agrees(method.error_order == 3),
        ),
        Finding(
            "section 5.1, bounds",
            "the step control is slightly conservative",
            f"the largest error of theta1 is {', '.join(f'{share:.2f}' for share in shares)} of its bound atol + rtol "
            "abs(theta1)",
            agrees(all(share < 1.0 for share in shares)),
        ),
        Finding(
            "section 5.1, range",
            "theta1 lies between 4.0 and 6.0, so the bound on its error is up to 7 times the tolerance",
            f"from rest between {angles.min():.2f} and {angles.max():.2f} rad, a bound of up to "
            f"{1.0 + angles.max():.2f} times",
            agrees(bool(angles.min() > 3.9 and angles.max() < 6.1), round(1.0 + angles.max()) == 7),
            "it starts at 2 pi and swings past its end at 3 pi / 2",
            where="for the bound",
        ),
        Finding(
            "section 5.1, scaled error",
            "an estimate scaled by (I - h gamma df/dy)⁻¹ would make the steps less conservative",
            f"two bodies take {min(saved):.0f} to {max(saved):.0f} % fewer steps with it, and errors grow by "
            f"{min(grown):.1f} to {max(grown):.0f} %",
            agrees(min(saved) > 0.0),
            "the paper leaves it to be investigated",
        ),
    )


def _estimates(rest: Scenario, known: Reference, exponent: int) -> tuple[float, float, float]:
    """What the error estimate makes of a tolerance, 10 to this exponent.

    Returns:
        The largest error of theta1 as a share of its bound; and, if the estimate is filtered, how many steps that saves
        and by how much the largest error grows [%].
    """
    tolerance, share = 10.0**exponent, 0.0
    steps, worst = [], []
    for filtered in (False, True):
        changes = {"task.form": "cartesian", "rtol": tolerance, "atol": tolerance, "options.filtered": filtered}
        run = simulate(rest.with_values(changes))
        truth = known.sample(run.t)[:, 0]
        error = np.abs(run.columns()["q1"] - truth)
        steps.append(run.counts.steps)
        worst.append(float(error.max()))
        if not filtered:
            share = float((error / (tolerance * (1.0 + np.abs(truth)))).max())
    return share, 100.0 * (1.0 - steps[1] / steps[0]), 100.0 * (worst[1] / worst[0] - 1.0)


def consistent() -> tuple[Finding, ...]:
    """Whether the printed start satisfies the constraints."""
    start = find_preset("double-pendulum")
    q1, q2, v1, v2 = (float(start.initial[name]) for name in ("q1", "q2", "v1", "v2"))
    upper, lower = 2.0 * float(start.parameters["L1"]), float(start.parameters["L2"])
    place = upper * math.cos(q1) + lower * math.cos(q2), upper * math.sin(q1) + lower * math.sin(q2)
    speed = (
        -upper * math.sin(q1) * v1 - lower * math.sin(q2) * v2,
        upper * math.cos(q1) * v1 + lower * math.cos(q2) * v2,
    )
    gap = max(
        abs(a - b) for ours, printed in ((place, PLACE), (speed, SPEED)) for a, b in zip(ours, printed, strict=True)
    )
    return (
        Finding(
            "section 5.1, constraints",
            "the printed places and velocities are consistent with the constraints",
            f"the lower rod's centre at {place[0]:.6f}, {place[1]:.6f} m moves with {speed[0]:.5f}, {speed[1]:.5f} m/s,"
            f" off the printed numbers by at most {gap:.0e}",
            agrees(gap < 1e-5),
        ),
    )
