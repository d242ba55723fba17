"""Paper 2's figures 2 to 7 and its table 1: Taylor series and Runge-Kutta families on the RR arm."""

from __future__ import annotations

from collections.abc import Sequence

from assets.counting import written_out
from robots.model.chart import Axis, Curve
from robots.papers.figure import Figure, line, panel, points
from robots.papers.study import Report, Study, StudyResult, Table, together
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.studies._claims.rr import (
    DEGREES,
    ERROR,
    EVALUATIONS,
    FAMILIES,
    HEURISTIC,
    RK,
    STAGES,
    STEPS,
    TIME,
    claims,
    label_of,
)
from robots.studies._claims.rr_remarks import remarks
from robots.sweeps.work_precision import Point, WorkPrecision, cases, judged, work_precision
from solvers.method import Method
from solvers.method_registry import find_method

TITLES = {
    "figure 2": "Taylor series of several degrees",
    "figure 3": "Runge-Kutta methods of order 1 to 10 at fixed steps",
    "figure 4": "Fehlberg's pairs with the paper's step control",
    "figure 5": "Verner's pairs with the paper's step control",
    "figure 6": "Butcher's pairs with the paper's step control",
    "figure 7": "the pairs of Dormand and Prince with the paper's step control",
}
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
MIDDLE = 2
"""The place of the step and of the tolerance whose runs a figure opens: it draws up to a hundred."""
CALLS = Axis("evaluations of the right-hand side", scale="log")
BUDGET = 0.03


def trajectory() -> Scenario:
    """The paper names neither parameters nor trajectory; this is the arm that falls, for 5 s."""
    return find_preset("rr-swing").with_value("duration", 5.0)


def compute(report: Report) -> StudyResult:
    """All runs in a separate process, then what the paper says about them."""
    base = trajectory()
    pairs = [*((p, p - 1) for p in DEGREES), *((p, p) for p in HEURISTIC), *((p + 1, p) for p in HEURISTIC)]
    groups: dict[str, list[Scenario]] = {
        "figure 2": [one for p, q in dict.fromkeys(pairs) for one in _taylor(base, p, q)],
        "figure 3": cases(base, RK, steps=STEPS),
        **{
            name: cases(base.with_value("controller", "paper"), keys, (), TOLERANCES) for name, keys in FAMILIES.items()
        },
        "same formulas, fixed": cases(base, [key for keys in FAMILIES.values() for key in keys], steps=STEPS[1:4]),
    }
    every = [scenario for group in groups.values() for scenario in group]
    points = list(work_precision(every, error=ERROR, budget=BUDGET, progress=lambda x: report(0.95 * x)).points)
    found: dict[str, WorkPrecision] = {}
    for name, group in groups.items():
        found[name] = judged(points[: len(group)], ERROR, EVALUATIONS)
        del points[: len(group)]
    findings = [*claims(base, found), *remarks(base)]
    report(1.0)
    tables = (_table_1(), *(_table(name, one) for name, one in found.items()))
    figures = [_figure(name, one) for name, one in found.items() if name.startswith("figure")]
    return StudyResult(tables, tuple(findings), tuple(figures))


def _figure(name: str, found: WorkPrecision) -> Figure:
    """Error against computing time, as in the paper, and against evaluations; a line for each method.

    A line goes through the medians of the times; a bar at each shows where the middle half of them lies.
    """
    degrees = {label_of(p, q): f"T({p}, {q})" for p in range(2, 13) for q in (p - 1, p)}
    charts = []
    for kind, axis in ((TIME, Axis("computing time", "s", "log")), (EVALUATIONS, CALLS)):
        lines = []
        for label, group in found.by_method().items():
            known = sorted((_cost(one, kind), one.error(ERROR) or 0.0) for one in group)
            lines.append(points(degrees.get(label, label), known))
            lines += _bars(degrees.get(label, label), group) if kind == TIME else []
        charts.append(panel("Error", "rad", lines, across=axis))
    opens = together(group[MIDDLE].scenario for group in found.by_method().values())
    which = (
        written_out(f"at tolerance {TOLERANCES[MIDDLE]:g}") if name in FAMILIES else f"at {1e3 * STEPS[MIDDLE]:g} ms"
    )
    return Figure(name, TITLES[name], tuple(charts), opens, which)


def _cost(point: Point, kind: str) -> float:
    """The median of the times, or a count; 0 where there is none."""
    if kind == TIME and point.spread is not None:
        return point.spread[1]
    return point.cost(kind) or 0.0


def _bars(label: str, group: Sequence[Point]) -> list[Curve]:
    """The middle half of the times of each point."""
    found = [(one.spread, one.error(ERROR)) for one in group]
    return [line(label, (one[0], one[2]), (error, error)) for one, error in found if one and error]


def _taylor(base: Scenario, degree: int, velocity: int) -> list[Scenario]:
    own = {"method": "taylor", "options.order": degree, "options.velocity_order": velocity}
    return [base.with_values({**own, "step": step}) for step in STEPS]


def _table_1() -> Table:
    rows = tuple(
        (find_method(key).paper_label, key, stages, _stages_of(find_method(key))) for key, stages in STAGES.items()
    )
    return Table("table 1", ("method", "key", "stages in the paper", "stages"), rows)


def _stages_of(method: Method) -> int:
    return method.stages


def _table(name: str, found: WorkPrecision) -> Table:
    rows = found.rows()
    kept = (
        "label",
        "step",
        "atol",
        "status",
        "steps",
        "rejected",
        EVALUATIONS,
        TIME,
        f"max_{ERROR}",
        "order",
        "pareto",
    )
    return Table(name, kept, tuple(tuple(row.get(column) for column in kept) for row in rows))


STUDY = Study(
    key="rr-methods",
    title="Taylor series and Runge-Kutta methods on the RR arm",
    paper="Paper 2, figures 2 to 7 and table 1",
    summary="Error against evaluations and time for series of several degrees, methods of order 1 to 10, and four"
    " families of pairs with the paper's step control.",
    compute=compute,
    figures=tuple(f"figure {n}" for n in range(2, 8)),
    scenarios=(("the arm falls, 5 s", trajectory()),),
)
