"""Paper 1's verification: the flexible beam by step doubling as listed, and by methods of later years."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from robots.catalog.beam.modes import frequencies
from robots.catalog.beam.robot import coefficients
from robots.papers.figure import Figure, error_panels, line, panel
from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.papers.study import Report, Study, StudyResult, Table, together
from robots.scenario.presets import find_preset
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._runs import preset_run
from robots.sweeps.observed import fitted_power
from solvers.method_registry import find_method

LISTED = {"method": "rkqc", "rtol": 1e-9, "first_step": 0.0005}
CASES = {
    "rkqc as listed": {**LISTED, "options.as_listed": True},
    "rkqc corrected": LISTED,
    "dop853": {},
    "dopri5": {"method": "dopri5"},
    "radau5": {"method": "radau5"},
}
TOLERANCES, STEPS = (-5, -7, -9, -11), (0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)
"""Exponents of the tolerances, and steps [s], on the arm."""
COUNTS = (20, 2000, 10)
"""First, last and next number of equal steps that are tried."""
LENGTHS = (0.04, 0.02, 0.01)
"""Of single steps that are compared with those of a series [s]."""
STIFF_SPAN = 0.2
"""How long the stiff pendulum runs by explicit methods [s]."""
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
    return StudyResult(
        (Table("six seconds of the beam", columns, rows),),
        (*_findings(runs), _imitated(), *_arm()),
        _figures(runs),
    )


def _called(case: str) -> str:
    """What legends call a case: the method's name, the listing's own by its own name."""
    return case if case.startswith("rkqc") else find_method(case).name


def _figures(runs: dict[str, Run]) -> tuple[Figure, ...]:
    """The accepted steps of every method, and what became of the energy."""
    steps = {name: (run.log.t[run.log.accepted], run.log.h[run.log.accepted]) for name, run in runs.items()}
    sizes = panel("Step size", "s", tuple(line(_called(name), *pair) for name, pair in steps.items()))
    every = together(run.scenario for run in runs.values())
    named = {_called(name): run for name, run in runs.items()}
    return (
        Figure("listing, rk_odeint", "the steps that each method takes", (sizes,), every),
        Figure(
            "section D.1",
            "the energy that each method loses or gains",
            error_panels(named, {"energy_J": "Energy error"}),
            every,
        ),
    )


def _findings(runs: dict[str, Run]) -> tuple[Finding, ...]:
    listed = runs["rkqc as listed"]
    taken, expected = listed.counts.steps, (GOOD + BAD) * 6.0 / (0.01 * CALLS)
    smallest = float(listed.log.h[listed.log.accepted].min())
    b, A = coefficients("printed")
    derived_b, derived_A = coefficients("modes")
    gap = max(np.abs(derived_b - b).max(), np.abs(derived_A - A)[A != 0.0].max() / np.abs(A).max())
    omega = frequencies()
    ended = sum(run.status.ok for run in runs.values())
    kept = {name: run.max_error["energy_J"] for name, run in runs.items()}
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
            f"where y is 0 the scale is almost 0: steps shrink to {smallest:.0e} s and grow back fourfold",
            agrees(smallest < 1e-9),
        ),
        Finding(
            "section D.1",
            "Runge-Kutta is the workhorse that almost always succeeds",
            f"{ended} of {len(runs)} runs end. Step doubling keeps the energy to {kept['rkqc as listed']:.0e} J; "
            f"{find_method('dop853').name} keeps it to {kept['dop853']:.0e} J with {saved:.0f} times fewer evaluations",
            NOT_COMPARABLE,
            f"a reputation is no number. Modes at {omega[-1]:.0f} rad/s beside a swing at {omega[0]:.2f} rad/s make "
            "every explicit method take short steps",
        ),
    )


def _imitated() -> Finding:
    """How far single steps of the formula are from those of the series of degree 4."""
    start, gaps = find_preset("rr-swing"), []
    for length in LENGTHS:
        ends = [
            simulate(start.with_values({**values, "step": length, "duration": length}), repeat=False).y[-1]
            for values in ({"method": "rk4"}, {"method": "taylor", "options.order": 4, "options.velocity_order": 4})
        ]
        gaps.append(float(np.abs(ends[0] - ends[1]).max()))
    power = fitted_power(LENGTHS, gaps)
    return Finding(
        "section D.1, Taylor",
        "the method imitates a Taylor series without derivatives of the equations",
        f"single steps of {1e3 * LENGTHS[0]:g} to {1e3 * LENGTHS[-1]:g} ms by RK4 and by the series of degree 4 differ "
        f"by the power {power:.2f} of the step: they agree up to h⁴",
        agrees(power > 4.8),
        "in place of the derivatives the formula evaluates the equations at four points",
    )


def _arm() -> tuple[Finding, ...]:
    """What sections D.1 and D.4 say of the methods, on the arm that the listing was written for."""
    doubled = {k: _on_arm("rkqc", rtol=10.0**k, atol=10.0**k) for k in TOLERANCES}
    errors = {k: error for k, (_, error) in doubled.items()}
    order = -fitted_power([run.counts.steps for run, _ in doubled.values()], list(errors.values()))
    decades = [float(np.log10(errors[k + 2] / errors[k])) / 2.0 for k in TOLERANCES[1:]]
    usual, error = doubled[TOLERANCES[1]]
    fixed = _cheapest("rk4", [("step", usual.scenario.duration / count) for count in range(*COUNTS)], error)
    paces = [10.0**-k for k in range(4, 13)]
    started = {key: _on_arm("ab4", step=STEPS[2], options__startup=key)[1] for key in ("paper", "rk4")}
    predictor, runge, series = (
        _cheapest(key, [("rtol", pace) for pace in paces], error) for key in ("adams-pece", "dopri5", "rkqc")
    )
    return (
        Finding(
            "section D.4, order",
            "step doubling makes the fourth-order formula effectively of fifth order",
            f"on the falling arm its error falls with the number of steps to the power of {order:.2f}",
            agrees(abs(order - 5.0) < 0.5),
        ),
        Finding(
            "section D.4, accuracy",
            "steps that keep an accuracy give the solution a controllable one",
            f"a decade of tolerance is worth {min(decades):.2f} to {max(decades):.2f} decades of error",
            agrees(all(0.5 < decade < 1.5 for decade in decades)),
        ),
        Finding(
            "section D.4, steps",
            "more operations a step, but fewer steps",
            f"for an error of {error:.1e} rad step doubling takes {usual.counts.steps} steps and "
            f"{usual.counts.rhs_evaluations} evaluations, the same formula at a fixed step {fixed[0]} and {fixed[1]}",
            agrees(usual.counts.steps < fixed[0], True),
            where="for the steps" if usual.counts.rhs_evaluations > fixed[1] else "for both",
        ),
        _adaptive(usual, error, fixed[1]),
        Finding(
            "section D.1, predictor-corrector",
            "predictor-corrector methods are in many cases more efficient than Runge-Kutta methods",
            f"evaluations for that error: Adams {predictor[1]}, step doubling {series[1]}, Dormand and Prince "
            f"{runge[1]}",
            agrees(predictor[1] < min(runge[1], series[1]), predictor[1] < series[1]),
            where="against step doubling",
        ),
        Finding(
            "section D.1, start",
            "predictor-corrector methods are difficult to start",
            f"AB4 at {1e3 * STEPS[2]:g} ms errs by {started['paper']:.1e} rad after a start by lower orders and by "
            f"{started['rk4']:.1e} rad after one by RK4",
            agrees(started["paper"] > 10.0 * started["rk4"]),
            "a formula of fixed order needs a start by another method; a code of variable order begins with order 1",
        ),
        *_extrapolation(error, paces, runge[1], series[1]),
        *_plain_steps(),
    )


def _adaptive(usual: Run, error: float, fixed_calls: int) -> Finding:
    """What adaptive steps bring: a run with them, its error, and the evaluations of fixed steps for that error."""
    calls = usual.counts.rhs_evaluations
    fixed, as_dear = _on_arm("rk4", step=usual.scenario.duration / (calls // 4))
    return Finding(
        "section D.1, adaptive steps",
        "adaptive steps make the integration faster and more accurate",
        f"with {calls} evaluations it errs by {error:.1e} rad, the same formula at a fixed step with "
        f"{fixed.counts.rhs_evaluations} by {as_dear:.1e} rad",
        agrees(error < as_dear and calls < fixed_calls),
        "the arm falls evenly: where a motion has quiet stretches, adaptive steps save most of the evaluations",
    )


def _extrapolation(error: float, paces: list[float], runge: int, doubled: int) -> tuple[Finding, ...]:
    """What the paper says of Richardson extrapolation, by Gragg, Bulirsch and Stoer's code."""
    settings = [("rtol", pace) for pace in paces]
    calls, later = _cheapest("gbs", settings, error)[1], _cheapest("dop853", settings, error)[1]
    stiff = {key: preset_run("double-pendulum", method=key, duration=STIFF_SPAN) for key in ("gbs", "dopri5")}
    ended = [run for run in stiff.values() if run.status.ok]
    extrapolated, plain = (run.counts for run in stiff.values())
    return (
        Finding(
            "section D.1, extrapolation",
            "Richardson extrapolation is generally faster and more efficient than Runge-Kutta",
            f"evaluations for that error: Gragg-Bulirsch-Stoer {calls}, step doubling {doubled}, Dormand and Prince "
            f"5(4) {runge}, 8(5,3) {later}",
            agrees(calls < min(runge, doubled, later), calls < min(runge, doubled)),
            "the Runge-Kutta pair of order 8 is of a later year",
            where="against step doubling and the pair of order 5",
        ),
        Finding(
            "section D.1, failures",
            "Richardson extrapolation may fail in some cases",
            f"{len(ended)} of 2 runs of the stiff pendulum over {STIFF_SPAN:g} s end: extrapolation rejects "
            f"{extrapolated.rejected} of {extrapolated.steps + extrapolated.rejected} steps and takes "
            f"{extrapolated.rhs_evaluations} evaluations, Dormand and Prince reject {plain.rejected} and take "
            f"{plain.rhs_evaluations}",
            NOT_COMPARABLE,
            "the paper names no case; here it only loses its lead",
        ),
    )


def _plain_steps() -> tuple[Finding, ...]:
    """What section D.3 says of the formula with a fixed step, and D.4 of where steps are short."""
    runs = {step: _on_arm("rk4", step=step) for step in STEPS}
    errors, calls = [error for _, error in runs.values()], [run.counts.rhs_evaluations for run, _ in runs.values()]
    four = all(run.counts.rhs_evaluations == 4 * run.counts.steps for run, _ in runs.values())
    falls = all(later < earlier for earlier, later in pairwise(errors))
    resting = find_preset("rr-friction")
    run = simulate(
        resting.with_values({"method": "rkqc", "rtol": 10.0 ** TOLERANCES[1], "atol": 10.0 ** TOLERANCES[1]})
    )
    h, t = np.diff(run.t), run.t[:-1]
    early, late = float(np.median(h[t < 1.0])), float(np.median(h[t > resting.duration - 1.0]))
    return (
        Finding(
            "section D.3",
            "the formula takes four derivatives in each step",
            "4 evaluations a step" if four else "another number of evaluations a step",
            agrees(four),
        ),
        Finding(
            "section D.3, step",
            "a very small step is accurate but slow, a large one is quick but errs more",
            f"from {STEPS[0]:g} to {STEPS[-1]:g} s the error falls from {errors[0]:.1e} to {errors[-1]:.1e} rad, and "
            f"the evaluations rise from {calls[0]} to {calls[-1]}",
            agrees(falls and sorted(calls) == calls),
        ),
        Finding(
            "section D.4, terrain",
            "steps are long where the solution is smooth, and short where it is rough",
            f"with friction the median step is {early:.2g} s in the first second, and {late:.2g} s in the last, when "
            "the arm all but rests",
            agrees(late > 1.5 * early),
        ),
    )


def _on_arm(method: str, **values: float | str) -> tuple[Run, float]:
    """A run of the falling arm over 2 s, and its largest error [rad]."""
    run = preset_run("rr-swing", duration=2.0, method=method, **values)
    exact = reference(run.scenario)
    assert exact is not None
    return run, compare_with_reference(run, exact).max["reference_q_rad"]


def _cheapest(method: str, settings: list[tuple[str, float]], error: float) -> tuple[int, int]:
    """Steps and evaluations of the first setting, from coarse to fine, that errs by no more than `error` [rad]."""
    for name, value in settings:
        run, worst = _on_arm(method, **({name: value} if name == "step" else {"rtol": value, "atol": value}))
        if run.status.ok and worst <= error:
            return run.counts.steps, run.counts.rhs_evaluations
    raise AssertionError(f"no setting of {method} errs by less than {error:g} rad")


STUDY = Study(
    key="beam-step-doubling",
    title="The beam that verified an integrator",
    paper="Paper 1, sections D.1 to D.4 and the listing",
    summary="Eighteen states, undamped, the fastest mode 2354 times as fast as the slowest: what does each method pay?",
    compute=compute,
    figures=(
        "listing, rk_odeint",
        "section D.1",
    ),
    scenarios=tuple(
        (name.replace("rkqc", "step doubling") if case.method == "rkqc" else find_method(case.method).name, case)
        for name, case in ((name, find_preset("beam").with_values(changes)) for name, changes in CASES.items())
    ),
)
