"""Paper 1's verification: the flexible beam by step doubling as listed, and by methods of later years."""

from __future__ import annotations

import numpy as np

from robots.catalog.beam.modes import frequencies
from robots.catalog.beam.robot import coefficients
from robots.model.figure import Figure, error_panels, line, panel
from robots.model.finding import NOT_COMPARABLE, Finding, agrees
from robots.model.study import Report, Study, StudyResult, Table
from robots.scenario.presets import find_preset
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from solvers.method_registry import find_method

LISTED = {"method": "rkqc", "rtol": 1e-9, "first_step": 0.0005}
CASES = {
    "rkqc as listed": {**LISTED, "options.as_listed": True},
    "rkqc corrected": LISTED,
    "dop853": {},
    "dopri5": {"method": "dopri5"},
    "radau5": {"method": "radau5"},
}
GOOD, BAD, CALLS = 362_860, 6_517, 601
"""Steps of the listing's own program, compiled and run; a step that was shortened at first counts as bad."""


def compute(report: Report) -> StudyResult:
    """Six seconds of the beam by each method, against the reference."""
    runs: dict[str, Run] = {}
    for k, (name, changes) in enumerate(CASES.items()):
        runs[name] = simulate(find_preset("beam").with_values(changes))
        report(0.9 * (k + 1) / len(CASES))
    exact = reference(find_preset("beam"))
    assert exact is not None
    error = {name: compare_with_reference(run, exact).final["reference_q_rad"] for name, run in runs.items()}
    rows = tuple(
        (name, r.counts.steps, r.counts.rejected, r.counts.rhs_evaluations, error[name], r.max_error["energy_J"],
         r.compute_seconds)
        for name, r in runs.items()
    )  # fmt: skip
    columns = ("method", "steps", "rejected", "evaluations", "final_error", "energy_J", "compute_s")
    report(1.0)
    return StudyResult((Table("six seconds of the beam", columns, rows),), _findings(runs, error), _figures(runs))


def _figures(runs: dict[str, Run]) -> tuple[Figure, ...]:
    """The accepted steps of every method, and what became of the energy."""
    steps = {name: (run.log.t[run.log.accepted], run.log.h[run.log.accepted]) for name, run in runs.items()}
    sizes = panel("Step size", "s", tuple(line(name, *pair) for name, pair in steps.items()))
    return (
        Figure("listing, rk_odeint", "the steps that each method takes", (sizes,)),
        Figure(
            "section D.1",
            "the energy that each method loses or gains",
            error_panels(runs, {"energy_J": "Energy error"}),
        ),
    )


def _findings(runs: dict[str, Run], error: dict[str, float]) -> tuple[Finding, ...]:
    listed = runs["rkqc as listed"]
    taken, expected = listed.counts.steps, (GOOD + BAD) * 6.0 / (0.01 * CALLS)
    smallest = float(listed.log.h[listed.log.accepted].min())
    b, A = coefficients("printed")
    derived_b, derived_A = coefficients("modes")
    gap = max(np.abs(derived_b - b).max(), np.abs(derived_A - A)[A != 0.0].max() / np.abs(A).max())
    omega = frequencies()
    saved = listed.counts.rhs_evaluations / runs["dop853"].counts.rhs_evaluations
    return (
        Finding(
            "listing, rk_derivs",
            "81 coefficients of a flexible beam, without their origin",
            f"those of a uniform pinned beam in nine polynomials, to {gap:.0e}",
            agrees(gap < 1e-13),
        ),
        Finding(
            "listing, rk_test",
            "a program that integrates the beam for 6 s in calls of 0.01 s; no result is printed",
            f"the program, compiled and run, takes {GOOD:,} good and {BAD:,} bad steps in {CALLS} calls; ours accepts "
            f"{taken:,} and rejects {listed.counts.rejected:,} in {CALLS - 1}",
            agrees(abs(taken / expected - 1.0) < 0.01),
            "a good step that was first too long is bad there; counts depend on the last bits of every step",
        ),
        Finding(
            "listing, rk_odeint",
            "the error's scale is abs(y) + abs(h y') + 1e-30 (a line lost in print)",
            f"where y is 0 the scale is all but 0: steps shrink to {smallest:.0e} s and grow back fourfold",
            agrees(smallest < 1e-9),
        ),
        Finding(
            "section D.1",
            "Runge-Kutta is the workhorse that almost always succeeds",
            f"dop853 needs {saved:.0f} times fewer evaluations for a final error of {error['dop853']:.0e}"
            f" (rkqc: {error['rkqc as listed']:.0e})",
            NOT_COMPARABLE,
            f"it does, at a price: modes at {omega[-1]:.0f} rad/s beside a swing at {omega[0]:.2f} rad/s limit it",
        ),
    )


STUDY = Study(
    key="beam-step-doubling",
    title="The beam that verified an integrator",
    paper="Paper 1, the listing of 1990",
    summary="Eighteen states, undamped, the fastest mode 2354 times as fast as the slowest: what does each method pay?",
    compute=compute,
    scenarios=tuple(
        (name.replace("rkqc", "step doubling") if case.method == "rkqc" else find_method(case.method).name, case)
        for name, case in ((name, find_preset("beam").with_values(changes)) for name, changes in CASES.items())
    ),
)
