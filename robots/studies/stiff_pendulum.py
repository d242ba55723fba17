"""Paper 4's validation: errors of the stiff double pendulum at four tolerances, tables 1 and 2."""

from __future__ import annotations

from itertools import product

import numpy as np

from robots.model.chart import Axis
from robots.papers.figure import Figure, line, panel, points
from robots.papers.finding import Finding, agrees
from robots.papers.study import Report, Study, StudyResult, Table, together
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.reference import Reference, reference
from robots.simulation.simulate import simulate
from robots.studies._claims.multibody_theory import pendulum
from robots.studies._claims.pendulum import consistent, controller
from robots.studies._claims.rosenbrock_theory import theory
from robots.sweeps.observed import fitted_power
from solvers.method import Method
from solvers.method_registry import find_method

EXPONENTS = (-2, -3, -4, -5)
TABLE_1 = ((0.592127, 5.223e-2, 0.12126), (0.599954, 4.198e-3, 0.00964), (0.626135, 4.916e-4, 0.00108),
           (1.065146, 1.902e-5, 0.00039))  # fmt: skip
TABLE_2 = ((0.795548, 4.061e-2, 1.84434), (0.373114, 3.792e-3, 0.12340), (0.217757, 8.652e-4, 0.00922),
           (0.186183, 2.343e-4, 0.00246))  # fmt: skip
"""t* [s], Delta and RelErr [%] as printed; the first three Delta of table 1 are ten times too large."""

TRAPEZOIDAL, STEPS = 0.005, (0.02, 0.01, 0.005, 0.002)
"""A step of the trapezoidal rule that needs about three iterations, and the steps that are drawn [s]."""
STARTS = {"from rest": "double-pendulum-rest", "as printed": "double-pendulum"}
FORMS = ("minimal", "cartesian")
ROSENBROCK = ("rosenbrock-nystrom", "w-method")
RATES = -10.0, 7.0
"""The range of the angular velocity that the paper names [rad/s]."""


def scenario(start: str, form: str, exponent: int) -> Scenario:
    """A start, a form of the equations, and 10^exponent for both tolerances."""
    tolerance = 10.0**exponent
    return find_preset(STARTS[start]).with_values({"task.form": form, "rtol": tolerance, "atol": tolerance})


def by_trapezoidal(step: float) -> Scenario:
    """The trapezoidal rule from rest, in the two angles."""
    return find_preset(STARTS["from rest"]).with_values({"method": "trapezoidal", "step": step})


def exact(start: str) -> Reference:
    """The reference of a start."""
    found = reference(find_preset(STARTS[start]))
    assert found is not None
    return found


def errors(report: Report) -> Table:
    """Largest and root-mean-square errors of theta1 and its rate over the accepted steps."""
    rows, done = [], 0
    for start in STARTS:
        known = exact(start)
        for form in FORMS:
            for exponent in EXPONENTS:
                run = simulate(scenario(start, form, exponent))
                columns, truth = run.columns(), known.sample(run.t)
                angle, rate = np.abs(columns["q1"] - truth[:, 0]), np.abs(columns["v1"] - truth[:, 2])
                rows.append(
                    (start, form, exponent, run.counts.steps, *_worst(run.t, angle), *_worst(run.t, rate),
                     run.compute_seconds)
                )  # fmt: skip
                done += 1
                report(0.9 * done / (len(STARTS) * len(FORMS) * len(EXPONENTS)))
    columns = (
        "start",
        "form",
        "k",
        "steps",
        "t_angle_s",
        "angle_rad",
        "angle_rms",
        "t_rate_s",
        "rate",
        "rate_rms",
        "s",
    )
    return Table("errors of theta1", columns, tuple(rows))


def _worst(t: np.ndarray, values: np.ndarray) -> tuple[float, float, float]:
    """When the largest value is, that value, and the root mean square."""
    return float(t[values.argmax()]), float(values.max()), float(np.sqrt(np.mean(values**2)))


def whose_start() -> Table:
    """E* = Delta / RelErr of the printed rows beside our solutions at t*."""
    rows = []
    for name, column, table in (("theta1", 0, TABLE_1), ("theta1 rate", 2, TABLE_2)):
        for exponent, (time, delta, share) in zip(EXPONENTS, table, strict=True):
            scale = 0.1 if column == 0 and exponent > -5 else 1.0
            ours = [abs(float(exact(start).sample(np.array([time]))[0, column])) for start in STARTS]
            rows.append((name, exponent, time, scale * delta / (0.01 * share), *ours))
    return Table("whose start", ("quantity", "k", "t_s", "printed", "from_rest", "as_printed"), tuple(rows))


def compute(report: Report) -> StudyResult:
    """Both tables, then the claims."""
    found, starts, approximate, implicit = errors(report), whose_start(), w_method(), trapezoidal_rule()
    findings = (*_findings(found, starts), *_formulas(approximate, implicit), *controller(), *consistent())
    findings = (*findings, *theory(), *pendulum())
    report(1.0)
    return StudyResult((found, starts, approximate, implicit), findings, _figures(found, approximate, implicit))


def w_method() -> Table:
    """The W-method beside the Rosenbrock-Nystrom method in the two angles, at the four tolerances."""
    start = "from rest"
    known, rows = exact(start), []
    for key in ROSENBROCK:
        for k in EXPONENTS:
            run = simulate(scenario(start, "minimal", k).with_value("method", key))
            error = np.abs(run.columns()["q1"] - known.sample(run.t)[:, 0])
            rows.append((key, k, run.counts.steps, run.counts.rhs_evaluations, float(error.max())))
    return Table("W-method", ("method", "k", "steps", "evaluations", "angle_rad"), tuple(rows))


def trapezoidal_rule() -> Table:
    """The trapezoidal rule in the two angles, at some steps."""
    known, rows = exact("from rest"), []
    for step in STEPS:
        run = simulate(by_trapezoidal(step))
        error = np.abs(run.columns()["q1"] - known.sample(run.t)[:, 0])
        iterations = run.counts.newton_iterations / run.counts.steps
        rows.append((step, iterations, run.counts.rhs_evaluations, float(error.max())))
    return Table("trapezoidal rule", ("step_s", "iterations_a_step", "evaluations", "angle_rad"), tuple(rows))


def _figures(found: Table, approximate: Table, implicit: Table) -> tuple[Figure, ...]:
    """Errors against the tolerance, with the printed ones, and the angle that settles."""

    def against_tolerance(name: str, quantity: str, unit: str, column: int, printed: tuple) -> Figure:
        lines = [
            points(
                f"{start}, {form}", [(10.0 ** row[2], row[column]) for row in found.rows if row[:2] == (start, form)]
            )
            for start in STARTS
            for form in FORMS
        ]
        known = [(10.0**k, row[1]) for k, row in zip(EXPONENTS, printed, strict=True)]
        curves, across = (points("the paper", known), *lines), Axis("tolerance", scale="log")
        chart = panel(f"Largest error of {quantity}", unit, curves, across=across)
        return Figure(name, f"error of {quantity} against the tolerance", (chart,), together(every))

    every = [scenario(*case) for case in product(STARTS, FORMS, EXPONENTS)]
    runs = {start: simulate(find_preset(preset)) for start, preset in STARTS.items()}
    angles = [line(start, run.t, run.columns()["q1"]) for start, run in runs.items()]
    free = line("3 pi / 2, where the spring is free", (0.0, runs["from rest"].t_end), (1.5 * np.pi, 1.5 * np.pi))
    angle = panel("theta1", "rad", [*angles, free], log=False)
    rate = panel("Rate", "rad/s", [line(start, run.t, run.columns()["v1"]) for start, run in runs.items()], log=False)
    return (
        against_tolerance(
            "table 1",
            "theta1",
            "rad",
            5,
            tuple((t, delta / (10.0 if k < 3 else 1.0), share) for k, (t, delta, share) in enumerate(TABLE_1)),
        ),
        against_tolerance("table 2", "the rate of theta1", "rad/s", 8, TABLE_2),
        Figure(
            "figure 2",
            "theta1 settles where its spring is free",
            (angle, rate),
            together(run.scenario for run in runs.values()),
        ),
        *_formula_figures(approximate, implicit),
    )


def _formula_figures(approximate: Table, implicit: Table) -> tuple[Figure, ...]:
    """The two formulas of section 4, and the trapezoidal rule."""
    by_steps, by_calls = (
        {
            key: points(find_method(key).name, [(row[column], row[4]) for row in approximate.rows if row[0] == key])
            for key in ROSENBROCK
        }
        for column in (2, 3)
    )
    strict, weak = ROSENBROCK
    exact_slopes = [scenario("from rest", "minimal", k) for k in EXPONENTS]
    rule = points(find_method("trapezoidal").name, [row[2:] for row in implicit.rows])
    return (
        Figure(
            "section 4, W-method",
            "error of theta1 against the number of steps",
            (panel("Largest error of theta1", "rad", by_steps.values(), across=Axis("steps", scale="log")),),
            together([*exact_slopes, *(one.with_value("method", weak) for one in exact_slopes)]),
        ),
        Figure(
            "section 4, costs",
            "error of theta1 against evaluations",
            (
                panel(
                    "Largest error of theta1", "rad", (by_calls[strict], rule), across=Axis("evaluations", scale="log")
                ),
            ),
            together([*exact_slopes, *map(by_trapezoidal, STEPS)]),
        ),
    )


def _start(starts: Table) -> Finding:
    """Which start the printed rows belong to: E* = Delta / RelErr beside our solution at t*."""
    offs = [
        (f"{name} {k}", abs(rest / value - 1.0), abs(given / value - 1.0))
        for name, k, _, value, rest, given in starts.rows
    ]
    fits = [row for row, rest, given in offs if given < rest]
    listed = "; ".join(f"{row}: {rest:.1e}, {given:.1e}" for row, rest, given in offs)
    return Finding(
        "section 5.1, initial state",
        "the lower rod starts with 10 rad/s",
        f"E* of each row is off our solution at t*, from rest and with 10 rad/s, by {listed}",
        agrees(len(fits) == len(offs)),
        f"{len(offs) - len(fits)} of {len(offs)} rows belong to a start from rest, {', '.join(fits) or 'none'} to the "
        "printed one; its relative error is printed with two digits",
    )


def _findings(found: Table, starts: Table) -> tuple[Finding, ...]:
    rest = [row for row in found.rows if row[0] == "from rest" and row[1] == "cartesian"]
    angles, rates = [row[5] for row in rest], [row[8] for row in rest]
    per_decade = np.log10(np.array(angles[:-1]) / np.array(angles[1:]))
    settled = find_preset("double-pendulum").with_value("duration", 20.0)
    end = simulate(settled).final["q1"]
    return (
        _start(starts),
        Finding(
            "table 1",
            "Delta 5.2e-2, 4.2e-3, 4.9e-4, 1.9e-5",
            ", ".join(f"{value:.1e}" for value in angles),
            agrees(all(0.1 * 10.0**k < value < 7.0 * 10.0**k for k, value in zip(EXPONENTS, angles, strict=True))),
            "judged by order of magnitude: the first step and the bounds of its change are not printed, and the first"
            " three Delta are printed ten times too large",
        ),
        Finding(
            "table 2",
            "Delta 4.1e-2, 3.8e-3, 8.7e-4, 2.3e-4",
            ", ".join(f"{value:.1e}" for value in rates),
            agrees(all(0.1 * 10.0**k < value < 70.0 * 10.0**k for k, value in zip(EXPONENTS, rates, strict=True))),
            "judged by order of magnitude, as table 1",
        ),
        Finding(
            "section 5.1, step control",
            "the errors have the order of the tolerance at all tolerances",
            f"a decade of tolerance is worth {per_decade.min():.2f} to {per_decade.max():.2f} decades of error",
            agrees(bool(np.all(np.abs(per_decade - 1.0) < 0.25))),
        ),
        Finding(
            "figure 2",
            "theta1 settles at 3 pi / 2, where its spring is free",
            f"theta1 = {end:.6f} after 20 s, 3 pi / 2 = {1.5 * np.pi:.6f}",
            agrees(abs(end - 1.5 * np.pi) < 1e-3),
        ),
    )


def _formulas(approximate: Table, implicit: Table) -> tuple[Finding, ...]:
    """What section 4 says of the formulas, and section 5.1 of the pendulum."""
    nystrom, trapezoidal, weak = (find_method(key) for key in ("rosenbrock-nystrom", "trapezoidal", "w-method"))
    start = find_preset(STARTS["as printed"])
    fastest = simulate(start).eigenvalues[1][0]
    fastest = fastest[np.argmax(np.abs(fastest))]
    moved = simulate(find_preset(STARTS["from rest"])).columns()["v1"]
    _, iterations, calls, error = next(row for row in implicit.rows if row[0] == TRAPEZOIDAL)
    rows = {key: [row for row in approximate.rows if row[0] == key] for key in ROSENBROCK}
    cheap = min((row for row in rows["rosenbrock-nystrom"] if row[4] <= error), key=lambda row: row[3])
    order = -fitted_power([row[2] for row in rows["w-method"]], [row[4] for row in rows["w-method"]])
    return (
        Finding(
            "section 4, formula",
            "the Rosenbrock-Nystrom method has order 4 and is L-stable, the trapezoidal rule order 2 and A-stable",
            f"orders {nystrom.order} and {trapezoidal.order} by their order conditions; |R| at infinity "
            f"{_far(nystrom):.0e} and {_far(trapezoidal):.0f}",
            agrees((nystrom.order, trapezoidal.order) == (4, 2) and _far(nystrom) < 1e-3 < _far(trapezoidal)),
        ),
        Finding(
            "section 4, costs",
            "it is competitive with the trapezoidal rule once that needs three iterations",
            f"the trapezoidal rule needs {iterations:.1f} iterations a step of {1e3 * TRAPEZOIDAL:g} ms, "
            f"{calls} evaluations in all, for an error of {error:.1e} rad; "
            f"{cheap[3]} evaluations of the Rosenbrock-Nystrom method err by {cheap[4]:.1e} rad",
            agrees(cheap[3] < calls),
            "of order 4, it is ahead with fewer iterations too",
        ),
        Finding(
            "section 4, W-method",
            "a W-method of order 2 does not need the exact Jacobian",
            f"its errors fall with the steps to the power of {order:.2f}; order {weak.order} by its conditions, "
            "which hold for any matrix",
            agrees(abs(order - 2.0) < 0.25 and weak.order == 2),
        ),
        Finding(
            "section 5.1, stiffness",
            "at first the dominant eigenvalue has a small imaginary part and a real part of the order of -10E5",
            f"{fastest.real:.3g} + {abs(fastest.imag):.2g}i",
            agrees(0.5 < fastest.real / -1e5 < 2.0 and abs(fastest.imag) < 1e-3 * abs(fastest.real)),
            "10E5 is read as 10 to the power of 5; ten times 1E5 would be ten times too large",
        ),
        Finding(
            "figure 2, rate",
            f"the angular velocity of body 1 fluctuates between {RATES[0]:g} and {RATES[1]:g} rad/s",
            f"from rest between {moved.min():.1f} and {moved.max():.1f} rad/s",
            agrees(abs(moved.min() - RATES[0]) < 1.0 and abs(moved.max() - RATES[1]) < 1.0),
        ),
    )


def _far(method: Method) -> float:
    """|R(z)| at a very large negative z."""
    assert method.stability is not None
    return float(method.stability.modulus(np.array([-1e9 + 0.0j]))[0])


STUDY = Study(
    key="stiff-pendulum",
    title="A stiff double pendulum meets its tolerances",
    paper="Paper 4, sections 1 to 5.1, tables 1 and 2, figure 2",
    summary="Two angles, or two bodies with 14 coordinates and 12 constraints: errors of the tolerance's order.",
    compute=compute,
    figures=(
        "table 1",
        "table 2",
        "figure 2",
        "section 4, W-method",
        "section 4, costs",
    ),
    scenarios=(
        ("as printed", find_preset("double-pendulum")),
        ("as the tables ran", find_preset("double-pendulum-rest")),
        ("two bodies", find_preset("double-pendulum").with_value("task.form", "cartesian")),
        ("an explicit method", find_preset("double-pendulum").with_value("method", "dopri5")),
    ),
)
